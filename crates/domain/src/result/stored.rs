//! Points as documents hold them: those of earlier versions have no verdict.

use super::{Evidence, PointResult, Verdict};
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
        PointResult { text, marks, awarded, verdict: verdict.unwrap_or(earned), evidence }
    }
}
