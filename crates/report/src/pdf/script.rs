//! The student's own pages: each as a picture with its words behind it, ticks and crosses where the
//! evidence stands, and beside it a note for every answer that begins there.

use super::canvas::{Area, Canvas, Mark, NodeId, Shape};
use super::details::standing;
use super::face::Weight;
use super::ink::Ink;
use super::notes::{Wish, place};
use super::text::{Line, Setter, Style};
use super::{PagePicture, PageWord};
use crate::leaf::{Leaf, leaves};
use crate::wording;
use domain::report::{Report, Section};
use domain::result::{Frame, Place};
use krilla::tagging::{ListNumbering, Tag};

/// An A4 page on its side.
const SHEET_WIDTH: f32 = 842.0;
const SHEET_HEIGHT: f32 = 595.0;
pub(super) const MARGIN: f32 = 36.0;
/// Where picture and notes begin and end.
const TOP: f32 = 50.0;
const BOTTOM: f32 = SHEET_HEIGHT - 44.0;
/// A picture takes no more of the sheet's width than this.
const PICTURE_WIDTH_MAX: f32 = 440.0;
/// Between picture and notes, where the brackets stand.
const GUTTER: f32 = 26.0;
const NOTE_GAP: f32 = 7.0;
const NOTE_PADDING: f32 = 5.0;

pub(super) fn lay_out(
    canvas: &mut Canvas,
    setter: &Setter,
    report: &Report,
    pages: &[PagePicture],
    pictures: &[Option<krilla::image::Image>],
) {
    let leaves: Vec<Leaf<'_>> = report.result.questions.iter().flat_map(leaves).collect();
    for (index, page) in pages.iter().enumerate() {
        let has_picture = pictures.get(index).is_some_and(Option::is_some);
        let sheet = Sheet::new(canvas, setter, report, page, index, pages.len());
        sheet.lay_out(canvas, &leaves, has_picture);
    }
}

/// One page of the script on its sheet.
pub(super) struct Sheet<'a> {
    pub(super) setter: &'a Setter,
    report: &'a Report,
    pub(super) script: &'a PagePicture,
    /// Its number among the script's pages, counted from 0.
    index: usize,
    count: usize,
    /// The sheet's page in the document.
    pub(super) page: usize,
    /// Where the picture goes.
    pub(super) picture: Area,
}

/// A note before it is placed.
struct Note<'l> {
    leaf: &'l Leaf<'l>,
    place: Place,
    lines: Vec<Line>,
    style: Style,
    height: f32,
}

/// The sizes of type for notes: the largest in which all of them fit is taken.
const NOTE_SIZES: [f32; 3] = [9.4, 8.4, 7.6];

