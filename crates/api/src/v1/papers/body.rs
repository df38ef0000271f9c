//! The bodies that make and change a paper.

use crate::error::Error;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::common::{RawReference, metadata};
use crate::extract::json::Json;
use crate::view::paper::{FeedbackLevel, ResultsRelease, Strictness};
use domain::grading::{self, Grading, Release};
use domain::metadata::Metadata;
use domain::mode::Mode;
use domain::paper::{PaperPatch, TestOutcome};
use domain::text::{self, ShortLine};
use domain::web_url::Reach;
use service::papers::NewPaper;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A paper to be read.
#[derive(ToSchema)]
#[schema(as = NewPaper, example = json!({
    "title": "Biology, paper 2", "subject_id": "subj_01m7erksw3h2kbtqh4bm5e14zh",
    "question_paper": {"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh"},
    "marking_scheme": {"url": "https://files.example.org/biology-2-scheme.pdf"},
    "grading": {"strictness": "standard"}, "external_id": "bio-2"
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewPaperBody {
    /// The client's title.
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    /// The subject it belongs to.
    subject_id: String,
    /// The questions, as a PDF.
    question_paper: FileReferenceBody,
    /// What earns the marks, as a PDF.
    marking_scheme: FileReferenceBody,
    /// When results become final; `automatic` if absent.
    results_release: Option<ResultsRelease>,
    /// How scripts are judged.
    grading: Option<GradingBody>,
    /// The client's own reference, unique among its papers.
    #[schema(min_length = 1, max_length = 255)]
    external_id: Option<String>,
    /// The client's own notes: at most 50 keys of 1 to 40 characters, values of up to 500.
    metadata: Option<BTreeMap<String, String>>,
    /// In test mode, what happens instead of reading: `succeed`, `succeed_with_warnings`, `empty_question`, or a
    /// failure code.
    test_outcome: Option<String>,
}

/// A file: exactly one of the two members.
#[derive(ToSchema)]
#[schema(as = FileReference, example = json!({"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh"}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct FileReferenceBody {
    /// An uploaded file.
    file_id: Option<String>,
    /// Where to fetch it: https, a public address.
    #[schema(format = "uri", max_length = 2048)]
    url: Option<String>,
}

/// How scripts are judged.
#[derive(ToSchema)]
#[schema(as = NewGrading)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct GradingBody {
    /// How readily a doubtful answer earns its mark; `standard` if absent.
    strictness: Option<Strictness>,
    /// How much is said to the student; `standard` if absent.
    feedback: Option<FeedbackLevel>,
    /// The teacher's own words.
    #[schema(min_length = 1, max_length = 5000)]
    instructions: Option<String>,
    /// True: scripts with marks that a person should look at wait as `graded` until they are released by a call;
    /// `false` if absent.
    hold_doubtful: Option<bool>,
    /// False: marks that a person gives change no others. If absent, unchecked answers follow checked ones on papers
    /// that are released `after_review`; `true` is for such papers only.
    learning: Option<bool>,
}

/// What of a paper can be changed.
#[derive(ToSchema)]
#[schema(as = PaperPatch, example = json!({"title": "Biology, paper 2 (June)", "external_id": null}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct PatchPaperBody {
    /// A new title.
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    /// A new reference; null clears it.
    #[schema(min_length = 1, max_length = 255)]
    external_id: Option<String>,
    /// New notes in place of all the old.
    metadata: Option<BTreeMap<String, String>>,
}

/// The members of [`NewPaperBody`], before what depends on the key and the settings is checked.
pub(crate) struct NewPaperMembers {
    title: ShortLine,
    subject_id: String,
    question_paper: RawReference,
    marking_scheme: RawReference,
    release: Release,
    grading: Grading,
    external_id: Option<ShortLine>,
    metadata: Metadata,
    test_outcome: Option<TestOutcome>,
}

