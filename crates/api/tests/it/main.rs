//! The HTTP face through its outside: the real router on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod account;
mod credits;
mod events;
mod flow;
mod idempotency;
mod lists;
mod openapi;
mod parsing;
mod rate;
mod review;
mod review_links;
mod subjects;
