//! The tickmark binary: settings, wiring, command line.

pub mod cli;
pub mod config;
pub mod data;
pub mod listen;
pub mod metrics;
pub mod telemetry;
