//! What a point is: something that an answer can say, an instruction to examiners, or a step with a condition.

use super::asked::Asked;
use super::headings::is_heading;
use domain::question::{Point, PointKind};
use domain::scheme::Role;
use lexicon::english::{headings, joints, rubrics};
use signs::words::tokens;

/// A shorter line that begins like a question may be an answer, unless it says nothing but what the question says.
const REPEATED_WORDS_MIN: usize = 7;
const REPEATED_WHOLE_MIN: usize = 4;

/// Whether an answer can make a point.
pub(super) fn of(point: &Point, asked: &Asked<'_>, has_several_points: bool) -> Role {
    let has_other_wordings = !point.alternatives.is_empty() || !point.accept.is_empty();
    let is_headed = is_heading(&point.text) && !headings::EXAMPLE.within(&point.text) && !has_other_wordings;
    if is_headed || (has_several_points && repeats_the_question(&point.text, asked)) {
        Role::Instruction
    } else if is_conditional(point) {
        Role::Condition
    } else {
        Role::Point
    }
}

/// True for the question itself, printed in the scheme above its answer: nobody earns by asking it again.
pub(super) fn repeats_the_question(text: &str, asked: &Asked<'_>) -> bool {
    let words = tokens(text);
    let content = words.iter().filter(|word| word.is_content());
    let is_command = words.first().is_some_and(|first| lexicon::is(lexicon::Concept::Command, &first.folded));
    let (all, said) =
        (content.clone().count(), content.filter(|word| asked.stems.contains(&word.stem)).count());
    let is_sentence = text.trim_start().starts_with(char::is_uppercase);
    let is_whole = is_sentence && words.len() >= REPEATED_WHOLE_MIN && all > 1 && said == all;
    // A question may be what is asked for; one in the words of the paper's own is not.
    let is_question = text.trim_end().ends_with('?') && said * 2 >= all;
    is_question || is_command && (is_whole || words.len() >= REPEATED_WORDS_MIN && said * 10 >= all * 9)
}

/// "(x + a)(x + b) where ab = 12": whether a step meets a condition is for a person to say.
fn is_conditional(point: &Point) -> bool {
    let is_step = matches!(point.kind, PointKind::Method | PointKind::Independent);
    is_step && point.text.contains(joints::WHERE) && point.text.contains('=')
}

/// "For analysis of the causes", "evaluation that considers …": what is to be done, not what is to be said.
pub(super) fn is_descriptor(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let plain = rubrics::FOR.after(&lower).unwrap_or(&lower);
    rubrics::SKILLS.begin(plain) || rubrics::FOR_SKILLS.within(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Kind;

    fn role(text: &str, kind: PointKind) -> Role {
        let asked =
            Asked::of("", "Explain why the river bank near the old mill wears away.", Kind::Extended, &[]);
        of(&Point { text: text.into(), kind, ..Point::default() }, &asked, true)
    }

    #[test]
    fn headings_conditions_and_the_question_itself_are_no_points() {
        assert_eq!(role("One mark for:", PointKind::Point), Role::Instruction);
        let again = "Explain why the river bank near the old mill wears away";
        assert_eq!(role(again, PointKind::Point), Role::Instruction);
        assert_eq!(role("Explain the river bank wears", PointKind::Point), Role::Instruction);
        assert_eq!(role("Why does the bank wear away?", PointKind::Point), Role::Instruction);
        assert_eq!(role("Where do you live?", PointKind::Point), Role::Point, "it may be the answer");
        assert_eq!(role("(x + a)(x + b) where ab = 12", PointKind::Method), Role::Condition);
        assert_eq!(role("the water is fast there", PointKind::Point), Role::Point);
    }

    #[test]
    fn what_is_to_be_done_is_told_from_what_is_to_be_said() {
        assert!(is_descriptor("For analysis of the causes") && !is_descriptor("the causes are analysed"));
    }
}
