//! What the paper asks with, by which a scheme's lines that repeat it are told from answers.

use crate::marks;
use crate::paper::Paper;
use std::collections::{HashMap, HashSet};

/// A line that repeats the question has at least so many words, so many in a hundred of them the question's, and
/// so many in a hundred in its order.
const ECHO_LEAST: usize = 4;
const ECHO_WORDS: usize = 85;
const ECHO_PAIRS: usize = 60;
/// So many words before the break tell that a line goes on with the question.
const JOINT: usize = 3;
/// A shorter beginning, in letters, may well be an answer.
const TITLE: usize = 8;
/// A shorter sentence, in letters, may well be an answer.
const SENTENCE: usize = 12;

/// What a paper asks with.
#[derive(Default)]
pub(super) struct Asked {
    questions: HashMap<u32, Question>,
    /// The sentences that the paper asks with, as letters and digits alone.
    sentences: HashSet<String>,
}

/// What a question asks with.
#[derive(Default)]
struct Question {
    words: HashSet<String>,
    /// Words that stand side by side.
    pairs: HashSet<(String, String)>,
    numbers: HashSet<String>,
    /// What it and its parts begin with, as letters and digits alone.
    openings: Vec<String>,
    /// What it and its parts say, as letters and digits alone.
    texts: Vec<String>,
}

impl Question {
    fn extend(&mut self, text: &str) {
        let words = content(text);
        self.pairs.extend(words.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())));
        self.words.extend(words);
        self.numbers.extend(numbers(text));
        self.texts.push(plain(text));
    }
}

impl Asked {
    /// What a paper asks with.
    pub(super) fn of(paper: &Paper) -> Asked {
        let mut asked = Asked::default();
        for question in &paper.questions {
            asked.sentences.insert(plain(&question.text));
            for leaf in &question.leaves {
                asked.sentences.extend([plain(&leaf.lead), plain(&leaf.text)]);
                let sentences = leaf.text.split_inclusive(['.', '?']).map(plain);
                asked.sentences.extend(sentences.filter(|text| text.len() >= SENTENCE));
                let own = asked.questions.entry(leaf.path[0].value).or_default();
                own.openings.extend([plain(&question.text), plain(&leaf.text)]);
                let choices = leaf.options.iter().map(|option| option.text.as_str());
                for text in [question.text.as_str(), &leaf.lead, &leaf.text].into_iter().chain(choices) {
                    own.extend(text);
                }
            }
        }
        asked.sentences.remove("");
        asked
    }

    /// True when a line is what the question or a part of it begins with, such as its title.
    pub(super) fn opens(&self, number: u32, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let noted = marks::at_end(&words).map_or(0, |note| note.words);
        let said = plain(&words[..words.len() - noted].join(" "));
        let longer = |opening: &String| opening.len() > said.len() && opening.starts_with(&said);
        let own = self.questions.get(&number);
        said.len() >= TITLE && own.is_some_and(|own| own.openings.iter().any(longer))
    }

    /// True when a line is the whole of what the question or a part of it asks, or its beginning.
    pub(super) fn asks(&self, number: u32, text: &str) -> bool {
        let said = plain(text);
        let own = self.questions.get(&number);
        said.len() >= TITLE && own.is_some_and(|own| own.texts.iter().any(|asked| asked.starts_with(&said)))
    }

    /// True when a line stands in the question as it is: a line of a program, or so many letters that it is no answer by
    /// chance.
    pub(super) fn holds(&self, number: u32, text: &str) -> bool {
        const PROSE: usize = 18;
        const PROGRAM: usize = 5;
        let words: Vec<&str> = text.split_whitespace().collect();
        let noted = marks::at_end(&words).map_or(0, |note| note.words);
        let own = words[..words.len() - noted].join(" ");
        let said = plain(&own);
        let is_program = own.contains(['(', '{', ';', '=', '_']);
        let least = if is_program { PROGRAM } else { PROSE };
        let asked = self.questions.get(&number);
        said.len() >= least && asked.is_some_and(|asked| asked.texts.iter().any(|text| text.contains(&said)))
    }

    /// True when words stand in the question one behind the other, such as those around the "(b)" of "yellow (b) and".
    pub(super) fn quotes(&self, number: u32, words: &[&str]) -> bool {
        plain(&words.concat()).len() >= TITLE && self.says(number, words)
    }

