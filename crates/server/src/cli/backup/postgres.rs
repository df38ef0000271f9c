//! PostgreSQL's own programs, which know every version's ways; the password goes by the environment, not by the
//! arguments that everybody on the machine can list.

use crate::failure::Failure;
use std::path::Path;
use std::process::{Command, Stdio};
use url::Url;

/// Writes the whole database, as it is at one moment, to a file.
pub(super) fn dump(url: &str, file: &Path) -> Result<(), Failure> {
    run(program("pg_dump", url)?.args(["--no-owner", "--no-privileges", "--file"]).arg(file)).map(drop)
}

/// Fills an empty database from such a file, all or nothing.
pub(super) fn load(url: &str, file: &Path) -> Result<(), Failure> {
    let question = "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'schema_migrations'";
    let found = run(program("psql", url)?.args([
        "--no-psqlrc",
        "--tuples-only",
        "--no-align",
        "--command",
        question,
    ]))?;
    if found.trim() != "0" {
        return Err(Failure::new(
            "The database is not empty; restore into a new one, such as `createdb` makes.",
        ));
    }
    let all_or_nothing =
        ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction", "--file"];
    run(program("psql", url)?.args(all_or_nothing).arg(file)).map(drop)
}

fn program(name: &str, url: &str) -> Result<Command, Failure> {
    let wrong = |_| Failure::settings("The setting database is no URL that PostgreSQL's programs take.");
    let mut url = Url::parse(url).map_err(wrong)?;
    let password = url.password().map(percent_decoded);
    let mut command = Command::new(name);
    if let Some(password) = password {
        // An URL with a host can always have its password taken out.
        let _ = url.set_password(None);
        command.env("PGPASSWORD", password);
    }
    command.args(["--dbname", url.as_str()]).stdin(Stdio::null());
    Ok(command)
}

fn percent_decoded(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).map(|(_, value)| value.into_owned()).collect()
}

fn run(command: &mut Command) -> Result<String, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        Failure::new(format!("{name} cannot be started: {error}. It comes with PostgreSQL's client package."))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let last = told.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it did not say why");
    Err(Failure::new(format!("{name} failed: {}.", last.trim().trim_end_matches('.'))))
}
