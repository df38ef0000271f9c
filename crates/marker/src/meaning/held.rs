//! Which weights the program holds for marking.

use super::{ModelError, align, encoder, joint, weights, wordpiece};
use std::borrow::Cow;

/// What the judge of points is called in results: another name for other weights.
pub(super) const POINTS: &str = "tickmark-points-6";
/// The same of the model of meaning.
pub(super) const MEANING: &str = "tickmark-meaning-3";

/// A file of weights that the program holds.
#[derive(Clone, Debug)]
pub struct Held {
    /// What results call the model that it belongs to.
    pub model: &'static str,
    /// Its name in `models/`.
    pub file: &'static str,
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
}

/// Every file of weights that marking uses.
pub fn held() -> Result<Vec<Held>, ModelError> {
    let meaning: [(&str, &[u8]); 4] = [
        ("meaning/encoder.onnx", encoder::WEIGHTS),
        ("meaning/head.json", align::HEAD.as_bytes()),
        ("meaning/marking.json", weights::MARKING.as_bytes()),
        ("meaning/vocab.txt", wordpiece::WORDS.as_bytes()),
    ];
    let meaning = meaning.map(|(file, bytes)| Held { model: MEANING, file, bytes: Cow::Borrowed(bytes) });
    let points = joint::files()?.map(|(file, bytes)| Held { model: POINTS, file, bytes });
    Ok(meaning.into_iter().chain(points).collect())
}
