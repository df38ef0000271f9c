//! Changing the scheme after it was approved: a change of one question's key is tried on every script that can still
//! change, shown, and applied or discarded.
//!
//! Both the trying and the applying are done in the background, script by script, from what was read of each when it was
//! first marked. They can stop anywhere and run twice: a trial notes each script it has tried, and applying goes on with
//! whatever is marked by an older version than the paper has. The paper is locked while a change is put down, applied or
//! discarded, so that two teachers come one after the other; what was tried for a change that is gone is not noted.

use super::named::place_named;
use super::scheme::{Preview, Scheme, none_there};
use crate::idempotency::{Render, Reply};
use crate::jobs::{Kind, Lane};
use crate::papers::StoredQuestion;
use crate::reviews::{Line, ReviewError, difference};
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::id::{ChangeId, PaperId};
use domain::idempotency::Claim;
use domain::paper::Paper;
use domain::question::{PointChange, Question, Wrong};
use domain::refusal::Refusal;
use domain::review::{Action, Closed, ReviewLink};
use domain::submission::Submission;
use jiff::Timestamp;
use marker::Leaf;
use serde_json::json;
use store::desk::amendments::{self, Amendment, SchemeVersion};
use store::{Locked, Tx, jobs, papers, questions, turns};

/// Ends a sentence about an amendment that another has replaced, or that is gone.
const NOT_LOOKED_AT: &str = "is not the change that is looked at now";

/// A change as the API takes it.
#[derive(Clone, Debug)]
pub struct NewAmendment {
    /// The question's number as printed, or its id.
    pub question: String,
    /// What becomes of its points.
    pub points: Vec<PointChange>,
    /// Who wants it.
    pub reviewer: Option<String>,
}

/// Whose scheme is amended, and by whom.
#[derive(Clone, Debug)]
struct Hand {
    owner: Owner,
    paper: PaperId,
    reviewer: Option<String>,
}

/// What a question is to become.
#[derive(Clone, Debug)]
enum Wanted {
    /// The one at this place, with the keys of this one.
    Keys(u32, Box<Question>),
    /// The one that is named so, with some of its points changed.
    Points(String, Vec<PointChange>),
}

impl Hand {
    fn of(link: &ReviewLink) -> Hand {
        let reviewer = Some(link.reviewer.as_str().to_owned());
        Hand { owner: link.owner, paper: link.paper_id, reviewer }
    }
}

impl Wanted {
    /// The place of the question, and what it becomes.
    fn of(&self, all: &[StoredQuestion]) -> Result<(u32, Question), ReviewError> {
        match self {
            Wanted::Keys(place, question) => {
                let current = all.get(*place as usize).map(|stored| &stored.question);
                let current = current.ok_or_else(|| wrong("question", "is not in the paper"))?;
                amended(current, question).map(|amended| (*place, amended)).map_err(ReviewError::Wrong)
            }
            Wanted::Points(name, points) => {
                let place = place_named(all, name)?;
                let current = &all[place as usize].question;
                let wanted = current.with_points(points).map_err(ReviewError::Wrong)?;
                // What is wrong with the whole was said by its points.
                let amended = amended(current, &wanted).map_err(|Wrong { problem, .. }| {
                    ReviewError::Wrong(Wrong { path: "points".to_owned(), problem })
                })?;
                Ok((place, amended))
            }
        }
    }
}

impl Service {
    /// Puts a change of one question's key down, to be tried on all scripts, in place of the one that the person saw
    /// being looked at; where that is said, another person's is not put aside unseen.
    #[crate::boxed]
    pub async fn desk_amend(
        &self,
        link: &ReviewLink,
        place: u32,
        question: Question,
        seen: Option<Option<String>>,
    ) -> Result<(), ReviewError> {
        question.check().map_err(ReviewError::Wrong)?;
        self.lay_out_all(link.owner, link.paper_id).await?;
        let wanted = Wanted::Keys(place, Box::new(question));
        let input = (self.clone(), Hand::of(link), wanted, seen, self.now());
        let put = self.0.store.write(input, |tx, (service, hand, wanted, seen, now)| {
            Box::pin(async move {
                let paper = locked_ready(tx, hand).await?;
                let found = amendments::lock(tx, paper.id).await?.map(|found| found.id.clone());
                if seen.as_ref().is_some_and(|seen| *seen != found) {
                    return Err(wrong("seen", NOT_LOOKED_AT));
                }
                service.put_amendment(tx, &paper, hand, wanted, *now).await.map(drop)
            })
        });
        put.await
    }

