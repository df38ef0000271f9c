//! Rows of labels with the right letters below them, anywhere in a scheme: "Question 1 2 3" over "Answer B C A".
//!
//! Beside a table of answers or above it such rows are no part of it, and what stands in them belongs to no one label.

use super::known::Known;
use super::{Entry, EntryLine, Scheme};
use crate::flow::Line;
use crate::labels::{self, Kind, Token};
use crate::marks::{self, Certainty};
use crate::numbering::Outline;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;
use reader::page::Word;
use std::collections::HashSet;

/// A shorter row may be anything.
const LEAST: usize = 3;
/// So many words may name a row: "Correct answer".
const NAME_WORDS: usize = 2;
/// No question offers more letters.
const LAST_LETTER: char = 'H';

/// The letters that grids give.
pub(super) struct Grids {
    given: Vec<Given>,
}

/// The letter that a grid gives a part.
struct Given {
    section: usize,
    path: Vec<Token>,
    said: String,
    page: u32,
    /// Where on its page the table ends.
    bottom: f32,
    /// What the scheme says that it is worth.
    each: Option<Marks>,
}

/// Labels or parts, each with what stands below it: a letter, or a few of them.
type Answers = Vec<(Vec<Token>, String)>;

/// What stands below a grid.
enum Worth {
    /// "Marks 1 1 1": what each of them is worth.
    Row(Vec<Marks>),
    /// "(1 mark for each) Total = 10 marks": what one of them is worth.
    Each(Marks),
}

impl Worth {
    fn of(&self, at: usize) -> Option<Marks> {
        match self {
            Worth::Row(marks) => marks.get(at).copied(),
            Worth::Each(marks) => Some(*marks),
        }
    }
}

/// A row's cells, each with its middle.
struct Row<T> {
    cells: Vec<(T, f32)>,
}

