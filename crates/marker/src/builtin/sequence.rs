//! Labels in an order ("C, A, D, B") and labels in pairs ("1 - D"), as ordering and matching questions want them.

use super::verdict::{ALWAYS, Reason, Verdict};

/// Labels that must come in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    labels: Vec<String>,
    /// "1 - D": both, side by side, anywhere in the answer.
    pair: bool,
}

impl Sequence {
    /// A wording that is nothing but short labels: at least three in an order, or two as a pair.
    pub(crate) fn parse(text: &str) -> Option<Sequence> {
        let labels = labels(text)?;
        let joint = text.contains('→')
            || text.contains(" - ")
            || text.contains(':')
            || (text.contains('-') && !text.starts_with('-'));
        let has_letter = labels.iter().any(|label| label.chars().all(char::is_alphabetic));
        let pair = labels.len() == 2 && joint && has_letter;
        // "2 x - 5 y" is a formula, and no order of labels.
        let is_formula = text.contains(" - ") && labels.len() >= 3 && !text.contains('→');
        let order = labels.len() >= 3
            && !is_formula
            && (has_letter || labels.len() >= 3 && text.contains([',', '.', ' ']));
        (pair || order).then_some(Sequence { labels, pair })
    }

    /// "0001 1110 0101": groups of binary digits, of which each counts and none is a number's.
    pub(crate) fn of_bits(text: &str) -> Option<Sequence> {
        let labels: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let is_group =
            |group: &String| group.len() >= 4 && group.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let is_code = labels.len() >= 2 && labels.iter().all(is_group);
        is_code.then_some(Sequence { labels, pair: false })
    }

    /// Judges an answer.
    pub(crate) fn judge(&self, answer: &str) -> Verdict {
        if self.pair {
            return self.judge_pair(answer);
        }
        let all = 0..answer.len();
        let given: Vec<String> = words(answer);
        let ends_right =
            given.len() >= self.labels.len() && given[given.len() - self.labels.len()..] == self.labels[..];
        let extra = given.len() - self.labels.len().min(given.len());
        // Single labels before the right ones are another order; longer words are a sentence around it.
        let only_words = given.iter().take(extra).all(|word| word.chars().count() > 1);
        if ends_right && only_words {
            return Verdict::given(ALWAYS, 0.95, all);
        }
        // One line of several: "x is 3" among what a program prints. The same labels in another order are another answer.
        let is_rival = |line: &str| {
            let (mut said, mut wanted) = (words(line), self.labels.clone());
            let is_other = said != wanted;
            let is_code = said.len() == wanted.len() && Sequence::of_bits(line).is_some();
            said.sort_unstable();
            wanted.sort_unstable();
            is_other && (said == wanted || is_code)
        };
        let line =
            answer.lines().find(|line| words(line) == self.labels).filter(|line| line.len() < answer.len());
        let line = line.filter(|_| !answer.lines().any(is_rival));
        let place = line.and_then(|line| answer.find(line).map(|start| start..start + line.len()));
        place.map_or_else(
            || Verdict::refused(0.9, Some(Reason::OtherValue)),
            |span| Verdict::given(ALWAYS, 0.9, span),
        )
    }

    fn judge_pair(&self, answer: &str) -> Verdict {
        let mut start = 0;
        for piece in answer.split_inclusive(['\n', ',', ';']) {
            let span = start..start + piece.trim_end_matches(['\n', ',', ';']).len();
            start += piece.len();
            let given = words(&answer[span.clone()]);
            if given == self.labels || given.iter().rev().eq(&self.labels) {
                return Verdict::given(ALWAYS, 0.93, span);
            }
        }
        Verdict::refused(0.88, Some(Reason::OtherValue))
    }
}

/// The labels of a text, when it holds nothing else.
fn labels(text: &str) -> Option<Vec<String>> {
    let found = words(text);
    let plain = text.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || ",.→->:;".contains(c));
    let short = found.iter().all(|label| label.len() <= 2);
    let named = found.iter().any(|label| label.len() == 1)
        || found.iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    (plain && short && named && found.len() <= 26).then_some(found)
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_right_only_as_it_stands() {
        let key = Sequence::parse("C, A, D, B").unwrap();
        for right in ["C A D B", "c,a,d,b", "C → A → D → B", "The order is C, A, D, B"] {
            assert_eq!(key.judge(right).grant, ALWAYS, "{right}");
        }
        for wrong in ["C, D, A, B", "A, C, A, D, B", "C A D"] {
            assert_eq!(key.judge(wrong).grant, None, "{wrong}");
        }
    }

    #[test]
    fn one_line_of_several_may_be_the_order() {
        let key = Sequence::parse("x is 3").unwrap();
        assert_eq!(key.judge("x is 3\n7 3\ny is y").grant, ALWAYS);
        assert_eq!(key.judge("x is 4\n7 3").grant, None);
        let order = Sequence::parse("C, A, D, B").unwrap();
        assert_eq!(order.judge("C, D, A, B\nC, A, D, B\nA, B, C, D").grant, None, "one of several orders");
    }

    #[test]
    fn bits_are_compared_one_by_one() {
        let key = Sequence::of_bits("0001 1110 0101").unwrap();
        assert_eq!(key.judge("0001 1110 0101").grant, ALWAYS);
        assert_eq!(key.judge("0001 1110 0111").grant, None);
        assert_eq!((Sequence::of_bits("1100"), Sequence::of_bits("1000 2000")), (None, None));
    }

    #[test]
    fn a_pair_may_stand_anywhere() {
        let key = Sequence::parse("2 - D").unwrap();
        assert_eq!(key.judge("1 - A, 2 - D").grant, ALWAYS);
        assert_eq!(key.judge("1-D\n2-A").grant, None);
    }

    #[test]
    fn electron_shells_are_a_sequence_of_numbers() {
        let key = Sequence::parse("2,8,4").unwrap();
        assert_eq!(key.judge("2.8.4").grant, ALWAYS);
        assert_eq!(key.judge("2, 8, 5").grant, None);
    }

    #[test]
    fn words_are_no_labels() {
        for text in ["oxygen, water, air", "it is so", "a cell", "B"] {
            assert_eq!(Sequence::parse(text), None, "{text}");
        }
    }
}
