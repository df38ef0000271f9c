//! The teacher's instructions in plain words: what was understood, and what was not.

/// What the instructions change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// "no marks for units", "ignore units"
    pub ignore_units: bool,
    /// "be strict about significant figures"
    pub strict_figures: bool,
    /// "ignore significant figures", "do not penalise rounding"
    pub free_figures: bool,
    /// "accept equivalent fractions", "accept any equivalent form"
    pub accept_equivalents: bool,
}
