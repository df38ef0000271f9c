//! Students' scripts: which words are the student's, and which question each belongs to.
//!
//! A script is either the question paper itself with answers written on it, or blank sheets with
//! question numbers in the margin; often both, with extra sheets at the end. Each page is laid over the
//! pages of the paper. On a page that fits, the print is taken away and what is left belongs to the
//! question in whose region it stands. On any other page, labels at the beginning of lines say what
//! follows. Nothing here depends on chance or on the order of a map: the same script gives the same answers.

mod align;
mod bubbles;
mod choose;
mod continued;
mod copies;
mod doubt;
mod grid;
mod leaves;
mod plan;
mod repeats;
mod sheets;
mod template;
mod unread;

use crate::alphabets;
use crate::series::Series;
use choose::{Chooser, Chosen};
use continued::Note;
use domain::question::{Question, Region};
use leaves::Leaf;
use reader::page::{Document, Page, Rect};
use serde::{Deserialize, Serialize};
use sheets::Sheets;
use std::borrow::Cow;
use std::collections::HashSet;

/// What a student wrote, question by question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// One for each question without parts and each part, in paper order; empty where nothing was written.
    pub answers: Vec<Answer>,
    /// Writing that no question could be found for: names, rough work, notes.
    pub unassigned: Vec<Written>,
}

/// The answer to one question or part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question's number as printed.
    pub number: String,
    /// The part's label as printed, "(a)(ii)"; empty for a question without parts.
    pub label: String,
    /// What counts, with a line break where the student began a new line; crossed-out words left out.
    pub text: String,
    /// The words of `text`, in the same order.
    pub words: Vec<Written>,
    /// Labels of the options that were ticked, circled or written, in paper order.
    pub selected: Vec<String>,
    /// The ticks, rings and letters that chose them on the paper's own pages, with the option's label as text.
    #[serde(default)]
    pub ticks: Vec<Written>,
    /// Words that were crossed out. Where nothing else was written they are the answer, read with doubt.
    pub crossed_out: Vec<Written>,
    /// True when a note says that the answer goes on elsewhere, whether or not that place was found.
    pub continues_elsewhere: bool,
    /// How sure the recogniser is of the words, 0 to 1, long words counting for more, and of the marks. 1 when there are
    /// none, or less when the script holds writing for which no question was found.
    pub legibility: f32,
}

/// A word of the student's and its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// As it was read.
    pub text: String,
    /// Which of the script's files it stands in, counted from 0.
    pub file: u32,
    /// On which page of that file and where, in fractions of the page.
    pub place: Region,
    /// How sure the recogniser is, 0 to 1.
    pub confidence: f32,
    /// True when it was struck out.
    pub crossed_out: bool,
    /// True when a new line begins with it.
    pub starts_line: bool,
}

/// Finds the answers in a script's files.
pub fn read(template: &Document, questions: &[Question], files: &[Document]) -> Script {
    let latin: Vec<Cow<'_, Document>> = files.iter().map(alphabets::labelled).collect();
    if latin.iter().all(|file| matches!(file, Cow::Borrowed(_))) {
        return read_latin(template, questions, files);
    }
    let latin: Vec<Document> = latin.into_iter().map(Cow::into_owned).collect();
    read_latin(&alphabets::labelled(template), questions, &latin)
}

/// The same with Latin letters for labels.
fn read_latin(template: &Document, questions: &[Question], files: &[Document]) -> Script {
    let Some((series, numbered)) = Series::among(questions) else {
        return read_numbered(template, questions, files);
    };
    let plain: Vec<Document> = files.iter().map(|file| series.plain_like(file)).collect();
    let mut script = read_numbered(&series.plain_like(template), &numbered, &plain);
    for answer in &mut script.answers {
        answer.number = series.printed(&answer.number).unwrap_or_else(|| answer.number.clone());
    }
    script
}

