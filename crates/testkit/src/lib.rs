//! What the tests share: an app in the process, private databases, a clock that stands still.
//!
//! Every response that passes through [`App`] is held against the OpenAPI description, so each HTTP test is
//! also a test of the description.

mod app;
mod browser;
mod conform;
mod database;
#[cfg(feature = "object-store")]
pub mod object_store;
pub mod pdf;
pub mod platform;
pub mod probe;
mod seeded;
mod sink;
mod upload;

pub use app::{Answer, App, Ask, MASTER_KEY};
pub use browser::{Browser, Shown};
pub use database::{Database, Engine};
pub use seeded::SeededRandom;
pub use sink::{Received, Sink};
pub use upload::put_outside;

/// Runs an async test once on SQLite and once on PostgreSQL:
///
/// ```text
/// testkit::on_both_engines! {
///     async fn a_key_opens_its_account(app: App) { … }
/// }
/// ```
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: App) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            use super::*;

            async fn check($app: $crate::App) $body

            #[tokio::test]
            async fn sqlite() {
                check($crate::App::start($crate::Engine::Sqlite).await).await;
            }

            #[tokio::test]
            async fn postgres() {
                check($crate::App::start($crate::Engine::Postgres).await).await;
            }
        }
    )*};
}
