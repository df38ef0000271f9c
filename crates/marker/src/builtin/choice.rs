//! Multiple choice: letters, ticks, or the option's own words; more answers than asked for earn nothing.

use super::number::{self, Quantity};
use super::sums::is_near;
use super::verdict::{ALWAYS, NEVER, Reason, STANDARD, Verdict};
use crate::words::{fold, is_negation};
use domain::question::Choice;
use domain::scheme::TypedKey;
use lexicon::english::lists;
use signs::form::normal;
use signs::options::{by_words, label, labels_in, squeeze};
use std::collections::BTreeSet;
use std::ops::Range;

/// What the student chose.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    labels: BTreeSet<String>,
    /// Named by the option's words, not its letter.
    by_words: bool,
    /// Told from a sentence around it, where it may be meant otherwise.
    is_told: bool,
    /// What was written, letters and digits only.
    squeezed: String,
    span: Range<usize>,
}

/// How many options a key asks for.
pub(crate) fn asked(key: &TypedKey) -> usize {
    key.points.iter().flat_map(|point| &point.options.named).collect::<BTreeSet<_>>().len().max(1)
}

/// Judges each point of a multiple choice key, and says whether too many options were chosen.
pub(crate) fn judge(key: &TypedKey, chosen: &Chosen) -> (Vec<Verdict>, bool) {
    let too_many = chosen.labels.len() > asked(key);
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
        let confidence = if chosen.is_told { TOLD_CONFIDENCE } else { 0.97 };
        return Verdict { evidence, ..Verdict::refused(confidence, Some(Reason::SeveralAnswers)) };
    }
    let right = wordings.iter().any(|labels| labels.iter().all(|label| chosen.labels.contains(label)));
    let grant = match (right, chosen.by_words || chosen.is_told) {
        (true, false) => ALWAYS,
        (true, true) => STANDARD,
        (false, _) => NEVER,
    };
    let confidence = match (chosen.labels.is_empty(), chosen.is_told) {
        (true, _) => 0.7,
        (false, true) => TOLD_CONFIDENCE,
        (false, false) => 0.98,
    };
    Verdict {
        grant,
        confidence,
        evidence,
        reason: (!right).then_some(Reason::OtherValue),
        ..Verdict::default()
    }
}

/// How sure a choice is that was told from a sentence, or by its value.
const TOLD_CONFIDENCE: f32 = 0.8;

/// What the student chose where so many are asked for: the ticks the reader saw, else what was written.
pub(crate) fn chosen(text: &str, selected: &[String], options: &[Choice], asked: usize) -> Chosen {
    let span = 0..text.len();
    if !selected.is_empty() {
        let labels =
            selected.iter().map(|selection| label(selection)).filter(|label| !label.is_empty()).collect();
        return Chosen { labels, span, ..Chosen::default() };
    }
    let squeezed = squeeze(text);
    let whole = options.iter().find(|option| !squeezed.is_empty() && squeeze(&option.text) == squeezed);
    if let Some(option) = whole {
        return Chosen {
            labels: BTreeSet::from([label(&option.label)]),
            by_words: squeezed != label(&option.label),
            is_told: false,
            squeezed,
            span,
        };
    }
    let mut written = written_labels(text, options);
    written.extend(opening_label(text, options));
    let is_more = written.len() > asked;
    let settled = (is_more && asked == 1).then(|| settled_label(text, options)).flatten();
    let is_told = settled.is_some() || is_more && written.len() * 3 < text.split_whitespace().count();
    let labels = settled.map_or(written, |label| BTreeSet::from([label]));
    if let Some(option) = labels.is_empty().then(|| by_value(text, options)).flatten() {
        let labels = BTreeSet::from([label(&option.label)]);
        return Chosen { labels, by_words: true, is_told: true, squeezed, span };
    }
    if is_told {
        return Chosen { labels, by_words: false, is_told, squeezed, span };
    }
    let words = by_words(&without_labels(text, &labels), options);
    // "B respiration", where respiration is not B, are two answers.
    let by_words = labels.is_empty() && !words.is_empty();
    Chosen { labels: labels.into_iter().chain(words).collect(), by_words, is_told, squeezed, span }
}

/// The label that an answer begins with, in any case, as options are printed: "d) the lung", "(b) iron", "c. in May".
fn opening_label(text: &str, options: &[Choice]) -> Option<String> {
    let text = text.trim_start().trim_start_matches('(');
    let end = text.find(|c: char| !c.is_alphanumeric())?;
    let mut behind = text[end..].chars();
    let is_marked = match behind.next()? {
        ')' | ':' => true,
        // "1.5 cm" is no option 1.
        '.' => behind.next().is_none_or(char::is_whitespace),
        _ => false,
    };
    labels_in(&text[..end], options).into_iter().next().filter(|_| is_marked)
}

