//! One decision about the same part of several scripts, all or none; and the way back.

use super::{DeskError, Said, Seen, Step, locked_graded};
use crate::Service;
use domain::id::{AdjustmentId, SubmissionId};
use domain::marks::Marks;
use domain::result::PartKey;
use domain::review::ReviewLink;

/// Answers of one group that one decision can be about.
pub const GROUP_MAX: usize = 500;

/// A decision about the same part of several scripts.
#[derive(Clone, Debug)]
pub struct GroupStep {
    /// The scripts, each once.
    pub scripts: Vec<GroupMember>,
    /// Which answer of each.
    pub key: PartKey,
    /// What was decided.
    pub said: GroupSaid,
    /// What the students are told.
    pub remark: Option<String>,
}

/// A script of a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupMember {
    /// Its submission.
    pub id: SubmissionId,
    /// The version of its answer that was seen.
    pub seen: Option<AdjustmentId>,
    /// The mark that was seen, where that matters.
    pub shown: Option<Marks>,
    /// The version that it goes back to, for [`GroupSaid::Back`].
    pub before: Option<AdjustmentId>,
}

/// What can be said about all answers of a group.
#[derive(Clone, Copy, Debug)]
pub enum GroupSaid {
    /// This is the mark of each.
    Mark(Marks),
    /// Their marks are right as they are.
    Agree,
    /// Each as it was before.
    Back,
}

impl GroupSaid {
    fn of(self, member: &GroupMember) -> Said {
        match self {
            GroupSaid::Mark(marks) => Said::Mark(marks),
            GroupSaid::Agree => Said::Agree,
            GroupSaid::Back => Said::Restore(member.before),
        }
    }
}

impl Service {
    /// Makes one decision about the same part of several scripts, all or none: where one of them was changed meanwhile,
    /// nothing is written. Gives the version that each answer has then.
    #[crate::boxed]
    pub async fn desk_decide_group(
        &self,
        link: &ReviewLink,
        group: GroupStep,
    ) -> Result<Vec<(SubmissionId, AdjustmentId)>, DeskError> {
        let input = (self.clone(), link.clone(), group, self.now());
        let decided = self.0.store.write(input, |tx, (service, link, group, now)| {
            Box::pin(async move {
                // In one order everywhere, so that two groups never wait for each other.
                let mut scripts = group.scripts.clone();
                scripts.sort_by_key(|member| member.id);
                scripts.dedup_by_key(|member| member.id);
                // All of them before the account's turn, which comes last.
                let place = (link.owner, link.paper_id);
                for member in &scripts {
                    locked_graded(tx, place, member.id).await?;
                }
                let reviewer = Some(link.reviewer.as_str());
                let mut versions = Vec::with_capacity(scripts.len());
                for member in &scripts {
                    let step = Step {
                        key: group.key.clone(),
                        said: group.said.of(member),
                        remark: group.remark.clone(),
                        seen: Seen::Version(member.seen),
                        shown: member.shown,
                        reread: None,
                    };
                    let steps = std::slice::from_ref(&step);
                    let made = service.decide_in(tx, place, member.id, steps, reviewer, *now).await?;
                    versions.extend(made.adjustments.iter().map(|adjustment| (member.id, adjustment.id)));
                }
                Ok::<_, DeskError>(versions)
            })
        });
        decided.await
    }
}
