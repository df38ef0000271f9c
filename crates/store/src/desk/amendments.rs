//! Schemes that change after they were approved: the versions that were, the change that is looked at, and what it would
//! do to each script.

use super::{json, text};
use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Tx, sql};
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::marks::Marks;
use domain::paging::Position;
use domain::question::Question;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A change of the scheme that is looked at before it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Amendment {
    /// Its name: another change has another.
    pub id: String,
    /// The question's place in the paper, counted from 0.
    pub place: u32,
    /// What it would become.
    pub question: Question,
    /// The version of the scheme that it changes.
    pub base: i64,
    /// Who wants it.
    pub reviewer: Option<String>,
    /// Whether every script was marked again.
    pub is_previewed: bool,
    /// When it was asked for.
    pub created_at: Timestamp,
}

/// How the mark of one answer would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkChange {
    /// The part's label; empty for a question that is marked as a whole.
    pub part: String,
    /// What it earns now.
    pub before: Marks,
    /// What it would earn.
    pub after: Marks,
}

/// What came of trying an amendment on a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Trial {
    /// It was marked again, and these marks would change.
    Marked(Vec<MarkChange>),
    /// It could not be marked again: its files or its engine failed again and again. Kept as `null`.
    Unmarked,
}

/// What an amendment does to a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Marks would change.
    Changed,
    /// All marks would stay.
    Unchanged,
    /// It was not marked again yet.
    Waiting,
    /// It could not be marked again: its marks stay.
    Unmarked,
    /// It is released and stays as it is.
    Untouched,
}

domain::names! {
    Outcome {
        Changed = "changed", Unchanged = "unchanged", Waiting = "waiting", Unmarked = "unmarked",
        Untouched = "untouched",
    }
}

impl Outcome {
    /// The scripts of which this is so, or all that it can be said of.
    fn condition(wanted: Option<Outcome>) -> &'static str {
        match wanted {
            None => "status IN ('graded', 'released')",
            Some(Outcome::Changed) => "status = 'graded' AND changes <> '[]' AND changes <> 'null'",
            Some(Outcome::Unchanged) => "status = 'graded' AND changes = '[]'",
            Some(Outcome::Waiting) => "status = 'graded' AND changes IS NULL",
            Some(Outcome::Unmarked) => "status = 'graded' AND changes = 'null'",
            Some(Outcome::Untouched) => "status = 'released'",
        }
    }

    fn of(is_released: bool, trial: Option<&Trial>) -> Outcome {
        match trial {
            _ if is_released => Outcome::Untouched,
            None => Outcome::Waiting,
            Some(Trial::Unmarked) => Outcome::Unmarked,
            Some(Trial::Marked(changes)) if changes.is_empty() => Outcome::Unchanged,
            Some(Trial::Marked(_)) => Outcome::Changed,
        }
    }
}

/// A script that an amendment was or will be tried on, or that is released and stays.
#[derive(Clone, Debug)]
pub struct AmendedScript {
    /// Its submission.
    pub submission_id: SubmissionId,
    /// The client's own reference to the student.
    pub student: String,
    /// For people.
    pub name: Option<String>,
    /// What the amendment does to it.
    pub outcome: Outcome,
    /// What would change; nothing where all marks stay.
    pub changes: Vec<MarkChange>,
}

impl AmendedScript {
    /// Its place in lists, which go by the submission's id.
    pub fn position(&self) -> Position {
        Position { time_us: 0, id: self.submission_id.number() }
    }
}

/// A version of a scheme.
#[derive(Clone, Debug)]
pub struct SchemeVersion {
    /// Counted from 1, which is what was approved.
    pub version: i64,
    /// Who made it.
    pub reviewer: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

impl FromRow for Amendment {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("amendments", row);
        Ok(Amendment {
            id: row.text(0)?,
            place: columns.count(1)?,
            question: columns.parsed(2, "document", json)?,
            base: row.int(3)?,
            reviewer: row.opt_text(4)?,
            is_previewed: row.bool(5)?,
            created_at: columns.time(6)?,
        })
    }
}

impl FromRow for AmendedScript {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("amended_scripts", row);
        let trial: Option<Trial> = columns.opt_parsed(4, "changes", json)?;
        let outcome = Outcome::of(row.text(3)? == "released", trial.as_ref());
        let changes = match trial {
            Some(Trial::Marked(changes)) if outcome == Outcome::Changed => changes,
            _ => Vec::new(),
        };
        Ok(AmendedScript {
            submission_id: columns.id(0)?,
            student: row.text(1)?,
            name: row.opt_text(2)?,
            outcome,
            changes,
        })
    }
}

