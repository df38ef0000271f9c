//! Subject (2.3).

use domain::mode::Mode;
use domain::subject::Subject;
use serde::Serialize;
use utoipa::ToSchema;

/// A subject that a paper can be of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Subject, example = json!({
    "id": "subj_01m7erksvtgpq2njx8hh8w3d9s", "object": "subject", "livemode": true, "name": "Mathematics",
    "code": "MAT", "level": null
}))]
pub(crate) struct SubjectView {
    /// Its id.
    #[schema(pattern = "^subj_[0-9a-z]{26}$")]
    id: String,
    /// Always `subject`.
    #[schema(value_type = String, pattern = "^subject$", example = "subject")]
    object: &'static str,
    /// The mode of the key that asks; the catalogue is the same in both.
    livemode: bool,
    /// Its name.
    #[schema(example = "Biology")]
    name: String,
    /// The board's code.
    #[schema(required, example = "BIO")]
    code: Option<String>,
    /// Its level.
    #[schema(required)]
    level: Option<String>,
}

impl SubjectView {
    pub(crate) fn new(subject: &Subject, mode: Mode) -> SubjectView {
        SubjectView {
            id: subject.id.to_string(),
            object: "subject",
            livemode: mode.is_live(),
            name: subject.name.clone(),
            code: subject.code.clone(),
            level: subject.level.clone(),
        }
    }
}
