//! Reads words from the picture of a page with the embedded networks.
//!
//! A picture goes through these steps: the sheet is cut out of a photo and laid flat, the light is made
//! even, lines of text are found, the page is turned upright and straightened by them, rules are taken
//! out, each line is read, and its letters become words with places, confidence and marks.

mod beam;
mod blobs;
mod cells;
mod ctc;
mod cut;
mod detect;
mod fractions;
mod frame;
mod hand;
mod laid;
mod lexicon;
mod mistaken;
mod network;
mod protobuf;
mod recognise;
mod regions;
mod rows;
mod signs;
mod stand;
mod straighten;
mod strike;
mod unread;
mod weights;
mod words;

pub use weights::{Letters, Weights, WeightsError, embedded};

use crate::darkness::Darkness;
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::ink::Ink;
use crate::image::rules::Rule;
use crate::image::{self as picture, Bounds, bubbles, shade, sheet};
use crate::page::{Bubble, Corners, Page, Rect, Ruling, Source, Word};
use crate::print::Print;
use crate::{Error, Format, Pixels, Recognise, lines};
use ::image::RgbImage;
use ctc::Alphabet;
use detect::Line;
use laid::Before;
use lexicon::Lexicon;
use network::Network;
use recognise::Strip;
use rten::ThreadPool;
use stand::Stand;
use std::sync::{Arc, Mutex};
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
/// A line that has lost more of its ink to fractions is none any more.
const LEFT_MIN: f32 = 0.4;
/// Lines read to find out which way up a page is.
const TRIAL_LINES: usize = 3;

/// Both networks, loaded: about a tenth of a second, so keep it for a whole document.
pub struct Recogniser {
    detection: Network,
    recognition: Network,
    alphabet: Alphabet,
    laid_before: Mutex<Before>,
    watch: Option<Watch>,
}

/// Sees the pictures that a page goes through on its way to words, each with its name.
pub type Watch = Box<dyn Fn(&str, &RgbImage) + Send + Sync>;

impl std::fmt::Debug for Recogniser {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Recogniser").finish_non_exhaustive()
    }
}

/// A page as it was read, in pixels of the upright page.
struct Sheet {
    /// Line by line as they were found.
    words: Vec<Vec<Word>>,
    rules: Vec<Rule>,
    width: f32,
    height: f32,
    /// Where the upright page lies on the picture that was given, in fractions; `None` when it is all of it.
    corners: Option<Corners>,
    darkness: Darkness,
    bubbles: Vec<Bubble>,
}

impl Recogniser {
    /// Loads the weights; `threads` run each network.
    pub fn load(weights: &Weights, threads: usize) -> Result<Recogniser, WeightsError> {
        Recogniser::for_letters(weights, threads, Letters::All)
    }

    /// The same for documents that hold only some letters.
    pub fn for_letters(
        weights: &Weights,
        threads: usize,
        letters: Letters,
    ) -> Result<Recogniser, WeightsError> {
        let threads = Arc::new(ThreadPool::with_num_threads(threads.max(1)));
        let spare = Arc::default();
        let detection = Network::load(&weights.detection()?, None, &threads, &spare)?;
        let (recognition, alphabet) = weights.recognition(letters)?;
        let alphabet =
            Alphabet::new(alphabet).with_words((letters == Letters::English).then(Lexicon::default));
        let recognition = Network::load(&recognition, alphabet.kinds(), &threads, &spare)?;
        Ok(Recogniser { detection, recognition, alphabet, laid_before: Mutex::default(), watch: None })
    }

    /// The same for the answers to a paper with these words, when it is in English.
    #[must_use]
    pub fn knowing(self, asked: &[String]) -> Recogniser {
        let lexicon = self.alphabet.has_words().then(|| Lexicon::of(asked));
        Recogniser { alphabet: self.alphabet.with_words(lexicon), ..self }
    }

    /// The same, watched at work.
    #[must_use]
    pub fn watched(self, watch: Watch) -> Recogniser {
        Recogniser { watch: Some(watch), ..self }
    }

    fn show(&self, name: &str, picture: &RgbImage) {
        if let Some(watch) = &self.watch {
            watch(name, picture);
        }
    }

    /// How long the two networks alone have run; the rest of reading is measured against it.
    pub fn network_time(&self) -> Duration {
        self.detection.time() + self.recognition.time()
    }

    /// How long the network that finds lines has run.
    pub fn detection_time(&self) -> Duration {
        self.detection.time()
    }

