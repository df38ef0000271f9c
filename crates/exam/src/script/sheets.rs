//! Blank sheets, and copies of the paper that were typed into: labels at the beginning of lines say which
//! question follows.

use super::align::plain;
use super::choose;
use super::copies::Print;
use super::doubt;
use super::leaves::{self, Leaf, Pointer, labels_of};
use super::plan::{self, Candidate};
use super::{Draft, Sheet};
use crate::flow;
use crate::labels::{self, Kind, Label, Style};
use crate::numbering::Outline;
use crate::paper;
use lexicon::english::scripts;
use reader::lines::Line;
use reader::page::Document;
use std::collections::{HashMap, HashSet};

/// A bare number begins an answer when it stands left of the writing by this share of the page's width.
const OUTDENT_MIN: f32 = 0.02;
/// So many lines without a label say where writing goes on.
const GOING_ON_MIN: usize = 4;
/// White above a line, in line heights, that sets it apart.
const SPACED: f32 = 0.7;

/// The blank sheets of a script, with what each of their lines names.
pub(super) struct Sheets<'s, 'a> {
    sheets: Vec<(Sheet<'s>, Vec<Line>)>,
    /// By sheet and line: the label that names a question, and in which of the paper's sections.
    named: HashMap<(usize, usize), (Label, usize)>,
    pointer: Pointer<'a>,
    /// All leaves that are named somewhere.
    told: HashSet<usize>,
    leaves: &'a [Leaf<'a>],
    print: Print,
    outline: Outline,
}

impl<'s, 'a> Sheets<'s, 'a> {
    pub(super) fn new(leaves: &'a [Leaf<'a>], template: &Document, sheets: Vec<Sheet<'s>>) -> Sheets<'s, 'a> {
        let sheets: Vec<(Sheet<'s>, Vec<Line>)> =
            sheets.into_iter().map(|sheet| (sheet, reader::lines::lines(sheet.page))).collect();
        let written = sheets.iter().flat_map(|(sheet, lines)| lines.iter().map(|line| texts(*sheet, line)));
        let outline = leaves::outline(leaves, written);
        let named = named(leaves, &sheets, outline);
        let (pointer, print) = (Pointer::new(leaves), Print::of(template));
        let told = told(pointer.clone(), &named);
        Sheets { sheets, named, pointer, told, leaves, print, outline }
    }

    /// Gives each line of a sheet to the question that was named last.
    pub(super) fn read(&mut self, index: usize, is_copy: bool, draft: &mut Draft) {
        let Some((sheet, lines)) = self.sheets.get(index) else { return };
        let (sheet, lines) = (*sheet, lines.clone());
        // Who answers a paper of one question has no reason to number the answer.
        let only = (self.leaves.len() == 1).then_some(0);
        draft.current = draft.awaited_on(sheet).or(draft.current).or(only);
        for (at, line) in lines.iter().enumerate() {
            let texts = texts(sheet, line);
            let height = line.place.centre().1 / sheet.page.height.max(1.0);
            if !self.named.contains_key(&(index, at)) && doubt::is_furniture(&texts, height) {
                continue;
            }
            if self.read_pairs(sheet, line, &texts, draft) {
                continue;
            }
            let (label_words, glued) = self.follow(index, at, &texts, draft);
            let printed = if is_copy { self.print.take(&texts) } else { 0 };
            let begun = label_words.max(printed);
            let skipped = begun + if begun > 0 { separators(&texts[begun..]) } else { 0 };
            if printed > 0 && self.chooses_by_tick(sheet, line, &texts, printed, draft) {
                continue;
            }
            if crate::paper::is_section_heading(&as_line(sheet, line)) && printed == 0 && self.has_sections()
            {
                continue;
            }
            if !glued.is_empty() && printed == 0 {
                let word = line.words.start + label_words - 1;
                draft.add(draft.current, sheet.written(word, glued.to_owned(), true));
            }
            self.add_words(sheet, line, (skipped, glued.is_empty()), draft);
        }
    }

    /// Gives the words of a line from one on to the question that was named last, or to the next part where
    /// its label stands among them: "a) 5 b) 7".
    fn add_words(&mut self, sheet: Sheet<'_>, line: &Line, (from, starts): (usize, bool), draft: &mut Draft) {
        let texts = texts(sheet, line);
        let mut starts_line = starts;
        let mut position = from;
        while position < texts.len() {
            if position > from
                && let Some(used) = self.next_part(&texts, position, draft)
            {
                position += used + separators(&texts[position + used..]);
                starts_line = true;
                continue;
            }
            let word = line.words.start + position;
            draft.add(draft.current, sheet.written(word, texts[position].to_owned(), starts_line));
            (starts_line, position) = (false, position + 1);
        }
    }