/// The label that an answer comes to after it has weighed others: "E or D … so E", "D, not E", "B… no, A", "a or d -> d".
fn settled_label(text: &str, options: &[Choice]) -> Option<String> {
    const REACH: usize = 3;
    let tail =
        ["->", "→", "=>", "⇒"].iter().filter_map(|arrow| text.rsplit_once(arrow)).map(|(_, tail)| tail);
    if let Some(tail) = tail.min_by_key(|tail| tail.len()) {
        let labels = written_labels(tail, options);
        return labels.first().filter(|_| labels.len() == 1).cloned();
    }
    let opening = opening_label(text, options);
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let capital = |word: &str| word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    let before = |index: usize| words[index.saturating_sub(REACH)..index].iter().map(|word| fold(word));
    let is_label = |index: &usize| capital(words[*index]) || (*index == 0 && opening.is_some());
    let first = (0..words.len()).find(is_label);
    // Behind another label "no" takes that one back; "not" denies this one.
    let takes_back = |index: usize| {
        index > 0 && fold(words[index - 1]) == lists::NO && first.is_some_and(|first| first + 1 < index)
    };
    let is_denied = |index: usize| !takes_back(index) && before(index).any(|word| is_negation(&word));
    let named: Vec<(usize, String)> = (0..words.len())
        .filter(|index| is_label(index) && !is_denied(*index))
        .flat_map(|index| labels_in(words[index], options).into_iter().map(move |label| (index, label)))
        .collect();
    let is_settled = |index: usize| takes_back(index) || before(index).any(|word| lists::SETTLES.has(&word));
    let settled = named.iter().rfind(|(index, _)| is_settled(*index)).map(|(_, label)| label.clone());
    let all: BTreeSet<&String> = named.iter().map(|(_, label)| label).collect();
    settled.or_else(|| all.first().filter(|_| all.len() == 1).map(ToString::to_string))
}

/// The one option whose value is the answer's result, where options are values: "280 - 160 = 120" for "D 120 J".
fn by_value<'o>(text: &str, options: &'o [Choice]) -> Option<&'o Choice> {
    let values: Option<Vec<f64>> = options
        .iter()
        .map(|option| match Quantity::all(&normal(&option.text)).as_slice() {
            [only] => Some(only.value),
            _ => None,
        })
        .collect();
    let given = number::final_value(&normal(text))?.value;
    let mut same =
        options.iter().zip(values?).filter(|(_, value)| is_near(given, *value)).map(|(option, _)| option);
    same.next().filter(|_| same.next().is_none())
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

/// True for a text of nothing but single letters and figures, and words around them: "B or D".
pub(crate) fn is_labels(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(fold);
    let is_around = |word: &String| word.chars().count() == 1 || lists::AROUND_LABELS.has(word);
    !text.trim().is_empty() && words.all(|word| is_around(&word))
}

fn without_labels(text: &str, labels: &BTreeSet<String>) -> String {
    let kept: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !labels.contains(&fold(word))).collect();
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str, options: &[&str]) -> Vec<String> {
        labels_of(1, text, options)
    }

    fn labels_of(asked: usize, text: &str, options: &[&str]) -> Vec<String> {
        let option = |(at, text): (usize, &&str)| Choice {
            label: char::from(b'A' + at as u8).to_string(),
            text: (*text).into(),
        };
        let options: Vec<Choice> = options.iter().enumerate().map(option).collect();
        chosen(text, &[], &options, asked).labels.into_iter().collect()
    }

    const WAYS: [&str; 5] = ["north", "south", "to the pole", "east", "west"];

    #[test]
    fn an_answer_settles_on_one_label() {
        assert_eq!(labels("8 Ns towards it, so D i think. not E", &WAYS), ["d"]);
        assert_eq!(labels("E or D ... the air sinks so E", &WAYS), ["e"]);
        assert_eq!(labels("D, not E", &WAYS), ["d"]);
        assert_eq!(labels("D or E", &WAYS), ["d", "e"]);
        assert_eq!(labels("B... no A", &WAYS), ["a"]);
        assert_eq!(labels("a or d? -> d", &WAYS), ["d"]);
        assert_eq!(labels_of(2, "Answer: A and C", &WAYS), ["a", "c"], "both were asked for");
    }

    #[test]
    fn a_small_letter_that_is_set_like_an_options_is_one() {
        for text in ["d) towards the sunrise", "(d) sunrise", "d. the morning", "d: sunrise", "d)"] {
            assert_eq!(labels(text, &WAYS), ["d"], "{text}");
        }
        assert_eq!(labels("c) not B", &WAYS), ["c"]);
        assert_eq!(labels("d) west", &WAYS), ["d", "e"], "two answers");
        assert!(labels("a way home", &WAYS).is_empty());
    }

    #[test]
    fn a_value_names_its_option() {
        let values = ["-85 J", "0 J", "60 J", "120 J"];
        assert_eq!(labels("280 - 160 = 120", &values), ["d"]);
        assert_eq!(labels("change = 120.1 J", &values), ["d"]);
        assert!(labels("change = 100 J", &values).is_empty());
        assert!(labels("change = 120 J", &["about 120 J at 3 s", "60 J"]).is_empty(), "no single values");
    }
}
