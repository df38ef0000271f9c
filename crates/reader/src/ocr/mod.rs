//! Reads words from the picture of a page with the embedded networks.
//!
//! A picture goes through these steps: the sheet is cut out of a photo and laid flat, the light is made
//! even, lines of text are found, the page is turned upright and straightened by them, rules are taken
//! out, each line is read, and its letters become words with places, confidence and marks.

mod blobs;
mod ctc;
mod detect;
mod hand;
mod network;
mod recognise;
mod repair;
mod straighten;
mod strike;
mod weights;
mod words;

pub use repair::{Vocabulary, repair};
pub use weights::{Weights, WeightsError};

use crate::darkness::Darkness;
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::ink::Ink;
use crate::image::rules::{self, Rule};
use crate::image::{self as picture, Bounds, shade, sheet};
use crate::page::{Corners, Page, Rect, Ruling, Source, Word};
use crate::{Error, Format, Pixels, Recognise, lines};
use ::image::RgbImage;
use ctc::Alphabet;
use detect::Line;
use network::Network;
use recognise::Strip;
use rten::ThreadPool;
use std::sync::Arc;
use std::time::Duration;
use straighten::Turn;

/// Pictures are worked on with at most this many pixels on their shorter side: 200 a inch on A4.
const SHORT_SIDE_MAX: u32 = 1654;
/// The width in points that the page of a photo is given, as wide as A4.
const PHOTO_WIDTH: f32 = 595.0;
/// A page that is read worse than this on average may stand upside down.
const UPRIGHT_CONFIDENCE_MIN: f32 = 0.8;
/// So much better a page must read the other way round to be turned.
const TURN_GAIN_MIN: f32 = 0.08;
/// Lines read to find out which way up a page is.
const TRIAL_LINES: usize = 3;

/// Both networks, loaded: about a tenth of a second, so keep it for a whole document.
pub struct Recogniser {
    detection: Network,
    recognition: Network,
    alphabet: Alphabet,
}

impl std::fmt::Debug for Recogniser {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Recogniser").finish_non_exhaustive()
    }
}

/// A page as it was read, in pixels of the upright page.
struct Sheet {
    words: Vec<Word>,
    rules: Vec<Rule>,
    width: f32,
    height: f32,
    /// Where the upright page lies on the picture that was given, in fractions; `None` when it is all of it.
    corners: Option<Corners>,
    darkness: Darkness,
}

impl Recogniser {
    /// Loads the weights; `threads` run each network.
    pub fn load(weights: &Weights, threads: usize) -> Result<Recogniser, WeightsError> {
        let threads = Arc::new(ThreadPool::with_num_threads(threads.max(1)));
        let detection = Network::new(weights.detection()?, &threads);
        let (recognition, alphabet) = weights.recognition()?;
        let recognition = Network::new(recognition, &threads);
        Ok(Recogniser { detection, recognition, alphabet: Alphabet::new(alphabet) })
    }

    /// How long the two networks alone have run; the rest of reading is measured against it.
    pub fn network_time(&self) -> Duration {
        self.detection.time() + self.recognition.time()
    }

    fn read(&self, picture: RgbImage) -> Result<Sheet, rten::RunError> {
        let picture = picture::shrink(picture, SHORT_SIDE_MAX);
        let whole = (picture.width() as f32, picture.height() as f32);
        let cut_out = sheet::find(&picture);
        let flat = match &cut_out {
            Some(corners) => sheet::flatten(&picture, corners).unwrap_or(picture),
            None => picture,
        };
        let flat = shade::even(flat);
        let found = detect::lines(&self.detection, &flat)?;
        let turn = if straighten::runs_sideways(&found) {
            self.better_turn(&flat, &found, [Turn::Quarter, Turn::ThreeQuarters])?
        } else {
            Turn::None
        };
        let mut stand = Stand::new(&flat, &found, turn);
        let mut strips = self.read_lines(&stand)?;
        if turn == Turn::None
            && mean_confidence(&strips) < UPRIGHT_CONFIDENCE_MIN
            && self.better_turn(&flat, &found, [Turn::None, Turn::Half])? == Turn::Half
        {
            stand = Stand::new(&flat, &found, Turn::Half);
            strips = self.read_lines(&stand)?;
        }
        let words = strips.iter().flat_map(words::words).collect();
        let corners = stand.on_picture(whole, cut_out.as_ref());
        let (width, height) = (stand.page.width() as f32, stand.page.height() as f32);
        Ok(Sheet { words, rules: stand.rules, width, height, corners, darkness: stand.darkness })
    }

    fn read_lines(&self, stand: &Stand) -> Result<Vec<Strip>, rten::RunError> {
        let mut strips: Vec<Strip> =
            stand.lines.iter().filter_map(|place| recognise::cut(&stand.page, place)).collect();
        recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
        Ok(strips)
    }

    /// Which of two ways round the longest lines are read better. The first unless the second is clearly so.
    fn better_turn(&self, page: &RgbImage, found: &[Line], turns: [Turn; 2]) -> Result<Turn, rten::RunError> {
        let trial = straighten::longest(found, TRIAL_LINES);
        let mut confidence = [0.0; 2];
        for (turn, confidence) in turns.iter().zip(&mut confidence) {
            let places = trial.iter().map(|line| straighten::renamed(&line.place, *turn));
            let mut strips: Vec<Strip> = places.filter_map(|place| recognise::cut(page, &place)).collect();
            recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
            *confidence = mean_confidence(&strips);
        }
        Ok(turns[usize::from(confidence[1] > confidence[0] + TURN_GAIN_MIN)])
    }
}

