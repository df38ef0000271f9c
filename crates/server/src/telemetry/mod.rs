//! Log lines on stderr, for people or for programs.

mod lines;

pub use lines::Flush;

use std::io::IsTerminal as _;

use lines::Lines;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line, for eyes.
    Human,
    /// One JSON object a line.
    Json,
}

/// Which log lines are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter(Targets);

impl Filter {
    /// Reads a level, or levels by module: `info,store=debug`.
    pub fn parse(text: &str) -> Option<Filter> {
        // Anything that is no level would be taken for a module's name, and a misspelt level with it.
        let is_sound = |part: &str| {
            let level = part.rsplit_once('=').map_or(part, |(_, level)| level);
            level.parse::<LevelFilter>().is_ok() && level.parse::<u8>().is_err()
        };
        text.split(',').all(|part| is_sound(part.trim())).then(|| text.parse().ok().map(Filter)).flatten()
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter(Targets::new().with_default(LevelFilter::INFO))
    }
}

/// Sends log lines to stderr from now on; what is returned writes the last ones when it goes. A second call
/// changes nothing.
pub fn start(format: Format, filter: &Filter) -> std::io::Result<Flush> {
    let (lines, flush) = Lines::start(std::io::stderr())?;
    let layer = fmt::layer().with_writer(lines);
    let layer = match format {
        Format::Human => layer.with_ansi(std::io::stderr().is_terminal()).boxed(),
        Format::Json => {
            layer.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
        }
    };
    let filter = quieted(&filter.0);
    let _ = tracing_subscriber::registry().with(layer.with_filter(filter)).try_init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("no message");
        tracing::error!(place, "a fault of ours: {message}");
    }));
    Ok(flush)
}

/// What these libraries call a warning is a peer's doing, which our own lines tell better.
fn quieted(filter: &Targets) -> Targets {
    let asked: Vec<String> = filter.iter().map(|(target, _)| target.to_owned()).collect();
    let quiet = ["hyper", "hyper_util", "h2", "rustls"].into_iter();
    let quiet = quiet.filter(|target| !asked.iter().any(|asked| asked == target));
    quiet.fold(filter.clone(), |filter, target| filter.with_target(target, LevelFilter::ERROR))
}
