//! The places where an answer can stand: every question without parts, and every part.

use crate::labels::{self, Label, Style, Token};
use domain::question::{Choice, Kind, Question, Region};

/// One of them.
#[derive(Debug)]
pub(super) struct Leaf<'a> {
    pub(super) number: &'a str,
    /// Empty for a question without parts.
    pub(super) label: &'a str,
    pub(super) kind: Kind,
    pub(super) options: &'a [Choice],
    pub(super) regions: &'a [Region],
    path: Vec<Token>,
}

/// All leaves in paper order.
pub(super) fn leaves(questions: &[Question]) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    for question in questions {
        if question.parts.is_empty() {
            leaves.push(Leaf {
                number: &question.number,
                label: "",
                kind: question.kind,
                options: &question.options,
                regions: &question.regions,
                path: path(&question.number, ""),
            });
        }
        leaves.extend(question.parts.iter().map(|part| Leaf {
            number: &question.number,
            label: &part.label,
            kind: part.kind,
            options: &part.options,
            regions: &part.regions,
            path: path(&question.number, &part.label),
        }));
    }
    leaves
}

/// The levels of a number and a label: `1.1` carries its number itself, `(a)(ii)` stands under it.
fn path(number: &str, label: &str) -> Vec<Token> {
    let whole = if label.starts_with(|first: char| first.is_ascii_digit()) {
        label.to_owned()
    } else {
        format!("{number}{label}")
    };
    labels::parse_cell(&whole)
        .or_else(|| labels::parse(&[&whole]).map(|label| label.tokens))
        .unwrap_or_default()
}

/// Finds the leaf that a label in a student's margin names, given the one that came before.
#[derive(Debug)]
pub(super) struct Pointer<'a> {
    leaves: &'a [Leaf<'a>],
    /// The path that was named last.
    current: Vec<Token>,
}

impl<'a> Pointer<'a> {
    pub(super) fn new(leaves: &'a [Leaf<'a>]) -> Pointer<'a> {
        Pointer { leaves, current: Vec::new() }
    }

    /// The leaf that the label names. A label that names none moves nothing.
    pub(super) fn follow(&mut self, label: &Label) -> Option<usize> {
        let readings = [label.tokens.clone(), as_letters(&label.tokens)];
        let named = readings.iter().find_map(|tokens| self.resolve(tokens));
        let (leaf, path) = named?;
        self.current = path;
        Some(leaf)
    }

    /// True when the number is the next one to be expected, or no question was named yet.
    pub(super) fn expects(&self, label: &Label) -> bool {
        let number = |path: &[Token]| path.first().map_or(0, |token| token.value);
        self.current.is_empty() || number(&label.tokens) == number(&self.current) + 1
    }

    /// True when the number is a later one of the paper than the question that was named last.
    pub(super) fn is_ahead(&self, label: &Label) -> bool {
        let number = |path: &[Token]| path.first().map_or(0, |token| token.value);
        let wanted = number(&label.tokens);
        wanted > number(&self.current) && self.leaves.iter().any(|leaf| number(&leaf.path) == wanted)
    }

    /// From the deepest level outwards, "(b)" after "2(a)(ii)" is tried as 2(a)(b), then as 2(b).
    fn resolve(&self, tokens: &[Token]) -> Option<(usize, Vec<Token>)> {
        let has_number = tokens.first().is_some_and(|token| token.kind == labels::Kind::Number);
        let deepest = if has_number { 0 } else { self.current.len() };
        let shallowest = usize::from(!has_number);
        (shallowest..=deepest).rev().find_map(|depth| {
            let path: Vec<Token> = self.current.iter().take(depth).chain(tokens).copied().collect();
            // A label above the leaves ("2" where 2 has parts) means the first part below it.
            let leaf = self.leaves.iter().position(|leaf| leaf.path.starts_with(&path))?;
            Some((leaf, path))
        })
    }
}

/// (i) may be a letter; "1i" hardly ever is.
fn as_letters(tokens: &[Token]) -> Vec<Token> {
    tokens.iter().map(|token| token.as_letter().unwrap_or(*token)).collect()
}

/// The label that a line of a student's page begins with, whatever the handwriting makes of it:
/// "Q3", "Question 4", "2 (b) (ii)", "1a)", "2bii".
pub(super) fn label_of(words: &[&str]) -> Option<Label> {
    let printed = labels::parse(words).filter(|label| !label.glued);
    // Students leave brackets out: "1a", "2bii". At most three words are one label.
    let compact = words.first().and_then(|first| {
        let bare = first.trim_end_matches([')', '.', ':', '-']);
        let starts_right =
            bare.starts_with(|letter: char| letter.is_ascii_digit() || letter == 'Q' || letter == 'q');
        let tokens = labels::parse_cell(bare).filter(|tokens| starts_right && tokens.len() > 1)?;
        Some(Label { tokens, style: Style::Path, words: 1, glued: false })
    });
    match (printed, compact) {
        (Some(printed), Some(compact)) if compact.tokens.len() > printed.tokens.len() => Some(compact),
        (printed, compact) => printed.or(compact),
    }
}
