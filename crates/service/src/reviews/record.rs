//! The record of a paper: what reviewers changed before it was approved, and what became of its scheme, its marks and
//! its results since.

use crate::{Error, Service};
use domain::adjustment::Adjustment;
use domain::id::{AdjustmentId, ChangeId, Identifier as _, PaperId, QuestionId};
use domain::question::Question;
use domain::review::{Action, Change};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{Tx, desk, papers, reviews};

/// What a line of the record says, beside when and of which paper.
#[derive(Debug)]
pub(crate) struct Line<'l> {
    pub(crate) action: Action,
    pub(crate) reviewer: Option<&'l str>,
    /// The question, with its number.
    pub(crate) question: Option<(QuestionId, String)>,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
}

impl<'l> Line<'l> {
    /// About the paper itself, where nothing more is said.
    pub(crate) fn new(action: Action, reviewer: Option<&'l str>) -> Line<'l> {
        Line { action, reviewer, question: None, before: None, after: None }
    }
}

impl Service {
    /// Adds a line in the transaction of what it tells.
    pub(crate) async fn record_change(
        &self,
        tx: &mut Tx,
        paper: PaperId,
        line: Line<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (question_id, number) = line.question.unzip();
        let change = Change {
            id: self.id(now),
            paper_id: paper,
            reviewer: line.reviewer.map(str::to_owned),
            action: line.action,
            question_id,
            number,
            before: line.before.map(|value| value.to_string()),
            after: line.after.map(|value| value.to_string()),
            created_at: now,
        };
        Ok(reviews::record(tx, &change).await?)
    }

    /// A piece of the record of a paper, oldest first: for the operator.
    #[crate::boxed]
    pub async fn review_changes(
        &self,
        id: PaperId,
        after: Option<ChangeId>,
        rows: u32,
    ) -> Result<Vec<Change>, Error> {
        let db = &mut *self.0.store.read().await?;
        papers::any_by_id(db, id).await?.ok_or_else(|| Error::missing("paper", id))?;
        let mut lines = reviews::changes(db, id, after, rows.into()).await?;
        // Ids of all kinds are numbered alike, by time.
        let after = after.map(|id| AdjustmentId::from_number(id.number()));
        let decisions = desk::adjustments_of(db, id, after, rows.into()).await?;
        lines.extend(decisions.into_iter().map(decided));
        lines.sort_by_key(|line| line.id);
        lines.truncate(rows as usize);
        Ok(lines)
    }
}

/// A decision as the record tells it; what the student wrote or was told is not in it.
fn decided(adjustment: Adjustment) -> Change {
    let mut after = json!({
        "awarded": adjustment.awarded, "submission_id": adjustment.submission_id.to_string(),
    });
    if adjustment.decision.is_none() {
        after["taken_back"] = Value::Bool(true);
    }
    Change {
        id: ChangeId::from_number(adjustment.id.number()),
        paper_id: adjustment.paper_id,
        action: Action::Decide,
        question_id: None,
        number: Some(format!("{}{}", adjustment.number, adjustment.key.part)),
        before: Some(json!({"awarded": adjustment.awarded_before}).to_string()),
        after: Some(after.to_string()),
        reviewer: adjustment.reviewer,
        created_at: adjustment.created_at,
    }
}

/// The members that differ, as they were and as they are.
pub(crate) fn difference(before: &Question, after: &Question) -> (Value, Value) {
    let (Value::Object(before), Value::Object(after)) = (document(before), document(after)) else {
        return (Value::Null, Value::Null);
    };
    let pick = |from: &Map<String, Value>| {
        let members = from.iter().filter(|(name, _)| before.get(*name) != after.get(*name));
        Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    (pick(&before), pick(&after))
}

pub(crate) fn document(question: &Question) -> Value {
    serde_json::to_value(question).expect("a question holds only what JSON can write")
}
