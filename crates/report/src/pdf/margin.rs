//! The margin beside a page of the script: a note for every answer on it, tied to its place by a line.

use super::canvas::{Area, Canvas, Mark, NodeId, Shape};
use super::details::standing;
use super::face::Weight;
use super::ink::Ink;
use super::notes::{Wish, place};
use super::script::{BOTTOM, MARGIN, SHEET_WIDTH, Sheet, TOP};
use super::text::{Line, Style};
use crate::leaf::Leaf;
use crate::wording;
use domain::report::Section;
use domain::result::Place;
use krilla::tagging::{ListNumbering, Tag};

/// Between picture and notes, where the brackets stand.
const GUTTER: f32 = 26.0;
const GAP: f32 = 7.0;
const PADDING: f32 = 5.0;
/// The sizes of type for notes: the largest in which all of them fit is taken.
const SIZES: [f32; 3] = [9.4, 8.4, 7.6];
/// The height of a note in one line, and how far it can shrink.
const ROW: f32 = 19.0;
const ROW_MIN: f32 = 10.0;
const ROW_GAP: f32 = 2.0;

/// A note before it is placed.
struct Note<'l> {
    leaf: &'l Leaf<'l>,
    place: Place,
    lines: Vec<Line>,
    style: Style,
    height: f32,
}

impl<'l> Note<'l> {
    fn new(leaf: &'l Leaf<'l>, place: Place, lines: Vec<Line>, style: Style) -> Note<'l> {
        Note { leaf, place, height: height(lines.len(), &style), lines, style }
    }
}

fn height(lines: usize, style: &Style) -> f32 {
    2.0 * PADDING + 12.0 + lines as f32 * style.leading
}

