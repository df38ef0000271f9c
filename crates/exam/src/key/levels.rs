//! Levels of response: what an answer may contain, and how its levels are reached.

use super::headings::is_heading;
use super::phrases::variants;
use super::rubric;
use domain::question::AnswerKey;
use domain::scheme::{Levels, Scale};

/// Judging against more than this says nothing more, and costs.
const CONTENT_MAX: usize = 24;

/// How the points of a key become a mark.
pub(super) fn scale(key: &AnswerKey) -> Scale {
    if key.levels.is_empty() {
        return Scale::Points;
    }
    let content = content(key);
    let rubric = rubric::of_levels(&key.levels, &content);
    let statements = if rubric.counted.is_some() { Vec::new() } else { statements(&content) };
    let descriptors = key.levels.iter().map(|level| &level.descriptor);
    let phrases = content.iter().chain(descriptors).flat_map(|text| variants(text));
    let mut vocabulary: Vec<String> =
        phrases.flat_map(|phrase| phrase.concepts).flat_map(|concept| concept.words).collect();
    vocabulary.sort_unstable();
    vocabulary.dedup();
    Scale::Levels(Levels { levels: key.levels.clone(), content, statements, vocabulary, rubric })
}

/// What an answer may contain; without points, the notes beside the levels.
fn content(key: &AnswerKey) -> Vec<String> {
    // An empty line and a heading ("Arguments for:") say nothing that could be found.
    let says_something = |text: &&str| !text.trim().is_empty() && !text.trim_end().ends_with(':');
    let points = key.points.iter().map(|point| point.text.as_str());
    let mut content: Vec<&str> = points.filter(says_something).collect();
    if content.is_empty() {
        let lines = key.notes.iter().flat_map(|notes| notes.lines());
        content = lines.filter(says_something).filter(|line| !is_heading(line)).collect();
    }
    content.truncate(CONTENT_MAX);
    content.into_iter().map(str::to_owned).collect()
}

/// More statements say little more, and cost.
const STATEMENTS_MAX: usize = 8;
/// A statement has so many words; shorter ones are headings, longer ones several statements.
const STATEMENT_WORDS: std::ops::RangeInclusive<usize> = 4..=45;

/// What an answer may contain, as whole statements: a scheme's lines end where its column does. Of many, some from
/// everywhere.
fn statements(content: &[String]) -> Vec<String> {
    let mut text = String::new();
    for line in content {
        let line = line.trim();
        let plain = line.trim_start_matches(['•', '–', '-', '*', '·']).trim_start();
        let ended = text.trim_end().ends_with(['.', ';', ':', '!', '?']);
        text.push_str(if plain.len() < line.len() && !ended { ". " } else { " " });
        text.push_str(plain);
    }
    let mut found: Vec<String> = Vec::new();
    let mut start = 0;
    let ends = text.match_indices(['.', ';', '?']).filter(|(at, sign)| {
        let rest = &text[at + sign.len()..];
        let begins = |next: char| next.is_uppercase() || !next.is_alphabetic() || *sign == ";";
        rest.starts_with(' ') && rest.trim_start().chars().next().is_none_or(begins)
    });
    for end in ends.map(|(at, sign)| at + sign.len()).chain([text.len()]) {
        let statement = text[start..end].trim();
        start = end;
        let words = statement.split_whitespace().count();
        let first = statement.split_whitespace().next().unwrap_or_default().to_lowercase();
        let asks = statement.ends_with('?') || lexicon::is(lexicon::Concept::Command, &first);
        if STATEMENT_WORDS.contains(&words) && !asks && !is_heading(statement) {
            found.push(statement.to_owned());
        }
    }
    let count = found.len().min(STATEMENTS_MAX);
    (0..count).map(|place| found[place * found.len() / count].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_column_become_statements() {
        let lines = [
            "Bare soil is washed away by",
            "heavy rain. Worms are disturbed",
            "• Seeds find loose soil here",
            "Effects:",
        ];
        let found = statements(&lines.map(str::to_owned));
        assert_eq!(
            found,
            ["Bare soil is washed away by heavy rain.", "Seeds find loose soil here Effects:"],
            "too short a sentence is none"
        );
        let many: Vec<String> = (0..20).map(|n| format!("The thing of number {n} falls down.")).collect();
        assert_eq!(statements(&many).len(), STATEMENTS_MAX);
    }
}
