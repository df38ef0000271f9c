//! What a document says of questions from one number to another: "Questions 1 to 5 carry 2 marks each".

use super::rubric::is_question;
use crate::flow::Line;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::joints;

/// Between "each" and the numbers stand fewer words.
const EACH_BEFORE: usize = 4;

/// What the sentences of a line say, of which the last may end on the next: "Q 4 to 8: circle one letter. 1 mark" over
/// "each". Marks of all of them may stand between, at the end of the first.
pub(super) fn of_line(line: &Line<'_>, next: Option<&Line<'_>>) -> Vec<(u32, u32, Marks)> {
    let said = |text: &str| text.split(['.', ';']).filter_map(each).collect::<Vec<_>>();
    let texts = line.texts();
    let own: Vec<_> = line.text().split(['.', ';']).filter_map(each).collect();
    if !own.is_empty() || !texts.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        return own;
    }
    let box_at_end = texts.last().is_some_and(|last| last.starts_with('/'));
    let kept = &texts[..texts.len() - usize::from(box_at_end)];
    next.map_or(own, |next| said(&format!("{} {}", kept.join(" "), next.text())))
}

/// "Section A - Q1 to Q3 carry 1 mark each": 1, 3 and a mark. "Questions 51 to 60 are given 0–2 points" says it of
/// each as well.
pub(super) fn each(sentence: &str) -> Option<(u32, u32, Marks)> {
    let lower = sentence.to_lowercase().replace(['-', '–', '—'], joints::TO);
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let number = |word: &str| word.trim_start_matches('q').parse::<u32>().ok();
    // "2 × 4 = 8 points each" names no questions.
    let between =
        |word: &str| (1..=3).contains(&word.chars().count()) && word.chars().all(char::is_alphabetic);
    let at = words.windows(3).position(|three| {
        between(three[1])
            && number(three[0]).zip(number(three[2])).is_some_and(|(one, other)| one < other && one > 0)
    })?;
    let (first, last) = (number(words[at])?, number(words[at + 2])?);
    let asked = words[..=at].iter().any(|word| word.starts_with('q') || is_question(word));
    let rest = &words[at + 3..];
    let unit = |word: &str| lexicon::is(Concept::MarkUnit, word);
    // "0 or 1 test point"
    let counts = |at: &usize| {
        let near = rest.iter().skip(at + 1).take(2);
        lexicon::small_number(rest[*at]).is_some() && near.into_iter().any(|word| unit(word))
    };
    let pair = (0..rest.len()).find(counts)?;
    let steps = rest[..pair].iter().rev().take_while(|word| between(word) || word.parse::<u32>().is_ok());
    let from_nothing = pair >= 2 && between(rest[pair - 1]) && steps.into_iter().any(|word| *word == "0");
    // "Each of the questions 1–8 is worth 1 mark"
    let near = words[..at].iter().rev().take(EACH_BEFORE);
    let spread = from_nothing || rest.iter().chain(near).any(|word| lexicon::is(Concept::Each, word));
    let marks = Marks::whole(lexicon::small_number(rest[pair])?);
    (asked && spread && !marks.is_zero()).then_some((first, last, marks))
}

/// The 11 and the 16 of "Attempt Questions 11–16" and "Answer questions 11 to 16".
pub(super) fn announced(text: &str) -> Option<(u32, u32)> {
    let lower = text.to_lowercase().replace(['-', '–', '—'], joints::TO);
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let asked = words.iter().position(|word| lexicon::is(Concept::Questions, word))?;
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok());
    // "Questões de 91 a 135"
    let at = if number(asked + 1).is_some() { asked + 1 } else { asked + 2 };
    let ranges = words.get(at + 1).is_some_and(|word| lexicon::is(Concept::RangeTo, word));
    let (first, last) = (number(at)?, number(at + 2)?);
    (ranges && first < last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_of_several_questions_carries_is_read() {
        let whole = |first, last, marks| Some((first, last, Marks::whole(marks)));
        assert_eq!(each("Section A - Q1 to Q3 carry 1 mark each"), whole(1, 3, 1));
        assert_eq!(each("Questions 1–5 carry two marks each"), whole(1, 5, 2));
        assert_eq!(each("Questions 51 to 60 are given 0–2 points"), whole(51, 60, 2));
        assert_eq!(each("Questions 9–10 (matching): 0, 1, 2, 3 or 4 points"), whole(9, 10, 4));
        assert_eq!(each("Questions 1–8 (choices): 0 or 1 test point"), whole(1, 8, 1));
        assert_eq!(each("Die Aufgaben 4 bis 8 geben je 3 Punkte"), whole(4, 8, 3));
        assert_eq!(each("Each of the questions 1–8 is worth 1 mark"), whole(1, 8, 1));
        assert_eq!(each("на каждое из заданий 9–12 ставится 2 балла"), whole(9, 12, 2));
        assert_eq!(each("Questions 1 to 5 carry 10 marks"), None);
        assert_eq!(each("between 3 and 5 points each"), None);
        assert_eq!(each("Answer any four questions 2 × 4 = 8 points each"), None);
    }

    #[test]
    fn the_first_and_the_last_of_several_numbers_are_read() {
        assert_eq!(announced("Attempt Questions 11–16"), Some((11, 16)));
        assert_eq!(announced("Answer questions 11 to 16."), Some((11, 16)));
        assert_eq!(announced("Questões de 91 a 135"), Some((91, 135)));
        assert_eq!(announced("Aufgaben 7 bis 12"), Some((7, 12)));
        assert_eq!(announced("Answer questions 2 and 3"), None);
        assert_eq!(announced("There are 40 questions in all"), None);
    }
}
