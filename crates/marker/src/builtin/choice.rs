//! Multiple choice: letters, ticks, or the option's own words; more answers than asked for earn nothing.

use super::verdict::{ALWAYS, NEVER, Reason, STANDARD, Verdict};
use crate::words::fold;
use domain::question::Choice;
use domain::scheme::TypedKey;
use lexicon::english::lists;
use std::collections::BTreeSet;
use std::ops::Range;

/// What the student chose.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    labels: BTreeSet<String>,
    /// Named by the option's words, not its letter.
    by_words: bool,
    /// What was written, letters and digits only.
    squeezed: String,
    span: Range<usize>,
}

/// Judges each point of a multiple choice key, and says whether too many options were chosen.
pub(crate) fn judge(key: &TypedKey, options: &[Choice], chosen: &Chosen) -> (Vec<Verdict>, bool) {
    let wanted: Vec<BTreeSet<String>> =
        key.points.iter().map(|point| right_labels(&point.text, options)).collect();
    let asked = wanted.iter().flatten().collect::<BTreeSet<_>>().len().max(1);
    let too_many = chosen.labels.len() > asked;
    let verdicts = key.points.iter().zip(wanted).map(|(point, labels)| {
        let others = point.alternatives.iter().chain(&point.accept);
        // Beside a letter, "T and U" is what the option says; without the options it names no letters.
        let named = others
            .clone()
            .map(|wording| right_labels(wording, options))
            .filter(|named| !options.is_empty() && !named.is_empty());
        let wordings: Vec<BTreeSet<String>> =
            std::iter::once(labels).filter(|labels| !labels.is_empty()).chain(named).collect();
        let in_words =
            options.is_empty() && others.clone().any(|wording| squeeze(wording) == chosen.squeezed);
        if in_words {
            Verdict::given(STANDARD, 0.85, chosen.span.clone())
        } else {
            judge_point(&wordings, chosen, too_many)
        }
    });
    (verdicts.collect(), too_many)
}

fn judge_point(wordings: &[BTreeSet<String>], chosen: &Chosen, too_many: bool) -> Verdict {
    let evidence = vec![chosen.span.clone()];
    if too_many {
        return Verdict { evidence, ..Verdict::refused(0.97, Some(Reason::SeveralAnswers)) };
    }
    let right = wordings.iter().any(|labels| labels.is_subset(&chosen.labels));
    let grant = match (right, chosen.by_words) {
        (true, false) => ALWAYS,
        (true, true) => STANDARD,
        (false, _) => NEVER,
    };
    let confidence = if chosen.labels.is_empty() { 0.7 } else { 0.98 };
    Verdict {
        grant,
        confidence,
        evidence,
        reason: (!right).then_some(Reason::OtherValue),
        ..Verdict::default()
    }
}

/// The labels that a wording of the key names: "D (T and U)", "A and C", or an option's own words.
fn right_labels(wording: &str, options: &[Choice]) -> BTreeSet<String> {
    let before_bracket = wording.split('(').next().unwrap_or(wording);
    let head = if before_bracket.trim().is_empty() { wording } else { before_bracket };
    let named = labels_in(head, options);
    if named.is_empty() { by_words(wording, options) } else { named }
}

/// Labels that stand alone in a text.
fn labels_in(text: &str, options: &[Choice]) -> BTreeSet<String> {
    let is_label = |word: &str| {
        if options.is_empty() {
            word.chars().count() == 1 && word.chars().all(|c| c.is_ascii_alphanumeric())
        } else {
            options.iter().any(|option| label(&option.label) == word)
        }
    };
    text.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|word| is_label(word)).collect()
}

fn label(printed: &str) -> String {
    fold(printed.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// The options whose words the text says: the one that is the whole text, else all that it contains, longest first.
fn by_words(text: &str, options: &[Choice]) -> BTreeSet<String> {
    let squeezed = squeeze(text);
    let mut named: Vec<(String, &Choice)> =
        options.iter().map(|option| (squeeze(&option.text), option)).collect();
    named.retain(|(words, _)| !words.is_empty());
    named.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    if let Some((_, option)) = named.iter().find(|(words, _)| *words == squeezed) {
        return BTreeSet::from([label(&option.label)]);
    }
    let mut rest = format!(" {squeezed} ");
    let mut found = BTreeSet::new();
    for (words, option) in named {
        // What a longer option has used up does not count for a shorter one: "cell" in "cell wall".
        if let Some(at) = rest.find(&format!(" {words} ")) {
            rest.replace_range(at + 1..at + 1 + words.len(), "|");
            found.insert(label(&option.label));
        }
    }
    found
}

/// Letters and digits, single spaces between words, one case.
fn squeeze(text: &str) -> String {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What the student chose: the ticks the reader saw, else what was written.
pub(crate) fn chosen(text: &str, selected: &[String], options: &[Choice]) -> Chosen {
    let span = 0..text.len();
    if !selected.is_empty() {
        let labels =
            selected.iter().map(|selection| label(selection)).filter(|label| !label.is_empty()).collect();
        return Chosen { labels, by_words: false, squeezed: String::new(), span };
    }
    let squeezed = squeeze(text);
    let whole = options.iter().find(|option| !squeezed.is_empty() && squeeze(&option.text) == squeezed);
    if let Some(option) = whole {
        return Chosen {
            labels: BTreeSet::from([label(&option.label)]),
            by_words: squeezed != label(&option.label),
            squeezed,
            span,
        };
    }
    let labels = written_labels(text, options);
    let words = by_words(&without_labels(text, &labels), options);
    // "B respiration", where respiration is not B, are two answers.
    let by_words = labels.is_empty() && !words.is_empty();
    Chosen { labels: labels.into_iter().chain(words).collect(), by_words, squeezed, span }
}

/// Labels that are meant as such: capitals, or any case where the text is only labels; "a cell" names none.
fn written_labels(text: &str, options: &[Choice]) -> BTreeSet<String> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let small = |word: &&&str| lists::AROUND_LABELS.has(&fold(word));
    let only_labels =
        words.iter().filter(|word| !small(word)).all(|word| !labels_in(word, options).is_empty());
    let is_meant = |index: usize, word: &str| {
        let capital = word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
        // "A" before a small word is the article, unless it is followed by a sign: "A: a cell".
        let article = word == "A"
            && words.get(index + 1).is_some_and(|next| next.starts_with(char::is_lowercase))
            && !text.contains([':', '.', ')', '-']);
        only_labels || (capital && !article)
    };
    words
        .iter()
        .enumerate()
        .filter(|(index, word)| is_meant(*index, word))
        .flat_map(|(_, word)| labels_in(word, options))
        .collect()
}

fn without_labels(text: &str, labels: &BTreeSet<String>) -> String {
    let kept: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !labels.contains(&fold(word))).collect();
    kept.join(" ")
}
