//! The questions of a paper with their keys understood, once for all scripts.

use domain::question::Question;
use domain::scheme::Keys;
use std::ops::Deref;

/// The questions of a paper, each with what its scheme says.
#[derive(Clone, Debug, Default)]
pub struct Understood {
    questions: Vec<Question>,
    /// One for each question.
    keys: Vec<Keys>,
}

impl From<Vec<Question>> for Understood {
    fn from(questions: Vec<Question>) -> Understood {
        let keys = questions.iter().map(exam::key::typed).collect();
        Understood { questions, keys }
    }
}

impl Deref for Understood {
    type Target = [Question];

    fn deref(&self) -> &[Question] {
        &self.questions
    }
}

impl Understood {
    /// Every question with its keys.
    pub(super) fn with_keys(&self) -> impl Iterator<Item = (&Question, &Keys)> {
        self.questions.iter().zip(&self.keys)
    }
}
