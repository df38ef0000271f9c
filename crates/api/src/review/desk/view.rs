//! What the desk's script gets.

use crate::review::view::PaperBody;
use domain::id::{AdjustmentId, SubmissionId};
use domain::marks::Marks;
use domain::question::Question;
use domain::result::{Evidence, Flag, PartKey, PartResult, Place, Score, Verdict};
use domain::review::ReviewLink;
use domain::submission::State;
use domain::time::Shown;
use serde::Serialize;
use service::desk::{
    Answer, ClassPage, ClassRow, Decided, Group, Member, Opening, PartPage, Role, ShownScript,
};
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct OpeningBody {
    reviewer: String,
    expires_at: Shown,
    paper: PaperBody,
    totals: TotalsBody,
    questions: Vec<QuestionBody>,
}

#[derive(Serialize)]
struct TotalsBody {
    scripts: i64,
    released: u32,
    waiting: u32,
    parts: i64,
    checked: i64,
    flagged: i64,
}

#[derive(Serialize)]
struct QuestionBody {
    number: String,
    text: String,
    parts: Vec<QuestionPartBody>,
}

#[derive(Serialize)]
struct QuestionPartBody {
    /// Empty for a question that is marked as a whole.
    label: String,
    text: String,
}

#[derive(Serialize)]
pub(super) struct ClassBody {
    rows: Vec<RowBody>,
    page: i64,
    pages: i64,
    size: i64,
}

#[derive(Serialize)]
struct RowBody {
    submission_id: String,
    student: String,
    name: Option<String>,
    status: &'static str,
    score: Option<Score>,
    parts: u32,
    checked: u32,
    flagged: u32,
    adjusted: bool,
    cells: Vec<CellBody>,
}

#[derive(Serialize)]
struct CellBody {
    awarded: Marks,
    available: Marks,
    flagged: bool,
    checked: bool,
}

#[derive(Serialize)]
pub(super) struct PartBody {
    answers: Vec<AnswerBody>,
    page: i64,
    pages: usize,
    size: usize,
    checked: usize,
    all: usize,
    groups: Vec<GroupBody>,
    available: Marks,
    step: Marks,
}

#[derive(Serialize)]
struct GroupBody {
    same: bool,
    answer: String,
    awarded: Vec<Marks>,
    members: Vec<MemberBody>,
}

#[derive(Serialize)]
struct MemberBody {
    submission_id: String,
    student: String,
    name: Option<String>,
    seen: Option<String>,
    answer: String,
    awarded: Marks,
}

/// One answer, wherever it is shown.
#[derive(Serialize)]
pub(in crate::review) struct AnswerBody {
    submission_id: String,
    question: u32,
    part: String,
    answer: String,
    awarded: Marks,
    available: Marks,
    machine: Marks,
    step: Marks,
    confidence: f64,
    flags: Vec<Flag>,
    feedback: String,
    remark: Option<String>,
    points: Vec<PointBody>,
    places: Vec<Place>,
    checked: bool,
    version: Option<String>,
    reviewer: Option<String>,
    because: Option<String>,
    /// What a decision about it is good for, where answers to one part stand together.
    role: Option<&'static str>,
}

