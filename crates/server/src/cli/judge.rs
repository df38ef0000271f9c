//! `tickmark judge`: the larger judge of points, before it is trusted with a server.

use super::Global;
use crate::failure::Failure;
use clap::Subcommand;
use larger_judge::{BYTES, CHECKSUM, FILE, LargerJudge, NAME};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const HELP: &str = "\
The larger judge is a network of 1.5 billion weights that is asked beside the built-in judge of points: it keeps
more right points and refuses more opposites, and takes seconds an answer. Its file is not part of Tickmark; the setting
judge.model names it. What rules decide (numbers, units, choices, order, wanted and rejected words) it never overrules.

Examples:
  tickmark judge check qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
  TICKMARK_JUDGE_MODEL=/var/lib/tickmark/judge.gguf tickmark judge check";

#[derive(Debug, Subcommand)]
#[command(after_help = HELP)]
pub(super) enum Command {
    /// Say which file it is, whether it fits, and how many answers a minute it judges here
    Check {
        /// The file; without it, that of the setting judge.model
        file: Option<PathBuf>,
    },
}

/// What is judged to see how long it takes: an answer of usual length and a point for each of its three marks.
const QUESTION: &str = "Explain why a puddle dries faster on a windy day than on a still day.";
const POINTS: [&str; 3] = [
    "particles at the surface escape / evaporate",
    "wind carries the vapour away from the surface",
    "so fewer particles return / the difference in concentration stays large",
];
const ANSWER: &str = "The fastest particles leave the water as vapour. On a still day the vapour hangs over the puddle \
                      and some of it goes back in. The wind blows it away, so more can leave.";
/// As long as this is tried, and once at least.
const TRIED_FOR: Duration = Duration::from_secs(10);

impl Command {
    pub(super) fn run(self, global: &Global) -> Result<(), Failure> {
        let Command::Check { file } = self;
        let Some(file) = file
            .map_or_else(|| global.settings().map(|settings| settings.larger_judge), |file| Ok(Some(file)))?
        else {
            return Err(Failure::new(
                "Name the file, or set judge.model to it; `tickmark judge check --help` says what it is.",
            ));
        };
        let judge = LargerJudge::open(&file)
            .map_err(|error| Failure::new(format!("{} does not fit: {error}.", file.display())))?;
        let points: Vec<Vec<&str>> = POINTS.iter().map(|point| vec![*point]).collect();
        let (began, mut answers) = (Instant::now(), 0u32);
        while answers == 0 || began.elapsed() < TRIED_FOR {
            judge.verdicts(QUESTION, &points, ANSWER);
            answers += 1;
        }
        let a_minute = f64::from(answers) * 60.0 / began.elapsed().as_secs_f64();
        let sentence = format!(
            "{} is {FILE} (SHA-256 {CHECKSUM}), and fits the judge {NAME}.\nHere it judges about {a_minute:.1} answers \
             with three points a minute, with all cores, and keeps {:.1} GB in memory.",
            file.display(),
            BYTES as f64 / 1e9,
        );
        let found = json!({
            "file": file, "fits": true, "model": FILE, "sha256": CHECKSUM, "judge": NAME, "bytes": BYTES,
            "answers_a_minute": (a_minute * 10.0).round() / 10.0,
        });
        Ok(global.output().done(&found, &sentence)?)
    }
}