    /// True when a line says what something of the question's is, in a way that the question does not: "GNP = GDP + income
    /// from abroad", "Subject: the old key", or, with its marks, "the leader of the party – Himmler [1]".
    pub(super) fn is_answered_by(&self, number: u32, text: &str) -> bool {
        /// More words behind a dash go on with a sentence.
        const NAME_WORDS_MAX: usize = 4;
        /// So many words at the beginning tell whether the question says the same.
        const OPENING: usize = 3;
        const RELATIONS: [&str; 7] = ["=", "≈", "≥", "≤", "<", ">", "≠"];
        let words: Vec<&str> = text.split_whitespace().collect();
        let note = marks::at_end(&words).filter(|note| note.bracketed && note.scope == marks::Scope::Part);
        let own = &words[..words.len() - note.map_or(0, |note| note.words)];
        if own.len() < OPENING {
            return false;
        }
        let dash = own.iter().rposition(|word| matches!(*word, "–" | "—" | "-")).filter(|dash| *dash > 1);
        let named = dash.is_some_and(|dash| (1..=NAME_WORDS_MAX).contains(&(own.len() - dash - 1)));
        let relates = RELATIONS.contains(&own[1]) || (named && note.is_some());
        let titled = own[0].ends_with(':') && own[0].len() > 2;
        (relates && !self.says(number, own)) || (titled && !self.says(number, &own[..OPENING]))
    }

    /// True when words stand in the question one behind the other, however few.
    fn says(&self, number: u32, words: &[&str]) -> bool {
        let said = plain(&words.concat());
        let asked = self.questions.get(&number);
        asked.is_some_and(|asked| asked.texts.iter().any(|text| text.contains(&said)))
    }

    /// What a line says behind the end of a sentence that the paper asks with and the line before it began.
    pub(super) fn behind<'t>(&self, before: &str, text: &'t str) -> Option<&'t str> {
        /// So many words of the line before tell which sentence goes on.
        const TAIL: usize = 4;
        let words: Vec<&str> = before.split_whitespace().collect();
        let tail = plain(&words[words.len().saturating_sub(TAIL)..].concat());
        let mut ends = text.match_indices(['.', '?', ':']).map(|(at, _)| at + 1);
        let asked = |end: &usize| {
            let said = format!("{tail}{}", plain(&text[..*end]));
            let parted = text[*end..].starts_with(' ') && !text[*end..].trim().is_empty();
            parted && said.len() >= SENTENCE && self.sentences.iter().any(|own| own.ends_with(&said))
        };
        ends.rfind(asked).map(|end| text[end..].trim())
    }

    /// True when a line ends what the line before it repeats, where it was broken: "… or public / goods." A few words
    /// are an answer anywhere else.
    pub(super) fn ends(&self, number: u32, before: &str, text: &str) -> bool {
        let words: Vec<&str> = before.split_whitespace().collect();
        let lead = words[words.len().saturating_sub(JOINT)..].concat();
        let own: Vec<&str> = text.split_whitespace().collect();
        let noted = marks::at_end(&own).map_or(0, |note| note.words);
        let said = own[..own.len() - noted].concat();
        let whole = plain(&(lead + &said));
        let asked = self.questions.get(&number);
        words.len() >= JOINT
            && !plain(&said).is_empty()
            && asked.is_some_and(|asked| asked.texts.iter().any(|text| text.ends_with(&whole)))
    }

    /// True when a line only repeats what the question asks. The end of a repeated sentence may be
    /// short; else a few words are too little to tell.
    pub(super) fn repeats(&self, number: u32, text: &str, goes_on: bool) -> bool {
        let Some(asked) = self.questions.get(&number) else { return false };
        let words: Vec<&str> = text.split_whitespace().collect();
        let led = marks::at_start(&words).filter(|note| note.bracketed).map_or(0, |note| note.words);
        let words = &words[led..];
        let noted = marks::at_end(words).map_or(0, |note| note.words);
        let said = words[..words.len() - noted].join(" ");
        if self.sentences.contains(&plain(&said)) {
            return true;
        }
        // "10,800 kWh ÷ 400 kWh" is worked out of the question's numbers.
        let works = said.split(' ').any(|word| matches!(word, "÷" | "×" | "=" | "·" | "*" | "/"));
        let own = plain(&said);
        if works && !asked.texts.iter().any(|text| text.contains(&own)) {
            return false;
        }
        let words = content(&said);
        let distinct: HashSet<&String> = words.iter().collect();
        let shared = distinct.iter().filter(|word| asked.words.contains(**word)).count();
        let known = shared * 100 >= distinct.len() * ECHO_WORDS;
        if goes_on && said.trim_end().ends_with(['.', '?', ':']) && !words.is_empty() {
            return known;
        }
        // An answer may be made of the question's words, but hardly in the question's order; and a number that the
        // question does not have is what was asked for.
        let beside = |pair: &&[String]| asked.pairs.contains(&(pair[0].clone(), pair[1].clone()));
        let in_order = words.windows(2).filter(beside).count() * 100 >= (words.len().max(1) - 1) * ECHO_PAIRS;
        let counts = numbers(&said).all(|number| asked.numbers.contains(&number));
        distinct.len() >= ECHO_LEAST && known && in_order && counts
    }
}

/// The words of a text that carry meaning, for comparing texts.
fn content(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 2).collect()
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())).map(str::to_owned)
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
