//! What people decided about marks (contract, section 16).

use domain::adjustment::Adjustment;
use domain::id::PaperId;
use domain::marks::Marks;
use domain::time::Shown;
use serde::Serialize;
use utoipa::ToSchema;

/// A decision of a person about one answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Adjustment)]
pub(crate) struct AdjustmentView {
    /// Its id.
    #[schema(pattern = "^adj_[0-9a-z]{26}$")]
    id: String,
    /// Always `adjustment`.
    #[schema(value_type = String, pattern = "^adjustment$", example = "adjustment")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The submission.
    submission_id: String,
    /// Its paper.
    paper_id: String,
    /// The question's number, as printed.
    question: String,
    /// The part's label; null for a question that is marked as a whole.
    #[schema(required)]
    part: Option<String>,
    /// The mark that stood before.
    #[schema(value_type = f64, minimum = 0)]
    awarded_before: Marks,
    /// The mark from then on.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
    /// The most that the answer can earn.
    #[schema(value_type = f64, minimum = 0)]
    available: Marks,
    /// What the student wrote, as the person read it; null where what was read was not corrected.
    #[schema(required)]
    answer: Option<String>,
    /// What the person says to the student.
    #[schema(required)]
    remark: Option<String>,
    /// False where an earlier decision was taken back, and the answer counts as not checked again.
    checked: bool,
    /// Who decided; null where that was not said.
    #[schema(required)]
    reviewer: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// How many results were released.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Release)]
pub(crate) struct ReleaseView {
    /// Always `release`.
    #[schema(value_type = String, pattern = "^release$", example = "release")]
    object: &'static str,
    /// The paper.
    paper_id: String,
    /// How many scripts this call released.
    released: u64,
}

impl From<&Adjustment> for AdjustmentView {
    fn from(adjustment: &Adjustment) -> AdjustmentView {
        let decision = adjustment.decision.as_ref();
        let reread = decision.and_then(|decision| decision.reread.as_ref());
        AdjustmentView {
            id: adjustment.id.to_string(),
            object: "adjustment",
            livemode: adjustment.owner.1.is_live(),
            submission_id: adjustment.submission_id.to_string(),
            paper_id: adjustment.paper_id.to_string(),
            question: adjustment.number.clone(),
            part: Some(adjustment.key.part.clone()).filter(|part| !part.is_empty()),
            awarded_before: adjustment.awarded_before,
            awarded: adjustment.awarded,
            available: adjustment.available,
            answer: reread.map(|part| part.answer.clone()),
            remark: decision.and_then(|decision| decision.remark.clone()),
            checked: decision.is_some(),
            reviewer: adjustment.reviewer.clone(),
            created_at: Shown(adjustment.created_at),
        }
    }
}

impl ReleaseView {
    pub(crate) fn new(paper: PaperId, released: u64) -> ReleaseView {
        ReleaseView { object: "release", paper_id: paper.to_string(), released }
    }
}