    /// The same by API.
    #[crate::boxed]
    pub async fn amend_scheme(
        &self,
        caller: &Caller,
        id: PaperId,
        new: NewAmendment,
        claim: Option<Claim>,
        render: Render<Preview>,
    ) -> Result<Reply, Error> {
        let hand = Hand { owner: caller.owner(), paper: id, reviewer: new.reviewer };
        self.lay_out_all(hand.owner, id).await?;
        let input = (self.clone(), hand, Wanted::Points(new.question, new.points), self.now());
        self.once(
            claim,
            input,
            |tx, (service, hand, wanted, now)| {
                Box::pin(async move {
                    let by_api = |error| by_api(error, hand.paper);
                    let paper = locked_ready(tx, hand).await.map_err(by_api)?;
                    service.put_amendment(tx, &paper, hand, wanted, *now).await.map_err(by_api)
                })
            },
            render,
        )
        .await
    }

    async fn put_amendment(
        &self,
        tx: &mut Tx,
        paper: &Locked<Paper>,
        hand: &Hand,
        wanted: &Wanted,
        now: Timestamp,
    ) -> Result<Preview, ReviewError> {
        let all = questions::of_paper(tx, paper.id).await?;
        let (place, question) = wanted.of(&all)?;
        let current = &all[place as usize];
        let (before, after) = difference(&current.question, &question);
        let line = Line {
            question: Some((current.id, current.question.number.clone())),
            before: Some(before),
            after: Some(after),
            ..Line::new(Action::Amend, hand.reviewer.as_deref())
        };
        self.record_change(tx, paper.id, line, now).await?;
        let amendment = Amendment {
            id: self.id::<ChangeId>(now).to_string(),
            place,
            question,
            base: paper.scheme_version,
            reviewer: hand.reviewer.clone(),
            is_previewed: false,
            created_at: now,
        };
        amendments::put(tx, paper.id, &amendment).await?;
        self.ask_to_amend(tx, paper, now).await?;
        Ok(Preview::begun(paper, amendment))
    }

    /// Forgets the change that was looked at, which must be the one that is named.
    #[crate::boxed]
    pub async fn desk_discard_amendment(&self, link: &ReviewLink, id: String) -> Result<(), ReviewError> {
        let input = (self.clone(), Hand::of(link), id, self.now());
        let discarded = self.0.store.write(input, |tx, (service, hand, id, now)| {
            Box::pin(async move {
                let paper = locked_ready(tx, hand).await?;
                let amendment = looked_at(tx, &paper, id).await?;
                Ok::<_, ReviewError>(service.discard(tx, hand, &amendment, *now).await?)
            })
        });
        discarded.await
    }

    /// The same by API, whichever it is.
    #[crate::boxed]
    pub async fn discard_amendment(&self, caller: &Caller, id: PaperId) -> Result<(), Error> {
        let hand = Hand { owner: caller.owner(), paper: id, reviewer: None };
        let discarded = self.0.store.write((self.clone(), hand, self.now()), |tx, (service, hand, now)| {
            Box::pin(async move {
                let paper = locked_ready(tx, hand).await.map_err(|error| by_api(error, hand.paper))?;
                let found = amendments::lock(tx, paper.id).await?;
                let amendment = found.ok_or_else(|| none_there(paper.id))?;
                service.discard(tx, hand, &amendment, *now).await
            })
        });
        discarded.await
    }

