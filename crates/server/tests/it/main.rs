//! The server from outside: over sockets, and as a process of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod browser;
mod buckets;
mod client;
mod commands;
mod development;
mod doctor;
mod faults;
mod listener;
mod mail;
mod marking;
mod partner;
mod peers;
mod process;
mod samples;
mod serving;
mod usage;
mod webhooks;
