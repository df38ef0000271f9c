//! Kinds of questions that count side by side: a "Numerical Response" 1 and 2 of their own between the questions 1 to
//! 7. They are read as one row of numbers, and named by the initials of their kind afterwards: "NR1".

use crate::codes::ANNOUNCING;
use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style};
use crate::marks;
use domain::marks::Marks;
use domain::question::Question;
use lexicon::Concept;
use reader::page::{Document, Page, Word};
use std::ops::Range;

/// No paper counts more kinds of questions.
const KINDS_MAX: usize = 6;
/// A heading of one question has no more words: "Written Response—8 marks".
const HEADING_WORDS: usize = 6;
/// No kind's name has more words.
const NAME_WORDS: usize = 4;
/// Between the heading of a question and its number stands what it is asked about, in lines.
const LEAD: usize = 30;

/// A paper's questions in order, each with its kind and its number among these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Series {
    /// The initials of the kinds that headings name. The first, without any, is that of all other questions.
    kinds: Vec<String>,
    numbered: Vec<(usize, u32)>,
}

/// A question's number and its heading, as places of words: a page's in the document, and those on it.
struct Head {
    number: (usize, usize),
    heading: Option<(usize, Range<usize>, Option<Marks>)>,
}

/// A paper with kinds of questions that count side by side, its questions numbered through.
pub(crate) fn plain(document: &Document) -> Option<(Document, Series)> {
    let lines = flow::lines(document);
    // The instructions may explain a kind under its name, which heads no question there.
    let (all, later) = (counted(document, &lines, 0), counted(document, &lines, 1));
    let (series, heads) = if later.1.len() > all.1.len() { later } else { all };
    // Each question of such a kind has its heading; what counts on below a single one is a section. One that stands
    // before a question of the others tells that they count side by side.
    let last = series.numbered.iter().rposition(|(kind, _)| *kind == 0)?;
    let between = |own: usize| series.numbered[..last].iter().any(|(kind, _)| *kind == own);
    let count = |own: usize| series.numbered.iter().filter(|(kind, _)| *kind == own).count();
    let beside = (1..series.kinds.len()).any(|kind| count(kind) > 1 && between(kind));
    (beside && count(0) > 1).then(|| (numbered_through(document, &heads), series))
}