    /// Takes up the label of the part after the current one inside a line; how many words it has.
    fn next_part(&mut self, texts: &[&str], at: usize, draft: &mut Draft) -> Option<usize> {
        let current = draft.current?;
        let closed = |label: &Label| matches!(label.style, Style::Brackets | Style::Close) && !label.glued;
        let label = labels::parse(&texts[at..]).filter(closed)?;
        let mut pointer = self.pointer.clone();
        let leaf = pointer.follow(&label).filter(|leaf| *leaf == current + 1)?;
        let same = self.leaves[leaf].number == self.leaves[current].number;
        let spoken_of = scripts::SPOKEN_OF.has(&plain(texts[at - 1]));
        if !same || spoken_of {
            return None;
        }
        self.pointer = pointer;
        draft.current = Some(leaf);
        Some(label.words)
    }

    fn has_sections(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.section > 0)
    }

    /// Takes up the label that a line begins with and gives back how many words it has, and what of the
    /// answer is glued to it.
    fn follow<'t>(
        &mut self,
        index: usize,
        at: usize,
        texts: &[&'t str],
        draft: &mut Draft,
    ) -> (usize, &'t str) {
        let named = match self.named.get(&(index, at)) {
            Some((label, section)) => {
                self.pointer.enter(*section);
                self.pointer.follow(label).map(|leaf| (leaf, label.clone()))
            }
            None => {
                let labels = labels_of(texts, self.outline);
                self.follow_misread(&labels, draft).or_else(|| {
                    labels.into_iter().filter(is_level).find_map(|label| {
                        let leaf = self.pointer.follow(&label)?;
                        Some((leaf, label))
                    })
                })
            }
        };
        let Some((leaf, label)) = named else { return (0, "") };
        draft.current = Some(leaf);
        let glued = if label.glued { labels::glued_text(texts[label.words - 1]) } else { "" };
        (label.words, glued)
    }

    /// Where a part is named twice in a row and the one after it nowhere, the second is that one, read wrongly: "(b)(ii)"
    /// as "(b)(i)". Both are doubtful then.
    fn follow_misread(&mut self, labels: &[Label], draft: &mut Draft) -> Option<(usize, Label)> {
        let is_whole = |label: &&Label| label.tokens.len() > 1 && label.tokens[0].kind == Kind::Number;
        let label = labels.iter().find(is_whole)?;
        let (current, mut pointer) = (draft.current?, self.pointer.clone());
        let next = current + 1;
        let same = self.leaves.get(next)?.number == self.leaves[current].number;
        let is_misread = same
            && pointer.follow(label) == Some(current)
            && !self.told.contains(&next)
            && draft.words.get(current).is_some_and(|words| !words.is_empty());
        if !is_misread {
            return None;
        }
        self.told.insert(next);
        draft.guessed.extend([current, next]);
        Some((next, label.clone()))
    }

    /// "1. C 2. B 3. D", "1C 2B 3D": a row of numbers with letters.
    fn read_pairs(&mut self, sheet: Sheet<'_>, line: &Line, texts: &[&str], draft: &mut Draft) -> bool {
        let glued = |text: &&str| {
            let at = text.find(|c: char| !c.is_ascii_digit())?;
            let leaf = self.pointer.numbered(text[..at].parse().ok()?)?;
            choose::named_option(&self.leaves[leaf], &text[at..]).map(|letter| (leaf, letter))
        };
        let all: Option<Vec<(usize, String)>> = texts.iter().map(glued).collect();
        if let Some(all) = all.filter(|all| all.len() > 1) {
            for (index, (leaf, letter)) in line.words.clone().zip(all) {
                draft.add(Some(leaf), sheet.written(index, letter, true));
            }
            return true;
        }
        if texts.len() < 4 || !texts.len().is_multiple_of(2) {
            return false;
        }
        let pair = |at: usize| {
            let number: u32 = texts[at].trim_end_matches(['.', ')', ':', '-']).parse().ok()?;
            let leaf = self.pointer.numbered(number)?;
            choose::named_option(&self.leaves[leaf], texts[at + 1]).map(|_| (at + 1, leaf))
        };
        let pairs: Option<Vec<(usize, usize)>> = (0..texts.len()).step_by(2).map(pair).collect();
        let Some(pairs) = pairs else { return false };
        for (at, leaf) in pairs {
            let index = line.words.start + at;
            draft.add(Some(leaf), sheet.written(index, texts[at].to_owned(), true));
        }
        true
    }

    /// A tick after an option's own line chooses it.
    fn chooses_by_tick(
        &self,
        sheet: Sheet<'_>,
        line: &Line,
        texts: &[&str],
        printed: usize,
        draft: &mut Draft,
    ) -> bool {
        let Some(leaf) = draft.current.and_then(|leaf| self.leaves.get(leaf)) else { return false };
        let option = texts.first().and_then(|first| choose::named_option(leaf, first));
        let (Some(option), [mark]) = (option, &texts[printed.min(texts.len())..]) else { return false };
        let ticked = choose::is_mark(mark);
        if let (true, Some(current)) = (ticked, draft.current) {
            let tick = sheet.written(line.words.start + printed, option, true);
            draft.select(current, tick);
        }
        ticked
    }
}

