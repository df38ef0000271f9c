//! Pages with text: the child that reads them, its start included, against `pdftotext -bbox-layout`.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use reader::isolate::{Isolation, Limits, ReadOptions, Recognition};
use reader::ocr::Weights;

use crate::cpu;
use crate::table::{Row, Target};

/// The kernel counts in hundredths of a second, so each file is read until so much has been used, in turns.
const ENOUGH: Duration = Duration::from_millis(250);
const ROUNDS_MAX: u32 = 40;

/// What one file cost, once.
struct Cost {
    name: String,
    ours: f64,
    theirs: f64,
}

pub(crate) fn run(files: &[PathBuf]) -> anyhow::Result<Vec<Row>> {
    let costs: Vec<Cost> =
        files.iter().map(cost).collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect();
    ensure!(!costs.is_empty(), "no file has text");
    let sum = |of: fn(&Cost) -> f64| costs.iter().map(of).sum::<f64>();
    let (ours, theirs) = (sum(|cost| cost.ours), sum(|cost| cost.theirs));
    let ratio = |cost: &Cost| cost.ours / cost.theirs.max(f64::MIN_POSITIVE);
    let slower = costs.iter().filter(|cost| ratio(cost) > 1.0).count();
    let worst = costs.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))).context("there is a file")?;
    Ok(vec![
        Row {
            what: format!("{} files with text: pdftotext -bbox-layout", costs.len()),
            measured: format!("{ours:.1} ms"),
            baseline: format!("{theirs:.1} ms"),
            value: ours / theirs,
            target: Some(Target::AtMost(1.0)),
            note: format!("{slower} files slower"),
        },
        Row {
            what: format!("the dearest of them by ratio, {}", worst.name),
            measured: format!("{:.1} ms", worst.ours),
            baseline: format!("{:.1} ms", worst.theirs),
            value: ratio(worst),
            target: Some(Target::AtMost(1.0)),
            note: String::new(),
        },
    ])
}

/// Milliseconds of processor time for one reading each way; `None` for a file whose pages are pictures.
fn cost(path: &PathBuf) -> anyhow::Result<Option<Cost>> {
    let bytes = std::fs::read(path)?;
    let reader = Isolation::new(Limits::default(), Weights::Embedded);
    let options = ReadOptions { recognition: Recognition::Never, ..ReadOptions::default() };
    let document = reader.read(&bytes, &options)?;
    let words: usize = document.pages.iter().map(|page| page.words.len()).sum();
    if words < 20 * document.pages.len() {
        return Ok(None);
    }
    let (mut ours, mut theirs, mut rounds) = (Duration::ZERO, Duration::ZERO, 0);
    while (ours < ENOUGH || theirs < ENOUGH) && rounds < ROUNDS_MAX {
        let start = cpu::time_of_ended_children()?;
        reader.read(&bytes, &options)?;
        let between = cpu::time_of_ended_children()?;
        let status = Command::new("pdftotext")
            .arg("-bbox-layout")
            .args([path.as_os_str(), "/dev/null".as_ref()])
            .stderr(Stdio::null())
            .status()
            .context("pdftotext (Debian's poppler-utils) is the measure and must be installed")?;
        ensure!(status.success(), "pdftotext cannot read {}", path.display());
        ours += between.saturating_sub(start);
        theirs += cpu::time_of_ended_children()?.saturating_sub(between);
        rounds += 1;
    }
    let each = |spent: Duration| spent.as_secs_f64() * 1000.0 / f64::from(rounds);
    let folder = path.parent().and_then(|folder| folder.file_name()).unwrap_or_default().to_string_lossy();
    let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
    Ok(Some(Cost { name, ours: each(ours), theirs: each(theirs) }))
}
