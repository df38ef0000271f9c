//! Results as documents, and how a paper's released scripts did.

use crate::{Db, Error, sql};
use domain::id::{PaperId, SubmissionId};
use domain::report::{Marksheet, QuestionTally, Tally};
use domain::result::Percentage;

/// Writes a submission's result and the record of how it was marked, both as JSON, and by which version of the scheme.
pub async fn insert(
    db: &mut Db,
    id: SubmissionId,
    document: &str,
    marking: &str,
    scheme_version: u32,
) -> Result<(), Error> {
    let statement =
        "INSERT INTO results (submission_id, document, marking, scheme_version) VALUES ($1, $2, $3, $4)";
    db.queue(sql(statement).bind(id.to_string()).bind(document).bind(marking).bind(scheme_version)).await
}

/// Notes by which version of the scheme a result was marked anew, with the record of that. The submission is locked.
pub async fn set_version(
    db: &mut Db,
    id: SubmissionId,
    scheme_version: u32,
    marking: &str,
) -> Result<(), Error> {
    let statement = "UPDATE results SET scheme_version = $2, marking = $3 WHERE submission_id = $1";
    db.queue(sql(statement).bind(id.to_string()).bind(scheme_version).bind(marking).guarded()).await
}

/// A submission's result and its record.
pub async fn by_id(db: &mut Db, id: SubmissionId) -> Result<Option<(String, String)>, Error> {
    let statement = "SELECT document, marking FROM results WHERE submission_id = $1";
    db.one(sql(statement).bind(id.to_string())).await
}

/// A submission's result, and the engine's own where decisions were laid over it.
pub async fn revised(db: &mut Db, id: SubmissionId) -> Result<Option<(String, Option<String>)>, Error> {
    let statement = "SELECT document, machine FROM results WHERE submission_id = $1";
    db.one(sql(statement).bind(id.to_string())).await
}

/// Writes the result that counts, and keeps the engine's own beside it. The submission is locked.
pub async fn revise(
    db: &mut Db,
    id: SubmissionId,
    document: &str,
    machine: Option<&str>,
) -> Result<(), Error> {
    let statement = "UPDATE results SET document = $2, machine = $3 WHERE submission_id = $1";
    db.queue(sql(statement).bind(id.to_string()).bind(document).bind(machine).guarded()).await
}

/// Writes the result that counts. The engine's own stays as it is kept, or is kept from now on where it counted until
/// now. The submission is locked.
pub async fn revise_beside(db: &mut Db, id: SubmissionId, document: &str) -> Result<(), Error> {
    let statement =
        "UPDATE results SET document = $2, machine = COALESCE(machine, document) WHERE submission_id = $1";
    db.queue(sql(statement).bind(id.to_string()).bind(document).guarded()).await
}

/// Adds a script to its paper's statistics (`sign` 1), or takes it away (-1).
pub async fn count(db: &mut Db, paper: PaperId, sheet: &Marksheet, sign: i64) -> Result<(), Error> {
    let paper = paper.to_string();
    let statement = "INSERT INTO paper_scores (paper_id, tenths, scripts) VALUES ($1, $2, $3) \
                     ON CONFLICT (paper_id, tenths) DO UPDATE SET scripts = paper_scores.scripts + excluded.scripts";
    let tenths = sheet.score.percentage.as_tenths();
    db.queue(sql(statement).bind(&paper).bind(tenths).bind(sign)).await?;
    let statement = "INSERT INTO question_scores (paper_id, position, number, scripts, awarded, available) \
                     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (paper_id, position) DO UPDATE \
                     SET scripts = question_scores.scripts + excluded.scripts, \
                     awarded = question_scores.awarded + excluded.awarded, \
                     available = question_scores.available + excluded.available";
    for (position, question) in (0_i64..).zip(&sheet.questions) {
        let query = sql(statement)
            .bind(paper.clone())
            .bind(position)
            .bind(&question.number)
            .bind(sign * i64::from(!question.available.is_zero()))
            .bind(sign * i64::from(question.awarded.as_halves()))
            .bind(sign * i64::from(question.available.as_halves()));
        db.queue(query).await?;
    }
    Ok(())
}

/// Forgets the statistics of a paper that is gone.
pub async fn forget(db: &mut Db, paper: PaperId) -> Result<(), Error> {
    for statement in
        ["DELETE FROM paper_scores WHERE paper_id = $1", "DELETE FROM question_scores WHERE paper_id = $1"]
    {
        db.queue(sql(statement).bind(paper.to_string())).await?;
    }
    Ok(())
}

/// The marks of a paper's released scripts, added up.
pub async fn tally(db: &mut Db, paper: PaperId) -> Result<Tally, Error> {
    let statement = "SELECT tenths, scripts FROM paper_scores WHERE paper_id = $1 AND scripts > 0";
    let scores = db.all::<(i64, i64)>(sql(statement).bind(paper.to_string())).await?;
    let statement = "SELECT number, scripts, awarded, available FROM question_scores \
                     WHERE paper_id = $1 ORDER BY position";
    let questions = db.all::<(String, i64, i64, i64)>(sql(statement).bind(paper.to_string())).await?;
    let percentage = |tenths: i64| Percentage::tenths(u32::try_from(tenths).unwrap_or_default());
    Ok(Tally {
        scores: scores
            .into_iter()
            .map(|(tenths, scripts)| (percentage(tenths), scripts.unsigned_abs()))
            .collect(),
        questions: questions
            .into_iter()
            .map(|(number, scripts, awarded, available)| QuestionTally {
                number,
                scripts: scripts.unsigned_abs(),
                awarded: awarded.unsigned_abs(),
                available: available.unsigned_abs(),
            })
            .collect(),
    })
}
