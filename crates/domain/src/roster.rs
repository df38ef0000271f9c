//! A class by name: who is expected to hand in a script, as a school's programs export it.

mod csv;

use crate::submission::Student;
use crate::text::{Problem, ShortLine, fold};
use std::collections::HashMap;
use std::fmt;

/// The most students of one roster.
pub const STUDENTS_MAX: usize = 1000;
/// The largest table.
pub const BYTES_MAX: usize = 1 << 20;

/// A student who is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolled {
    /// Who.
    pub student: Student,
    /// Of which class, for people.
    pub class: Option<ShortLine>,
}

/// The students who are expected, none twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster(Vec<Enrolled>);

/// Why there is no roster. A sentence for whoever made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RosterProblem {
    /// More bytes than are read.
    TooLarge,
    /// Not written as UTF-8.
    NotText {
        /// The first line that is not.
        line: usize,
    },
    /// No column says who.
    NoIds,
    /// A heading, and nobody under it.
    Nobody,
    /// More students than one roster has.
    TooMany,
    /// A quoted cell has no end.
    Unquoted {
        /// Where it begins.
        line: usize,
    },
    /// A line names nobody.
    NoId {
        /// Which.
        line: usize,
        /// The column in which the id is looked for.
        column: String,
    },
    /// A cell breaks a rule.
    Cell {
        /// In which line.
        line: usize,
        /// In which column.
        column: String,
        /// Which rule.
        problem: Problem,
    },
    /// Two lines name the same student.
    Twice {
        /// The second.
        line: usize,
        /// The first.
        first: usize,
    },
}

impl fmt::Display for RosterProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RosterProblem::TooLarge => write!(f, "The roster is larger than {BYTES_MAX} bytes."),
            RosterProblem::NotText { line } => {
                write!(f, "Line {line} is not UTF-8 text. Save the table as CSV in UTF-8.")
            }
            RosterProblem::NoIds => write!(
                f,
                "No column of the first line says who the students are. Name one external_id, ID number (Moodle) or SIS \
                 User ID (Canvas)."
            ),
            RosterProblem::Nobody => write!(f, "The roster names no student."),
            RosterProblem::TooMany => write!(f, "The roster has more than {STUDENTS_MAX} students."),
            RosterProblem::Unquoted { line } => {
                write!(f, "A quotation mark in line {line} has no second one.")
            }
            RosterProblem::NoId { line, column } => {
                write!(f, "Line {line} has nothing in the column {column}.")
            }
            RosterProblem::Cell { line, column, problem } => {
                write!(f, "Line {line}: the column {column} {problem}.")
            }
            RosterProblem::Twice { line, first } => {
                write!(f, "Line {line} names the same student as line {first}.")
            }
        }
    }
}

impl Roster {
    /// The roster of these students. Otherwise the places of two that are the same.
    pub fn of(students: Vec<Enrolled>) -> Result<Roster, (usize, usize)> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (place, enrolled) in students.iter().enumerate() {
            if let Some(first) = seen.insert(enrolled.student.external_id.as_str(), place) {
                return Err((first, place));
            }
        }
        Ok(Roster(students))
    }

    /// Reads a table with a heading: our own, a gradebook of Moodle or of Canvas, with commas, semicolons or tabs.
    pub fn from_csv(bytes: &[u8]) -> Result<Roster, RosterProblem> {
        if bytes.len() > BYTES_MAX {
            return Err(RosterProblem::TooLarge);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            RosterProblem::NotText { line: 1 + before.iter().filter(|byte| **byte == b'\n').count() }
        })?;
        let mut records = csv::records(text)?.into_iter();
        let heading = records.next().ok_or(RosterProblem::NoIds)?;
        let columns = Columns::of(&heading.cells).ok_or(RosterProblem::NoIds)?;
        let (mut students, mut lines) = (Vec::new(), Vec::new());
        for record in records.filter(|record| !columns.is_no_student(record)) {
            if students.len() == STUDENTS_MAX {
                return Err(RosterProblem::TooMany);
            }
            lines.push(record.line);
            students.push(columns.read(&record)?);
        }
        if students.is_empty() {
            return Err(RosterProblem::Nobody);
        }
        Roster::of(students)
            .map_err(|(first, second)| RosterProblem::Twice { line: lines[second], first: lines[first] })
    }

    /// Everybody, in the order given.
    pub fn students(&self) -> &[Enrolled] {
        &self.0
    }

    /// Who has this reference.
    pub fn find(&self, external_id: &str) -> Option<&Student> {
        self.0.iter().map(|enrolled| &enrolled.student).find(|one| one.external_id.as_str() == external_id)
    }

    /// Everybody but one.
    #[must_use]
    pub fn without(&self, student: &Student) -> Roster {
        let others = self.0.iter().filter(|enrolled| enrolled.student.external_id != student.external_id);
        Roster(others.cloned().collect())
    }

    /// Whether it names nobody.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Headings that say who, the surest first: ours, Moodle's, Canvas's, others'.
