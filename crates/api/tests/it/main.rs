//! The HTTP face through its outside: the real router on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod account;
mod adjustments;
mod amendments;
mod amendments_by_api;
mod background;
mod bounds;
mod class_scans;
mod console;
mod covers;
mod credits;
mod crowds;
mod deliveries;
mod desk;
mod doubtful;
mod erasure;
mod events;
mod files;
mod findings;
mod flow;
mod idempotency;
mod learning;
mod leases;
mod lists;
mod lti;
mod lti_scores;
mod openapi;
mod pairs;
mod papers;
mod parsing;
mod races;
mod rate;
mod reports;
mod review;
mod review_links;
mod s3;
mod subjects;
mod submissions;
mod turns;
mod webhook_endpoints;