#[derive(Serialize)]
struct PointBody {
    text: String,
    marks: Marks,
    awarded: Marks,
    verdict: Verdict,
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
pub(super) struct ScriptBody {
    submission_id: String,
    student: String,
    name: Option<String>,
    is_open: bool,
    released_at: Option<Shown>,
    score: Score,
    explanation: String,
    /// How many pages each file has.
    pages: Vec<u32>,
    answers: Vec<AnswerBody>,
}

#[derive(Serialize)]
pub(super) struct DecidedBody {
    score: Score,
    answers: Vec<AnswerBody>,
}

#[derive(Serialize)]
pub(super) struct ReleasedBody {
    pub(super) count: u64,
}

/// What a decision about a group has made of its answers.
#[derive(Serialize)]
pub(super) struct TogetherBody {
    count: usize,
    /// The version that each answer has now, by its submission.
    versions: BTreeMap<String, String>,
}

impl TogetherBody {
    pub(super) fn new(versions: &[(SubmissionId, AdjustmentId)]) -> TogetherBody {
        let by_script = versions.iter().map(|(id, version)| (id.to_string(), version.to_string()));
        TogetherBody { count: versions.len(), versions: by_script.collect() }
    }
}

impl OpeningBody {
    pub(super) fn new(link: &ReviewLink, opening: &Opening) -> OpeningBody {
        let counts = opening.paper.counts;
        OpeningBody {
            reviewer: link.reviewer.as_str().to_owned(),
            expires_at: Shown(link.expires_at),
            paper: PaperBody::from(&opening.paper),
            totals: TotalsBody {
                scripts: opening.totals.scripts,
                released: counts.released,
                waiting: counts.queued + counts.processing,
                parts: opening.totals.parts,
                checked: opening.totals.checked,
                flagged: opening.totals.flagged,
            },
            questions: opening.questions.iter().map(QuestionBody::from).collect(),
        }
    }
}

impl From<&Question> for QuestionBody {
    fn from(question: &Question) -> QuestionBody {
        let part =
            |label: &str, text: &str| QuestionPartBody { label: label.to_owned(), text: text.to_owned() };
        let mut parts: Vec<QuestionPartBody> =
            question.parts.iter().map(|own| part(&own.label, &own.text)).collect();
        if parts.is_empty() {
            parts.push(part("", ""));
        }
        QuestionBody { number: question.number.clone(), text: question.text.clone(), parts }
    }
}

impl ClassBody {
    pub(super) fn new(found: &ClassPage, page: i64, rows: i64) -> ClassBody {
        let all = found.rows.iter().map(|(row, answers)| RowBody::new(row, answers));
        ClassBody { rows: all.collect(), page, pages: (found.size + rows - 1) / rows, size: found.size }
    }
}

impl RowBody {
    fn new(row: &ClassRow, answers: &[Answer]) -> RowBody {
        let cells = (0_u32..).zip(&row.sheet.questions).map(|(place, question)| {
            let own = || answers.iter().filter(move |answer| answer.key.question == place);
            CellBody {
                awarded: question.awarded,
                available: question.available,
                flagged: own().any(|answer| answer.flags.iter().any(|flag| flag.wants_person())),
                checked: own().count() > 0 && own().all(|answer| answer.decision.is_some()),
            }
        });
        RowBody {
            submission_id: row.submission_id.to_string(),
            student: row.student_external_id.clone(),
            name: row.student_name.clone(),
            status: row.status.name(),
            score: row.score,
            parts: row.parts,
            checked: row.checked,
            flagged: row.flagged,
            adjusted: row.is_adjusted,
            cells: cells.collect(),
        }
    }
}

impl PartBody {
    pub(super) fn new(found: &PartPage, page: i64, rows: usize) -> PartBody {
        let groups = found.groups.iter().map(|Group { is_same, members }| {
            let mut awarded: Vec<Marks> = members.iter().map(|member| member.answer.awarded).collect();
            awarded.sort_unstable();
            awarded.dedup();
            GroupBody {
                same: *is_same,
                answer: members.first().map(|member| member.answer.answer.clone()).unwrap_or_default(),
                awarded,
                members: members.iter().map(MemberBody::from).collect(),
            }
        });
        PartBody {
            answers: found
                .answers
                .iter()
                .map(|shown| AnswerBody::new(&shown.answer, &shown.part, Some(shown.role)))
                .collect(),
            page,
            pages: found.size.div_ceil(rows),
            size: found.size,
            checked: found.checked,
            all: found.all,
            groups: groups.collect(),
            available: found.scale.0,
            step: found.scale.1,
        }
    }
}

impl From<&Member> for MemberBody {
    fn from(Member { answer, student, name }: &Member) -> MemberBody {
        MemberBody {
            submission_id: answer.submission_id.to_string(),
            student: student.clone(),
            name: name.clone(),
            seen: answer.version.map(|version| version.to_string()),
            answer: answer.answer.clone(),
            awarded: answer.awarded,
        }
    }
}

impl AnswerBody {
    pub(in crate::review) fn new(answer: &Answer, part: &PartResult, role: Option<Role>) -> AnswerBody {
        // What it would have followed is no reason any more once a person has decided.
        let followed = answer.taught.as_ref().filter(|_| answer.decision.is_none());
        let points = part.points.iter().map(|point| PointBody {
            text: point.text.clone(),
            marks: point.marks,
            awarded: point.awarded,
            verdict: point.verdict,
            evidence: point.evidence.clone(),
        });
        AnswerBody {
            submission_id: answer.submission_id.to_string(),
            question: answer.key.question,
            part: answer.key.part.clone(),
            answer: part.answer.clone(),
            awarded: part.awarded,
            available: part.available,
            machine: part.machine_mark(),
            step: part.step(),
            confidence: part.confidence,
            flags: part.flags.clone(),
            feedback: part.feedback.clone(),
            remark: part.revision.as_ref().and_then(|revision| revision.remark.clone()),
            points: points.collect(),
            places: part.places.clone(),
            checked: answer.decision.is_some(),
            version: answer.version.map(|version| version.to_string()),
            reviewer: answer.reviewer.clone(),
            because: followed.map(|taught| taught.because.clone()),
            role: role.map(Role::name),
        }
    }
}

/// The answers of a script that are wanted, as they count now. One that is released has nothing left to decide about.
fn answers(script: &ShownScript, is_wanted: impl Fn(&PartKey) -> bool) -> Vec<AnswerBody> {
    let all = script.result.all_parts().into_iter().filter(|(key, _)| is_wanted(key)).map(|(key, part)| {
        let known = script.answers.iter().find(|answer| answer.key == key).cloned();
        let answer = known.unwrap_or_else(|| Answer {
            submission_id: script.submission.id,
            key,
            answer: part.answer.clone(),
            machine: part.machine_mark(),
            awarded: part.awarded,
            available: part.available,
            confidence: part.confidence,
            flags: part.flags.clone(),
            decision: None,
            taught: None,
            version: None,
            reviewer: None,
        });
        AnswerBody::new(&answer, &part, None)
    });
    all.collect()
}

impl From<&ShownScript> for ScriptBody {
    fn from(script: &ShownScript) -> ScriptBody {
        let submission = &script.submission;
        ScriptBody {
            submission_id: submission.id.to_string(),
            student: submission.student.external_id.to_string(),
            name: submission.student.name.as_ref().map(ToString::to_string),
            is_open: submission.state == State::Graded,
            released_at: submission.released_at.map(Shown),
            score: script.result.score,
            explanation: script.result.explanation.clone(),
            pages: submission.files.iter().map(|file| file.pages.unwrap_or_default()).collect(),
            answers: answers(script, |_| true),
        }
    }
}

impl DecidedBody {
    /// The answers that were decided about, as they are now.
    pub(super) fn new(Decided { adjustments, script }: &Decided) -> DecidedBody {
        let is_made = |key: &PartKey| adjustments.iter().any(|one| one.key == *key);
        DecidedBody { score: script.result.score, answers: answers(script, is_made) }
    }
}
