//! Schemes that are amended after they were approved (contract, section 16: additions).

use domain::marks::Marks;
use domain::time::Shown;
use serde::Serialize;
use service::desk::{AmendedScript, MarkChange, Outcome, Preview, Scheme, SchemeVersion};
use utoipa::ToSchema;

/// By what a paper's scripts are marked.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Scheme)]
pub(crate) struct SchemeView {
    /// Always `scheme`.
    #[schema(value_type = String, pattern = "^scheme$", example = "scheme")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper.
    paper_id: String,
    /// The version that scripts are marked by; 1 is what was approved.
    #[schema(minimum = 1)]
    version: i64,
    /// Every version, oldest first; none where the scheme was never amended.
    versions: Vec<SchemeVersionView>,
    /// How many graded scripts still have marks by an older version; they follow in the background.
    #[schema(minimum = 0)]
    outdated: i64,
}

/// A version of a scheme.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SchemeVersion)]
pub(crate) struct SchemeVersionView {
    /// Counted from 1.
    #[schema(minimum = 1)]
    version: i64,
    /// Who made it; null for what was approved, and where that was not said.
    #[schema(required)]
    reviewer: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// A change of a scheme that is looked at before it counts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Amendment)]
pub(crate) struct AmendmentView {
    /// Its id. Another change has another.
    #[schema(pattern = "^chg_[0-9a-z]{26}$")]
    id: String,
    /// Always `amendment`.
    #[schema(value_type = String, pattern = "^amendment$", example = "amendment")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper.
    paper_id: String,
    /// The number of the question that it changes, as printed.
    question: String,
    /// The version of the scheme that it changes.
    #[schema(minimum = 1)]
    base_version: i64,
    /// `previewing` while scripts are marked again, then `previewed`: it can be applied.
    #[schema(value_type = AmendmentStatus)]
    status: &'static str,
    /// How many graded scripts there are.
    scripts: u32,
    /// How many of them were marked again so far.
    #[schema(minimum = 0)]
    tried: i64,
    /// How many of those would change.
    #[schema(minimum = 0)]
    changed: i64,
    /// How many of those could not be marked again: their marks stay.
    #[schema(minimum = 0)]
    unmarked: i64,
    /// How many are released and stay as they are.
    untouched: u32,
    /// Who wants it; null where that was not said.
    #[schema(required)]
    reviewer: Option<String>,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// How far an amendment is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes what the service keeps as a claim")]
pub(crate) enum AmendmentStatus {
    Previewing,
    Previewed,
}

/// What an amendment does to one script.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AmendedScript)]
pub(crate) struct AmendedScriptView {
    /// Always `amended_script`.
    #[schema(value_type = String, pattern = "^amended_script$", example = "amended_script")]
    object: &'static str,
    /// The submission.
    submission_id: String,
    /// The client's own reference to the student.
    student_external_id: String,
    /// Whether marks would change, all would stay, it waits to be marked again, it could not be marked again and keeps
    /// its marks, or it is released and stays untouched.
    #[schema(value_type = AmendmentOutcome)]
    outcome: &'static str,
    /// The marks that would change.
    changes: Vec<MarkChangeView>,
}

/// How the mark of one answer would change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarkChange)]
pub(crate) struct MarkChangeView {
    /// The part's label; null for a question that is marked as a whole.
    #[schema(required)]
    part: Option<String>,
    /// What it earns now.
    #[schema(value_type = f64, minimum = 0)]
    awarded_before: Marks,
    /// What it would earn.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
}

crate::view::file::described! {
    /// What an amendment does to a script.
    AmendmentOutcome = service::desk::Outcome::ALL;
}

impl From<&Scheme> for SchemeView {
    fn from(scheme: &Scheme) -> SchemeView {
        SchemeView {
            object: "scheme",
            livemode: scheme.mode.is_live(),
            paper_id: scheme.paper_id.to_string(),
            version: scheme.version,
            versions: scheme.versions.iter().map(SchemeVersionView::from).collect(),
            outdated: scheme.outdated,
        }
    }
}

impl From<&SchemeVersion> for SchemeVersionView {
    fn from(version: &SchemeVersion) -> SchemeVersionView {
        SchemeVersionView {
            version: version.version,
            reviewer: version.reviewer.clone(),
            created_at: Shown(version.created_at),
        }
    }
}

impl From<&Preview> for AmendmentView {
    fn from(preview: &Preview) -> AmendmentView {
        let amendment = &preview.amendment;
        AmendmentView {
            id: amendment.id.clone(),
            object: "amendment",
            livemode: preview.mode.is_live(),
            paper_id: preview.paper_id.to_string(),
            question: amendment.question.number.clone(),
            base_version: amendment.base,
            status: if amendment.is_previewed { "previewed" } else { "previewing" },
            scripts: preview.scripts,
            tried: preview.tried,
            changed: preview.changed,
            unmarked: preview.unmarked,
            untouched: preview.untouched,
            reviewer: amendment.reviewer.clone(),
            created_at: Shown(amendment.created_at),
        }
    }
}

impl From<&AmendedScript> for AmendedScriptView {
    fn from(script: &AmendedScript) -> AmendedScriptView {
        AmendedScriptView {
            object: "amended_script",
            submission_id: script.submission_id.to_string(),
            student_external_id: script.student.clone(),
            outcome: Outcome::name(script.outcome),
            changes: script.changes.iter().map(MarkChangeView::from).collect(),
        }
    }
}

impl From<&MarkChange> for MarkChangeView {
    fn from(change: &MarkChange) -> MarkChangeView {
        MarkChangeView {
            part: Some(change.part.clone()).filter(|part| !part.is_empty()),
            awarded_before: change.before,
            awarded: change.after,
        }
    }
}
