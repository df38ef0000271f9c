//! What reading costs: memory for the largest files, pages with text against `pdftotext`, and scanned pages
//! against the bare runs of the two networks.

mod memory;
mod scans;
mod text;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::table::Row;

/// What to measure.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Arguments {
    /// Which of it; without any, all
    only: Vec<Subject>,
    /// A folder with PDF files to read besides the project's own samples
    #[arg(long)]
    files: Option<PathBuf>,
}

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// The memory of the child that reads files of 100 MiB
    Memory,
    /// Pages with text, against `pdftotext -bbox-layout`
    Text,
    /// Scanned and photographed pages, against the networks alone
    Scans,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let subjects = Subject::value_variants().iter();
    for subject in subjects.filter(|own| arguments.only.is_empty() || arguments.only.contains(own)) {
        rows.extend(match subject {
            Subject::Memory => memory::run()?,
            Subject::Text => text::run(&files(arguments, &["pdf"])?)?,
            Subject::Scans => scans::run(&files(&Arguments::default(), &["jpg", "png"])?)?,
        });
    }
    Ok(rows)
}

/// The samples' files of these types, and those of the folder that was named.
fn files(arguments: &Arguments, types: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut found = Vec::new();
    for folder in [Some(&samples), arguments.files.as_ref()].into_iter().flatten() {
        gather(folder, types, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn gather(folder: &Path, types: &[&str], found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, types, found)?;
        } else if path.extension().is_some_and(|own| types.iter().any(|kind| own == *kind)) {
            found.push(path);
        }
    }
    Ok(())
}
