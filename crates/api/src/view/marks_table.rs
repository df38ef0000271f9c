//! A paper's marks as comma-separated values (RFC 4180), for a spreadsheet.

use domain::time::Shown;
use service::desk::MarkedScript;

/// The columns that every table has, before one for each question.
const COLUMNS: [&str; 9] = [
    "submission_id",
    "student_external_id",
    "student_name",
    "status",
    "awarded",
    "available",
    "percentage",
    "graded_at",
    "released_at",
];

/// One line for each script; a column of marks for each question, left empty where it does not count.
pub(crate) fn marks_table(scripts: &[MarkedScript]) -> String {
    let longest =
        scripts.iter().filter_map(|script| script.sheet.as_ref()).max_by_key(|sheet| sheet.questions.len());
    let numbers = longest.map(|sheet| sheet.questions.iter().map(|question| question.number.clone()));
    let numbers: Vec<String> = numbers.into_iter().flatten().collect();
    let mut table = String::new();
    let heading = COLUMNS.iter().map(|name| (*name).to_owned());
    line(&mut table, heading.chain(numbers.iter().map(|number| format!("question {number}"))));
    for MarkedScript { submission, sheet } in scripts {
        let score = submission.score;
        let time =
            |time: Option<jiff::Timestamp>| time.map(|time| Shown(time).to_string()).unwrap_or_default();
        let fixed = [
            submission.id.to_string(),
            submission.student.external_id.to_string(),
            submission.student.name.as_ref().map(ToString::to_string).unwrap_or_default(),
            submission.state.status().name().to_owned(),
            score.map(|score| score.awarded.to_string()).unwrap_or_default(),
            score.map(|score| score.available.to_string()).unwrap_or_default(),
            score.map(|score| score.percentage.to_string().replace('%', "")).unwrap_or_default(),
            time(submission.graded_at),
            time(submission.released_at),
        ];
        let marks = (0..numbers.len()).map(|place| {
            let question = sheet.as_ref().and_then(|sheet| sheet.questions.get(place));
            let counted = question.filter(|question| !question.available.is_zero());
            counted.map(|question| question.awarded.to_string()).unwrap_or_default()
        });
        line(&mut table, fixed.into_iter().chain(marks));
    }
    table
}

fn line(table: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
    table.push_str(&cells.join(","));
    table.push_str("\r\n");
}

/// A cell that no spreadsheet takes for a formula: one that begins like one gets an apostrophe before it, which
/// spreadsheets read as "this is text".
fn quoted(cell: &str) -> String {
    let is_formula =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let safe = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    if is_formula || safe.contains([',', '"', '\n', '\r', ';']) {
        return format!("\"{}\"", safe.replace('"', "\"\""));
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_taken_for_a_formula() {
        for (cell, written) in [
            ("Ada", "Ada"),
            ("=1+1", "\"'=1+1\""),
            ("@cmd", "\"'@cmd\""),
            ("-2", "\"'-2\""),
            ("+44", "\"'+44\""),
            ("\t=1", "\"'\t=1\""),
            ("O\"Neil, Ann", "\"O\"\"Neil, Ann\""),
            ("a;b", "\"a;b\""),
            ("2.5", "2.5"),
        ] {
            assert_eq!(quoted(cell), written);
        }
    }
}
