//! What a paper says that each of its questions carries: "Each question carries 2 marks", "Section B consists of four
//! questions of 3 marks each".

use super::ranges;
use super::rubric::{cleaned, is_question, speaks_of_choices};
use super::section_names::section;
use crate::flow::Line;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;
use std::ops::Range;

/// A section is named among the first words, perhaps behind a number of the list in which its line stands.
const NAMED_WITHIN: usize = 3;
/// What goes on below the name says "each" among the first words.
const SPREAD_WITHIN: usize = 6;
/// What is said before a section's heading reaches over no more lines into it.
const ABOVE_HEADING: usize = 3;

/// What a line says that each question carries.
#[derive(Clone, Debug, PartialEq)]
struct Each {
    line: usize,
    marks: Marks,
    /// True when it says so of questions that offer options.
    choices: bool,
    /// The section that it names.
    section: Option<String>,
}

/// All that a paper says so, in its order.
#[derive(Debug, Default)]
pub(super) struct Stated(Vec<Each>);

impl Stated {
    /// Reads what a line says. What it says of a section that it names may end on the next one.
    pub(super) fn read(&mut self, at: usize, lines: &[Line<'_>]) {
        // "Each of the questions 1–8 is worth 1 mark" says nothing of the others.
        if !ranges::of_line(&lines[at], lines.get(at + 1)).is_empty() {
            return;
        }
        let own = cleaned(&lines[at]);
        let words: Vec<&str> = own.iter().map(String::as_str).collect();
        let named = named(&words);
        let heads = section(&words).is_some() || named.is_some();
        let open = named.is_some() && !lines[at].text().ends_with('.');
        let below = lines.get(at + 1).filter(|_| open).map(cleaned).unwrap_or_default();
        let below: Vec<&str> = below.iter().map(String::as_str).collect();
        let on_two = || {
            let spreads = (0..below.len().min(SPREAD_WITHIN)).any(|at| is_spread(&below, at));
            // "Each question is worth 2" over "marks."
            let open = words.last().is_some_and(|last| lexicon::small_number(last).is_some());
            let goes_on = self::named(&below).is_none() && (spreads || open);
            each(&[&words[..], &below].concat(), heads).filter(|_| goes_on)
        };
        let choices = speaks_of_choices(&lines[at]);
        let marks = each(&words, heads).or_else(on_two);
        self.0.extend(marks.map(|marks| Each { line: at, marks, choices, section: named }));
    }

    /// Adds what lines say of the questions right below them.
    pub(super) fn add(&mut self, said: Vec<(usize, Marks)>) {
        let each = |(line, marks)| Each { line, marks, choices: false, section: None };
        self.0.extend(said.into_iter().map(each));
        self.0.sort_by_key(|each| each.line);
    }

    /// What a question carries that begins at a line, in the section with this heading and name. `offers`: whether it
    /// offers options, of which a paper may speak apart.
    pub(super) fn at(&self, line: usize, section: Option<(usize, &str)>, offers: bool) -> Option<Marks> {
        let (heading, name) = section.map_or((0, None), |(heading, name)| (heading, Some(name)));
        let is_own = |each: &&Each| each.section.is_none() || each.section.as_deref() == name;
        let before = || self.0.iter().rev().filter(|each| each.line < line).filter(is_own);
        let apart = before().any(|each| each.choices) && before().any(|each| !each.choices);
        let mut said = before().filter(|each| !apart || each.choices == offers);
        // A statement from an earlier section does not reach into this one, unless it names it.
        let reaches = |each: &&Each| each.section.is_some() || each.line + ABOVE_HEADING >= heading;
        said.find(reaches).map(|each| each.marks)
    }

    /// What one of these lines says.
    pub(super) fn within(&self, lines: Range<usize>) -> Option<Marks> {
        self.0.iter().find(|each| lines.contains(&each.line)).map(|each| each.marks)
    }

    /// The lines that say so.
    pub(super) fn lines(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|each| each.line)
    }
}

/// The section that a line names among its first words: "2. Section A consists of", "In Part B".
fn named(words: &[&str]) -> Option<String> {
    words.windows(2).take(NAMED_WITHIN).find_map(section)
}

/// True for the "each" of "1 mark each" and "each question", and not for that of "Match each character with its picture".
fn is_spread(words: &[&str], at: usize) -> bool {
    let counted = |word: &str| {
        let unit = lexicon::is(Concept::MarkUnit, word) || lexicon::is(Concept::QuestionPart, word);
        unit || is_question(word) || papers::CARRY.has(word) || papers::CORRECT.has(word)
    };
    let behind = words.get(at + 1).is_none_or(|next| counted(next));
    let before = at > 0 && (counted(words[at - 1]) || lexicon::number(words[at - 1]).is_some());
    lexicon::is(Concept::Each, words[at]) && (behind || before)
}

