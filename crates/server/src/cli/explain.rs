//! `tickmark explain`: why something was read or marked as it was.

mod drawn;
mod submission;

use super::{Failure, Global, open, output};
use clap::{Args, Subcommand};
use domain::id::{Identifier as _, PaperId};
use exam::explain;
use reader::isolate::{Drawing, Isolation, Limits, ReadOptions};
use reader::ocr::Weights;
use reader::page::Document;
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
whole, and for the best of the others. With --html the same is drawn over pictures of the pages, in one file
that a browser opens.

Examples:
  tickmark explain paper paper.pdf scheme.pdf
  tickmark explain paper paper.pdf scheme.pdf --html why.html
  tickmark explain paper pap_…";

#[derive(Debug, Args)]
pub(super) struct Paper {
    /// The question paper's file, or the id of a paper
    #[arg(value_name = "PAPER|ID")]
    paper: PathBuf,
    /// The file of its scheme, which helps to read it
    scheme: Option<PathBuf>,
    /// Draw it over the pages, into this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Paper(command) => command.run(global).await,
            Command::Submission(command) => command.run(global).await,
        }
    }
}

/// A document's name for messages, and its bytes.
type Named = (String, Vec<u8>);

impl Paper {
    async fn run(&self, global: &Global) -> Result<(), Failure> {
        let (paper, scheme) = self.documents(global).await?;
        let reader = Isolation::new(Limits::default(), Weights::default());
        let read = document(&reader, &paper)?;
        let scheme = scheme.map(|scheme| document(&reader, &scheme)).transpose()?;
        let explained = explain::paper(&read, &scheme.unwrap_or_default());
        let Some(path) = &self.html else { return Ok(output::text(&explain::text(&explained))?) };
        let page = drawn::page(&paper.0, &explained, &read, &pictures(&reader, &paper, &read)?);
        fs::write(path, page)
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}.", path.display())))?;
        Ok(output::text(&format!("{} shows it; open it in a browser.\n", path.display()))?)
    }

    async fn documents(&self, global: &Global) -> Result<(Named, Option<Named>), Failure> {
        let id = self.paper.to_str().filter(|_| !self.paper.exists()).and_then(PaperId::parse);
        let Some(id) = id else {
            return Ok((file(&self.paper)?, self.scheme.as_deref().map(file).transpose()?));
        };
        if self.scheme.is_some() {
            return Err(Failure::new(
                "A paper that is named by its id brings its own scheme: leave the file out.",
            ));
        }
        let [paper, scheme] = open(global).await?.service.paper_documents(id).await?;
        Ok(((id.to_string(), paper), Some((format!("the scheme of {id}"), scheme))))
    }
}

fn file(path: &Path) -> Result<Named, Failure> {
    let name = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(Failure::new(format!("{name} cannot be opened: {error}."))),
    }
}

fn document(reader: &Isolation, (name, bytes): &Named) -> Result<Document, Failure> {
    reader
        .read(bytes.as_slice(), &ReadOptions::default())
        .map_err(|error| Failure::new(format!("{name} cannot be read: {error}.")))
}

/// The pages as they were read, one picture each.
fn pictures(reader: &Isolation, (name, bytes): &Named, read: &Document) -> Result<Vec<Vec<u8>>, Failure> {
    /// Small print can be read, and a paper of forty pages still travels.
    const WIDTH: u32 = 900;
    let drawing = |page: &reader::page::Page| Drawing {
        page: page.number,
        width: WIDTH,
        corners: page.corners,
        lossless: false,
    };
    let drawings: Vec<Drawing> = read.pages.iter().map(drawing).collect();
    reader
        .draw_all(bytes.as_slice(), &drawings)
        .map_err(|error| Failure::new(format!("{name} cannot be drawn: {error}.")))
}