/// Takes the grids out of a scheme's lines. Where the paper counts again, they are of the only questions that all offer
/// options.
pub(super) fn take(all: &mut [(Line<'_>, bool)], known: &Known) -> Grids {
    let mut given: Vec<Given> = Vec::new();
    let mut current: Vec<Token> = Vec::new();
    let own: Vec<usize> = (0..all.len()).filter(|at| !all[*at].1).collect();
    for (place, &at) in own.iter().enumerate() {
        let line = &all[at].0;
        let answered = |next: usize| {
            let &below = own.get(next)?;
            let cells = grid(line, &all[below].0, known.outline)?;
            Some((next, row(cells, known, &current)?))
        };
        // "4 points each" may be set beside both rows, and lower than the first.
        let over = || {
            let between = own.get(place + 1).filter(|at| is_price(&all[**at].0))?;
            answered(place + 2).map(|found| (found, *between))
        };
        let found = answered(place + 1).map(|found| (found, None));
        let found = found.or_else(|| over().map(|(found, between)| (found, Some(between))));
        let Some(((next, (section, row)), between)) = found else {
            let own = labels::parse(&line.texts());
            if let Some((path, _)) = own.and_then(|label| known.resolve(0, &current, &label.tokens)) {
                current = path;
            }
            continue;
        };
        let (page, count) = (line.page, row.len());
        let bottom = all[own[next]].0.place.y1;
        let is_new = |path: &Vec<Token>| given.iter().all(|own| own.section != section || own.path != *path);
        if !row.iter().all(|(path, _)| is_new(path)) {
            continue;
        }
        let below_at = own[next];
        let below = own.get(next + 1).map(|&third| (third, worth(&all[third].0, count)));
        let each = |at: usize| below.as_ref().and_then(|(_, worth)| worth.as_ref()?.of(at));
        let of_part = |(at, (path, said)): (usize, (Vec<Token>, String))| Given {
            section,
            path,
            said,
            page,
            bottom,
            each: each(at),
        };
        given.extend(row.into_iter().enumerate().map(of_part));
        all[at].1 = true;
        all[below_at].1 = true;
        between.into_iter().for_each(|at| all[at].1 = true);
        // "Answers to multiple choice questions" heads them.
        if let Some(above) =
            place.checked_sub(1).map(|above| own[above]).filter(|above| heads(&all[*above].0))
        {
            all[above].1 = true;
        }
        if let Some((third, Some(_))) = below {
            all[third].1 = true;
        }
    }
    Grids { given }
}

impl Grids {
    /// How many parts they answer.
    pub(super) fn len(&self) -> usize {
        self.given.len()
    }

    /// Which parts they answer, each with its run of numbers.
    pub(super) fn told(&self) -> HashSet<(usize, Vec<Token>)> {
        self.given.iter().map(|given| (given.section, given.path.clone())).collect()
    }

    /// Adds what a table says of a part.
    pub(super) fn say(&mut self, section: usize, path: Vec<Token>, said: String, page: u32) {
        self.given.push(Given { section, path, said, page, bottom: 0.0, each: None });
    }

    /// The runs of numbers all of whose leaves are answered here, each with where the last of its tables ends.
    pub(super) fn answered(&self, known: &Known) -> Vec<(usize, (u32, f32))> {
        let of = |(section, leaves): (usize, &Vec<Vec<Token>>)| {
            let own = || self.given.iter().filter(move |given| given.section == section);
            let whole =
                !leaves.is_empty() && leaves.iter().all(|leaf| own().any(|given| given.path == *leaf));
            let place = |given: &Given| (given.page, given.bottom);
            let last = own().map(place).max_by(|one, next| one.0.cmp(&next.0).then(one.1.total_cmp(&next.1)));
            last.filter(|_| whole).map(|last| (section, last))
        };
        known.order.iter().enumerate().filter_map(of).collect()
    }

    /// Puts their letters before what the scheme says of those parts.
    pub(super) fn add_to(self, scheme: &mut Scheme) {
        for Given { section, path, said, page, each, .. } in self.given {
            let own = |entry: &&mut Entry| entry.section == section && entry.path == path;
            let letter = said.parse().ok().filter(|letter: &char| names_option(letter.to_ascii_uppercase()));
            match (scheme.entries.iter_mut().find(own), letter) {
                (Some(entry), Some(_)) => (entry.letter, entry.stated) = (letter, entry.stated.or(each)),
                (Some(_), None) => {}
                (None, _) => {
                    let line = EntryLine { answer: said, ..EntryLine::default() };
                    let lines = if letter.is_none() { vec![line] } else { Vec::new() };
                    let entry =
                        Entry { section, path, page, letter, stated: each, lines, ..Entry::default() };
                    scheme.entries.push(entry);
                }
            }
        }
    }
}

/// True for a line that names a kind of questions and little else.
fn heads(line: &Line<'_>) -> bool {
    const LONGEST: usize = 8;
    line.words.len() <= LONGEST && lexicon::says(Concept::KindHeading, &line.text().to_lowercase()).is_some()
}

/// "je 4 Punkte" and nothing else.
fn is_price(line: &Line<'_>) -> bool {
    const LONGEST: usize = 4;
    let note = marks::at_end(&line.texts()).filter(|note| note.certainty == Certainty::Sure);
    line.words.len() <= LONGEST && note.is_some()
}

/// What a line below a grid of so many letters says that they are worth.
fn worth(line: &Line<'_>, count: usize) -> Option<Worth> {
    let row = cells(line, |word| word.text.parse::<u32>().ok());
    if let Some(row) = row.filter(|row| row.cells.len() == count) {
        return Some(Worth::Row(row.cells.into_iter().map(|(marks, _)| Marks::whole(marks)).collect()));
    }
    // "Question 2 (25 marks)" heads what follows.
    if labels::parse(&line.texts()).is_some_and(|label| label.style == labels::Style::Keyword) {
        return None;
    }
    let note = marks::at_end(&line.texts()).filter(|note| note.certainty == Certainty::Sure)?;
    let halves = note.marks.as_halves();
    let shared = u32::try_from(count).ok().filter(|count| halves % count == 0)?;
    // A heading may stand there as well: only a whole mark or two for each is a sum.
    let each = Marks::halves(halves / shared);
    (Marks::whole(1)..=Marks::whole(5)).contains(&each).then_some(Worth::Each(each))
}

/// Two lines that are a row of labels and one of letters below it.
fn grid(above: &Line<'_>, below: &Line<'_>, outline: Outline) -> Option<Answers> {
    if above.page != below.page {
        return None;
    }
    let labels = cells(above, |word| outline.parse(&[&word.text]).map(|label| label.tokens))?;
    let steps = labels.cells.windows(2).map(|pair| pair[1].1 - pair[0].1);
    let step = steps.fold(f32::INFINITY, f32::min);
    let middles: Vec<f32> = labels.cells.iter().map(|(_, middle)| *middle).collect();
    let letters = single_below(below, (&middles, step))
        .or_else(|| several_below(below, (&middles, step)))
        .or_else(|| numbers_below(below, (&middles, step)))?;
    let counts = |pair: &[Vec<Token>]| match (pair[0].last(), pair[1].last()) {
        (Some(one), Some(other)) => other.value == one.value + 1,
        _ => false,
    };
    let paths: Vec<Vec<Token>> = labels.cells.into_iter().map(|(tokens, _)| tokens).collect();
    if !paths.windows(2).all(counts) {
        return None;
    }
    Some(paths.into_iter().zip(letters).collect())
}

/// A letter below each label, or the first letter of a verdict.
fn single_below(below: &Line<'_>, (middles, step): (&[f32], f32)) -> Option<Vec<String>> {
    let letters = cells(below, letter).or_else(|| cells(below, verdict))?.cells;
    let aligned = |(middle, letter): (&f32, &(char, f32))| (middle - letter.1).abs() <= step / 2.0;
    let fits = letters.len() == middles.len() && middles.iter().zip(&letters).all(aligned);
    fits.then(|| letters.into_iter().map(|(letter, _)| letter.to_string()).collect())
}

/// A number below each label, in a row that is named for the answers: "Answer 10 42 1.1".
fn numbers_below(below: &Line<'_>, (middles, step): (&[f32], f32)) -> Option<Vec<String>> {
    let number = |word: &Word| {
        let plain =
            word.text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '–' | '−'));
        plain.then(|| word.text.clone())
    };
    let row = cells(below, number)?.cells;
    let name = below.words.len() - row.len();
    let named = below.words[..name].iter().any(|word| {
        let name = word.text.trim_end_matches(':').to_lowercase();
        [Concept::AnswerColumn, Concept::AnswerLead].iter().any(|concept| lexicon::is(*concept, &name))
    });
    let aligned = |(middle, own): (&f32, &(String, f32))| (middle - own.1).abs() <= step / 2.0;
    let fits = named && row.len() == middles.len() && middles.iter().zip(&row).all(aligned);
    fits.then(|| row.into_iter().map(|(number, _)| number).collect())
}

