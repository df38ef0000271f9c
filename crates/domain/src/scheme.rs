//! What a marking scheme says, understood: the keys of a question as they are marked by.
//!
//! `question::AnswerKey` keeps the scheme's own words, which people read and edit and which are stored. `exam::key` reads
//! those words into these types whenever a paper is marked, so that there is one truth and a key that an earlier version
//! stored is understood as well as today's. Nobody who marks looks at a scheme's notation again.

mod wording;

pub use wording::{Concept, Number, Phrase, Wording};

use crate::marks::Marks;
use crate::question::{Group, Level, Notation, PointKind};
use std::ops::Range;

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
    /// Ways to one result, each the places of its points, of which an answer goes one; empty where there is one way.
    pub routes: Vec<Range<usize>>,
    /// How points become a mark.
    pub scale: Scale,
    /// What the scheme says to examiners about the whole.
    pub remarks: Remarks,
    /// Every point names options by their labels, or in few words.
    pub names_options: bool,
    /// At least two points are a number or a code and nothing else.
    pub has_several_numbers: bool,
    /// A worked solution with the names of its marks beside it.
    pub solution: Option<Solution>,
    /// All that is worked out in a key that names its steps; empty in others.
    pub example: Vec<Worked>,
    /// The documents write "3,50" for three and a half, and so do their students. Its wordings have points.
    pub has_decimal_commas: bool,
    /// Beside them "84.000" for eighty-four thousand.
    pub has_dotted_thousands: bool,
}

/// How points become a mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scale {
    /// Each earns its own.
    #[default]
    Points,
    /// The points are lines of one solution, and none has a mark of its own: an answer earns the share that it makes.
    Solution,
    /// The answer as a whole reaches a level; points are what it may contain.
    Levels(Levels),
}

/// Levels of response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// As the scheme has them.
    pub levels: Vec<Level>,
    /// What an answer may contain, line by line.
    pub content: Vec<String>,
    /// The same as whole statements; empty where elements are counted.
    pub statements: Vec<String>,
    /// Every word that content and descriptors are about, folded.
    pub vocabulary: Vec<String>,
    /// Content and levels as one rubric.
    pub rubric: Rubric,
}

/// A rubric: what it asks for, and how it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rubric {
    /// In the examiner's words.
    pub text: String,
    /// What it asks for, without how marks are given.
    pub asks: Vec<String>,
    /// A list of elements, and how many of them earn how many marks.
    pub counted: Option<Counted>,
}

/// Elements that are counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Each of them.
    pub elements: Vec<String>,
    /// Marks, and how many elements are needed for them at least.
    pub steps: Vec<(f32, usize)>,
}

/// What a scheme says to examiners about a whole key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// All of it, as a rubric beside a model answer.
    pub rubric: Option<Rubric>,
    /// An error before costs no later mark.
    pub carries_errors: bool,
    /// "If M0 scored, SC B1 for 0.639": without its method a right result earns its own mark and implies nothing.
    pub has_special_case: bool,
    /// "Mark the first answer", "award the better attempt": what came before the last attempt counts too.
    pub counts_other_attempts: bool,
    /// "ignore sign": a value below zero is as good.
    pub ignores_signs: bool,
    /// "an answer of 0.36 scores 1 mark": what some answers are worth.
    pub priced: Vec<Priced>,
}

/// A result that the scheme says the worth of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Priced {
    /// In one form, with its unit.
    pub stated: String,
    /// What all of it is worth.
    pub marks: Marks,
    /// Only where it stands alone.
    pub is_without_working: bool,
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
    /// Whether an answer can make it.
    pub role: Role,
    /// Its own text heads others or speaks to examiners, whatever stands beside it.
    pub is_heading: bool,
    /// What stands below it shows what others earned.
    pub heads_examples: bool,
    /// It says what is to be done ("analysis of the causes"), not what is to be said.
    pub is_descriptor: bool,
    /// What each of its marks is given for, where it says so; empty when the point is one thing.
    pub shares: Vec<TypedPoint>,
    /// Its own text as one wording.
    pub own: Wording,
    /// Every wording that earns it.
    pub wordings: Vec<Wording>,
    /// Wordings that lose the mark.
    pub rejects: Vec<Wording>,
    /// Wordings that neither earn nor lose it.
    pub ignore: Vec<String>,
    /// Words that the scheme insists on.
    pub required: Vec<Required>,
    /// What it names of the options printed.
    pub options: Options,
    /// Examiners' notation that applies.
    pub notation: Vec<Notation>,
    /// Index in `TypedKey::groups` of the group it belongs to.
    pub group: Option<u32>,
    /// The place of the point that must be earned first: the one named, or an accuracy mark's method.
    pub needs: Option<usize>,
    /// The student's own value from before counts.
    pub follows_on: bool,
    /// Labels of the parts whose answers it takes over: "same as their answer to (iii)".
    pub takes_over: Vec<String>,
    /// A result that others follow in the same key: an answer may go on from it.
    pub is_passing: bool,
    /// The step that it names and does not show.
    pub step: Option<Step>,
    /// How many things it lists.
    pub asks: usize,
}

/// Whether an answer can make a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It can.
    #[default]
    Point,
    /// A heading, an instruction to examiners, or the question once more: nobody can say it.
    Instruction,
    /// A step that must meet a condition: whether it does is for a person to say.
    Condition,
}

/// Emphasised words that an answer must have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Required {
    /// As the scheme prints them.
    pub text: String,
    /// One of these is enough: "higher/faster".
    pub one_of: Vec<String>,
}

/// What a point of a multiple choice names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Labels that must all be chosen; each set is enough by itself.
    pub labels: Vec<Vec<String>>,
    /// Those that the point's own text names.
    pub named: Vec<String>,
    /// What may be written instead, where no options are printed: letters and digits with single spaces.
    pub words: Vec<String>,
}

/// A step of working that a scheme names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Numbers put into the right relation.
    Substitution,
    /// The relation turned round, so that what is sought stands alone.
    Rearrangement,
    /// The sum worked out.
    Evaluation,
    /// The unit of the result.
    Unit,
}

/// A worked solution with the names of its marks beside it: "… 2 : integrand … 1 : limits … 1 : answer".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// What the named marks add up to.
    pub marks: Marks,
    /// Some mark is for what only words can say.
    pub is_in_words: bool,
    /// Some mark is for the unit.
    pub names_unit: bool,
    /// The working of each point, without the names.
    pub working: Vec<Worked>,
}

/// Something worked out, in one form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worked {
    /// Numbers and signs as they stand there.
    pub text: String,
    /// The number that it is, where it is nothing else.
    pub number: Option<Number>,
}