fn read_numbered(template: &Document, questions: &[Question], files: &[Document]) -> Script {
    let leaves = leaves::leaves(questions);
    let mut draft = Draft::new(&leaves);
    let all =
        (0..).zip(files).flat_map(|(file, script)| script.pages.iter().map(move |page| Sheet { file, page }));
    let all: Vec<Sheet<'_>> = all.collect();
    // A sheet of bubbles is read by them; what else stands on it is read like any other page.
    let without_bubbles: Vec<Option<Page>> =
        all.iter().map(|sheet| draft.take_bubbles(&leaves, *sheet)).collect();
    let sheets: Vec<Sheet<'_>> = all
        .iter()
        .zip(&without_bubbles)
        .map(|(sheet, rest)| Sheet { file: sheet.file, page: rest.as_ref().unwrap_or(sheet.page) })
        .collect();
    let pages: Vec<&Page> = sheets.iter().map(|sheet| sheet.page).collect();
    let kinds = align::pages(template, &pages);
    // Photos come one page a file, so an answer on blank sheets runs over files as well as over pages.
    let apart = sheets.iter().zip(&kinds).filter(|(_, kind)| !matches!(kind, align::Kind::Laid(_)));
    let mut blank = Sheets::new(&leaves, template, apart.map(|(sheet, _)| *sheet).collect());
    let mut next = 0;
    for (sheet, kind) in sheets.iter().zip(kinds) {
        match kind {
            align::Kind::Laid(found) => {
                if let Some(printed) = template.pages.get(found.template) {
                    read_template_page(&leaves, *sheet, printed, &found, &mut draft);
                }
            }
            align::Kind::Copy | align::Kind::Blank => {
                draft.has_stray_marks |= unread::is_left_on(sheet.page);
                blank.read(next, matches!(kind, align::Kind::Copy), &mut draft);
                next += 1;
            }
        }
    }
    draft.finish(&leaves, &sheets)
}

/// A page of the script as it is worked on.
#[derive(Clone, Copy)]
struct Sheet<'a> {
    file: u32,
    page: &'a Page,
}

impl Sheet<'_> {
    /// A word of the page as the student's, with the text that is theirs.
    fn written(&self, index: usize, text: String, starts_line: bool) -> Written {
        let word = &self.page.words[index];
        Written {
            text,
            file: self.file,
            place: self.region(&word.place),
            confidence: word.confidence,
            crossed_out: word.crossed_out,
            starts_line,
        }
    }

    /// The mark that chose an option.
    fn tick(&self, chosen: &Chosen) -> Written {
        Written {
            text: chosen.label.clone(),
            file: self.file,
            place: self.region(&chosen.place),
            confidence: chosen.confidence,
            crossed_out: false,
            starts_line: true,
        }
    }

    fn region(&self, place: &Rect) -> Region {
        let (width, height) = (self.page.width.max(1.0), self.page.height.max(1.0));
        Region {
            page: self.page.number,
            x: place.x0 / width,
            y: place.y0 / height,
            width: place.width() / width,
            height: place.height() / height,
        }
    }
}

