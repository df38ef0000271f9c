//! The paper and its scheme together: questions with answer keys, and what a reviewer should know.

mod choose;
mod portions;

pub use choose::{Chosen, choose};

use crate::labels::{self, Token};
use crate::paper::{self, Leaf, Paper};
use crate::scheme::{self, Entry, EntryLine, Scheme, SchemeLabels};
use crate::{bonus, doubts, shares, short};
use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Part, Question};
use lexicon::Concept;
use reader::page::Document;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;

/// What both documents say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// In the order of the paper.
    pub questions: Vec<Question>,
    /// The paper's total: as printed, else the sum of its questions.
    pub total: Option<Marks>,
    /// The total that the paper prints.
    pub printed_total: Option<Marks>,
    /// What a reviewer should know, each at most once.
    pub warnings: Vec<Warning>,
}

/// What a reviewer should know about a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A label is missing, or marks do not add up to a printed total.
    QuestionsMayBeIncomplete,
    /// Some part has no answer key.
    AnswerKeysMissing,
    /// The scheme opens with instructions that marking does not follow.
    SchemeInstructionsNotUsed,
}

impl Warning {
    /// As the API names it.
    pub const fn name(self) -> &'static str {
        match self {
            Warning::QuestionsMayBeIncomplete => "questions_may_be_incomplete",
            Warning::AnswerKeysMissing => "answer_keys_missing",
            Warning::SchemeInstructionsNotUsed => "scheme_instructions_not_used",
        }
    }
}

/// Reads a paper and its scheme into questions with answer keys.
///
/// The paper is read by itself first. Where that leaves anything open, it is read again in other ways, with
/// the scheme's labels as evidence, and the reading for which most speaks is taken.
pub fn read(paper: &Document, scheme: &Document) -> Reading {
    choose(paper, scheme).reading
}

/// The marks of a question's parts stand on the first lines of what a scheme says about it.
const HEAD_LINES: usize = 2;
impl Reading {
    /// Takes keys away that say nothing, and says that they are missing.
    fn drop_empty_keys(&mut self) {
        if doubts::drop_empty_keys(&mut self.questions) {
            self.warn(Warning::AnswerKeysMissing);
        }
        if doubts::note_repeating_keys(&mut self.questions) {
            self.warn(Warning::QuestionsMayBeIncomplete);
        }
    }

    /// Takes the keys away where a document that should hold both turns out to hold questions alone.
    fn drop_questions(&mut self) {
        if doubts::drop_questions(&mut self.questions) {
            self.warn(Warning::AnswerKeysMissing);
        }
    }

    /// The number of every question.
    fn numbers(&self) -> HashSet<u32> {
        self.questions.iter().filter_map(|question| labels::parse_question_number(&question.number)).collect()
    }

    /// The share of these numbers that go on right behind the last question.
    fn beyond(&self, numbers: &HashSet<u32>) -> f32 {
        let last = self.numbers().into_iter().max().unwrap_or(0);
        let behind = (last + 1..).take_while(|number| numbers.contains(number)).count();
        behind as f32 / numbers.len().max(1) as f32
    }

    /// Every question and part, however often it is printed.
    fn labels(&self) -> HashSet<(String, String)> {
        let parts = |question: &Question| {
            let own = question.parts.iter().map(|part| part.label.clone());
            own.chain([String::new()]).map(|label| (question.number.clone(), label)).collect::<Vec<_>>()
        };
        self.questions.iter().flat_map(parts).collect()
    }

    fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
            self.warnings.sort_unstable();
        }
    }

    /// Of how many questions that were read as a whole the scheme has parts (a) and (b), where their numbers are theirs alone:
    /// the 3 of another section may have parts.
    fn parted_alone_by(&self, labels: &SchemeLabels) -> usize {
        let mut numbers: Vec<Option<u32>> =
            self.questions.iter().map(|question| labels::parse_question_number(&question.number)).collect();
        numbers.sort_unstable();
        let again = numbers.windows(2).any(|pair| pair[0] == pair[1]);
        if again { 0 } else { self.parted_by(labels) }
    }

    /// The same, whatever their numbers.
    fn parted_by(&self, labels: &SchemeLabels) -> usize {
        let part = |number: u32, letter: u32| {
            labels.has(&[Token::new(labels::Kind::Number, number), Token::new(labels::Kind::Letter, letter)])
        };
        let parted = |question: &&Question| {
            let number = labels::parse_question_number(&question.number);
            question.parts.is_empty() && number.is_some_and(|number| part(number, 1) && part(number, 2))
        };
        self.questions.iter().filter(parted).count()
    }

    /// True when the scheme has parts of a question, or of one of its parts, that was read as a whole.
    fn is_parted_by(&self, labels: &SchemeLabels) -> bool {
        self.parted_by(labels) > 0 || self.questions.iter().any(|question| offers_parts(question, labels))
    }

    /// True when nothing is left open: no question, mark or key is missing, and every total is met.
    fn is_settled(&self) -> bool {
        let doubts = [Warning::QuestionsMayBeIncomplete, Warning::AnswerKeysMissing];
        !doubts.iter().any(|doubt| self.warnings.contains(doubt))
    }
}

/// True where a part is worth one mark for each of its options, and the scheme answers each of them: items to name.
fn offers_parts(question: &Question, labels: &SchemeLabels) -> bool {
    question.parts.iter().any(|part| {
        let count = u32::try_from(part.options.len()).unwrap_or(0);
        let path = labels::parse(&[&format!("{}{}", question.number, part.label)]);
        let answered = |letter: u32| {
            let option = Token::new(labels::Kind::Letter, letter);
            path.as_ref().is_some_and(|path| labels.has(&[&path.tokens[..], &[option]].concat()))
        };
        count > 1 && part.marks == Some(Marks::whole(count)) && (1..=count).all(answered)
    })
}

/// Joins what was read of both.
pub fn join(paper: &Paper, scheme: &Scheme) -> Reading {
    join_with(paper, scheme, &SchemeLabels::default())
}

fn join_with(paper: &Paper, scheme: &Scheme, labels: &SchemeLabels) -> Reading {
    let mut warnings = Vec::new();
    let priced = shares::stated(paper, scheme);
    let begun = begun(priced.as_ref().unwrap_or(paper), labels);
    let mut paper = begun.as_ref();
    let read = |paper: &Paper| paper.questions.iter().map(|question| one(question, scheme)).collect();
    let mut questions: Vec<Question> = read(paper);
    let shared = shares::of_sections(paper, &questions);
    if let Some(shared) = &shared {
        paper = shared;
        questions = read(paper);
    }
    shares::remainder(paper.total, &mut questions);
    let awarded = available(paper, &questions);
    let awarded = paper.total.filter(|total| is_each_section(paper, &questions, *total)).or(awarded);
    // A bonus comes on top of what the paper prints.
    let extra = bonus::beyond(paper, &questions);
    let awarded = awarded.map(|sum| if paper.total == Some(sum.less(extra)) { sum.less(extra) } else { sum });
    let off = paper.total.zip(awarded).filter(|(printed, sum)| printed != sum);
    let priced = doubts::priced_apart(paper, scheme);
    doubts::note(paper, (labels, &scheme.said), (off, &priced), &mut questions);
    // That marks were shared out, or that a point is long, is worth a look, but nothing is missing.
    let is_doubt = |warning: &&String| {
        *warning != shares::SHARED
            && *warning != shares::LEFT_OVER
            && !warning.ends_with(doubts::MAY_BE_SEVERAL)
    };
    let doubts = |question: &Question| question.warnings.iter().any(|warning| is_doubt(&warning));
    let doubtful = questions.iter().any(doubts);
    let is_short = short::complete(&mut questions);
    if questions.is_empty() || off.is_some() || doubtful || is_short || has_gaps(paper) {
        warnings.push(Warning::QuestionsMayBeIncomplete);
    }
    if questions.iter().any(Question::lacks_key) || questions.is_empty() {
        warnings.push(Warning::AnswerKeysMissing);
    }
    if scheme.has_instructions {
        warnings.push(Warning::SchemeInstructionsNotUsed);
    }
    name_groups(paper, &mut questions);
    Reading { questions, total: paper.total.or(awarded), printed_total: paper.total, warnings }
}

