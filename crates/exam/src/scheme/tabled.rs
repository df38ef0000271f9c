//! Schemes that are set as a table: which rows belong to which part of the paper.

use super::collect::{Collector, lead_with};
use super::known::Known;
use super::layout::{self, Layout, Zone};
use super::split::{Split, across, split};
use super::{EntryLine, Scheme, middles, sums};
use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style, Token};
use crate::marks;
use crate::numbering::{self, Inner};
use reader::page::{Direction, Document, Page, Rect};
use std::collections::HashSet;

/// Reads a scheme that is set as a table, and tells how many headings of questions its columns cut in two: those of a table
/// of one answer among running text do.
pub(super) fn read(all: &[(Line<'_>, bool)], document: &Document, known: &Known) -> (Scheme, usize) {
    let mut cut = 0;
    let mut bands: Vec<Band<'_, '_>> = Vec::new();
    let mut layout: Option<Layout> = None;
    for page in &document.pages {
        let own = all.iter().filter(|(line, _)| line.page == page.number);
        // "Exercise 2 (9 points)" over questions that go on counting is no answer to the last of Exercise 1.
        let is_left_out =
            |(line, furniture): &&(Line<'_>, bool)| *furniture || known.is_section(&line.texts());
        let mut lines: Vec<(&Line<'_>, bool)> = own.map(|own| (&own.0, is_left_out(&own))).collect();
        // Cells are read by height, whatever columns the page seemed to have.
        lines.sort_by(|(a, _), (b, _)| a.place.y1.total_cmp(&b.place.y1));
        cut += read_table_page(&lines, page, &mut layout, &mut bands);
    }
    place_inner(&mut bands, known);
    drop_bracketed(&mut bands, known);
    drop_stray_numbers(&mut bands, known);
    let mut collector = Collector::new(known, all);
    for band in bands.into_iter().flat_map(Band::parted) {
        band.hand_over(&mut collector);
    }
    sums::settle(&mut collector.scheme);
    sums::leave_out_whole(&mut collector.scheme);
    sums::settle_quarters(&mut collector.scheme);
    (collector.scheme, cut)
}

/// True for "Exercise 3: Accounts" whose word and number stand in different columns.
fn is_cut(line: &Line<'_>, layout: &Layout) -> bool {
    let label = labels::parse(&line.texts()).filter(|label| label.style == Style::Keyword);
    let zone = |at: usize| line.words.get(at).map(|word| layout.zone(word));
    let is_read = heads_question(line).is_some();
    label.is_some_and(|label| !is_read && label.words > 1 && zone(0) != zone(label.words - 1))
}

/// Reads a page of it, and tells how many headings its columns cut.
fn read_table_page<'l, 'd>(
    lines: &[(&'l Line<'d>, bool)],
    page: &Page,
    layout: &mut Option<Layout>,
    bands: &mut Vec<Band<'l, 'd>>,
) -> usize {
    let mut cut = 0;
    let mut band = Band::default();
    if let Some(last) = layout.as_mut() {
        *last = last.fitted(page);
    }
    let below = |index: usize| lines[index + 1..].iter().map(|(line, _)| *line).collect::<Vec<_>>();
    let headers: Vec<Option<Layout>> = lines
        .iter()
        .enumerate()
        .map(|(index, (line, _))| layout::header(line, page, &below(index)))
        .collect();
    let is_header: Vec<bool> = headers.iter().map(Option::is_some).collect();
    let header_at: Vec<f32> = lines
        .iter()
        .zip(&headers)
        .filter(|(_, header)| header.is_some())
        .map(|((line, _), _)| line.place.y1)
        .collect();
    for (index, ((line, furniture), header)) in lines.iter().zip(headers).enumerate() {
        if let Some(found) = header {
            bands.push(std::mem::take(&mut band));
            *layout = Some(found);
            band.lines.extend(named_in_header(line).map(|split| (*line, split)));
            continue;
        }
        // "number" under "Question" and "guidance" under "additional" belong to the header.
        let within = |heights: f32| {
            header_at.iter().any(|y| (y - line.place.y1).abs() < heights * line.place.height())
        };
        let near_header = within(1.6);
        if let Some(parted) = layout.as_ref().filter(|_| within(3.0)).and_then(|own| own.parted_by(line)) {
            *layout = Some(parted);
            continue;
        }
        let Some(layout) = layout.as_ref() else {
            // The first question may be named above the first table.
            // With its marks behind it, it may head a table of letters instead.
            let is_own = |label: &labels::Label| {
                label.words == line.words.len() || is_header.get(index + 1) == Some(&true)
            };
            if let Some(label) = heads_question(line).filter(is_own).or_else(|| titles_question(line)) {
                let mut split = across(line, Some(label), line.place.x0);
                split.line.answer.clear();
                band.lines = vec![(line, split)];
            } else if header_at.last().is_some_and(|y| *y > line.place.y1) {
                band.name_question(line);
            }
            continue;
        };
        // A number alone in the column of labels below a header is a question's, however like a page's it looks.
        let below_header = header_at.iter().any(|y| *y < line.place.y0);
        let numbers_row = line.words.len() == 1
            && below_header
            && layout.zone(&line.words[0]) == Zone::Label
            && flow::is_number(line)
            && !numbers_page(line, page);
        if (*furniture && !numbers_row) || (near_header && layout::is_part_of_header(line)) {
            continue;
        }
        cut += usize::from(is_cut(line, layout));
        let heads = heads_question(line).is_some() && !stands_between(lines, index);
        let heads_section = crate::paper::is_section_heading(line) || heads;
        let split = split(line, layout, page.width);
        // Labels that begin the answers, or stand between tables, have what follows them.
        let begins = split.label.is_some() && !layout.has_labels;
        if heads_section || begins || band.ends_before(line, layout, page) {
            bands.push(std::mem::take(&mut band));
        }
        band.lines.push((line, split));
    }
    bands.push(band);
    cut
}

/// Reads numbers as those of parts where the paper counts so and rows of their own announce the questions:
/// "Exercise 1", then "1." and "2.b.".
fn place_inner(bands: &mut [Band<'_, '_>], known: &Known) {
    let asks = |split: &Split| numbering::asks(&split.label_text.split(' ').collect::<Vec<_>>());
    let splits = |bands: &[Band<'_, '_>]| -> bool {
        let mut all = bands.iter().flat_map(|band| &band.lines);
        all.any(|(_, split)| {
            let named = split.label_text.starts_with(char::is_alphabetic);
            split.label.is_some() && named && !asks(split)
        })
    };
    if known.outline.inner != Inner::Any || !splits(bands) {
        return;
    }
    for (_, split) in bands.iter_mut().flat_map(|band| &mut band.lines) {
        let counted = split.label_text.starts_with(|first: char| first.is_ascii_digit()) || asks(split);
        // "b) (2)" counts within its letter.
        let capital = split.label_text.starts_with(|first: char| first.is_ascii_uppercase());
        if let Some([first @ Token { kind: Kind::Letter, .. }, below @ ..]) = split.label.as_deref_mut() {
            // "A. 2. b." is in "Part A".
            if capital && known.has_parts_over_numbers && below.iter().any(|own| own.kind == Kind::Decimal) {
                first.kind = Kind::Capital;
            }
            below.iter_mut().filter(|own| own.kind == Kind::Decimal).for_each(|own| own.kind = Kind::Inner);
        }
        let Some(tokens) = split.label.as_mut().filter(|_| counted) else { continue };
        if !tokens.iter().any(|token| token.kind == Kind::Decimal) {
            tokens[0].kind = Kind::Inner;
        }
    }
}

/// True for the number of the page at its foot.
fn numbers_page(line: &Line<'_>, page: &Page) -> bool {
    const FOOT: f32 = 0.9;
    line.words[0].text.parse() == Ok(page.number) && line.place.y0 > FOOT * page.height
}

/// Takes numbers in brackets back where a word announces the questions: "(2)" counts something else then.
fn drop_bracketed(bands: &mut [Band<'_, '_>], known: &Known) {
    const LEAST: usize = 2;
    let number = |split: &Split| match split.label.as_deref() {
        Some([only]) if only.kind == Kind::Number => Some(only.value),
        _ => None,
    };
    let splits = bands.iter().flat_map(|band| &band.lines).map(|(_, split)| split);
    let named = splits.filter(|split| split.label_text.starts_with(char::is_alphabetic));
    let numbers: HashSet<u32> =
        named.filter_map(number).filter(|own| known.has(&[Token::new(Kind::Number, *own)])).collect();
    if numbers.len() < LEAST {
        return;
    }
    for (_, split) in bands.iter_mut().flat_map(|band| &mut band.lines) {
        if split.label_text.starts_with('(') && number(split).is_some() {
            split.turn_to_text();
        }
    }
}

/// Takes question numbers back that do not fit the others: the 4 of a fraction is no question 4.
///
/// Keeps the heaviest chain of numbers, in which going back or leaving numbers out costs.
fn drop_stray_numbers(bands: &mut [Band<'_, '_>], known: &Known) {
    /// Only so many earlier numbers are looked at, which bounds the work.
    const REACH: usize = 150;
    let mut found: Vec<(usize, usize, u32, f32)> = Vec::new();
    // Behind a later number, those that a table answers count the items of a list.
    let (told, mut items, mut last) = (known.told_numbers(), Vec::new(), 0);
    for (at, band) in bands.iter().enumerate() {
        for (index, (_, split)) in band.lines.iter().enumerate() {
            let Some(tokens) = &split.label else { continue };
            let value = tokens[0].value;
            if tokens[0].kind != Kind::Number || !known.has(tokens) {
                continue;
            }
            if told.contains(&value) && value < last {
                items.push((at, index));
                continue;
            }
            if !told.contains(&value) {
                last = value;
            }
            found.push((at, index, value, 0.6 + 0.6 * tokens.len() as f32));
        }
    }
    for (band, index) in items {
        bands[band].lines[index].1.turn_to_text();
    }
    let step = |from: u32, to: u32| match to.checked_sub(from) {
        Some(0 | 1) => 0.0,
        Some(jump) => -0.5 * (jump - 1) as f32,
        None if to == 1 && known.counts_again() => -0.2,
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
    /// The first question above the first table, until one of its parts follows.
    opening: Option<(&'l Line<'d>, Split)>,
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

    /// One band for each row where labels stand beside the middles of their answers.
    fn parted(mut self) -> Vec<Self> {
        let row = |(line, split): &(&Line<'_>, Split)| middles::Row {
            y: line.place.centre().1,
            height: line.place.height(),
            is_labelled: split.label.is_some(),
            answers: !split.line.answer.trim().is_empty(),
        };
        let rows: Vec<middles::Row> = self.lines.iter().map(row).collect();
        let Some(starts) = middles::begins(&rows) else { return vec![self] };
        let mut parted: Vec<Self> = Vec::with_capacity(starts.len());
        for start in starts.into_iter().skip(1).rev() {
            parted.push(Band { lines: self.lines.split_off(start), opening: None });
        }
        parted.push(self);
        parted.reverse();
        parted
    }

    /// True when the band's only label stands at its top or beside its middle. What stands far above it goes on from
    /// the page before.
    fn label_is_beside(&self) -> bool {
        const HEAD: usize = 3;
        let count = self.lines.len();
        let at = self.lines.iter().position(|(_, split)| split.label.is_some()).unwrap_or(0);
        at <= HEAD || (at * 10 >= count * 3 && at * 10 <= count * 7)
    }

    /// Joins a label that wraps in its cell: "ONE" over "(a)", beside which no answer begins.
    fn join_wrapped(&mut self) {
        for at in 1..self.lines.len() {
            let (above, below) = self.lines.split_at_mut(at);
            let ((_, first), (_, next)) = (&mut above[at - 1], &mut below[0]);
            let deeper = |one: &[Token], other: &[Token]| {
                let (outer, inner) =
                    (one.last().map(|last| last.kind), other.first().map(|first| first.kind));
                matches!(inner, Some(Kind::Letter | Kind::Roman)) && outer != inner
            };
            let empty = next.line.answer.trim().is_empty() && !first.line.answer.trim().is_empty();
            if let (Some(outer), Some(inner)) = (&mut first.label, &next.label)
                && empty
                && first.is_row
                && deeper(outer, inner)
            {
                outer.extend(next.label.take().into_iter().flatten());
            }
        }
    }

    /// Hands the band's lines over. With a single label, the lines above it are its own.
    fn hand_over(mut self, collector: &mut Collector<'_>) {
        self.join_wrapped();
        let labelled = self.lines.iter().filter(|(_, split)| split.label.is_some()).count();
        let mut entered = None;
        let headed = self.lines.first().is_some_and(|(line, _)| collector.heading(line));
        if labelled == 1 && self.label_is_beside() {
            let of_row =
                |(line, split): &(&Line<'_>, Split)| Some((split.label.clone()?, line.page, split.is_row));
            let label = self.lines.iter().find_map(of_row);
            // A note below the rows answers from its own line on.
            let first = self.lines.first().is_some_and(|(_, split)| split.label.is_some());
            let label = label.filter(|(_, _, is_row)| *is_row || first);
            entered = label.and_then(|(tokens, page, _)| collector.enter(&tokens, page));
        }
        for (line, mut split) in self.lines.into_iter().skip(usize::from(headed)) {
            if let Some(tokens) = &split.label {
                match entered.take().or_else(|| collector.enter(tokens, line.page)) {
                    Some(rest) => split.line.answer = lead_with(&rest, &split.line.answer),
                    None => split.turn_to_text(),
                }
            }
            if let Some(stated) = split.stated {
                collector.state(stated);
            }
            collector.enter_inner(&mut split.line.answer, line.page);
            collector.add(line, split.line);
        }
    }
}

impl<'l, 'd> Band<'l, 'd> {
    /// Takes up "1. Study the text." above the first table, and "(a) Define a tax. [2]" below it: labels whose question
    /// is repeated.
    fn name_question(&mut self, line: &'l Line<'d>) {
        let Some(label) = labels::parse(&line.texts()) else { return };
        let closed = matches!(label.style, Style::Dot | Style::Close);
        let numbers = closed && label.tokens[0].kind == Kind::Number;
        let opens = numbers && label.tokens[0].value == 1;
        let part = label.style == Style::Brackets && label.tokens[0].kind != Kind::Number;
        // What goes on with 2, or has no part, are notes to examiners.
        if numbers {
            self.lines.clear();
            self.opening = None;
        }
        if part {
            self.lines.extend(self.opening.take());
        }
        if !(opens || part && !self.lines.is_empty()) {
            return;
        }
        let mut split = across(line, None, line.place.x0);
        split.line.answer.clear();
        split.label_text = flow::join(&line.words[..label.words]);
        split.label = Some(label.tokens);
        match opens {
            true => self.opening = Some((line, split)),
            false => self.lines.push((line, split)),
        }
    }
}

/// True for a line whose height overlaps that of the lines above and below it: a label beside the middle of its answer.
fn stands_between(lines: &[(&Line<'_>, bool)], index: usize) -> bool {
    const OVERLAP: f32 = 0.2;
    let (own, _) = lines[index];
    let overlaps = |other: Option<usize>| {
        let other = other.and_then(|other| lines.get(other));
        other.is_some_and(|(line, _)| {
            let shared = line.place.y1.min(own.place.y1) - line.place.y0.max(own.place.y0);
            shared > OVERLAP * own.place.height()
        })
    };
    overlaps(index.checked_sub(1)) && overlaps(Some(index + 1))
}

/// "Question 2 (b)", or "Question 2 (15 marks)", on a line of its own stands above a table that has no column for it.
pub(super) fn heads_question(line: &Line<'_>) -> Option<labels::Label> {
    let texts = line.texts();
    let label = labels::parse(&texts).filter(|label| label.style == Style::Keyword)?;
    let worth = marks::at_start(&texts[label.words..]).filter(|note| note.bracketed);
    (label.words + worth.map_or(0, |note| note.words) == texts.len()).then_some(label)
}

/// "Question | Exercise 2 – A jump | Points" names its question in the head of its table.
fn named_in_header(line: &Line<'_>) -> Option<Split> {
    let texts = line.texts();
    let read = |at: usize| {
        let label = labels::parse(&texts[at..]).filter(|label| label.style == Style::Keyword)?;
        let titled = at + label.words + 1 < texts.len();
        titled.then(|| (label.tokens, flow::join(&line.words[at..at + label.words])))
    };
    let (tokens, label_text) = (1..texts.len()).find_map(read)?;
    Some(Split { label: Some(tokens), label_text, stated: None, line: EntryLine::default(), is_row: false })
}

/// "Exercise 1 – A walk by the river (8 points)" names its question and what it is about.
fn titles_question(line: &Line<'_>) -> Option<labels::Label> {
    let label = labels::parse(&line.texts()).filter(|label| label.style == Style::Keyword)?;
    // "Exercise 1 (8 points) – A walk by the river"
    let worth = marks::at_start(&line.texts()[label.words..]).filter(|note| note.bracketed);
    let next = &line.words.get(label.words + worth.map_or(0, |note| note.words))?.text;
    let parted =
        line.words[label.words - 1].text.ends_with(':') || matches!(next.as_str(), "-" | "–" | "—" | ":");
    parted.then_some(label)
}
