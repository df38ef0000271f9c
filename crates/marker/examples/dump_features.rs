//! Writes what the marker measures of every answer in the given files, one JSON array a line, for training.
//!
//! `cargo run --example dump_features -- FILE… > features.jsonl`

use marker::eval::Row;
use marker::meaning::{Expected, Semantic};
use std::io::{BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let judge = Semantic::load()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", serde_json::to_string(judge.names())?)?;
    for path in std::env::args().skip(1) {
        for (index, row) in marker::eval::rows(path.as_ref())?.iter().enumerate() {
            let references: Vec<&str> = row.reference_answers.iter().map(String::as_str).collect();
            let rubric = row.rubric_text().map(|text| exam::key::rubric(&text));
            let expected = Expected {
                question: &row.question,
                references: &references,
                rubric: rubric.as_ref(),
                marks: Some(row.max_marks as f32),
                is_content: false,
            };
            let (closest, values) = judge.measure(&expected, &row.student_answer);
            let counted = judge.counted_share(&expected, &row.student_answer);
            writeln!(out, "{}", dumped(row, index, closest, &values, counted))?;
        }
    }
    Ok(())
}

fn dumped(
    row: &Row,
    index: usize,
    closest: usize,
    values: &[f32],
    counted: Option<f32>,
) -> serde_json::Value {
    serde_json::json!({
        "dataset": row.dataset,
        "question": row.question_id,
        "index": index,
        "mark": row.human_mark() / row.max_marks,
        "marks": row.max_marks,
        "blank": row.is_blank(),
        "rubric": row.rubric_text().is_some(),
        "closest": closest,
        "values": values,
        "counted": counted,
    })
}
