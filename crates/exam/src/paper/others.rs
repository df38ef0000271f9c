//! "Answer Question 1, Question 2 and two other questions.": which questions must be answered, and how many of the others.

use super::{ChoiceGroup, Question};
use crate::flow::Line;
use crate::labels;
use lexicon::Concept;
use std::collections::HashSet;

/// Lets so many of the questions be chosen that such a line does not name.
pub(super) fn choose(lines: &[Line<'_>], questions: &mut [Question]) {
    let said = |(at, line): (usize, &Line<'_>)| stated(&line.text()).map(|said| (at, said));
    let Some((at, (named, count))) = lines.iter().enumerate().find_map(said) else { return };
    let number = |question: &Question| labels::parse_question_number(&question.number);
    let is_other = |question: &Question| number(question).is_some_and(|own| !named.contains(&own));
    let others = questions.iter().filter(|question| is_other(question)).count();
    let all_named = named.iter().all(|own| questions.iter().any(|question| number(question) == Some(*own)));
    let counts_once = questions.iter().all(|question| question.section == 0);
    if !counts_once || !all_named || others <= count as usize {
        return;
    }
    // The line may have been read as one about all questions.
    for question in questions {
        let group = ChoiceGroup { name: at.to_string(), answer: count };
        question.choice = Some(group).filter(|_| is_other(question));
    }
}

/// The questions that a line names, and how many others it asks for.
fn stated(text: &str) -> Option<(HashSet<u32>, u32)> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if !words.iter().any(|word| lexicon::is(Concept::Attempt, word)) {
        return None;
    }
    let at = words.windows(3).position(|own| {
        lexicon::small_number(own[0]).is_some()
            && lexicon::is(Concept::Others, own[1])
            && lexicon::is(Concept::Questions, own[2])
    })?;
    let named: HashSet<u32> = words[..at].iter().filter_map(|word| word.parse().ok()).collect();
    let count = lexicon::small_number(words[at])?;
    (!named.is_empty()).then_some((named, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_must_be_answered_are_told_from_the_others() {
        let named = |numbers: &[u32]| numbers.iter().copied().collect::<HashSet<u32>>();
        let said = "You must answer Question 1, Question 2 and two other questions.";
        assert_eq!(stated(said), Some((named(&[1, 2]), 2)));
        assert_eq!(stated("Bearbeiten Sie Aufgabe 1 und zwei weitere Aufgaben."), Some((named(&[1]), 2)));
        assert_eq!(stated("Answer two other questions."), None);
        assert_eq!(stated("Question 1 and two other questions are hard."), None);
    }
}
