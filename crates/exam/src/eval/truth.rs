//! `truth.json`: what a careful human read.

use serde::Deserialize;

/// A pair's truth.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Truth {
    pub(super) total_marks: Option<f64>,
    pub(super) questions: Vec<TrueQuestion>,
}

/// A question; one without parts carries a leaf's members itself.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TrueQuestion {
    pub(super) number: Number,
    #[serde(default)]
    pub(super) parts: Option<Vec<TrueLeaf>>,
    #[serde(flatten)]
    pub(super) own: TrueLeaf,
}

/// A question without parts, or a part.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct TrueLeaf {
    #[serde(default)]
    pub(super) label: Option<String>,
    #[serde(default)]
    pub(super) marks: Option<f64>,
    #[serde(default)]
    pub(super) page: Option<u32>,
    #[serde(default)]
    pub(super) key: Option<String>,
    #[serde(default)]
    pub(super) joint: Option<serde_json::Value>,
}

/// A number as a string or a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Text(String),
    Count(u64),
}

impl Default for Number {
    fn default() -> Self {
        Number::Count(0)
    }
}

impl Number {
    pub(super) fn text(&self) -> String {
        match self {
            Number::Text(text) => text.clone(),
            Number::Count(count) => count.to_string(),
        }
    }
}

impl TrueQuestion {
    /// The question's leaves.
    pub(super) fn leaves(&self) -> Vec<TrueLeaf> {
        match &self.parts {
            Some(parts) if !parts.is_empty() => parts.clone(),
            _ => vec![self.own.clone()],
        }
    }
}