/// "20 questions of 1 mark each", "Each question carries 2 marks", "All questions are worth 10 points".
fn each(words: &[&str], heads_section: bool) -> Option<Marks> {
    let correct = speaks_of_right_answers(words);
    // "(at most 4 marks per question)"
    let per_question = |own: &[&str]| {
        let unit = lexicon::is(Concept::MarkUnit, own[1]);
        unit && lexicon::is(Concept::Per, own[2]) && is_question(own[3])
    };
    let per = words.windows(4).find(|own| per_question(own));
    let spread = words.iter().any(|word| lexicon::is(Concept::Each, word)) || correct || per.is_some();
    let counted = |word: &&str| is_question(word) || lexicon::is(Concept::QuestionPart, word);
    let about = words.iter().any(|word| counted(word) || papers::CARRY.has(word)) || heads_section || correct;
    if !(spread && about) {
        return None;
    }
    const MOST: f64 = 100.0;
    let unit = |word: &str| lexicon::is(Concept::MarkUnit, word);
    let decimal = |word: &str| word.replace(',', ".").parse::<f64>().ok();
    let number = |word: &str| lexicon::number(word).map(f64::from).or_else(|| decimal(word));
    let marks = |word: &str| number(word).filter(|number| *number > 0.0 && *number <= MOST);
    // "4 points; 2 points each" says first what all of them are worth.
    let beside = words.windows(3).filter(|own| unit(own[1]) && lexicon::is(Concept::Each, own[2]));
    // "8 points, 2 each"; "any two of the three. Each" counts something else.
    let alone = || {
        let pairs = words.windows(2).filter(|own| lexicon::is(Concept::Each, own[1]));
        let spread = pairs.filter_map(|own| decimal(own[0])).next();
        spread.filter(|own| (0.5..=MOST).contains(own) && words.iter().any(|word| unit(word)))
    };
    let beside = beside.filter_map(|own| marks(own[0])).next().or_else(alone);
    // "A correct answer scores 1"
    let scores = || {
        let pairs = words.windows(2).filter(|pair| correct && papers::SCORES.has(pair[0]));
        pairs.filter_map(|pair| marks(pair[1])).next()
    };
    let counted = || words.windows(2).filter(|pair| unit(pair[1])).find_map(|pair| marks(pair[0]));
    let per = per.and_then(|own| marks(own[0]));
    let found = per.or(beside).or_else(counted).or_else(scores)?;
    Marks::from_number(found)
}

/// "Correct answers will be awarded one point."
fn speaks_of_right_answers(words: &[&str]) -> bool {
    lexicon::says(Concept::RightAnswer, &words.join(" ")).is_some()
}

/// The marks that a scheme says each right answer to questions with options earns, where it always says the same: "Allow 1
/// credit for each correct response", "The ten multiple-choice ones are one mark each". It may say so on two lines.
pub(crate) fn for_each_choice(lines: &[Line<'_>]) -> Option<Marks> {
    let said = (0..lines.len()).filter_map(|at| {
        let own = cleaned(&lines[at]);
        let below = lines.get(at + 1).filter(|_| !lines[at].text().ends_with('.')).map(cleaned);
        of_choices(&own).or_else(|| of_choices(&[own, below?].concat()))
    });
    let found: Vec<Marks> = said.collect();
    found.first().copied().filter(|first| found.iter().all(|other| other == first))
}

fn of_choices(words: &[String]) -> Option<Marks> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = words.join(" ");
    let offers = lexicon::says(Concept::AsksChoice, &said).is_some();
    (offers || speaks_of_right_answers(&words)).then(|| each(&words, true)).flatten()
}

/// The marks that a document says each question has, wherever it says so: "5 points for each problem".
pub(crate) fn for_each_question(lines: &[Line<'_>]) -> Option<Marks> {
    said_of_each(lines, is_question)
}

/// The marks that a document says each part has: "Every item that is answered correctly is worth 1 point".
pub(crate) fn for_each_part(lines: &[Line<'_>]) -> Option<Marks> {
    said_of_each(lines, |word| lexicon::is(Concept::QuestionPart, word))
}

/// The marks of each of what some words name, where all lines that say so agree.
fn said_of_each(lines: &[Line<'_>], named: fn(&str) -> bool) -> Option<Marks> {
    let said = lines.iter().filter_map(|line| {
        let texts = cleaned(line);
        let words: Vec<&str> = texts.iter().map(String::as_str).collect();
        // What each mistake or each reason earns is another matter.
        let says = words.windows(2).any(|pair| lexicon::is(Concept::Each, pair[0]) && named(pair[1]));
        each(&words, false).filter(|_| says)
    });
    let found: Vec<Marks> = said.collect();
    found.first().copied().filter(|first| found.iter().all(|other| other == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_question_carries_is_read() {
        let said = "one mark for each pair (at most 4 marks per question)";
        let words: Vec<&str> =
            said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        assert_eq!(each(&words, false), Some(Marks::whole(4)));
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let each = |text: &'static str| super::each(&words(text), section(&words(text)).is_some());
        assert_eq!(each("each question carries 2 marks"), Some(Marks::whole(2)));
        assert_eq!(each("20 questions of 1 mark each"), Some(Marks::whole(1)));
        assert_eq!(each("each correct answer will score one mark"), Some(Marks::whole(1)));
        assert_eq!(each("part a short answers 2 marks each"), Some(Marks::whole(2)));
        assert_eq!(each("the exam has 4 questions worth 25 points each"), Some(Marks::whole(25)));
        assert_eq!(each("each mark is a point"), None);
        assert_eq!(each("part 4 grammar 8 points 2 each"), Some(Marks::whole(2)));
        let offered = "answer any two of the three each question carries 6 marks";
        assert_eq!(each(offered), Some(Marks::whole(6)));
        assert_eq!(each("jede aufgabe wird mit 2,5 punkten bewertet"), Marks::from_number(2.5));
        assert_eq!(each("cada pregunta vale 2 puntos"), Some(Marks::whole(2)));
    }

    #[test]
    fn sections_are_named_among_the_first_words() {
        let named = |text: &str| named(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(named("2 section a consists of 10 questions"), Some("A".to_owned()));
        assert_eq!(named("in part ii each question carries two marks"), Some("II".to_owned()));
        assert_eq!(named("all questions of this paper in section a"), None);
    }
}