impl Sheet<'_> {
    fn notes_left(&self) -> f32 {
        self.picture.right() + GUTTER
    }

    fn notes_width(&self) -> f32 {
        SHEET_WIDTH - MARGIN - self.notes_left()
    }

    fn text_width(&self) -> f32 {
        self.notes_width() - 2.0 * PADDING - 6.0
    }

    pub(super) fn put_notes(&self, canvas: &mut Canvas, leaves: &[Leaf<'_>]) {
        let mut here: Vec<(&Leaf<'_>, Place)> = Vec::new();
        for leaf in leaves {
            if let Some(place) = leaf.places.iter().find(|place| self.is_here(place)) {
                here.push((leaf, *place));
            }
        }
        here.sort_by(|a, b| a.1.frame.y.total_cmp(&b.1.frame.y));
        if here.is_empty() {
            return self.put_line(canvas, "No answer that was marked stands on this page.", TOP + 12.0);
        }
        let list = canvas.node(None, Tag::L(ListNumbering::None));
        let Some(notes) = self.fitting(&here) else { return self.put_rows(canvas, list, &here) };
        let wishes: Vec<Wish> = notes.iter().map(|note| self.wish(&note.place, note.height)).collect();
        for (note, top) in notes.iter().zip(place(&wishes, TOP, BOTTOM, GAP)) {
            self.put_note(canvas, list, note, top);
        }
    }

    fn wish(&self, place: &Place, height: f32) -> Wish {
        Wish { top: self.on_sheet(&place.frame).y - PADDING, height }
    }

    fn put_line(&self, canvas: &mut Canvas, text: &str, baseline: f32) {
        let style = Style::new(9.0, Weight::Regular, Ink::SOFT);
        let node = canvas.node(None, Tag::P);
        let line = self.setter.line(text, &style);
        canvas.put(self.page, node, vec![Mark::text(self.notes_left(), baseline, 0.0, line, &style)]);
    }

    /// The notes in the largest type in which the column has room for them, or with less of their text.
    /// `None` when there is no room even for one line of each.
    fn fitting<'l>(&self, here: &[(&'l Leaf<'l>, Place)]) -> Option<Vec<Note<'l>>> {
        let room = BOTTOM - TOP + GAP;
        let mut notes = Vec::new();
        for size in SIZES {
            let style = Style::new(size, Weight::Regular, Ink::TEXT);
            let set = |(leaf, place): &(&'l Leaf<'l>, Place)| {
                Note::new(leaf, *place, self.note_lines(leaf, place, &style), style)
            };
            notes = here.iter().map(set).collect();
            if notes.iter().map(|note| note.height + GAP).sum::<f32>() <= room {
                return Some(notes);
            }
        }
        self.shorten(&mut notes, room).then_some(notes)
    }

    /// Cuts the longest notes until all fit; false when that would leave them without any text.
    fn shorten(&self, notes: &mut [Note<'_>], room: f32) -> bool {
        let longest = notes.iter().map(|note| note.lines.len()).max().unwrap_or(0);
        let needed = |lines_max: usize| -> f32 {
            notes.iter().map(|note| height(note.lines.len().min(lines_max), &note.style) + GAP).sum()
        };
        let Some(lines_max) = (1..=longest).rev().find(|max| needed(*max) <= room) else { return false };
        for note in notes.iter_mut().filter(|note| note.lines.len() > lines_max) {
            note.lines.truncate(lines_max);
            if let Some(last) = note.lines.last_mut() {
                *last = self.setter.line("… see “Question by question”", &note.style);
            }
            note.height = height(note.lines.len(), &note.style);
        }
        true
    }

    fn note_lines(&self, leaf: &Leaf<'_>, place: &Place, style: &Style) -> Vec<Line> {
        self.setter.lines(&self.said(leaf, place), style, self.text_width())
    }

    /// What a note says under its heading.
    fn said(&self, leaf: &Leaf<'_>, place: &Place) -> String {
        if leaf.places.first().is_some_and(|first| first != place) {
            return "The answer goes on here.".to_owned();
        }
        let mut said: Vec<String> = Vec::new();
        let flags = wording::flags(leaf.flags);
        if !flags.is_empty() {
            said.push(format!("{flags}."));
        }
        if self.report.has(Section::Feedback) && !leaf.feedback.is_empty() {
            said.push(leaf.feedback.to_owned());
        }
        said.join(" ")
    }

    fn put_note(&self, canvas: &mut Canvas, list: NodeId, note: &Note<'_>, top: f32) {
        self.put_ground(canvas, note.leaf, &note.place, top, note.height);
        let bold = Style::new(9.5, Weight::Bold, Ink::TEXT);
        let (x, baseline) = (self.notes_left() + PADDING + 6.0, top + PADDING + 8.5);
        let item = canvas.node(Some(list), Tag::LI);
        self.put_heading(canvas, item, note.leaf, baseline, &bold);
        let body = canvas.node(Some(item), Tag::LBody);
        let said = note.lines.iter().enumerate().map(|(index, line)| {
            let baseline = baseline + note.style.leading * (index + 1) as f32;
            Mark::text(x, baseline, self.text_width(), line.clone(), &note.style)
        });
        canvas.put(self.page, body, said.collect());
    }

    /// A note's ground, and the line that ties it to its answer.
    fn put_ground(&self, canvas: &mut Canvas, leaf: &Leaf<'_>, place: &Place, top: f32, height: f32) {
        let ink = standing(leaf.awarded, leaf.available);
        let left = self.notes_left();
        let answer = self.on_sheet(&place.frame);
        let ground = Area { x: left, y: top, width: self.notes_width(), height };
        let bracket = self.picture.right() + 7.0;
        let (from, to) = (answer.y.max(TOP), answer.bottom().max(answer.y + 6.0).max(TOP));
        let tied = top + height.min(18.0) / 2.0;
        let leader = vec![(bracket, tied.clamp(from, to)), (left - 6.0, tied), (left, tied)];
        let marks = vec![
            Mark::fill(ground, 3.0, Ink::WASH),
            Mark::fill(Area { width: 3.0, ..ground }, 1.5, ink),
            Mark::rule((bracket, from), (bracket, to), ink, 1.6),
            Mark::Stroke { shape: Shape::Path(leader), ink, width: 0.7 },
        ];
        canvas.decorate(self.page, marks);
    }

    /// The answer's name at the left and its marks at the right; the width that is left between them.
    fn put_heading(
        &self,
        canvas: &mut Canvas,
        item: NodeId,
        leaf: &Leaf<'_>,
        baseline: f32,
        bold: &Style,
    ) -> (f32, f32) {
        let left = self.notes_left() + PADDING + 6.0;
        let right = self.notes_left() + self.notes_width() - PADDING - 2.0;
        let marks = self.setter.line(&wording::marks_of(leaf.awarded, leaf.available), bold);
        let name = self.setter.clipped(&leaf.name, bold, (right - left - marks.width - 8.0) * 0.6);
        let between = (left + name.width + 8.0, right - marks.width - 8.0);
        let coloured = Style { ink: standing(leaf.awarded, leaf.available), ..*bold };
        let label = canvas.node(Some(item), Tag::Lbl);
        let heading = vec![
            Mark::text(left, baseline, 0.0, name, bold),
            Mark::text_to(right, baseline, marks, &coloured),
        ];
        canvas.put(self.page, label, heading);
        between
    }

    /// Many short answers on one page: a line for each, as high as there is room for.
    fn put_rows(&self, canvas: &mut Canvas, list: NodeId, here: &[(&Leaf<'_>, Place)]) {
        let most = ((BOTTOM - TOP) / (ROW_MIN + ROW_GAP)) as usize;
        // Where there are still more, the last line says how many have no row.
        let (shown, bottom) =
            if here.len() > most { (most.saturating_sub(2), BOTTOM - 14.0) } else { (here.len(), BOTTOM) };
        let room = bottom - TOP;
        let row = (room / shown.max(1) as f32 - ROW_GAP).clamp(ROW_MIN, ROW);
        let bold = Style::new((row * 0.62).min(9.5), Weight::Bold, Ink::TEXT);
        let plain = Style { weight: Weight::Regular, ..bold };
        let rows = &here[..shown];
        let wishes: Vec<Wish> = rows.iter().map(|(_, place)| self.wish(place, row)).collect();
        for ((leaf, place_of), top) in rows.iter().zip(place(&wishes, TOP, bottom, ROW_GAP)) {
            self.put_ground(canvas, leaf, place_of, top, row);
            let baseline = top + row * 0.5 + bold.size * 0.36;
            let item = canvas.node(Some(list), Tag::LI);
            let (left, right) = self.put_heading(canvas, item, leaf, baseline, &bold);
            let said = self.setter.clipped(&self.said(leaf, place_of), &plain, right - left);
            let body = canvas.node(Some(item), Tag::LBody);
            canvas.put(self.page, body, vec![Mark::text(left, baseline, right - left, said, &plain)]);
        }
        if shown < here.len() {
            let rest = format!("and {} more: see “Question by question”", here.len() - shown);
            self.put_line(canvas, &rest, BOTTOM);
        }
    }
}