impl FromRow for SchemeVersion {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("scheme_versions", row);
        Ok(SchemeVersion { version: row.int(0)?, reviewer: row.opt_text(1)?, created_at: columns.time(2)? })
    }
}

const AMENDMENT: &str = "id, question, document, base, reviewer, is_previewed, created_at";

/// The change that is looked at.
pub async fn of_paper(db: &mut Db, paper: PaperId) -> Result<Option<Amendment>, Error> {
    let statement = format!("SELECT {AMENDMENT} FROM amendments WHERE paper_id = $1");
    db.one(sql(statement).bind(paper.to_string())).await
}

/// The same, for changing.
pub async fn lock(tx: &mut Tx, paper: PaperId) -> Result<Option<Locked<Amendment>>, Error> {
    let statement = format!("SELECT {AMENDMENT} FROM amendments WHERE paper_id = $1");
    tx.lock("amendments", sql(statement).bind(paper.to_string())).await
}

/// Puts a change in place of the one that was looked at. The paper is locked.
pub async fn put(tx: &mut Tx, paper: PaperId, amendment: &Amendment) -> Result<(), Error> {
    discard(tx, paper).await?;
    let statement = "INSERT INTO amendments (paper_id, id, question, document, base, reviewer, is_previewed, \
                     created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    tx.queue(
        sql(statement)
            .bind(paper.to_string())
            .bind(&amendment.id)
            .bind(amendment.place)
            .bind(text(&amendment.question))
            .bind(amendment.base)
            .bind(amendment.reviewer.as_deref())
            .bind(amendment.is_previewed)
            .bind(amendment.created_at),
    )
    .await
}

/// Notes that every script was marked again.
pub async fn finish(tx: &mut Tx, paper: PaperId, amendment: &Locked<Amendment>) -> Result<(), Error> {
    amendment.must_be_held_by(tx)?;
    let statement = "UPDATE amendments SET is_previewed = TRUE WHERE paper_id = $1";
    tx.queue(sql(statement).bind(paper.to_string())).await
}

/// Forgets the change that was looked at. The paper is locked.
pub async fn discard(db: &mut Db, paper: PaperId) -> Result<(), Error> {
    for statement in
        ["DELETE FROM amendments WHERE paper_id = $1", "DELETE FROM amended_scripts WHERE paper_id = $1"]
    {
        db.queue(sql(statement).bind(paper.to_string()).guarded()).await?;
    }
    Ok(())
}

/// Notes what an amendment would do to a script.
pub async fn note(
    db: &mut Db,
    (paper, amendment): (PaperId, &str),
    id: SubmissionId,
    trial: &Trial,
) -> Result<(), Error> {
    let statement = "INSERT INTO amended_scripts (amendment_id, submission_id, paper_id, changes) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (amendment_id, submission_id) \
                     DO UPDATE SET changes = excluded.changes";
    let query = sql(statement).bind(amendment.to_owned()).bind(id.to_string()).bind(paper.to_string());
    db.queue(query.bind(text(trial))).await
}

