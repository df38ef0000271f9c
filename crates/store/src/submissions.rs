//! Submissions.

use crate::codec::Columns;
use crate::list::List;
use crate::locked::{self, Changeable};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Sql, Tx, desk, lti, sql};
use domain::account::Owner;
use domain::credit::Credits;
use domain::failure::FailureCode;
use domain::file::ContentType;
use domain::id::{FileId, Identifier as _, PaperId, SubmissionId};
use domain::marks::Marks;
use domain::metadata::Metadata;
use domain::paging::Slice;
use domain::result::Score;
use domain::submission::{ScriptFile, State, Status, Student, Submission, SubmissionFilter, TestOutcome};
use domain::text::ShortLine;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

const COLUMNS: &str = "id, account_id, mode, paper_id, status, failure_code, no_readable_answers, \
                       student_external_id, student_name, files, billing_status, billing_pages, \
                       billing_credits, score_awarded, score_available, metadata, test_outcome, created_at, \
                       started_at, graded_at, released_at, updated_at";

/// A file of the script as it stands in the `files` column.
#[derive(Serialize, Deserialize)]
struct FileEntry {
    id: String,
    fetched: bool,
    #[serde(rename = "type")]
    content_type: Option<String>,
    pages: Option<u32>,
}

struct SubmissionRow(Submission);

impl FromRow for SubmissionRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("submissions", row);
        let status = columns.parsed(4, "status", Status::parse)?;
        let failure = columns.opt_parsed(5, "failure_code", FailureCode::parse)?;
        let awarded = columns.opt_count(13)?.map(Marks::halves);
        let available = columns.opt_count(14)?.map(Marks::halves);
        Ok(SubmissionRow(Submission {
            id: columns.id(0)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            paper_id: columns.id(3)?,
            state: state(status, failure).ok_or_else(|| columns.corrupt("status"))?,
            no_readable_answers: row.bool(6)?,
            student: Student {
                external_id: ShortLine::trusted(row.text(7)?),
                name: row.opt_text(8)?.map(ShortLine::trusted),
            },
            files: columns.parsed(9, "files", parse_files)?,
            billing: columns.billing(10)?,
            score: awarded.zip(available).map(|(awarded, available)| Score::of(awarded, available)),
            metadata: columns.parsed(15, "metadata", Metadata::from_json)?,
            test_outcome: columns.opt_parsed(16, "test_outcome", TestOutcome::parse)?,
            created_at: columns.time(17)?,
            started_at: columns.opt_time(18)?,
            graded_at: columns.opt_time(19)?,
            released_at: columns.opt_time(20)?,
            updated_at: columns.time(21)?,
        }))
    }
}

fn state(status: Status, failure: Option<FailureCode>) -> Option<State> {
    match status {
        Status::Queued => Some(State::Queued),
        Status::Processing => Some(State::Processing),
        Status::Graded => Some(State::Graded),
        Status::Released => Some(State::Released),
        Status::Failed => failure.map(|code| State::Failed { code }),
        Status::Canceled => Some(State::Canceled),
    }
}

fn parse_files(text: &str) -> Option<Vec<ScriptFile>> {
    let entries: Vec<FileEntry> = serde_json::from_str(text).ok()?;
    let file = |entry: FileEntry| {
        let content_type = match entry.content_type {
            Some(name) => Some(ContentType::parse(&name)?),
            None => None,
        };
        let file_id = FileId::parse(&entry.id)?;
        Some(ScriptFile { file_id, is_fetched: entry.fetched, content_type, pages: entry.pages })
    };
    entries.into_iter().map(file).collect()
}

fn files_text(files: &[ScriptFile]) -> String {
    let entries: Vec<FileEntry> = files
        .iter()
        .map(|file| FileEntry {
            id: file.file_id.to_string(),
            fetched: file.is_fetched,
            content_type: file.content_type.map(|kind| kind.name().to_owned()),
            pages: file.pages,
        })
        .collect();
    serde_json::to_string(&entries).expect("the entries hold only what JSON can write")
}

