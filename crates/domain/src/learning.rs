//! What a person's marks teach about the answers that nobody has checked: which of them are lessons, which only measure,
//! and how a learned share becomes a mark.

use crate::id::SubmissionId;
use crate::marks::Marks;
use crate::question::Kind;
use crate::result::PartKey;
use sha2::{Digest as _, Sha256};

/// With fewer answers to a part every one of them teaches: there are none to spare for measuring.
pub const MEASURED_FROM: usize = 20;
/// One in so many answers is kept for measuring.
const MEASURED_ONE_IN: u8 = 8;
/// With fewer checked answers nothing is known about those that are like none of them.
pub const GENERAL_FROM: usize = 3;

/// How far an answer's kind lets others follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// What is like it, and what the checked answers have in common.
    Like,
    /// The very same answers: the next number or option is another answer, however like it looks.
    Same,
    /// None: nobody but a person judges it.
    Nothing,
}

/// How far decisions about answers of a kind reach.
pub fn reach(kind: Kind) -> Reach {
    match kind {
        Kind::ShortAnswer | Kind::Extended => Reach::Like,
        Kind::MultipleChoice | Kind::Numeric | Kind::Expression => Reach::Same,
        Kind::Drawing => Reach::Nothing,
    }
}

/// A place among the answers to a part that has nothing to do with what an answer says or when it came.
pub fn draw(script: SubmissionId, key: &PartKey) -> [u8; 32] {
    Sha256::digest(format!("{script} {} {}", key.question, key.part)).into()
}

/// Whether a decision about this answer, one of `answers` to its part, teaches nothing and only measures how well
/// machine and person agree on answers that nobody chose.
pub fn is_measured(script: SubmissionId, key: &PartKey, answers: usize) -> bool {
    answers >= MEASURED_FROM && draw(script, key)[31] < u8::MAX / MEASURED_ONE_IN
}

/// The mark that a share of the marks comes to, in the scheme's steps.
pub fn mark(share: f64, available: Marks, step: Marks) -> Marks {
    let (step, most) = (step.as_halves().max(1), available.as_halves());
    let steps = (share.clamp(0.0, 1.0) * f64::from(most) / f64::from(step)).round();
    // At most as many steps as there are half marks.
    Marks::halves((steps as u32 * step).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Identifier as _;
    use proptest::prelude::*;

    #[test]
    fn about_one_answer_in_eight_measures_and_none_of_a_small_class() {
        let key = PartKey { question: 3, part: "(a)".into() };
        let measured = |answers: usize| {
            (0..2000).filter(|number| is_measured(SubmissionId::from_number(*number), &key, answers)).count()
        };
        assert!((180..330).contains(&measured(2000)), "{}", measured(2000));
        assert_eq!(measured(MEASURED_FROM - 1), 0);
    }

    proptest! {
        #[test]
        fn a_learned_mark_lies_within_the_parts_marks_and_on_its_steps(
            share in prop::num::f64::ANY, halves in 0..60_u32, whole: bool,
        ) {
            let available = Marks::halves(if whole { halves / 2 * 2 } else { halves });
            let step = Marks::halves(if whole { 2 } else { 1 });
            let mark = mark(share, available, step);
            prop_assert!(mark <= available);
            prop_assert!(mark.as_halves().is_multiple_of(step.as_halves()));
        }
    }
}
