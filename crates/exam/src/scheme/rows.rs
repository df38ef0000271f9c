//! Which lines of a scheme belong to which part of the paper.

use super::layout::{self, Layout, Zone};
use super::{Entry, EntryLine, Scheme};
use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style, Token};
use crate::numbering::{self, Evidence};
use crate::paper::Paper;
use reader::page::{Direction, Document, Page, Rect, Word};
use std::collections::{HashMap, HashSet};

pub(super) fn read(document: &Document, paper: &Paper) -> Scheme {
    let all = flow::all_lines(document);
    let known = Known::of(paper);
    let tabled = tabled(&all, document, &known);
    // A table that answers most parts is the scheme; else the fuller of two readings is.
    if tabled.entries.len() * 5 >= known.leaves * 3 && !tabled.entries.is_empty() {
        return tabled;
    }
    let running = running(&all, document, &known);
    if tabled.entries.len() >= running.entries.len() { tabled } else { running }
}

/// The labels and words of the paper.
struct Known {
    paths: HashSet<Vec<Token>>,
    /// For each question's number, the words that it asks with.
    asked: HashMap<u32, HashSet<String>>,
    leaves: usize,
    last: u32,
}

impl Known {
    fn of(paper: &Paper) -> Known {
        let mut paths = HashSet::new();
        let mut asked: HashMap<u32, HashSet<String>> = HashMap::new();
        for question in &paper.questions {
            for leaf in &question.leaves {
                for depth in 1..=leaf.path.len() {
                    paths.insert(leaf.path[..depth].to_vec());
                }
                let words = asked.entry(leaf.path[0].value).or_default();
                let choices = leaf.options.iter().map(|option| option.text.as_str());
                for text in [question.text.as_str(), &leaf.lead, &leaf.text].into_iter().chain(choices) {
                    words.extend(content(text));
                }
            }
        }
        let last = paper
            .questions
            .iter()
            .filter_map(|question| question.leaves.first())
            .map(|leaf| leaf.path[0].value);
        Known { paths, asked, leaves: paper.leaves().count(), last: last.max().unwrap_or(0) }
    }

    /// The path that a label means after the current one, if the paper has it, and how many of the
    /// label's levels it takes: a scheme may go deeper than the paper.
    fn resolve(&self, current: &[Token], tokens: &[Token]) -> Option<(Vec<Token>, usize)> {
        let first = tokens.first()?;
        let bases: Vec<&[Token]> = match first.kind {
            Kind::Number => vec![&[]],
            _ => (1..=current.len()).rev().map(|depth| &current[..depth]).collect(),
        };
        bases.into_iter().find_map(|base| {
            readings(tokens).into_iter().map(|tokens| [base, tokens.as_slice()].concat()).find_map(|path| {
                let depth = (1..=path.len()).rev().find(|depth| self.paths.contains(&path[..*depth]))?;
                // "2.3" is a number where the paper has no part 2.3.
                let whole = path[depth..].iter().all(|token| token.kind != Kind::Decimal);
                (depth > base.len() && whole).then(|| (path[..depth].to_vec(), depth - base.len()))
            })
        })
    }

    /// True when a line only repeats what the question asks.
    fn repeats(&self, number: u32, text: &str) -> bool {
        let Some(asked) = self.asked.get(&number) else { return false };
        let words = content(text);
        let shared = words.iter().filter(|word| asked.contains(*word)).count();
        words.len() >= 4 && shared * 100 >= words.len() * 85
    }
}

/// A label with `(i)` read as a numeral, and as a letter.
fn readings(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut all = vec![tokens.to_vec()];
    for (index, token) in tokens.iter().enumerate() {
        if let Some(letter) = token.as_letter() {
            let mut other = tokens.to_vec();
            other[index] = letter;
            all.push(other);
        }
    }
    all
}

/// The words of a text that carry meaning, for comparing texts.
fn content(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 2).collect()
}

/// Collects lines under labels.
struct Collector<'k> {
    known: &'k Known,
    scheme: Scheme,
    path: Vec<Token>,
    bottom: f32,
    /// The question was repeated and its solution has begun: what follows repeats nothing.
    solving: bool,
}