/// Adds a submission.
pub async fn insert(tx: &mut Tx, submission: &Submission) -> Result<(), Error> {
    tx.must_have_given(submission.updated_at)?;
    let places = (1..=22).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    tx.queue(
        sql(format!("INSERT INTO submissions ({COLUMNS}) VALUES ({places})"))
            .bind(submission.id.to_string())
            .bind(submission.owner.0.to_string())
            .bind(submission.owner.1.name())
            .bind(submission.paper_id.to_string())
            .bind(submission.state.status().name())
            .bind(submission.failure().map(FailureCode::name))
            .bind(submission.no_readable_answers)
            .bind(submission.student.external_id.as_str())
            .bind(submission.student.name.as_ref().map(ShortLine::as_str))
            .bind(files_text(&submission.files))
            .bind(submission.billing.status.name())
            .bind(submission.billing.pages)
            .bind(submission.billing.credits.map(Credits::signed))
            .bind(submission.score.map(|score| score.awarded.as_halves()))
            .bind(submission.score.map(|score| score.available.as_halves()))
            .bind(submission.metadata.to_json())
            .bind(submission.test_outcome.map(TestOutcome::name))
            .bind(submission.created_at)
            .bind(submission.started_at)
            .bind(submission.graded_at)
            .bind(submission.released_at)
            .bind(submission.updated_at),
    )
    .await
}

/// Writes what changed of a submission.
pub async fn save(tx: &mut Tx, from: &Locked<Submission>, to: &Submission) -> Result<(), Error> {
    if to.updated_at != from.updated_at {
        tx.must_have_given(to.updated_at)?;
    }
    locked::save(tx, ("submissions", &to.id.to_string()), from, to, changeable).await
}

fn changeable(submission: &Submission) -> Changeable<'_> {
    vec![
        ("status", submission.state.status().name().into()),
        ("failure_code", submission.failure().map(FailureCode::name).into()),
        ("no_readable_answers", submission.no_readable_answers.into()),
        ("student_name", submission.student.name.as_ref().map(ShortLine::as_str).into()),
        ("files", files_text(&submission.files).into()),
        ("billing_status", submission.billing.status.name().into()),
        ("billing_pages", submission.billing.pages.into()),
        ("billing_credits", submission.billing.credits.map(Credits::signed).into()),
        ("score_awarded", submission.score.map(|score| score.awarded.as_halves()).into()),
        ("score_available", submission.score.map(|score| score.available.as_halves()).into()),
        ("metadata", submission.metadata.to_json().into()),
        ("started_at", submission.started_at.into()),
        ("graded_at", submission.graded_at.into()),
        ("released_at", submission.released_at.into()),
        ("updated_at", submission.updated_at.into()),
    ]
}

/// The account's submission of this id.
pub async fn by_id(db: &mut Db, owner: Owner, id: SubmissionId) -> Result<Option<Submission>, Error> {
    let query = owned(owner, id);
    Ok(db.one::<SubmissionRow>(query).await?.map(|row| row.0))
}