fn texts<'s>(sheet: Sheet<'s>, line: &Line) -> Vec<&'s str> {
    sheet.page.words[line.words.clone()].iter().map(|word| word.text.as_str()).collect()
}

fn as_line<'s>(sheet: Sheet<'s>, line: &Line) -> flow::Line<'s> {
    flow::Line {
        page: sheet.page.number,
        place: line.place,
        words: &sheet.page.words[line.words.clone()],
        range: line.words.clone(),
    }
}

/// A part's label, which the question named last makes clear.
fn is_level(label: &Label) -> bool {
    label.tokens.first().is_some_and(|token| token.kind != Kind::Number) && label.style != Style::Bare
}

/// The lines of all sheets that name questions.
fn named(
    leaves: &[Leaf<'_>],
    sheets: &[(Sheet<'_>, Vec<Line>)],
    outline: Outline,
) -> HashMap<(usize, usize), (Label, usize)> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut headed = false;
    for (index, (sheet, lines)) in sheets.iter().enumerate() {
        let label_of = |line: &Line| {
            labels_of(&texts(*sheet, line), outline).into_iter().find(|label| {
                label.tokens[0].kind == Kind::Number && leaves.iter().any(|leaf| leaf.is_under(label))
            })
        };
        let labels: Vec<Option<Label>> = lines.iter().map(label_of).collect();
        let margin = usual_start(lines, &labels);
        for ((at, line), label) in lines.iter().enumerate().zip(labels) {
            headed |= paper::is_section_heading(&as_line(*sheet, line));
            let texts = texts(*sheet, line);
            let Some(label) = label else { continue };
            let above = at.checked_sub(1).map(|above| &lines[above]);
            let spaced =
                above.is_none_or(|above| line.place.y0 - above.place.y1 > SPACED * line.place.height());
            candidates.push(Candidate {
                alone: label.words == texts.len(),
                continued: separators(&texts[label.words..]) > 0 && says_continued(&texts[label.words..]),
                outdented: line.place.x0 < margin - OUTDENT_MIN * sheet.page.width,
                spaced,
                headed: std::mem::take(&mut headed),
                label,
            });
            places.push((index, at));
        }
    }
    let chosen = plan::choose(&candidates, leaves);
    let entry = |chosen: plan::Chosen| {
        (places[chosen.candidate], (candidates[chosen.candidate].label.clone(), chosen.section))
    };
    chosen.into_iter().map(entry).collect()
}

/// The leaves that the lines name.
fn told(mut pointer: Pointer<'_>, named: &HashMap<(usize, usize), (Label, usize)>) -> HashSet<usize> {
    let mut lines: Vec<_> = named.iter().collect();
    lines.sort_by_key(|(line, _)| **line);
    let follow = |(_, (label, section)): (_, &(Label, usize))| {
        pointer.enter(*section);
        pointer.follow(label)
    };
    lines.into_iter().filter_map(follow).collect()
}

/// Where most lines of the page begin; where enough go on below a label, where most of these do.
fn usual_start(lines: &[Line], labels: &[Option<Label>]) -> f32 {
    let starts = |is_wanted: &dyn Fn(&Option<Label>) -> bool| {
        let wanted = lines.iter().zip(labels).filter(|(_, label)| is_wanted(label));
        let mut starts: Vec<f32> = wanted.map(|(line, _)| line.place.x0).collect();
        starts.sort_by(f32::total_cmp);
        starts
    };
    let going_on = starts(&|label| label.is_none());
    let starts = if going_on.len() >= GOING_ON_MIN { going_on } else { starts(&|_| true) };
    starts.get(starts.len() / 2).copied().unwrap_or(0.0)
}

/// How many words after a label only part it from the answer: "-", "(continued)".
fn separators(texts: &[&str]) -> usize {
    let parts =
        |text: &&&str| matches!(**text, "-" | "–" | "—" | ":" | ")" | ".") || says_continued(&[**text]);
    texts.iter().take_while(parts).count()
}

/// True when the text begins with "(continued)" or "cont."
fn says_continued(texts: &[&str]) -> bool {
    let first = texts.first().map(|text| plain(text)).unwrap_or_default();
    scripts::CONTINUED.has(&first)
}
