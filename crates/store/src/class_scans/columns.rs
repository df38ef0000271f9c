//! How the parts of a scan stand in their columns.

use domain::class_scan::{Obstacle, Part, ScanFile, ScanPage, ScanScript, Warning};
use domain::file::ContentType;
use domain::id::{FileId, Identifier as _, SubmissionId};
use domain::roster::{Enrolled, Roster};
use domain::submission::Student;
use domain::text::ShortLine;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct StudentEntry {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct FileEntry {
    id: String,
    #[serde(rename = "type")]
    content_type: Option<String>,
    pages: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct ScriptEntry {
    pages: Vec<u32>,
    student: Option<StudentEntry>,
    confidence: f64,
    warnings: Vec<String>,
    parts: Vec<PartEntry>,
    submission: Option<String>,
    obstacle: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct PartEntry {
    id: String,
    file: usize,
    taken: Option<Vec<u32>>,
}

fn text<T: Serialize>(entries: &T) -> String {
    serde_json::to_string(entries).expect("the entries hold only what JSON can write")
}

fn student_entry(student: &Student, class: Option<&ShortLine>) -> StudentEntry {
    StudentEntry {
        id: student.external_id.to_string(),
        name: student.name.as_ref().map(ToString::to_string),
        class: class.map(ToString::to_string),
    }
}

fn student(entry: &StudentEntry) -> Student {
    Student {
        external_id: ShortLine::trusted(entry.id.clone()),
        name: entry.name.clone().map(ShortLine::trusted),
    }
}

pub(super) fn roster_text(roster: &Roster) -> String {
    let entries = roster.students().iter();
    text(&entries.map(|one| student_entry(&one.student, one.class.as_ref())).collect::<Vec<_>>())
}

pub(super) fn parse_roster(column: &str) -> Option<Roster> {
    let entries: Vec<StudentEntry> = serde_json::from_str(column).ok()?;
    let enrolled = entries.iter().map(|entry| Enrolled {
        student: student(entry),
        class: entry.class.clone().map(ShortLine::trusted),
    });
    Roster::of(enrolled.collect()).ok()
}

pub(super) fn files_text(files: &[ScanFile]) -> String {
    let entry = |file: &ScanFile| FileEntry {
        id: file.file_id.to_string(),
        content_type: file.content_type.map(|kind| kind.name().to_owned()),
        pages: file.pages,
    };
    text(&files.iter().map(entry).collect::<Vec<_>>())
}

pub(super) fn parse_files(column: &str) -> Option<Vec<ScanFile>> {
    let entries: Vec<FileEntry> = serde_json::from_str(column).ok()?;
    let file = |entry: FileEntry| {
        let content_type = match entry.content_type {
            Some(name) => Some(ContentType::parse(&name)?),
            None => None,
        };
        Some(ScanFile { file_id: FileId::parse(&entry.id)?, content_type, pages: entry.pages })
    };
    entries.into_iter().map(file).collect()
}

pub(super) fn pages_text(pages: &[ScanPage]) -> String {
    let sign = |page: &ScanPage| match page {
        ScanPage { is_cover: true, .. } => 'c',
        ScanPage { is_blank: true, .. } => '_',
        _ => '.',
    };
    pages.iter().map(sign).collect()
}

pub(super) fn parse_pages(column: &str) -> Option<Vec<ScanPage>> {
    let page = |sign: char| match sign {
        'c' => Some(ScanPage { is_cover: true, is_blank: false }),
        '_' => Some(ScanPage { is_cover: false, is_blank: true }),
        '.' => Some(ScanPage::default()),
        _ => None,
    };
    column.chars().map(page).collect()
}

pub(super) fn scripts_text(scripts: &[ScanScript]) -> String {
    let part =
        |part: &Part| PartEntry { id: part.file_id.to_string(), file: part.file, taken: part.taken.clone() };
    let entry = |script: &ScanScript| ScriptEntry {
        pages: script.pages.clone(),
        student: script.student.as_ref().map(|student| student_entry(student, None)),
        confidence: script.confidence,
        warnings: script.warnings.iter().map(|warning| warning.name().to_owned()).collect(),
        parts: script.parts.iter().map(part).collect(),
        submission: script.submission_id.map(|id| id.to_string()),
        obstacle: script.obstacle.map(|obstacle| obstacle.name().to_owned()),
    };
    text(&scripts.iter().map(entry).collect::<Vec<_>>())
}

pub(super) fn parse_scripts(column: &str) -> Option<Vec<ScanScript>> {
    let entries: Vec<ScriptEntry> = serde_json::from_str(column).ok()?;
    entries.iter().map(script).collect()
}

fn script(entry: &ScriptEntry) -> Option<ScanScript> {
    let part = |part: &PartEntry| {
        Some(Part { file_id: FileId::parse(&part.id)?, file: part.file, taken: part.taken.clone() })
    };
    let submission_id = match &entry.submission {
        Some(id) => Some(SubmissionId::parse(id)?),
        None => None,
    };
    let obstacle = match &entry.obstacle {
        Some(name) => Some(Obstacle::parse(name)?),
        None => None,
    };
    Some(ScanScript {
        pages: entry.pages.clone(),
        student: entry.student.as_ref().map(student),
        confidence: entry.confidence,
        warnings: entry.warnings.iter().map(|name| Warning::parse(name)).collect::<Option<_>>()?,
        parts: entry.parts.iter().map(part).collect::<Option<_>>()?,
        submission_id,
        obstacle,
    })
}