    async fn discard(
        &self,
        tx: &mut Tx,
        hand: &Hand,
        amendment: &Locked<Amendment>,
        now: Timestamp,
    ) -> Result<(), Error> {
        amendments::discard(tx, hand.paper).await?;
        let line = about(tx, hand, Action::Discard, amendment).await?;
        self.record_change(tx, hand.paper, line, now).await
    }

    /// Makes the change that was looked at count: from now on scripts are marked by it, and those that are marked and not
    /// released follow in the background.
    #[crate::boxed]
    pub async fn desk_apply_amendment(&self, link: &ReviewLink, id: String) -> Result<(), ReviewError> {
        let input = (self.clone(), Hand::of(link), id, self.now());
        let applied = self.0.store.write(input, |tx, (service, hand, id, now)| {
            Box::pin(async move { service.apply_looked_at(tx, hand, id, *now).await.map(drop) })
        });
        applied.await
    }

    /// The same by API; the answer has the scheme as it is then.
    #[crate::boxed]
    pub async fn apply_amendment(
        &self,
        caller: &Caller,
        id: PaperId,
        amendment: String,
        claim: Option<Claim>,
        render: Render<Scheme>,
    ) -> Result<Reply, Error> {
        let hand = Hand { owner: caller.owner(), paper: id, reviewer: None };
        let input = (self.clone(), hand, amendment, self.now());
        self.once(
            claim,
            input,
            |tx, (service, hand, amendment, now)| {
                Box::pin(async move {
                    let applied = service.apply_looked_at(tx, hand, amendment, *now).await;
                    let paper = applied.map_err(|error| by_api(error, hand.paper))?;
                    Scheme::of(tx, &paper).await
                })
            },
            render,
        )
        .await
    }

    /// Applies the change that was looked at, which must be the one that is named; gives the paper as it is then.
    async fn apply_looked_at(
        &self,
        tx: &mut Tx,
        hand: &Hand,
        id: &str,
        now: Timestamp,
    ) -> Result<Paper, ReviewError> {
        let paper = locked_ready(tx, hand).await?;
        let amendment = looked_at(tx, &paper, id).await?;
        if !amendment.is_previewed {
            return Err(wrong("amendment_id", "names a change that is still being tried on the scripts"));
        }
        let changed = self.apply(tx, &paper, &amendment, now).await?;
        let line = Line {
            before: Some(json!({"scheme_version": paper.scheme_version})),
            after: Some(json!({"scheme_version": changed.scheme_version})),
            ..about(tx, hand, Action::Apply, &amendment).await?
        };
        self.record_change(tx, paper.id, line, now).await?;
        Ok(changed)
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        paper: &Locked<Paper>,
        amendment: &Amendment,
        now: Timestamp,
    ) -> Result<Paper, ReviewError> {
        let mut all = questions::of_paper(tx, paper.id).await?;
        let before: Vec<Question> = all.iter().map(|stored| stored.question.clone()).collect();
        let place = amendment.place as usize;
        let stored = all.get_mut(place).ok_or_else(|| wrong("question", "is not in the paper"))?;
        stored.question = amendment.question.clone();
        stored.version += 1;
        questions::save(tx, paper.id, stored).await?;
        let approved_at = paper.approved_at().unwrap_or(paper.created_at);
        let first = SchemeVersion { version: paper.scheme_version, reviewer: None, created_at: approved_at };
        amendments::keep(tx, paper.id, &first, &before).await?;
        let version = paper.scheme_version + 1;
        let next = SchemeVersion { version, reviewer: amendment.reviewer.clone(), created_at: now };
        let after: Vec<Question> = all.into_iter().map(|stored| stored.question).collect();
        amendments::keep(tx, paper.id, &next, &after).await?;
        amendments::discard(tx, paper.id).await?;
        self.ask_to_amend(tx, paper, now).await?;
        turns::take(tx, paper.owner, now).await?;
        let changed = Paper { scheme_version: version, updated_at: tx.time()?, ..Paper::clone(paper) };
        papers::save(tx, paper, &changed).await?;
        Ok(changed)
    }

