//! Scores the way from a picture to an answer, on scripts and answer sheets whose answers a person read.
//!
//! A folder with `paper.pdf`, `scheme.pdf`, `script.pdf` and `truth.json` (a list of `number`, `label`, `answer`, `max`
//! and `mark`) is a script. A folder whose `truth.json` lists `file`, `options` and `answers` holds sheets of bubbles.

use super::{Error, bytes};
use crate::join::{self, Reading};
use crate::script::{self, Answer, Script};
use domain::question::{Choice, Kind, Question};
use reader::isolate::{Failure, Isolation, ReadOptions};
use reader::page::{Document, Page, Word};
use reader::print::Prints;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a person read at one question or part.
#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    /// The question's number as printed.
    pub number: String,
    /// The part's label, if it has one.
    #[serde(default)]
    pub label: String,
    /// What was written; none for a drawing.
    pub answer: Option<String>,
    /// The mark by the scheme; none where nobody judges it.
    pub mark: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct ExpectedSheet {
    file: String,
    options: String,
    answers: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Truth {
    Sheets(Vec<ExpectedSheet>),
    Script(Vec<Expected>),
}

/// How well the pages of one folder were read: parts and wholes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PagesScore {
    /// Choices that are right.
    pub choices: (usize, usize),
    /// Written answers that were found at their question.
    pub answers: (usize, usize),
    /// Letters to add, drop or change in the written answers that were found, and letters in all.
    pub letters: (usize, usize),
    /// Rows of bubbles that are right.
    pub bubbles: (usize, usize),
    /// Pages read.
    pub pages: usize,
    /// What was wrong, a line each.
    pub misses: Vec<String>,
}

/// A folder's score and, for a script, what it takes to mark it.
#[derive(Debug)]
pub struct EvaluatedPages {
    /// The score.
    pub score: PagesScore,
    /// The paper as it was read, and the script; none for sheets of bubbles.
    pub script: Option<(Reading, Script)>,
    /// What a person read, in paper order.
    pub expected: Vec<Expected>,
}

/// Rows of a sheet that are named when they are wrong.
const WRONG_SHOWN: usize = 12;
/// An answer of which more than this share of the letters is wrong is another answer.
const OTHER_MIN: f64 = 0.6;

/// Reads a folder's pages and scores them.
pub fn pages(folder: &Path, reader: &Isolation) -> Result<EvaluatedPages, Error> {
    let path = folder.join("truth.json");
    let truth = serde_json::from_slice(&bytes(&path)?).map_err(|source| Error::Truth { path, source })?;
    match truth {
        Truth::Sheets(sheets) => {
            let mut score = PagesScore::default();
            for sheet in &sheets {
                bubbles(folder, sheet, reader, &mut score)?;
            }
            Ok(EvaluatedPages { score, script: None, expected: Vec::new() })
        }
        Truth::Script(expected) => script(folder, expected, reader),
    }
}

fn read(path: &Path, reader: &Isolation, keep_prints: bool, prints: &Prints) -> Result<Document, Error> {
    let options = ReadOptions { keep_prints, ..ReadOptions::default() };
    reader.read_over(&bytes(path)?, &options, prints).map_err(|failure| Error::Document {
        path: path.to_owned(),
        source: match failure {
            Failure::Document(error) => error,
            _ => reader::Error::Unreadable,
        },
    })
}

fn script(folder: &Path, expected: Vec<Expected>, reader: &Isolation) -> Result<EvaluatedPages, Error> {
    let none = Prints::default();
    let paper = read(&folder.join("paper.pdf"), reader, true, &none)?;
    let scheme = read(&folder.join("scheme.pdf"), reader, false, &none)?;
    let reading = join::read(&paper, &scheme);
    let file = read(&folder.join("script.pdf"), reader, false, &Prints::of(&paper))?;
    let mut score = PagesScore { pages: file.pages.len(), ..PagesScore::default() };
    let script = script::read(&paper, &reading.questions, &[file]);
    let mut answers = script.answers.as_slice();
    for one in &expected {
        let found = answers.iter().position(|answer| names(answer, one));
        let answer = found.map(|at| &answers[at]);
        answers = found.map_or(answers, |at| &answers[at + 1..]);
        compare(one, answer, &mut score);
    }
    Ok(EvaluatedPages { score, script: Some((reading, script)), expected })
}

