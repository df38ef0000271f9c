//! What the desk's script sends.

use super::{Problem, submission};
use crate::error::{Code, Error};
use domain::adjustment::{Which, check_answer, check_remark};
use domain::id::{AdjustmentId, Identifier as _, SubmissionId};
use domain::marks::Marks;
use domain::question::Question;
use domain::result::PartKey;
use serde::Deserialize;
use service::desk::{GROUP_MAX, GroupMember, GroupSaid, GroupStep, Said, Seen, Step};

/// Decisions about answers of one script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionBody {
    submission_id: String,
    steps: Vec<StepBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepBody {
    question: u32,
    part: String,
    say: SaidBody,
    #[serde(default)]
    remark: Option<String>,
    /// The version that was seen; absent for whichever there is.
    #[serde(default, deserialize_with = "present")]
    seen: Option<Option<String>>,
    /// The mark that was seen, for a decision that rests on it.
    #[serde(default)]
    shown: Option<Marks>,
}

/// A member that is there, be it null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum SaidBody {
    Mark(Marks),
    Points(Vec<Marks>),
    Wrote(String),
    Agree,
    Restore(Option<String>),
}

/// One decision about the same part of several scripts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupBody {
    question: u32,
    part: String,
    say: GroupSaidBody,
    #[serde(default)]
    remark: Option<String>,
    scripts: Vec<MemberBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberBody {
    submission_id: String,
    seen: Option<String>,
    #[serde(default)]
    shown: Option<Marks>,
    /// The version to go back to; absent or null for before any.
    #[serde(default)]
    before: Option<String>,
}

/// What can be said about all answers of a group.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum GroupSaidBody {
    Mark(Marks),
    Agree,
    Back,
}

/// A change of one question's key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AmendmentBody {
    /// The question's place in the paper, counted from 0.
    pub(super) place: u32,
    /// What it becomes.
    pub(super) question: Question,
    /// The change that was seen being looked at, which this one replaces; absent for whichever there is.
    #[serde(default, deserialize_with = "present")]
    pub(super) seen: Option<Option<String>>,
}

/// The change that was looked at, by its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedBody {
    pub(super) id: String,
}

/// What is to be released.
pub(super) enum ReleaseBody {
    /// One script.
    One(SubmissionId),
    /// Those that are asked for.
    Many(Which),
}

/// Answers of one script that one call decides about at most.
const STEPS_MAX: usize = 2000;

impl DecisionBody {
    pub(super) fn read(bytes: &[u8]) -> Result<(SubmissionId, Vec<Step>), Problem> {
        let body: DecisionBody = parsed(bytes)?;
        if body.steps.is_empty() || body.steps.len() > STEPS_MAX {
            return Err(wrong("steps", "must have 1 to 2000 items"));
        }
        let id = submission(&body.submission_id)?;
        let steps = body.steps.into_iter().map(|step| {
            let seen = match step.seen {
                None => Seen::Any,
                Some(version) => Seen::Version(version.as_deref().map(adjustment).transpose()?),
            };
            let key = PartKey { question: step.question, part: step.part };
            Ok(Step {
                key,
                said: said(step.say)?,
                remark: remark(step.remark)?,
                seen,
                shown: step.shown,
                reread: None,
            })
        });
        Ok((id, steps.collect::<Result<_, Problem>>()?))
    }
}

impl GroupBody {
    pub(super) fn read(bytes: &[u8]) -> Result<GroupStep, Problem> {
        let body: GroupBody = parsed(bytes)?;
        if body.scripts.is_empty() || body.scripts.len() > GROUP_MAX {
            return Err(wrong("scripts", "must have 1 to 500 items"));
        }
        let said = match body.say {
            GroupSaidBody::Mark(marks) => GroupSaid::Mark(marks),
            GroupSaidBody::Agree => GroupSaid::Agree,
            GroupSaidBody::Back => GroupSaid::Back,
        };
        let scripts = body.scripts.iter().map(|member| {
            let version = |text: &Option<String>| text.as_deref().map(adjustment).transpose();
            Ok(GroupMember {
                id: submission(&member.submission_id)?,
                seen: version(&member.seen)?,
                shown: member.shown,
                before: version(&member.before)?,
            })
        });
        Ok(GroupStep {
            scripts: scripts.collect::<Result<_, Problem>>()?,
            key: PartKey { question: body.question, part: body.part },
            said,
            remark: remark(body.remark)?,
        })
    }
}

impl ReleaseBody {
    pub(super) fn read(bytes: &[u8]) -> Result<ReleaseBody, Problem> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Members {
            which: Option<String>,
            submission_id: Option<String>,
        }
        let members: Members = parsed(bytes)?;
        match (members.which.as_deref(), members.submission_id.as_deref()) {
            (None, Some(id)) => Ok(ReleaseBody::One(submission(id)?)),
            (Some(which), None) => {
                let which = Which::parse(which);
                which
                    .map(ReleaseBody::Many)
                    .ok_or_else(|| wrong("which", "must be all, checked or unflagged"))
            }
            _ => Err(wrong("which", "or submission_id must be there, and not both")),
        }
    }
}

pub(super) fn parsed<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes)
        .map_err(|error| Error::new(Code::InvalidJson, format!("The body does not fit: {error}.")).into())
}

fn wrong(param: &str, problem: &str) -> Problem {
    Error::invalid(param, problem).into()
}

fn adjustment(text: &str) -> Result<AdjustmentId, Problem> {
    AdjustmentId::parse(text).ok_or_else(|| wrong("seen", "must be the version of an answer"))
}

fn said(body: SaidBody) -> Result<Said, Problem> {
    Ok(match body {
        SaidBody::Mark(marks) => Said::Mark(marks),
        SaidBody::Points(points) => Said::Points(points),
        SaidBody::Wrote(text) => {
            check_answer(&text).map_err(|problem| Error::invalid("answer", problem))?;
            Said::Wrote(text)
        }
        SaidBody::Agree => Said::Agree,
        SaidBody::Restore(version) => Said::Restore(version.as_deref().map(adjustment).transpose()?),
    })
}

fn remark(text: Option<String>) -> Result<Option<String>, Problem> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(text) = &text {
        check_remark(text).map_err(|problem| Error::invalid("remark", problem))?;
    }
    Ok(text)
}
