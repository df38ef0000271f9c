//! What the desk's views read: a page of the class, all answers to one part.

use super::json;
use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::id::{PaperId, SubmissionId};
use domain::marks::Marks;
use domain::report::Marksheet;
use domain::result::Score;
use domain::submission::Status;

/// A student in the list of the class.
#[derive(Clone, Debug)]
pub struct ClassRow {
    /// The submission.
    pub submission_id: SubmissionId,
    /// The client's own reference to the student.
    pub student_external_id: String,
    /// For people.
    pub student_name: Option<String>,
    /// Graded or released.
    pub status: Status,
    /// What the script earned.
    pub score: Option<Score>,
    /// How many answers can earn marks.
    pub parts: u32,
    /// How many of those a person has checked.
    pub checked: u32,
    /// How many are flagged and not checked.
    pub flagged: u32,
    /// Whether a person decided about any.
    pub is_adjusted: bool,
    /// Marks by question.
    pub sheet: Marksheet,
}

/// What the class is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The student's name, else the reference.
    #[default]
    Student,
    /// The score.
    Score,
    /// How much is left to check.
    Unchecked,
    /// How much is flagged.
    Flagged,
}

/// Which scripts of the class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// With something to check, and not released.
    Unchecked,
    /// With something flagged, and not released.
    Flagged,
    /// All checked, and not released.
    Checked,
    /// Released.
    Released,
}

domain::names! {
    Order { Student = "student", Score = "score", Unchecked = "unchecked", Flagged = "flagged" }
    Filter {
        All = "all", Unchecked = "unchecked", Flagged = "flagged", Checked = "checked", Released = "released",
    }
}

/// Which piece of the class.
#[derive(Clone, Debug, Default)]
pub struct ClassQuery {
    /// Sorted by.
    pub order: Order,
    /// The other way round.
    pub is_descending: bool,
    /// Which scripts.
    pub filter: Filter,
    /// Part of a student's name or reference.
    pub search: String,
    /// How many are skipped.
    pub offset: i64,
    /// How many are wanted.
    pub rows: i64,
}

/// The whole class in numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Marked scripts.
    pub scripts: i64,
    /// Their answers that can earn marks.
    pub parts: i64,
    /// How many of those are checked.
    pub checked: i64,
    /// How many are flagged and not checked.
    pub flagged: i64,
}

impl FromRow for ClassRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("desk_scripts", row);
        let awarded = columns.opt_count(4)?.map(Marks::halves);
        let available = columns.opt_count(5)?.map(Marks::halves);
        Ok(ClassRow {
            submission_id: columns.id(0)?,
            student_external_id: row.text(1)?,
            student_name: row.opt_text(2)?,
            status: columns.parsed(3, "status", Status::parse)?,
            score: awarded.zip(available).map(|(awarded, available)| Score::of(awarded, available)),
            parts: columns.count(6)?,
            checked: columns.count(7)?,
            flagged: columns.count(8)?,
            is_adjusted: row.bool(9)?,
            sheet: columns.parsed(10, "sheet", json)?,
        })
    }
}

const JOINED: &str = "desk_scripts JOIN submissions ON submissions.id = desk_scripts.submission_id";

/// A piece of the class.
pub async fn class(db: &mut Db, paper: PaperId, query: &ClassQuery) -> Result<Vec<ClassRow>, Error> {
    let direction = if query.is_descending { "DESC" } else { "ASC" };
    let order = match query.order {
        Order::Student => "LOWER(COALESCE(student_name, student_external_id))",
        Order::Score => "score_awarded",
        Order::Unchecked => "parts - checked",
        Order::Flagged => "flagged",
    };
    let statement = format!(
        "SELECT submissions.id, student_external_id, student_name, status, score_awarded, score_available, parts, \
         checked, flagged, is_adjusted, sheet FROM {JOINED} WHERE desk_scripts.paper_id = $1{} \
         ORDER BY {order} {direction}, submissions.id LIMIT $3 OFFSET $4",
        condition(query.filter)
    );
    let found = sql(statement).bind(paper.to_string()).bind(pattern(&query.search));
    db.all(found.bind(query.rows).bind(query.offset)).await
}

/// How many scripts the query is about, whichever piece it asks for.
pub async fn class_size(db: &mut Db, paper: PaperId, query: &ClassQuery) -> Result<i64, Error> {
    let statement =
        format!("SELECT COUNT(*) FROM {JOINED} WHERE desk_scripts.paper_id = $1{}", condition(query.filter));
    let counted = sql(statement).bind(paper.to_string()).bind(pattern(&query.search));
    Ok(db.one(counted).await?.unwrap_or_default())
}

fn condition(filter: Filter) -> String {
    let state = match filter {
        Filter::All => "",
        Filter::Unchecked => " AND checked < parts AND status = 'graded'",
        Filter::Flagged => " AND flagged > 0 AND status = 'graded'",
        Filter::Checked => " AND checked >= parts AND status = 'graded'",
        Filter::Released => " AND status = 'released'",
    };
    format!(
        " AND (LOWER(student_external_id) LIKE $2 ESCAPE '\\' \
         OR LOWER(COALESCE(student_name, '')) LIKE $2 ESCAPE '\\'){state}"
    )
}

/// What contains the words, whatever its case as far as the database knows cases.
fn pattern(search: &str) -> String {
    let escaped = search.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// The whole class in numbers.
pub async fn totals(db: &mut Db, paper: PaperId) -> Result<Totals, Error> {
    let statement = "SELECT COUNT(*), CAST(COALESCE(SUM(parts), 0) AS BIGINT), \
                     CAST(COALESCE(SUM(checked), 0) AS BIGINT), CAST(COALESCE(SUM(flagged), 0) AS BIGINT) \
                     FROM desk_scripts WHERE paper_id = $1";
    let found = db.one::<(i64, i64, i64, i64)>(sql(statement).bind(paper.to_string())).await?;
    let (scripts, parts, checked, flagged) = found.unwrap_or_default();
    Ok(Totals { scripts, parts, checked, flagged })
}
