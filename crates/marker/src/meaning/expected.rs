//! What an answer is held against: the question, model answers, a rubric, prepared once for many answers.

use super::alike::alike;
use super::counted::Counted;
use super::features::{self, Comparison, Reference};
use super::wording::{Term, Wording};
use super::wordpiece;
use crate::words::fold;
use domain::scheme::Rubric;
use std::collections::HashSet;
use std::ops::Range;

/// What a whole answer is held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'a> {
    /// What was asked.
    pub question: &'a str,
    /// Model answers, each as good as the others.
    pub references: &'a [&'a str],
    /// What an answer must have, in the examiner's words, when the key has no model answer or besides it.
    pub rubric: Option<&'a Rubric>,
    /// What the whole answer is worth, when that is known.
    pub marks: Option<f32>,
    /// The model answers are no alternatives but what an answer may say: the more of them it has, the better.
    pub is_content: bool,
}

/// No key has more model answers than this; the others are left aside.
const REFERENCES_MAX: usize = 12;

/// What an answer is held against, prepared once for many answers.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) asked: Wording,
    pub(super) references: Vec<Reference>,
    /// The texts that the references were made of, in the same order.
    pub(super) texts: Vec<String>,
    /// A rubric that counts elements says more than the model answers beside it.
    pub(super) counted: Option<Counted>,
    is_rubric_only: bool,
    is_foreign: bool,
    marks: Option<f32>,
}

/// The names of the words' measurements, in order: the best model answer's, then those over all of them.
pub(super) fn names() -> Vec<String> {
    let best = features::NAMES.iter().map(ToString::to_string);
    best.chain(OVERALL.iter().map(ToString::to_string)).collect()
}

const OVERALL: [&str; 13] = [
    "references_count",
    "recall_most",
    "recall_mean",
    "letters_most",
    "words",
    "new_terms",
    "new_weight",
    "term_weight",
    "distinct_share",
    "gives_up",
    "is_rubric_only",
    "marks",
    "is_foreign",
];

impl Prepared {
    pub(super) fn of(expected: &Expected<'_>) -> Prepared {
        let asked = Wording::of(expected.question);
        let texts: Vec<String> =
            expected.references.iter().take(REFERENCES_MAX).map(ToString::to_string).collect();
        let is_rubric_only = texts.iter().all(|text| text.trim().is_empty());
        let texts = match expected.rubric {
            Some(rubric) if is_rubric_only => vec![rubric.asks.join("\n")],
            _ if texts.is_empty() => vec![String::new()],
            _ => texts,
        };
        let counted = expected.rubric.zip(expected.marks);
        let counted = counted.and_then(|(rubric, marks)| Counted::of(rubric, &asked, marks)).or_else(|| {
            let content = expected.references.iter().filter(|_| expected.is_content).copied();
            Counted::one_a_mark(&content.collect::<Vec<_>>(), &asked, expected.marks?)
        });
        // What is counted is a list to be met as a whole; elsewhere each model answer is enough.
        let texts = if counted.is_some() { vec![texts.join("\n")] } else { texts };
        let references = texts.iter().map(|text| Reference::of(text, &asked)).collect();
        let is_foreign = is_foreign(expected.question, &texts);
        Prepared { asked, references, texts, counted, is_rubric_only, is_foreign, marks: expected.marks }
    }

    /// The words' measurements of an answer, and which model answer it is closest to.
    pub(super) fn measure(&self, text: &str, answer: &Wording) -> (usize, Vec<f32>) {
        let compared: Vec<Comparison> =
            self.references.iter().map(|reference| Comparison::of(&self.asked, reference, answer)).collect();
        let closest = (0..compared.len())
            .rev()
            .max_by(|&one, &other| compared[one].closeness().total_cmp(&compared[other].closeness()))
            .unwrap_or_default();
        let mut values = compared.get(closest).map_or_else(Vec::new, |best| best.values.clone());
        values.extend(self.overall(&compared, text, answer));
        (closest, values)
    }

    /// From the first to the last word of an answer that the first model answer has too and the question has not.
    pub(super) fn shared_words(&self, text: &str) -> Option<Range<usize>> {
        let wanted = &self.references.first()?.wording.terms;
        let question = self.asked.stems();
        let answer = Wording::of(text);
        let is_shared = |term: &&Term| {
            !question.contains(term.stem.as_str()) && wanted.iter().any(|other| alike(other, term) > 0.0)
        };
        let mut shared = answer.terms.iter().filter(is_shared);
        let first = shared.next()?;
        let last = shared.next_back().unwrap_or(first);
        Some(first.start..last.end)
    }

