//! A class in figures and as a table.

use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::id::PaperId;
use domain::learning;
use domain::marks::Marks;
use domain::paging::{Limit, Slice, Window};
use domain::paper::Paper;
use domain::report::Marksheet;
use domain::result::PartKey;
use domain::statistics::{Agreement, ClassStatistics};
use domain::submission::{Submission, SubmissionFilter};
use std::collections::BTreeMap;
use store::desk::{Checked, lessons};
use store::{desk, papers, submissions};

/// Scripts of one paper that figures are made from at most.
const SCRIPTS_MAX: usize = 100_000;
/// Checked answers of one paper that the agreement is made from at most.
const CHECKED_MAX: i64 = 500_000;
/// Scripts that are read at once.
const READ_AT_ONCE: i64 = 1000;

/// A submission with its marks, question by question; none before it is marked.
#[derive(Clone, Debug)]
pub struct MarkedScript {
    /// The submission.
    pub submission: Submission,
    /// Its marks.
    pub sheet: Option<Marksheet>,
}

impl Service {
    /// The paper's marked scripts in figures.
    #[crate::boxed]
    pub async fn statistics(&self, caller: &Caller, id: PaperId) -> Result<(Paper, ClassStatistics), Error> {
        let owner = caller.owner();
        let paper = papers::by_id(&mut *self.0.store.read().await?, owner, id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", id))?;
        let figures = self.class_statistics(&paper).await?;
        Ok((paper, figures))
    }

    pub(crate) async fn class_statistics(&self, paper: &Paper) -> Result<ClassStatistics, Error> {
        self.lay_out_all(paper.owner, paper.id).await?;
        let read = self.0.store.scan(paper.id, |db, id| {
            Box::pin(async move {
                let mut sheets: Vec<Marksheet> = Vec::new();
                let mut after = None;
                while sheets.len() < SCRIPTS_MAX {
                    let some = desk::scripts_of(db, *id, after, READ_AT_ONCE).await?;
                    let Some(last) = some.last() else { break };
                    after = Some(last.submission_id);
                    sheets.extend(some.into_iter().map(|script| script.sheet));
                }
                let checked = desk::checked_of(db, *id, CHECKED_MAX).await?;
                let mut answers: BTreeMap<PartKey, usize> = BTreeMap::new();
                for key in checked.iter().map(|checked| &checked.key) {
                    if !answers.contains_key(key) {
                        let count = lessons::count_answers(db, *id, key).await?;
                        answers.insert(key.clone(), count);
                    }
                }
                Ok::<_, Error>((sheets, checked, answers))
            })
        });
        let (sheets, checked, answers) = read.await?;
        let mut figures = ClassStatistics::of(&sheets);
        for (place, question) in (0_u32..).zip(&mut figures.questions) {
            let own = checked.iter().filter(|checked| checked.key.question == place);
            question.agreement = agreement(own, &answers);
        }
        Ok(figures)
    }

    /// All the caller's submissions of a paper that the filter leaves, newest first, with their marks.
    #[crate::boxed]
    pub async fn marks_table(
        &self,
        caller: &Caller,
        paper: PaperId,
        filter: &SubmissionFilter,
        window: Window,
    ) -> Result<Vec<MarkedScript>, Error> {
        self.marks_in(caller.owner(), paper, filter.clone(), window).await
    }

    /// The same of a whole paper.
    pub(crate) async fn marks_of(&self, owner: Owner, paper: PaperId) -> Result<Vec<MarkedScript>, Error> {
        let filter = SubmissionFilter { paper_id: Some(paper.to_string()), ..SubmissionFilter::default() };
        self.marks_in(owner, paper, filter, Window::default()).await
    }

    async fn marks_in(
        &self,
        owner: Owner,
        paper: PaperId,
        filter: SubmissionFilter,
        window: Window,
    ) -> Result<Vec<MarkedScript>, Error> {
        self.lay_out_all(owner, paper).await?;
        let input = (owner, filter, window);
        let read = self.0.store.scan(input, |db, (owner, filter, window)| {
            Box::pin(async move {
                let mut rows: Vec<MarkedScript> = Vec::new();
                let limit = Limit::new(i64::from(Limit::MAX)).unwrap_or(Limit::DEFAULT);
                let mut slice = Slice { limit, after: None, window: *window };
                let by_change = window.updated_after.is_some();
                while rows.len() < SCRIPTS_MAX {
                    let mut page = submissions::list(db, *owner, filter, slice).await?;
                    let has_more = page.len() > limit.items();
                    page.truncate(limit.items());
                    let place = if by_change { Submission::change_position } else { Submission::position };
                    slice.after = page.last().map(place);
                    for submission in page {
                        let sheet = desk::script(db, submission.id).await?.map(|script| script.sheet);
                        rows.push(MarkedScript { submission, sheet });
                    }
                    if !has_more {
                        break;
                    }
                }
                Ok::<_, Error>(rows)
            })
        });
        read.await
    }
}

/// How well machine and person agree on a question: on the answers that nobody chose, with the marks that these would
/// have got; before any of those is checked, on all that are, with the engine's own marks. `answers` says how many
/// answers to each part there are.
fn agreement<'c>(
    checked: impl Iterator<Item = &'c Checked> + Clone,
    answers: &BTreeMap<PartKey, usize>,
) -> Option<Agreement> {
    let measured = checked.clone().filter(|one| {
        let count = answers.get(&one.key).copied().unwrap_or_default();
        learning::is_measured(one.submission_id, &one.key, count)
    });
    let followed = |one: &Checked| one.taught.as_ref().map_or(one.machine, |taught| taught.awarded);
    let measured: Vec<(Marks, Marks)> = measured.map(|one| (followed(one), one.given)).collect();
    if measured.is_empty() {
        let all: Vec<(Marks, Marks)> = checked.map(|one| (one.machine, one.given)).collect();
        return Agreement::of(&all);
    }
    Agreement::of(&measured).map(|found| Agreement { is_random: true, ..found })
}
