//! Sections of a paper: those in which no question was found, and those that a word nobody knows announces.

use super::rubric::Rubric;
use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use crate::marks::{self, Scope};
use crate::numbering::Placed;
use domain::marks::Marks;
use lexicon::Concept;

/// Headings longer than this are cut for the reviewer, in letters.
const HEADING_MAX: usize = 60;

/// Headings under which numbers count from 1 and none is a question's, each with how many questions begin before it,
/// less one.
pub(super) fn unread(
    lines: &[Line<'_>],
    rubric: &Rubric,
    placed: &[Placed],
    end: Option<usize>,
) -> Vec<(usize, String)> {
    let end = end.unwrap_or(lines.len());
    let headings: Vec<usize> = rubric.sure_headings().filter(|line| *line < end).collect();
    let is_question = |label: &&Placed| label.path.len() == 1;
    let mut found = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let until = headings.get(index + 1).copied().unwrap_or(end);
        let own = *heading..until;
        let before = placed.iter().filter(is_question).filter(|label| label.line < *heading).count();
        if placed.iter().any(|label| own.contains(&label.line)) || !counts(&lines[own]) {
            continue;
        }
        if let Some(question) = before.checked_sub(1) {
            found.push((question, lines[*heading].text().chars().take(HEADING_MAX).collect()));
        }
    }
    found
}

/// A heading of a section has no more words.
const NAME_WORDS_MAX: usize = 6;

/// For each line, whether it heads a section by a word that nobody knows: "VARIANTE A" and "VARIANTE B", each above a
/// question 1.
pub(super) fn named_alike(lines: &[Line<'_>]) -> Vec<bool> {
    let named = |index: usize| -> Option<(String, u32)> {
        let texts = lines[index].texts();
        let [word, counted, ..] = texts[..] else { return None };
        let name = word.chars().count() >= 3 && word.chars().all(char::is_alphabetic);
        let counted = counted.trim_end_matches([':', '.', ')']);
        let letter = counted.chars().next().filter(|c| c.is_ascii_uppercase() && counted.len() == 1);
        let value = letter.filter(|c| *c < 'I').map(|c| u32::from(c) - u32::from('A') + 1);
        let value = value.or_else(|| counted.parse().ok())?;
        let own = name && word.starts_with(char::is_uppercase) && texts.len() <= NAME_WORDS_MAX;
        (own && labels::parse(&texts).is_none() && opens(lines.get(index + 1)?))
            .then(|| (word.to_lowercase(), value))
    };
    let all: Vec<Option<(String, u32)>> = (0..lines.len()).map(named).collect();
    let has =
        |word: &str, value: u32| all.iter().flatten().any(|(own, other)| own == word && *other == value);
    let counts = |(word, value): &(String, u32)| {
        has(word, 1)
            && has(word, 2)
            && all.iter().flatten().filter(|own| own.1 == *value && own.0 == *word).count() == 1
    };
    all.iter().map(|own| own.as_ref().is_some_and(counts)).collect()
}

/// Lines that head questions of one kind which count from 1: "Multiple Choice" and "Written Response", or one of them below
/// others, each above a question 1.
pub(super) fn of_kinds(lines: &[Line<'_>]) -> Vec<usize> {
    /// What is said of a kind before its first question.
    const LEAD: usize = 4;
    let heads = |at: &usize| {
        let at = *at;
        let lower = lines[at].text().to_lowercase();
        let named = lines[at].words.len() <= NAME_WORDS_MAX
            && lexicon::begins_with(Concept::KindHeading, lower.trim_start_matches(['(', '['])).is_some();
        named && lines[at + 1..].iter().take(LEAD).any(opens)
    };
    let found: Vec<usize> = (0..lines.len()).filter(heads).collect();
    // A single one heads questions of another kind than those before it.
    let follows = |at: &usize| lines[..*at].iter().any(opens);
    if found.len() > 1 || found.iter().any(follows) { found } else { Vec::new() }
}

/// Lines that capital numerals head over plain numbers which go on from one to the next: "I. Choose …" over 1 to 8, "II.
/// Answer …" over 9 to 12. Each with its numeral.
pub(crate) fn of_numerals(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    // The last number before each numeral, and the first behind it.
    let (mut last, mut opens) = (0, false);
    let mut goes_on = true;
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        let capital = labels::parse_capital(&texts).filter(|own| {
            own.style == Style::Dot
                && own.words == 1
                && texts.len() > 1
                && own.tokens[0].value as usize == found.len() + 1
        });
        if capital.is_some() {
            // Statements of one question are counted so as well.
            goes_on &= !opens;
            found.push((index, texts[0].trim_end_matches('.').to_owned()));
            opens = true;
            continue;
        }
        let number =
            labels::parse(&texts).filter(|own| matches!(own.style, Style::Dot | Style::Close) && !own.glued);
        let Some(number) = number.map(|own| own.tokens[0]).filter(|own| own.kind == Kind::Number) else {
            continue;
        };
        if number.value == last + 1 {
            (last, opens) = (number.value, false);
        } else if opens {
            goes_on = false;
        }
    }
    if found.len() >= NUMERALS_LEAST && goes_on && !opens && last as usize > found.len() {
        found
    } else {
        Vec::new()
    }
}

/// Lines that capital numerals head over numbers which count again below each: "I. Circle the right answer." over 1 to 5,
/// "II. Fill in the blanks." over 1 to 4. Each with its numeral. Most of them instruct; a problem that is told does not.
pub(super) fn of_numerals_again(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut opens, mut instructs) = (false, 0);
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        let capital = labels::parse_capital(&texts).filter(|own| {
            let closed = matches!(own.style, Style::Dot | Style::Close) && own.words == 1;
            closed && texts.len() > 1 && own.tokens[0].value as usize == found.len() + 1
        });
        if capital.is_some() {
            if opens {
                return Vec::new();
            }
            found.push((index, texts[0].trim_end_matches(['.', ')']).to_owned()));
            instructs += usize::from(is_instruction(line));
            opens = true;
            continue;
        }
        let number =
            labels::parse(&texts).filter(|own| matches!(own.style, Style::Dot | Style::Close) && !own.glued);
        match number.map(|own| own.tokens[0]).filter(|own| own.kind == Kind::Number) {
            Some(number) if opens && number.value != 1 => return Vec::new(),
            Some(_) => opens = false,
            None => {}
        }
    }
    if found.len() >= 2 && !opens && instructs * 2 > found.len() { found } else { Vec::new() }
}

