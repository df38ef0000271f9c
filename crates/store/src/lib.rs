//! Where things are kept: one SQL text on SQLite and PostgreSQL.
//!
//! [`Store::write`] is the one way to change something, [`Store::read`] and [`Store::scan`] the two ways to
//! look. Statements are portable text (see [`sql()`]); only `engine` knows that there are two databases.

mod engine;
mod error;
mod location;
mod migrate;
mod pool;
mod row;
mod sql;
mod store;
mod wake;

pub use engine::{Db, Tx};
pub use error::{Cause, Error};
pub use location::{Location, Options};
pub use migrate::Migration;
pub use pool::Reading;
pub use row::{FromRow, Row};
pub use sql::{Sql, Value, sql};
pub use store::Store;
pub use wake::{Topic, Wakeups};
