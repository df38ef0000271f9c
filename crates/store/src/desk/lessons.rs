//! What is learned of the parts of a paper: how far marks follow the decisions that were made, and the answers to a part
//! as learning sees them.

use super::{ANSWER, Answer, json, text};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Tx, sql};
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::result::PartKey;

/// How far the marks of a part follow what was decided about its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Which part.
    pub key: PartKey,
    /// Counts what happened to its answers.
    pub wanted: i64,
    /// How much of that the marks follow.
    pub learned: i64,
}

impl FromRow for Lesson {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let question = u32::try_from(row.int(0)?).unwrap_or(u32::MAX);
        let key = PartKey { question, part: row.text(1)? };
        Ok(Lesson { key, wanted: row.int(2)?, learned: row.int(3)? })
    }
}

const LESSON: &str = "question, part, wanted, learned";

/// An answer as learning sees it.
#[derive(Clone, Debug)]
pub struct Learner {
    /// The answer.
    pub answer: Answer,
    /// What it means, packed; `None` where nobody has looked.
    pub meaning: Option<String>,
    /// False once its script is released: it can still teach.
    pub is_open: bool,
    /// The client's own reference to the student.
    pub student: String,
    /// For people.
    pub name: Option<String>,
}

impl Learner {
    /// Whether a person has said what the student really wrote: then what is kept is the meaning of other words.
    pub fn has_been_reread(&self) -> bool {
        self.answer.decision.as_ref().is_some_and(|decision| decision.reread.is_some())
    }
}

impl FromRow for Learner {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let answer = Answer::from_row(row)?;
        Ok(Learner {
            answer,
            meaning: row.opt_text(13)?,
            is_open: row.text(14)? == "graded",
            student: row.text(15)?,
            name: row.opt_text(16)?,
        })
    }
}

/// Notes that something happened to the answers to a part. True: the marks followed all before it, so that nobody is
/// about to learn.
pub async fn want(tx: &mut Tx, paper: PaperId, key: &PartKey) -> Result<bool, Error> {
    let statement = format!(
        "INSERT INTO desk_lessons (paper_id, question, part, wanted, learned, offers) \
         VALUES ($1, $2, $3, 1, 0, '[]') ON CONFLICT (paper_id, question, part) \
         DO UPDATE SET wanted = desk_lessons.wanted + 1 RETURNING {LESSON}"
    );
    let query = sql(statement).bind(paper.to_string()).bind(key.question).bind(&key.part);
    let lesson = tx.one::<Lesson>(query).await?;
    Ok(lesson.is_some_and(|lesson| lesson.wanted == lesson.learned + 1))
}

/// Notes that something happened to the answers to every part that anything was learned about. True as for [`want`].
pub async fn want_all(tx: &mut Tx, paper: PaperId) -> Result<bool, Error> {
    let statement = format!("SELECT {LESSON} FROM desk_lessons WHERE paper_id = $1 ORDER BY question, part");
    // Locked in the order in which decisions lock them.
    let lessons = tx.lock_all::<Lesson>("desk_lessons", sql(statement).bind(paper.to_string())).await?;
    if lessons.is_empty() {
        return Ok(false);
    }
    let statement = "UPDATE desk_lessons SET wanted = wanted + 1 WHERE paper_id = $1";
    tx.queue(sql(statement).bind(paper.to_string()).guarded()).await?;
    Ok(lessons.iter().any(|lesson| lesson.wanted == lesson.learned))
}

/// The first part of a paper whose marks do not follow yet.
pub async fn next_wanted(db: &mut Db, paper: PaperId) -> Result<Option<Lesson>, Error> {
    let statement = format!(
        "SELECT {LESSON} FROM desk_lessons WHERE paper_id = $1 AND learned < wanted ORDER BY question, part LIMIT 1"
    );
    db.one(sql(statement).bind(paper.to_string())).await
}

/// How many parts of a paper there are whose marks do not follow yet.
pub async fn count_wanted(db: &mut Db, paper: PaperId) -> Result<i64, Error> {
    let statement = "SELECT COUNT(*) FROM desk_lessons WHERE paper_id = $1 AND learned < wanted";
    Ok(db.one(sql(statement).bind(paper.to_string())).await?.unwrap_or_default())
}

