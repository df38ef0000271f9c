//! What holds for every document: labels count upwards, parts nest, marks add up or a warning stands,
//! and nothing makes the readers panic.

use domain::marks::Marks;
use exam::labels::{self, Kind};
use exam::{Warning, eval, join, marks, paper, scheme};
use lexicon::Concept;
use proptest::prelude::*;
use reader::page::{Direction, Document, Page, Rect, Ruling, Word};

/// Words that papers and schemes are made of, and some that they are not.
const VOCABULARY: &[&str] = &[
    "1",
    "2",
    "3",
    "4.",
    "5)",
    "(a)",
    "(b)",
    "(c)",
    "(i)",
    "(ii)",
    "(iii)",
    "1.1",
    "1.2",
    "1.1.1",
    "01.1",
    "0",
    "1(a)(i)",
    "Question",
    "Q1",
    "Problem",
    "Section",
    "A",
    "B",
    "C",
    "D",
    "[2]",
    "[3",
    "marks]",
    "(2)",
    "(Total",
    "for",
    "is",
    "9",
    "marks)",
    "[Total:",
    "10]",
    "Answer",
    "Marks",
    "Guidance",
    "any",
    "two",
    "from",
    "M1",
    "A1ft",
    "B2",
    "oe",
    "•",
    ";",
    "/",
    "//",
    "OR",
    "Level",
    "1–2",
    "accept",
    "reject",
    "ignore",
    "the",
    "cell",
    "water",
    "x²",
    "½",
    "é",
    "",
    "\u{FFFD}",
    "answer",
    "one",
    "question",
    "continued",
    "Total",
    "paper",
    "=",
    "60",
    "Solution.",
];

