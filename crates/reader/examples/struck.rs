//! Measures how well strokes through words are seen: `cargo run -p reader --example struck -- COUNT FILE... [--first N]
//! [--font FILE]... [--misses]`.
//!
//! Each of COUNT sheets is filled with words of the documents given, some of them struck out with a pen, on plain or ruled
//! paper, and photographed. The same numbers give the same sheets. Hands are the tests' font and those given.

#![expect(clippy::unwrap_used, reason = "the photographs are those of the tests")]

#[path = "../tests/photograph/mod.rs"]
mod photograph;

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};
use photograph::{Chance, Faults, photograph};
use reader::image::geometry::{Point, Projection, Quad};
use reader::image::to_png;
use reader::ocr::{Letters, Recogniser, Weights};
use reader::page::{Page, Rect, Word};
use reader::{Options, pages};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

const SIZE: (u32, u32) = (1240, 1754);
const MARGIN: f32 = 90.0;
const LINE: f32 = 62.0;
/// Of the words, this share begins a stroke.
const STROKES: f32 = 0.12;
/// Of the strokes, so many go on over the next word.
const GOES_ON: f32 = 0.25;
/// What `photograph` leaves of the table on each side, of the page.
const TABLE: f32 = 0.08;

/// A word as it was drawn.
struct Drawn {
    text: String,
    place: Rect,
    is_struck: bool,
}

struct Pen<'f> {
    font: &'f FontVec,
    colour: [u8; 3],
    size: f32,
    width: f32,
}

impl Pen<'_> {
    fn write(&self, page: &mut RgbImage, text: &str, x: f32, y: f32) -> f32 {
        let scaled = self.font.as_scaled(PxScale::from(self.size));
        let mut at = x;
        for sign in text.chars() {
            let glyph = self.font.glyph_id(sign).with_scale_and_position(self.size, point(at, y));
            at += scaled.h_advance(glyph.id);
            let Some(outline) = self.font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|dx, dy, cover| self.stain(page, corner.x + dx as f32, corner.y + dy as f32, cover));
        }
        at
    }

    fn stain(&self, page: &mut RgbImage, x: f32, y: f32, cover: f32) {
        let (x, y) = (x as u32, y as u32);
        if x < page.width() && y < page.height() {
            let pixel = page.get_pixel_mut(x, y);
            for (level, ink) in pixel.0.iter_mut().zip(self.colour) {
                let mixed = f32::from(*level) * (1.0 - cover.min(1.0)) + f32::from(ink) * cover.min(1.0);
                *level = (*level).min(mixed as u8);
            }
        }
    }

    /// A stroke over words, a little bent, from before the first to behind the last.
    fn strike(&self, page: &mut RgbImage, from: f32, to: f32, baseline: f32, chance: &mut Chance) {
        let mut past = || self.size * chance.between(0.02, 0.35);
        let (from, to) = (from - past(), to + past());
        let height = baseline - self.size * chance.between(0.16, 0.3);
        let (slope, bend) = (chance.between(-0.06, 0.06), self.size * chance.between(-0.05, 0.05));
        let middle = f32::midpoint(from, to);
        for step in 0..((to - from) * 2.0) as u32 {
            let x = from + step as f32 / 2.0;
            let along = (x - from) / (to - from);
            let y = height + slope * (x - middle) + bend * (along * std::f32::consts::PI).sin();
            let half = self.width / 2.0;
            for offset in 0..=(self.width * 2.0) as u32 {
                self.stain(page, x, y - half + offset as f32 / 2.0, 0.9);
            }
        }
    }
}

