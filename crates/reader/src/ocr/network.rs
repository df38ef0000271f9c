//! A network that is ready to run, and how long it has run.

use rten::{Model, RunError, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A model with the threads that run it.
pub(super) struct Network {
    model: Model,
    options: RunOptions,
    nanoseconds: AtomicU64,
}

impl Network {
    pub(super) fn new(model: Model, threads: &Arc<ThreadPool>) -> Network {
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(threads));
        Network { model, options, nanoseconds: AtomicU64::new(0) }
    }

    /// The network's only output for its only input; empty when it is not made of numbers.
    pub(super) fn run(&self, input: NdTensor<f32, 4>) -> Result<Vec<f32>, RunError> {
        let start = Instant::now();
        let output = self.model.run_one(input.into(), Some(self.options.clone()))?;
        let taken = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(taken, Ordering::Relaxed);
        Ok(match output {
            Value::FloatTensor(values) => values.into_data(),
            _ => Vec::new(),
        })
    }

    /// How long it has run since it was loaded.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}
