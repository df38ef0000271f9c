//! Another judge of points, asked in the place of the built-in one.

use super::kept::Kept;
use crate::outcome::ModelIdentity;
use std::fmt::Debug;
use std::sync::Arc;

/// Opinions that are kept: asking a larger judge costs seconds.
const OPINIONS_MAX: usize = 200_000;

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
