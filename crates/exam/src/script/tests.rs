use super::*;
use domain::question::{Choice, Kind, Part};
use reader::page::Word;

const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;

/// A line of words from `x`, each letter six points wide.
fn line(words: &mut Vec<Word>, text: &str, x: f32, y: f32) {
    let mut at = x;
    for text in text.split(' ') {
        let width = text.chars().count() as f32 * 6.0;
        words.push(Word {
            text: text.to_owned(),
            place: Rect { x0: at, y0: y, x1: at + width, y1: y + 11.0 },
            size: 11.0,
            baseline: y + 9.0,
            confidence: 0.9,
            ..Word::default()
        });
        at += width + 5.0;
    }
}

fn page(number: u32, lines: &[(&str, f32, f32)]) -> Page {
    let mut words = Vec::new();
    lines.iter().for_each(|(text, x, y)| line(&mut words, text, *x, *y));
    Page { number, width: WIDTH, height: HEIGHT, words, ..Page::default() }
}

const PRINT: &[(&str, f32, f32)] = &[
    ("1 (a) Describe how water enters a root hair cell.", 50.0, 60.0),
    ("[2]", 540.0, 160.0),
    ("(b) Name the process.", 66.0, 200.0),
    ("2 Which gas turns limewater cloudy?", 50.0, 320.0),
    ("A oxygen", 66.0, 345.0),
    ("B nitrogen", 66.0, 370.0),
    ("C carbon dioxide", 66.0, 395.0),
    ("D hydrogen", 66.0, 420.0),
    ("3 Explain why ice floats on a lake.", 50.0, 500.0),
];

fn region(top: f32, bottom: f32) -> Vec<Region> {
    vec![Region { page: 1, x: 0.03, y: top / HEIGHT, width: 0.94, height: (bottom - top) / HEIGHT }]
}

fn questions() -> Vec<Question> {
    let part = |label: &str, top, bottom| Part {
        label: label.into(),
        page: 1,
        regions: region(top, bottom),
        ..Part::default()
    };
    let choice = |label: &str| Choice { label: label.into(), text: String::new() };
    vec![
        Question {
            number: "1".into(),
            parts: vec![part("(a)", 60.0, 200.0), part("(b)", 200.0, 320.0)],
            ..Question::default()
        },
        Question {
            number: "2".into(),
            kind: Kind::MultipleChoice,
            options: ["A", "B", "C", "D"].map(choice).to_vec(),
            regions: region(320.0, 500.0),
            ..Question::default()
        },
        Question { number: "3".into(), regions: region(500.0, 800.0), ..Question::default() },
    ]
}

fn template() -> Document {
    Document { pages: vec![page(1, PRINT)] }
}

/// The page as a scanner sees it: smaller, shifted, a little turned, one word misread.
fn scanned(mut page: Page) -> Page {
    for word in &mut page.words {
        let place = word.place;
        let moved = |x: f32, y: f32| (0.93 * x - 0.01 * y + 21.0, 0.93 * y + 0.01 * x + 14.0);
        let ((x0, y0), (x1, y1)) = (moved(place.x0, place.y0), moved(place.x1, place.y1));
        word.place = Rect { x0, y0, x1, y1 };
        if word.text == "limewater" {
            word.text = "Iimewaler".to_owned();
        }
    }
    page
}

fn answers(script: &Script) -> Vec<(String, &str)> {
    script
        .answers
        .iter()
        .map(|answer| (format!("{}{}", answer.number, answer.label), answer.text.as_str()))
        .collect()
}

fn on_template(writing: &[(&str, f32, f32)]) -> Script {
    let all: Vec<_> = PRINT.iter().chain(writing).copied().collect();
    read(&template(), &questions(), &[Document { pages: vec![scanned(page(1, &all))] }])
}

#[test]
fn print_is_taken_away_from_a_scan_and_writing_goes_to_its_question() {
    let script = on_template(&[
        ("by osmosis through the", 80.0, 100.0),
        ("cell membrane", 80.0, 125.0),
        ("osmosis", 90.0, 230.0),
        ("ice is less dense", 80.0, 540.0),
    ]);
    let expected = [
        ("1(a)", "by osmosis through the\ncell membrane"),
        ("1(b)", "osmosis"),
        ("2", ""),
        ("3", "ice is less dense"),
    ];
    assert_eq!(answers(&script), expected.map(|(leaf, text)| (leaf.to_owned(), text)));
    assert_eq!(script.unassigned, []);
    let word = &script.answers[3].words[0];
    assert_eq!((word.file, word.place.page, word.starts_line), (0, 1, true));
    assert!((word.place.x - (0.93 * 80.0 - 5.4 + 21.0) / WIDTH).abs() < 0.01);
}

#[test]
fn a_tick_a_letter_and_a_ring_select_an_option() {
    assert_eq!(on_template(&[("✓", 170.0, 396.0)]).answers[2].selected, ["C"]);
    assert_eq!(on_template(&[("x", 40.0, 346.0)]).answers[2].selected, ["A"]);
    assert_eq!(on_template(&[("x", 40.0, 346.0)]).answers[2].ticks[0].text, "A");
    assert_eq!(on_template(&[("D", 300.0, 460.0)]).answers[2].selected, ["D"]);
    let mut ringed = scanned(page(1, PRINT));
    ringed.words.retain(|word| word.text != "B");
    let script = read(&template(), &questions(), &[Document { pages: vec![ringed] }]);
    assert_eq!(script.answers[2].selected, ["B"]);
    assert_eq!(on_template(&[]).answers[2].selected, Vec::<String>::new());
}

