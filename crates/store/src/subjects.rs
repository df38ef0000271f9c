//! The catalogue of subjects.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::id::SubjectId;
use domain::subject::Subject;
use domain::text::fold;
use std::collections::BTreeSet;

struct SubjectRow(Subject);

impl FromRow for SubjectRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("subjects", row);
        Ok(SubjectRow(Subject {
            id: columns.id(0)?,
            name: row.text(1)?,
            code: row.opt_text(2)?,
            level: row.opt_text(3)?,
        }))
    }
}

/// Adds a subject, with all that it is found by.
pub async fn insert(db: &mut Db, subject: &Subject) -> Result<(), Error> {
    let id = subject.id.to_string();
    let statement = "INSERT INTO subjects (id, name, code, level, sort_key) VALUES ($1, $2, $3, $4, $5)";
    db.execute(
        sql(statement)
            .bind(&id)
            .bind(&subject.name)
            .bind(subject.code.as_deref())
            .bind(subject.level.as_deref())
            .bind(fold(&subject.name)),
    )
    .await?;
    let texts = [Some(fold(&subject.name)), subject.code.as_deref().map(fold)];
    let endings: BTreeSet<&str> = texts.iter().flatten().flat_map(|text| endings(text)).collect();
    let statement = "INSERT INTO subject_endings (ending, subject_id) VALUES ($1, $2)";
    db.execute_all(endings.into_iter().map(|ending| sql(statement).bind(ending).bind(&id)).collect()).await?;
    Ok(())
}

fn endings(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(start, _)| &text[start..])
}

/// The subject of this id.
pub async fn by_id(db: &mut Db, id: SubjectId) -> Result<Option<Subject>, Error> {
    let statement = "SELECT id, name, code, level FROM subjects WHERE id = $1";
    Ok(db.one::<SubjectRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// Subjects by name, after the given one; with `query`, only those whose name or code holds it.
pub async fn list(
    db: &mut Db,
    query: Option<&str>,
    after: Option<SubjectId>,
    rows: i64,
) -> Result<Vec<Subject>, Error> {
    // A subject's name never changes, so the last one shown still tells where the next page begins.
    let last = match after {
        Some(id) => by_id(db, id).await?,
        None => None,
    };
    let (name, id) = last.map_or_else(Default::default, |last| (fold(&last.name), last.id.to_string()));
    let found = match query {
        None => {
            let statement = "SELECT id, name, code, level FROM subjects WHERE (sort_key, id) > ($1, $2) \
                             ORDER BY sort_key, id LIMIT $3";
            db.all::<SubjectRow>(sql(statement).bind(name).bind(id).bind(rows)).await?
        }
        Some(query) => {
            // All endings that begin with the query stand together in the index; U+10FFFF sorts after them.
            let from = fold(query);
            let to = format!("{from}\u{10ffff}");
            let statement = "SELECT id, name, code, level FROM subjects WHERE id IN \
                             (SELECT subject_id FROM subject_endings WHERE ending >= $1 AND ending < $2) \
                             AND (sort_key, id) > ($3, $4) ORDER BY sort_key, id LIMIT $5";
            db.all::<SubjectRow>(sql(statement).bind(from).bind(to).bind(name).bind(id).bind(rows)).await?
        }
    };
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// True when the catalogue has no subject yet.
pub async fn is_empty(db: &mut Db) -> Result<bool, Error> {
    Ok(db.one::<i64>(sql("SELECT 1 FROM subjects ORDER BY sort_key LIMIT 1")).await?.is_none())
}
