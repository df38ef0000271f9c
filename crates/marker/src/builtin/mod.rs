//! The built-in engine: rules first, meaning where rules end. Offline and deterministic.
//!
//! A wording of the key is understood as a number, a formula, an order or words (`matcher`); each point is
//! judged for all three strictnesses at once (`verdict`); points become marks (`settle`).

mod algebra;
mod attempts;
mod cache;
mod chemistry;
mod choice;
mod code;
mod company;
mod date;
mod demand;
mod evidence;
mod examples;
mod follow;
mod implied;
mod insisted;
mod judged;
mod label;
mod lacking;
mod listing;
mod marked;
mod matcher;
mod method;
mod number;
mod opinions;
mod places;
mod prime;
mod routes;
mod rubric;
mod ruled;
mod script;
mod sequence;
mod settle;
mod shares;
mod steps;
mod sums;
mod told;
mod torn;
mod trust;
mod values;
mod verdict;
mod weighed;
mod whole;
mod wording;

use crate::answer::Answer;
use crate::instructions::{Rules, understand};
use crate::meaning::{Judge, Lexical};
use crate::outcome::{EngineIdentity, LeafOutcome, Outcome};
use crate::task::{Leaf, Settings, Task};
use crate::{Error, Marker};
use domain::question::Kind;
use domain::scheme::TypedKey;
use follow::Earlier;
use judged::Judged;
use marked::{Marked, undrawn};
use script::Script;
use signs::form::Normal;
use signs::number::Separators;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use cache::{Cache, Fingerprint};
pub(crate) use marked::{blank, unmarkable};
pub(crate) use places::words_under;
pub(crate) use settle::limit;
pub(crate) use verdict::Reason;
pub(crate) use whole::Content;

/// The built-in engine.
pub struct Builtin {
    judge: Arc<dyn Judge>,
    cache: Mutex<Cache<Arc<Judged>>>,
}

/// How many judged answers are remembered; one takes about a kilobyte.
const CACHE_CAPACITY: usize = 20_000;
/// Longer answers are cut: no examiner reads a book, and the work stays bounded.
const ANSWER_BYTES_MAX: usize = 40_000;

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builtin").field("identity", &self.identity()).finish_non_exhaustive()
    }
}

impl Default for Builtin {
    fn default() -> Builtin {
        Builtin::new(Arc::new(Lexical))
    }
}

impl Marker for Builtin {
    fn mark(&self, task: &Task<'_>) -> Result<Outcome, Error> {
        let rules =
            task.settings.instructions.as_deref().map(|text| understand(text).rules).unwrap_or_default();
        let mut earlier = Vec::new();
        let blank = Answer::default();
        let outcomes = task
            .leaves()
            .iter()
            .map(|(leaf, key)| {
                let given = task.answers.iter().find(|given| given.label.as_deref() == leaf.label);
                let answer = given.map_or(&blank, |given| &given.answer);
                self.mark_leaf(leaf, *key, answer, task.settings, &rules, &mut earlier)
            })
            .collect();
        Ok(Outcome::of(outcomes))
    }

    fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            name: "builtin".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            models: self.judge.models(),
        }
    }

    fn direction(&self, text: &str) -> Vec<f32> {
        self.judge.direction(text)
    }
}

impl Builtin {
    /// An engine with this judge of meaning.
    pub fn new(judge: Arc<dyn Judge>) -> Builtin {
        Builtin { judge, cache: Mutex::new(Cache::new(CACHE_CAPACITY)) }
    }

    fn mark_leaf(
        &self,
        leaf: &Leaf<'_>,
        key: Option<&TypedKey>,
        answer: &Answer,
        settings: &Settings,
        rules: &Rules,
        earlier: &mut Vec<Earlier>,
    ) -> LeafOutcome {
        let Some(key) = key else {
            return unmarkable(leaf, answer, settings);
        };
        if answer.is_blank() && leaf.kind == Kind::Drawing {
            return undrawn(leaf, key, settings);
        }
        if answer.is_blank() {
            return blank(leaf, key, settings);
        }
        let ticked = answer.selected.join(" ");
        // A tick beside "True" is an answer in words where no letter was asked for.
        let text = if answer.text.trim().is_empty() { ticked.as_str() } else { answer.text.as_str() };
        let mut normal = Normal::of(&text[..text.floor_char_boundary(ANSWER_BYTES_MAX)]);
        let separators = key_separators(key);
        if separators != Separators::default() {
            normal.text = separators.in_english(&normal.text);
        }
        if let Some(standing) = attempts::standing(&normal.text, key) {
            normal.text = standing;
        }
        let judged = self.judged(leaf, key, &normal.text, &answer.selected, rules, earlier);
        earlier.extend(judged.value.clone());
        let marked = Marked { leaf, key, settings, rules };
        marked.outcome(answer, &normal, &judged)
    }

    /// Judges, or remembers having judged.
    fn judged(
        &self,
        leaf: &Leaf<'_>,
        key: &TypedKey,
        text: &str,
        selected: &[String],
        rules: &Rules,
        earlier: &[Earlier],
    ) -> Arc<Judged> {
        let values: Vec<(u64, u64)> =
            earlier.iter().map(|one| (one.right.to_bits(), one.given.to_bits())).collect();
        // The key has no hash of its own; its text form holds everything that bears on the judgement.
        let described = format!("{key:?}{:?}{:?}", leaf.kind, leaf.options);
        let fingerprint = Fingerprint::of(&(leaf.stem, leaf.text, described, text, selected, rules, values));
        if let Some(found) = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(fingerprint) {
            return found;
        }
        let script = Script::new(leaf, key, text, rules, self.judge.as_ref(), earlier);
        let judged = Arc::new(judged::judge(&script, key, selected));
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).put(fingerprint, Arc::clone(&judged));
        judged
    }
}

/// How the documents behind a key write their numbers.
const fn key_separators(key: &TypedKey) -> Separators {
    Separators { has_decimal_commas: key.has_decimal_commas, has_dotted_thousands: key.has_dotted_thousands }
}
