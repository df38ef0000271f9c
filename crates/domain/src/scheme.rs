//! What a marking scheme says, understood: the keys of a question as they are marked by.
//!
//! `question::AnswerKey` keeps the scheme's own words, which people read and edit and which are stored. `exam::key` reads
//! those words into these types whenever a paper is marked, so that there is one truth and a key that an earlier version
//! stored is understood as well as today's. Nobody who marks looks at a scheme's notation again.

use crate::marks::Marks;
use crate::question::{Group, Level, Notation, PointKind};

/// The keys of one question; `None` where there is nothing to mark by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// One for each part, in paper order.
    pub parts: Vec<Option<TypedKey>>,
    /// The question's own.
    pub own: Option<TypedKey>,
}

/// What earns the marks of a question or a part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedKey {
    /// Separate points, in the scheme's order: as many as the stored key has.
    pub points: Vec<TypedPoint>,
    /// Points of which only some can earn marks.
    pub groups: Vec<Group>,
    /// Guidance that belongs to no single point.
    pub notes: Option<String>,
    /// Levels of response.
    pub levels: Vec<Level>,
}

/// One thing that earns marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedPoint {
    /// What people call it: the scheme's words.
    pub text: String,
    /// What it is worth.
    pub marks: Marks,
    /// What sort of mark it is.
    pub kind: PointKind,
    /// What each of its marks is given for, where it says so; empty when the point is one thing.
    pub shares: Vec<TypedPoint>,
    /// Other wordings that are as good.
    pub alternatives: Vec<String>,
    /// Weaker wordings that still earn the mark.
    pub accept: Vec<String>,
    /// Wordings that lose the mark.
    pub reject: Vec<String>,
    /// Wordings that neither earn nor lose it.
    pub ignore: Vec<String>,
    /// Words that must be there.
    pub required: Vec<String>,
    /// Examiners' notation that applies.
    pub notation: Vec<Notation>,
    /// Index in `TypedKey::groups` of the group it belongs to.
    pub group: Option<u32>,
    /// Index in `TypedKey::points` of the point that must be earned first.
    pub depends_on: Option<u32>,
}
