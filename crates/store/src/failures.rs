//! What failed, of all accounts: for the operator. Each is read along an index that holds only what failed. What has a
//! failure code has failed; by the status, SQLite would take the index of what is in work, and sort.

use crate::codec::Columns;
use crate::list::before;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::account::Owner;
use domain::failure::FailureCode;
use domain::id::{EndpointId, Identifier as _, PaperId, SubmissionId};
use domain::paging::Position;
use jiff::Timestamp;

/// A paper or a submission that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub owner: Owner,
    /// Why.
    pub code: FailureCode,
    /// When, or when its notes were last changed since.
    pub updated_at: Timestamp,
    /// The number in its id, which places it in the list.
    number: u128,
}

impl Failed {
    /// Where it stands in its list.
    pub fn position(&self) -> Position {
        Position { time_us: self.updated_at.as_microsecond(), id: self.number }
    }

    fn read(table: &'static str, row: &Row<'_>, parse: fn(&str) -> Option<u128>) -> Result<Failed, Error> {
        let columns = Columns::of(table, row);
        Ok(Failed {
            id: row.text(0)?,
            number: columns.parsed(0, "id", parse)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            code: columns.parsed(3, "failure_code", FailureCode::parse)?,
            updated_at: columns.time(4)?,
        })
    }
}

struct FailedPaper(Failed);

impl FromRow for FailedPaper {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Failed::read("papers", row, |id| PaperId::parse(id).map(PaperId::number)).map(FailedPaper)
    }
}

struct FailedSubmission(Failed);

impl FromRow for FailedSubmission {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let number = |id: &str| SubmissionId::parse(id).map(SubmissionId::number);
        Failed::read("submissions", row, number).map(FailedSubmission)
    }
}

/// Papers that failed, newest first.
pub async fn papers(db: &mut Db, after: Option<Position>, rows: i64) -> Result<Vec<Failed>, Error> {
    let (time, id) = before::<PaperId>(after);
    let statement = "SELECT id, account_id, mode, failure_code, updated_at FROM papers \
                     WHERE failure_code IS NOT NULL AND (updated_at, id) < ($1, $2) \
                     ORDER BY updated_at DESC, id DESC LIMIT $3";
    let found = db.all::<FailedPaper>(sql(statement).bind(time).bind(id).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// Submissions that failed, newest first.
pub async fn submissions(db: &mut Db, after: Option<Position>, rows: i64) -> Result<Vec<Failed>, Error> {
    let (time, id) = before::<SubmissionId>(after);
    let statement = "SELECT id, account_id, mode, failure_code, updated_at FROM submissions \
                     WHERE failure_code IS NOT NULL AND (updated_at, id) < ($1, $2) \
                     ORDER BY updated_at DESC, id DESC LIMIT $3";
    let found = db.all::<FailedSubmission>(sql(statement).bind(time).bind(id).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// How many papers and submissions failed since then; at most `most` of each are counted.
pub async fn count_since(db: &mut Db, since: Timestamp, most: i64) -> Result<(i64, i64), Error> {
    let papers = "SELECT COUNT(*) FROM (SELECT id FROM papers WHERE failure_code IS NOT NULL AND updated_at > $1 \
                  ORDER BY updated_at LIMIT $2) AS failed";
    let submissions = "SELECT COUNT(*) FROM (SELECT id FROM submissions WHERE failure_code IS NOT NULL \
                       AND updated_at > $1 ORDER BY updated_at LIMIT $2) AS failed";
    let papers = db.one::<i64>(sql(papers).bind(since).bind(most)).await?;
    let submissions = db.one::<i64>(sql(submissions).bind(since).bind(most)).await?;
    Ok((papers.unwrap_or_default(), submissions.unwrap_or_default()))
}

/// Endpoints to which every delivery fails, the longest first.
pub async fn endpoints(db: &mut Db, rows: i64) -> Result<Vec<(EndpointId, Timestamp)>, Error> {
    struct Failing(EndpointId, Timestamp);
    impl FromRow for Failing {
        fn from_row(row: &Row<'_>) -> Result<Self, Error> {
            let columns = Columns::of("webhook_endpoints", row);
            Ok(Failing(columns.id(0)?, columns.time(1)?))
        }
    }
    let statement = "SELECT id, failing_since FROM webhook_endpoints \
                     WHERE failing_since IS NOT NULL AND failing_since > $1 ORDER BY failing_since, id LIMIT $2";
    let found = db.all::<Failing>(sql(statement).bind(0_i64).bind(rows)).await?;
    Ok(found.into_iter().map(|Failing(id, since)| (id, since)).collect())
}
