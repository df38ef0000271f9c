//! The server from outside: over sockets, and as a process of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod commands;
mod development;
mod doctor;
mod faults;
mod listener;
mod peers;
mod process;
mod samples;
mod serving;
mod usage;
