//! Points before and after their marks are shared out.

use super::{examiners, phrases};
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
        // What is said to examiners is in bold too: "For **analysis** of the causes **(up to 3 marks)**".
        let required = self.strong.into_iter().filter(|word| !examiners::names_credit(word)).collect();
        Point {
            text,
            marks,
            kind: self.kind,
            alternatives,
            accept: self.accept,
            reject: self.reject,
            ignore: self.ignore,
            required,
            notation,
            group: self.group,
            depends_on: None,
        }
    }
}
