//! The marking desk: scripts as it lists them, their answers with what was decided about each, and the record of
//! every decision.

pub mod amendments;
pub mod lessons;
mod views;

pub use views::{ClassQuery, ClassRow, Filter, Order, Totals, class, class_size, totals};

use crate::codec::Columns;
use crate::list::List;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::account::Owner;
use domain::adjustment::{Adjustment, Which};
use domain::id::{AdjustmentId, Identifier as _, PaperId, SubmissionId};
use domain::marks::Marks;
use domain::paging::Slice;
use domain::report::Marksheet;
use domain::result::{Decision, Flag, PartKey, Taught};

/// A script as the desk lists it.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its submission.
    pub submission_id: SubmissionId,
    /// How many answers can earn marks.
    pub parts: u32,
    /// How many of those a person has checked.
    pub checked: u32,
    /// How many are flagged and not checked.
    pub flagged: u32,
    /// Whether a person decided about any.
    pub is_adjusted: bool,
    /// Its marks.
    pub sheet: Marksheet,
}

/// One answer of a script that is not released.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its script.
    pub submission_id: SubmissionId,
    /// Which answer.
    pub key: PartKey,
    /// What was read, or what a person read.
    pub answer: String,
    /// The engine's own mark.
    pub machine: Marks,
    /// The mark that counts.
    pub awarded: Marks,
    /// The most that it can earn.
    pub available: Marks,
    /// How sure the engine is.
    pub confidence: f64,
    /// What a person should know.
    pub flags: Vec<Flag>,
    /// What a person decided.
    pub decision: Option<Decision>,
    /// What follows from a person's decisions on like answers.
    pub taught: Option<Taught>,
    /// The adjustment that changed it last.
    pub version: Option<AdjustmentId>,
    /// Who made that.
    pub reviewer: Option<String>,
}

impl FromRow for Script {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("desk_scripts", row);
        Ok(Script {
            submission_id: columns.id(0)?,
            parts: columns.count(1)?,
            checked: columns.count(2)?,
            flagged: columns.count(3)?,
            is_adjusted: row.bool(4)?,
            sheet: columns.parsed(5, "sheet", json)?,
        })
    }
}

impl FromRow for Answer {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("desk_answers", row);
        Ok(Answer {
            submission_id: columns.id(0)?,
            key: PartKey { question: columns.count(1)?, part: row.text(2)? },
            answer: row.text(3)?,
            machine: Marks::halves(columns.count(4)?),
            awarded: Marks::halves(columns.count(5)?),
            available: Marks::halves(columns.count(6)?),
            confidence: row.float(7)?,
            flags: columns.parsed(8, "flags", json)?,
            decision: columns.opt_parsed(9, "decision", json)?,
            taught: columns.opt_parsed(10, "taught", json)?,
            version: columns.opt_parsed(11, "version", AdjustmentId::parse)?,
            reviewer: row.opt_text(12)?,
        })
    }
}

const SCRIPT: &str = "submission_id, parts, checked, flagged, is_adjusted, sheet";
const ANSWER: &str = "submission_id, question, part, answer, machine, awarded, available, confidence, flags, \
                      decision, taught, version, reviewer";
const ADJUSTMENT: &str = "id, account_id, mode, submission_id, paper_id, question, part, number, awarded_before, \
                          awarded, available, decision, reviewer, created_at";

fn json<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("our values hold only what JSON can write")
}

/// Writes a script as the desk lists it, in place of what was there.
pub async fn put_script(db: &mut Db, paper: PaperId, script: &Script) -> Result<(), Error> {
    let statement = "INSERT INTO desk_scripts (submission_id, paper_id, parts, checked, flagged, is_adjusted, sheet) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (submission_id) DO UPDATE \
                     SET parts = excluded.parts, checked = excluded.checked, flagged = excluded.flagged, \
                     is_adjusted = excluded.is_adjusted, sheet = excluded.sheet";
    db.queue(
        sql(statement)
            .bind(script.submission_id.to_string())
            .bind(paper.to_string())
            .bind(script.parts)
            .bind(script.checked)
            .bind(script.flagged)
            .bind(script.is_adjusted)
            .bind(text(&script.sheet)),
    )
    .await
}

