//! How a statement is carried out, for tests that no list or lookup reads a whole table.

use crate::sql::Sql;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

static IS_NOTING: AtomicBool = AtomicBool::new(false);
static NOTED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Begins to note the text of every statement that this process runs, so that a test can look at the plans of
/// all that its requests caused.
pub fn note_statements() {
    IS_NOTING.store(true, Ordering::Relaxed);
}

/// The statements noted so far, each once.
pub fn noted_statements() -> Vec<String> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

pub(crate) fn is_noting() -> bool {
    IS_NOTING.load(Ordering::Relaxed)
}

pub(crate) fn note(statement: &Sql<'_>) {
    if is_noting() {
        let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.contains(statement.text()) {
            noted.insert(statement.text().to_owned());
        }
    }
}

/// The steps by which an engine would carry out a statement.
#[derive(Debug, Clone)]
pub struct Plan {
    statement: String,
    steps: Vec<String>,
}

impl Plan {
    pub(crate) fn new(statement: &str, steps: Vec<String>) -> Plan {
        Plan { statement: statement.to_owned(), steps }
    }

    /// The steps that read a whole table or index.
    ///
    /// A statement with a limit and without a condition may walk along an index: it stops at its limit.
    pub fn scans(&self) -> Vec<&str> {
        let may_walk = self.statement.contains("LIMIT") && !self.statement.contains("WHERE");
        self.steps
            .iter()
            .enumerate()
            .filter(|(_, step)| !self.is_of_its_own(step))
            .filter(|(number, step)| match Reading::of(step, self.steps.get(number + 1)) {
                Some(Reading::WholeTable) => true,
                Some(Reading::WholeIndex) => !may_walk,
                None => false,
            })
            .map(|(_, step)| step.trim())
            .collect()
    }

    /// A scan of what another step of the statement gives, and not of a table.
    fn is_of_its_own(&self, step: &str) -> bool {
        let given = |other: &String| other.trim().strip_prefix("CO-ROUTINE ").map(str::to_owned);
        step.trim()
            .strip_prefix("SCAN ")
            .is_some_and(|what| self.steps.iter().filter_map(given).any(|own| own == what))
    }

    /// The steps that sort what was found, because no index gives it in order.
    pub fn sorts(&self) -> Vec<&str> {
        let is_sort = |step: &&str| step.contains("TEMP B-TREE FOR ORDER BY") || step.ends_with("Sort");
        self.steps.iter().map(|step| step.trim()).filter(is_sort).collect()
    }

    /// # Panics
    /// When the statement would read a whole table.
    #[track_caller]
    pub fn assert_no_scan(&self) {
        assert!(self.scans().is_empty(), "this statement reads a whole table:\n{self}");
    }

    /// # Panics
    /// When the statement would read a whole table, or sort instead of following an index.
    #[track_caller]
    pub fn assert_in_index_order(&self) {
        self.assert_no_scan();
        assert!(self.sorts().is_empty(), "this statement sorts what it finds:\n{self}");
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.statement)?;
        self.steps.iter().try_for_each(|step| writeln!(formatter, "    {step}"))
    }
}

enum Reading {
    WholeTable,
    WholeIndex,
}

impl Reading {
    /// SQLite says SCAN for all and SEARCH for some; PostgreSQL says which index and, on the next line, the
    /// condition that it is asked for.
    fn of(step: &str, next: Option<&String>) -> Option<Reading> {
        let step = step.trim().trim_start_matches("->").trim();
        if let Some(what) = step.strip_prefix("SCAN ") {
            let is_own =
                what.starts_with('(') || what.starts_with("CONSTANT") || what.ends_with("VALUES CLAUSE");
            let reading = if what.contains("INDEX") { Reading::WholeIndex } else { Reading::WholeTable };
            return (!is_own).then_some(reading);
        }
        if step.starts_with("Seq Scan on") || step.starts_with("Parallel Seq Scan on") {
            return Some(Reading::WholeTable);
        }
        let is_index = step.starts_with("Index Scan") || step.starts_with("Index Only Scan");
        let has_condition = next.is_some_and(|line| line.trim().starts_with("Index Cond"));
        (is_index && !has_condition).then_some(Reading::WholeIndex)
    }
}
