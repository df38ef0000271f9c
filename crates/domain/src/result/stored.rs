//! Points and evidence as documents hold them: points of earlier versions have no verdict.

use super::{Evidence, Frame, Likely, Place, PointResult, Verdict};
use crate::marks::Marks;
use serde::Deserialize;

/// A point that may have been stored before points had a verdict.
#[derive(Deserialize)]
pub(super) struct Point {
    text: String,
    marks: Marks,
    awarded: Marks,
    verdict: Option<Verdict>,
    evidence: Vec<Evidence>,
}

impl From<Point> for PointResult {
    fn from(point: Point) -> PointResult {
        let Point { text, marks, awarded, verdict, evidence } = point;
        let earned = if awarded.is_zero() { Verdict::Missing } else { Verdict::Credited };
        PointResult {
            text,
            marks,
            awarded,
            verdict: verdict.unwrap_or(earned),
            evidence,
            likely: Likely::default(),
        }
    }
}

/// Words with their place beside them. Named one by one: what is flattened is first collected and then read, which is a
/// good part of what reading a result costs.
#[derive(Deserialize)]
pub(super) struct Words {
    file: u32,
    page: u32,
    #[serde(rename = "box")]
    frame: Frame,
    text: String,
}

impl From<Words> for Evidence {
    fn from(words: Words) -> Evidence {
        let Words { file, page, frame, text } = words;
        Evidence { place: Place { file, page, frame }, text }
    }
}
