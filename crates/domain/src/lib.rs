//! The rules of Tickmark as plain functions: no database, no HTTP, no clock of its own.

#![warn(missing_docs)]

pub mod account;
pub mod clock;
pub mod credit;
pub mod event;
pub mod grading;
pub mod id;
pub mod idempotency;
pub mod key;
pub mod marks;
pub mod mode;
pub mod paging;
pub mod question;
pub mod random;
pub mod rate;
pub mod refusal;
pub mod result;
pub mod scope;
pub mod subject;
pub mod text;
pub mod time;
pub mod web_url;
pub mod webhook;