/// Writes an answer, in place of what was there. What it means is kept only with a new one.
pub async fn put_answer(
    db: &mut Db,
    paper: PaperId,
    answer: &Answer,
    meaning: Option<&str>,
) -> Result<(), Error> {
    let statement = "INSERT INTO desk_answers (submission_id, question, part, answer, machine, awarded, available, \
                     confidence, flags, decision, taught, version, reviewer, paper_id, meaning) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
                     ON CONFLICT (submission_id, question, part) DO UPDATE SET answer = excluded.answer, \
                     machine = excluded.machine, awarded = excluded.awarded, available = excluded.available, \
                     confidence = excluded.confidence, flags = excluded.flags, decision = excluded.decision, \
                     taught = excluded.taught, version = excluded.version, reviewer = excluded.reviewer";
    db.queue(
        sql(statement)
            .bind(answer.submission_id.to_string())
            .bind(answer.key.question)
            .bind(&answer.key.part)
            .bind(&answer.answer)
            .bind(answer.machine.as_halves())
            .bind(answer.awarded.as_halves())
            .bind(answer.available.as_halves())
            .bind(answer.confidence)
            .bind(text(&answer.flags))
            .bind(answer.decision.as_ref().map(text))
            .bind(answer.taught.as_ref().map(text))
            .bind(answer.version.map(|id| id.to_string()))
            .bind(answer.reviewer.as_deref())
            .bind(paper.to_string())
            .bind(meaning),
    )
    .await
}

/// A script as the desk lists it; `None` for one that the desk has not seen.
pub async fn script(db: &mut Db, id: SubmissionId) -> Result<Option<Script>, Error> {
    let statement = format!("SELECT {SCRIPT} FROM desk_scripts WHERE submission_id = $1");
    db.one(sql(statement).bind(id.to_string())).await
}

/// The answers of a script, in paper order but for the order of parts.
pub async fn answers(db: &mut Db, id: SubmissionId) -> Result<Vec<Answer>, Error> {
    let statement =
        format!("SELECT {ANSWER} FROM desk_answers WHERE submission_id = $1 ORDER BY question, part");
    db.all(sql(statement).bind(id.to_string())).await
}

/// The scripts of a paper that are marked, released ones too, after a submission and some at a time.
pub async fn scripts_of(
    db: &mut Db,
    paper: PaperId,
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<Script>, Error> {
    let statement = format!(
        "SELECT {SCRIPT} FROM desk_scripts WHERE paper_id = $1 AND submission_id > $2 ORDER BY submission_id LIMIT $3"
    );
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    db.all(sql(statement).bind(paper.to_string()).bind(after).bind(rows)).await
}

/// An answer that a person has checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Its script.
    pub submission_id: SubmissionId,
    /// Which answer.
    pub key: PartKey,
    /// The engine's own mark.
    pub machine: Marks,
    /// The mark that it would have followed to, where others teach it.
    pub taught: Option<Taught>,
    /// What the person gave.
    pub given: Marks,
}

impl FromRow for Checked {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("desk_answers", row);
        Ok(Checked {
            submission_id: columns.id(0)?,
            key: PartKey { question: columns.count(1)?, part: row.text(2)? },
            machine: Marks::halves(columns.count(3)?),
            given: Marks::halves(columns.count(4)?),
            taught: columns.opt_parsed(5, "taught", json)?,
        })
    }
}

/// The answers of a paper that a person has checked.
pub async fn checked_of(db: &mut Db, paper: PaperId, rows: i64) -> Result<Vec<Checked>, Error> {
    let statement = "SELECT submission_id, question, part, machine, awarded, taught FROM desk_answers \
                     WHERE paper_id = $1 AND decision IS NOT NULL LIMIT $2";
    db.all(sql(statement).bind(paper.to_string()).bind(rows)).await
}

