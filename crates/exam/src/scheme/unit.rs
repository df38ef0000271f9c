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
        let required = self.strong.iter().filter_map(|word| insisted(word)).collect();
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

/// A word in bold that an answer has to say: no heading ("Lines:"), no half of a remark ("(Up"), no address, no number
/// in words, and nothing that names what is credited.
fn insisted(word: &str) -> Option<String> {
    let is_torn = word.matches('(').count() != word.matches(')').count() || word.contains(['[', ']']);
    let bare = word.trim_end_matches(['.', ',', ';', '!', '…']).trim_start_matches('…');
    let is_plain = bare.chars().all(|c| c.is_alphanumeric() || "-–/'’()".contains(c));
    let is_number = lexicon::number(&bare.to_lowercase()).is_some();
    (!is_torn && is_plain && !is_number && !examiners::names_credit(bare)).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_an_answer_are_insisted_on() {
        assert_eq!(insisted("peristalsis.").as_deref(), Some("peristalsis"));
        assert_eq!(insisted("contract(s)").as_deref(), Some("contract(s)"));
        for word in ["(Up", "Lines:", "https://a.b/c", "Four", "Clubs[],", "marks", "ddM1:"] {
            assert_eq!(insisted(word), None, "{word}");
        }
    }
}
