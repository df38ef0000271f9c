//! One wording of a point: what is to be written, and what may be left out.

/// One wording of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wording {
    /// In the scheme's words: what the judge of meaning reads, and what people are told.
    pub text: String,
    /// The same without notation, examples and what stands in brackets.
    pub plain: String,
    /// In one form, without what it is worth: what a formula, an order or a date is read from.
    pub form: String,
    /// In one form, byte for byte, with blanks for what stands in brackets or is an example: what a statement turns on.
    pub statement: String,
    /// What is left in one form without what square brackets say need not be written ("[Total =] 1722").
    pub needed: String,
    /// Square brackets said so.
    pub is_bracketed: bool,
    /// The number that it states, where it states one.
    pub number: Option<Number>,
    /// The name that it gives its result: "median" of "median = 18 cm".
    pub name: Option<String>,
    /// What it says, in each of the ways that it leaves open.
    pub ways: Vec<Phrase>,
    /// A step in words ("Solves … simultaneously"): it is made by doing it, not by repeating its formulae.
    pub is_described: bool,
    /// Such a step with the student's own values, whose numbers are an example.
    pub is_theirs: bool,
}

/// A number as a scheme states it: "4.2 N", "awrt 3.17", "2.4 to 2.6", "5.0 ± 0.2".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Its value, or the middle of a range.
    pub value: f64,
    /// As it would be written: its figures, its form and its unit.
    pub stated: String,
    /// The other end of a range where only that carries the unit.
    pub unit_of: Option<String>,
    /// Everything between these is right.
    pub range: Option<(f64, f64)>,
    /// Anything that rounds to it is right.
    pub rounds: bool,
    /// "less than 5": the key itself bounds the value.
    pub is_bounded: bool,
    /// "1.1(3)": as few figures as these are enough.
    pub figures_enough: Option<u32>,
}

/// One way to say a wording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    /// What must be said.
    pub concepts: Vec<Concept>,
}

/// One thing that must be said, in any of these words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concept {
    /// Folded.
    pub words: Vec<String>,
    /// The wording denies it: "does **not** conduct".
    pub negated: bool,
    /// "orange **to** green": it comes after the one before it.
    pub comes_after_previous: bool,
}
