//! The command line: what can be asked for, and how failures are told.

mod output;
mod settings;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::{self, Options, Settings};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use output::Output;

/// Marks students' answer scripts against a question paper and a marking scheme.
#[derive(Debug, Parser)]
#[command(name = "tickmark", version, max_term_width = 100, after_help = EXAMPLES)]
struct CommandLine {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tickmark dev                                     Try it out: http://127.0.0.1:8080, keys are printed
  tickmark serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem
  tickmark account create --name 'Hill School' --contact it@hill.example
  tickmark key issue --account acct_… --mode live
  tickmark credits top-up --account acct_… --amount 5000
  tickmark --json account list | jq '.[].id'

Every setting can also come from a file or the environment: see `tickmark config default`.";

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Folder for the database and the files [env: TICKMARK_DATA] [default: ./tickmark-data]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,
    /// postgres://… or sqlite:PATH [env: TICKMARK_DATABASE] [default: SQLite in the data folder]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Settings file (TOML) [env: TICKMARK_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One JSON document on stdout instead of text
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Settings: print the defaults, check what is in force
    #[command(subcommand)]
    Config(settings::Command),
    /// Print completions for a shell
    #[command(after_help = "Example:\n  tickmark completions bash > /etc/bash_completion.d/tickmark")]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example:\n  tickmark man > /usr/local/share/man/man1/tickmark.1")]
    Man,
}

/// Why a command did not do what it was asked to: one sentence, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// What was asked for could not be done.
    pub(crate) fn new(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 1 }
    }

    /// The settings or the options are wrong.
    pub(crate) fn settings(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 2 }
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Failure {
        Failure::settings(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::new(format!("The answer cannot be written: {error}."))
    }
}

/// Does what the process's arguments ask for.
pub fn run() -> ExitCode {
    let line = CommandLine::parse();
    match line.command.run(&line.global) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            #[expect(clippy::print_stderr, reason = "this is where a command says what went wrong")]
            {
                eprintln!("error: {}", failure.sentence);
            }
            ExitCode::from(failure.code)
        }
    }
}

impl Command {
    fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Config(command) => command.run(global),
            Command::Completions { shell } => Ok(output::text(&completions(shell))?),
            Command::Man => Ok(output::text(&manual()?)?),
        }
    }
}

impl Global {
    fn options(&self) -> Options {
        let mut options = Options::new(self.config.clone());
        options.set("data", "--data", self.data.clone());
        options.set("database", "--database", self.database.clone());
        options
    }

    fn settings(&self) -> Result<Settings, Failure> {
        load(self.options())
    }

    fn output(&self) -> Output {
        Output { is_json: self.json }
    }
}

/// Reads the settings of this process.
fn load(options: Options) -> Result<Settings, Failure> {
    let environment = std::env::vars_os();
    // Names and values that are no text are not ours, or are refused as the nearest text.
    let environment = environment
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    Ok(Settings::load(options, environment)?)
}

fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "tickmark", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual page of the program, followed by those of its commands.
fn manual() -> io::Result<String> {
    let mut page = Vec::new();
    let command = CommandLine::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_defined() {
        CommandLine::command().debug_assert();
    }
}