/// Scripts by what an amendment does to them, in the order of their ids.
pub async fn scripts(
    db: &mut Db,
    (paper, amendment): (PaperId, &str),
    outcome: Option<Outcome>,
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<AmendedScript>, Error> {
    let statement = format!(
        "SELECT desk_scripts.submission_id, student_external_id, student_name, status, changes FROM desk_scripts \
         JOIN submissions ON submissions.id = desk_scripts.submission_id \
         LEFT JOIN amended_scripts ON amended_scripts.amendment_id = $2 \
         AND amended_scripts.submission_id = desk_scripts.submission_id \
         WHERE desk_scripts.paper_id = $1 AND desk_scripts.submission_id > $3 AND {} \
         ORDER BY desk_scripts.submission_id LIMIT $4",
        Outcome::condition(outcome)
    );
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let query = sql(statement).bind(paper.to_string()).bind(amendment.to_owned());
    db.all(query.bind(after).bind(rows)).await
}

/// How many scripts that can still change an amendment was tried on, how many of them it would change, and how many
/// could not be marked again.
pub async fn progress(db: &mut Db, amendment: &str) -> Result<(i64, i64, i64), Error> {
    let statement = "SELECT COUNT(*), \
                     COUNT(CASE WHEN changes <> '[]' AND changes <> 'null' THEN 1 END), \
                     COUNT(CASE WHEN changes = 'null' THEN 1 END) FROM amended_scripts \
                     JOIN submissions ON submissions.id = submission_id \
                     WHERE amendment_id = $1 AND status = 'graded'";
    Ok(db.one(sql(statement).bind(amendment.to_owned())).await?.unwrap_or_default())
}

/// Scripts that can change and that an amendment was not tried on yet, in the order of their ids.
pub async fn untried(
    db: &mut Db,
    (paper, amendment): (PaperId, &str),
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<SubmissionId>, Error> {
    let statement = "SELECT submission_id FROM desk_scripts JOIN submissions ON submissions.id = submission_id \
                     WHERE desk_scripts.paper_id = $1 AND status = 'graded' AND submission_id > $4 \
                     AND NOT EXISTS (SELECT 1 FROM amended_scripts WHERE amendment_id = $2 \
                     AND submission_id = desk_scripts.submission_id) ORDER BY submission_id LIMIT $3";
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let query = sql(statement).bind(paper.to_string()).bind(amendment.to_owned()).bind(rows).bind(after);
    Ok(db.all::<String>(query).await?.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

const OUTDATED: &str = "desk_scripts JOIN submissions ON submissions.id = desk_scripts.submission_id \
                        JOIN results ON results.submission_id = desk_scripts.submission_id \
                        WHERE desk_scripts.paper_id = $1 AND status = 'graded' AND results.scheme_version < $2";

/// How many scripts that can change are marked by an older version than this one.
pub async fn count_outdated(db: &mut Db, paper: PaperId, version: i64) -> Result<i64, Error> {
    let statement = format!("SELECT COUNT(*) FROM {OUTDATED}");
    Ok(db.one(sql(statement).bind(paper.to_string()).bind(version)).await?.unwrap_or_default())
}

/// Scripts that can change and are marked by an older version than this one, in the order of their ids.
pub async fn outdated(
    db: &mut Db,
    (paper, version): (PaperId, i64),
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<SubmissionId>, Error> {
    let statement = format!(
        "SELECT desk_scripts.submission_id FROM {OUTDATED} AND desk_scripts.submission_id > $4 \
         ORDER BY desk_scripts.submission_id LIMIT $3"
    );
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let query = sql(statement).bind(paper.to_string()).bind(version).bind(rows).bind(after);
    Ok(db.all::<String>(query).await?.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

/// Keeps a version of a scheme; one that is kept already stays as it is.
pub async fn keep(
    db: &mut Db,
    paper: PaperId,
    version: &SchemeVersion,
    questions: &[Question],
) -> Result<(), Error> {
    let statement = "INSERT INTO scheme_versions (paper_id, version, document, reviewer, created_at) \
                     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (paper_id, version) DO NOTHING";
    let query = sql(statement).bind(paper.to_string()).bind(version.version).bind(text(&questions));
    db.queue(query.bind(version.reviewer.as_deref()).bind(version.created_at)).await
}

/// The versions of a scheme, oldest first; none where it was never amended.
pub async fn versions(db: &mut Db, paper: PaperId) -> Result<Vec<SchemeVersion>, Error> {
    let statement =
        "SELECT version, reviewer, created_at FROM scheme_versions WHERE paper_id = $1 ORDER BY version";
    db.all(sql(statement).bind(paper.to_string())).await
}

/// The questions of a version that is kept.
pub async fn questions_of(db: &mut Db, paper: PaperId, version: i64) -> Result<Option<Vec<Question>>, Error> {
    let statement = "SELECT document FROM scheme_versions WHERE paper_id = $1 AND version = $2";
    let stored = db.one::<String>(sql(statement).bind(paper.to_string()).bind(version)).await?;
    Ok(stored.and_then(|stored| json(&stored)))
}

/// Forgets a paper's versions and what was looked at.
pub async fn forget(db: &mut Db, paper: PaperId) -> Result<(), Error> {
    discard(db, paper).await?;
    db.queue(sql("DELETE FROM scheme_versions WHERE paper_id = $1").bind(paper.to_string())).await
}
