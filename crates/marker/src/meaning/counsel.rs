//! Another judge of points, asked beside the built-in one.

use super::kept::Kept;
use crate::outcome::ModelIdentity;
use std::fmt::Debug;
use std::sync::Arc;

/// Opinions that are kept: asking a larger judge costs seconds.
const OPINIONS_MAX: usize = 200_000;

/// How much the counsel's word counts beside the built-in judge's: two different networks err at different places, and
/// together they are nearer to the examiner than the larger one alone.
const SHARE: f32 = 0.6;
/// No judge is surer than this that something is not so: the other may know better.
const UNLIKELY: f32 = 0.001;

/// A judge of points that is not part of the program. Deterministic: the same texts always give the same verdicts.
pub trait Counsel: Debug + Send + Sync {
    /// What an answer says of each of these points, a point being all its wordings: how likely it is credited, vague,
    /// contradicted, missing.
    fn verdicts(&self, question: &str, points: &[Vec<&str>], answer: &str) -> Vec<[f32; 4]>;

    /// What it is, for the result's record.
    fn identity(&self) -> ModelIdentity;
}

/// A counsel who is asked everything once.
#[derive(Debug)]
pub(super) struct Asked {
    counsel: Arc<dyn Counsel>,
    known: Kept<[f32; 4]>,
}

impl Asked {
    pub(super) fn new(counsel: Arc<dyn Counsel>) -> Asked {
        Asked { counsel, known: Kept::new(OPINIONS_MAX) }
    }

    pub(super) fn identity(&self) -> ModelIdentity {
        self.counsel.identity()
    }

    /// The counsel's verdicts; what is not known yet is asked at once, because the texts begin alike.
    pub(super) fn verdicts(
        &self,
        question: &str,
        points: &[Vec<&str>],
        answer: &str,
    ) -> Vec<Option<[f32; 4]>> {
        let name = |point: &Vec<&str>| format!("{question}\u{1f}{}\u{1f}{answer}", point.join("\u{1e}"));
        let names: Vec<String> = points.iter().map(name).collect();
        let is_new = |at: &usize| self.known.get(&names[*at]).is_none();
        let new: Vec<usize> = (0..points.len()).filter(is_new).collect();
        if !new.is_empty() {
            let asked: Vec<Vec<&str>> = new.iter().map(|&at| points[at].clone()).collect();
            for (&at, said) in new.iter().zip(self.counsel.verdicts(question, &asked, answer)) {
                self.known.or_make(&names[at], || said);
            }
        }
        names.iter().map(|name| self.known.get(name).map(|said| *said)).collect()
    }
}

/// What two judges say together: the weighted geometric mean of their verdicts.
pub(super) fn together(built_in: [f32; 4], counsel: [f32; 4]) -> [f32; 4] {
    let mean =
        |at: usize| built_in[at].max(UNLIKELY).powf(1.0 - SHARE) * counsel[at].max(UNLIKELY).powf(SHARE);
    let said = std::array::from_fn(mean);
    let whole: f32 = said.iter().sum();
    said.map(|one| one / whole)
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn two_judges_who_agree_say_the_same_together() {
        let said = together([0.7, 0.1, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1]);
        assert!((said[0] - 0.7).abs() < 1e-6 && (said.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{said:?}");
    }

    #[test]
    fn the_counsel_counts_more_and_a_sure_word_does_not_silence_the_other() {
        let said = together([0.2, 0.0, 0.8, 0.0], [0.8, 0.0, 0.2, 0.0]);
        assert!(said[0] > said[2], "{said:?}");
        let said = together([0.0, 0.0, 1.0, 0.0], [0.999, 0.0, 0.001, 0.0]);
        assert!(said[0] > 0.2 && said.iter().all(|one| one.is_finite()), "{said:?}");
    }
}
