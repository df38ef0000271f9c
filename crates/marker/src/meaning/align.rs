//! How well an answer's pieces meet a model answer's, each weighed by what the network learned it is worth.

use super::encoder::{Encoded, likeness};
use serde::Deserialize;

/// The network's last, small part.
pub(super) static HEAD: &str = include_str!("../../../../models/meaning/head.json");

/// The names of [`Alignment::values`], in order.
pub(super) const NAMES: [&str; 9] = [
    "net_score",
    "net_recall",
    "net_precision",
    "net_missing",
    "net_reference_answer",
    "net_reference_question",
    "net_answer_question",
    "net_length",
    "net_weight",
];

/// A piece of a model answer counts as missing below this likeness.
const MET: f32 = 0.7;
/// The weights are exponentials; the network was trained with them bounded so.
const LOG_WEIGHT_MAX: f32 = 6.0;

/// The small part of the network that joins the measurements; trained together with the encoder.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Head {
    /// Likeness to the question changes a piece's weight by this much, in a model answer.
    asked_reference: f32,
    /// The same in an answer.
    asked_answer: f32,
    hidden: Vec<Vec<f32>>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: f32,
}

/// An answer held against one model answer.
#[derive(Clone, Debug)]
pub(super) struct Alignment {
    /// The network's measurements, in the order of [`NAMES`].
    pub(super) values: [f32; NAMES.len()],
    /// For each piece of the answer, how well it meets the model answer, times its weight.
    pub(super) piece_support: Vec<f32>,
}

impl Head {
    pub(super) fn load() -> Result<Head, serde_json::Error> {
        serde_json::from_str(HEAD)
    }

    /// Measures an answer against a model answer, given how alike their pieces are to the question's.
    pub(super) fn align(&self, reference: &Encoded, answer: &Encoded, question: &Encoded) -> Alignment {
        let mut met = vec![-1.0f32; reference.len()];
        let mut meets = vec![-1.0f32; answer.len()];
        for (wanted, best) in met.iter_mut().enumerate() {
            for (given, support) in meets.iter_mut().enumerate() {
                let alike = likeness(reference.direction(wanted), answer.direction(given));
                *best = best.max(alike);
                *support = support.max(alike);
            }
        }
        let wanted = weights(&reference.weight_wanted, self.asked_reference, reference, question);
        let given = weights(&answer.weight_given, self.asked_answer, answer, question);
        let missing: Vec<f32> = met.iter().map(|alike| (MET - alike).max(0.0)).collect();
        let (all_wanted, all_given) = (total(&wanted), total(&given));
        let measured = [
            weighted(&met, &wanted),
            weighted(&meets, &given),
            weighted(&missing, &wanted),
            likeness(&reference.mean, &answer.mean),
            likeness(&reference.mean, &question.mean),
            likeness(&answer.mean, &question.mean),
            (answer.len().max(1) as f32 / reference.len().max(1) as f32).ln(),
            (all_given / all_wanted).ln() * 0.3,
        ];
        let mut values = [0.0; NAMES.len()];
        values[0] = self.score(&measured);
        values[1..].copy_from_slice(&measured);
        let piece_support =
            meets.iter().zip(&given).map(|(meets, weight)| meets * weight / all_given).collect();
        Alignment { values, piece_support }
    }

    fn score(&self, measured: &[f32]) -> f32 {
        let hidden = self.hidden.iter().zip(&self.hidden_bias).map(|(row, bias)| {
            let sum: f32 = row.iter().zip(measured).map(|(weight, value)| weight * value).sum();
            gelu(sum + bias)
        });
        hidden.zip(&self.out).map(|(value, weight)| value * weight).sum::<f32>() + self.out_bias
    }
}

/// What each piece counts: its own weight, changed by how alike it is to what was asked.
fn weights(own: &[f32], asked: f32, text: &Encoded, question: &Encoded) -> Vec<f32> {
    own.iter()
        .enumerate()
        .map(|(index, weight)| {
            let known = (0..question.len())
                .map(|other| likeness(text.direction(index), question.direction(other)))
                .fold(-1.0, f32::max);
            (weight + asked * known).clamp(-LOG_WEIGHT_MAX, LOG_WEIGHT_MAX).exp()
        })
        .collect()
}

fn total(weights: &[f32]) -> f32 {
    weights.iter().sum::<f32>().max(1e-6)
}

fn weighted(values: &[f32], weights: &[f32]) -> f32 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f32>() / total(weights)
}

/// The smooth step between the two layers, by a rational approximation that is the same everywhere.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x / std::f32::consts::SQRT_2))
}

/// Abramowitz and Stegun 7.1.26, exact to a few ten-millionths.
fn erf(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let polynomial =
        ((((1.061_405_4 * t - 1.453_152) * t) + 1.421_413_7) * t - 0.284_496_73) * t + 0.254_829_6;
    (1.0 - polynomial * t * (-x * x).exp()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::super::encoder::Encoder;
    use super::*;

    #[test]
    fn a_paraphrase_meets_the_model_answer_better_than_another_topic() {
        let (encoder, head) = (Encoder::load().unwrap(), Head::load().unwrap());
        let question = encoder.encode("Why does the puddle disappear?", 40);
        let reference = encoder.encode("The water evaporates because the sun heats it.", 128);
        let score = |text: &str| head.align(&reference, &encoder.encode(text, 128), &question).values[0];
        let right = score("The sun warmed the water so it evaporated");
        assert!(right > score("The ducks drank from the lake") + 1.0);
        assert!(right > score("puddle"));
        assert!(score("").is_finite());
    }

    #[test]
    fn the_smooth_step_is_known_at_its_ends() {
        assert!(gelu(0.0).abs() < 1e-6 && (gelu(6.0) - 6.0).abs() < 1e-4 && gelu(-6.0).abs() < 1e-4);
        assert!((gelu(1.0) - 0.841_345).abs() < 1e-4);
    }
}
