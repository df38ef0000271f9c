//! The command line: what can be asked for, and how failures are told.

mod account;
mod backup;
mod covers;
mod credits;
mod demo;
mod doctor;
mod eval;
mod event;
mod explain;
mod job;
mod judge;
mod key;
mod listen;
mod lti;
mod mail;
mod marks;
mod master_key;
mod models;
mod operator;
pub(crate) mod output;
mod paper;
mod server;
mod settings;
mod subject;
mod submission;
mod usage;
mod values;
mod webhook;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::app::{App, User};
use crate::config::{Options, Settings};
use crate::failure::Failure;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use domain::mode::Mode;
use domain::web_url::Reach;
use output::Output;
use serde_json::json;

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
  tickmark demo                                    See it work: marks and reports in ./tickmark-demo
  tickmark dev                                     Try it out: http://127.0.0.1:8080, keys are printed
  tickmark serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem
  tickmark account create --name 'Hill School' --contact it@hill.example
  tickmark key issue --account acct_… --mode live
  tickmark credits top-up --account acct_… --amount 5000
  tickmark --json account list | jq '.[].id'

Every setting can also come from a file or the environment: see `tickmark config default`.";

const DOCTOR_HELP: &str = "\
Looks at the settings, the certificate, the addresses, the data folder and its room, the database, the master key, the
object store, mail, the engine, the models and the system's limits, and changes nothing. Exit code 1 when something is bad.

Examples:
  tickmark --config /etc/tickmark/tickmark.toml doctor
  tickmark --json doctor | jq '.checks[] | select(.status != \"ok\")'";

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
    /// See it work: two sample subjects, ten scripts, marks and annotated reports
    Demo(demo::Demo),
    /// Server and workers for trying things out: plain HTTP on this machine only
    Dev(server::Dev),
    /// Server and workers for production: HTTPS, or behind a proxy
    Serve(Box<server::Serve>),
    /// Accounts: who may use the service
    #[command(subcommand)]
    Account(account::Command),
    /// Keys of an account
    #[command(subcommand)]
    Key(key::Command),
    /// Credits of an account
    #[command(subcommand)]
    Credits(credits::Command),
    /// Papers of an account, and the record of their reviews
    #[command(subcommand)]
    Paper(paper::Command),
    /// Subjects that papers refer to
    #[command(subcommand)]
    Subject(subject::Command),
    /// Webhook endpoints and what became of their deliveries
    #[command(subcommand)]
    Webhook(webhook::Command),
    /// What happened, and sending it again
    #[command(subcommand)]
    Event(event::Command),
    /// Post events to a program on this machine, for those who write a receiver
    Listen(listen::Listen),
    /// Let an event happen, for those who write a receiver
    Trigger(listen::Trigger),
    /// Submissions: look at one, delete it, mark it again and compare
    #[command(subcommand)]
    Submission(submission::Command),
    /// Cover sheets for a class, with codes that part a stack of scripts
    #[command(after_help = covers::HELP)]
    Covers(covers::Covers),
    /// The marks of a paper's scripts: for a spreadsheet, Moodle or Canvas, and how sure they are
    #[command(subcommand)]
    Marks(marks::Command),
    /// Learning platforms (LTI 1.3) that launch the marking desk, and the marks that go back to them
    #[command(subcommand)]
    Lti(lti::Command),
    /// Background work: what waits, runs, was put off
    #[command(subcommand)]
    Job(job::Command),
    /// Operators of the console: their keys, and the log of what they did
    #[command(subcommand)]
    Operator(operator::Command),
    /// Look at this set-up: say what is wrong and how to mend it
    #[command(after_help = DOCTOR_HELP)]
    Doctor(server::Serve),
    /// Copy the database, the files and the master key to a folder while servers run
    Backup(backup::Backup),
    /// Put a backup back into an empty place
    Restore(backup::Restore),
    /// Bring the database up to date; servers do it by themselves unless told not to
    Migrate,
    /// Print the OpenAPI 3.1 description of the API
    #[command(after_help = "Example:\n  tickmark openapi > openapi.json")]
    Openapi,
    /// Score the reader and the marker against material that humans read and marked
    #[command(subcommand)]
    Eval(eval::Command),
    /// Say which weights this program holds: name, version, size, licence, checksum
    #[command(after_help = models::HELP)]
    Models,
    /// The larger judge of points: whether a file is it, and how fast it is here
    #[command(subcommand)]
    Judge(judge::Command),
    /// Say why something was read as it was
    #[command(subcommand)]
    Explain(explain::Command),
    /// What secrets are sealed under: change it
    #[command(subcommand)]
    MasterKey(master_key::Command),
    /// Mail to technical contacts: try it
    #[command(subcommand)]
    Mail(mail::Command),
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

