//! The one table that a run ends with.

use std::fmt;
use std::io::Write as _;

/// One figure with what it is held against.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) what: String,
    /// As it is shown, with its unit.
    pub(crate) measured: String,
    /// What the same run measured for comparison; empty where the target is absolute.
    pub(crate) baseline: String,
    /// What the target is about: a ratio, or the measured value itself.
    pub(crate) value: f64,
    pub(crate) target: Option<Target>,
    /// Anything else worth seeing, such as latencies.
    pub(crate) note: String,
}

/// What a value should keep to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Target {
    fn is_met(self, value: f64) -> bool {
        match self {
            Target::AtMost(bound) => value <= bound,
            Target::AtLeast(bound) => value >= bound,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::AtMost(bound) => write!(formatter, "<= {bound}"),
            Target::AtLeast(bound) => write!(formatter, ">= {bound}"),
        }
    }
}

impl Row {
    fn cells(&self) -> [String; 7] {
        let verdict =
            self.target.map_or("", |target| if target.is_met(self.value) { "met" } else { "MISSED" });
        let ratio = if self.baseline.is_empty() { String::new() } else { format!("{:.2}", self.value) };
        let target = self.target.map_or_else(String::new, |target| target.to_string());
        [
            self.what.clone(),
            self.measured.clone(),
            self.baseline.clone(),
            ratio,
            target,
            verdict.to_owned(),
            self.note.clone(),
        ]
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [what, measured, baseline, ratio, target, verdict, note] = self.cells();
        write!(formatter, "{what}: {measured} against {baseline}, {ratio} {target} {verdict} ({note})")
    }
}

/// Prints the machine and all rows under one heading, as Markdown that a document can take as it is.
pub(crate) fn print(rows: &[Row]) -> anyhow::Result<()> {
    let heading =
        ["what", "measured", "baseline", "ratio", "target", "", "p50 / p99, rate"].map(str::to_owned);
    let mut lines = vec![heading];
    lines.extend(rows.iter().map(Row::cells));
    let longest = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    // Without a hyphen under every heading it would be no table.
    let width = |column: usize| longest(column).max(3);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    lines.insert(1, std::array::from_fn(|column| "-".repeat(widths[column])));
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{}\n", crate::machine::line())?;
    for cells in &lines {
        for (cell, &width) in cells.iter().zip(&widths) {
            write!(out, "| {cell:<width$} ")?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}
