//! The tickmark binary: settings, wiring, command line.

pub mod app;
pub mod cli;
pub mod config;
pub mod data;
mod descriptors;
mod dev;
mod doctor;
mod failure;
pub mod judge;
pub mod listen;
mod mail;
pub mod metrics;
pub mod random;
pub mod run;
pub mod telemetry;
