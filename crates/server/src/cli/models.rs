//! `tickmark models`: which weights this program holds.

use super::Global;
use crate::failure::Failure;
use marker::meaning::Held;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub(super) const HELP: &str = "\
The sums are those of the bytes inside this program, made now; models/ in the source has the same ones, with where each
file comes from and what it was taught by. The larger judge's own file is the operator's and not listed: see
`tickmark judge check`.

Examples:
  tickmark models
  tickmark --json models | jq -r '.[] | \"\\(.sha256)  \\(.file)\"' | (cd models && sha256sum --check)";

/// Of the networks that all of them began as; what taught ours further is said in `models/`.
const LICENCE: &str = "Apache-2.0";
/// What reads pages is another project's, taken over as it is.
const READING: &str = "PP-OCRv6";
const READING_FROM: &str = "rapidocr 3.10.0";

#[derive(Serialize)]
struct ModelView {
    model: &'static str,
    version: String,
    file: &'static str,
    bytes: usize,
    sha256: String,
    licence: &'static str,
    use_for: &'static str,
}

impl ModelView {
    fn new(use_for: &'static str, version: String, held: &Held) -> ModelView {
        let sha256 = Sha256::digest(&held.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let (model, file, bytes) = (held.model, held.file, held.bytes.len());
        ModelView { model, version, file, bytes, sha256, licence: LICENCE, use_for }
    }
}

pub(super) fn run(global: &Global) -> Result<(), Failure> {
    let views = views()?;
    let headings = ["model", "version", "file", "size", "licence", "for", "sha-256"];
    Ok(global.output().list(&views, &headings, |view| {
        vec![
            view.model.to_owned(),
            view.version.clone(),
            view.file.to_owned(),
            size(view.bytes),
            view.licence.to_owned(),
            view.use_for.to_owned(),
            view.sha256.clone(),
        ]
    })?)
}

fn views() -> Result<Vec<ModelView>, Failure> {
    let marking = marker::meaning::held()
        .map_err(|error| Failure::new(format!("The weights inside the program cannot be read: {error}.")))?;
    let (file, bytes) = larger_judge::embedded();
    let adapters = Held { model: larger_judge::NAME, file, bytes: bytes.into() };
    let reading = reader::ocr::embedded().map(|(file, bytes)| {
        let held = Held { model: READING, file, bytes: bytes.into() };
        ModelView::new("reading", READING_FROM.to_owned(), &held)
    });
    let own = marking.iter().map(|held| ("marking", held)).chain([("judging", &adapters)]);
    let own = own.map(|(use_for, held)| ModelView::new(use_for, generation(held.model), held));
    Ok(reading.into_iter().chain(own).collect())
}

/// Our own models count their generations at the end of their names.
fn generation(model: &str) -> String {
    model.rsplit('-').next().unwrap_or_default().to_owned()
}

#[expect(clippy::cast_precision_loss, reason = "sizes are shown with one decimal place")]
fn size(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a file where it lies must be true of what the program holds.
    #[test]
    fn every_sum_stands_where_the_file_is_described() {
        let described = [
            include_str!("../../../../models/SHA256SUMS"),
            include_str!("../../../../models/meaning/README.md"),
            include_str!("../../../../models/judge/README.md"),
            include_str!("../../../../models/larger-judge/README.md"),
        ];
        let views = views().unwrap();
        assert_eq!(views.len(), 9);
        for view in views {
            let is_there = described.iter().any(|text| text.contains(&view.sha256));
            assert!(is_there, "models/ says nothing of {} with the sum {}", view.file, view.sha256);
        }
    }
}
