//! The rules of Tickmark as plain functions: no database, no HTTP, no clock of its own.

#![warn(missing_docs)]

mod names;

pub mod account;
pub mod adjustment;
pub mod billing;
pub mod class_scan;
pub mod clock;
pub mod cover;
pub mod credit;
pub mod event;
pub mod failure;
pub mod file;
pub mod grading;
pub mod id;
pub mod idempotency;
pub mod key;
pub mod learning;
pub mod lti;
pub mod marks;
pub mod markup;
pub mod metadata;
pub mod mode;
pub mod operator;
pub mod paging;
pub mod paper;
pub mod question;
pub mod random;
pub mod rate;
pub mod refusal;
pub mod report;
pub mod result;
pub mod review;
pub mod roster;
pub mod scheme;
pub mod scope;
pub mod statistics;
pub mod subject;
pub mod submission;
pub mod text;
pub mod time;
pub mod web_url;
pub mod webhook;
