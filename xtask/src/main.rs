//! Checks and chores of the project, run by `cargo xtask`.

mod arrows;
mod words;

use std::process::ExitCode;

use anyhow::Result;

const USAGE: &str = "usage: cargo xtask arrows|words";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let done: Result<()> = match task.as_deref() {
        Some("arrows") => arrows::check(),
        Some("words") => words::check(),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "this is where a chore says what went wrong")]
            {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
