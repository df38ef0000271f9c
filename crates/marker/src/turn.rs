//! What would have turned a verdict round: the other half of an answer to "why?".

use crate::task::Strictness;
use serde::Serialize;

/// One thing that would have changed what a point earned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// What the judge of meaning gives the point, beside what decides.
    Judge {
        /// How likely it says the point is made, 0 to 1.
        said: f32,
        /// From here on the point is made.
        needed: f32,
    },
    /// Marked with this strictness, it would be given; or, of what was given, only down to this one it is.
    Strictness(Strictness),
    /// Another value.
    Value,
    /// The unit that is missing.
    UnitSaid,
    /// Another unit.
    UnitOther,
    /// As many figures as are asked for.
    Figures,
    /// The form that is asked for.
    Form,
    /// What it says, not turned round.
    Unturned,
    /// Without this wording, which loses the mark.
    Without(String),
    /// With this word, on which the scheme insists.
    With(String),
    /// One answer instead of several.
    OneAnswer,
    /// An equation that balances.
    Balanced,
    /// State symbols, or right ones.
    StateSymbols,
    /// A person, who alone can see it.
    Person,
    /// The step before it, which it depends on, or marks that were still to be had.
    Room,
}

/// The numbers behind what a point earned, and what would have changed it. Never stored: marking again says them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Behind {
    /// What the judge of meaning says where it was asked: that the point is made, touched, gainsaid, not spoken of.
    pub judge: Option<[f32; 4]>,
    /// How many of the words that matter were found, 0 to 1, where words were looked for.
    pub words_found: Option<f32>,
    /// What would have changed it.
    pub turns: Vec<Turn>,
}
