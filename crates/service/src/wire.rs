//! How objects look on the wire, as the service needs it for the snapshots in events.
//!
//! The shapes belong to `api`, which depends on this crate; so it hands its writers in when the service is
//! put together, and there is one definition of each shape.

use domain::account::Account;
use domain::credit::Balance;
use domain::event::Event;
use domain::mode::Mode;
use domain::paper::Paper;
use domain::submission::Submission;
use jiff::Timestamp;

/// Writes objects as the JSON that the API shows.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// An event, as it is delivered; `None` when what was stored of it is no JSON.
    pub event: fn(&Event) -> Option<String>,
    /// A balance.
    pub balance: fn(&Balance, Mode) -> String,
    /// An account with the end of its credits.
    pub account: fn(&Account, Mode, Option<Timestamp>) -> String,
    /// A paper.
    pub paper: fn(&Paper) -> String,
    /// A submission.
    pub submission: fn(&Submission) -> String,
}
