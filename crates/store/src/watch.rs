//! For tests: finds the transaction that reads a row without a lock and then writes it.
//!
//! Two of them at one moment lose what one of them wrote (see `locked.rs`), and no test that runs them one after the
//! other can show it. So while statements are noted, every transaction is watched: which rows it read unlocked, which
//! it locked or made, and whether a row of the first kind is written. Rows are told by the equalities of a statement
//! (`id = $1`), which is how all of ours name a single row.

use std::sync::{LazyLock, Mutex, PoisonError};

use crate::plan;
use crate::sql::{Sql, Value};

static FOUND: LazyLock<Mutex<Vec<String>>> = LazyLock::new(Mutex::default);

/// What this process has done wrong since it was last asked.
pub fn unlocked_changes() -> Vec<String> {
    std::mem::take(&mut FOUND.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What one transaction has done so far.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    rows: Vec<Touched>,
}

/// Rows of one table that a statement named.
#[derive(Debug)]
struct Touched {
    table: String,
    keys: Vec<(String, String)>,
    is_locked: bool,
    statement: String,
}

impl Watch {
    pub(crate) fn begin(&mut self) {
        self.rows.clear();
    }

    /// Notes a statement of the transaction, if statements are noted at all.
    pub(crate) fn note(&mut self, statement: &Sql<'_>) {
        if plan::is_noting() {
            let found = self.look(statement);
            FOUND.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
    }

    /// What is wrong with a statement, after those before it.
    fn look(&mut self, statement: &Sql<'_>) -> Option<String> {
        if statement.is_guarded() {
            return None;
        }
        let words: Vec<&str> = words(statement.text()).collect();
        let kind = words.first().copied().unwrap_or_default();
        let mut found = None;
        for table in tables(&words) {
            let touched = Touched {
                table: table.to_owned(),
                keys: keys(&words, statement.values()),
                is_locked: statement.is_locking() || kind != "SELECT",
                statement: statement.text().to_owned(),
            };
            found = found.or(self.add(kind, touched));
        }
        found
    }

    fn add(&mut self, kind: &str, touched: Touched) -> Option<String> {
        if self.rows.iter().any(|row| row.is_locked && row.is_same(&touched)) {
            return None;
        }
        let unlocked = self.rows.iter().find(|row| !row.is_locked && row.is_same(&touched));
        let found = unlocked.filter(|_| matches!(kind, "UPDATE" | "DELETE")).map(|read| {
            format!("read unlocked: {}\nand then written: {}", read.statement, touched.statement)
        });
        self.rows.push(touched);
        found
    }
}

impl Touched {
    /// Both name rows of one table by a column in common, and no column says that they are others.
    fn is_same(&self, other: &Touched) -> bool {
        let shared = self.keys.iter().filter_map(|(column, value)| {
            other.keys.iter().find(|(name, _)| name == column).map(|(_, theirs)| theirs == value)
        });
        let shared: Vec<bool> = shared.collect();
        self.table == other.table && !shared.is_empty() && shared.into_iter().all(|is_equal| is_equal)
    }
}

/// The words of a statement, without what punctuates them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || ",()".contains(letter))
        .filter(|word| !word.is_empty())
}

/// The tables that a statement reads or writes. Of a write, only the written one.
fn tables<'w>(words: &[&'w str]) -> Vec<&'w str> {
    match words {
        ["UPDATE", table, ..] | ["DELETE", "FROM", table, ..] | ["INSERT", "INTO", table, ..] => vec![table],
        _ => words.windows(2).filter(|pair| matches!(pair[0], "FROM" | "JOIN")).map(|pair| pair[1]).collect(),
    }
}

/// The columns that a statement asks to equal a value, or that it gives a new row.
fn keys(words: &[&str], values: &[Value<'_>]) -> Vec<(String, String)> {
    let place = |word: &str| word.strip_prefix('$').and_then(|place| place.parse::<usize>().ok());
    let key = |column: &str, word: &str| {
        let value = values.get(place(word)?.checked_sub(1)?)?;
        let column = column.rsplit('.').next().unwrap_or(column);
        Some((column.to_owned(), format!("{value:?}")))
    };
    if words.first() == Some(&"INSERT") {
        let end = words.iter().position(|word| *word == "VALUES").unwrap_or(words.len());
        let columns = words.get(3..end).unwrap_or_default();
        return columns
            .iter()
            .zip(words.iter().skip(end + 1))
            .filter_map(|(column, word)| key(column, word))
            .collect();
    }
    let asked = words.iter().position(|word| *word == "WHERE").unwrap_or(words.len());
    let equalities = words[asked..].windows(3).filter(|three| three[1] == "=");
    equalities.filter_map(|three| key(three[0], three[2])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::sql;

    type Given = (&'static str, &'static [&'static str]);

    fn statement((text, values): Given) -> Sql<'static> {
        values.iter().fold(sql(text), |statement, value| statement.bind(*value))
    }

    /// Whether something is wrong with the last of these statements.
    fn is_found(statements: impl IntoIterator<Item = Sql<'static>>) -> bool {
        let mut watch = Watch::default();
        statements.into_iter().map(|statement| watch.look(&statement)).last().flatten().is_some()
    }

    const READ: Given =
        ("SELECT a FROM one JOIN two ON two.id = one.id WHERE one.id = $1 AND owner = $2", &["x", "y"]);
    const WRITE: Given = ("UPDATE one SET a = $2 WHERE id = $1 AND b = 1", &["x", "z"]);

    #[test]
    fn a_row_that_is_read_and_then_written_is_found() {
        assert!(is_found([READ, WRITE].map(statement)));
        assert!(is_found([READ, ("DELETE FROM two WHERE id = $1", &["x"])].map(statement)));
    }

    #[test]
    fn a_lock_another_row_or_a_row_of_ones_own_is_fine() {
        assert!(!is_found([statement(READ).locking(), statement(WRITE)]));
        assert!(!is_found([statement(READ).guarded(), statement(WRITE)]));
        assert!(!is_found([(READ.0, ["other", "y"].as_slice()), WRITE].map(statement)));
        let insert = ("INSERT INTO one (owner, id) VALUES ($1, $2)", ["y", "x"].as_slice());
        assert!(!is_found([insert, READ, WRITE].map(statement)));
        let touch = ("UPDATE one SET a = a WHERE id = $1", ["x"].as_slice());
        assert!(!is_found([touch, READ, WRITE].map(statement)));
    }
}
