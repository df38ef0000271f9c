//! A made-up script with its report, for tests, examples and measurements.

use crate::{PagePicture, PageWord};
use domain::grading::FeedbackLevel;
use domain::marks::Marks;
use domain::report::{Marksheet, Report, Section, Source, Tally};
use domain::result::{
    Evidence, Flag, Frame, Marked, Marking, Model, PartResult, Place, PointResult, Result, Score, Verdict,
    assemble,
};
use jiff::Timestamp;

static PAGES: [(&[u8], &str); 2] = [
    (include_bytes!("../sample/page1.jpg"), include_str!("../sample/page1.tsv")),
    (include_bytes!("../sample/page2.jpg"), include_str!("../sample/page2.tsv")),
];

/// One answer: question, label, its name on the pages, and the points that it was marked by.
type Answer = (&'static str, &'static str, &'static str, &'static [Point], &'static str, &'static [Flag]);

/// A point of the scheme, the words that earned or lost it, and whether they earned it.
type Point = (&'static str, &'static str, bool);

const ANSWERS: [Answer; 8] = [
    ("1", "(a)", "1a", &[("photosynthesis", "photosynthesis", true)], "Full marks: well done.", &[]),
    (
        "1",
        "(b)",
        "1b",
        &[
            ("respiration goes on", "still respires", true),
            ("stores of starch are used up", "stored starch", true),
            ("carbon leaves the plant as carbon dioxide", "breathes in oxygen", false),
        ],
        "2 of 3 marks: part of what was asked for is there. Credited: “respiration goes on”; “stores of starch \
         are used up”. Still missing: “carbon leaves the plant as carbon dioxide”.",
        &[],
    ),
    (
        "2",
        "",
        "2",
        &[("flat or thin", "", false), ("large surface area", "large surface area", true)],
        "1 of 2 marks: part of what was asked for is there. More answers were given than were asked for.",
        &[Flag::MoreAnswersThanAsked],
    ),
    (
        "3",
        "",
        "3",
        &[("movement of water", "water moves", true), ("through a partially permeable membrane", "", false)],
        "1 of 2 marks: part of what was asked for is there. Still missing: “through a partially permeable membrane”.",
        &[Flag::LowConfidence],
    ),
    (
        "4",
        "",
        "4",
        &[
            ("speed is distance over time", "distance / time", true),
            ("150 / 12", "150 / 12", true),
            ("12.5 m/s", "12.5", false),
        ],
        "2 of 3 marks: part of what was asked for is there. The unit is missing.",
        &[],
    ),
    (
        "5",
        "(a)",
        "5a",
        &[("equal in size", "equal", true), ("opposite in direction", "opposite reaction", true)],
        "Full marks: well done.",
        &[],
    ),
    (
        "5",
        "(b)",
        "5b",
        &[
            ("the foot pushes the boat back", "push it back", true),
            ("the boat pushes the person forward", "", false),
        ],
        "1 of 2 marks: part of what was asked for is there.",
        &[],
    ),
    ("6", "", "6", &[("B", "B", true)], "Full marks: well done.", &[]),
];

/// So many pages: the two of the sample in turn, each a file of its own in bytes.
pub fn pages(count: u32) -> Vec<PagePicture> {
    let page = |number: u32| {
        let (picture, words) = PAGES[(number as usize - 1) % PAGES.len()];
        let mut picture = picture.to_vec();
        // Bytes after the end of the picture are ignored, but make it another file.
        picture.extend(number.to_be_bytes());
        PagePicture {
            file: 0,
            page: number,
            picture,
            width_pt: 595.0,
            height_pt: 842.0,
            words: words.lines().map(|line| word(line).1).collect(),
        }
    };
    (1..=count).map(page).collect()
}

/// A report on a script of so many pages, with everything in it.
pub fn report(page_count: u32, feedback: FeedbackLevel) -> Report {
    let result = result(page_count, feedback);
    let marking = Marking {
        engine: "builtin".into(),
        engine_version: "0.1.0".into(),
        models: vec![Model { name: "meaning".into(), sha256: "00".repeat(32) }],
        feedback,
        instructions_used: vec!["Ignore spelling".into()],
        ..Marking::default()
    };
    let title = "Science, Paper 2: Living Things, Forces and Gases".to_owned();
    let released = released(&Marksheet::of(&result));
    let source = Source { title, student_name: Some("Amara Okafor".into()), result, marking };
    Report::new(source, &Section::ALL, &released, Timestamp::from_second(1_794_729_600).unwrap_or_default())
}