    /// True when of several words that the first model answer has and the question has not, the answer has one
    /// alone, and that one is not the rarest of them.
    pub(super) fn meets_by_chance(&self, text: &str) -> bool {
        let question = self.asked.stems();
        let Some(reference) = self.references.first() else { return false };
        let is_new = |term: &&Term| !question.contains(term.stem.as_str());
        let wanted: Vec<&Term> = reference.wording.terms.iter().filter(is_new).collect();
        let given = Wording::of(text).terms;
        let is_met = |term: &&&Term| given.iter().any(|other| alike(term, other) > 0.0);
        let met: Vec<&Term> = wanted.iter().filter(is_met).copied().collect();
        let rarest = wanted.iter().map(|term| term.weight).fold(0.0, f32::max);
        wanted.len() >= 2 && met.len() == 1 && met[0].weight < rarest
    }

    fn overall(&self, compared: &[Comparison], text: &str, answer: &Wording) -> [f32; OVERALL.len()] {
        let question = self.asked.stems();
        let column = |index: usize| compared.iter().map(move |comparison| comparison.values[index]);
        let most = |index: usize| column(index).fold(0.0, f32::max);
        let count = compared.len().max(1) as f32;
        let new: Vec<_> = answer.terms.iter().filter(|term| !question.contains(term.stem.as_str())).collect();
        let distinct: HashSet<&str> = new.iter().map(|term| term.stem.as_str()).collect();
        let new_weight: f32 = new.iter().map(|term| term.weight).sum();
        [
            count.ln(),
            most(0),
            column(0).sum::<f32>() / count,
            most(6),
            (answer.words as f32).ln_1p(),
            (distinct.len() as f32).ln_1p(),
            new_weight.ln_1p(),
            answer.terms.iter().map(|term| term.weight).sum::<f32>() / answer.terms.len().max(1) as f32,
            distinct.len() as f32 / new.len().max(1) as f32,
            f32::from(gives_up(text)),
            f32::from(self.is_rubric_only),
            self.marks.unwrap_or(1.0).max(0.0).ln_1p(),
            f32::from(self.is_foreign),
        ]
    }
}

/// True for a key in a language other than English: the sentence model's vocabulary knows its words only by parts.
pub(super) fn is_foreign(question: &str, texts: &[String]) -> bool {
    /// Pieces of each text that are looked at.
    const PIECES_MAX: usize = 400;
    /// In English, subject terms and all, fewer than a fifth of the pieces continue a word; in German half do. A single
    /// rare term in a short key has a few and says nothing.
    const CONTINUING_MAX: f32 = 0.25;
    const OF_ONE_TERM: f32 = 3.0;
    let (mut continuing, mut all) = (0, 0);
    for text in texts.iter().map(String::as_str).chain([question]) {
        let pieces = wordpiece::pieces(text, PIECES_MAX);
        continuing += pieces.windows(2).filter(|pair| pair[0].start == pair[1].start).count();
        all += pieces.len();
    }
    continuing as f32 > OF_ONE_TERM + CONTINUING_MAX * all as f32
}

/// True for an answer that says no more than that there is none.
fn gives_up(text: &str) -> bool {
    const SHORT: usize = 60;
    let folded = fold(text);
    folded.len() <= SHORT
        && [
            "don't know",
            "dont know",
            "don’t know",
            "no idea",
            "not sure",
            "idk",
            "weiss nicht",
            "keine ahnung",
        ]
        .iter()
        .any(|phrase| folded.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_model_answer_is_found_and_everything_has_a_name() {
        let references = ["The ice melts in the sun.", "Salt lowers the freezing point."];
        let expected = Expected { question: "Why?", references: &references, ..Expected::default() };
        let prepared = Prepared::of(&expected);
        let text = "salt makes the freezing point lower";
        let (closest, values) = prepared.measure(text, &Wording::of(text));
        assert_eq!(closest, 1);
        assert_eq!(values.len(), names().len());
    }

    #[test]
    fn nothing_to_hold_it_against_is_no_crash() {
        let prepared = Prepared::of(&Expected::default());
        let (_, values) = prepared.measure("", &Wording::of(""));
        assert!(values.iter().all(|value| value.is_finite()));
    }

    #[test]
    fn other_languages_are_told_from_english_with_subject_terms() {
        let is_foreign = |question: &str, key: &str| super::is_foreign(question, &[key.to_owned()]);
        let german = "Das Wasser verdunstet allmählich, weil die Sonnenstrahlen es erwärmen.";
        assert!(is_foreign("Was geschieht mit dem Wasser in der Pfütze?", german));
        assert!(!is_foreign("What happens to the water?", "The water evaporates because the sun heats it."));
        assert!(!is_foreign("Name the process.", "phagocytosis"));
        assert!(!is_foreign("Name the layer.", "The stratosphere, above the tropopause."));
        assert!(!is_foreign("", ""));
    }

    #[test]
    fn giving_up_is_seen_only_in_short_answers() {
        assert!(gives_up("I don't know"));
        assert!(!gives_up(
            "Scientists don't know exactly, but the plates move apart where magma rises from below"
        ));
    }
}
