//! Where things are kept: one SQL text on SQLite and PostgreSQL.
//!
//! [`Store::write`] is the one way to change something, [`Store::read`], [`Store::page`] and [`Store::scan`] the ways
//! to look: at a few rows, a page of a list, or much. Statements are portable text (see [`sql()`]); only `engine` knows that there are two databases.

pub mod accounts;
pub mod backup;
pub mod class_scans;
mod codec;
pub mod credits;
pub mod deliveries;
pub mod desk;
mod engine;
mod error;
pub mod events;
pub mod failures;
pub mod files;
pub mod idempotency;
pub mod jobs;
pub mod keys;
pub mod limits;
pub mod list;
mod location;
mod locked;
pub mod lti;
pub mod mails;
mod migrate;
pub mod operators;
pub mod papers;
pub mod plan;
mod pool;
pub mod questions;
pub mod results;
pub mod reviews;
mod row;
pub mod settings;
mod sql;
mod store;
pub mod subjects;
pub mod submissions;
pub mod turns;
mod wake;
pub mod watch;
pub mod webhooks;

pub use engine::{Db, Tx};
pub use error::{Cause, Error};
pub use location::{Location, Options};
pub use locked::Locked;
pub use migrate::Migration;
pub use plan::Plan;
pub use pool::Lent;
pub use row::{FromRow, Row};
pub use sql::{Sql, Value, sql};
pub use store::Store;
pub use wake::{Topic, Wakeups, Words};
