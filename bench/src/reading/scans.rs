//! Scanned and photographed pages: all of reading against the two networks alone, in the same run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use reader::Options;
use reader::ocr::{Recogniser, Weights};

use crate::table::{Row, Target};

/// Enough pictures to tell, few enough to wait for.
const PICTURES_MAX: usize = 6;

pub(crate) fn run(files: &[PathBuf]) -> anyhow::Result<Vec<Row>> {
    // One thread, so that the time on the clock is the time of the processor.
    let recogniser = Recogniser::load(&Weights::Embedded, 1)?;
    let options = Options { recogniser: Some(&recogniser), ..Options::default() };
    let (mut whole, mut networks) = (Duration::ZERO, Duration::ZERO);
    let chosen = &files[..files.len().min(PICTURES_MAX)];
    for path in chosen {
        let bytes = std::fs::read(path)?;
        let (start, before) = (Instant::now(), recogniser.network_time());
        std::hint::black_box(reader::pages(&bytes, &options)?);
        whole += start.elapsed();
        networks += recogniser.network_time() - before;
    }
    let each = |spent: Duration| spent.as_secs_f64() / chosen.len().max(1) as f64;
    Ok(vec![Row {
        what: format!("{} photographed pages: detection and recognition alone", chosen.len()),
        measured: format!("{:.2} s", each(whole)),
        baseline: format!("{:.2} s", each(networks)),
        value: each(whole) / each(networks).max(f64::MIN_POSITIVE),
        target: Some(Target::AtMost(1.5)),
        note: "a page".to_owned(),
    }])
}
