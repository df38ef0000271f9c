//! What marks, as it is set.

use super::reader::Reader;
use super::{Error, Secret};
use std::time::Duration;
use url::Url;

/// A timeout longer than this helps nobody.
const TIMEOUT_SECONDS_MAX: u32 = 600;

/// What marks the scripts.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Our own, without network.
    Builtin,
    /// A model behind an endpoint.
    Llm {
        /// Where it is.
        base_url: Url,
        /// Which one.
        model: String,
        /// What opens it.
        api_key: Option<Secret>,
        /// Whether it can look at pictures.
        vision: bool,
        /// How much it may be used.
        bounds: ModelBounds,
    },
}

/// How much a model's endpoint may be used.
#[derive(Clone, Copy, Debug)]
pub struct ModelBounds {
    /// Requests at once.
    pub requests_max: u32,
    /// For one request.
    pub timeout: Duration,
    /// Tokens that this process may use; `None` for any number.
    pub tokens_max: Option<u64>,
    /// Whether the built-in engine marks what the endpoint does not.
    pub falls_back: bool,
}

/// Reads the settings of the engine.
pub(super) fn engine(read: &mut Reader) -> Result<Engine, Error> {
    let is_llm = read.choice("engine", &[("builtin", false), ("llm", true)])?;
    let (base_url, model) = (read.url("llm.base_url")?, read.text("llm.model")?);
    let (api_key, vision) = (read.secret("llm.api_key")?, read.boolean("llm.vision")?);
    let bounds = model_bounds(read)?;
    if !is_llm {
        return Ok(Engine::Builtin);
    }
    let because = "engine is llm";
    let base_url = base_url.ok_or(Error::Needed { name: "llm.base_url", because })?;
    let model = model.ok_or(Error::Needed { name: "llm.model", because })?;
    Ok(Engine::Llm { base_url, model, api_key, vision, bounds })
}

fn model_bounds(read: &mut Reader) -> Result<ModelBounds, Error> {
    let millions = u64::from(read.integer("llm.million_tokens_max", 0..=1_000_000)?);
    Ok(ModelBounds {
        requests_max: read.integer("llm.requests_max", 1..=1000)?,
        timeout: read.seconds("llm.timeout_seconds", 1..=TIMEOUT_SECONDS_MAX)?,
        tokens_max: (millions > 0).then_some(millions * 1_000_000),
        falls_back: read.choice("llm.on_fault", &[("retry", false), ("builtin", true)])?,
    })
}