/// Letters below most labels, and below some a few of them: "B   C   P, F, P".
fn several_below(below: &Line<'_>, (middles, step): (&[f32], f32)) -> Option<Vec<String>> {
    let left = middles.first()? - step / 2.0;
    let named = below.words.iter().take_while(|word| word.place.centre().0 < left).count();
    let mut columns: Vec<Vec<&Word>> = vec![Vec::new(); middles.len()];
    for word in &below.words[named..] {
        let right = middles.iter().skip(1).take_while(|next| word.place.centre().0 > *next - step / 2.0);
        columns[right.count()].push(word);
    }
    let mark = |word: &&&Word| {
        let bare = word.text.trim_end_matches([',', ';']);
        bare.chars().count() == 1 && bare.chars().all(|c| c.is_ascii_uppercase())
    };
    let plain = columns.iter().all(|own| !own.is_empty() && own.iter().filter(mark).count() == own.len());
    let single = columns.iter().filter(|own| own.len() == 1 && letter(own[0]).is_some()).count();
    let joined = |own: &Vec<&Word>| own.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    (plain && named <= NAME_WORDS && single >= LEAST && single * 2 > columns.len())
        .then(|| columns.iter().map(joined).collect())
}

/// The parts that a grid answers, and in which of the paper's runs of numbers.
fn row(cells: Answers, known: &Known, current: &[Token]) -> Option<(usize, Answers)> {
    if known.counts_again() {
        let paths: Vec<Vec<Token>> = cells.iter().map(|(tokens, _)| tokens.clone()).collect();
        return Some((known.section_of(&paths)?, cells));
    }
    let own = |(tokens, said): (Vec<Token>, String)| Some((part(&tokens, known, current, &said)?, said));
    Some((0, cells.into_iter().map(own).collect::<Option<_>>()?))
}

/// The part that a label in a grid means: one that the paper has, and that may be answered by a letter.
fn part(tokens: &[Token], known: &Known, current: &[Token], said: &str) -> Option<Vec<Token>> {
    let (path, used) = known.resolve(0, current, tokens)?;
    let may_choose = match path.as_slice() {
        // Several letters answer what offers none.
        [number] if number.kind == Kind::Number => known.offers(number.value) || said.len() > 1,
        _ => true,
    };
    (used == tokens.len() && may_choose).then_some(path)
}

/// The cells of a row, from its last word back to the words that name it.
fn cells<T>(line: &Line<'_>, read: impl Fn(&Word) -> Option<T>) -> Option<Row<T>> {
    let mut cells: Vec<(T, f32)> =
        line.words.iter().rev().map_while(|word| Some((read(word)?, word.place.centre().0))).collect();
    cells.reverse();
    let named = line.words.len() - cells.len();
    (cells.len() >= LEAST && named <= NAME_WORDS).then_some(Row { cells })
}

fn single(word: &Word) -> Option<char> {
    word.text.trim_matches(['(', ')', '.']).parse().ok()
}

fn letter(word: &Word) -> Option<char> {
    single(word).filter(|letter| names_option(letter.to_ascii_uppercase()))
}

/// "V" and "F", "T" and "F", "J" and "N": the first letters of true and false.
fn verdict(word: &Word) -> Option<char> {
    single(word).filter(|letter| papers::VERDICT_CAPITALS.contains(letter))
}

fn names_option(letter: char) -> bool {
    ('A'..=LAST_LETTER).contains(&letter)
}