/// The submission of this id, whoever owns it: for background work and the operator.
pub async fn any_by_id(db: &mut Db, id: SubmissionId) -> Result<Option<Submission>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM submissions WHERE id = $1");
    Ok(db.one::<SubmissionRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The account's submission of this id, for changing.
pub async fn lock(tx: &mut Tx, owner: Owner, id: SubmissionId) -> Result<Option<Locked<Submission>>, Error> {
    let query = owned(owner, id);
    Ok(tx.lock::<SubmissionRow>("submissions", query).await?.map(|row| row.map(|row| row.0)))
}

/// The same, and with it the account's turn: for a change that locks nothing after it.
pub async fn lock_in_turn(
    tx: &mut Tx,
    owner: Owner,
    id: SubmissionId,
    now: Timestamp,
) -> Result<Option<Locked<Submission>>, Error> {
    let query = owned(owner, id);
    let row = tx.lock_in_turn::<SubmissionRow>("submissions", query, owner, now).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

fn owned((account, mode): Owner, id: SubmissionId) -> Sql<'static> {
    let statement =
        format!("SELECT {COLUMNS} FROM submissions WHERE id = $1 AND account_id = $2 AND mode = $3");
    sql(statement).bind(id.to_string()).bind(account.to_string()).bind(mode.name())
}

/// The submission of this id, whoever owns it, for changing.
pub async fn lock_any(tx: &mut Tx, id: SubmissionId) -> Result<Option<Locked<Submission>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM submissions WHERE id = $1");
    let row = tx.lock::<SubmissionRow>("submissions", sql(statement).bind(id.to_string())).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

/// A page of the account's submissions and one row more.
pub async fn list(
    db: &mut Db,
    (account, mode): Owner,
    filter: &SubmissionFilter,
    slice: Slice,
) -> Result<Vec<Submission>, Error> {
    let rows = List::<SubmissionId>::new("submissions", COLUMNS, account, mode, slice)
        .filter("paper_id", filter.paper_id.as_deref())
        .filter("status", filter.status.map(Status::name))
        .filter_few("student_external_id", filter.student_external_id.as_deref())
        .fetch::<SubmissionRow>(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Some submissions of a paper, for deleting them with it.
pub async fn lock_of_paper(tx: &mut Tx, paper: PaperId, rows: i64) -> Result<Vec<Locked<Submission>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM submissions WHERE paper_id = $1 ORDER BY id LIMIT $2");
    let query = sql(statement).bind(paper.to_string()).bind(rows);
    let rows = tx.lock_all::<SubmissionRow>("submissions", query).await?;
    Ok(rows.into_iter().map(|row| row.map(|row| row.0)).collect())
}

/// Makes this the student's script for the paper. Otherwise gives the one that is.
pub async fn take_place(
    db: &mut Db,
    paper: PaperId,
    student: &Student,
    id: SubmissionId,
) -> Result<Result<(), SubmissionId>, Error> {
    let place = |statement: &'static str| {
        sql(statement).bind(paper.to_string()).bind(student.external_id.as_str().to_owned())
    };
    let statement = "INSERT INTO live_scripts (paper_id, student_external_id, submission_id) \
                     VALUES ($1, $2, $3) ON CONFLICT (paper_id, student_external_id) DO NOTHING";
    if db.execute(place(statement).bind(id.to_string())).await? == 1 {
        return Ok(Ok(()));
    }
    let holder = "SELECT submission_id FROM live_scripts WHERE paper_id = $1 AND student_external_id = $2";
    let holder = db.one::<String>(place(holder)).await?.and_then(|id| SubmissionId::parse(&id));
    Ok(Err(holder.unwrap_or(id)))
}

/// Lets another script of the student take this one's place, if it holds it.
pub async fn leave_place(db: &mut Db, submission: &Submission) -> Result<(), Error> {
    let statement = "DELETE FROM live_scripts \
                     WHERE paper_id = $1 AND student_external_id = $2 AND submission_id = $3";
    db.queue(
        sql(statement)
            .bind(submission.paper_id.to_string())
            .bind(submission.student.external_id.as_str())
            .bind(submission.id.to_string()),
    )
    .await
}

/// Deletes a submission with its result.
pub async fn delete(tx: &mut Tx, submission: &Locked<Submission>) -> Result<(), Error> {
    submission.must_be_held_by(tx)?;
    let id = submission.id.to_string();
    tx.queue(sql("DELETE FROM submissions WHERE id = $1").bind(&id)).await?;
    tx.queue(sql("DELETE FROM results WHERE submission_id = $1").bind(&id).guarded()).await?;
    desk::delete(tx, submission.id).await?;
    lti::scores::forget(tx, submission.id).await?;
    leave_place(tx, submission).await
}

/// Submissions whose marking was begun before `before`.
pub async fn overdue(db: &mut Db, before: Timestamp, rows: i64) -> Result<Vec<SubmissionId>, Error> {
    let statement = "SELECT id FROM submissions WHERE status = 'processing' AND started_at < $1 \
                     ORDER BY started_at LIMIT $2";
    let ids = db.all::<String>(sql(statement).bind(before).bind(rows)).await?;
    Ok(ids.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}