    pub(crate) async fn ask_to_amend(&self, tx: &mut Tx, paper: &Paper, now: Timestamp) -> Result<(), Error> {
        let work = (Kind::Amend.name(), Lane::Desk.name());
        Ok(jobs::enqueue(tx, self.id(now), work, paper.owner.0, &paper.id.to_string(), now).await?)
    }

    /// Asks for the work where a script that is being written is marked by an older version than the paper has.
    pub(crate) async fn ask_to_amend_if_behind(
        &self,
        tx: &mut Tx,
        submission: &Submission,
        version: u32,
        now: Timestamp,
    ) -> Result<(), Error> {
        let paper = papers::any_by_id(tx, submission.paper_id).await?;
        let behind = paper.filter(|paper| paper.scheme_version > i64::from(version));
        match behind {
            Some(paper) => self.ask_to_amend(tx, &paper, now).await,
            None => Ok(()),
        }
    }
}

/// The paper, locked, so that changes of its scheme come one after the other.
async fn locked_ready(tx: &mut Tx, hand: &Hand) -> Result<Locked<Paper>, ReviewError> {
    let paper = papers::lock(tx, hand.owner, hand.paper).await?;
    let paper = paper.ok_or(ReviewError::Closed(Closed::Unknown))?;
    paper.must_be_ready().map_err(Error::from)?;
    Ok(paper)
}

/// The change that is looked at, which must be the one that is named.
async fn looked_at(tx: &mut Tx, paper: &Paper, id: &str) -> Result<Locked<Amendment>, ReviewError> {
    let found = amendments::lock(tx, paper.id).await?.filter(|found| found.id == *id);
    found.ok_or_else(|| wrong("amendment_id", NOT_LOOKED_AT))
}

/// A line of the record about what became of a change.
async fn about<'h>(
    tx: &mut Tx,
    hand: &'h Hand,
    action: Action,
    amendment: &Amendment,
) -> Result<Line<'h>, Error> {
    let question = questions::of_paper(tx, hand.paper).await?.into_iter().nth(amendment.place as usize);
    let question = question.map(|stored| (stored.id, stored.question.number));
    Ok(Line { question, ..Line::new(action, hand.reviewer.as_deref()) })
}

/// What the desk would be told, as the API says it.
fn by_api(error: ReviewError, paper: PaperId) -> Error {
    match error {
        ReviewError::Wrong(Wrong { path, problem }) => {
            let problem = format!("The parameter {path} {problem}.");
            Error::from(Refusal::WrongAdjustment { problem }).at(path)
        }
        ReviewError::Other(error) => error,
        ReviewError::Closed(_) | ReviewError::Changed(_) => Error::missing("paper", paper),
    }
}

fn wrong(path: &str, problem: &str) -> ReviewError {
    ReviewError::Wrong(unfit(path, problem))
}

fn unfit(path: &str, problem: &str) -> Wrong {
    Wrong { path: path.to_owned(), problem: problem.to_owned() }
}

/// The question with the keys of another, which may differ in nothing else: what was asked was asked, and what a part is
/// worth was promised.
fn amended(current: &Question, wanted: &Question) -> Result<Question, Wrong> {
    let mut amended = current.clone();
    amended.answer_key.clone_from(&wanted.answer_key);
    if wanted.parts.len() != current.parts.len() {
        return Err(unfit("parts", "must be those of the paper"));
    }
    for (part, other) in amended.parts.iter_mut().zip(&wanted.parts) {
        part.answer_key.clone_from(&other.answer_key);
    }
    let worth = |question: &Question| -> Vec<_> { Leaf::all(question).iter().map(Leaf::available).collect() };
    if worth(&amended) != worth(current) {
        return Err(unfit("answer_key", "must leave every part worth what the paper says"));
    }
    if amended.is_empty() || amended.lacks_key() && !current.lacks_key() {
        return Err(unfit("answer_key", "must have something that earns marks"));
    }
    if amended == *current {
        return Err(unfit("answer_key", "is what the scheme says already"));
    }
    Ok(amended)
}
