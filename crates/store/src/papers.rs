//! Papers with their questions.

use crate::codec::Columns;
use crate::desk::{amendments, lessons};
use crate::list::List;
use crate::locked::{self, Changeable};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Sql, Tx, lti, results, reviews, sql};
use domain::account::Owner;
use domain::billing::{Billing, BillingStatus};
use domain::failure::FailureCode;
use domain::grading::{FeedbackLevel, Grading, Release, Strictness};
use domain::id::{Identifier as _, PaperId};
use domain::marks::Marks;
use domain::metadata::Metadata;
use domain::paging::Slice;
use domain::paper::{Document, Paper, PaperFilter, State, Status, TestOutcome, Warning};
use domain::submission::{self, Counts};
use domain::text::ShortLine;
use jiff::Timestamp;

const TABLE: &str = "papers JOIN paper_counts ON paper_counts.paper_id = papers.id";
macro_rules! columns {
    () => {
        "id, account_id, mode, title, subject_id, status, failure_code, warnings, question_paper_file, \
         question_paper_is_fetched, question_paper_pages, marking_scheme_file, marking_scheme_is_fetched, \
         marking_scheme_pages, question_count, total_marks, results_release, strictness, feedback, instructions, \
         billing_status, billing_pages, billing_credits, external_id, metadata, test_outcome, created_at, \
         approved_at, updated_at, hold_doubtful, printed_total, learning, scheme_version"
    };
}
macro_rules! counts {
    () => {
        "queued, processing, graded, released, failed, canceled"
    };
}
const COLUMNS: &str = columns!();
const SHOWN: &str = concat!(columns!(), ", ", counts!());

struct PaperRow(Paper);

impl FromRow for PaperRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("papers", row);
        let document = |column: usize| -> Result<Document, Error> {
            Ok(Document {
                file_id: columns.id(column)?,
                is_fetched: row.bool(column + 1)?,
                pages: columns.opt_count(column + 2)?,
            })
        };
        let status = columns.parsed(5, "status", Status::parse)?;
        let failure = columns.opt_parsed(6, "failure_code", FailureCode::parse)?;
        let state = state(status, failure, columns.opt_time(27)?);
        Ok(PaperRow(Paper {
            id: columns.id(0)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            title: ShortLine::trusted(row.text(3)?),
            subject_id: columns.id(4)?,
            state: state.ok_or_else(|| columns.corrupt("status"))?,
            warnings: columns.parsed(7, "warnings", parse_warnings)?,
            question_paper: document(8)?,
            marking_scheme: document(11)?,
            question_count: columns.opt_count(14)?,
            total_marks: columns.opt_count(15)?.map(Marks::halves),
            printed_total: columns.opt_count(30)?.map(Marks::halves),
            scheme_version: row.int(32)?,
            release: columns.parsed(16, "results_release", Release::parse)?,
            grading: Grading {
                strictness: columns.parsed(17, "strictness", Strictness::parse)?,
                feedback: columns.parsed(18, "feedback", FeedbackLevel::parse)?,
                instructions: row.opt_text(19)?,
                hold_doubtful: row.bool(29)?,
                learning: row.bool(31)?,
            },
            billing: columns.billing(20)?,
            external_id: row.opt_text(23)?.map(ShortLine::trusted),
            metadata: columns.parsed(24, "metadata", Metadata::from_json)?,
            test_outcome: columns.opt_parsed(25, "test_outcome", TestOutcome::parse)?,
            created_at: columns.time(26)?,
            updated_at: columns.time(28)?,
            counts: Counts {
                queued: columns.count(33)?,
                processing: columns.count(34)?,
                graded: columns.count(35)?,
                released: columns.count(36)?,
                failed: columns.count(37)?,
                canceled: columns.count(38)?,
            },
        }))
    }
}

impl Columns<'_> {
    /// Three columns: status, pages, credits.
    pub(crate) fn billing(&self, column: usize) -> Result<Billing, Error> {
        Ok(Billing {
            status: self.parsed(column, "billing_status", BillingStatus::parse)?,
            pages: self.opt_count(column + 1)?,
            credits: self.opt_credits(column + 2)?,
        })
    }
}

fn state(status: Status, failure: Option<FailureCode>, approved_at: Option<Timestamp>) -> Option<State> {
    match status {
        Status::Processing => Some(State::Processing),
        Status::AwaitingReview => Some(State::AwaitingReview),
        Status::Ready => approved_at.map(|approved_at| State::Ready { approved_at }),
        Status::Failed => failure.map(|code| State::Failed { code }),
    }
}

fn parse_warnings(text: &str) -> Option<Vec<Warning>> {
    text.split_whitespace().map(Warning::parse).collect()
}

fn warnings_text(warnings: &[Warning]) -> String {
    warnings.iter().map(|warning| warning.name()).collect::<Vec<_>>().join(" ")
}

