//! The server from outside: over sockets, and as a process of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod backup;
mod browser;
mod buckets;
mod class_scans;
mod client;
mod cluster;
mod commands;
mod console;
mod demo;
mod desk;
mod development;
mod doctor;
mod documents;
mod faults;
mod listener;
mod lti;
mod mail;
mod marking;
mod model;
mod operator;
mod partner;
mod peers;
mod process;
mod samples;
mod serving;
mod together;
mod usage;
mod webhooks;
