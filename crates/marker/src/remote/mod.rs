//! The remote engine: a language model behind an OpenAI-compatible endpoint, believed only where it can be
//! checked.
//!
//! - Student text is fenced, sentences in it that speak to the marker and the student's name are masked
//!   before anything is sent, and question numbers, labels and identifiers are never sent at all.
//! - A reply must have the schema's shape, name only points that exist, give no more than a point is worth,
//!   and quote words that the answer holds and that have to do with the point. What is not so earns nothing. A total by
//!   levels must be one of the level that it names.
//! - Where the built-in engine is sure and would give a very different mark, the answer is flagged.
//! - The student never reads the model's words: feedback is written from the checked marks.
//! - Faults are tried again a bounded number of times. Then, by [`OnFault`], the call fails with a clear
//!   error or the built-in engine marks and says so with low confidence.
//! - Multiple choice is marked by the built-in rules: there a model could only be wrong. Drawings are left to a
//!   person: nothing that a model says of one could be checked.

mod dispute;
mod gate;
mod guard;
mod prompt;
mod reply;
mod transport;

pub use transport::{ApiKey, Fault, Request, Response, Transport};

use crate::answer::Answer;
use crate::builtin::{self, Builtin, Cache, Fingerprint};
use crate::feedback::{Facts, PointFacts, write};
use crate::meaning::Judge;
use crate::outcome::{CONFIDENCE_LOW, EngineIdentity, Flag, LeafOutcome, ModelIdentity, Outcome};
use crate::task::{Leaf, LeafAnswer, Settings, Task};
use crate::{Error, Marker};
use dispute::{CONFIDENCE_DOUBTFUL, cast_doubt, disputed};
use domain::marks::Marks;
use domain::question::Kind;
use domain::scheme::TypedKey;
use gate::{Budget, Gate};
use prompt::Prompt;
use reply::{Reply, check, outcomes};
use signs::form::Normal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How to reach and use the endpoint.
#[derive(Clone, Debug)]
pub struct Config {
    /// Up to and without `/chat/completions`: `https://models.example/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The endpoint's key, if it needs one.
    pub api_key: Option<ApiKey>,
    /// Whether the model can see: then pictures of the answer are sent with its text.
    pub vision: bool,
    /// For one try.
    pub timeout: Duration,
    /// Tries for one answer, at least one.
    pub attempts_max: u32,
    /// Requests at once.
    pub concurrency_max: usize,
    /// Tokens that this engine may use in all; `None` for no limit.
    pub tokens_max: Option<u64>,
    /// What to do when the endpoint fails.
    pub on_fault: OnFault,
}

/// What to do when the endpoint fails or gives nothing usable after all tries, or its budget is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFault {
    /// The call fails, and the caller tries the job again later.
    #[default]
    Fail,
    /// The built-in engine marks the answer, flagged with low confidence.
    UseBuiltin,
}

impl Config {
    /// Usual bounds for an endpoint.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Config {
        Config {
            base_url: base_url.into(),
            model: model.into(),
            api_key: None,
            vision: false,
            timeout: Duration::from_secs(60),
            attempts_max: 3,
            concurrency_max: 4,
            tokens_max: None,
            on_fault: OnFault::Fail,
        }
    }
}

/// The remote engine.
pub struct Remote {
    config: Config,
    transport: Arc<dyn Transport>,
    judge: Arc<dyn Judge>,
    builtin: Builtin,
    cache: Mutex<Cache<Arc<Reply>>>,
    gate: Gate,
    budget: Budget,
}

/// How many checked replies are remembered.
const CACHE_CAPACITY: usize = 20_000;
/// A reply of a marking fits easily.
const REPLY_TOKENS_MAX: u32 = 2_000;
/// A completion of that many tokens fits easily.
const RESPONSE_BYTES_MAX: usize = 256 * 1024;
/// Longest pause between two tries, whatever the endpoint asks for.
const PAUSE_SECONDS_MAX: u64 = 30;

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Marker for Remote {
    fn mark(&self, task: &Task<'_>) -> Result<Outcome, Error> {
        let blank = Answer::default();
        let mut outcomes = Vec::new();
        for (leaf, understood) in task.leaves() {
            let given = task.answers.iter().find(|given| given.label.as_deref() == leaf.label);
            let answer = given.map_or(&blank, |given| &given.answer);
            outcomes.push(match self.mark_leaf(&leaf, understood, answer, task.settings) {
                Err(_) if self.config.on_fault == OnFault::UseBuiltin => {
                    self.by_builtin(task, &leaf, answer, true)?
                }
                Ok(None) => self.by_builtin(task, &leaf, answer, false)?,
                Ok(Some(outcome)) if outcome.flags.contains(&Flag::NotAttempted) || leaf.key.is_none() => {
                    outcome
                }
                Ok(Some(outcome)) => disputed(outcome, &self.by_builtin(task, &leaf, answer, false)?),
                Err(error) => return Err(error),
            });
        }
        Ok(Outcome::of(outcomes))
    }

    fn identity(&self) -> EngineIdentity {
        let model = ModelIdentity { name: self.config.model.clone(), checksum: String::new() };
        EngineIdentity { name: "llm".into(), version: env!("CARGO_PKG_VERSION").into(), models: vec![model] }
    }

    fn direction(&self, text: &str) -> Vec<f32> {
        self.judge.direction(text)
    }

    fn wants_pictures(&self) -> bool {
        self.config.vision
    }
}

