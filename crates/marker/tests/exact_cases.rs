//! Exact marking against tables of cases in the wording of real schemes.
//!
//! A table has one question a line, `? kind <tab> question <tab> key`, and below it the answers:
//! `+` right under every setting, `~` right unless strict, `%` right only when lenient, `-` never right.
//! A key's wordings are parted by ` | `; `reject:`, `notation:` and `options:` introduce what they say.
//! `\n` in an answer is a new line.

use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Kind, Notation, Point, Question};
use marker::{Answer, Builtin, LeafAnswer, Marker, Settings, Strictness, Task};
use std::path::Path;

struct Case {
    place: String,
    question: Question,
    answer: String,
    /// Marks expected under lenient, standard and strict.
    expected: [bool; 3],
}

fn kind(name: &str) -> Kind {
    match name {
        "numeric" => Kind::Numeric,
        "expression" => Kind::Expression,
        "choice" => Kind::MultipleChoice,
        "short" => Kind::ShortAnswer,
        other => panic!("unknown kind {other}"),
    }
}

fn question(line: &str) -> Question {
    let mut columns = line.split('\t');
    let kind = kind(columns.next().unwrap_or_default().trim());
    let text = columns.next().unwrap_or_else(|| panic!("{line} has a question")).to_owned();
    let mut point = Point { marks: Marks::whole(1), ..Point::default() };
    let mut options = Vec::new();
    for wording in columns.next().unwrap_or_else(|| panic!("{line} has a key")).split(" | ") {
        if let Some(reject) = wording.strip_prefix("reject:") {
            point.reject.push(reject.trim().to_owned());
        } else if let Some(notation) = wording.strip_prefix("notation:") {
            point.notation.push(Notation::parse(notation.trim()).expect("a notation has a name"));
        } else if let Some(listed) = wording.strip_prefix("options:") {
            options.extend(listed.split(';').map(|option| {
                let (label, text) = option.trim().split_once('=').expect("an option is label=text");
                Choice { label: label.into(), text: text.into() }
            }));
        } else if point.text.is_empty() {
            point.text = wording.to_owned();
        } else {
            point.alternatives.push(wording.to_owned());
        }
    }
    Question {
        text,
        marks: Some(Marks::whole(1)),
        kind,
        options,
        answer_key: Some(AnswerKey { points: vec![point], ..AnswerKey::default() }),
        ..Question::default()
    }
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("the table can be read");
    let mut asked = Question::default();
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((sign, rest)) = line.split_once(' ') else { continue };
        let expected = match sign {
            "?" => {
                asked = question(rest);
                continue;
            }
            "#" => continue,
            "+" => [true, true, true],
            "~" => [true, true, false],
            "%" => [true, false, false],
            "-" => [false, false, false],
            other => panic!("line {} of {} starts with {other}", number + 1, file.display()),
        };
        let place = format!("{}:{}", file.file_name().unwrap_or_default().to_string_lossy(), number + 1);
        found.push(Case { place, question: asked.clone(), answer: rest.replace("\\n", "\n"), expected });
    }
    found
}

fn awarded(engine: &Builtin, case: &Case, strictness: Strictness) -> bool {
    let settings = Settings { strictness, ..Settings::default() };
    let answer = match case.answer.strip_prefix("ticked:") {
        Some(labels) => Answer::from_selection(labels.split_whitespace()),
        None => Answer::from_text(case.answer.clone()),
    };
    let task = Task {
        question: &case.question,
        keys: &exam::key::typed(&case.question),
        answers: vec![LeafAnswer { label: None, answer }],
        settings: &settings,
    };
    !engine.mark(&task).expect("the built-in engine always marks").awarded.is_zero()
}

#[test]
fn every_case_is_marked_as_a_careful_examiner_would() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let engine = Builtin::default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in files.iter().flat_map(|file| cases(file)) {
        count += 1;
        for (expected, strictness) in
            case.expected.iter().zip([Strictness::Lenient, Strictness::Standard, Strictness::Strict])
        {
            if awarded(&engine, &case, strictness) != *expected {
                let key = &case.question.answer_key.as_ref().unwrap().points[0].text;
                wrong.push(format!(
                    "{} key {key:?} answer {:?}: {strictness:?} should {}",
                    case.place,
                    case.answer,
                    if *expected { "earn" } else { "not earn" }
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 500, "{count} cases are too few");
}