/// Names questions with their group, so that "II.3" and "I.3" are told apart.
fn name_groups(paper: &Paper, questions: &mut [Question]) {
    for (source, question) in paper.questions.iter().zip(questions) {
        let Some(group) = &source.group else { continue };
        for part in &mut question.parts {
            // "5.1" says the question's number again, which its group stands before now.
            let below = part.label.strip_prefix(&question.number).and_then(|rest| rest.strip_prefix('.'));
            if let Some(below) = below {
                let (counted, lettered) = below.split_at(below.find('(').unwrap_or(below.len()));
                part.label = format!("({}){lettered}", counted.replace('.', ")("));
            }
        }
        question.number = format!("{group}.{}", question.number);
    }
}

/// A paper that goes on where another ended, which its scheme tells: it has most of the paper's labels, and no number
/// before the first.
fn begun<'p>(paper: &'p Paper, labels: &SchemeLabels) -> Cow<'p, Paper> {
    const TELLING_SHARE: f32 = 0.7;
    let numbers = paper.questions.iter().map(|question| labels::parse_question_number(&question.number));
    let first = numbers.into_iter().next().flatten().filter(|first| *first > 1 && paper.announced.is_empty());
    let Some(first) = first else { return Cow::Borrowed(paper) };
    let deep = paper.leaves().filter(|leaf| leaf.path.len() > 1).count();
    let in_parts = deep * 2 > paper.leaves().count();
    let tells =
        labels.speaks() && labels.share(paper.leaves().map(|leaf| leaf.path.as_slice())) >= TELLING_SHARE;
    if !tells || labels.begins_before(first, in_parts) {
        return Cow::Borrowed(paper);
    }
    Cow::Owned(Paper { announced: vec![(first, u32::MAX)], ..paper.clone() })
}

/// What a candidate can earn: of each choice group only as many questions as are to be answered.
fn available(paper: &Paper, questions: &[Question]) -> Option<Marks> {
    let mut sum = Marks::ZERO;
    let mut groups: Vec<(&str, u32, Vec<Marks>)> = Vec::new();
    for (source, question) in paper.questions.iter().zip(questions) {
        let marks = question.total()?;
        match &source.choice {
            None => sum = sum + marks,
            Some(choice) => match groups.iter_mut().find(|(name, _, _)| *name == choice.name) {
                Some((_, _, all)) => all.push(marks),
                None => groups.push((&choice.name, choice.answer, vec![marks])),
            },
        }
    }
    for (_, answer, mut all) in groups {
        all.sort_by(|a, b| b.cmp(a));
        sum = sum + all.into_iter().take(answer as usize).sum();
    }
    (!questions.is_empty()).then_some(sum)
}

/// True when every section is worth the whole paper: "Option A" and "Option B", of which one is to be answered.
fn is_each_section(paper: &Paper, questions: &[Question], total: Marks) -> bool {
    let mut sums: Vec<Marks> = Vec::new();
    for (source, question) in paper.questions.iter().zip(questions) {
        let Some(marks) = question.total() else { return false };
        sums.resize(sums.len().max(source.section + 1), Marks::ZERO);
        if let Some(sum) = sums.get_mut(source.section) {
            *sum = *sum + marks;
        }
    }
    sums.len() > 1 && sums.iter().all(|sum| *sum == total)
}