/// Adds a paper, without submissions.
pub async fn insert(tx: &mut Tx, paper: &Paper) -> Result<(), Error> {
    tx.must_have_given(paper.updated_at)?;
    let id = paper.id.to_string();
    let places = (1..=33).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    let credits = paper.billing.credits.map(domain::credit::Credits::signed);
    tx.queue(
        sql(format!("INSERT INTO papers ({COLUMNS}) VALUES ({places})"))
            .bind(&id)
            .bind(paper.owner.0.to_string())
            .bind(paper.owner.1.name())
            .bind(paper.title.as_str())
            .bind(paper.subject_id.to_string())
            .bind(paper.state.status().name())
            .bind(paper.failure().map(FailureCode::name))
            .bind(warnings_text(&paper.warnings))
            .bind(paper.question_paper.file_id.to_string())
            .bind(paper.question_paper.is_fetched)
            .bind(paper.question_paper.pages)
            .bind(paper.marking_scheme.file_id.to_string())
            .bind(paper.marking_scheme.is_fetched)
            .bind(paper.marking_scheme.pages)
            .bind(paper.question_count)
            .bind(paper.total_marks.map(Marks::as_halves))
            .bind(paper.release.name())
            .bind(paper.grading.strictness.name())
            .bind(paper.grading.feedback.name())
            .bind(paper.grading.instructions.as_deref())
            .bind(paper.billing.status.name())
            .bind(paper.billing.pages)
            .bind(credits)
            .bind(paper.external_id.as_ref().map(ShortLine::as_str))
            .bind(paper.metadata.to_json())
            .bind(paper.test_outcome.map(TestOutcome::name))
            .bind(paper.created_at)
            .bind(paper.approved_at())
            .bind(paper.updated_at)
            .bind(paper.grading.hold_doubtful)
            .bind(paper.printed_total.map(Marks::as_halves))
            .bind(paper.grading.learning)
            .bind(paper.scheme_version),
    )
    .await?;
    let statement =
        concat!("INSERT INTO paper_counts (paper_id, ", counts!(), ") VALUES ($1, 0, 0, 0, 0, 0, 0)");
    tx.queue(sql(statement).bind(id)).await
}

/// Writes what changed of a paper.
pub async fn save(tx: &mut Tx, from: &Locked<Paper>, to: &Paper) -> Result<(), Error> {
    if to.updated_at != from.updated_at {
        tx.must_have_given(to.updated_at)?;
    }
    locked::save(tx, ("papers", &to.id.to_string()), from, to, changeable).await
}

fn changeable(paper: &Paper) -> Changeable<'_> {
    vec![
        ("title", paper.title.as_str().into()),
        ("status", paper.state.status().name().into()),
        ("failure_code", paper.failure().map(FailureCode::name).into()),
        ("warnings", warnings_text(&paper.warnings).into()),
        ("question_paper_pages", paper.question_paper.pages.into()),
        ("marking_scheme_pages", paper.marking_scheme.pages.into()),
        ("question_count", paper.question_count.into()),
        ("total_marks", paper.total_marks.map(Marks::as_halves).into()),
        ("billing_status", paper.billing.status.name().into()),
        ("billing_pages", paper.billing.pages.into()),
        ("billing_credits", paper.billing.credits.map(domain::credit::Credits::signed).into()),
        ("external_id", paper.external_id.as_ref().map(ShortLine::as_str).into()),
        ("metadata", paper.metadata.to_json().into()),
        ("approved_at", paper.approved_at().into()),
        ("updated_at", paper.updated_at.into()),
        ("printed_total", paper.printed_total.map(Marks::as_halves).into()),
        ("scheme_version", paper.scheme_version.into()),
    ]
}

/// The account's paper of this id.
pub async fn by_id(db: &mut Db, owner: Owner, id: PaperId) -> Result<Option<Paper>, Error> {
    let query = owned(owner, id);
    Ok(db.one::<PaperRow>(query).await?.map(|row| row.0))
}