impl FromBody for NewPaperMembers {
    fn from_members(members: &mut Members) -> Result<NewPaperMembers, Error> {
        members.allow(&[
            "title",
            "subject_id",
            "question_paper",
            "marking_scheme",
            "results_release",
            "grading",
            "external_id",
            "metadata",
            "test_outcome",
        ])?;
        let title = members.required("title", json::text(ShortLine::parse))?;
        let subject_id = members.required("subject_id", json::string())?;
        let question_paper = members.required("question_paper", RawReference::read)?;
        let marking_scheme = members.required("marking_scheme", RawReference::read)?;
        let release = members.optional("results_release", json::choice(Release::ALL, Release::name))?;
        let release = release.unwrap_or_default();
        let (grading, learning) = members.optional("grading", grading)?.unwrap_or_default();
        let grading = Grading { learning: learns(release, learning)?, ..grading };
        Ok(NewPaperMembers {
            title,
            subject_id,
            question_paper,
            marking_scheme,
            release,
            grading,
            external_id: members.nullable("external_id", json::text(ShortLine::parse))?,
            metadata: members.optional("metadata", metadata)?.unwrap_or_default(),
            test_outcome: members.optional("test_outcome", test_outcome)?,
        })
    }
}

impl NewPaperMembers {
    /// The paper, as far as the key's mode and the settings allow it.
    pub(crate) fn checked(self, mode: Mode, reach: Reach) -> Result<NewPaper, Error> {
        only_in_test_mode(mode, self.test_outcome.is_some())?;
        Ok(NewPaper {
            title: self.title,
            subject_id: self.subject_id,
            question_paper: self.question_paper.checked(reach)?,
            marking_scheme: self.marking_scheme.checked(reach)?,
            release: self.release,
            grading: self.grading,
            external_id: self.external_id,
            metadata: self.metadata,
            test_outcome: self.test_outcome,
        })
    }
}

/// Live papers and submissions have no invented outcome.
pub(crate) fn only_in_test_mode(mode: Mode, has_outcome: bool) -> Result<(), Error> {
    if has_outcome && mode.is_live() {
        return Err(Error::invalid("test_outcome", "can be used with a test key only"));
    }
    Ok(())
}

/// Whether the paper's marks follow a person's: what is released at once has nothing left to follow.
fn learns(release: Release, given: Option<bool>) -> Result<bool, Error> {
    match (release, given) {
        (Release::AfterReview, given) => Ok(given.unwrap_or(true)),
        (Release::Automatic, Some(true)) => {
            Err(Error::invalid("grading.learning", "can be true only where results_release is after_review"))
        }
        (Release::Automatic, _) => Ok(false),
    }
}

/// The settings, and whether to learn where that is said.
fn grading(path: &str, json: Json) -> Result<(Grading, Option<bool>), Error> {
    use grading::{FeedbackLevel, Strictness};
    let mut members = Members::of(path, json)?;
    members.allow(&["strictness", "feedback", "instructions", "hold_doubtful", "learning"])?;
    let grading = Grading {
        strictness: members
            .optional("strictness", json::choice(Strictness::ALL, Strictness::name))?
            .unwrap_or_default(),
        feedback: members
            .optional("feedback", json::choice(FeedbackLevel::ALL, FeedbackLevel::name))?
            .unwrap_or_default(),
        instructions: members.nullable("instructions", json::text(instructions))?,
        hold_doubtful: members.optional("hold_doubtful", json::boolean())?.unwrap_or_default(),
        learning: false,
    };
    Ok((grading, members.optional("learning", json::boolean())?))
}

fn instructions(given: String) -> Result<String, text::Problem> {
    text::check_lines(&given, 1, Grading::INSTRUCTIONS_MAX)?;
    Ok(given)
}

fn test_outcome(path: &str, json: Json) -> Result<TestOutcome, Error> {
    let name = json::string()(path, json)?;
    TestOutcome::parse(&name).ok_or_else(|| {
        Error::invalid(
            path,
            "must be succeed, succeed_with_warnings, empty_question or a failure code of a paper",
        )
    })
}

/// The members of [`PatchPaperBody`].
pub(crate) struct PatchMembers(pub(crate) PaperPatch);

impl FromBody for PatchMembers {
    fn from_members(members: &mut Members) -> Result<PatchMembers, Error> {
        members.allow(&["title", "external_id", "metadata"])?;
        Ok(PatchMembers(PaperPatch {
            title: members.optional("title", json::text(ShortLine::parse))?,
            external_id: members.clearable("external_id", json::text(ShortLine::parse))?,
            metadata: members.optional("metadata", metadata)?,
        }))
    }
}
