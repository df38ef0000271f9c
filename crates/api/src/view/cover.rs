//! Cover sheets for the scripts of a class.

use domain::roster::Enrolled;
use serde::Serialize;
use service::covers::Covers;
use utoipa::ToSchema;

/// What the cover sheets of a class say, for those who print their own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Covers, example = json!({
    "object": "covers", "livemode": false, "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "sheets": [{
        "external_id": "s-1071", "name": "Ada Lovelace", "class": "7b",
        "token": "TM1:01m7erksw3h2kbtqh4bm5e14zh:5f1d3a77:s-1071"
    }]
}))]
pub(crate) struct CoversView {
    /// Always `covers`.
    #[schema(value_type = String, pattern = "^covers$", example = "covers")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper.
    #[schema(pattern = "^pap_[0-9a-z]{26}$")]
    paper_id: String,
    /// One for each student, in the order of the request.
    sheets: Vec<CoverSheetView>,
}

/// What one cover sheet says.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CoverSheet)]
pub(crate) struct CoverSheetView {
    /// The client's own reference to the student.
    external_id: String,
    /// For people.
    #[schema(required)]
    name: Option<String>,
    /// The student's class, for people.
    #[schema(required)]
    class: Option<String>,
    /// What the QR code says. A sheet of your own is found by it as well.
    token: String,
}

impl From<&Covers> for CoversView {
    fn from(covers: &Covers) -> CoversView {
        CoversView {
            object: "covers",
            livemode: covers.paper.owner.1.is_live(),
            paper_id: covers.paper.id.to_string(),
            sheets: covers.sheets.iter().map(CoverSheetView::from).collect(),
        }
    }
}

impl From<&(Enrolled, String)> for CoverSheetView {
    fn from((enrolled, token): &(Enrolled, String)) -> CoverSheetView {
        CoverSheetView {
            external_id: enrolled.student.external_id.to_string(),
            name: enrolled.student.name.as_ref().map(ToString::to_string),
            class: enrolled.class.as_ref().map(ToString::to_string),
            token: token.clone(),
        }
    }
}