/// "Circle the letter of the correct answer.", "Multiple choice", "Answer the following questions."
fn is_instruction(line: &Line<'_>) -> bool {
    let lower = line.text().to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let asks = words.clone().any(|word| lexicon::is(Concept::Attempt, word));
    let several = words.into_iter().any(|word| lexicon::is(Concept::Questions, word));
    lexicon::says(Concept::AsksChoice, &lower).is_some()
        || lexicon::says(Concept::KindHeading, &lower).is_some()
        || asks && several
}

/// Fewer numerals over numbers that go on may head anything.
const NUMERALS_LEAST: usize = 3;

/// What a line says without marks at its end, to be held against titles.
pub(crate) fn title(line: &Line<'_>) -> String {
    let texts = line.texts();
    let count = texts.len() - marks::at_end(&texts).map_or(0, |note| note.words);
    texts[..count].join(" ").trim_end_matches([':', '.', ' ']).to_lowercase()
}

/// Titles with room for what their section earns, "Thinking /5", each above a question 1, and what they are worth.
pub(super) fn of_boxes(lines: &[Line<'_>]) -> Vec<(usize, Marks)> {
    /// What is said of a section before its first question.
    const LEAD: usize = 4;
    let titled = |at: usize| {
        let texts = lines[at].texts();
        let note = marks::at_end(&texts).filter(|note| note.scope == Scope::Part)?;
        let name = &texts[..texts.len() - note.words];
        let word =
            |word: &&str| word.chars().all(|c| c.is_alphabetic() || matches!(c, ':' | '-' | '–' | '&' | '/'));
        let titled =
            name.first().is_some_and(|first| first.starts_with(char::is_uppercase) && first.len() > 1)
                && name.len() <= NAME_WORDS_MAX
                && name.iter().all(word)
                && labels::parse(&texts).is_none();
        let above = lines[at + 1..].iter().take(LEAD).find(|line| labels::parse(&line.texts()).is_some());
        (titled && above.is_some_and(opens)).then_some((at, note.marks))
    };
    let found: Vec<(usize, Marks)> = (0..lines.len()).filter_map(titled).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// True for a line that begins with the number 1 and goes on.
fn opens(line: &Line<'_>) -> bool {
    let label = labels::parse(&line.texts());
    label.is_some_and(|label| {
        let first = label.tokens[0];
        first.kind == Kind::Number
            && first.value == 1
            && label.style != Style::Bare
            && line.words.len() > label.words
    })
}

/// True when lines begin with "1." and, further down, "2.".
fn counts(lines: &[Line<'_>]) -> bool {
    let number = |line: &Line<'_>| {
        let label = labels::parse(&line.texts())?;
        let closed = matches!(label.style, Style::Dot | Style::Close) && label.tokens[0].kind == Kind::Number;
        (closed && label.tokens.len() == 1 && line.words.len() > label.words).then(|| label.tokens[0].value)
    };
    let mut numbers = lines.iter().filter_map(number).skip_while(|number| *number != 1);
    numbers.next().is_some() && numbers.next() == Some(2)
}