/// How long a process that has ended everything else waits for work that cannot be interrupted.
const LAST_WORK_MAX: Duration = Duration::from_secs(2);

/// The modes as options name them.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeName {
    /// The real thing
    Live,
    /// For trying things out
    Test,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Mode {
        match name {
            ModeName::Live => Mode::Live,
            ModeName::Test => Mode::Test,
        }
    }
}

/// Does what the process's arguments ask for.
pub fn run() -> ExitCode {
    let line = CommandLine::parse();
    let done = match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let done = runtime.block_on(line.command.run(&line.global));
            // Work that blocks a thread, such as a mail server that says nothing, must not keep a process that
            // has handed back its jobs.
            runtime.shutdown_timeout(LAST_WORK_MAX);
            done
        }
        Err(error) => Err(Failure::new(format!("The program cannot be started: {error}."))),
    };
    match done {
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
    async fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Demo(command) => command.run(global).await,
            Command::Dev(command) => command.run(global).await,
            Command::Serve(command) => command.run(global).await,
            Command::Account(command) => command.run(global).await,
            Command::Key(command) => command.run(global).await,
            Command::Credits(command) => command.run(global).await,
            Command::Paper(command) => command.run(global).await,
            Command::Subject(command) => command.run(global).await,
            Command::Webhook(command) => command.run(global).await,
            Command::Event(command) => command.run(global).await,
            Command::Listen(command) => command.run(global).await,
            Command::Trigger(command) => command.run(global).await,
            Command::Submission(command) => command.run(global).await,
            Command::Operator(command) => command.run(global).await,
            Command::Covers(command) => command.run(global).await,
            Command::Marks(command) => command.run(global).await,
            Command::Lti(command) => command.run(global).await,
            Command::Job(command) => command.run(global).await,
            Command::Doctor(serve) => doctor::run(serve, global).await,
            Command::Backup(command) => command.run(global).await,
            Command::Restore(command) => command.run(global).await,
            Command::Migrate => {
                App::migrate(&global.settings()?).await?;
                Ok(global.output().done(&json!({"current": true}), "The database is up to date.")?)
            }
            Command::Openapi => Ok(output::text(&api::openapi::document())?),
            Command::Eval(command) => command.run(global),
            Command::Models => models::run(global),
            Command::Judge(command) => command.run(global),
            Command::Explain(command) => command.run(global).await,
            Command::MasterKey(command) => command.run(global).await,
            Command::Mail(command) => command.run(global),
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

/// The service, for one command.
async fn open(global: &Global) -> Result<App, Failure> {
    Ok(App::open(&global.settings()?, User::Command, Reach::Public, "").await?)
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

/// The manual page of the program, with each command's help in a section of its own.
fn manual() -> io::Result<String> {
    let mut command = CommandLine::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for subcommand in command.get_subcommands_mut() {
        describe(&mut page, subcommand);
    }
    Ok(page)
}

/// Adds the sections of a command and of those below it.
fn describe(page: &mut String, command: &mut clap::Command) {
    if command.get_name() == "help" {
        return;
    }
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    page.push_str(&format!(".SH \"{}\"\n.nf\n", name.to_uppercase()));
    for line in help.replace('\\', "\\\\").replace('-', "\\-").lines() {
        // A line that begins so would be taken for a request to the formatter.
        let is_request = line.starts_with(['.', '\'']);
        page.push_str(if is_request { "\\&" } else { "" });
        page.push_str(line);
        page.push('\n');
    }
    page.push_str(".fi\n");
    for subcommand in command.get_subcommands_mut() {
        describe(page, subcommand);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_defined() {
        CommandLine::command().debug_assert();
    }
}
