//! Released marks on their way to a platform.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Sql, Tx, sql};
use domain::id::{Identifier as _, LtiPlatformId, LtiScoreId, PaperId, SubmissionId};
use domain::lti::{Score, ScoreStatus};
use jiff::Timestamp;

const COLUMNS: &str = "lti_scores.id, link_id, submission_id, lti_scores.paper_id, lti_scores.status, attempts, sent_at, \
                       problem, lti_scores.created_at";

impl FromRow for Score {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("lti_scores", row);
        Ok(Score {
            id: columns.id(0)?,
            link_id: columns.id(1)?,
            submission_id: columns.id(2)?,
            paper_id: columns.id(3)?,
            status: columns.parsed(4, "status", ScoreStatus::parse)?,
            attempts: columns.count(5)?,
            sent_at: columns.opt_time(6)?,
            problem: row.opt_text(7)?,
            created_at: columns.time(8)?,
        })
    }
}

/// Adds a score that is to be sent. False: it is there already.
pub async fn insert(tx: &mut Tx, score: &Score) -> Result<bool, Error> {
    let statement = "INSERT INTO lti_scores (id, link_id, submission_id, paper_id, status, attempts, sent_at, problem, \
                     created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                     ON CONFLICT (submission_id, link_id) DO NOTHING";
    let query = sql(statement)
        .bind(score.id.to_string())
        .bind(score.link_id.to_string())
        .bind(score.submission_id.to_string())
        .bind(score.paper_id.to_string())
        .bind(score.status.name())
        .bind(score.attempts)
        .bind(score.sent_at)
        .bind(score.problem.as_deref())
        .bind(score.created_at);
    Ok(tx.execute(query).await? == 1)
}

/// A score, for changing.
pub async fn lock(tx: &mut Tx, id: LtiScoreId) -> Result<Option<Locked<Score>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM lti_scores WHERE id = $1");
    tx.lock("lti_scores", sql(statement).bind(id.to_string())).await
}

/// Writes how far a score came.
pub async fn save(tx: &mut Tx, from: &Locked<Score>, to: &Score) -> Result<(), Error> {
    from.must_be_held_by(tx)?;
    let statement = "UPDATE lti_scores SET status = $2, attempts = $3, sent_at = $4, problem = $5, created_at = $6 \
                     WHERE id = $1";
    tx.queue(
        sql(statement)
            .bind(to.id.to_string())
            .bind(to.status.name())
            .bind(to.attempts)
            .bind(to.sent_at)
            .bind(to.problem.as_deref())
            .bind(to.created_at),
    )
    .await
}

/// Forgets a score.
pub async fn delete(tx: &mut Tx, score: &Locked<Score>) -> Result<(), Error> {
    score.must_be_held_by(tx)?;
    tx.queue(sql("DELETE FROM lti_scores WHERE id = $1").bind(score.id.to_string())).await
}

/// Forgets the scores of a submission that is gone.
pub async fn forget(tx: &mut Tx, submission: SubmissionId) -> Result<(), Error> {
    tx.queue(sql("DELETE FROM lti_scores WHERE submission_id = $1").bind(submission.to_string()).guarded())
        .await
}

/// Released submissions of a paper in the order of their ids, after the given one.
pub async fn released(
    db: &mut Db,
    paper: PaperId,
    after: Option<SubmissionId>,
    rows: i64,
) -> Result<Vec<SubmissionId>, Error> {
    let statement = "SELECT id FROM submissions WHERE paper_id = $1 AND id > $2 AND status = 'released' \
                     ORDER BY id LIMIT $3";
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let ids = db.all::<String>(sql(statement).bind(paper.to_string()).bind(after).bind(rows)).await?;
    Ok(ids.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

/// A score as the operator sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The score.
    pub score: Score,
    /// The platform that it goes to.
    pub platform_id: LtiPlatformId,
    /// The client's own reference to the student, which is the platform's.
    pub student: String,
}

impl FromRow for Listed {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("lti_scores", row);
        Ok(Listed { score: Score::from_row(row)?, platform_id: columns.id(9)?, student: row.text(10)? })
    }
}

/// Which scores are listed.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// All.
    All,
    /// Those that came so far.
    Status(ScoreStatus),
    /// Those of a paper.
    Paper(PaperId),
}

/// Scores in the order of their ids, after the given one.
pub async fn after(
    db: &mut Db,
    which: Which,
    last: Option<LtiScoreId>,
    rows: i64,
) -> Result<Vec<Listed>, Error> {
    let (filter, value) = match which {
        Which::All => ("", None),
        Which::Status(status) => ("lti_scores.status = $3 AND ", Some(status.name().to_owned())),
        Which::Paper(paper) => ("lti_scores.paper_id = $3 AND ", Some(paper.to_string())),
    };
    let statement = format!(
        "SELECT {COLUMNS}, platform_id, student_external_id FROM lti_scores \
         JOIN lti_links ON lti_links.id = link_id JOIN submissions ON submissions.id = submission_id \
         WHERE {filter}lti_scores.id > $1 ORDER BY lti_scores.id LIMIT $2"
    );
    let last = last.map(|id| id.to_string()).unwrap_or_default();
    let query: Sql<'_> = sql(statement).bind(last).bind(rows);
    db.all(match value {
        Some(value) => query.bind(value),
        None => query,
    })
    .await
}

/// Makes a score that was given up wait again, with all its time before it.
pub async fn revive(tx: &mut Tx, score: &Locked<Score>, now: Timestamp) -> Result<(), Error> {
    let waiting =
        Score { status: ScoreStatus::Waiting, problem: None, created_at: now, ..Score::clone(score) };
    save(tx, score, &waiting).await
}
