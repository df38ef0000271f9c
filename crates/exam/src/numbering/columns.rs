//! Labels of a kind stand under each other.

use super::candidates::Candidate;
use crate::labels::{Kind, Style};
use crate::rules::Rule;

/// Columns of labels: one a kind, and one for each depth of decimals beyond.
const COLUMNS: usize = 8;

/// Where labels of each kind stand, on odd and on even pages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns([[Option<f32>; 2]; COLUMNS]);

impl Columns {
    /// Labels of a kind stand under each other.
    pub(super) fn align(&mut self, candidate: &Candidate) -> f32 {
        if !candidate.begins_line || candidate.label.style == Style::Keyword {
            return 0.0;
        }
        let decimals = candidate.label.tokens.iter().filter(|token| token.kind == Kind::Decimal).count();
        let kind = match decimals {
            0 => candidate.label.tokens[0].kind as usize,
            deep => (Kind::Inner as usize + deep).min(COLUMNS - 1),
        };
        let side = usize::from(candidate.odd_page);
        // Where the column of text begins differs, the distance from it does not.
        let column = self.0[kind][side];
        self.0[kind][side] = Some(candidate.x);
        match column {
            Some(x) if (x - candidate.x).abs() <= 5.0 => Rule::Aligned.weight(),
            // Parts are indented as their question asks; numbers are not.
            Some(x) => {
                let most = if kind == Kind::Number as usize { 1.5 } else { 0.6 };
                -((x - candidate.x).abs() / 25.0).min(most)
            }
            None => 0.0,
        }
    }
}
