//! Sets plain text as a page, the way a word processor or a script that writes PDFs would.
//!
//! | Line | Set as |
//! |---|---|
//! | `# text`, `## text` | a title, a bold heading |
//! | two leading spaces | an indent of 12 points |
//! | `label~text` | a list: the text stands at a tab and wraps under itself; `1~(a)~text` has two labels |
//! | `text >> marks` | the marks at the right margin |
//! | `a \| b \| c` after `@table` or `@ruled` | a row of a table, without or with rules |
//! | `_` | a ruled line to write on |
//! | `@page`, `@columns`, `@column` | a new page, two columns, the second of them |
//! | `@at N text` | text upon the N-th line to write on of a filled-in paper |

use crate::sheet::Sheet;

const LEFT: f32 = 60.0;
const RIGHT: f32 = 535.0;
const TOP: f32 = 70.0;
const BOTTOM: f32 = 790.0;
pub(super) const SIZE: f32 = 11.0;
const LEADING: f32 = 15.0;
const TAB: f32 = 22.0;

/// Sets a text as a document.
pub(super) fn set(text: &str) -> Sheet {
    let mut setter = Setter::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut index = 0;
    while index < lines.len() {
        let line = lines[index];
        index += 1;
        match line.trim() {
            "@page" => setter.page(),
            "@columns" => (setter.right, setter.column_top) = (285.0, setter.y),
            "@column" => setter.second_column(),
            "@table" | "@ruled" => {
                let rows: Vec<Vec<&str>> = lines[index..]
                    .iter()
                    .take_while(|row| row.contains('|'))
                    .map(|row| row.split('|').map(str::trim).collect())
                    .collect();
                index += rows.len();
                setter.table(&rows, line.trim() == "@ruled");
            }
            _ => setter.line(line),
        }
    }
    setter.sheet
}

struct Setter {
    sheet: Sheet,
    y: f32,
    left: f32,
    right: f32,
    column_top: f32,
    /// Baselines of the lines to write on.
    writing: Vec<(f32, f32)>,
}

impl Setter {
    fn new() -> Setter {
        Setter { sheet: Sheet::new(), y: TOP, left: LEFT, right: RIGHT, column_top: TOP, writing: Vec::new() }
    }

    fn page(&mut self) {
        self.sheet.page();
        (self.y, self.left, self.right) = (TOP, LEFT, RIGHT);
    }

    fn second_column(&mut self) {
        (self.left, self.right, self.y) = (310.0, RIGHT, self.column_top);
    }

    fn line(&mut self, line: &str) {
        if self.y > BOTTOM {
            self.page();
        }
        let text = line.trim();
        if text.is_empty() {
            self.y += 0.6 * LEADING;
            return;
        }
        if let Some(upon) = text.strip_prefix("@at ") {
            let (number, answer) = upon.split_once(' ').expect("a line and its text");
            let (x, y) = self.writing[number.parse::<usize>().expect("a line's number") - 1];
            self.sheet.text(x + 4.0, y - 2.0, answer);
            return;
        }
        if let Some(title) = text.strip_prefix("# ") {
            let middle = (LEFT + RIGHT - width(title, 16.0)) / 2.0;
            self.sheet.sized(middle, self.y, 16.0, true, title);
            self.y += 24.0;
            return;
        }
        if let Some(heading) = text.strip_prefix("## ") {
            self.sheet.sized(self.left, self.y, 12.0, true, heading);
            self.y += 18.0;
            return;
        }
        let indent = self.left + 6.0 * (line.len() - line.trim_start().len()) as f32;
        if text == "_" || text.chars().all(|c| c == '.') {
            self.writing_line(indent, text);
            return;
        }
        let (text, marks) = text.split_once(" >> ").unwrap_or((text, ""));
        let (text, marks) =
            if let Some(alone) = text.strip_prefix(">> ") { ("", alone) } else { (text, marks) };
        let mut x = indent;
        let mut text = text;
        while let Some((label, rest)) = text.split_once('~') {
            self.sheet.text(x, self.y, label);
            (x, text) = (x + TAB.max(width(label, SIZE) + 6.0), rest);
        }
        let edge = self.right - if marks.is_empty() { 0.0 } else { 50.0 };
        let wrapped = wrap(text, edge - x);
        for (index, piece) in wrapped.iter().enumerate() {
            if index > 0 {
                self.y += LEADING;
            }
            self.sheet.text(x, self.y, piece);
        }
        if !marks.is_empty() {
            self.sheet.text(self.right - width(marks, SIZE), self.y, marks);
        }
        self.y += LEADING;
    }

    fn writing_line(&mut self, x: f32, text: &str) {
        self.y += 6.0;
        if text == "_" {
            self.sheet.rule(x, self.y + 2.0, self.right, self.y + 2.0);
        } else {
            self.sheet.text(x, self.y, &".".repeat(((self.right - x) / width(".", SIZE)) as usize));
        }
        self.writing.push((x, self.y));
        self.y += LEADING;
    }

    /// Columns are as wide as their widest cell, the widest takes what is left.
    fn table(&mut self, rows: &[Vec<&str>], ruled: bool) {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.flat_map(|cell| cell.split('\\')).map(|line| width(line.trim(), SIZE)).fold(20.0, f32::max)
                + 14.0
        };
        let mut widths: Vec<f32> = (0..count).map(widest).collect();
        let over = (widths.iter().sum::<f32>() - (RIGHT - LEFT)).max(0.0);
        if let Some(widest) = widths.iter_mut().max_by(|a, b| a.total_cmp(b)) {
            *widest -= over;
        }
        let mut xs = vec![LEFT];
        for width in &widths {
            xs.push(xs[xs.len() - 1] + width);
        }
        let mut ys = vec![self.y - 12.0];
        for row in rows {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| {
                    cell.split('\\').flat_map(|line| wrap(line.trim(), width - 10.0)).collect()
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(1).max(1) as f32;
            for (cell, x) in cells.iter().zip(&xs) {
                for (index, line) in cell.iter().enumerate() {
                    self.sheet.text(x + 4.0, self.y + LEADING * index as f32, line);
                }
            }
            self.y += LEADING * height + 5.0;
            ys.push(self.y - 12.0);
        }
        if ruled {
            self.sheet.grid(&xs, &ys);
        }
        self.y += LEADING;
    }
}

fn wrap(text: &str, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // Runs of spaces are kept, since people align with them.
    for word in text.split_inclusive(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line}{}", word.trim_end()), SIZE) <= room => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The width of a text in Helvetica.
pub(super) fn width(text: &str, size: f32) -> f32 {
    const WIDTHS: [u16; 95] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
        556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
        722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
        278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ];
    let of =
        |c: char| (c as usize).checked_sub(32).and_then(|index| WIDTHS.get(index)).copied().unwrap_or(556);
    text.chars().map(|c| f32::from(of(c))).sum::<f32>() * size / 1000.0
}
