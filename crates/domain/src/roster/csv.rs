//! Tables as spreadsheets write them: cells between commas, semicolons or tabs, quoted where need be (RFC 4180).

use super::RosterProblem;

/// One line of a table, which may run over several lines of the file.
#[derive(Debug)]
pub(super) struct Record {
    /// The line of the file on which it begins, counted from 1.
    pub(super) line: usize,
    pub(super) cells: Vec<String>,
}

impl Record {
    /// True when no cell holds anything.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// Every line that holds something.
pub(super) fn records(text: &str) -> Result<Vec<Record>, RosterProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let separator = separator(text);
    let mut records = Vec::new();
    let mut record = Record { line: 1, cells: vec![String::new()] };
    let mut line = 1;
    let mut quoted_since: Option<usize> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = record.cells.last_mut().expect("a line begins with a cell");
        line += usize::from(letter == '\n');
        match letter {
            '"' if quoted_since.is_some() && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted_since.is_some() => quoted_since = None,
            _ if quoted_since.is_some() => cell.push(letter),
            // Only at its beginning does a quotation mark make a quoted cell.
            '"' if cell.is_empty() => quoted_since = Some(line),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => {
                let next = Record { line, cells: vec![String::new()] };
                records.push(std::mem::replace(&mut record, next));
            }
            _ if letter == separator => record.cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    if let Some(line) = quoted_since {
        return Err(RosterProblem::Unquoted { line });
    }
    records.push(record);
    records.retain(|record| !record.is_empty());
    Ok(records)
}

/// What stands between the cells of the heading; a comma where that cannot be told.
fn separator(text: &str) -> char {
    let heading = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| heading.chars().filter(|letter| *letter == separator).count();
    [',', ';', '\t'].into_iter().rev().max_by_key(|separator| count(*separator)).unwrap_or(',')
}
