//! `tickmark explain`: why something was read or marked as it was.

mod submission;

use super::{Failure, Global, output};
use clap::{Args, Subcommand};
use exam::explain;
use reader::ocr::{Recogniser, Weights};
use reader::page::Document;
use reader::{Options, Recognise};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Say what each line of a question paper was taken for, by which rules, and what came second
    #[command(after_help = PAPER_HELP)]
    Paper(Paper),
    /// Say for each point of a marked script which words and which rule decided it
    #[command(after_help = submission::HELP)]
    Submission(submission::Submission),
}

const PAPER_HELP: &str = "\
A line of the paper a line: its page, the part it belongs to (in brackets where the part's label stands), its
marks, its text, and the rules that spoke with their weights. At the end what speaks for the reading as a
whole, and for the best of the others.

Example:
  tickmark explain paper paper.pdf scheme.pdf";

#[derive(Debug, Args)]
pub(super) struct Paper {
    /// The question paper
    paper: PathBuf,
    /// Its scheme, which helps to read it
    scheme: Option<PathBuf>,
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Paper(command) => command.run(),
            Command::Submission(command) => command.run(global).await,
        }
    }
}

impl Paper {
    fn run(&self) -> Result<(), Failure> {
        let recogniser = Recogniser::load(&Weights::default(), 1)
            .map_err(|error| Failure::new(format!("The recogniser cannot be loaded: {error}.")))?;
        let paper = document(&self.paper, &recogniser)?;
        let scheme = self.scheme.as_deref().map(|path| document(path, &recogniser)).transpose()?;
        let explained = explain::paper(&paper, &scheme.unwrap_or_default());
        Ok(output::text(&explain::text(&explained))?)
    }
}

fn document(path: &Path, recogniser: &dyn Recognise) -> Result<Document, Failure> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| Failure::new(format!("{name} cannot be opened: {error}.")))?;
    let options = Options { recogniser: Some(recogniser), ..Options::default() };
    reader::pages(&bytes, &options).map_err(|error| Failure::new(format!("{name} cannot be read: {error}.")))
}
