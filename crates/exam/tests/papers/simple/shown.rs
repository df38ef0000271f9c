//! What was read, as text.

use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Point, PointKind};
use exam::Reading;
use exam::script::Script;
use std::fmt::Write;

/// Each leaf on a line, "1(a):2 text", with its options and, where a scheme was read, its key below it.
pub(super) fn reading(reading: &Reading, with_keys: bool) -> String {
    let mut out = String::new();
    for question in &reading.questions {
        let number = &question.number;
        let show_leaf = |out: &mut String, name: &str, marks, text: &str, options: &[Choice], key| {
            let _ = writeln!(out, "{name}:{} {text}", shown(marks));
            for option in options {
                let _ = writeln!(out, "  {}: {}", option.label, option.text);
            }
            if let Some(key) = Option::<&AnswerKey>::filter(key, |_| with_keys) {
                show_key(out, key);
            }
        };
        if question.parts.is_empty() {
            let key = question.answer_key.as_ref();
            show_leaf(&mut out, number, question.marks, &question.text, &question.options, key);
        } else if !question.text.is_empty() {
            let _ = writeln!(out, "{number}. {}", question.text);
        }
        for part in &question.parts {
            let own = if part.label.starts_with('(') { number.as_str() } else { "" };
            let name = format!("{own}{}", part.label);
            show_leaf(&mut out, &name, part.marks, &part.text, &part.options, part.answer_key.as_ref());
        }
    }
    for warning in &reading.warnings {
        if with_keys || warning.name() != "answer_keys_missing" {
            let _ = writeln!(out, "! {}", warning.name());
        }
    }
    out
}

fn shown(marks: Option<Marks>) -> String {
    marks.map_or("?".to_owned(), |marks| marks.to_string())
}

fn show_key(out: &mut String, key: &AnswerKey) {
    for group in &key.groups {
        let limit = match (group.pick, group.max) {
            (Some(pick), _) => format!("pick {pick}"),
            (None, max) => format!("max {}", shown(max)),
        };
        let _ = writeln!(out, "  {limit}");
    }
    for point in &key.points {
        let _ = writeln!(out, "  = {}", show_point(point));
    }
    for level in &key.levels {
        let (from, to) = (level.marks_from, level.marks_to);
        let _ = writeln!(out, "  {} {from}-{to}: {}", level.name, level.descriptor);
    }
    for note in key.notes.iter().flat_map(|notes| notes.lines()) {
        let _ = writeln!(out, "  note {note}");
    }
}

fn show_point(point: &Point) -> String {
    let kind = match point.kind {
        PointKind::Point => "",
        PointKind::Method => " M",
        PointKind::Accuracy => " A",
        PointKind::Independent => " B",
        PointKind::Option => " option",
        PointKind::Answer => " answer",
    };
    let mut text = format!("{} :{}{kind}", point.text, point.marks);
    let lists = [
        ("or", &point.alternatives),
        ("accept", &point.accept),
        ("reject", &point.reject),
        ("ignore", &point.ignore),
    ];
    for (name, list) in lists {
        for wording in list {
            let _ = write!(text, " | {name} {wording}");
        }
    }
    for notation in &point.notation {
        let _ = write!(text, " | is {}", notation.name());
    }
    if let Some(group) = point.group {
        let _ = write!(text, " | group {}", group + 1);
    }
    if let Some(first) = point.depends_on {
        let _ = write!(text, " | after {}", first + 1);
    }
    text
}

/// Each answer on a line, lines of an answer parted by " / ", selected options in square brackets.
pub(super) fn answers(script: &Script) -> String {
    let mut out = String::new();
    for answer in &script.answers {
        let own = if answer.label.starts_with('(') || answer.label.is_empty() {
            answer.number.as_str()
        } else {
            ""
        };
        let selected: String = answer.selected.iter().map(|label| format!(" [{label}]")).collect();
        let text = answer.text.replace('\n', " / ");
        let line = format!("{own}{}: {text}{selected}", answer.label).replace(":  ", ": ");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if !script.unassigned.is_empty() {
        let words: Vec<&str> = script.unassigned.iter().map(|word| word.text.as_str()).collect();
        let _ = writeln!(out, "? {}", words.join(" "));
    }
    out
}