/// The questions of a paper by their kinds, without so many of the first headings.
fn counted(document: &Document, lines: &[Line<'_>], without: usize) -> (Series, Vec<Head>) {
    let page = |line: &Line<'_>| document.pages.iter().position(|page| page.number == line.page);
    let mut series = Series { kinds: vec![String::new()], ..Series::default() };
    let mut heads: Vec<Head> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut passed = 0;
    for (at, line) in lines.iter().enumerate() {
        // "Written Response – Question 15" goes on with the numbers of the others.
        if let Some((word, number)) = named_with_number(line).filter(|(_, number)| *number == series.next(0))
            && let Some(page) = page(line)
        {
            series.numbered.push((0, number));
            let heading = Some((page, line.range.clone(), marks_of(line)));
            heads.push(Head { number: (page, line.range.start + word), heading });
            open = None;
            continue;
        }
        if let Some(kind) = heading(line) {
            passed += 1;
            if passed > without {
                open = series.kind(&initials(&kind)).map(|kind| (kind, at));
            }
            continue;
        }
        let below = open.is_some_and(|(_, from)| at == from + 1);
        let alone =
            || line.words.first().filter(|own| below && line.words.len() == 1 && is_closed(&own.text));
        let Some(number) = own_number(line).or_else(|| number_of(&alone()?.text)) else { continue };
        let headed = open.filter(|(kind, from)| number == series.next(*kind) && at - from <= LEAD);
        let kind = headed.map_or(0, |(kind, _)| kind);
        if number == series.next(kind) {
            series.numbered.push((kind, number));
            let heading = headed.and_then(|(_, from)| {
                Some((page(&lines[from])?, lines[from].range.clone(), marks_of(&lines[from])))
            });
            let Some(page) = page(line) else { continue };
            heads.push(Head { number: (page, line.range.start), heading });
            open = None;
        }
    }
    (series, heads)
}

/// The paper with one row of numbers, each where its question's heading stands.
fn numbered_through(document: &Document, heads: &[Head]) -> Document {
    let mut pages: Vec<Redrawn> = document.pages.iter().map(Redrawn::of).collect();
    for (head, own) in heads.iter().zip(1..) {
        let (page, word) = head.number;
        let Some((heading_page, words, marks)) = &head.heading else {
            pages[page].set(word, announced(own));
            continue;
        };
        pages[page].drop(word..word + 1);
        pages[*heading_page].drop(words.start + 1..words.end);
        pages[*heading_page].set(words.start, announced(own));
        if let Some(marks) = marks {
            pages[*heading_page].set(words.end - 1, format!("[{marks}]"));
        }
    }
    let redrawn = document.pages.iter().zip(pages);
    Document { pages: redrawn.map(|(page, own)| Page { words: own.words(), ..page.clone() }).collect() }
}

fn announced(number: u32) -> String {
    format!("{ANNOUNCING}{number}")
}

/// The marks that a heading names behind its kind: "Written Response—8 marks".
fn marks_of(line: &Line<'_>) -> Option<Marks> {
    let text = line.text().replace(['—', '–'], " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    marks::at_end(&words).filter(|_| line.words.len() > 1).map(|note| note.marks)
}

impl Series {
    /// A scheme or a script with the numbers that a paper's questions have now, tables in their order.
    pub(crate) fn plain_like(&self, document: &Document) -> Document {
        let mut document = document.clone();
        let mut table = Table::default();
        let mut current = 0;
        for page in &mut document.pages {
            let mut redrawn = Redrawn::of(page);
            table.start = None;
            for line in flow::page_lines(page) {
                let row = self.row_of_key(&line);
                // Below a title that names two kinds nothing says which a number is of, unless its row does.
                let named = |row: &KeyRow| {
                    let glued = |(words, _): &(Range<usize>, usize)| self.glued(&line.words[words.start]);
                    row.end < line.words.len() || row.answers.iter().any(|piece| glued(piece).is_some())
                };
                if let Some(KeyRow { answers, end }) =
                    row.filter(|row| table.columns.is_empty() || named(row))
                {
                    let start = *table.start.get_or_insert(line.range.start);
                    redrawn.drop(line.range.start + end..line.range.end);
                    for (words, place) in answers {
                        let own = line.range.start + words.start..line.range.start + words.end;
                        redrawn.set(own.start, announced(place as u32 + 1));
                        redrawn.order(own, (start, place));
                    }
                    continue;
                }
                if let Some(place) = self.glued(&line.words[0]) {
                    redrawn.set(line.range.start, announced(place as u32 + 1));
                    continue;
                }
                let named = self.named(&line);
                let numbers = numbers(&line);
                if numbers.is_empty() {
                    // "MC 1, 2, 3; NR 1" lists them, and names no column.
                    if let [(_, kind, _)] = named[..] {
                        current = kind;
                    }
                    if !named.is_empty() {
                        table = Table::under(&named);
                    }
                    continue;
                }
                for (at, (word, number)) in numbers.iter().enumerate() {
                    let beside = named.iter().rfind(|(end, _, _)| is_just_behind(&line, *end, *word));
                    let heads = beside.is_some() && is_priced_or_over(&line, word + 1);
                    let column = table.column(middle(&line.words[*word..=*word]));
                    let kind = match (beside, column) {
                        (Some((_, kind, _)), _) => *kind,
                        (None, Some(column)) => table.columns[column].0,
                        (None, None) if *word == 0 => current,
                        (None, None) => continue,
                    };
                    if heads {
                        (current, table) = (kind, Table::default());
                    }
                    let of = |kind: usize| self.numbered.iter().position(|own| *own == (kind, *number));
                    // "Written Response – Question 15" may count with the others.
                    let Some(place) = of(kind).or_else(|| of(0).filter(|_| heads)) else { continue };
                    redrawn.set(line.range.start + word, announced(place as u32 + 1));
                    if heads {
                        // "Scoring guide for written-response question 1" begins with its number now.
                        redrawn.drop(line.range.start..line.range.start + word);
                    } else if beside.is_none() && column.is_some() {
                        let from = if at == 0 { 0 } else { *word };
                        let to = numbers.get(at + 1).map_or(line.words.len(), |(next, _)| *next);
                        let start = *table.start.get_or_insert(line.range.start);
                        redrawn.order(line.range.start + from..line.range.start + to, (start, place));
                    }
                }
            }
            page.words = redrawn.words();
        }
        document
    }

    /// The kinds of questions that were read so, and the questions numbered through.
    pub(crate) fn among(questions: &[Question]) -> Option<(Series, Vec<Question>)> {
        let mut series = Series { kinds: vec![String::new()], ..Series::default() };
        for question in questions {
            let kind = question.number.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = question.number[kind.len()..].parse().ok()?;
            let letters = kind.chars().all(|c| c.is_ascii_uppercase());
            let kind = series.kind(kind).filter(|_| letters)?;
            series.numbered.push((kind, number));
        }
        // A single letter is a code: "A1", "B2".
        let named = series.kinds.iter().skip(1).any(|kind| kind.len() > 1);
        let renumbered = questions
            .iter()
            .zip(1..)
            .map(|(question, number): (_, u32)| Question { number: number.to_string(), ..question.clone() });
        let renumbered = renumbered.collect();
        named.then_some((series, renumbered))
    }

    /// A question's name as the paper has it, by its place.
    pub(crate) fn printed(&self, number: &str) -> Option<String> {
        let at = number.parse::<usize>().ok()?.checked_sub(1)?;
        let (kind, number) = self.numbered.get(at)?;
        Some(format!("{}{number}", self.kinds[*kind]))
    }

    /// Names questions as the paper does, with the initials of their kind before the number.
    pub(crate) fn name(&self, questions: &mut [Question]) {
        for question in questions {
            question.number = self.printed(&question.number).unwrap_or_else(|| question.number.clone());
        }
    }

    /// A row of a key for several kinds, "2. B   9. B   NR1 11.6": each label with its answer and the place of its
    /// question.
    fn row_of_key(&self, line: &Line<'_>) -> Option<KeyRow> {
        const ANSWER_WORDS: usize = 2;
        let place = |word: &Word| {
            let plain = || number_of(&word.text).filter(|_| is_closed(&word.text));
            let bare =
                || self.numbered.iter().position(|own| Some(*own) == plain().map(|number| (0, number)));
            self.glued(word).or_else(bare)
        };
        // The name of a kind may stand beside the row, above its own.
        let end = match self.named(line).last() {
            Some((end, _, _)) if *end == line.words.len() => {
                (0..line.words.len()).rev().find(|at| kind_at(&line.words[*at..]).is_some()).unwrap_or(*end)
            }
            _ => line.words.len(),
        };
        let labels: Vec<(usize, usize)> =
            (0..end).filter_map(|at| Some((at, place(&line.words[at])?))).collect();
        let ends = labels.iter().skip(1).map(|(at, _)| *at).chain([end]);
        let answers: Vec<(Range<usize>, usize)> =
            labels.iter().zip(ends).map(|((at, place), end)| (*at..end, *place)).collect();
        let short = answers.iter().all(|(words, _)| (2..=1 + ANSWER_WORDS).contains(&words.len()));
        let begins = answers.first().is_some_and(|(words, _)| words.start == 0);
        (answers.len() > 1 && begins && short).then_some(KeyRow { answers, end })
    }

    /// The question that a word names: "NR1".
    fn glued(&self, word: &Word) -> Option<usize> {
        let word = word.text.trim_end_matches(['.', ')', ':']);
        let kind = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let kind = self.kinds.iter().skip(1).position(|own| own == kind)? + 1;
        let number = word[self.kinds[kind].len()..].parse().ok()?;
        self.numbered.iter().position(|own| *own == (kind, number))
    }

    fn next(&self, kind: usize) -> u32 {
        self.numbered.iter().rfind(|(own, _)| *own == kind).map_or(1, |(_, number)| number + 1)
    }

    /// The place of a kind among the known ones, which it joins.
    fn kind(&mut self, name: &str) -> Option<usize> {
        let known = self.kinds.iter().position(|own| own == name);
        if known.is_none() && self.kinds.len() < KINDS_MAX {
            self.kinds.push(name.to_owned());
            return Some(self.kinds.len() - 1);
        }
        known
    }

    /// The kinds that a line names: the word behind each, its place among the known ones, where its middle stands.
    fn named(&self, line: &Line<'_>) -> Vec<(usize, usize, f32)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < line.words.len() {
            let short = self.kinds.iter().skip(1).position(|kind| *kind == line.words[at].text);
            let named = kind_at(&line.words[at..]);
            let (kind, count) = match (short, named) {
                (Some(kind), _) => (kind + 1, 1),
                (None, Some((name, count))) => {
                    let name = initials(&name);
                    (self.kinds.iter().position(|own| *own == name).unwrap_or(0), count)
                }
                (None, None) => {
                    at += 1;
                    continue;
                }
            };
            found.push((at + count, kind, middle(&line.words[at..at + count])));
            at += count;
        }
        found
    }
}

/// A row of a key for several kinds of questions.
struct KeyRow {
    /// Each label with its answer, as words of the line, and the place of its question.
    answers: Vec<(Range<usize>, usize)>,
    /// Where the row ends: the name of a kind may stand beside it.
    end: usize,
}

/// Answers in columns, each below the name of its kind.
#[derive(Debug, Default)]
struct Table {
    /// Each column's kind and where its name has its middle.
    columns: Vec<(usize, f32)>,
    /// The first word of its rows on this page.
    start: Option<usize>,
}

impl Table {
    fn under(named: &[(usize, usize, f32)]) -> Table {
        let columns = named.iter().map(|(_, kind, middle)| (*kind, *middle));
        Table { columns: columns.filter(|_| named.len() > 1).collect(), start: None }
    }

    fn column(&self, x: f32) -> Option<usize> {
        let away = |column: &usize| (self.columns[*column].1 - x).abs();
        (0..self.columns.len()).min_by(|a, b| away(a).total_cmp(&away(b)))
    }
}

/// A page's words with other numbers, some in another order.
struct Redrawn {
    words: Vec<((usize, usize), Option<Word>)>,
}

impl Redrawn {
    fn of(page: &Page) -> Redrawn {
        let words = page.words.iter().enumerate();
        Redrawn { words: words.map(|(at, word)| ((at, 0), Some(word.clone()))).collect() }
    }

    fn set(&mut self, word: usize, text: String) {
        if let Some((_, own)) = self.words.get_mut(word) {
            let place = own.take().unwrap_or_default();
            *own = Some(Word { text, ..place });
        }
    }

    fn drop(&mut self, words: Range<usize>) {
        for (_, word) in self.words.get_mut(words).unwrap_or_default() {
            *word = None;
        }
    }

    fn order(&mut self, words: Range<usize>, order: (usize, usize)) {
        for (own, _) in self.words.get_mut(words).unwrap_or_default() {
            *own = order;
        }
    }

    fn words(mut self) -> Vec<Word> {
        self.words.sort_by_key(|(order, _)| *order);
        self.words.into_iter().filter_map(|(_, word)| word).collect()
    }
}

/// The number behind the name of a kind, and which of the line's words it is: "Written Response – Question 15".
fn named_with_number(line: &Line<'_>) -> Option<(usize, u32)> {
    kind_at(line.words)?;
    let numbers = numbers(line);
    let [(word, number)] = numbers[..] else { return None };
    is_priced_or_over(line, word + 1).then_some((word, number))
}

/// True where a line has nothing but marks from a word on.
fn is_priced_or_over(line: &Line<'_>, from: usize) -> bool {
    let rest: Vec<&str> = line.words[from..].iter().map(|own| own.text.as_str()).collect();
    rest.is_empty() || marks::at_end(&rest).is_some_and(|note| note.words == rest.len())
}

/// The kind that a line names and nothing else, but perhaps its marks.
fn heading(line: &Line<'_>) -> Option<String> {
    let short = line.words.len() <= HEADING_WORDS;
    kind_at(line.words).map(|(name, _)| name).filter(|_| short && numbers(line).is_empty())
}

/// The kind that words begin with, "Numerical Response" or "numerical-response", and how many of them name it.
fn kind_at(words: &[Word]) -> Option<(String, usize)> {
    let spaced = |word: &Word| word.text.to_lowercase().replace('-', " ");
    let lower: Vec<String> = words.iter().take(NAME_WORDS).map(spaced).collect();
    let text = lower.join(" ");
    let length = lexicon::begins_with(Concept::KindHeading, &text)?;
    let name = text.get(..length)?.to_owned();
    let mut covered = 0;
    let count = lower.iter().take_while(|word| {
        let open = covered < length;
        covered += word.len() + 1;
        open
    });
    let count = count.count();
    Some((name, count))
}

/// The number that a line's first word is, where more follows.
fn own_number(line: &Line<'_>) -> Option<u32> {
    let label = labels::parse(&line.texts())?;
    let first = label.tokens.first().filter(|first| first.kind == Kind::Number)?;
    let closed = matches!(label.style, Style::Dot | Style::Close | Style::Path);
    let plain = closed && number_of(&line.words[0].text).is_some() && line.words.len() > label.words;
    plain.then_some(first.value)
}

/// The words of a line that are closed numbers, or numbers that a word announces.
fn numbers(line: &Line<'_>) -> Vec<(usize, u32)> {
    let announced = |at: usize| {
        let before = at.checked_sub(1).map(|before| line.words[before].text.to_lowercase());
        before.is_some_and(|before| lexicon::is(Concept::Label, &before))
    };
    let all = line.words.iter().enumerate();
    all.filter_map(|(at, word)| {
        let number = number_of(&word.text).filter(|_| is_closed(&word.text) || announced(at))?;
        Some((at, number))
    })
    .collect()
}

/// True when a number stands right behind the name of its kind, or behind the word that announces it.
fn is_just_behind(line: &Line<'_>, end: usize, number: usize) -> bool {
    let announces = |word: &Word| lexicon::is(Concept::Label, &word.text.to_lowercase());
    let dash = |word: &&Word| matches!(word.text.as_str(), "-" | "–" | "—");
    let end = end + usize::from(line.words.get(end).as_ref().is_some_and(dash));
    number == end || number == end + 1 && line.words.get(end).is_some_and(announces)
}

fn is_closed(word: &str) -> bool {
    word.ends_with(['.', ')'])
}

fn number_of(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(['.', ')', ':']);
    let plain = !digits.is_empty() && digits.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit());
    digits.parse().ok().filter(|number| plain && *number > 0)
}

fn middle(words: &[Word]) -> f32 {
    let left = words.first().map_or(0.0, |word| word.place.x0);
    let right = words.last().map_or(0.0, |word| word.place.x1);
    (left + right) / 2.0
}

/// "NR" for "numerical response".
fn initials(kind: &str) -> String {
    kind.split(' ').filter_map(|word| word.chars().next()).flat_map(char::to_uppercase).collect()
}