    fn read(&self, shot: Shot) -> Result<Sheet, rten::RunError> {
        let Shot { flat, whole, cut_out } = shot;
        self.show("flat", &flat);
        let bubbles = bubbles::find(&flat);
        let lines = detect::lines(&self.detection, &flat, bubbles.len())?;
        let bubbles = self.without_writing(&flat, &lines, bubbles)?;
        let found = rows::text(lines, &bubbles);
        let turn = if straighten::runs_sideways(&found) && !self.are_rows_numbered(&flat, &bubbles)? {
            self.sideways_turn(&flat, &found)?
        } else {
            Turn::None
        };
        let mut stand = Stand::new(&flat, &found, &bubbles, turn);
        let mut strips = self.read_lines(&stand)?;
        if turn == Turn::None
            && mean_confidence(&strips) < UPRIGHT_CONFIDENCE_MIN
            && self.better_turn(&flat, &found, [Turn::None, Turn::Half])? == Turn::Half
        {
            stand = Stand::new(&flat, &found, &bubbles, Turn::Half);
            strips = self.read_lines(&stand)?;
        }
        self.show("upright", &stand.page);
        let words = strips.iter().map(words::words).collect();
        let corners = stand.on_picture(whole, cut_out.as_ref());
        let (width, height) = (stand.page.width() as f32, stand.page.height() as f32);
        let Stand { rules, darkness, bubbles, .. } = stand;
        Ok(Sheet { words, rules, width, height, corners, darkness, bubbles })
    }

    fn read_lines(&self, stand: &Stand) -> Result<Vec<Strip>, rten::RunError> {
        let numbers = rows::numbers(&stand.page, &stand.bubbles);
        let mut page = stand.page.clone();
        let whole = Ink::of(&page);
        let mut left = whole.clone();
        let mut strips = fractions::take_out(&mut page, &mut left);
        // What was a line of its own before may be the number of a fraction.
        let is_left =
            |place: &&Quad| strips.is_empty() || left.within(place) > LEFT_MIN * whole.within(place);
        let lines: Vec<&Quad> = stand.lines.iter().chain(&numbers).filter(is_left).collect();
        strips.extend(lines.into_iter().filter_map(|place| recognise::cut(&page, place)));
        recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
        Ok(strips)
    }

    /// The bubbles that are no round letters of lines.
    fn without_writing(
        &self,
        page: &RgbImage,
        lines: &[Line],
        bubbles: Vec<Bubble>,
    ) -> Result<Vec<Bubble>, rten::RunError> {
        let mut are_words = Vec::new();
        for (block, line) in mistaken::trials(lines, &bubbles) {
            let mut is_writing = false;
            if let Some(line) = line {
                let places = mistaken::turns(&line).map(|turn| straighten::renamed(&line, turn));
                let mut strips: Vec<Strip> =
                    places.iter().filter_map(|place| recognise::cut(page, place)).collect();
                recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
                is_writing = strips.iter().any(|strip| mistaken::is_writing(&strip.letters));
            }
            are_words.push((block, is_writing));
        }
        Ok(mistaken::without_writing(bubbles, &are_words))
    }

    /// True when numbers stand left of the rows of bubbles: whatever runs along the sheet's edges, it stands upright.
    fn are_rows_numbered(&self, page: &RgbImage, bubbles: &[Bubble]) -> Result<bool, rten::RunError> {
        let places = rows::numbers(page, bubbles);
        let mut strips: Vec<Strip> = places.iter().filter_map(|place| recognise::cut(page, place)).collect();
        recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
        let is_number = |strip: &&Strip| {
            let letters = || strip.letters.iter().flat_map(|letter| letter.text.chars());
            letters().any(|letter| letter.is_ascii_digit())
                && letters().all(|letter| letter.is_ascii_digit() || letter.is_ascii_punctuation())
        };
        Ok(!strips.is_empty() && 2 * strips.iter().filter(is_number).count() >= strips.len())
    }

    /// How a page is turned on which most writing seems to run up or down. A column of figures does so on an upright
    /// page, too; what lies there is then read better as it lies.
    fn sideways_turn(&self, page: &RgbImage, found: &[Line]) -> Result<Turn, rten::RunError> {
        let (lying, standing): (Vec<Line>, Vec<Line>) =
            found.iter().partition(|line| line.place.width() > line.place.height());
        let turn = self.better_turn(page, &standing, [Turn::Quarter, Turn::ThreeQuarters])?;
        if lying.is_empty() {
            return Ok(turn);
        }
        let turned = self.confidence(page, &standing, turn)?;
        let is_upright = self.confidence(page, &lying, Turn::None)? > turned + TURN_GAIN_MIN;
        Ok(if is_upright { Turn::None } else { turn })
    }

    /// Which of two ways round the longest lines are read better. The first unless the second is clearly so.
    fn better_turn(&self, page: &RgbImage, found: &[Line], turns: [Turn; 2]) -> Result<Turn, rten::RunError> {
        let [first, second] = turns;
        let gain = self.confidence(page, found, second)? - self.confidence(page, found, first)?;
        Ok(if gain > TURN_GAIN_MIN { second } else { first })
    }