#[test]
fn blank_sheets_are_read_by_their_labels_in_any_order() {
    let first = page(
        1,
        &[
            ("Question 3", 40.0, 50.0),
            ("Ice floats because it has", 70.0, 75.0),
            ("3.5 percent less mass", 70.0, 100.0),
            ("1a", 40.0, 140.0),
            ("water follows the sugar", 70.0, 165.0),
            ("(b) osmosis", 40.0, 200.0),
            ("and it goes on", 70.0, 225.0),
        ],
    );
    let second = page(1, &[("into the root", 70.0, 60.0), ("2. C", 40.0, 90.0)]);
    let files = [Document { pages: vec![first] }, Document { pages: vec![second] }];
    let script = read(&template(), &questions(), &files);
    let expected = [
        ("1(a)", "water follows the sugar"),
        ("1(b)", "osmosis\nand it goes on\ninto the root"),
        ("2", "C"),
        ("3", "Ice floats because it has\n3.5 percent less mass"),
    ];
    assert_eq!(answers(&script), expected.map(|(leaf, text)| (leaf.to_owned(), text)));
    assert_eq!(script.answers[2].selected, ["C"]);
    assert_eq!(script.answers[1].words.last().map(|word| word.file), Some(1));
}

#[test]
fn an_answer_goes_on_where_its_note_says() {
    let all: Vec<_> = PRINT.iter().copied().chain([("ice expands see page 2", 80.0, 540.0)]).collect();
    let extra = page(2, &[("so its density falls", 70.0, 60.0)]);
    let script = read(&template(), &questions(), &[Document { pages: vec![scanned(page(1, &all)), extra] }]);
    let answer = &script.answers[3];
    assert!(answer.continues_elsewhere);
    assert_eq!(answer.text, "ice expands\nso its density falls");
    assert_eq!(script.unassigned, []);
}

#[test]
fn bare_numbers_in_the_column_of_labels_name_questions_where_writing_goes_on_to_their_right() {
    let sheet = [
        ("1 (a) The cell is concentrated", 60.0, 50.0),
        ("so water moves in", 118.0, 64.0),
        ("by osmosis", 119.0, 78.0),
        ("through its wall", 120.0, 92.0),
        ("1 (b) osmosis", 61.0, 106.0),
        ("2 C", 60.0, 120.0),
        ("3 Ice floats", 59.0, 134.0),
        ("on water", 118.0, 148.0),
    ];
    let script = read(&template(), &questions(), &[Document { pages: vec![page(1, &sheet)] }]);
    let texts: Vec<&str> = script.answers.iter().map(|answer| answer.text.as_str()).collect();
    assert_eq!(texts[1..], ["osmosis", "C", "Ice floats\non water"]);
}

#[test]
fn crossed_out_words_are_kept_apart() {
    let mut sheet = page(1, &[("3. Ice sinks floats on water", 40.0, 50.0)]);
    sheet.words[2].crossed_out = true;
    sheet.words[3].confidence = 0.3;
    let script = read(&template(), &questions(), &[Document { pages: vec![sheet] }]);
    let answer = &script.answers[3];
    assert_eq!(answer.text, "Ice floats on water");
    assert_eq!(answer.crossed_out[0].text, "sinks");
    assert!(answer.legibility > 0.6 && answer.legibility < 0.8, "{}", answer.legibility);
}

#[test]
fn what_was_crossed_out_and_never_replaced_is_the_answer() {
    let mut sheet = page(1, &[("3. Ice floats", 40.0, 50.0)]);
    sheet.words[1..].iter_mut().for_each(|word| word.crossed_out = true);
    let script = read(&template(), &questions(), &[Document { pages: vec![sheet] }]);
    let answer = &script.answers[3];
    assert_eq!((answer.text.as_str(), answer.crossed_out.len()), ("Ice floats", 0));
    assert!(answer.legibility <= 0.5, "{}", answer.legibility);
}

#[test]
fn a_part_named_twice_is_the_next_one_when_that_is_named_nowhere() {
    let lines = |second: &'static str| {
        let lines = [("1 (a) a photon", 40.0, 50.0), (second, 40.0, 70.0), ("3. Ice floats", 40.0, 90.0)];
        read(&template(), &questions(), &[Document { pages: vec![page(1, &lines)] }])
    };
    let told = |script: &Script| -> Vec<String> {
        script
            .answers
            .iter()
            .map(|answer| format!("{}{}: {}", answer.number, answer.label, answer.text))
            .collect()
    };
    let (clear, misread) = (lines("1 (b) an ion"), lines("1 (a) an ion"));
    assert_eq!(told(&clear), told(&misread));
    let doubted = |script: &Script| script.answers.iter().filter(|answer| answer.legibility <= 0.5).count();
    assert_eq!((doubted(&clear), doubted(&misread)), (0, 2));
}

#[test]
fn nothing_written_is_an_empty_answer_everywhere() {
    let script = read(&template(), &questions(), &[template(), Document::default()]);
    assert!(script.answers.iter().all(|answer| answer.text.is_empty() && answer.selected.is_empty()));
    assert_eq!(script.answers.len(), 4);
}
