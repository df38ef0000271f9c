//! A point that is worth several marks and says for what: "further from nucleus (1) less attraction (1)".

use domain::marks::Marks;
use domain::question::{Point, PointKind};
use lexicon::english::{joints, notes, verdicts};

/// "oxygen and water" is two things; in a sentence "and" joins what belongs together.
const PAIR_WORDS_MAX: usize = 5;

/// The shares: as many as there are "(1)" in the text, or as its semicolons or an "and" part it, if that is its marks.
/// Empty when the point is one thing.
pub(super) fn of(point: &Point) -> Vec<Point> {
    let marks = point.marks.as_halves() / 2;
    if marks < 2
        || !point.alternatives.is_empty()
        || matches!(point.kind, PointKind::Method | PointKind::Option)
    {
        return Vec::new();
    }
    let text = point.text.replace("[1]", "(1)").replace(notes::ONE_MARK, "(1)").replace("✓", "(1)");
    let cut = |separator: &str| -> Vec<String> {
        text.split(separator)
            .map(|piece| piece.trim().trim_matches([';', ',']).trim().to_owned())
            .filter(|piece| !piece.is_empty())
            .collect()
    };
    let told = verdict_and_reason(&text).filter(|_| marks == 2);
    let few_words = text.split_whitespace().count() <= PAIR_WORDS_MAX;
    let separators: &[&str] = if few_words { &["(1)", ";", joints::AND, ", "] } else { &["(1)", ";"] };
    let parted =
        || separators.iter().map(|separator| cut(separator)).find(|texts| texts.len() == marks as usize);
    let texts = told.or_else(parted);
    let share = |text: String| Point {
        text,
        marks: Marks::whole(1),
        required: Vec::new(),
        depends_on: None,
        ..point.clone()
    };
    texts.into_iter().flatten().map(share).collect()
}

/// "False. The list is searched": whether it is so, and why.
fn verdict_and_reason(text: &str) -> Option<Vec<String>> {
    let (word, reason) = text.trim().split_once(' ')?;
    let verdict = word.strip_suffix(['.', ',', ':', ';'])?;
    let lower = verdict.to_lowercase();
    // A letter alone may name something.
    let is_verdict = lower.len() > 1 && (verdicts::TRUE.has(&lower) || verdicts::FALSE.has(&lower));
    let is_reason = reason.split_whitespace().count() > 1;
    (is_verdict && is_reason).then(|| vec![verdict.to_owned(), reason.trim().to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(text: &str, marks: u32) -> Vec<String> {
        let point = Point { text: text.into(), marks: Marks::whole(marks), ..Point::default() };
        of(&point).into_iter().map(|share| share.text).collect()
    }

    #[test]
    fn a_point_is_parted_where_it_says_what_each_mark_is_for() {
        for text in [
            "ice melts (1) water runs off (1)",
            "ice melts [1] water runs off ✓",
            "ice melts; water runs off;",
        ] {
            assert_eq!(shares(text, 2), ["ice melts", "water runs off"], "{text}");
        }
        assert_eq!(shares("clay and sand", 2), ["clay", "sand"]);
        assert_eq!(shares("False. The lock keeps it level.", 2), ["False", "The lock keeps it level."]);
        assert!(shares("True. The lock; the weir", 3).is_empty());
    }

    #[test]
    fn a_point_that_is_one_thing_is_left_whole() {
        assert!(shares("ice melts (1) water runs off (1)", 1).is_empty(), "worth one mark");
        assert!(shares("ice melts (1) water runs off (1)", 3).is_empty(), "other marks than it names");
        assert!(shares("the ice melts and the water runs off", 2).is_empty(), "a sentence");
    }
}