impl Remote {
    /// An engine for this endpoint. `judge` is the built-in judge, the second witness to what is credited.
    pub fn new(config: Config, transport: Arc<dyn Transport>, judge: Arc<dyn Judge>) -> Remote {
        Remote {
            gate: Gate::new(config.concurrency_max),
            budget: Budget::new(config.tokens_max),
            cache: Mutex::new(Cache::new(CACHE_CAPACITY)),
            builtin: Builtin::new(Arc::clone(&judge)),
            config,
            transport,
            judge,
        }
    }

    /// Marks one leaf through the endpoint; `None` for what the built-in rules mark better.
    fn mark_leaf(
        &self,
        leaf: &Leaf<'_>,
        understood: Option<&TypedKey>,
        answer: &Answer,
        settings: &Settings,
    ) -> Result<Option<LeafOutcome>, Error> {
        let Some((key, understood)) = leaf.key.zip(understood) else {
            return Ok(Some(builtin::unmarkable(leaf, answer, settings)));
        };
        if matches!(leaf.kind, Kind::MultipleChoice | Kind::Drawing) {
            return Ok(None);
        }
        if answer.is_blank() {
            return Ok(Some(builtin::blank(leaf, understood, settings)));
        }
        let normal = Normal::of(&answer.text);
        let sent = guard::sendable(&answer.text, &answer.hidden);
        // A level rests on no quotation that could be checked: an answer that pleads for marks gets it from the rules.
        if sent.addressed_marker && !key.levels.is_empty() {
            return Ok(None);
        }
        // For the same reason it sees nothing there that was not read: a plea in the picture alone.
        let sees = self.config.vision && key.levels.is_empty();
        let pictures = if sees { answer.pictures.as_slice() } else { &[] };
        let prompt = Prompt { leaf, key, understood, answer: &sent.text, pictures, settings };
        let reply = self.ask(&prompt, &sent.text, &normal)?;
        Ok(Some(self.outcome(&prompt, answer, &normal, &reply, sent.addressed_marker)))
    }

    /// The checked reply, remembered or asked for, with bounded tries.
    fn ask(&self, prompt: &Prompt<'_>, sent: &str, normal: &Normal) -> Result<Arc<Reply>, Error> {
        let body = prompt.body(&self.config.model, REPLY_TOKENS_MAX).to_string();
        let fingerprint = Fingerprint::of(&(&body, &normal.text));
        if let Some(found) = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(fingerprint) {
            return Ok(found);
        }
        let request = Request {
            url: format!("{}/chat/completions", self.config.base_url.trim_end_matches('/')),
            api_key: self.config.api_key.clone(),
            body,
            timeout: self.config.timeout,
            response_bytes_max: RESPONSE_BYTES_MAX,
        };
        let mut last = Error::Unavailable("it was not tried".into());
        for attempt in 1..=self.config.attempts_max.max(1) {
            match self.attempt(&request, prompt, sent, normal) {
                Ok(reply) => {
                    let reply = Arc::new(reply);
                    self.cache
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .put(fingerprint, Arc::clone(&reply));
                    return Ok(reply);
                }
                Err(Failed { error, again: None }) => return Err(error),
                Err(Failed { error, again: Some(pause) }) => {
                    last = error;
                    if attempt < self.config.attempts_max {
                        self.transport.wait(pause.unwrap_or(Duration::from_secs(1 << (attempt - 1).min(4))));
                    }
                }
            }
        }
        Err(last)
    }

    fn attempt(
        &self,
        request: &Request,
        prompt: &Prompt<'_>,
        sent: &str,
        normal: &Normal,
    ) -> Result<Reply, Failed> {
        let estimated = request.body.len() as u64 / 3 + u64::from(REPLY_TOKENS_MAX);
        if !self.budget.take(estimated) {
            return Err(Failed { error: Error::BudgetSpent, again: None });
        }
        let answered = {
            let _pass = self.gate.enter();
            self.transport.post(request)
        };
        let response = answered
            .map_err(|fault| Failed { error: Error::Unavailable(fault.to_string()), again: Some(None) })?;
        if response.status != 200 {
            self.budget.correct(estimated, 0);
            return Err(refused(&response));
        }
        let reply =
            check(&response.body, prompt.key, prompt.leaf.available(), sent, normal).map_err(|reason| {
                Failed { error: Error::Unusable(reason.to_string()), again: Some(Some(Duration::ZERO)) }
            })?;
        if let Some(tokens) = reply.tokens {
            self.budget.correct(estimated, tokens);
        }
        Ok(reply)
    }