    /// How surely the longest lines are read when the page is turned so.
    fn confidence(&self, page: &RgbImage, found: &[Line], turn: Turn) -> Result<f32, rten::RunError> {
        let trial = straighten::longest(found, TRIAL_LINES);
        let places = trial.iter().map(|line| straighten::renamed(&line.place, turn));
        let mut strips: Vec<Strip> = places.filter_map(|place| recognise::cut(page, &place)).collect();
        recognise::read(&self.recognition, &self.alphabet, &mut strips)?;
        Ok(mean_confidence(&strips))
    }
}

/// A picture with its sheet cut out, laid flat and evenly lit.
struct Shot {
    flat: RgbImage,
    /// The size of the picture as it came.
    whole: (f32, f32),
    /// Where the sheet lies on it.
    cut_out: Option<Quad>,
}

impl Shot {
    fn of(picture: RgbImage) -> Shot {
        let whole = (picture.width() as f32, picture.height() as f32);
        // The sheet is cut out first: when it is small in the picture, it needs all its pixels.
        let cut_out = sheet::find(&picture);
        let flat = match &cut_out {
            Some(corners) => sheet::flatten(&picture, corners, SHORT_SIDE_MAX).unwrap_or(picture),
            None => picture,
        };
        Shot { flat: shade::even(picture::shrink(flat, SHORT_SIDE_MAX)), whole, cut_out }
    }

    /// A shape on the flat picture in fractions of the picture as it came.
    fn on_picture(&self, place: &Quad) -> Option<Corners> {
        let flat = Quad::upright(self.flat.width() as f32, self.flat.height() as f32);
        let onto = self.cut_out.unwrap_or(Quad::upright(self.whole.0, self.whole.1));
        let there = place.through(&Projection::between(&flat, &onto)?);
        Some(there.0.map(|Point { x, y }| (x / self.whole.0, y / self.whole.1)))
    }
}

/// The mean over all letters, so that long lines count for more.
fn mean_confidence(strips: &[Strip]) -> f32 {
    recognise::confidence(strips.iter().flat_map(|strip| &strip.letters))
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
        for word in self.words.iter_mut().flatten() {
            word.place = scaled(&word.place);
            word.size *= scale;
            word.baseline *= scale;
        }
        let rulings = self.rules.iter();
        let mut rulings: Vec<Ruling> =
            rulings.map(|rule| Ruling { place: scaled(&rule.place), direction: rule.direction }).collect();
        for bubble in &mut self.bubbles {
            bubble.place = scaled(&bubble.place);
        }
        let (words, leaders) = lines::arrange_runs(self.words, &rulings, width);
        rulings.extend(leaders);
        Page {
            width,
            height: self.height * scale,
            words,
            rulings,
            source: Source::Recognised,
            corners: self.corners,
            darkness: Some(self.darkness),
            bubbles: self.bubbles,
            ..Page::default()
        }
    }
}

impl Recognise for Recogniser {
    fn drawn_page(&self, pixels: &Pixels, size: (f32, f32)) -> Result<Page, Error> {
        let picture = picture::from_pixels(pixels.clone()).ok_or(Error::Unreadable)?;
        self.drawn(Shot::of(picture), size)
    }

    fn picture_file(&self, bytes: &[u8], _format: Format) -> Result<Page, Error> {
        let picture = picture::decode(bytes, &Bounds::default(), SHORT_SIDE_MAX)?;
        self.photographed(Shot::of(picture))
    }
}

impl Recogniser {
    /// Reads a drawn page that may be one of the question paper's with writing on it.
    pub fn drawn_over(
        &self,
        pixels: Pixels,
        size: (f32, f32),
        prints: &[(u32, Print)],
    ) -> Result<Page, Error> {
        let shot = Shot::of(picture::from_pixels(pixels).ok_or(Error::Unreadable)?);
        match self.laid(&shot, prints).map_err(|_| Error::Unreadable)? {
            Some(page) => Ok(page),
            None => self.drawn(shot, size),
        }
    }

    /// Reads a picture file that may show a page of the question paper with writing on it.
    pub fn picture_over(&self, bytes: &[u8], prints: &[(u32, Print)]) -> Result<Page, Error> {
        let shot = Shot::of(picture::decode(bytes, &Bounds::default(), SHORT_SIDE_MAX)?);
        match self.laid(&shot, prints).map_err(|_| Error::Unreadable)? {
            Some(page) => Ok(page),
            None => self.photographed(shot),
        }
    }

    fn drawn(&self, shot: Shot, size: (f32, f32)) -> Result<Page, Error> {
        let drawn_wide = size.0 >= size.1;
        let sheet = self.read(shot).map_err(|_| Error::Unreadable)?;
        // A page that was turned by a quarter is as wide as it was high.
        let is_wide = sheet.width >= sheet.height;
        let width = if drawn_wide == is_wide { size.0 } else { size.1 };
        Ok(sheet.into_page(width))
    }

    fn photographed(&self, shot: Shot) -> Result<Page, Error> {
        let sheet = self.read(shot).map_err(|_| Error::Unreadable)?;
        Ok(sheet.into_page(PHOTO_WIDTH))
    }
}