fn names(answer: &Answer, one: &Expected) -> bool {
    plain(&answer.number) == plain(&one.number) && plain(&answer.label) == plain(&one.label)
}

fn compare(one: &Expected, answer: Option<&Answer>, score: &mut PagesScore) {
    let Some(wanted) = &one.answer else { return };
    let name = format!("{}{}", one.number, one.label);
    let is_choice = wanted.chars().count() == 1;
    let Some(answer) = answer else {
        let whole = if is_choice { &mut score.choices.1 } else { &mut score.answers.1 };
        *whole += 1;
        score.misses.push(format!("{name}: no such question was read in the paper"));
        return;
    };
    if is_choice {
        let is_right = answer.selected == [wanted.clone()];
        score.choices = (score.choices.0 + usize::from(is_right), score.choices.1 + 1);
        if !is_right {
            score.misses.push(format!("{name}: {:?}, not {wanted}", answer.selected));
        }
        return;
    }
    let (read, written) = (plain(&answer.text), plain(wanted));
    let wrong = distance(&read, &written);
    let is_there = (wrong as f64) < OTHER_MIN * written.chars().count() as f64;
    score.answers = (score.answers.0 + usize::from(is_there), score.answers.1 + 1);
    if is_there {
        score.letters = (score.letters.0 + wrong, score.letters.1 + written.chars().count());
    }
    score.misses.push(format!(
        "{name}: {wrong} of {} letters wrong\n    {}",
        written.chars().count(),
        answer.text.replace('\n', " | ")
    ));
}

fn bubbles(
    folder: &Path,
    sheet: &ExpectedSheet,
    reader: &Isolation,
    score: &mut PagesScore,
) -> Result<(), Error> {
    let options = sheet.options.split_whitespace().filter(|word| word.chars().count() == 1);
    let labels: Vec<&str> = match sheet.options.split_once("given as") {
        Some((_, named)) => {
            named.split(|letter: char| !letter.is_alphanumeric()).filter(|label| !label.is_empty()).collect()
        }
        None => options.collect(),
    };
    let choice = |label: &&str| Choice { label: (*label).to_owned(), text: String::new() };
    let mut numbers: Vec<u32> = sheet.answers.keys().filter_map(|number| number.parse().ok()).collect();
    numbers.sort_unstable();
    let question = |number: &u32| Question {
        number: number.to_string(),
        kind: Kind::MultipleChoice,
        options: labels.iter().map(choice).collect(),
        ..Question::default()
    };
    let questions: Vec<Question> = numbers.iter().map(question).collect();
    let file = read(&folder.join(&sheet.file), reader, false, &Prints::of(&paper_of(&questions)))?;
    score.pages += file.pages.len();
    let script = script::read(&Document::default(), &questions, &[file]);
    let mut wrong: Vec<String> = Vec::new();
    for answer in &script.answers {
        let given = answer.selected.concat();
        let is_right = sheet.answers.get(&answer.number).is_some_and(|wanted| *wanted == given);
        if !is_right {
            let wanted = sheet.answers.get(&answer.number).map_or("", String::as_str);
            wrong.push(format!("{} {given:?} for {wanted:?}", answer.number));
        }
        score.bubbles = (score.bubbles.0 + usize::from(is_right), score.bubbles.1 + 1);
    }
    let (all, first) =
        (script.answers.len(), wrong.iter().take(WRONG_SHOWN).map(String::as_str).collect::<Vec<_>>());
    score.misses.push(format!("{}: {} of {all} rows {}", sheet.file, all - wrong.len(), first.join(", ")));
    Ok(())
}

/// A paper that holds no more than the questions' numbers and options.
fn paper_of(questions: &[Question]) -> Document {
    let texts = questions.iter().flat_map(|question| {
        std::iter::once(&question.number).chain(question.options.iter().map(|option| &option.label))
    });
    let words = texts.map(|text| Word { text: text.clone(), ..Word::default() }).collect();
    Document { pages: vec![Page { number: 1, words, ..Page::default() }] }
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Letters to add, drop or change.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let changed = previous[column] + usize::from(left != *right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous[other.len()]
}
