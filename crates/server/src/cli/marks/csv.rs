//! Comma-separated values (RFC 4180) that a spreadsheet opens without running anything.

/// A table that is being written.
#[derive(Debug, Default)]
pub(super) struct Table(String);

impl Table {
    /// Adds a line.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().map(|text| cell(&text)).collect();
        self.0.push_str(&cells.join(","));
        self.0.push_str("\r\n");
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// A cell; what begins like a formula is text, and a number is a number.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_text_and_run_nothing() {
        let mut table = Table::default();
        let cells = ["plain", "a,b", "say \"so\"", "two\nlines", "=1+2", "@SUM(A1)", "-7.5", "-x", ""];
        table.row(cells.map(str::to_owned));
        let expected = "plain,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",'=1+2,'@SUM(A1),-7.5,'-x,\r\n";
        assert_eq!(table.finish(), expected);
    }
}
