//! How well an answer's pieces meet a model answer's in general meaning, each weighed by how rare it is; also
//! sentence by sentence. Nothing here is trained on marks: it holds on subjects that training never saw.
//!
//! `training/network.py` computes the same for training.

use super::encoder::{Encoded, SENSE, likeness, unit};
use super::wordpiece;

/// The names of what [`Senses::compare`] measures, in order.
pub(super) const NAMES: [&str; 17] = [
    "sense_recall",
    "sense_precision",
    "sense_recall_plain",
    "sense_missing",
    "sense_least",
    "sense_met",
    "sense_square",
    "sentences_mean",
    "sentences_least",
    "sentences_best",
    "sentences_met",
    "sentences_count",
    "sense_reference_answer",
    "sense_answer_question",
    "sense_reference_question",
    "whole_sentences_mean",
    "whole_sentences_least",
];

/// A word that the question already says counts less by this share.
const ASKED_LOSS: f32 = 0.65;
/// Below this likeness a piece counts as missing.
const MISSING: f32 = 0.7;
/// About this likeness a piece or a sentence is met, with a soft edge of this width.
const MET: f32 = 0.6;
const PIECE_EDGE: f32 = 0.07;
const SENTENCE_EDGE: f32 = 0.06;
/// A piece that weighs less says nothing by its absence.
const TELLING: f32 = 0.25;
/// Further sentences count with the last one.
const SENTENCES_MAX: usize = 16;
/// A sentence of fewer pieces stays with the one before.
const SENTENCE_PIECES_MIN: usize = 3;

/// The meaning of a text, prepared for comparing.
#[derive(Clone, Debug, Default)]
pub(super) struct Senses {
    pieces: Vec<Sense>,
    /// The direction of each sentence.
    sentences: Vec<Vec<f32>>,
    /// The direction of the whole text.
    whole: Vec<f32>,
}

/// One piece that means something by itself.
#[derive(Clone, Debug)]
struct Sense {
    id: i32,
    weight: f32,
    sentence: usize,
    direction: Vec<f32>,
}

impl Senses {
    pub(super) fn of(text: &str, encoded: &Encoded) -> Senses {
        let starts = sentence_starts(text, encoded);
        let mut pieces = Vec::new();
        let mut sums: Vec<Vec<f32>> = Vec::new();
        let mut whole = vec![0.0; SENSE];
        for (place, sense) in encoded.senses().enumerate() {
            add(&mut whole, sense);
            // The first and the last are the frame.
            let Some(index) = place.checked_sub(1).filter(|index| *index < encoded.pieces.len()) else {
                continue;
            };
            let id = encoded.pieces[index].id;
            let weight = wordpiece::weight(id);
            if weight <= 0.0 {
                continue;
            }
            let sentence = starts.partition_point(|start| *start <= index).saturating_sub(1);
            let sentence = sentence.min(SENTENCES_MAX - 1);
            sums.resize(sums.len().max(sentence + 1), vec![0.0; SENSE]);
            add(&mut sums[sentence], sense);
            pieces.push(Sense { id, weight, sentence, direction: unit(sense) });
        }
        let sentences = sums.iter().map(|sum| unit(sum)).collect();
        Senses { pieces, sentences, whole: unit(&whole) }
    }

    /// Measures an answer against a model answer: a value for each of [`NAMES`].
    pub(super) fn compare(&self, answer: &Senses, question: &Senses) -> [f32; NAMES.len()] {
        let mut met = vec![-1.0f32; self.pieces.len()];
        let mut meets = vec![-1.0f32; answer.pieces.len()];
        for (wanted, best) in self.pieces.iter().zip(&mut met) {
            for (given, support) in answer.pieces.iter().zip(&mut meets) {
                let alike = likeness(&wanted.direction, &given.direction);
                *best = best.max(alike);
                *support = support.max(alike);
            }
        }
        let wanted = self.weights(question);
        let plain: Vec<f32> = self.pieces.iter().map(|piece| piece.weight).collect();
        let each = |value: fn(f32) -> f32| -> Vec<f32> { met.iter().map(|met| value(*met)).collect() };
        let telling = met.iter().zip(&wanted).filter(|(_, weight)| **weight > TELLING);
        let sentences = self.by_sentence(&met, &wanted);
        let whole = self.whole_sentences(answer);
        [
            weighted(&met, &wanted),
            weighted(&meets, &answer.weights(question)),
            weighted(&met, &plain),
            weighted(&each(|met| (MISSING - met).max(0.0)), &wanted),
            telling.map(|(met, _)| *met).fold(1.0, f32::min),
            weighted(&each(|met| soft_step(met, PIECE_EDGE)), &wanted),
            weighted(&each(|met| met * met), &wanted),
            mean(&sentences),
            sentences.iter().copied().fold(1.0, f32::min),
            sentences.iter().copied().fold(0.0, f32::max),
            mean(&sentences.iter().map(|met| soft_step(*met, SENTENCE_EDGE)).collect::<Vec<_>>()),
            (sentences.len().max(1) as f32).ln(),
            likeness(&self.whole, &answer.whole),
            likeness(&answer.whole, &question.whole),
            likeness(&self.whole, &question.whole),
            mean(&whole),
            whole.iter().copied().fold(1.0, f32::min),
        ]
    }

