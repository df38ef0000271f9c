//! Subjects: one read-only catalogue for all accounts.

use crate::id::SubjectId;

/// A subject that a paper can be of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its id.
    pub id: SubjectId,
    /// "Biology"
    pub name: String,
    /// "0610"
    pub code: Option<String>,
    /// "IGCSE"
    pub level: Option<String>,
}

/// The catalogue that a new installation starts with: name, code, level.
pub const STARTING_CATALOGUE: &[(&str, Option<&str>, Option<&str>)] = &[
    ("Accounting", Some("ACC"), None),
    ("Art and Design", Some("ART"), None),
    ("Biology", Some("BIO"), None),
    ("Business Studies", Some("BUS"), None),
    ("Chemistry", Some("CHE"), None),
    ("Computer Science", Some("CSC"), None),
    ("Economics", Some("ECO"), None),
    ("English Language", Some("ENG"), None),
    ("English Literature", Some("LIT"), None),
    ("Environmental Science", Some("ENV"), None),
    ("French", Some("FRE"), None),
    ("Geography", Some("GEO"), None),
    ("German", Some("GER"), None),
    ("History", Some("HIS"), None),
    ("Mathematics", Some("MAT"), None),
    ("Physics", Some("PHY"), None),
    ("Psychology", Some("PSY"), None),
    ("Religious Studies", Some("REL"), None),
    ("Science", Some("SCI"), None),
    ("Sociology", Some("SOC"), None),
    ("Spanish", Some("SPA"), None),
    ("Statistics", Some("STA"), None),
];
