//! The rules of Tickmark as plain functions: no database, no HTTP, no clock of its own.

pub mod marks;
pub mod question;
