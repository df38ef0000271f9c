//! Multiple choice: letters, ticks, or the option's own words; more answers than asked for earn nothing.

use super::verdict::{ALWAYS, NEVER, Reason, STANDARD, Verdict};
use crate::words::fold;
use domain::question::Choice;
use domain::scheme::TypedKey;
use lexicon::english::lists;
use signs::options::{by_words, label, labels_in, squeeze};
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
pub(crate) fn judge(key: &TypedKey, chosen: &Chosen) -> (Vec<Verdict>, bool) {
    let asked =
        key.points.iter().flat_map(|point| &point.options.named).collect::<BTreeSet<_>>().len().max(1);
    let too_many = chosen.labels.len() > asked;
    let verdicts = key.points.iter().map(|point| {
        if point.options.words.contains(&chosen.squeezed) {
            Verdict::given(STANDARD, 0.85, chosen.span.clone())
        } else {
            judge_point(&point.options.labels, chosen, too_many)
        }
    });
    (verdicts.collect(), too_many)
}

fn judge_point(wordings: &[Vec<String>], chosen: &Chosen, too_many: bool) -> Verdict {
    let evidence = vec![chosen.span.clone()];
    if too_many {
        return Verdict { evidence, ..Verdict::refused(0.97, Some(Reason::SeveralAnswers)) };
    }
    let right = wordings.iter().any(|labels| labels.iter().all(|label| chosen.labels.contains(label)));
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
