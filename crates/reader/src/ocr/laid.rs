//! Reads a page of the question paper that a student wrote on: the picture is laid over the page as it was drawn, the
//! print is taken away, and only what is left is looked for and read. Where nothing was written nothing is read.

use super::cells;
use super::detect;
use super::fractions;
use super::recognise::{self, Strip};
use super::regions::regions;
use super::words;
use super::{Recogniser, Shot};
use crate::darkness::Darkness;
use crate::image::bubbles;
use crate::image::foreign;
use crate::image::geometry::{Point, Quad};
use crate::image::ink::Ink;
use crate::image::register::{self, Book, Lay};
use crate::image::residue::{self, Residue};
use crate::image::rules;
use crate::lines;
use crate::page::{Bubble, Page, Rect, Source, Word};
use crate::print::{self, Print};
use image::imageops;
use std::sync::PoisonError;

/// Points in an inch.
const POINTS: f32 = 72.0;
/// Lines are looked for at this scale: writing is larger than print.
const DETECTION_SCALE: f32 = 0.7;
/// Paper that is shown around writing in which lines are looked for, in pixels.
const MARGIN: usize = 18;
/// Paper that is shown around a line, as a share of its height.
const LINE_MARGIN: f32 = 0.12;

/// What pages that were laid before leave to the next.
#[derive(Default)]
pub(super) struct Before {
    /// The paper's pages, ready to be found.
    book: Option<Book>,
    /// How the last page lay.
    lay: Option<Lay>,
}

impl Recogniser {
    /// The student's writing on a page of the paper; `None` when the picture shows none of its pages.
    pub(super) fn laid(&self, shot: &Shot, prints: &[(u32, Print)]) -> Result<Option<Page>, rten::RunError> {
        let drawn: Vec<&Print> = prints.iter().map(|(_, print)| print).collect();
        if drawn.is_empty() {
            return Ok(None);
        }
        let mut before = self.laid_before.lock().unwrap_or_else(PoisonError::into_inner);
        let Before { book, lay } = &mut *before;
        let book = match book {
            Some(book) if book.is_of(&drawn) => book,
            other => other.insert(Book::of(&drawn)),
        };
        let Some(found) = register::lay(book, Ink::of(&shot.flat), lay.as_ref()) else { return Ok(None) };
        let lay = lay.insert(found).clone();
        drop(before);
        let (number, print) = &prints[lay.page];
        let mut residue = Residue::of(&shot.flat, &lay, print);
        foreign::take_away(&mut residue.picture, &mut residue.ink);
        // A rule that was printed otherwise than drawn, or the edge of a sheet on the scanner.
        let rules = rules::find(&residue.ink);
        rules::erase(&mut residue.picture, &residue.ink, &rules);
        if !rules.is_empty() {
            residue.ink = Ink::of(&residue.picture);
        }
        self.show("laid", &residue.whole);
        self.show("residue", &residue.picture);
        let darkness = Darkness::of(&residue.ink);
        let words = self.words_of(&mut residue, &cells::small(print))?;
        Ok(Some(page(shot, &lay, (*number, print), &residue, darkness, words)))
    }

    fn words_of(&self, residue: &mut Residue, cells: &[Rect]) -> Result<Vec<Vec<Word>>, rten::RunError> {
        let inked = cells::take_out(residue, cells);
        let mut strips: Vec<Strip> =
            inked.iter().filter_map(|cell| recognise::whole(&cell.picture, &cell.place)).collect();
        strips.extend(fractions::take_out(&mut residue.picture, &mut residue.ink));
        for region in regions(&residue.ink) {
            if region.is_one_line(&residue.ink) {
                let margin = (LINE_MARGIN * region.height() as f32) as usize + 2;
                strips.extend(recognise::cut(&residue.picture, &region.place(&residue.ink, margin).into()));
                continue;
            }
            let place = region.place(&residue.ink, MARGIN);
            let (x, y) = (place.x0 as u32, place.y0 as u32);
            let (width, height) = (place.width() as u32, place.height() as u32);
            let part = imageops::crop_imm(&residue.picture, x, y, width, height).to_image();
            for line in detect::lines_at(&self.detection, &part, DETECTION_SCALE)? {
                let place =
                    Quad(line.place.0.map(|corner| Point::new(corner.x + place.x0, corner.y + place.y0)));
                strips.extend(recognise::cut(&residue.picture, &place));
            }
        }
        recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
        Ok(strips.iter().map(words::words).collect())
    }
}

/// The page in points of the drawn one.
fn page(
    shot: &Shot,
    lay: &Lay,
    (number, print): (u32, &Print),
    residue: &Residue,
    darkness: Darkness,
    mut runs: Vec<Vec<Word>>,
) -> Page {
    let scale = POINTS / residue::DPI;
    let scaled = |place: Rect| Rect {
        x0: place.x0 * scale,
        y0: place.y0 * scale,
        x1: place.x1 * scale,
        y1: place.y1 * scale,
    };
    for word in runs.iter_mut().flatten() {
        word.place = scaled(word.place);
        word.size *= scale;
        word.baseline *= scale;
    }
    let (width, height) = print.size();
    let corners = lay.corners(width as f32, height as f32);
    let (width, height) = (width as f32 * POINTS / print::DPI, height as f32 * POINTS / print::DPI);
    let (words, _) = lines::arrange_runs(runs, &[], width);
    let bubbles = if print.has_bubbles { bubbles::find(&residue.whole) } else { Vec::new() };
    let bubbles =
        bubbles.into_iter().map(|bubble| Bubble { place: scaled(bubble.place), ..bubble }).collect();
    Page {
        width,
        height,
        words,
        source: Source::Recognised,
        corners: shot.on_picture(&corners),
        darkness: Some(darkness),
        bubbles,
        laid_on: Some(number),
        ..Page::default()
    }
}
