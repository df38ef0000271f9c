//! Background work: a closed list of jobs, and the worker that runs them.

mod sweep;
mod worker;

pub use worker::Worker;