const IDS: &[&str] = &[
    "external_id",
    "external id",
    "id number",
    "sis user id",
    "student id",
    "student_id",
    "candidate number",
    "id",
    "username",
    "sis login id",
    "email address",
];
const NAMES: &[&str] = &["name", "full name", "student", "student name"];
const FIRST_NAMES: &[&str] = &["first name", "firstname", "forename", "given name"];
const LAST_NAMES: &[&str] = &["surname", "last name", "lastname", "family name"];
const CLASSES: &[&str] = &["class", "section", "group", "groups", "department"];
/// What Canvas writes where a name would stand, on the line under the heading.
const NO_STUDENT: &str = "points possible";

/// Where in the table what stands.
struct Columns {
    id: Column,
    name: Option<Column>,
    first_name: Option<Column>,
    last_name: Option<Column>,
    class: Option<Column>,
}

struct Column {
    place: usize,
    heading: String,
}

impl Columns {
    fn of(heading: &[String]) -> Option<Columns> {
        let folded: Vec<String> = heading.iter().map(|cell| fold(cell)).collect();
        let find = |names: &[&str]| {
            let place = names.iter().find_map(|name| folded.iter().position(|cell| cell == name))?;
            Some(Column { place, heading: heading[place].trim().to_owned() })
        };
        Some(Columns {
            id: find(IDS)?,
            name: find(NAMES),
            first_name: find(FIRST_NAMES),
            last_name: find(LAST_NAMES),
            class: find(CLASSES),
        })
    }

    /// True for a line that is about no student: what each column is worth, or nothing at all.
    fn is_no_student(&self, record: &csv::Record) -> bool {
        let name = self.name.as_ref().map_or("", |column| cell(record, column));
        cell(record, &self.id).is_empty() && (fold(name) == NO_STUDENT || record.is_empty())
    }

    fn read(&self, record: &csv::Record) -> Result<Enrolled, RosterProblem> {
        let external_id = line(record, &self.id)?
            .ok_or_else(|| RosterProblem::NoId { line: record.line, column: self.id.heading.clone() })?;
        let mut name = self.name.as_ref().map(|column| line(record, column)).transpose()?.flatten();
        if name.is_none() {
            let parts = [&self.first_name, &self.last_name].into_iter().flatten();
            let parts: Vec<&str> =
                parts.map(|column| cell(record, column)).filter(|part| !part.is_empty()).collect();
            let column = self.first_name.as_ref().or(self.last_name.as_ref());
            name = column.map(|column| checked(record, column, &parts.join(" "))).transpose()?.flatten();
        }
        let class = self.class.as_ref().map(|column| line(record, column)).transpose()?.flatten();
        Ok(Enrolled { student: Student { external_id, name }, class })
    }
}

fn cell<'r>(record: &'r csv::Record, column: &Column) -> &'r str {
    record.cells.get(column.place).map_or("", |cell| cell.trim())
}

fn line(record: &csv::Record, column: &Column) -> Result<Option<ShortLine>, RosterProblem> {
    checked(record, column, cell(record, column))
}

fn checked(record: &csv::Record, column: &Column, text: &str) -> Result<Option<ShortLine>, RosterProblem> {
    if text.is_empty() {
        return Ok(None);
    }
    ShortLine::parse(text.to_owned()).map(Some).map_err(|problem| RosterProblem::Cell {
        line: record.line,
        column: column.heading.clone(),
        problem,
    })
}

#[cfg(test)]
mod tests;
