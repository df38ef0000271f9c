//! What a search for labels is given, and what it finds.

use super::Outline;
use crate::labels::Token;
use crate::rules::Reason;
use crate::scheme::SchemeLabels;

/// An accepted label.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Index of its line.
    pub line: usize,
    /// Index of its first word within the line.
    pub word: usize,
    /// How many words it takes up.
    pub words: usize,
    /// All its levels, from the question's number inwards.
    pub path: Vec<Token>,
    /// True when it stands inside a line of text.
    pub inline: bool,
    /// True when its last word goes on with the text.
    pub glued: bool,
    /// Why it was accepted.
    pub why: Vec<Reason>,
}

/// What the lines say besides labels.
#[derive(Debug, Default)]
pub struct Evidence {
    /// For each line, whether it prints marks.
    pub marks: Vec<bool>,
    /// For each line, whether it says what each of the questions or parts below it is worth; empty when none does.
    pub spread: Vec<bool>,
    /// For each line, whether it is the heading of a section.
    pub section: Vec<bool>,
    /// Looks for question numbers only, whatever stands behind them.
    pub numbers_only: bool,
    /// For each line, how many words of marks stand before its label; empty when none do.
    pub leads: Vec<usize>,
    /// For each line, whether the numbers of questions count over it, though it looks like a question's heading.
    pub over: Vec<bool>,
    /// How the document counts, where that is known.
    pub outline: Option<Outline>,
    /// For each line, whether it stands among the instructions to candidates; empty when none do.
    pub instructions: Vec<bool>,
    /// For each line, whether it heads a part of a question with "Part A"; empty when none do.
    pub parts: Vec<bool>,
    /// True when such headings stand over numbers that count again below each.
    pub parts_over_numbers: bool,
    /// For each line, whether it begins a solution; empty when none do.
    pub solutions: Vec<bool>,
    /// Lines that say with which number their section begins.
    pub announced: Vec<(usize, u32)>,
    /// For each line, whether it leaves a blank to fill in; empty when none does.
    pub blanks: Vec<bool>,
    /// For each line, whether a picture stands right below or beside it; empty when none does.
    pub pictured: Vec<bool>,
    /// Lines that offer the numbered topics below them to choose from.
    pub offers: Vec<usize>,
    /// For each line, whether it is a row of a table for graders; empty when none is.
    pub tabled: Vec<bool>,
    /// The number up to which every question is answered elsewhere, so that the first label may be the next.
    pub answered: u32,
    /// The scheme's labels, and whether it has so many of the paper's that its silence says something.
    pub scheme: Option<(SchemeLabels, bool)>,
}

impl Evidence {
    /// True when one of these lines says what each of what follows is worth.
    pub(super) fn spreads_within(&self, lines: std::ops::Range<usize>) -> bool {
        self.spread.get(lines).is_some_and(|lines| lines.contains(&true))
    }
}