fn word() -> impl Strategy<Value = Word> {
    let text = prop_oneof![
        8 => prop::sample::select(VOCABULARY).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    (text, 30.0..560.0f32, 0..48u8, 5.0..80.0f32, 6.0..18.0f32, any::<bool>()).prop_map(
        |(text, x, row, width, size, bold)| {
            let baseline = 40.0 + 16.0 * f32::from(row);
            let place = Rect { x0: x, y0: baseline - 0.75 * size, x1: x + width, y1: baseline + 0.2 * size };
            Word { text, place, size, baseline, bold, confidence: 1.0, ..Word::default() }
        },
    )
}

fn document() -> impl Strategy<Value = Document> {
    let rulings =
        prop::collection::vec((20.0..560.0f32, 20.0..800.0f32, 10.0..500.0f32, any::<bool>()), 0..12);
    let page = (prop::collection::vec(word(), 0..120), rulings).prop_map(|(mut words, rulings)| {
        let rulings: Vec<Ruling> = rulings
            .into_iter()
            .map(|(x, y, length, flat)| {
                let (x1, y1) = if flat { (x + length, y + 0.5) } else { (x + 0.5, y + length) };
                let direction = if flat { Direction::Horizontal } else { Direction::Vertical };
                Ruling { place: Rect { x0: x, y0: y, x1, y1 }, direction }
            })
            .collect();
        reader::lines::arrange(&mut words, &rulings, 595.0);
        Page { width: 595.0, height: 842.0, words, rulings, ..Page::default() }
    });
    prop::collection::vec(page, 0..4).prop_map(|pages| {
        let numbered = pages.into_iter().zip(1..).map(|(page, number)| Page { number, ..page });
        Document { pages: numbered.collect() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn labels_count_upwards_and_parts_nest(document in document()) {
        let paper = paper::read(&document);
        for question in &paper.questions {
            prop_assert!(!question.leaves.is_empty());
            for leaf in &question.leaves {
                prop_assert_eq!(leaf.path[0].kind, Kind::Number);
                prop_assert_eq!(&leaf.path[0].value.to_string(), &question.number);
                let mut kinds: Vec<Kind> = leaf.path.iter().map(|token| token.kind).collect();
                kinds.dedup();
                // Numbers may stand again below letters, as in 1 (a) (1); every other way of counting stands once.
                kinds.retain(|kind| *kind != Kind::Number);
                let distinct: std::collections::HashSet<Kind> = kinds.iter().copied().collect();
                prop_assert_eq!(distinct.len(), kinds.len(), "a level holds one way of counting");
            }
            for pair in question.leaves.windows(2) {
                let same = pair[0].path.iter().zip(&pair[1].path).take_while(|(a, b)| a == b).count();
                if let (Some(a), Some(b)) = (pair[0].path.get(same), pair[1].path.get(same)) {
                    prop_assert!(a.kind != b.kind || a.value < b.value);
                }
            }
        }
        // A section may count again, and so may questions that a word announces, with its number or before it.
        let begins_again = |word: &Word| {
            let label = labels::parse(&[word.text.as_str()]);
            let announces = lexicon::is(Concept::Label, &word.text.to_lowercase());
            let announced = label.is_some_and(|label| label.style == labels::Style::Keyword);
            word.text == "Section" || announces || announced
        };
        if !document.pages.iter().flat_map(|page| &page.words).any(begins_again) {
            for pair in paper.questions.windows(2) {
                prop_assert!(pair[0].leaves[0].path[0].value < pair[1].leaves[0].path[0].value);
            }
        }
    }

    #[test]
    fn marks_add_up_or_a_warning_stands(paper in document(), scheme in document()) {
        let reading = exam::read(&paper, &scheme);
        let warned = reading.warnings.contains(&Warning::QuestionsMayBeIncomplete);
        // Of parts between which "OR" stands, only one counts.
        let chosen = paper.pages.iter().flat_map(|page| &page.words).any(|word| word.text == "OR");
        for question in reading.questions.iter().filter(|_| !chosen) {
            let parts: Option<Vec<Marks>> = question.parts.iter().map(|part| part.marks).collect();
            if let (Some(parts), Some(marks)) = (parts.filter(|parts| !parts.is_empty()), question.marks) {
                let sum: Marks = parts.into_iter().sum();
                prop_assert!(sum == marks || (warned && !question.warnings.is_empty()));
            }
        }
        prop_assert_eq!(reading.questions.is_empty() && !warned, false);
        let listed = eval::predictions(&reading);
        prop_assert_eq!(listed["data"].as_array().map(Vec::len), Some(reading.questions.len()));
    }

    #[test]
    fn a_key_is_never_worth_more_than_its_part(paper in document(), scheme in document()) {
        let paper = paper::read(&paper);
        let scheme = scheme::read(&scheme, &paper);
        for part in join::join(&paper, &scheme).questions.iter().flat_map(|question| &question.parts) {
            let (Some(key), Some(marks)) = (&part.answer_key, part.marks) else { continue };
            let sum: Marks = key.points.iter().map(|point| point.marks).sum();
            prop_assert!(sum <= marks || !key.groups.is_empty() || !key.levels.is_empty());
        }
    }

    #[test]
    fn label_and_mark_parsers_take_any_text(words in prop::collection::vec("\\PC{0,12}", 0..8)) {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(label) = labels::parse(&texts) {
            prop_assert!(label.words <= texts.len() && !label.tokens.is_empty());
            prop_assert!(label.tokens.iter().all(|token| token.value >= 1));
        }
        let _ = labels::parse_cell(&words.join(" "));
        for note in [marks::at_end(&texts), marks::at_start(&texts)].into_iter().flatten() {
            prop_assert!(note.words <= texts.len() && !note.marks.is_zero());
        }
        let _ = marks::paper_total(&texts);
    }

    #[test]
    fn label_parsers_take_any_sequence_of_their_own_signs(text in "[0-9a-zA-Z().\\[\\]ivx½ ]{0,24}") {
        let texts: Vec<&str> = text.split(' ').collect();
        let _ = labels::parse(&texts);
        let _ = labels::parse_cell(&text);
        let _ = marks::at_end(&texts);
    }
}
