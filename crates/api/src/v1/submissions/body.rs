//! The bodies that make and change a submission.

use crate::error::Error;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::common::{RawReference, items, metadata};
use crate::extract::json::Json;
use crate::v1::papers::{FileReferenceBody, only_in_test_mode};
use domain::metadata::Metadata;
use domain::mode::Mode;
use domain::submission::{FILES_MAX, Student, SubmissionPatch, TestOutcome};
use domain::text::ShortLine;
use domain::web_url::Reach;
use service::submissions::NewSubmission;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A script to be marked.
#[derive(ToSchema)]
#[schema(as = NewSubmission, example = json!({
    "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "student": {"external_id": "s-1071"},
    "files": [{"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh"}]
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewSubmissionBody {
    /// A paper that is ready.
    paper_id: String,
    /// Who wrote it.
    student: NewStudentBody,
    /// The script: 1 to 20 files, none twice.
    #[schema(min_items = 1, max_items = 20)]
    files: Vec<FileReferenceBody>,
    /// The client's own notes: at most 50 keys of 1 to 40 characters, values of up to 500.
    metadata: Option<BTreeMap<String, String>>,
    /// In test mode, what happens instead of marking: `succeed`, `no_readable_answers`, or a failure code.
    test_outcome: Option<String>,
}

/// Who wrote a script.
#[derive(ToSchema)]
#[schema(as = NewStudent)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewStudentBody {
    /// The client's own reference.
    #[schema(min_length = 1, max_length = 255)]
    external_id: String,
    /// For people.
    #[schema(min_length = 1, max_length = 255)]
    name: Option<String>,
}

/// What of a submission can be changed.
#[derive(ToSchema)]
#[schema(as = SubmissionPatch, example = json!({"student": {"name": null}, "metadata": {"class": "7b"}}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct PatchSubmissionBody {
    /// Whose name changes.
    student: Option<PatchStudentBody>,
    /// New notes in place of all the old.
    metadata: Option<BTreeMap<String, String>>,
}

/// A student's new name.
#[derive(ToSchema)]
#[schema(as = StudentPatch)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct PatchStudentBody {
    /// The name; null clears it.
    #[schema(min_length = 1, max_length = 255)]
    name: Option<String>,
}

/// The members of [`NewSubmissionBody`], before what depends on the key and the settings is checked.
pub(crate) struct NewSubmissionMembers {
    paper_id: String,
    student: Student,
    files: Vec<RawReference>,
    metadata: Metadata,
    test_outcome: Option<TestOutcome>,
}

impl FromBody for NewSubmissionMembers {
    fn from_members(members: &mut Members) -> Result<NewSubmissionMembers, Error> {
        members.allow(&["paper_id", "student", "files", "metadata", "test_outcome"])?;
        Ok(NewSubmissionMembers {
            paper_id: members.required("paper_id", json::string())?,
            student: members.required("student", student)?,
            files: members.required("files", files)?,
            metadata: members.optional("metadata", metadata)?.unwrap_or_default(),
            test_outcome: members.optional("test_outcome", test_outcome)?,
        })
    }
}

impl NewSubmissionMembers {
    /// The submission, as far as the key's mode and the settings allow it.
    pub(crate) fn checked(self, mode: Mode, reach: Reach) -> Result<NewSubmission, Error> {
        only_in_test_mode(mode, self.test_outcome.is_some())?;
        Ok(NewSubmission {
            paper_id: self.paper_id,
            student: self.student,
            files: self.files.into_iter().map(|file| file.checked(reach)).collect::<Result<_, Error>>()?,
            metadata: self.metadata,
            test_outcome: self.test_outcome,
        })
    }
}

/// Who wrote a script.
pub(crate) fn student(path: &str, json: Json) -> Result<Student, Error> {
    let mut members = Members::of(path, json)?;
    members.allow(&["external_id", "name"])?;
    Ok(Student {
        external_id: members.required("external_id", json::text(ShortLine::parse))?,
        name: members.nullable("name", json::text(ShortLine::parse))?,
    })
}

fn files(path: &str, json: Json) -> Result<Vec<RawReference>, Error> {
    let files = items(path, json, FILES_MAX, RawReference::read)?;
    for (index, file) in files.iter().enumerate() {
        if files[..index].iter().any(|earlier| earlier.is_same(file)) {
            return Err(Error::invalid(file.named_at(), "is there twice"));
        }
    }
    Ok(files)
}

fn test_outcome(path: &str, json: Json) -> Result<TestOutcome, Error> {
    let name = json::string()(path, json)?;
    TestOutcome::parse(&name).ok_or_else(|| {
        Error::invalid(path, "must be succeed, no_readable_answers or a failure code of a submission")
    })
}

/// The members of [`PatchSubmissionBody`].
pub(crate) struct PatchMembers(pub(crate) SubmissionPatch);

impl FromBody for PatchMembers {
    fn from_members(members: &mut Members) -> Result<PatchMembers, Error> {
        members.allow(&["student", "metadata"])?;
        let student = members.optional("student", |path, json| {
            let mut members = Members::of(path, json)?;
            members.allow(&["name"])?;
            members.clearable("name", json::text(ShortLine::parse))
        })?;
        let metadata = members.optional("metadata", metadata)?;
        Ok(PatchMembers(SubmissionPatch { student_name: student.flatten(), metadata }))
    }
}