/// Marked scripts of the paper that the desk has not seen.
pub async fn unseen(
    db: &mut Db,
    (account, mode): Owner,
    paper: PaperId,
    rows: i64,
) -> Result<Vec<SubmissionId>, Error> {
    let statement = "SELECT id FROM submissions WHERE account_id = $1 AND mode = $2 AND paper_id = $3 \
                     AND graded_at IS NOT NULL AND status IN ('graded', 'released') AND NOT EXISTS \
                     (SELECT 1 FROM desk_scripts WHERE submission_id = submissions.id) \
                     ORDER BY created_at, id LIMIT $4";
    let query = sql(statement).bind(account.to_string()).bind(mode.name()).bind(paper.to_string()).bind(rows);
    Ok(db.all::<String>(query).await?.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

/// Graded scripts of the paper that a release of this kind is about, after a submission and some at a time.
pub async fn releasable(
    db: &mut Db,
    paper: PaperId,
    which: Which,
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<SubmissionId>, Error> {
    let statement = format!(
        "SELECT submission_id FROM desk_scripts JOIN submissions ON submissions.id = submission_id \
         WHERE desk_scripts.paper_id = $1 AND submission_id > $2 AND status = 'graded'{} \
         ORDER BY submission_id LIMIT $3",
        condition(which)
    );
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let ids = db.all::<String>(sql(statement).bind(paper.to_string()).bind(after).bind(rows)).await?;
    Ok(ids.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

/// Whether a release of this kind is still about the script.
pub async fn is_releasable(db: &mut Db, id: SubmissionId, which: Which) -> Result<bool, Error> {
    let statement =
        format!("SELECT submission_id FROM desk_scripts WHERE submission_id = $1{}", condition(which));
    Ok(db.one::<String>(sql(statement).bind(id.to_string())).await?.is_some())
}

const fn condition(which: Which) -> &'static str {
    match which {
        Which::All => "",
        Which::Checked => " AND checked >= parts",
        Which::Unflagged => " AND flagged = 0",
    }
}

/// Deletes everything about a script whose submission is locked.
pub async fn delete(db: &mut Db, id: SubmissionId) -> Result<(), Error> {
    for statement in [
        "DELETE FROM desk_answers WHERE submission_id = $1",
        "DELETE FROM desk_scripts WHERE submission_id = $1",
        "DELETE FROM adjustments WHERE submission_id = $1",
        "DELETE FROM amended_scripts WHERE submission_id = $1",
    ] {
        db.queue(sql(statement).bind(id.to_string()).guarded()).await?;
    }
    Ok(())
}

struct AdjustmentRow(Adjustment);

impl FromRow for AdjustmentRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("adjustments", row);
        Ok(AdjustmentRow(Adjustment {
            id: columns.id(0)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            submission_id: columns.id(3)?,
            paper_id: columns.id(4)?,
            key: PartKey { question: columns.count(5)?, part: row.text(6)? },
            number: row.text(7)?,
            awarded_before: Marks::halves(columns.count(8)?),
            awarded: Marks::halves(columns.count(9)?),
            available: Marks::halves(columns.count(10)?),
            decision: columns.opt_parsed(11, "decision", json)?,
            reviewer: row.opt_text(12)?,
            created_at: columns.time(13)?,
        }))
    }
}

/// Adds a decision to the record.
pub async fn record(db: &mut Db, adjustment: &Adjustment) -> Result<(), Error> {
    let places = (1..=14).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    db.queue(
        sql(format!("INSERT INTO adjustments ({ADJUSTMENT}) VALUES ({places})"))
            .bind(adjustment.id.to_string())
            .bind(adjustment.owner.0.to_string())
            .bind(adjustment.owner.1.name())
            .bind(adjustment.submission_id.to_string())
            .bind(adjustment.paper_id.to_string())
            .bind(adjustment.key.question)
            .bind(&adjustment.key.part)
            .bind(&adjustment.number)
            .bind(adjustment.awarded_before.as_halves())
            .bind(adjustment.awarded.as_halves())
            .bind(adjustment.available.as_halves())
            .bind(adjustment.decision.as_ref().map(text))
            .bind(adjustment.reviewer.as_deref())
            .bind(adjustment.created_at),
    )
    .await
}

/// A page of the decisions about a submission, newest first, and one row more.
pub async fn adjustments(
    db: &mut Db,
    (account, mode): Owner,
    id: SubmissionId,
    slice: Slice,
) -> Result<Vec<Adjustment>, Error> {
    let rows = List::<AdjustmentId>::new("adjustments", ADJUSTMENT, account, mode, slice)
        .filter("submission_id", Some(id.to_string()))
        .fetch::<AdjustmentRow>(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The decisions about a paper's scripts, oldest first, after one and some at a time.
pub async fn adjustments_of(
    db: &mut Db,
    paper: PaperId,
    after: Option<AdjustmentId>,
    rows: i64,
) -> Result<Vec<Adjustment>, Error> {
    let statement =
        format!("SELECT {ADJUSTMENT} FROM adjustments WHERE paper_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let found =
        db.all::<AdjustmentRow>(sql(statement).bind(paper.to_string()).bind(after).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// The last decisions about one answer, newest first.
pub async fn last_decisions(
    db: &mut Db,
    (account, mode): Owner,
    id: SubmissionId,
    key: &PartKey,
    rows: i64,
) -> Result<Vec<Adjustment>, Error> {
    let statement = format!(
        "SELECT {ADJUSTMENT} FROM adjustments WHERE account_id = $1 AND mode = $2 AND submission_id = $3 \
         AND question = $4 AND part = $5 ORDER BY created_at DESC, id DESC LIMIT $6"
    );
    let query = sql(statement)
        .bind(account.to_string())
        .bind(mode.name())
        .bind(id.to_string())
        .bind(key.question)
        .bind(&key.part)
        .bind(rows);
    Ok(db.all::<AdjustmentRow>(query).await?.into_iter().map(|row| row.0).collect())
}