impl<'a> Sheet<'a> {
    fn new(
        canvas: &mut Canvas,
        setter: &'a Setter,
        report: &'a Report,
        script: &'a PagePicture,
        index: usize,
        count: usize,
    ) -> Sheet<'a> {
        let page = canvas.add_page(SHEET_WIDTH, SHEET_HEIGHT);
        Sheet { setter, report, script, index, count, page, picture: fitted(script) }
    }

    fn lay_out(&self, canvas: &mut Canvas, leaves: &[Leaf<'_>], has_picture: bool) {
        let title = format!("Script, page {} of {}", self.index + 1, self.count);
        let style = Style::new(12.0, Weight::Bold, Ink::TEXT);
        let heading = canvas.heading(None, 2, &title, self.page, 0.0);
        let line = self.setter.line(&title, &style);
        canvas.put(self.page, heading, vec![Mark::text(MARGIN, 36.0, 0.0, line, &style)]);
        self.put_page(canvas, has_picture);
        if self.report.has(Section::Evidence) {
            self.put_evidence(canvas, leaves);
        }
        self.put_notes(canvas, leaves);
    }

    /// The words first and the picture over them: they are there to be found, read aloud and copied.
    fn put_page(&self, canvas: &mut Canvas, has_picture: bool) {
        let words: Vec<Mark> = self.script.words.iter().filter_map(|word| self.word(word)).collect();
        let ground = Mark::fill(self.picture, 0.0, Ink::PAPER);
        canvas.decorate(self.page, vec![ground]);
        let alt = format!("Page {} of the script as it was handed in.", self.index + 1);
        let figure = canvas.node(None, Tag::Figure(Some(alt)));
        let text = canvas.node(None, Tag::P);
        canvas.put(self.page, text, words);
        if has_picture {
            let picture = Mark::Picture { index: self.index, place: self.picture };
            canvas.put(self.page, figure, vec![picture]);
        }
        let edge = Mark::Stroke { shape: Shape::Rounded(self.picture, 0.0), ink: Ink::LINE, width: 0.8 };
        canvas.decorate(self.page, vec![edge]);
    }

    /// A word set as wide as it stands on the page.
    fn word(&self, word: &PageWord) -> Option<Mark> {
        let area = self.on_sheet(&word.frame);
        let natural = self.setter.width(&word.text, &Style::new(1.0, Weight::Regular, Ink::TEXT));
        if natural <= 0.0 || area.height <= 0.0 {
            return None;
        }
        let size = (area.width / natural).clamp(0.4 * area.height, 1.6 * area.height).max(1.0);
        let style = Style::new(size, Weight::Regular, Ink::TEXT);
        let line = self.setter.line(&format!("{} ", word.text), &style);
        Some(Mark::text(area.x, area.y + area.height * 0.8, 0.0, line, &style))
    }

    /// Where a frame of the script's page lies on the sheet.
    pub(super) fn on_sheet(&self, frame: &Frame) -> Area {
        Area {
            x: self.picture.x + frame.x as f32 * self.picture.width,
            y: self.picture.y + frame.y as f32 * self.picture.height,
            width: frame.width as f32 * self.picture.width,
            height: frame.height as f32 * self.picture.height,
        }
    }

    pub(super) fn is_here(&self, place: &Place) -> bool {
        (place.file, place.page) == (self.script.file, self.script.page)
    }

    fn notes_left(&self) -> f32 {
        self.picture.right() + GUTTER
    }

    fn notes_width(&self) -> f32 {
        SHEET_WIDTH - MARGIN - self.notes_left()
    }

    fn put_notes(&self, canvas: &mut Canvas, leaves: &[Leaf<'_>]) {
        let mut begun: Vec<(&Leaf<'_>, Place)> = Vec::new();
        for leaf in leaves {
            if let Some(place) = leaf.places.iter().find(|place| self.is_here(place)) {
                begun.push((leaf, *place));
            }
        }
        begun.sort_by(|a, b| a.1.frame.y.total_cmp(&b.1.frame.y));
        if begun.is_empty() {
            return self.put_nothing(canvas);
        }
        let notes = self.fitting(&begun);
        let wishes: Vec<Wish> = notes
            .iter()
            .map(|note| Wish { top: self.on_sheet(&note.place.frame).y - NOTE_PADDING, height: note.height })
            .collect();
        let list = canvas.node(None, Tag::L(ListNumbering::None));
        for (note, top) in notes.iter().zip(place(&wishes, TOP, BOTTOM, NOTE_GAP)) {
            self.put_note(canvas, list, note, top);
        }
    }

    fn put_nothing(&self, canvas: &mut Canvas) {
        let style = Style::new(9.0, Weight::Regular, Ink::SOFT);
        let node = canvas.node(None, Tag::P);
        let line = self.setter.line("No answer that was marked begins on this page.", &style);
        canvas.put(self.page, node, vec![Mark::text(self.notes_left(), TOP + 12.0, 0.0, line, &style)]);
    }

    /// The notes in the largest type in which the column has room for them, or with less of their text.
    fn fitting<'l>(&self, begun: &[(&'l Leaf<'l>, Place)]) -> Vec<Note<'l>> {
        let room = BOTTOM - TOP + NOTE_GAP;
        let mut notes = Vec::new();
        for size in NOTE_SIZES {
            let style = Style::new(size, Weight::Regular, Ink::TEXT);
            notes = begun
                .iter()
                .map(|(leaf, place)| Note::new(leaf, *place, self.note_lines(leaf, place, &style), style))
                .collect();
            if notes.iter().map(|note: &Note<'_>| note.height + NOTE_GAP).sum::<f32>() <= room {
                return notes;
            }
        }
        self.shorten(&mut notes, room);
        notes
    }

    /// Cuts the longest notes until all fit, as far as that goes.
    fn shorten(&self, notes: &mut [Note<'_>], room: f32) {
        let longest = notes.iter().map(|note| note.lines.len()).max().unwrap_or(0);
        let needed = |lines_max: usize| -> f32 {
            notes
                .iter()
                .map(|note| note_height(note.lines.len().min(lines_max), &note.style) + NOTE_GAP)
                .sum()
        };
        let lines_max = (0..=longest).rev().find(|max| needed(*max) <= room).unwrap_or(0);
        for note in notes.iter_mut().filter(|note| note.lines.len() > lines_max) {
            note.lines.truncate(lines_max);
            if let Some(last) = note.lines.last_mut() {
                *last = self.setter.line("… see “Question by question”", &note.style);
            }
            note.height = note_height(note.lines.len(), &note.style);
        }
    }

    fn note_lines(&self, leaf: &Leaf<'_>, place: &Place, style: &Style) -> Vec<Line> {
        let is_first = leaf.places.first().is_some_and(|first| first == place);
        if !is_first {
            return self.setter.lines("The answer goes on here.", style, self.text_width());
        }
        let mut said: Vec<String> = Vec::new();
        let flags = wording::flags(leaf.flags);
        if !flags.is_empty() {
            said.push(format!("{flags}."));
        }
        if self.report.has(Section::Feedback) && !leaf.feedback.is_empty() {
            said.push(leaf.feedback.to_owned());
        }
        self.setter.lines(&said.join(" "), style, self.text_width())
    }

    fn text_width(&self) -> f32 {
        self.notes_width() - 2.0 * NOTE_PADDING - 6.0
    }

    fn put_note(&self, canvas: &mut Canvas, list: NodeId, note: &Note<'_>, top: f32) {
        let ink = standing(note.leaf.awarded, note.leaf.available);
        let left = self.notes_left();
        let answer = self.on_sheet(&note.place.frame);
        let ground = Area { x: left, y: top, width: self.notes_width(), height: note.height };
        let stripe = Area { width: 3.0, ..ground };
        let bracket = self.picture.right() + 7.0;
        let (from, to) = (answer.y.max(TOP), answer.bottom().max(answer.y + 6.0));
        let leader = vec![(bracket, (top + 9.0).clamp(from, to)), (left - 6.0, top + 9.0), (left, top + 9.0)];
        let decoration = vec![
            Mark::fill(ground, 3.0, Ink::WASH),
            Mark::fill(stripe, 1.5, ink),
            Mark::rule((bracket, from), (bracket, to), ink, 1.6),
            Mark::Stroke { shape: Shape::Path(leader), ink, width: 0.7 },
        ];
        canvas.decorate(self.page, decoration);
        let bold = Style::new(9.5, Weight::Bold, Ink::TEXT);
        let coloured = Style { ink, ..bold };
        let (x, baseline) = (left + NOTE_PADDING + 6.0, top + NOTE_PADDING + 8.5);
        let marks = self.setter.line(&wording::marks_of(note.leaf.awarded, note.leaf.available), &bold);
        let room = self.text_width() - marks.width - 8.0;
        let name = self.setter.clipped(&note.leaf.name, &bold, room);
        let item = canvas.node(Some(list), Tag::LI);
        let label = canvas.node(Some(item), Tag::Lbl);
        let heading = vec![
            Mark::text(x, baseline, 0.0, name, &bold),
            Mark::text_to(ground.right() - NOTE_PADDING - 2.0, baseline, marks, &coloured),
        ];
        canvas.put(self.page, label, heading);
        let style = note.style;
        let body = canvas.node(Some(item), Tag::LBody);
        let said = note.lines.iter().enumerate().map(|(index, line)| {
            let baseline = baseline + style.leading * (index + 1) as f32;
            Mark::text(x, baseline, self.text_width(), line.clone(), &style)
        });
        canvas.put(self.page, body, said.collect());
    }
}

impl<'l> Note<'l> {
    fn new(leaf: &'l Leaf<'l>, place: Place, lines: Vec<Line>, style: Style) -> Note<'l> {
        Note { leaf, place, height: note_height(lines.len(), &style), lines, style }
    }
}

fn note_height(lines: usize, style: &Style) -> f32 {
    2.0 * NOTE_PADDING + 12.0 + lines as f32 * style.leading
}

/// The largest place for a page's picture, as wide and high as the page is.
fn fitted(script: &PagePicture) -> Area {
    let sane = |size: f32| if size.is_finite() && size > 1.0 { size } else { 1.0 };
    let (width, height) = (sane(script.width_pt), sane(script.height_pt));
    let scale = (PICTURE_WIDTH_MAX / width).min((BOTTOM - TOP) / height);
    // A page as thin as a thread would have no area at all.
    Area { x: MARGIN, y: TOP, width: (width * scale).max(8.0), height: (height * scale).max(8.0) }
}