/// Whether nothing has happened to the part since; nothing will until the transaction ends.
pub async fn is_current(tx: &mut Tx, paper: PaperId, lesson: &Lesson) -> Result<bool, Error> {
    let statement =
        format!("SELECT {LESSON} FROM desk_lessons WHERE paper_id = $1 AND question = $2 AND part = $3");
    let query = sql(statement).bind(paper.to_string()).bind(lesson.key.question).bind(&lesson.key.part);
    let found = tx.lock::<Lesson>("desk_lessons", query).await?;
    Ok(found.is_some_and(|found| found.wanted == lesson.wanted))
}

/// Notes that the marks follow, and which answers would teach most, unless something has happened since.
pub async fn learned(
    tx: &mut Tx,
    paper: PaperId,
    lesson: &Lesson,
    offers: &[SubmissionId],
) -> Result<(), Error> {
    let offers: Vec<String> = offers.iter().map(ToString::to_string).collect();
    let statement = "UPDATE desk_lessons SET learned = $4, offers = $5 \
                     WHERE paper_id = $1 AND question = $2 AND part = $3 AND wanted = $4";
    tx.queue(
        sql(statement)
            .bind(paper.to_string())
            .bind(lesson.key.question)
            .bind(&lesson.key.part)
            .bind(lesson.wanted)
            .bind(text(&offers)),
    )
    .await
}

/// The scripts whose answers to a part would teach most, best first.
pub async fn offers(db: &mut Db, paper: PaperId, key: &PartKey) -> Result<Vec<SubmissionId>, Error> {
    let statement = "SELECT offers FROM desk_lessons WHERE paper_id = $1 AND question = $2 AND part = $3";
    let query = sql(statement).bind(paper.to_string()).bind(key.question).bind(&key.part);
    let stored = db.one::<String>(query).await?.unwrap_or_default();
    let ids: Vec<String> = json(&stored).unwrap_or_default();
    Ok(ids.iter().filter_map(|id| SubmissionId::parse(id)).collect())
}

/// The answers to a part that learning is about: those whose marks can change and those that a person has checked, in the
/// order of their submissions.
pub async fn learners(db: &mut Db, paper: PaperId, key: &PartKey, rows: i64) -> Result<Vec<Learner>, Error> {
    let columns = ANSWER.replace("submission_id", "desk_answers.submission_id");
    let statement = format!(
        "SELECT {columns}, meaning, status, student_external_id, student_name FROM desk_answers \
         JOIN submissions ON submissions.id = desk_answers.submission_id \
         WHERE desk_answers.paper_id = $1 AND question = $2 AND part = $3 \
         AND (status = 'graded' OR decision IS NOT NULL) ORDER BY desk_answers.submission_id LIMIT $4"
    );
    db.all(sql(statement).bind(paper.to_string()).bind(key.question).bind(&key.part).bind(rows)).await
}

/// How many answers to a part there are, released or not.
pub async fn count_answers(db: &mut Db, paper: PaperId, key: &PartKey) -> Result<usize, Error> {
    let statement = "SELECT COUNT(*) FROM desk_answers WHERE paper_id = $1 AND question = $2 AND part = $3";
    let query = sql(statement).bind(paper.to_string()).bind(key.question).bind(&key.part);
    let count = db.one::<i64>(query).await?.unwrap_or_default();
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Keeps what an answer means.
pub async fn put_meaning(db: &mut Db, id: SubmissionId, key: &PartKey, meaning: &str) -> Result<(), Error> {
    let statement =
        "UPDATE desk_answers SET meaning = $4 WHERE submission_id = $1 AND question = $2 AND part = $3";
    let query = sql(statement).bind(id.to_string()).bind(key.question).bind(&key.part);
    db.queue(query.bind(meaning)).await
}

/// Forgets what was learned of a paper.
pub async fn forget(db: &mut Db, paper: PaperId) -> Result<(), Error> {
    db.queue(sql("DELETE FROM desk_lessons WHERE paper_id = $1").bind(paper.to_string())).await
}
