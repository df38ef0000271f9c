//! The bodies that make and confirm a class scan.

use crate::error::Error;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::common::items;
use crate::extract::json::Json;
use crate::v1::covers::{NewEnrolledBody, roster};
use crate::v1::submissions::{NewStudentBody, student};
use crate::view::class_scan::ClassScanSplitBy;
use domain::class_scan::{Corrected, FILES_MAX, PAGES_MAX, SCRIPT_PAGES_MAX, SCRIPTS_MAX, Split, SplitBy};
use service::class_scans::NewClassScan;
use utoipa::ToSchema;

/// A stack of pages of a class.
#[derive(ToSchema)]
#[schema(as = NewClassScan, example = json!({
    "files": [{"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh"}], "split": {"by": "covers"},
    "students": [{"external_id": "s-1071", "name": "Ada Lovelace"}]
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewClassScanBody {
    /// The pages in their order: 1 to 500 uploaded files of the purpose `answer_script`, none twice, of at most 2000 pages
    /// together.
    #[schema(min_items = 1, max_items = 500)]
    files: Vec<NewScanFileBody>,
    /// How it is parted into scripts.
    split: NewSplitBody,
    /// Who is expected: names are found among these only, and a cover sheet of anybody else is doubted.
    #[schema(min_items = 1, max_items = 1000)]
    students: Option<Vec<NewEnrolledBody>>,
}

/// A file of a class scan.
#[derive(ToSchema)]
#[schema(as = NewClassScanFile)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewScanFileBody {
    /// An uploaded file that nothing else uses.
    #[schema(min_length = 1, max_length = 64)]
    file_id: String,
}

/// How a class scan is parted.
#[derive(ToSchema)]
#[schema(as = NewClassScanSplit)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewSplitBody {
    /// By the codes on `covers`, after a number of `pages`, or by the `names` at the head of the pages, which needs
    /// `students`.
    by: ClassScanSplitBy,
    /// After how many pages a script ends; with `pages` only, and required there.
    #[schema(minimum = 1, maximum = 200)]
    pages_per_script: Option<u32>,
}

/// A split that is confirmed. It may be left out.
#[derive(ToSchema)]
#[schema(as = NewClassScanConfirmation, example = json!({
    "scripts": [{"pages": [2, 3, 4], "student": {"external_id": "s-1071", "name": "Ada Lovelace"}}]
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewConfirmationBody {
    /// The scripts as they are to be, in place of those that were proposed. Pages that none of them names are left out.
    #[schema(min_items = 1, max_items = 500)]
    scripts: Option<Vec<NewScanScriptBody>>,
}

/// A script of a confirmed split.
#[derive(ToSchema)]
#[schema(as = NewClassScanScript)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewScanScriptBody {
    /// Its pages in their order, counted from 1 through all files of the scan.
    #[schema(min_items = 1, max_items = 200)]
    pages: Vec<u32>,
    /// Whose it is.
    student: NewStudentBody,
}

pub(crate) struct NewClassScanMembers(pub(super) NewClassScan);

impl FromBody for NewClassScanMembers {
    fn from_members(members: &mut Members) -> Result<NewClassScanMembers, Error> {
        members.allow(&["files", "split", "students"])?;
        let files = members.required("files", files)?;
        let split = members.required("split", split)?;
        let roster = members.nullable("students", roster)?.unwrap_or_default();
        if split == Split::Names && roster.is_empty() {
            return Err(Error::missing("students"));
        }
        Ok(NewClassScanMembers(NewClassScan { files, split, roster }))
    }
}

fn files(path: &str, json: Json) -> Result<Vec<String>, Error> {
    let files = items(path, json, FILES_MAX, |path, json| {
        let mut members = Members::of(path, json)?;
        members.allow(&["file_id"])?;
        members.required("file_id", json::string())
    })?;
    let mut seen = std::collections::HashSet::new();
    match files.iter().position(|file| !seen.insert(file.as_str())) {
        Some(index) => Err(Error::invalid(format!("{path}[{index}].file_id"), "is there twice")),
        None => Ok(files),
    }
}

fn split(path: &str, json: Json) -> Result<Split, Error> {
    let mut members = Members::of(path, json)?;
    members.allow(&["by", "pages_per_script"])?;
    let by = members.required("by", json::choice(SplitBy::ALL, SplitBy::name))?;
    let bounds = json::integer(1, SCRIPT_PAGES_MAX as i64);
    let pages = members.nullable("pages_per_script", bounds)?;
    let at = || format!("{path}.pages_per_script");
    match (by, pages) {
        (SplitBy::Covers, None) => Ok(Split::Covers),
        (SplitBy::Names, None) => Ok(Split::Names),
        (SplitBy::Pages, Some(pages)) => Ok(Split::Pages(u32::try_from(pages).unwrap_or(1))),
        (SplitBy::Pages, None) => Err(Error::missing(at())),
        (SplitBy::Covers | SplitBy::Names, Some(_)) => {
            Err(Error::invalid(at(), "is only for a split by pages"))
        }
    }
}

pub(crate) struct ConfirmationMembers(pub(super) Option<Vec<Corrected>>);

impl FromBody for ConfirmationMembers {
    fn from_members(members: &mut Members) -> Result<ConfirmationMembers, Error> {
        members.allow(&["scripts"])?;
        members.nullable("scripts", scripts).map(ConfirmationMembers)
    }
}

/// The scripts of a split as a person wants them.
pub(crate) fn scripts(path: &str, json: Json) -> Result<Vec<Corrected>, Error> {
    items(path, json, SCRIPTS_MAX, |path, json| {
        let mut members = Members::of(path, json)?;
        members.allow(&["pages", "student"])?;
        let pages = members.required("pages", |path, json| {
            items(path, json, SCRIPT_PAGES_MAX, json::integer(1, i64::from(PAGES_MAX)))
        })?;
        let pages = pages.into_iter().map(|page| u32::try_from(page).unwrap_or_default()).collect();
        Ok(Corrected { pages, student: members.required("student", student)? })
    })
}
