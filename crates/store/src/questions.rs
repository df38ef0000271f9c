//! A paper's questions, each as one document.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::id::{PaperId, QuestionId};
use domain::question::Question;

/// A question with its place in the paper.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its id.
    pub id: QuestionId,
    /// Where it stands among the paper's questions; not without gaps.
    pub position: i64,
    /// Grows with each change.
    pub version: i64,
    /// The question.
    pub question: Question,
}

impl FromRow for Stored {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("questions", row);
        Ok(Stored {
            id: columns.id(0)?,
            position: row.int(1)?,
            version: row.int(2)?,
            question: columns.parsed(3, "document", |text| serde_json::from_str(text).ok())?,
        })
    }
}

/// Adds a question.
pub async fn insert(db: &mut Db, paper: PaperId, stored: &Stored) -> Result<(), Error> {
    let statement =
        "INSERT INTO questions (id, paper_id, position, version, document) VALUES ($1, $2, $3, $4, $5)";
    db.queue(
        sql(statement)
            .bind(stored.id.to_string())
            .bind(paper.to_string())
            .bind(stored.position)
            .bind(stored.version)
            .bind(document(&stored.question)),
    )
    .await
}

/// Writes a changed question of a paper that is locked.
pub async fn save(db: &mut Db, paper: PaperId, stored: &Stored) -> Result<(), Error> {
    let statement = "UPDATE questions SET position = $3, version = $4, document = $5 \
                     WHERE id = $1 AND paper_id = $2";
    let query = sql(statement)
        .bind(stored.id.to_string())
        .bind(paper.to_string())
        .bind(stored.position)
        .bind(stored.version)
        .bind(document(&stored.question));
    db.queue(query.guarded()).await
}

/// Puts a question elsewhere in its paper, which is locked. What it says stays, and so does its version.
pub async fn place(db: &mut Db, paper: PaperId, id: QuestionId, position: i64) -> Result<(), Error> {
    let statement = "UPDATE questions SET position = $3 WHERE id = $1 AND paper_id = $2";
    db.queue(sql(statement).bind(id.to_string()).bind(paper.to_string()).bind(position).guarded()).await
}

/// Removes a question of a paper that is locked.
pub async fn delete(db: &mut Db, paper: PaperId, id: QuestionId) -> Result<(), Error> {
    let statement = "DELETE FROM questions WHERE id = $1 AND paper_id = $2";
    db.queue(sql(statement).bind(id.to_string()).bind(paper.to_string()).guarded()).await
}

/// A paper's questions in their order; there are at most [`domain::paper::QUESTIONS_MAX`].
pub async fn of_paper(db: &mut Db, paper: PaperId) -> Result<Vec<Stored>, Error> {
    let statement =
        "SELECT id, position, version, document FROM questions WHERE paper_id = $1 ORDER BY position, id";
    db.all(sql(statement).bind(paper.to_string())).await
}

fn document(question: &Question) -> String {
    serde_json::to_string(question).expect("a question holds only what JSON can write")
}