/// A page of the question paper with writing on it.
fn read_template_page(
    leaves: &[Leaf<'_>],
    sheet: Sheet<'_>,
    printed: &Page,
    found: &align::Match,
    draft: &mut Draft,
) {
    // Where the picture's print was taken away, a word may be left that stood a little elsewhere than drawn.
    let left = template::take_away(printed, sheet.page, &found.fit);
    let grid = grid::place(leaves, printed);
    for chosen in grid::read(leaves, printed, sheet.page, &found.fit) {
        // Where the paper's options were not read, the column's letter is the answer.
        if leaves[chosen.leaf].options.is_empty() {
            draft.add(Some(chosen.leaf), sheet.tick(&chosen));
        }
        draft.select(chosen.leaf, sheet.tick(&chosen));
    }
    let mut chooser = Chooser::new(leaves, printed, sheet.page, &found.fit);
    for line in in_lines(sheet.page, &left) {
        // A line belongs together: where its first word stands decides, so that a tall or slanting line
        // is not cut in two at the border of a region.
        let Some(first) = line.first() else { continue };
        let place = line.iter().fold(sheet.page.words[first.index].place, |whole, word| {
            whole.union(&sheet.page.words[word.index].place)
        });
        let at = found.fit.invert(place.centre());
        if grid.is_some_and(|grid| grid.contains(at)) {
            continue;
        }
        let leaf = leaf_at(leaves, printed, at);
        for (position, word) in line.iter().enumerate() {
            let starts_line = position == 0;
            let written = sheet.written(word.index, word.text.clone(), starts_line);
            let is_mark =
                leaf.is_some_and(|leaf| chooser.take(leaf, sheet.page.words[word.index].place, &written));
            if !is_mark {
                draft.add(leaf, written);
            }
        }
    }
    for chosen in chooser.chosen() {
        draft.select(chosen.leaf, sheet.tick(&chosen));
    }
    draft.unread.extend(unread::leaves(leaves, printed, sheet.page, &found.fit));
}

/// The student's words line by line.
fn in_lines(page: &Page, left: &[template::Left]) -> Vec<Vec<template::Left>> {
    let lines = reader::lines::lines(page);
    let mut grouped: Vec<Vec<template::Left>> = vec![Vec::new(); lines.len() + 1];
    for word in left {
        let home = lines.iter().position(|line| line.words.contains(&word.index)).unwrap_or(lines.len());
        grouped[home].push(word.clone());
    }
    grouped
}

/// The leaf in whose region a point of the template lies: of several the one that begins lowest, for the
/// last label above a line of writing is what it answers.
fn leaf_at(leaves: &[Leaf<'_>], printed: &Page, (x, y): (f32, f32)) -> Option<usize> {
    let (x, y) = (x / printed.width.max(1.0), y / printed.height.max(1.0));
    let on_page = || {
        let all = leaves.iter().enumerate();
        all.flat_map(|(index, leaf)| leaf.regions.iter().map(move |region| (index, region)))
            .filter(|(_, region)| region.page == printed.number)
    };
    let lowest = |a: &(usize, &Region), b: &(usize, &Region)| a.1.y.total_cmp(&b.1.y).then(a.0.cmp(&b.0));
    let around = on_page().filter(|(_, region)| {
        (region.y..region.y + region.height).contains(&y) && (region.x..region.x + region.width).contains(&x)
    });
    // Writing in the margins and below the last region belongs to what stands above it.
    let above = on_page().filter(|(_, region)| region.y <= y);
    around.max_by(lowest).or_else(|| above.max_by(lowest)).map(|(index, _)| index)
}

/// Answers while they are being gathered.
struct Draft {
    words: Vec<Vec<Written>>,
    ticks: Vec<Vec<Written>>,
    unassigned: Vec<Written>,
    /// What a blank sheet goes on with, since answers run over pages.
    current: Option<usize>,
    /// Something was marked for which there is no question.
    has_stray_marks: bool,
    /// Leaves that are not surely empty where nothing was found.
    unread: HashSet<usize>,
    /// Leaves whose label was not read for certain.
    guessed: HashSet<usize>,
}

impl Draft {
    fn new(leaves: &[Leaf<'_>]) -> Draft {
        Draft {
            words: vec![Vec::new(); leaves.len()],
            ticks: vec![Vec::new(); leaves.len()],
            unassigned: Vec::new(),
            current: None,
            has_stray_marks: false,
            unread: HashSet::new(),
            guessed: HashSet::new(),
        }
    }

    /// Takes what the bubbles of a page say. What is left of the page, when it was read so.
    fn take_bubbles(&mut self, leaves: &[Leaf<'_>], sheet: Sheet<'_>) -> Option<Page> {
        let found = bubbles::read(leaves, sheet.page)?;
        found.chosen.iter().for_each(|chosen| self.select(chosen.leaf, sheet.tick(chosen)));
        self.has_stray_marks |= found.is_doubtful;
        // Where every question has its row, whatever else the sheet holds is instructions.
        let all_chosen = leaves.iter().all(|leaf| leaf.kind == domain::question::Kind::MultipleChoice);
        let mut rest = sheet.page.clone();
        rest.words.retain(|word| {
            !all_chosen && !found.places.iter().any(|place| place.contains(word.place.centre()))
        });
        rest.darkness = rest.darkness.filter(|_| !all_chosen);
        Some(rest)
    }

    fn add(&mut self, leaf: Option<usize>, word: Written) {
        match leaf.and_then(|leaf| self.words.get_mut(leaf)) {
            Some(words) => words.push(word),
            None => self.unassigned.push(word),
        }
    }

    /// The answer that a note says goes on upon this page.
    fn awaited_on(&self, sheet: Sheet<'_>) -> Option<usize> {
        self.words.iter().position(|words| {
            let same_file = words.last().is_some_and(|word| word.file == sheet.file);
            let elsewhere = words.last().is_some_and(|word| word.place.page != sheet.page.number);
            same_file && elsewhere && continued::page_named(words) == Some(sheet.page.number)
        })
    }

    fn select(&mut self, leaf: usize, tick: Written) {
        if let Some(ticks) = self.ticks.get_mut(leaf)
            && !ticks.iter().any(|known| known.text == tick.text)
        {
            ticks.push(tick);
        }
    }

    fn finish(mut self, leaves: &[Leaf<'_>], sheets: &[Sheet<'_>]) -> Script {
        let notes: Vec<Option<Note>> = self.words.iter_mut().map(continued::take_note).collect();
        for (leaf, note) in notes.iter().enumerate() {
            let Some(number) = note.and_then(|note| note.page) else { continue };
            let file = self.words[leaf].last().map_or(0, |word| word.file);
            let Some(meant) = sheet_meant(sheets, file, number) else { continue };
            let on_it = |word: &Written| word.file == meant.file && word.place.page == meant.page.number;
            let (moved, rest) = self.unassigned.into_iter().partition(on_it);
            self.words[leaf].extend(moved);
            self.unassigned = rest;
        }
        let is_homeless = self.has_stray_marks || doubt::has_homeless_writing(&self.unassigned);
        let gathered = leaves.iter().enumerate().zip(self.words).zip(self.ticks).zip(notes);
        let answers = gathered.map(|((((index, leaf), mut words), ticks), note)| {
            let is_unread = is_homeless || self.unread.contains(&index);
            repeats::strip(&mut words, &leaf.asked);
            let selected = ticks.iter().map(|tick| tick.text.clone()).collect();
            let (mut crossed_out, mut words): (Vec<Written>, Vec<Written>) =
                words.into_iter().partition(|word| word.crossed_out);
            let is_taken_back = words.is_empty() && ticks.is_empty();
            if is_taken_back {
                words = std::mem::take(&mut crossed_out);
            }
            if is_taken_back || self.guessed.contains(&index) {
                words.iter_mut().for_each(|word| word.confidence = word.confidence.min(doubt::GUESSED));
            }
            Answer {
                number: leaf.number.to_owned(),
                label: leaf.label.to_owned(),
                text: text(&words),
                selected: choose::in_paper_order(leaf, selected, &words),
                legibility: legibility(&words, &ticks, is_unread),
                continues_elsewhere: note.is_some(),
                ticks,
                words,
                crossed_out,
            }
        });
        Script { answers: answers.collect(), unassigned: self.unassigned }
    }
}

/// "Page 7" is the seventh page of the same file, or of the whole script when that file has fewer.
fn sheet_meant<'a>(sheets: &'a [Sheet<'a>], file: u32, number: u32) -> Option<&'a Sheet<'a>> {
    let in_file = sheets.iter().find(|sheet| sheet.file == file && sheet.page.number == number);
    in_file.or_else(|| sheets.get(usize::try_from(number).ok()?.checked_sub(1)?))
}

fn text(words: &[Written]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(if word.starts_line { '\n' } else { ' ' });
        }
        text.push_str(&word.text);
    }
    text
}

fn legibility(words: &[Written], ticks: &[Written], is_unread: bool) -> f32 {
    let weigh = |word: &Written| word.text.chars().count() as f32;
    let total: f32 = words.iter().map(weigh).sum();
    let read = if total == 0.0 {
        1.0
    } else {
        words.iter().map(|word| weigh(word) * word.confidence).sum::<f32>() / total
    };
    // Writing that found no home, or ink that was not read, may be the answer to a question that seems to have none.
    let is_blank = words.is_empty() && ticks.is_empty();
    let least = ticks.iter().map(|tick| tick.confidence).fold(1.0, f32::min);
    read.min(least).min(if is_blank && is_unread { doubt::BLANK } else { 1.0 })
}

#[cfg(test)]
mod tests;
