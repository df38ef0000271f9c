//! Scans of whole classes.

use super::file::described;
use super::paper::FailureView;
use super::submission::StudentView;
use domain::class_scan::{ClassScan, Obstacle, ScanFile, ScanScript};
use domain::time::Shown;
use serde::Serialize;
use utoipa::ToSchema;

/// A stack of pages of a class, and the scripts that it is parted into.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassScan, example = json!({
    "id": "scan_01m7erksw3h2kbtqh4bm5e14zh", "object": "class_scan", "livemode": false,
    "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "status": "awaiting_confirmation", "failure": null,
    "split": {"by": "covers", "pages_per_script": null},
    "files": [{"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh", "content_type": "application/pdf", "pages": 4}],
    "pages": [
        {"page": 1, "is_cover": true, "is_blank": false}, {"page": 2, "is_cover": false, "is_blank": false},
        {"page": 3, "is_cover": false, "is_blank": false}, {"page": 4, "is_cover": false, "is_blank": true}
    ],
    "scripts": [{
        "pages": [2, 3, 4], "student": {"external_id": "s-1071", "name": "Ada Lovelace"}, "confidence": 0.98,
        "warnings": ["blank_pages"], "submission_id": null, "obstacle": null
    }],
    "absent": [], "expires_at": "2026-12-15T03:05:07Z", "created_at": "2026-11-15T03:05:07Z",
    "updated_at": "2026-11-15T03:05:12Z"
}))]
pub(crate) struct ClassScanView {
    /// Its id.
    #[schema(pattern = "^scan_[0-9a-z]{26}$")]
    id: String,
    /// Always `class_scan`.
    #[schema(value_type = String, pattern = "^class_scan$", example = "class_scan")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper that the scripts answer.
    paper_id: String,
    /// Where it is in its life.
    #[schema(value_type = ClassScanStatus)]
    status: &'static str,
    /// Why its pages could not be read.
    #[schema(required)]
    failure: Option<FailureView>,
    /// How it is parted.
    split: ClassScanSplitView,
    /// The files that its pages are in.
    files: Vec<ClassScanFileView>,
    /// What was seen of each page; empty until they were looked at.
    pages: Vec<ClassScanPageView>,
    /// The scripts, proposed or confirmed.
    scripts: Vec<ClassScanScriptView>,
    /// Those of the roster of whom no script was found.
    absent: Vec<StudentView>,
    /// When it is deleted unless it is confirmed before; null from then on.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    expires_at: Option<Shown>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Shown,
}

/// How a class scan is parted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassScanSplit)]
pub(crate) struct ClassScanSplitView {
    /// By what.
    #[schema(value_type = ClassScanSplitBy)]
    by: &'static str,
    /// After how many pages a script ends, where it is parted so.
    #[schema(required, minimum = 1)]
    pages_per_script: Option<u32>,
}

/// A file of a class scan.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassScanFile)]
pub(crate) struct ClassScanFileView {
    /// Which.
    file_id: String,
    /// What it is.
    #[schema(required, value_type = Option<super::file::FileContentType>)]
    content_type: Option<&'static str>,
    /// How many pages it has, once they are counted.
    #[schema(required, minimum = 1)]
    pages: Option<u32>,
}

/// What was seen of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassScanPage)]
pub(crate) struct ClassScanPageView {
    /// Its number, counted from 1 through all files.
    #[schema(minimum = 1)]
    page: usize,
    /// It is a cover sheet and belongs to no script.
    is_cover: bool,
    /// Nothing is written on it.
    is_blank: bool,
}

/// One student's pages of a class scan.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClassScanScript)]
pub(crate) struct ClassScanScriptView {
    /// Its pages in their order.
    pages: Vec<u32>,
    /// Whose; null where nothing says so, and once it is a submission, which knows.
    #[schema(required)]
    student: Option<StudentView>,
    /// How likely pages and student are right.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// What makes it doubtful.
    #[schema(value_type = Vec<ClassScanWarning>)]
    warnings: Vec<&'static str>,
    /// What it became.
    #[schema(required)]
    submission_id: Option<String>,
    /// Why it did not become a submission when it was confirmed.
    #[schema(required, value_type = Option<ClassScanObstacle>)]
    obstacle: Option<&'static str>,
}

described! {
    /// Where a class scan is in its life.
    ClassScanStatus = domain::class_scan::Status::ALL;
}

described! {
    /// By what a class scan is parted.
    ClassScanSplitBy = domain::class_scan::SplitBy::ALL;
}

described! {
    /// What makes a script of a class scan doubtful.
    ClassScanWarning = domain::class_scan::Warning::ALL;
}

described! {
    /// Why a script of a class scan did not become a submission.
    ClassScanObstacle = domain::class_scan::Obstacle::ALL;
}

impl From<&ClassScan> for ClassScanView {
    fn from(scan: &ClassScan) -> ClassScanView {
        let pages = (1..).zip(&scan.pages).map(|(page, seen)| ClassScanPageView {
            page,
            is_cover: seen.is_cover,
            is_blank: seen.is_blank,
        });
        ClassScanView {
            id: scan.id.to_string(),
            object: "class_scan",
            livemode: scan.owner.1.is_live(),
            paper_id: scan.paper_id.to_string(),
            status: scan.state.status().name(),
            failure: scan.failure().map(FailureView::from),
            split: ClassScanSplitView { by: scan.split.by().name(), pages_per_script: scan.split.pages() },
            files: scan.files.iter().map(ClassScanFileView::from).collect(),
            pages: pages.collect(),
            scripts: scan.scripts.iter().map(ClassScanScriptView::from).collect(),
            absent: scan.absent().map(StudentView::from).collect(),
            expires_at: scan.ends_at().map(Shown),
            created_at: Shown(scan.created_at),
            updated_at: Shown(scan.updated_at),
        }
    }
}

impl From<&ScanFile> for ClassScanFileView {
    fn from(file: &ScanFile) -> ClassScanFileView {
        ClassScanFileView {
            file_id: file.file_id.to_string(),
            content_type: file.content_type.map(domain::file::ContentType::name),
            pages: file.pages,
        }
    }
}

impl From<&ScanScript> for ClassScanScriptView {
    fn from(script: &ScanScript) -> ClassScanScriptView {
        ClassScanScriptView {
            pages: script.pages.clone(),
            student: script.student.as_ref().map(StudentView::from),
            // Two decimals say all that is known.
            confidence: (100.0 * script.confidence).round() / 100.0,
            warnings: script.warnings.iter().map(|warning| warning.name()).collect(),
            submission_id: script.submission_id.map(|id| id.to_string()),
            obstacle: script.obstacle.map(Obstacle::name),
        }
    }
}
