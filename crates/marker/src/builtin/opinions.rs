//! What the judge of meaning says of an answer's points. Points that rules leave open are noted first and asked
//! about all at once: a network reads a batch in little more time than a pair.

use crate::meaning::{Judge, Opinion, PointText};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The judge's opinions on one answer, by the wording that was asked about.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    known: RefCell<BTreeMap<String, Opinion>>,
    noted: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Opinions {
    /// The opinion on a point, given its other wordings; `None`, and noted to be asked, when it is not known yet.
    pub(crate) fn on(&self, text: &str, others: &[String]) -> Option<Opinion> {
        let known = self.known.borrow().get(text).cloned();
        if known.is_none() {
            self.noted.borrow_mut().insert(text.to_owned(), others.to_vec());
        }
        known
    }

    /// Asks about everything that was noted; false when there is nothing to ask.
    pub(crate) fn ask(&self, judge: &dyn Judge, question: &str, answer: &str) -> bool {
        let noted = self.noted.take();
        if noted.is_empty() {
            return false;
        }
        let points: Vec<PointText<'_>> =
            noted.iter().map(|(text, others)| PointText { text, others }).collect();
        let opinions = judge.opinions(question, &points, answer);
        self.known.borrow_mut().extend(noted.keys().cloned().zip(opinions));
        true
    }
}