    fn weights(&self, question: &Senses) -> Vec<f32> {
        let is_asked = |piece: &Sense| question.pieces.iter().any(|asked| asked.id == piece.id);
        let weight = |piece: &Sense| piece.weight * if is_asked(piece) { 1.0 - ASKED_LOSS } else { 1.0 };
        self.pieces.iter().map(weight).collect()
    }

    /// How well each sentence was met by pieces from anywhere in the answer.
    fn by_sentence(&self, met: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut sums = vec![(0.0f32, 0.0f32); self.sentences.len()];
        for ((piece, met), weight) in self.pieces.iter().zip(met).zip(weights) {
            let (sum, total) = &mut sums[piece.sentence];
            *sum += met * weight;
            *total += weight;
        }
        sums.into_iter().filter(|(_, total)| *total > 1e-3).map(|(sum, total)| sum / total).collect()
    }

    /// How well each sentence was met by a whole sentence of the answer.
    fn whole_sentences(&self, answer: &Senses) -> Vec<f32> {
        let has = |place: usize| self.pieces.iter().any(|piece| piece.sentence == place);
        let nearest = |wanted: &Vec<f32>| {
            answer.sentences.iter().map(|given| likeness(wanted, given)).fold(-2.0, f32::max)
        };
        (0..self.sentences.len())
            .filter(|place| has(*place))
            .map(|place| nearest(&self.sentences[place]))
            .collect()
    }
}

/// The first piece of each sentence.
fn sentence_starts(text: &str, encoded: &Encoded) -> Vec<usize> {
    let mut starts = vec![0];
    let mut from = 0;
    for end in sentence_ends(text).into_iter().chain([text.len()]) {
        let to = encoded.pieces.partition_point(|piece| piece.start < end);
        if from > 0 && to - from >= SENTENCE_PIECES_MIN {
            starts.push(from);
        }
        from = from.max(to);
    }
    starts
}

/// Where sentences, lines and items of a list end.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        let begins_item = matches!(c, '-' | '*')
            && (at == 0 || before.is_whitespace())
            && after.is_some_and(char::is_whitespace);
        let ends_sentence = c.is_whitespace() && matches!(before, '.' | ';' | '!' | '?');
        if c == '\n' || c == '•' || begins_item || ends_sentence {
            ends.push(at);
        }
        before = c;
    }
    ends
}

fn add(sum: &mut [f32], values: &[f32]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

fn soft_step(met: f32, edge: f32) -> f32 {
    1.0 / (1.0 + ((MET - met) / edge).exp())
}

fn weighted(values: &[f32], weights: &[f32]) -> f32 {
    let total: f32 = weights.iter().sum();
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f32>() / total.max(1e-6)
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::super::encoder::Encoder;
    use super::*;

    fn compared(reference: &str, answer: &str) -> [f32; NAMES.len()] {
        let encoder = Encoder::load().unwrap();
        let senses = |text: &str| Senses::of(text, &encoder.encode(text, 128));
        senses(reference).compare(&senses(answer), &senses("What happens to the water?"))
    }

    #[test]
    fn the_same_text_is_met_and_half_of_it_by_half_of_its_sentences() {
        let key = "The sun heats the puddle. Vapour rises into the air.";
        let whole = compared(key, key);
        assert!(whole[0] > 0.999 && whole[8] > 0.999 && whole[12] > 0.999, "{whole:?}");
        let half = compared(key, "The sun heats the puddle.");
        assert!(half[0] < whole[0] && half[9] > 0.9 && half[8] < 0.8, "{half:?}");
    }

    #[test]
    fn sentences_lines_and_items_are_told_apart_and_short_ones_stay_together() {
        let encoder = Encoder::load().unwrap();
        let count = |text: &str| sentence_starts(text, &encoder.encode(text, 128)).len();
        assert_eq!(count("One thing is said here. Another thing is said there."), 2);
        assert_eq!(count("It rises. Yes. Then it falls down again."), 2);
        assert_eq!(count("- the first of them\n- the second of them"), 2);
        assert_eq!(count("about 3.5 degrees warmer than before"), 1);
        assert_eq!(count(""), 1);
    }

    #[test]
    fn texts_without_words_give_numbers_too() {
        for text in ["", "…", "🙂", "光合作用"] {
            assert!(
                compared(text, "the").iter().chain(&compared("the", text)).all(|value| value.is_finite())
            );
        }
    }
}
