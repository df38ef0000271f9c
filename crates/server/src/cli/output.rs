//! What a command prints: one JSON document, or lines for people.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;

/// Between two columns.
const GAP: &str = "  ";

/// How the caller wants answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub(super) is_json: bool,
}

impl Output {
    /// Prints one thing, line by line.
    pub(super) fn record<T: Serialize>(self, value: &T, lines: &[(&str, String)]) -> io::Result<()> {
        if self.is_json {
            return document(value);
        }
        let width = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        let lines = lines.iter().map(|(name, value)| format!("{name:width$}{GAP}{value}\n"));
        text(&lines.collect::<String>())
    }

    /// Prints many things, one a line under its heading.
    pub(super) fn list<T: Serialize>(
        self,
        values: &[T],
        headings: &[&str],
        row: impl Fn(&T) -> Vec<String>,
    ) -> io::Result<()> {
        if self.is_json {
            return document(values);
        }
        text(&table(headings, &values.iter().map(row).collect::<Vec<_>>()))
    }

    /// Prints a sentence about what was done, or its outcome as JSON.
    pub(super) fn done<T: Serialize>(self, value: &T, sentence: &str) -> io::Result<()> {
        if self.is_json { document(value) } else { text(&format!("{sentence}\n")) }
    }
}

/// Prints text as it is. A reader that has seen enough, such as `head`, is no fault.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints one JSON document.
pub(crate) fn document<T: Serialize + ?Sized>(value: &T) -> io::Result<()> {
    let mut json = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
    json.push('\n');
    text(&json)
}

/// Columns as wide as their widest entry.
pub(super) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let headings: Vec<String> = headings.iter().map(|heading| heading.to_uppercase()).collect();
    let lines: Vec<&Vec<String>> = std::iter::once(&headings).chain(rows).collect();
    let widest =
        |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| width(cell)).max();
    let widths: Vec<usize> = (0..headings.len()).map(|column| widest(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        text.push_str(cells.collect::<Vec<_>>().join(GAP).trim_end());
        text.push('\n');
    }
    text
}

/// Letters, which is what formatting pads by.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_where_their_text_does() {
        let rows = [vec!["acct_1".to_owned(), "École".to_owned()], vec!["a".to_owned(), String::new()]];
        assert_eq!(table(&["id", "name"], &rows), "ID      NAME\nacct_1  École\na\n");
    }
}
