//! Results as documents, and how a paper's released scripts did.

use crate::{Db, Error, sql};
use domain::id::{PaperId, SubmissionId};
use domain::marks::Marks;

/// Writes a submission's result and the record of how it was marked, both as JSON.
pub async fn insert(db: &mut Db, id: SubmissionId, document: &str, marking: &str) -> Result<(), Error> {
    let statement = "INSERT INTO results (submission_id, document, marking) VALUES ($1, $2, $3)";
    db.queue(sql(statement).bind(id.to_string()).bind(document).bind(marking)).await
}

/// A submission's result and its record.
pub async fn by_id(db: &mut Db, id: SubmissionId) -> Result<Option<(String, String)>, Error> {
    let statement = "SELECT document, marking FROM results WHERE submission_id = $1";
    db.one(sql(statement).bind(id.to_string())).await
}

/// What a released script earned on one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionScore {
    /// As printed.
    pub number: String,
    /// Earned, by all released scripts together where it is read back.
    pub awarded: u64,
    /// To be had, by all released scripts together where it is read back.
    pub available: u64,
}

/// Adds a script to its paper's statistics (`sign` 1), or takes it away (-1). In half marks.
pub async fn tally(
    db: &mut Db,
    paper: PaperId,
    total: Marks,
    questions: &[QuestionScore],
    sign: i64,
) -> Result<(), Error> {
    let paper = paper.to_string();
    let statement = "INSERT INTO paper_scores (paper_id, awarded, scripts) VALUES ($1, $2, $3) \
                     ON CONFLICT (paper_id, awarded) DO UPDATE SET scripts = paper_scores.scripts + excluded.scripts";
    db.queue(sql(statement).bind(&paper).bind(total.as_halves()).bind(sign)).await?;
    let statement = "INSERT INTO question_scores (paper_id, position, number, awarded, available) \
                     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (paper_id, position) DO UPDATE \
                     SET awarded = question_scores.awarded + excluded.awarded, \
                     available = question_scores.available + excluded.available";
    for (position, question) in (0_i64..).zip(questions) {
        let signed = |number: u64| sign * i64::try_from(number).unwrap_or(i64::MAX);
        let query = sql(statement)
            .bind(paper.clone())
            .bind(position)
            .bind(&question.number)
            .bind(signed(question.awarded))
            .bind(signed(question.available));
        db.queue(query).await?;
    }
    Ok(())
}

/// How many released scripts of a paper earned what, from the least on.
pub async fn totals(db: &mut Db, paper: PaperId) -> Result<Vec<(Marks, u64)>, Error> {
    let statement =
        "SELECT awarded, scripts FROM paper_scores WHERE paper_id = $1 AND scripts > 0 ORDER BY awarded";
    let rows = db.all::<(i64, i64)>(sql(statement).bind(paper.to_string())).await?;
    let halves = |number: i64| u32::try_from(number).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|(awarded, scripts)| (Marks::halves(halves(awarded)), scripts.unsigned_abs()))
        .collect())
}

/// What the released scripts of a paper earned by question, in paper order.
pub async fn by_question(db: &mut Db, paper: PaperId) -> Result<Vec<QuestionScore>, Error> {
    let statement =
        "SELECT number, awarded, available FROM question_scores WHERE paper_id = $1 ORDER BY position";
    let rows = db.all::<(String, i64, i64)>(sql(statement).bind(paper.to_string())).await?;
    let scores = rows.into_iter().map(|(number, awarded, available)| QuestionScore {
        number,
        awarded: awarded.unsigned_abs(),
        available: available.unsigned_abs(),
    });
    Ok(scores.collect())
}
