//! The student's own pages: each as a picture with its words behind it, ticks and crosses where the
//! evidence stands, and beside it a note for every answer that begins there.

use super::canvas::{Area, Canvas, Mark, Shape};
use super::face::Weight;
use super::ink::Ink;
use super::text::{Setter, Style};
use super::{PagePicture, PageWord};
use crate::leaf::{Leaf, leaves};
use domain::report::{Report, Section};
use domain::result::{Frame, Place};
use krilla::tagging::Tag;

/// An A4 page on its side.
pub(super) const SHEET_WIDTH: f32 = 842.0;
const SHEET_HEIGHT: f32 = 595.0;
pub(super) const MARGIN: f32 = 36.0;
/// Where picture and notes begin and end.
pub(super) const TOP: f32 = 50.0;
pub(super) const BOTTOM: f32 = SHEET_HEIGHT - 44.0;
/// A picture takes no more of the sheet's width than this.
const PICTURE_WIDTH_MAX: f32 = 440.0;

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
    pub(super) report: &'a Report,
    pub(super) script: &'a PagePicture,
    /// Its number among the script's pages, counted from 0.
    index: usize,
    count: usize,
    /// The sheet's page in the document.
    pub(super) page: usize,
    /// Where the picture goes.
    pub(super) picture: Area,
}

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

    /// Where a frame of the script's page lies on the sheet. A frame that is none lies in the corner.
    pub(super) fn on_sheet(&self, frame: &Frame) -> Area {
        let sane = |share: f64| if share.is_finite() { share.clamp(-1.0, 2.0) as f32 } else { 0.0 };
        Area {
            x: self.picture.x + sane(frame.x) * self.picture.width,
            y: self.picture.y + sane(frame.y) * self.picture.height,
            width: sane(frame.width).max(0.0) * self.picture.width,
            height: sane(frame.height).max(0.0) * self.picture.height,
        }
    }

    pub(super) fn is_here(&self, place: &Place) -> bool {
        (place.file, place.page) == (self.script.file, self.script.page)
    }
}

/// The largest place for a page's picture, as wide and high as the page is.
fn fitted(script: &PagePicture) -> Area {
    let sane = |size: f32| if size.is_finite() && size > 1.0 { size } else { 1.0 };
    let (width, height) = (sane(script.width_pt), sane(script.height_pt));
    let scale = (PICTURE_WIDTH_MAX / width).min((BOTTOM - TOP) / height);
    // A page as thin as a thread would have no area at all.
    Area { x: MARGIN, y: TOP, width: (width * scale).max(8.0), height: (height * scale).max(8.0) }
}
