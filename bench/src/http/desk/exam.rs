//! A paper of forty parts, its scheme, and scripts that answer it.

use bytes::Bytes;
use testkit::pdf;

pub(super) const QUESTIONS: usize = TOPICS.len();
pub(super) const PARTS: [&str; 4] = ["(a)", "(b)", "(c)", "(d)"];

const ASKED: [&str; 4] = [
    "State what happens in this process.",
    "State where it takes place.",
    "Name something that it needs.",
    "Explain why it matters to us.",
];

/// What each question is about, and what earns the mark of each of its parts.
const TOPICS: [(&str, [&str; 4]); 10] = [
    (
        "photosynthesis",
        [
            "plants make sugar with light",
            "in the chloroplasts",
            "carbon dioxide",
            "animals eat what plants make",
        ],
    ),
    (
        "respiration",
        ["cells release energy from glucose", "in the mitochondria", "oxygen", "living things need energy"],
    ),
    (
        "digestion",
        ["large molecules are broken down", "in the gut", "enzymes", "only small molecules can be absorbed"],
    ),
    (
        "osmosis",
        ["water moves through a membrane", "at cell membranes", "a solution", "roots take up water by it"],
    ),
    (
        "transpiration",
        ["water evaporates from leaves", "in the stomata", "warm air", "it draws water up the plant"],
    ),
    (
        "pollination",
        ["pollen reaches a stigma", "in flowers", "insects or wind", "seeds can form afterwards"],
    ),
    ("evaporation", ["a liquid turns into a gas", "at a surface", "heat", "it cools what stays behind"]),
    ("erosion", ["rock is worn away", "on coasts", "moving water", "it shapes valleys"]),
    ("combustion", ["a fuel reacts with oxygen", "in engines", "fuel", "it gives us heat"]),
    ("fermentation", ["yeast turns sugar into alcohol", "in dough", "yeast", "it makes bread rise"]),
];

/// Where lines begin, in points from the top, and how far they are apart.
const TOP: f32 = 60.0;
const STEP: f32 = 17.0;
/// Questions on one page.
const ON_A_PAGE: usize = 5;

/// A line on its page, as it will be drawn.
type Line = (f32, f32, String);

pub(super) fn paper() -> Bytes {
    document(|question| {
        let (topic, _) = TOPICS[question];
        let mut lines = vec![vec![
            (60.0, (question + 1).to_string()),
            (90.0, format!("This question is about {topic}.")),
        ]];
        for (label, asked) in PARTS.iter().zip(ASKED) {
            let columns = [(90.0, label.to_string()), (120.0, asked.to_owned()), (510.0, "[1]".to_owned())];
            lines.push(columns.to_vec());
        }
        lines
    })
}

pub(super) fn scheme() -> Bytes {
    document(|question| {
        let keys = PARTS.iter().zip(TOPICS[question].1);
        let line = |(label, key): (&&str, &str)| {
            let label = format!("{}{label}", question + 1);
            vec![(60.0, label), (120.0, key.to_owned()), (510.0, "[1]".to_owned())]
        };
        keys.map(line).collect()
    })
}

/// The script of a student: to the first part nobody answers what another does, to the others many do. One part is enough
/// to measure with: the judge of meaning takes its time over every wording that it has not seen.
pub(super) fn script(number: usize) -> Bytes {
    document(|question| {
        let line = |place: usize| {
            let answer = answer(number, question, place);
            vec![(50.0, format!("{}{}", question + 1, PARTS[place])), (110.0, answer)]
        };
        (0..PARTS.len()).map(line).collect()
    })
}

fn answer(number: usize, question: usize, place: usize) -> String {
    let key = TOPICS[question].1[place];
    let other = TOPICS[(question + 1 + number % 3) % TOPICS.len()].1[place];
    let said = match (number * 7 + question * 5 + place * 3) % 6 {
        0 | 1 => key.to_owned(),
        2 => format!("I think {key}"),
        3 => other.to_owned(),
        4 => format!("perhaps {other}"),
        _ => format!("{key} and {other}"),
    };
    if (question, place) == (0, 0) { format!("{said}, as I saw with plant {number}") } else { said }
}

/// A document with what is to stand under each other for each question, in columns.
fn document(of_question: impl Fn(usize) -> Vec<Vec<(f32, String)>>) -> Bytes {
    let mut pages: Vec<Vec<Line>> = Vec::new();
    for first in (0..QUESTIONS).step_by(ON_A_PAGE) {
        let (mut page, mut y) = (Vec::new(), TOP);
        for question in first..QUESTIONS.min(first + ON_A_PAGE) {
            for columns in of_question(question) {
                page.extend(columns.into_iter().map(|(x, text)| (x, y, text)));
                y += STEP;
            }
            y += STEP;
        }
        pages.push(page);
    }
    let drawn: Vec<Vec<pdf::Line<'_>>> =
        pages.iter().map(|page| page.iter().map(|(x, y, text)| (*x, *y, text.as_str())).collect()).collect();
    Bytes::from(pdf::of_lines(&drawn))
}
