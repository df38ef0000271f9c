//! `tickmark covers`: sheets to lay on top of each student's script, so that a stack can be scanned as one.

use super::values;
use super::{Global, open};
use crate::failure::Failure;
use clap::Args;
use domain::id::PaperId;
use domain::roster::{BYTES_MAX, Roster};
use serde_json::json;
use service::covers;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub(super) const HELP: &str = "\
The roster is a table with a heading: external_id, name and class, or what Moodle (First name, Surname, ID number) or
Canvas (Student, SIS User ID, Section) exports. The external_id is what the submission will name as the student.

Example:
  tickmark covers pap_… --roster class-7b.csv --output covers.pdf";

#[derive(Debug, Args)]
pub(super) struct Covers {
    /// The paper's id
    #[arg(value_name = "PAPER", value_parser = values::id::<PaperId>)]
    id: PaperId,
    /// Who is in the class: comma-separated values
    #[arg(long, value_name = "FILE")]
    roster: PathBuf,
    /// The PDF to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Covers {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let table = read(&self.roster)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}.", self.roster.display())))?;
        let roster = Roster::from_csv(&table)
            .map_err(|problem| Failure::new(format!("{}: {problem}", self.roster.display())))?;
        let app = open(global).await?;
        let paper = app.service.any_paper(self.id).await?;
        let covers = covers::Covers::new(paper, &roster);
        let pdf = app.service.covers_pdf(covers).await?;
        std::fs::write(&self.output, pdf).map_err(|error| {
            Failure::new(format!("{} cannot be written: {error}.", self.output.display()))
        })?;
        let count = roster.students().len();
        let told = json!({"paper_id": self.id, "sheets": count, "file": self.output});
        let sentence = format!("{count} cover sheets are in {}.", self.output.display());
        Ok(global.output().done(&told, &sentence)?)
    }
}

/// The table, and one byte more where it is too large, which its parser then says.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut table = Vec::new();
    File::open(path)?.take(BYTES_MAX as u64 + 1).read_to_end(&mut table)?;
    Ok(table)
}
