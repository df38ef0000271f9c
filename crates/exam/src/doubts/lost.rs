//! What the scheme says between its answers and no key holds: lines that were lost on the way.

use crate::scheme::{Said, earns_nothing};
use domain::question::{AnswerKey, Question};
use std::collections::{HashMap, HashSet};

/// A line of fewer words says nothing by itself.
const LINE_WORDS: usize = 3;
/// So many in a hundred of a line's words must be missing.
const MISSING: usize = 60;
/// So many missing words, on neighbouring lines, are no remark to examiners.
const RUN_WORDS: usize = 8;
/// So many on more than one line.
const LINES_WORDS: usize = 6;
/// Shorter words are found everywhere.
const WORD_LETTERS: usize = 4;
const NUMBER_DIGITS: usize = 2;
/// From here on, scripts are written without spaces.
const UNSPACED: char = '\u{2E80}';
/// More are not listed.
const LISTED: usize = 6;

/// Notes on the questions which lines of the scheme below their answers are in no key.
pub(super) fn note(said: &[Said], questions: &mut [Question]) {
    let keys: Vec<HashSet<String>> = questions.iter().map(key_words).collect();
    let asked: HashSet<String> = questions.iter().flat_map(asked_words).collect();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    said.iter().for_each(|line| *seen.entry(line.text.as_str()).or_default() += 1);
    // What heads page after page is no answer.
    // And what earns nothing is no key's.
    let says = |line: &&Said| seen.get(line.text.as_str()) == Some(&1) && !earns_nothing(&line.text);
    let lines = said.iter().filter(says);
    let lines: Vec<(&Said, Vec<String>)> = lines.map(|line| (line, words(&line.text))).collect();
    let owner = |own: &[String]| {
        let held = |words: &HashSet<String>| own.iter().filter(|word| words.contains(*word)).count();
        let (at, most) =
            keys.iter().map(held).enumerate().max_by_key(|(at, held)| (*held, usize::MAX - at))?;
        (own.len() >= LINE_WORDS && most * 100 > own.len() * MISSING).then_some(at)
    };
    let owners: Vec<Option<usize>> = lines.iter().map(|(_, own)| owner(own)).collect();
    // Before the first answer and behind the last, examiners are told how to mark.
    let answers = owners.iter().position(Option::is_some).zip(owners.iter().rposition(Option::is_some));
    let Some((first, last)) = answers else { return };
    let lost = |own: &[String]| {
        let held = |word: &&String| asked.contains(*word) || keys.iter().any(|words| words.contains(*word));
        own.len() - own.iter().filter(held).count()
    };
    let (mut at, mut listed) = (first, 0);
    while at <= last && listed < LISTED {
        let is_lost = |(_, own): &&(&Said, Vec<String>)| {
            own.len() < LINE_WORDS || lost(own) * 100 >= own.len() * MISSING
        };
        let run: Vec<_> = lines[at..=last].iter().take_while(is_lost).collect();
        let missing: usize = run.iter().map(|(_, own)| lost(own)).sum();
        let several = run.iter().filter(|(_, own)| own.len() >= LINE_WORDS).count() > 1;
        if missing >= if several { LINES_WORDS } else { RUN_WORDS } {
            let before = owners[..at].iter().rev().flatten().next().copied().unwrap_or(0);
            let page = run[0].0.page;
            let begins: String =
                run[0].0.text.split_whitespace().take(LINE_WORDS).collect::<Vec<_>>().join(" ");
            let said = format!("The scheme's “{begins} …” on page {page} is in no key.");
            questions[before].warnings.push(said);
            listed += 1;
        }
        at += run.len().max(1);
    }
}

/// Words and numbers that tell one line from another.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let telling = |word: &&str| {
        let count = word.chars().count();
        let number = count >= NUMBER_DIGITS && word.chars().all(|c| c.is_ascii_digit());
        let word = count >= WORD_LETTERS && word.chars().all(|c| c.is_alphabetic() && c < UNSPACED);
        number || word
    };
    lower.split(|c: char| !c.is_alphanumeric()).filter(telling).map(str::to_owned).collect()
}

fn key_words(question: &Question) -> HashSet<String> {
    let parts = question.parts.iter().filter_map(|part| part.answer_key.as_ref());
    let keys = question.answer_key.iter().chain(parts);
    keys.flat_map(texts).flat_map(words).collect()
}

/// All that a key holds.
fn texts(key: &AnswerKey) -> impl Iterator<Item = &str> {
    let points = key.points.iter().flat_map(|point| {
        let lists = [&point.alternatives, &point.accept, &point.reject, &point.ignore, &point.required];
        std::iter::once(&point.text).chain(lists.into_iter().flatten())
    });
    let groups = key.groups.iter().map(|group| &group.text);
    let levels = key.levels.iter().map(|level| &level.descriptor);
    points.chain(groups).chain(levels).map(String::as_str).chain(key.notes.as_deref())
}

fn asked_words(question: &Question) -> HashSet<String> {
    let parts = question.parts.iter().map(|part| &part.text);
    let options = question.options.iter().chain(question.parts.iter().flat_map(|part| &part.options));
    let texts = std::iter::once(&question.text).chain(parts).chain(options.map(|option| &option.text));
    texts.flat_map(|text| words(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Point;

    fn asked(number: &str, key: &str) -> Question {
        let point = Point { text: key.to_owned(), ..Point::default() };
        let answer_key = Some(AnswerKey { points: vec![point], ..AnswerKey::default() });
        Question { number: number.to_owned(), answer_key, ..Question::default() }
    }

    fn noted(lines: &[&str]) -> Vec<String> {
        let keys = ["magma rises because it is less dense", "waves undercut the cliff until it falls"];
        let mut questions = vec![asked("1", keys[0]), asked("2", keys[1])];
        let line = |text: &&str| Said { page: 3, text: (*text).to_owned() };
        note(&lines.iter().map(line).collect::<Vec<_>>(), &mut questions);
        questions.into_iter().flat_map(|question| question.warnings).collect()
    }

    #[test]
    fn lines_between_answers_that_no_key_holds_are_named() {
        let lines = [
            "Examiners award credit for whatever shows understanding, however clumsily expressed it be",
            "1 magma rises because it is less dense",
            "viscous lava forms steep sided domes",
            "runny lava spreads into shields",
            "2 waves undercut the cliff until it falls",
        ];
        assert_eq!(noted(&lines), ["The scheme's “viscous lava forms …” on page 3 is in no key."]);
    }

    #[test]
    fn headings_and_remarks_between_answers_are_no_loss() {
        let head = "Question Expected response Additional guidance Marks Objective Reference";
        let lines = [
            "1 magma rises because it is less dense",
            head,
            "Nothing creditable written",
            head,
            "2 waves undercut the cliff until it falls",
            "Grade boundaries follow separately when every centre returned marked scripts",
        ];
        assert!(noted(&lines).is_empty());
    }
}