/// A page turned upright and cleared of rules, with the lines that were found on it.
struct Stand {
    page: RgbImage,
    lines: Vec<Quad>,
    rules: Vec<Rule>,
    /// The page's corners on the picture before it was turned; `None` when it was not.
    corners: Option<Quad>,
    darkness: Darkness,
}

impl Stand {
    fn new(flat: &RgbImage, found: &[Line], turn: Turn) -> Stand {
        let lines: Vec<Quad> = found.iter().map(|line| straighten::renamed(&line.place, turn)).collect();
        let lean = straighten::lean(&straighten::turned(&lines, turn));
        let corners = straighten::page_corners(flat.width() as f32, flat.height() as f32, turn, lean);
        let turned =
            if turn == Turn::None && lean == 0.0 { None } else { straighten::upright(flat, &corners) };
        let (mut page, lines, corners) = match turned {
            Some((page, onto_page)) => {
                let lines = lines.iter().map(|place| place.through(&onto_page)).collect();
                (page, lines, Some(corners))
            }
            None => (flat.clone(), lines, None),
        };
        let darkness = Darkness::of(&Ink::of(&page));
        let ink = Ink::faint(&page);
        let mut rules = rules::find(&ink);
        rules.retain(|rule| !runs_through_text(rule, &lines));
        rules::erase(&mut page, &ink, &rules);
        Stand { page, lines, rules, corners, darkness }
    }

    /// The upright page's corners in fractions of the whole picture.
    fn on_picture(&self, whole: (f32, f32), cut_out: Option<&Quad>) -> Option<Corners> {
        if self.corners.is_none() && cut_out.is_none() {
            return None;
        }
        let (width, height) = (self.page.width() as f32, self.page.height() as f32);
        let on_flat = self.corners.unwrap_or(Quad::upright(width, height));
        let on_whole = match cut_out {
            Some(sheet) => {
                let flat = Quad::upright(sheet.width().round(), sheet.height().round());
                on_flat.through(&Projection::between(&flat, sheet)?)
            }
            None => on_flat,
        };
        Some(on_whole.0.map(|Point { x, y }| (x / whole.0, y / whole.1)))
    }
}

/// A long stroke through the middle of a line of text strikes it out, and is no rule of the paper.
fn runs_through_text(rule: &Rule, lines: &[Quad]) -> bool {
    let middle = f32::midpoint(rule.place.y0, rule.place.y1);
    lines.iter().any(|line| {
        let (x0, y0, x1, y1) = line.bounds();
        let height = (middle - y0) / (y1 - y0).max(1.0);
        let shared = rule.place.x1.min(x1) - rule.place.x0.max(x0);
        (0.35..0.6).contains(&height)
            && shared > 0.7 * rule.place.width()
            && rule.place.width() < 1.2 * (x1 - x0)
    })
}

/// The mean over all letters, so that long lines count for more.
fn mean_confidence(strips: &[Strip]) -> f32 {
    let letters = strips.iter().flat_map(|strip| &strip.letters);
    let (sum, count) =
        letters.fold((0.0, 0.0f32), |(sum, count), letter| (sum + letter.confidence, count + 1.0));
    sum / count.max(1.0)
}

impl Sheet {
    /// The page in points; `width` is what its pixels come to.
    fn into_page(mut self, width: f32) -> Page {
        let scale = width / self.width.max(1.0);
        let scaled = |rect: &Rect| Rect {
            x0: rect.x0 * scale,
            y0: rect.y0 * scale,
            x1: rect.x1 * scale,
            y1: rect.y1 * scale,
        };
        for word in &mut self.words {
            word.place = scaled(&word.place);
            word.size *= scale;
            word.baseline *= scale;
        }
        let rulings = self.rules.iter();
        let mut rulings: Vec<Ruling> =
            rulings.map(|rule| Ruling { place: scaled(&rule.place), direction: rule.direction }).collect();
        let leaders = lines::arrange(&mut self.words, &rulings, width);
        rulings.extend(leaders);
        Page {
            width,
            height: self.height * scale,
            words: self.words,
            rulings,
            source: Source::Recognised,
            corners: self.corners,
            darkness: Some(self.darkness),
            ..Page::default()
        }
    }
}

impl Recognise for Recogniser {
    fn drawn_page(&self, pixels: &Pixels, size: (f32, f32)) -> Result<Page, Error> {
        let picture = picture::from_pixels(pixels.clone()).ok_or(Error::Unreadable)?;
        let drawn_wide = size.0 >= size.1;
        let sheet = self.read(picture).map_err(|_| Error::Unreadable)?;
        // A page that was turned by a quarter is as wide as it was high.
        let is_wide = sheet.width >= sheet.height;
        let width = if drawn_wide == is_wide { size.0 } else { size.1 };
        Ok(sheet.into_page(width))
    }

    fn picture_file(&self, bytes: &[u8], _format: Format) -> Result<Page, Error> {
        let picture = picture::decode(bytes, &Bounds::default(), SHORT_SIDE_MAX)?;
        let sheet = self.read(picture).map_err(|_| Error::Unreadable)?;
        Ok(sheet.into_page(PHOTO_WIDTH))
    }
}
