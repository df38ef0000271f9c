//! The scheme as the desk's script gets it: its versions, its questions, and the change that is looked at.

use domain::marks::Marks;
use domain::question::Question;
use domain::time::Shown;
use serde::Serialize;
use service::desk::{AmendedScript, MarkChange, SchemeVersion, SchemeView, ShownPreview};

#[derive(Serialize)]
pub(super) struct SchemeBody {
    version: i64,
    versions: Vec<VersionBody>,
    questions: Vec<Question>,
    /// How many scripts are still to follow the version.
    outdated: i64,
    amendment: Option<PreviewBody>,
}

#[derive(Serialize)]
struct VersionBody {
    version: i64,
    reviewer: Option<String>,
    created_at: Shown,
}

#[derive(Serialize)]
struct PreviewBody {
    id: String,
    place: u32,
    question: Question,
    reviewer: Option<String>,
    /// Whether every script was marked again.
    done: bool,
    tried: i64,
    /// How many of them could not be marked again.
    unmarked: i64,
    scripts: u32,
    /// How many are released: they stay as they are.
    untouched: u32,
    /// Who they are.
    released: Vec<ReleasedBody>,
    changes: Vec<ChangeBody>,
}

#[derive(Serialize)]
struct ReleasedBody {
    submission_id: String,
    student: String,
    name: Option<String>,
}

#[derive(Serialize)]
struct ChangeBody {
    submission_id: String,
    student: String,
    name: Option<String>,
    part: String,
    before: Marks,
    after: Marks,
}

impl From<SchemeView> for SchemeBody {
    fn from(scheme: SchemeView) -> SchemeBody {
        SchemeBody {
            version: scheme.scheme.version,
            versions: scheme.scheme.versions.into_iter().map(VersionBody::from).collect(),
            questions: scheme.questions,
            outdated: scheme.scheme.outdated,
            amendment: scheme.amendment.map(PreviewBody::from),
        }
    }
}

impl From<SchemeVersion> for VersionBody {
    fn from(version: SchemeVersion) -> VersionBody {
        let SchemeVersion { version, reviewer, created_at } = version;
        VersionBody { version, reviewer, created_at: Shown(created_at) }
    }
}

impl From<ShownPreview> for PreviewBody {
    fn from(shown: ShownPreview) -> PreviewBody {
        let ShownPreview { preview, changed, untouched } = shown;
        let amendment = preview.amendment;
        let released = untouched.into_iter().map(|script| ReleasedBody {
            submission_id: script.submission_id.to_string(),
            student: script.student,
            name: script.name,
        });
        PreviewBody {
            id: amendment.id,
            place: amendment.place,
            question: amendment.question,
            reviewer: amendment.reviewer,
            done: amendment.is_previewed,
            tried: preview.tried,
            unmarked: preview.unmarked,
            scripts: preview.scripts,
            untouched: preview.untouched,
            released: released.collect(),
            changes: changed.iter().flat_map(changes).collect(),
        }
    }
}

fn changes(script: &AmendedScript) -> Vec<ChangeBody> {
    let change = |change: &MarkChange| ChangeBody {
        submission_id: script.submission_id.to_string(),
        student: script.student.clone(),
        name: script.name.clone(),
        part: change.part.clone(),
        before: change.before,
        after: change.after,
    };
    script.changes.iter().map(change).collect()
}
