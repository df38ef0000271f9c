//! The engine that marks: made when the first script comes, so that a server that marks nothing stays small.

mod transport;

pub use transport::ModelTransport;

use marker::Marker;
use std::fmt;
use std::sync::Arc;
use store::Cause;
use tokio::sync::OnceCell;

/// Makes the engine. It blocks while models are loaded.
pub type MakeMarker = dyn Fn() -> Result<Arc<dyn Marker>, Cause> + Send + Sync;

/// The engine, or how to make it.
pub struct Engine {
    make: Arc<MakeMarker>,
    made: OnceCell<Arc<dyn Marker>>,
}

impl Engine {
    /// An engine that is made this way.
    pub fn new(make: Arc<MakeMarker>) -> Engine {
        Engine { make, made: OnceCell::new() }
    }

    /// The engine.
    pub(crate) async fn get(&self) -> Result<Arc<dyn Marker>, Cause> {
        let make = || async {
            let make = Arc::clone(&self.make);
            tokio::task::spawn_blocking(move || make()).await?
        };
        self.made.get_or_try_init(make).await.map(Arc::clone)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("is_made", &self.made.initialized()).finish()
    }
}
