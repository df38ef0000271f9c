//! Test mode and live mode: two worlds that never see each other.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The world a key, and all that it makes, belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// For trying things out; credits cost nothing.
    Test,
    /// For real.
    Live,
}

impl Mode {
    /// Both, in the order in which they are shown.
    pub const ALL: [Mode; 2] = [Mode::Test, Mode::Live];

    /// As it is stored and typed on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Test => "test",
            Mode::Live => "live",
        }
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The `livemode` of every resource.
    pub const fn is_live(self) -> bool {
        matches!(self, Mode::Live)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