impl<'k> Collector<'k> {
    fn new(known: &'k Known) -> Collector<'k> {
        Collector { known, scheme: Scheme::default(), path: Vec::new(), bottom: 0.0, solving: false }
    }

    /// Takes up a label and gives back what of it the paper does not have, as text. `None` when the
    /// paper has no such part after the current one.
    fn enter(&mut self, tokens: &[Token], page: u32) -> Option<String> {
        let (path, used) = self.known.resolve(&self.path, tokens)?;
        self.solving &= self.path.first() == path.first();
        self.path = path;
        if !self.scheme.entries.iter().any(|entry| entry.path == self.path) {
            self.scheme.entries.push(Entry { path: self.path.clone(), page, lines: Vec::new() });
        }
        Some(tokens[used..].iter().map(|token| token.display()).collect())
    }

    /// Takes up a label inside the answer column: "(ii)" under a row labelled 2(a).
    fn enter_inner(&mut self, answer: &mut String, page: u32) {
        let words: Vec<&str> = answer.split_whitespace().collect();
        let Some(label) = labels::parse(&words) else { return };
        let level = label.style == Style::Brackets && label.tokens[0].kind != Kind::Number;
        if level
            && !self.path.is_empty()
            && let Some(rest) = self.enter(&label.tokens, page)
        {
            *answer = lead_with(&rest, &words[label.words..].join(" "));
        }
    }

    fn add(&mut self, line: &Line<'_>, mut entry_line: EntryLine) {
        let height = line.place.height().max(1.0);
        entry_line.space = (line.place.y0 - self.bottom) / height;
        self.bottom = line.place.y1;
        let Some(number) = self.path.first().map(|number| number.value) else { return };
        let first =
            entry_line.answer.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
        self.solving |=
            matches!(first.as_str(), "solution" | "solutions" | "answer" | "lösung" | "proof" | "sol");
        entry_line.repeats_question = !self.solving && self.known.repeats(number, &entry_line.answer);
        let path = &self.path;
        if let Some(entry) = self.scheme.entries.iter_mut().find(|entry| entry.path == *path) {
            entry.lines.push(entry_line);
        }
    }
}

/// Puts what is left of a label back before its text.
fn lead_with(rest: &str, text: &str) -> String {
    if rest.is_empty() { text.to_owned() } else { format!("{rest} {text}") }
}

/// Reads a scheme that is set as a table.
fn tabled(all: &[(Line<'_>, bool)], document: &Document, known: &Known) -> Scheme {
    let mut bands: Vec<Band<'_, '_>> = Vec::new();
    let mut layout: Option<Layout> = None;
    for page in &document.pages {
        let own = all.iter().filter(|(line, _)| line.page == page.number);
        let mut lines: Vec<(&Line<'_>, bool)> = own.map(|(line, furniture)| (line, *furniture)).collect();
        // Cells are read by height, whatever columns the page seemed to have.
        lines.sort_by(|(a, _), (b, _)| a.place.y1.total_cmp(&b.place.y1));
        read_table_page(&lines, page, &mut layout, &mut bands);
    }
    drop_stray_numbers(&mut bands, known);
    let mut collector = Collector::new(known);
    for band in bands {
        band.hand_over(&mut collector);
    }
    let first = collector.scheme.entries.first().map_or(0, |entry| entry.page);
    collector.scheme.has_instructions = has_instructions(all, first);
    collector.scheme
}

fn read_table_page<'l, 'd>(
    lines: &[(&'l Line<'d>, bool)],
    page: &Page,
    layout: &mut Option<Layout>,
    bands: &mut Vec<Band<'l, 'd>>,
) {
    let mut band = Band::default();
    let mut header_bottom = f32::NEG_INFINITY;
    for (index, (line, furniture)) in lines.iter().enumerate() {
        let below: Vec<&Line<'_>> = lines[index + 1..].iter().map(|(line, _)| *line).collect();
        if let Some(found) = layout::header(line, page, &below) {
            bands.push(std::mem::take(&mut band));
            *layout = Some(found);
            header_bottom = line.place.y1 + 0.9 * line.place.height();
            continue;
        }
        let Some(layout) = layout.as_ref() else { continue };
        // "number" under "Question" and "guidance" under "additional" belong to the header.
        let header_rest =
            line.place.y1 <= header_bottom + 2.0 && line.words.iter().all(|word| word.text.len() > 4);
        if *furniture || header_rest {
            continue;
        }
        if band.ends_before(line, layout, page) {
            bands.push(std::mem::take(&mut band));
        }
        band.lines.push((line, split(line, layout)));
    }
    bands.push(band);
}

/// Takes question numbers back that do not fit the others: the 4 of a fraction is no question 4.
///
/// Keeps the heaviest chain of numbers, in which going back or leaving numbers out costs.
fn drop_stray_numbers(bands: &mut [Band<'_, '_>], known: &Known) {
    /// Only so many earlier numbers are looked at, which bounds the work.
    const REACH: usize = 150;
    let mut found: Vec<(usize, usize, u32, f32)> = Vec::new();
    for (at, band) in bands.iter().enumerate() {
        for (index, (_, split)) in band.lines.iter().enumerate() {
            let Some(tokens) = &split.label else { continue };
            if tokens[0].kind == Kind::Number && known.resolve(&[], tokens).is_some() {
                found.push((at, index, tokens[0].value, 0.6 + 0.6 * tokens.len() as f32));
            }
        }
    }
    let step = |from: u32, to: u32| match to.checked_sub(from) {
        Some(0 | 1) => 0.0,
        Some(jump) => -0.5 * (jump - 1) as f32,
        None => -4.0,
    };
    let mut best: Vec<(f32, Option<usize>)> = Vec::new();
    for (index, (_, _, number, weight)) in found.iter().enumerate() {
        let earlier = index.saturating_sub(REACH)..index;
        let chained = earlier.map(|before| (best[before].0 + step(found[before].2, *number), Some(before)));
        let start = (step(0, *number), None);
        let (score, before) = chained.chain([start]).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or(start);
        best.push((score + weight, before));
    }
    let mut at = (0..best.len()).max_by(|a, b| best[*a].0.total_cmp(&best[*b].0));
    let mut kept = vec![false; found.len()];
    while let Some(index) = at {
        kept[index] = true;
        at = best[index].1;
    }
    for ((band, index, _, _), _) in found.iter().zip(kept).filter(|(_, kept)| !kept) {
        bands[*band].lines[*index].1.turn_to_text();
    }
}

/// Lines of one table row, whose label may stand beside its middle.
#[derive(Default)]
struct Band<'l, 'd> {
    lines: Vec<(&'l Line<'d>, Split)>,
}

impl Band<'_, '_> {
    /// True when a ruling across the label column parts the line from the band.
    fn ends_before(&self, line: &Line<'_>, layout: &Layout, page: &Page) -> bool {
        let Some((last, _)) = self.lines.last() else { return false };
        let (x, above, below) = (layout.label_middle(), last.place.centre().1, line.place.centre().1);
        let parts = |x0: f32, x1: f32, y: f32| x0 <= x && x <= x1 && above < y && y < below;
        let by_ruling = page.rulings.iter().any(|ruling| {
            ruling.direction == Direction::Horizontal
                && parts(ruling.place.x0, ruling.place.x1, ruling.place.y0)
        });
        let edges = |place: &Rect| parts(place.x0, place.x1, place.y0) || parts(place.x0, place.x1, place.y1);
        by_ruling || page.boxes.iter().any(edges)
    }

    /// Hands the band's lines over. With a single label, the lines above it are its own.
    fn hand_over(self, collector: &mut Collector<'_>) {
        let labelled = self.lines.iter().filter(|(_, split)| split.label.is_some()).count();
        let mut entered = None;
        if labelled == 1 {
            let label = self.lines.iter().find_map(|(line, split)| Some((split.label.as_ref()?, line.page)));
            entered = label.and_then(|(tokens, page)| collector.enter(tokens, page));
        }
        for (line, mut split) in self.lines {
            if let Some(tokens) = &split.label {
                match entered.take().or_else(|| collector.enter(tokens, line.page)) {
                    Some(rest) => split.line.answer = lead_with(&rest, &split.line.answer),
                    None => split.turn_to_text(),
                }
            }
            collector.enter_inner(&mut split.line.answer, line.page);
            collector.add(line, split.line);
        }
    }
}

/// A line by column.
struct Split {
    label: Option<Vec<Token>>,
    label_text: String,
    line: EntryLine,
}

impl Split {
    /// What looked like a label is a part of the answer.
    fn turn_to_text(&mut self) {
        if self.label.take().is_some() {
            self.line.answer = format!("{} {}", self.label_text, self.line.answer);
        }
    }
}

fn split(line: &Line<'_>, layout: &Layout) -> Split {
    let mut zones: [Vec<&Word>; 4] = Default::default();
    for word in line.words {
        match layout.zone(word) {
            Zone::Label => zones[0].push(word),
            Zone::Answer => zones[1].push(word),
            Zone::Marks => zones[2].push(word),
            Zone::Guidance => zones[3].push(word),
            Zone::Other => {}
        }
    }
    let text = |words: &[&Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let label_text = text(&zones[0]);
    let label = labels::parse_cell(&label_text);
    let starts_with_label = labels::parse(&line.texts());
    let indent = zones[1].first().map_or(line.place.x0, |word| word.place.x0);
    if label.is_none() && !zones[0].is_empty() {
        // Text that runs across the table, perhaps after a label: notes under the rows.
        return across(line, starts_with_label, indent);
    }
    let line = EntryLine {
        answer: text(&zones[1]),
        marks: text(&zones[2]),
        guidance: text(&zones[3]),
        strong: strong(&zones[1]),
        indent,
        ..EntryLine::default()
    };
    Split { label, label_text, line }
}

fn across(line: &Line<'_>, label: Option<labels::Label>, indent: f32) -> Split {
    let label = label.filter(|label| matches!(label.style, Style::Brackets | Style::Path | Style::Keyword));
    let used = label.as_ref().map_or(0, |label| label.words);
    let words: Vec<&Word> = line.words.iter().skip(used).collect();
    let label_text = flow::join(&line.words[..used]);
    let answer = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let line = EntryLine { answer, strong: strong(&words), indent, ..EntryLine::default() };
    Split { label: label.map(|label| label.tokens), label_text, line }
}

/// Words that stand out from the others of their line.
fn strong(words: &[&Word]) -> Vec<String> {
    let stands_out =
        |word: &&&Word| (word.bold || word.underlined) && word.text.chars().any(char::is_alphabetic);
    let marked: Vec<String> = words.iter().filter(stands_out).map(|word| word.text.clone()).collect();
    if marked.len() * 2 > words.len() { Vec::new() } else { marked }
}

/// Reads a scheme that is set as running text with labels.
fn running(all: &[(Line<'_>, bool)], document: &Document, known: &Known) -> Scheme {
    let mut lines: Vec<Line<'_>> =
        all.iter().filter(|(_, furniture)| !furniture).map(|(line, _)| line.clone()).collect();
    order_by_height(&mut lines, document);
    let evidence =
        Evidence { marks: vec![false; lines.len()], section: vec![false; lines.len()], numbers_only: true };
    let placed = numbering::number(&lines, &evidence);
    let numbers: HashMap<usize, &numbering::Placed> = placed
        .iter()
        .filter(|label| label.word == 0 && label.path[0].value <= known.last)
        .map(|label| (label.line, label))
        .collect();
    let mut collector = Collector::new(known);
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        if let Some(pairs) = answer_pairs(&texts) {
            for (number, letter) in pairs {
                if collector.enter(&[Token::new(Kind::Number, number)], line.page).is_some() {
                    collector.add(line, EntryLine { answer: letter.to_owned(), ..EntryLine::default() });
                }
            }
            continue;
        }
        let (mut used, mut rest) = (0, String::new());
        if let Some(label) = labels::parse(&texts) {
            let numbered = label.tokens[0].kind == Kind::Number;
            let current = collector.path.first().map_or(0, |number| number.value);
            let next = (current..=current + 1).contains(&label.tokens[0].value);
            let trusted = match label.style {
                Style::Keyword => true,
                Style::Path if next => true,
                _ if numbered => numbers.get(&index).is_some_and(|placed| placed.path[0] == label.tokens[0]),
                _ => true,
            };
            if trusted && let Some(left) = collector.enter(&label.tokens, line.page) {
                (used, rest) = (label.words, left);
            }
        }
        let words: Vec<&Word> = line.words.iter().skip(used).collect();
        let answer = lead_with(&rest, &flow::join(&line.words[used..]));
        let indent = words.first().map_or(line.place.x0, |word| word.place.x0);
        collector.add(line, EntryLine { answer, strong: strong(&words), indent, ..EntryLine::default() });
    }
    let first = collector.scheme.entries.first().map_or(0, |entry| entry.page);
    collector.scheme.has_instructions = has_instructions(all, first);
    collector.scheme
}

/// A line of a multiple choice key: "1. C 11. B 21. A". At least two pairs, or one alone.
fn answer_pairs<'t>(texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    let number =
        |word: &str| word.trim_end_matches(['.', ')', ':']).parse::<u32>().ok().filter(|number| *number > 0);
    let letter = |word: &str| word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    if texts.is_empty() || !texts.len().is_multiple_of(2) {
        return None;
    }
    let pair = |pair: &[&'t str]| {
        let bare = pair[1].trim_matches(['(', ')', '.']);
        number(pair[0]).filter(|_| letter(bare)).map(|number| (number, bare))
    };
    texts.chunks_exact(2).map(pair).collect()
}

/// Marks set beside a solution belong to it, so such a page is read by height, not by column.
fn order_by_height(lines: &mut [Line<'_>], document: &Document) {
    for page in &document.pages {
        let start = lines.partition_point(|line| line.page < page.number);
        let end = lines.partition_point(|line| line.page <= page.number);
        let own = &mut lines[start..end];
        let middle = page.width / 2.0;
        let labels_on_right = own.iter().any(|line| {
            line.place.x0 > middle
                && labels::parse(&line.texts()).is_some_and(|label| {
                    matches!(label.style, Style::Brackets | Style::Keyword)
                        && label.tokens[0].kind != Kind::Number
                })
        });
        if !labels_on_right {
            own.sort_by(|a, b| a.place.centre().1.total_cmp(&b.place.centre().1));
            labels_first(own);
        }
    }
}

/// A fraction or a mark beside a label reaches above the label's own line, and still belongs to it.
fn labels_first(lines: &mut [Line<'_>]) {
    const REACH: f32 = 17.0;
    for index in 1..lines.len() {
        let label = labels::parse(&lines[index].texts());
        if !label.is_some_and(|label| label.style == Style::Brackets && label.tokens[0].kind != Kind::Number)
        {
            continue;
        }
        let own = lines[index].place;
        let beside =
            |line: &Line<'_>| line.place.x0 > own.x0 + 12.0 && own.centre().1 - line.place.centre().1 < REACH;
        let above = lines[..index].iter().rev().take_while(|line| beside(line)).count();
        lines[index - above..=index].rotate_right(1);
    }
}

/// True when pages before the first entry speak to examiners in general.
fn has_instructions(all: &[(Line<'_>, bool)], first: u32) -> bool {
    let before = all.iter().filter(|(line, furniture)| line.page < first && !furniture);
    let speaks = |line: &Line<'_>| {
        let text = line.text().to_lowercase();
        let general = [
            "marking principle",
            "general marking",
            "general instruction",
            "marking guidance",
            "abbreviation",
        ];
        let to_examiners = ["examiners should", "examiners must", "must be awarded", "candidates must be"];
        general.iter().chain(&to_examiners).any(|phrase| text.contains(phrase))
    };
    before.filter(|(line, _)| speaks(line)).count() >= 1
}