/// True when a number, a letter or a numeral is missing between two that are there.
fn has_gaps(paper: &Paper) -> bool {
    let numbers: Vec<u32> = paper
        .questions
        .iter()
        .filter_map(|question| labels::parse_question_number(&question.number))
        .collect();
    let skips = |before: u32, number: u32| number > before + 1 && !paper.leaps(before, number);
    let skips = numbers.windows(2).any(|pair| skips(pair[0], pair[1]))
        || numbers.first().is_some_and(|first| *first > 1 && paper.begins_with() != Some(*first));
    let late = |leaf: &Leaf, before: Option<&Leaf>| match before {
        None => leaf.path.iter().skip(1).any(|token| token.value > 1),
        Some(before) => follows_badly(&before.path, &leaf.path),
    };
    let parts = paper.questions.iter().any(|question| {
        let leaves = &question.leaves;
        (0..leaves.len())
            .any(|index| late(&leaves[index], index.checked_sub(1).map(|before| &leaves[before])))
    });
    skips || parts
}

fn follows_badly(before: &[Token], after: &[Token]) -> bool {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let step = match (before.get(same), after.get(same)) {
        (Some(a), Some(b)) => b.kind != a.kind || b.value != a.value + 1,
        _ => true,
    };
    step || after.iter().skip(same + 1).any(|token| token.value > 1)
}

fn one(source: &paper::Question, scheme: &Scheme) -> Question {
    let mut entries: Vec<Option<Entry>> =
        source.leaves.iter().map(|leaf| entry_for(leaf, source, scheme)).collect();
    let mut marks = portions::of_leaves(&source.leaves, &mut entries, source.marks);
    let mut warnings = Vec::new();
    let whole = |entry: &&Entry| entry.section == source.section && entry.path.len() == 1;
    let own = |entry: &&Entry| source.leaves.first().is_some_and(|leaf| leaf.path[0] == entry.path[0]);
    if let Some(entry) = scheme.entries.iter().filter(whole).find(own) {
        for line in entry.lines.iter().take(HEAD_LINES) {
            let said = format!("{} {}", line.answer, line.marks);
            if !shares::by_addends(source, &said, &mut marks) {
                shares::by_name(source, &said, &mut marks);
            }
        }
    }
    if shares::share_out(source, &mut marks) {
        warnings.push(shares::SHARED.to_owned());
    }
    let counted = source.leaves.iter().zip(&marks).filter(|(leaf, _)| !leaf.is_instead);
    let known: Option<Vec<Marks>> = counted.map(|(_, marks)| *marks).collect();
    let sum = known.map(|known| known.into_iter().sum::<Marks>());
    if let (Some(printed), Some(sum)) = (source.marks, sum)
        && printed != sum
    {
        warnings.push(format!("The parts add up to {sum} marks, but the paper prints {printed}."));
    }
    let parts: Vec<Part> = source
        .leaves
        .iter()
        .zip(entries.iter().zip(&marks))
        .map(|(leaf, (entry, marks))| {
            let mut own = part(leaf, entry.as_ref(), *marks);
            let shown = own.answer_key.as_mut().zip(shown_above(leaf, source.section, scheme));
            if let Some((key, shown)) = shown {
                let notes = key.notes.take().into_iter().chain([shown]);
                key.notes = Some(notes.collect::<Vec<_>>().join("\n"));
            }
            own
        })
        .collect();
    let mut question = Question {
        number: source.number.clone(),
        text: source.text.clone(),
        marks: source.marks.or(sum),
        pages: source.pages.clone(),
        regions: source.regions.clone(),
        choice_group: source.choice.as_ref().map(|choice| choice.name.clone()),
        choice_count: source.choice.as_ref().map(|choice| choice.answer),
        warnings,
        ..Question::default()
    };
    match parts.as_slice() {
        [only] if only.label.is_empty() => {
            question.text.clone_from(&only.text);
            question.kind = only.kind;
            question.options.clone_from(&only.options);
            question.answer_key.clone_from(&only.answer_key);
        }
        _ => question.parts = parts,
    }
    question
}