/// Marks of a class of seven.
fn released(own: &Marksheet) -> Tally {
    let sheet = |taken: u32| {
        let mut sheet = own.clone();
        for (index, question) in sheet.questions.iter_mut().enumerate() {
            if (index as u32).is_multiple_of(taken + 1) {
                question.awarded = question.awarded.less(Marks::whole(1));
            }
        }
        let awarded = sheet.questions.iter().map(|question| question.awarded).sum();
        sheet.score = Score::of(awarded, sheet.score.available);
        sheet
    };
    std::iter::once(own.clone()).chain((0..6).map(sheet)).collect()
}

/// The result of a script that answers the sample's questions over and over.
pub fn result(page_count: u32, feedback: FeedbackLevel) -> Result {
    let mut questions: Vec<Marked> = Vec::new();
    for page in 1..=page_count {
        let (_, words) = PAGES[(page as usize - 1) % PAGES.len()];
        let round = (page - 1) / PAGES.len() as u32;
        let words: Vec<(&str, PageWord)> = words.lines().map(word).collect();
        for answer in &ANSWERS {
            let own: Vec<&PageWord> =
                words.iter().filter(|(name, _)| *name == answer.2).map(|(_, word)| word).collect();
            if own.is_empty() {
                continue;
            }
            let number = answer
                .0
                .parse::<u32>()
                .map_or_else(|_| answer.0.to_owned(), |number| (number + 6 * round).to_string());
            let leaf = leaf(answer, &own, page);
            match questions.iter_mut().find(|question| question.number == number) {
                Some(question) => question.leaves.push(leaf),
                None => questions.push(Marked { number, choice: None, leaves: vec![leaf] }),
            }
        }
    }
    let blank =
        PartResult { available: Marks::whole(2), flags: vec![Flag::NotAttempted], ..PartResult::default() };
    let number = (6 * page_count.div_ceil(2) + 1).to_string();
    questions.push(Marked { number, choice: None, leaves: vec![blank] });
    assemble(questions, feedback, false)
}

fn leaf(answer: &Answer, words: &[&PageWord], page: u32) -> PartResult {
    let (_, label, _, points, feedback, flags) = answer;
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let frame = words.iter().map(|word| word.frame).reduce(|whole, next| whole.union(&next));
    let points: Vec<PointResult> = points
        .iter()
        .map(|(text, quote, is_earned)| PointResult {
            text: (*text).to_owned(),
            marks: Marks::whole(1),
            awarded: if *is_earned { Marks::whole(1) } else { Marks::ZERO },
            verdict: match (*is_earned, quote.is_empty()) {
                (true, _) => Verdict::Credited,
                (false, true) => Verdict::Missing,
                (false, false) => Verdict::Contradicted,
            },
            evidence: evidence(quote, words, page),
            likely: domain::result::Likely::default(),
        })
        .collect();
    PartResult {
        label: (*label).to_owned(),
        awarded: points.iter().map(|point| point.awarded).sum(),
        available: points.iter().map(|point| point.marks).sum(),
        answer: texts.join(" "),
        feedback: (*feedback).to_owned(),
        confidence: if flags.is_empty() { 0.93 } else { 0.51 },
        flags: flags.to_vec(),
        points,
        places: frame.map(|frame| Place { file: 0, page, frame }).into_iter().collect(),
        revision: None,
    }
}

/// Where the words of a quotation stand.
fn evidence(quote: &str, words: &[&PageWord], page: u32) -> Vec<Evidence> {
    let wanted: Vec<&str> = quote.split_whitespace().collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let found = words
        .windows(wanted.len())
        .find(|window| window.iter().map(|word| word.text.as_str()).eq(wanted.iter().copied()));
    let frame = found
        .and_then(|window| window.iter().map(|word| word.frame).reduce(|whole, next| whole.union(&next)));
    let place = frame.map(|frame| Place { file: 0, page, frame });
    place.map(|place| Evidence { place, text: quote.to_owned() }).into_iter().collect()
}

/// A line of the sample: which answer the word belongs to, and the word.
fn word(line: &str) -> (&str, PageWord) {
    let fields: Vec<&str> = line.split('\t').collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    let number = |index: usize| field(index).parse().unwrap_or_default();
    let frame = Frame { x: number(1), y: number(2), width: number(3), height: number(4) };
    (field(0), PageWord { text: field(5).to_owned(), frame })
}
