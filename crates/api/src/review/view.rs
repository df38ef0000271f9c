//! What the page's script gets and sends. A question travels as the domain writes it, so that what the page
//! does not show comes back as it went.

use domain::id::{Identifier as _, QuestionId};
use domain::marks::Marks;
use domain::paper::Paper;
use domain::question::{self, Finding, Question, Region, Wrong};
use domain::review::{Action, ReviewLink};
use domain::time::Shown;
use serde::{Deserialize, Serialize};
use service::papers::StoredQuestion;
use service::reviews::{Edit, Edited, Reviewed, STEPS_MAX, Step};

#[derive(Serialize)]
pub(super) struct SessionBody {
    pub(super) paper_id: String,
}

#[derive(Serialize)]
pub(super) struct StateBody {
    reviewer: String,
    expires_at: Shown,
    paper: PaperBody,
    questions: Vec<QuestionBody>,
    findings: Vec<FindingBody>,
}

#[derive(Serialize)]
pub(super) struct PaperBody {
    id: String,
    title: String,
    status: &'static str,
    livemode: bool,
    warnings: Vec<&'static str>,
    question_count: Option<u32>,
    total_marks: Option<Marks>,
    question_paper_pages: u32,
    marking_scheme_pages: u32,
    results_release: &'static str,
    approved_at: Option<Shown>,
    /// Changes with every change of the paper.
    revision: String,
}

#[derive(Serialize)]
pub(super) struct QuestionBody {
    id: String,
    version: i64,
    question: Question,
}

#[derive(Serialize)]
pub(super) struct EditedBody {
    paper: PaperBody,
    order: Vec<Placed>,
    added: Vec<QuestionId>,
    findings: Vec<FindingBody>,
}

/// What does not add up, in words without their subject.
#[derive(Serialize)]
struct FindingBody {
    /// Null for the paper as a whole.
    question: Option<QuestionId>,
    part: Option<usize>,
    text: String,
}

impl FindingBody {
    fn new(finding: &Finding, ids: &[QuestionId]) -> FindingBody {
        let question = finding.question.and_then(|index| ids.get(index)).copied();
        FindingBody { question, part: finding.part, text: finding.matter.to_string() }
    }

    fn all(findings: &[Finding], ids: &[QuestionId]) -> Vec<FindingBody> {
        findings.iter().map(|finding| FindingBody::new(finding, ids)).collect()
    }
}

#[derive(Serialize)]
pub(super) struct BoxBody {
    pub(super) text: String,
}

#[derive(Serialize)]
struct Placed {
    id: QuestionId,
    version: i64,
}

impl StateBody {
    pub(super) fn new(link: &ReviewLink, reviewed: &Reviewed) -> StateBody {
        let questions: Vec<Question> =
            reviewed.questions.iter().map(|stored| stored.question.clone()).collect();
        let ids: Vec<QuestionId> = reviewed.questions.iter().map(|stored| stored.id).collect();
        let findings = question::findings(&questions, reviewed.paper.printed_total);
        StateBody {
            reviewer: link.reviewer.as_str().to_owned(),
            expires_at: Shown(link.expires_at),
            paper: PaperBody::from(&reviewed.paper),
            questions: reviewed.questions.iter().map(QuestionBody::from).collect(),
            findings: FindingBody::all(&findings, &ids),
        }
    }
}

/// Changes with every change of the paper.
pub(super) fn revision(paper: &Paper) -> String {
    format!("{}-{}", paper.state.status().name(), paper.updated_at.as_microsecond())
}

impl From<&Paper> for PaperBody {
    fn from(paper: &Paper) -> PaperBody {
        PaperBody {
            id: paper.id.to_string(),
            title: paper.title.as_str().to_owned(),
            status: paper.state.status().name(),
            livemode: paper.owner.1.is_live(),
            warnings: paper.warnings.iter().map(|warning| warning.name()).collect(),
            question_count: paper.question_count,
            total_marks: paper.total_marks,
            question_paper_pages: paper.question_paper.pages.unwrap_or_default(),
            marking_scheme_pages: paper.marking_scheme.pages.unwrap_or_default(),
            results_release: paper.release.name(),
            approved_at: paper.approved_at().map(Shown),
            revision: revision(paper),
        }
    }
}

impl From<&StoredQuestion> for QuestionBody {
    fn from(stored: &StoredQuestion) -> QuestionBody {
        QuestionBody { id: stored.id.to_string(), version: stored.version, question: stored.question.clone() }
    }
}

impl From<&Edited> for EditedBody {
    fn from(edited: &Edited) -> EditedBody {
        let ids: Vec<QuestionId> = edited.order.iter().map(|(id, _)| *id).collect();
        EditedBody {
            paper: PaperBody::from(&edited.paper),
            order: edited.order.iter().map(|&(id, version)| Placed { id, version }).collect(),
            added: edited.added.clone(),
            findings: FindingBody::all(&edited.findings, &ids),
        }
    }
}

/// What the script asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditBody {
    action: String,
    steps: Vec<StepBody>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StepBody {
    Save { id: String, version: i64, question: Box<Question> },
    Insert { after: Option<String>, question: Box<Question> },
    Delete { id: String, version: i64 },
    Move { id: String, after: Option<String> },
}

/// Reads where a box is; it must lie on its page.
pub(super) fn region(bytes: &[u8]) -> Result<Region, Wrong> {
    let wrong = |problem: String| Wrong { path: "region".to_owned(), problem };
    let region: Region = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    let edges = [region.x, region.y, region.width, region.height];
    if edges.iter().all(|edge| (0.0..=1.0).contains(edge)) {
        return Ok(region);
    }
    Err(wrong("must lie on its page".to_owned()))
}

/// Reads an edit; what is wrong is named as the script's fields are.
pub(super) fn edit(bytes: &[u8]) -> Result<Edit, Wrong> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let body: EditBody = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string().replace(".save.question", "").replace(".insert.question", "");
        Wrong { path, problem: error.into_inner().to_string() }
    })?;
    let wrong = |path: &str, problem: &str| Wrong { path: path.to_owned(), problem: problem.to_owned() };
    let action = Action::parse(&body.action).filter(|action| action.is_edit());
    let action = action.ok_or_else(|| wrong("action", "is not known"))?;
    if body.steps.is_empty() || body.steps.len() > STEPS_MAX {
        return Err(wrong("steps", "are too many or none"));
    }
    let id = |text: &str| QuestionId::parse(text).ok_or_else(|| wrong("id", "is no question's"));
    let behind = |after: Option<String>| after.map(|text| id(&text)).transpose();
    let steps = body.steps.into_iter().map(|step| {
        Ok(match step {
            StepBody::Save { id: text, version, question } => {
                Step::Save { id: id(&text)?, version, question }
            }
            StepBody::Insert { after, question } => Step::Insert { after: behind(after)?, question },
            StepBody::Delete { id: text, version } => Step::Delete { id: id(&text)?, version },
            StepBody::Move { id: text, after } => Step::Move { id: id(&text)?, after: behind(after)? },
        })
    });
    Ok(Edit { action, steps: steps.collect::<Result<_, Wrong>>()? })
}
