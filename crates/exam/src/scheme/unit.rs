//! Points before and after their marks are shared out.

use super::phrases;
use domain::marks::Marks;
use domain::question::{Notation, Point, PointKind};

/// A point before the marks are shared out.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) worth: Option<Marks>,
    pub(super) kind: PointKind,
    pub(super) notation: Vec<Notation>,
    pub(super) strong: Vec<String>,
    pub(super) alternatives: Vec<String>,
    pub(super) accept: Vec<String>,
    pub(super) reject: Vec<String>,
    pub(super) ignore: Vec<String>,
    pub(super) group: Option<u32>,
}

impl Unit {
    /// The point that the unit becomes with its share of the marks.
    pub(super) fn into_point(self, marks: Marks) -> Point {
        let (text, mut notation) = phrases::strip_notation(&self.text);
        let (text, mut alternatives) = phrases::alternatives(&text);
        alternatives.extend(self.alternatives);
        notation.extend(self.notation);
        notation.dedup();
        Point {
            text,
            marks,
            kind: self.kind,
            alternatives,
            accept: self.accept,
            reject: self.reject,
            ignore: self.ignore,
            required: self.strong,
            notation,
            group: self.group,
            depends_on: None,
        }
    }
}
