//! The margin beside a page of the script: a note for every answer on it, tied to its place by a line.

use super::canvas::{Area, Canvas, Mark, NodeId, Shape};
use super::details::ink;
use super::face::Weight;
use super::ink::Ink;
use super::notes::{Wish, place};
use super::script::{BOTTOM, MARGIN, SHEET_WIDTH, Sheet, TOP};
use super::text::{Line, Style};
use crate::leaf::{Leaf, Standing};
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
/// Notes whose text begins beside their heading.
const DENSE_PADDING: f32 = 2.5;
const DENSE_GAP: f32 = 3.0;
/// Kept free for the line that says where the rest of cut notes is.
const POINTER: f32 = 13.0;
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
    /// The text begins beside the heading, not under it.
    is_dense: bool,
}

impl Note<'_> {
    fn height(&self) -> f32 {
        self.height_of(self.lines.len())
    }

    fn height_of(&self, lines: usize) -> f32 {
        if self.is_dense {
            2.0 * DENSE_PADDING + lines.max(1) as f32 * self.style.leading
        } else {
            2.0 * PADDING + 12.0 + lines as f32 * self.style.leading
        }
    }

    fn gap(&self) -> f32 {
        if self.is_dense { DENSE_GAP } else { GAP }
    }
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
        let (notes, bottom) = match self.fitting(&here) {
            Some(notes) => (notes, BOTTOM),
            None => {
                let Some(notes) = self.cut(&here) else { return self.put_rows(canvas, list, &here) };
                self.put_line(canvas, "… : the rest is under “Question by question”.", BOTTOM);
                (notes, BOTTOM - POINTER)
            }
        };
        let wishes: Vec<Wish> = notes.iter().map(|note| self.wish(&note.place, note.height())).collect();
        let gap = notes.first().map_or(GAP, Note::gap);
        for (note, top) in notes.iter().zip(place(&wishes, TOP, bottom, gap)) {
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

    /// The notes with all their text, in the largest type in which the column has room for them: first under
    /// their headings, then beside them.
    fn fitting<'l>(&self, here: &[(&'l Leaf<'l>, Place)]) -> Option<Vec<Note<'l>>> {
        let under = SIZES.map(|size| (size, false));
        let beside = SIZES.map(|size| (size, true));
        let mut sets = under.into_iter().chain(beside).map(|(size, is_dense)| self.set(here, size, is_dense));
        sets.find(|notes| needed(notes.iter().map(Note::height), notes) <= BOTTOM - TOP)
    }

    fn set<'l>(&self, here: &[(&'l Leaf<'l>, Place)], size: f32, is_dense: bool) -> Vec<Note<'l>> {
        let style = Style::new(size, Weight::Regular, Ink::TEXT);
        let note = |(leaf, place): &(&'l Leaf<'l>, Place)| {
            let room = if is_dense { self.beside_heading(leaf, &style) } else { self.text_width() };
            let lines = self.setter.lines_after(&self.said(leaf, place), &style, room, self.text_width());
            Note { leaf, place: *place, lines, style, is_dense }
        };
        here.iter().map(note).collect()
    }

    /// Notes of which some are cut, so that the column is full; `None` when there is no room even for a line
    /// of each.
    fn cut<'l>(&self, here: &[(&'l Leaf<'l>, Place)]) -> Option<Vec<Note<'l>>> {
        let mut notes = self.set(here, SIZES[SIZES.len() - 1], true);
        let room = BOTTOM - TOP - POINTER;
        let lines = shares(&notes, room)?;
        for (note, kept) in notes.iter_mut().zip(lines) {
            let rest: String = note.lines.iter().skip(kept - 1).map(Line::text).collect();
            if note.lines.len() > kept {
                let width =
                    if kept == 1 { self.beside_heading(note.leaf, &note.style) } else { self.text_width() };
                note.lines.truncate(kept - 1);
                note.lines.push(self.setter.clipped(&rest, &note.style, width));
            }
        }
        Some(notes)
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
        self.put_ground(canvas, note.leaf, &note.place, top, note.height());
        let item = canvas.node(Some(list), Tag::LI);
        let left = self.notes_left() + PADDING + 6.0;
        let (baseline, bold) = if note.is_dense {
            (top + DENSE_PADDING + note.style.leading * 0.76, Style { weight: Weight::Bold, ..note.style })
        } else {
            (top + PADDING + 8.5, Style::new(9.5, Weight::Bold, Ink::TEXT))
        };
        let (beside, _) = self.put_heading(canvas, item, note.leaf, baseline, &bold);
        let body = canvas.node(Some(item), Tag::LBody);
        let first_row = usize::from(!note.is_dense);
        let said = note.lines.iter().enumerate().map(|(index, line)| {
            let row = index + first_row;
            let (x, width) = if row == 0 {
                (beside, self.beside_heading(note.leaf, &note.style))
            } else {
                (left, self.text_width())
            };
            Mark::text(x, baseline + note.style.leading * row as f32, width, line.clone(), &note.style)
        });
        canvas.put(self.page, body, said.collect());
    }

    /// The room between an answer's name and its marks.
    fn beside_heading(&self, leaf: &Leaf<'_>, style: &Style) -> f32 {
        let bold = Style { weight: Weight::Bold, ..*style };
        let (_, _, between) = self.heading(leaf, &bold);
        (between.1 - between.0).max(1.0)
    }

    /// A note's ground, and the line that ties it to its answer.
    fn put_ground(&self, canvas: &mut Canvas, leaf: &Leaf<'_>, place: &Place, top: f32, height: f32) {
        let ink = ink(&Standing::of_leaf(leaf));
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

    /// The answer's name, its marks, and from where to where there is room between them.
    fn heading(&self, leaf: &Leaf<'_>, bold: &Style) -> (Line, Line, (f32, f32)) {
        let left = self.notes_left() + PADDING + 6.0;
        let right = self.notes_left() + self.notes_width() - PADDING - 2.0;
        let marks = self.setter.line(&Standing::of_leaf(leaf).told(), bold);
        let name = self.setter.clipped(&leaf.name, bold, (right - left - marks.width - 8.0) * 0.6);
        let between = (left + name.width + 8.0, right - marks.width - 8.0);
        (name, marks, between)
    }

    /// The answer's name at the left and its marks at the right; from where to where there is room between them.
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
        let (name, marks, between) = self.heading(leaf, bold);
        let coloured = Style { ink: ink(&Standing::of_leaf(leaf)), ..*bold };
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

/// What notes of these heights need with the gaps between them.
fn needed(heights: impl Iterator<Item = f32>, notes: &[Note<'_>]) -> f32 {
    let gap = notes.first().map_or(GAP, Note::gap);
    heights.map(|height| height + gap).sum::<f32>() - gap
}

/// How many lines each note keeps: one for each, then one more for each in turn that has more, while there is
/// room. `None` when there is no room for the first.
fn shares(notes: &[Note<'_>], room: f32) -> Option<Vec<usize>> {
    let mut kept = vec![1; notes.len()];
    let mut left = room - needed(notes.iter().map(|note| note.height_of(1)), notes);
    if left < 0.0 {
        return None;
    }
    loop {
        let before = left;
        for (note, kept) in notes.iter().zip(&mut kept) {
            if *kept < note.lines.len() && note.style.leading <= left {
                *kept += 1;
                left -= note.style.leading;
            }
        }
        if left >= before {
            return Some(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::face::Faces;
    use crate::pdf::text::Setter;
    use domain::marks::Marks;

    static LEAF: Leaf<'static> = Leaf {
        name: String::new(),
        awarded: Marks::ZERO,
        available: Marks::ZERO,
        answer: "",
        feedback: "",
        flags: &[],
        points: &[],
        places: &[],
    };

    /// Notes of so many lines each, in type with lines ten points apart.
    fn notes(lines: &[usize]) -> Vec<Note<'static>> {
        let setter = Setter::new(Faces::load().unwrap());
        let style = Style { leading: 10.0, ..Style::new(7.6, Weight::Regular, Ink::TEXT) };
        let line = setter.line("word", &style);
        let note = |count: &usize| Note {
            leaf: &LEAF,
            place: Place::default(),
            lines: vec![line.clone(); *count],
            style,
            is_dense: true,
        };
        lines.iter().map(note).collect()
    }

    #[test]
    fn notes_are_cut_only_where_the_column_is_full() {
        let notes = notes(&[1, 4, 9]);
        let whole = needed(notes.iter().map(Note::height), &notes);
        assert_eq!(shares(&notes, whole).unwrap(), [1, 4, 9]);
        assert_eq!(shares(&notes, whole - 1.0).unwrap(), [1, 4, 8], "only the last line is missing");
        let least = needed(notes.iter().map(|note| note.height_of(1)), &notes);
        assert_eq!(shares(&notes, least + 35.0).unwrap(), [1, 3, 2]);
        assert_eq!(shares(&notes, least - 1.0), None);
    }
}
