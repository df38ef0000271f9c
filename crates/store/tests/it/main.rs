//! The store's behaviour, the same on both engines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod engines;
mod faults;
mod lists;
mod migrations;
mod plans;
mod reads;
mod tls;
mod wakes;
mod writes;