fn sheet(words: &[String], fonts: &[FontVec], seed: u64) -> (RgbImage, Vec<Drawn>) {
    let mut chance = Chance::new(seed);
    for _ in 0..8 {
        chance.next();
    }
    let mut page = RgbImage::from_pixel(SIZE.0, SIZE.1, Rgb([250, 249, 246]));
    let pen = Pen {
        font: &fonts[(chance.next() * fonts.len() as f32) as usize % fonts.len()],
        colour: [[20, 24, 34], [24, 40, 130], [70, 70, 74]][(chance.next() * 3.0) as usize % 3],
        size: chance.between(30.0, 40.0),
        width: chance.between(1.6, 3.0),
    };
    let is_ruled = chance.next() < 0.5;
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut words = words.iter().cycle().skip((chance.next() * words.len() as f32) as usize);
    let mut y = MARGIN + LINE;
    while y < SIZE.1 as f32 - MARGIN {
        for x in (0..SIZE.0).filter(|_| is_ruled) {
            page.put_pixel(x, (y + 5.0) as u32, Rgb([186, 204, 226]));
        }
        let (mut x, first) = (MARGIN, drawn.len());
        while x < SIZE.0 as f32 - 3.0 * MARGIN {
            let text = words.next().cloned().unwrap_or_default();
            let baseline = y + pen.size * chance.between(-0.05, 0.05);
            let end = pen.write(&mut page, &text, x, baseline);
            let place =
                Rect { x0: x, y0: baseline - 0.75 * pen.size, x1: end, y1: baseline + 0.25 * pen.size };
            drawn.push(Drawn { text, place, is_struck: false });
            x = end + pen.size * chance.between(0.28, 0.5);
        }
        let mut at = first;
        while at < drawn.len() {
            if chance.next() < STROKES {
                let end = if chance.next() < GOES_ON { (at + 1).min(drawn.len() - 1) } else { at };
                pen.strike(
                    &mut page,
                    drawn[at].place.x0,
                    drawn[end].place.x1,
                    drawn[at].place.y1 - 0.25 * pen.size,
                    &mut chance,
                );
                drawn[at..=end].iter_mut().for_each(|word| word.is_struck = true);
                at = end + 1;
            }
            at += 1;
        }
        y += LINE;
    }
    let faults = Faults {
        perspective: 0.0,
        curl: 0.0,
        shadow: chance.between(0.0, 0.4),
        blur: i32::from(chance.next() < 0.5),
        grain: chance.between(0.0, 8.0),
    };
    (photograph(&page, &faults, seed), drawn)
}

/// Where a word was read, on the page as it was drawn.
fn place(page: &Page, word: &Word) -> Option<Point> {
    let (x, y) = word.place.centre();
    let (width, height) = (SIZE.0 as f32, SIZE.1 as f32);
    let picture = |(x, y): (f32, f32)| {
        Point::new((x * (1.0 + 2.0 * TABLE) - TABLE) * width, (y * (1.0 + 2.0 * TABLE) - TABLE) * height)
    };
    let whole = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let there = Quad(page.corners.unwrap_or(whole).map(picture));
    Some(Projection::between(&Quad::upright(page.width, page.height), &there)?.apply(Point::new(x, y)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().ok_or("how many sheets?")?.parse()?;
    let (mut first, mut lists_misses, mut files) = (1, false, Vec::new());
    let mut fonts = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fonts/ComicNeue-Regular.otf")];
    while let Some(option) = arguments.next() {
        match option.as_str() {
            "--first" => first = arguments.next().ok_or("which?")?.parse()?,
            "--font" => fonts.push(PathBuf::from(arguments.next().ok_or("which?")?)),
            "--misses" => lists_misses = true,
            file => files.push(PathBuf::from(file)),
        }
    }
    let fonts: Vec<FontVec> = fonts
        .iter()
        .map(|path| Ok(FontVec::try_from_vec(std::fs::read(path)?)?))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let mut words = Vec::new();
    for file in &files {
        let document = pages(&std::fs::read(file)?, &Options::default())?;
        words.extend(document.pages.into_iter().flat_map(|page| page.words).map(|word| word.text));
    }
    words.retain(|word| word.is_ascii());
    let recogniser = Recogniser::for_letters(&Weights::Embedded, 1, Letters::English)?;
    let options = Options { recogniser: Some(&recogniser), ..Options::default() };
    let mut stdout = std::io::stdout().lock();
    let (mut seen, mut struck, mut taken, mut whole) = (0, 0, 0, 0);
    for seed in (first..).take(count) {
        let (photo, drawn) = sheet(&words, &fonts, seed);
        let page = pages(&to_png(&photo)?, &options)?.pages.remove(0);
        for word in &drawn {
            let own: Vec<&Word> = page
                .words
                .iter()
                .filter(|read| place(&page, read).is_some_and(|at| word.place.contains((at.x, at.y))))
                .collect();
            let is_seen = own.iter().any(|read| read.crossed_out);
            if word.is_struck {
                (seen, struck) = (seen + usize::from(is_seen), struck + 1);
            } else {
                (taken, whole) = (taken + usize::from(is_seen), whole + 1);
            }
            if lists_misses && is_seen != word.is_struck {
                let read: Vec<String> =
                    own.iter().map(|read| format!("{} {:.2}", read.text, read.confidence)).collect();
                let kind = if word.is_struck { "kept" } else { "taken" };
                writeln!(
                    stdout,
                    "{seed} {kind}: {:?} at {:.0}, {:.0} as {read:?}",
                    word.text, word.place.x0, word.place.y0
                )?;
            }
        }
    }
    writeln!(stdout, "strokes seen {seen} of {struck}, whole words taken for struck {taken} of {whole}")?;
    Ok(())
}