/// What the scheme says about a leaf: its own entry, those below it, or the one above it.
fn entry_for(leaf: &Leaf, question: &paper::Question, scheme: &Scheme) -> Option<Entry> {
    let entries: Vec<&Entry> =
        scheme.entries.iter().filter(|entry| entry.section == question.section).collect();
    let own = entries.iter().filter(|entry| entry.path.starts_with(&leaf.path));
    let mut found: Option<Entry> = None;
    for entry in own {
        match &mut found {
            Some(all) => all.lines.extend(entry.lines.iter().cloned()),
            None => found = Some((*entry).clone()),
        }
    }
    let says = Entry::says_something;
    if found.as_ref().is_some_and(says) {
        return found;
    }
    // A scheme that answers 1(a) as a whole answers each of its parts.
    let above = (1..leaf.path.len()).rev().find_map(|depth| {
        entries.iter().copied().find(|entry| entry.path == leaf.path[..depth] && says(entry))
    });
    let shared = above.filter(|entry| {
        let answered = question.leaves.iter().filter(|other| {
            other.path.starts_with(&entry.path)
                && entries.iter().any(|known| known.path == other.path && says(known))
        });
        answered.count() == 0
    });
    // What it says all of them are worth is not what each is.
    let of_all =
        |entry: &Entry| question.leaves.iter().filter(|own| own.path.starts_with(&entry.path)).count();
    let stated = |entry: &Entry| entry.stated.filter(|_| of_all(entry) == 1);
    shared.map(|entry| Entry { stated: stated(entry), ..entry.clone() }).or(found)
}

/// A solution of more lines is cut.
const SHOWN_LINES: usize = 80;

/// The solution that stands above a part whose own lines only point at it: "using the solution above or similar".
fn shown_above(leaf: &Leaf, section: usize, scheme: &Scheme) -> Option<String> {
    let entry = |path: &[Token]| scheme.entries.iter().find(|own| own.section == section && own.path == path);
    let refers = |line: &EntryLine| lexicon::says(Concept::SeesAbove, &line.answer.to_lowercase()).is_some();
    entry(&leaf.path).filter(|own| own.lines.iter().any(refers))?;
    let depths = (1..leaf.path.len()).rev();
    let above = depths.filter_map(|depth| entry(&leaf.path[..depth])).find(|own| own.says_something())?;
    let lines = above.lines.iter().filter(|line| !line.repeats_question).map(|line| line.answer.trim());
    let said: Vec<&str> = lines.filter(|line| !line.is_empty()).take(SHOWN_LINES).collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

fn part(leaf: &Leaf, entry: Option<&Entry>, marks: Option<Marks>) -> Part {
    let key = entry.map(|entry| entry.key(marks, &leaf.options));
    let says = |key: &AnswerKey| !key.points.is_empty() || !key.levels.is_empty() || key.notes.is_some();
    let mut key = key.filter(says);
    let text = if leaf.lead.is_empty() { leaf.text.clone() } else { format!("{} {}", leaf.lead, leaf.text) };
    key.iter_mut().for_each(|key| crate::key::echoed::remove(key, &text));
    let by_levels = key.as_ref().is_some_and(|key| !key.levels.is_empty());
    // What is to be put in order is listed as options are.
    let in_order = key.as_ref().is_some_and(|key| match key.points.as_slice() {
        [only] => scheme::is_order(&only.text, &leaf.options),
        _ => false,
    });
    let kind = if in_order { Kind::ShortAnswer } else { leaf.kind };
    Part {
        label: leaf.label.clone(),
        text,
        marks,
        kind: if by_levels { Kind::Extended } else { kind },
        options: leaf.options.clone(),
        answer_key: key,
        page: leaf.page,
        regions: leaf.regions.clone(),
    }
}