    fn outcome(
        &self,
        prompt: &Prompt<'_>,
        answer: &Answer,
        normal: &Normal,
        reply: &Reply,
        addressed_marker: bool,
    ) -> LeafOutcome {
        let (leaf, key) = (prompt.leaf, prompt.understood);
        let available = leaf.available();
        let question = format!("{}\n{}", leaf.stem, leaf.text);
        let mut doubtful = addressed_marker;
        let mut earned: Vec<Marks> = Vec::with_capacity(key.points.len());
        let mut contradicted: Vec<bool> = Vec::with_capacity(key.points.len());
        for (point, credited) in key.points.iter().zip(&reply.points) {
            let related = credited.evidence.iter().any(|span| {
                guard::is_related(&normal.text[span.clone()], point, &question, self.judge.as_ref())
            });
            doubtful |= credited.misquoted || credited.is_inconsistent;
            doubtful |= !credited.awarded.is_zero() && !related;
            contradicted.push(credited.is_contradicted && related);
            earned.push(if related { credited.awarded } else { Marks::ZERO });
        }
        builtin::limit(key, &mut earned, available);
        // A level is one judgement of the whole, which no quotation can prove: it always needs a person's look.
        let by_level = !prompt.key.levels.is_empty();
        let awarded =
            if by_level { reply.total } else { earned.iter().copied().sum::<Marks>().min(available) };
        let confidence = if doubtful || by_level {
            reply.confidence.min(CONFIDENCE_DOUBTFUL)
        } else {
            reply.confidence * answer.legibility.clamp(0.5, 1.0)
        };
        let mut flags = Vec::new();
        if confidence < CONFIDENCE_LOW {
            flags.push(Flag::LowConfidence);
        }
        if answer.continues_elsewhere {
            flags.push(Flag::AnswerContinuesElsewhere);
        }
        let points = outcomes(answer, normal, reply, &earned, &contradicted, awarded == available);
        let facts = Facts {
            key,
            kind: leaf.kind,
            awarded,
            available,
            points: earned
                .iter()
                .zip(&contradicted)
                .map(|(marks, is_contradicted)| PointFacts {
                    awarded: *marks,
                    was_made: !marks.is_zero(),
                    reason: is_contradicted.then_some(&builtin::Reason::Contradicted),
                })
                .collect(),
            flags: &flags,
            is_graded_as_whole: by_level,
            content: &[],
            is_off_topic: false,
        };
        let feedback = write(&facts, prompt.settings.feedback);
        let rests_on_words = by_level && !awarded.is_zero();
        let quoted =
            points.iter().filter(|_| rests_on_words).flat_map(|point| point.evidence.iter().copied());
        LeafOutcome {
            label: leaf.label.map(str::to_owned),
            awarded,
            available,
            evidence: quoted.collect(),
            points,
            feedback,
            confidence,
            flags,
            // How sure an endpoint says it is has nothing to do with the rest of the script.
            doubted_below: None,
        }
    }

    /// The built-in engine's outcome for one leaf.
    fn by_builtin(
        &self,
        task: &Task<'_>,
        leaf: &Leaf<'_>,
        answer: &Answer,
        after_fault: bool,
    ) -> Result<LeafOutcome, Error> {
        let label = leaf.label.map(str::to_owned);
        // The other leaves' answers go along, so that marks can follow on from them.
        let others = task.answers.iter().filter(|given| given.label != label).cloned();
        let answers = others.chain([LeafAnswer { label: label.clone(), answer: answer.clone() }]).collect();
        let outcome = self.builtin.mark(&Task { answers, ..task.clone() })?;
        let mut found = outcome.leaves.into_iter().find(|found| found.label == label).unwrap_or_default();
        if after_fault && !found.flags.contains(&Flag::NotAttempted) {
            cast_doubt(&mut found);
        }
        Ok(found)
    }
}

/// A try that failed, and whether another may help after a pause.
struct Failed {
    error: Error,
    again: Option<Option<Duration>>,
}

/// What a status other than 200 means.
fn refused(response: &Response) -> Failed {
    let again = matches!(response.status, 408 | 429 | 500..=599).then(|| {
        response.retry_after_seconds.map(|seconds| Duration::from_secs(seconds.min(PAUSE_SECONDS_MAX)))
    });
    Failed { error: Error::Unavailable(format!("it answered with status {}", response.status)), again }
}