/// The paper of this id, whoever owns it: for background work and the operator.
pub async fn any_by_id(db: &mut Db, id: PaperId) -> Result<Option<Paper>, Error> {
    let statement = format!("SELECT {SHOWN} FROM {TABLE} WHERE id = $1");
    Ok(db.one::<PaperRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The account's paper of this id, for changing.
pub async fn lock(tx: &mut Tx, owner: Owner, id: PaperId) -> Result<Option<Locked<Paper>>, Error> {
    let query = owned(owner, id);
    Ok(tx.lock::<PaperRow>("papers", query).await?.map(|row| row.map(|row| row.0)))
}

/// The same, and with it the account's turn: for a change that locks nothing after it.
pub async fn lock_in_turn(
    tx: &mut Tx,
    owner: Owner,
    id: PaperId,
    now: Timestamp,
) -> Result<Option<Locked<Paper>>, Error> {
    let query = owned(owner, id);
    let row = tx.lock_in_turn::<PaperRow>("papers", query, owner, now).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

fn owned((account, mode): Owner, id: PaperId) -> Sql<'static> {
    let statement = format!("SELECT {SHOWN} FROM {TABLE} WHERE id = $1 AND account_id = $2 AND mode = $3");
    sql(statement).bind(id.to_string()).bind(account.to_string()).bind(mode.name())
}

/// The paper of this id, whoever owns it, for changing.
pub async fn lock_any(tx: &mut Tx, id: PaperId) -> Result<Option<Locked<Paper>>, Error> {
    let statement = format!("SELECT {SHOWN} FROM {TABLE} WHERE id = $1");
    let row = tx.lock::<PaperRow>("papers", sql(statement).bind(id.to_string())).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

/// A page of the account's papers and one row more.
pub async fn list(
    db: &mut Db,
    (account, mode): Owner,
    filter: &PaperFilter,
    slice: Slice,
) -> Result<Vec<Paper>, Error> {
    let rows = List::<PaperId>::new(TABLE, SHOWN, account, mode, slice)
        .filter("status", filter.status.map(Status::name))
        .filter("subject_id", filter.subject_id.as_deref())
        .filter_few("external_id", filter.external_id.as_deref())
        .fetch::<PaperRow>(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Takes an external id for a paper. Otherwise gives the paper that holds it.
pub async fn take_external_id(
    db: &mut Db,
    (account, mode): Owner,
    external_id: &str,
    paper: PaperId,
) -> Result<Result<(), PaperId>, Error> {
    let statement = "INSERT INTO paper_external_ids (account_id, mode, external_id, paper_id) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, mode, external_id) DO NOTHING";
    let key = |statement: &'static str| {
        sql(statement).bind(account.to_string()).bind(mode.name()).bind(external_id.to_owned())
    };
    if db.execute(key(statement).bind(paper.to_string())).await? == 1 {
        return Ok(Ok(()));
    }
    let holder =
        "SELECT paper_id FROM paper_external_ids WHERE account_id = $1 AND mode = $2 AND external_id = $3";
    let holder = db.one::<String>(key(holder)).await?.and_then(|id| PaperId::parse(&id));
    // The holder may just have been deleted by another transaction; the paper itself is then named.
    Ok(Err(holder.unwrap_or(paper)))
}

/// Lets go of an external id.
pub async fn free_external_id(db: &mut Db, (account, mode): Owner, external_id: &str) -> Result<(), Error> {
    let statement = "DELETE FROM paper_external_ids WHERE account_id = $1 AND mode = $2 AND external_id = $3";
    db.queue(sql(statement).bind(account.to_string()).bind(mode.name()).bind(external_id)).await
}

/// Counts a submission that moves from one status to another; `None` for one that comes or goes.
pub async fn count(
    db: &mut Db,
    id: PaperId,
    from: Option<submission::Status>,
    to: Option<submission::Status>,
) -> Result<(), Error> {
    if from == to {
        return Ok(());
    }
    let less = from.map(|status| format!("{0} = {0} - 1", status.name()));
    let more = to.map(|status| format!("{0} = {0} + 1", status.name()));
    let changes: Vec<String> = less.into_iter().chain(more).collect();
    let statement = format!("UPDATE paper_counts SET {} WHERE paper_id = $1", changes.join(", "));
    db.queue(sql(statement).bind(id.to_string())).await
}

/// Takes a submission's place on the paper if the paper still takes submissions. It touches the row that a
/// deletion of the paper touches too, so that the two cannot pass each other.
pub async fn count_new(db: &mut Db, id: PaperId) -> Result<bool, Error> {
    let statement = "UPDATE paper_counts SET queued = queued + 1 WHERE paper_id = $1";
    Ok(db.execute(sql(statement).bind(id.to_string())).await? == 1)
}

/// Deletes a paper and its questions, if nothing of it is worked on. False: something is.
pub async fn delete(tx: &mut Tx, paper: &Locked<Paper>) -> Result<bool, Error> {
    paper.must_be_held_by(tx)?;
    let id = paper.id.to_string();
    let statement = "DELETE FROM paper_counts WHERE paper_id = $1 AND queued = 0 AND processing = 0";
    if tx.execute(sql(statement).bind(&id)).await? == 0 {
        return Ok(false);
    }
    for statement in ["DELETE FROM papers WHERE id = $1", "DELETE FROM questions WHERE paper_id = $1"] {
        tx.queue(sql(statement).bind(id.clone())).await?;
    }
    results::forget(tx, paper.id).await?;
    reviews::delete_of(tx, paper.id).await?;
    lessons::forget(tx, paper.id).await?;
    amendments::forget(tx, paper.id).await?;
    lti::forget_paper(tx, paper.id).await?;
    if let Some(external_id) = &paper.external_id {
        free_external_id(tx, paper.owner, external_id.as_str()).await?;
    }
    Ok(true)
}

/// Papers that have been in the making since before `before`.
pub async fn overdue(db: &mut Db, before: Timestamp, rows: i64) -> Result<Vec<PaperId>, Error> {
    let statement = "SELECT id FROM papers WHERE status = 'processing' AND created_at < $1 \
                     ORDER BY created_at LIMIT $2";
    let ids = db.all::<String>(sql(statement).bind(before).bind(rows)).await?;
    Ok(ids.iter().filter_map(|id| PaperId::parse(id)).collect())
}
