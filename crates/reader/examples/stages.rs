//! Shows what a picture goes through on its way to words:
//! `cargo run -p reader --example stages -- OUT FILE [PAGE [PAPER.pdf]]` writes the pictures to the folder `OUT`, with a
//! line on each stage's time, and prints the words and bubbles that were read. `PAPER.pdf` is the paper whose page the
//! picture may show.

use image::{Rgb, RgbImage};
use reader::image::{from_pixels, ink::Ink, to_png};
use reader::ocr::{Letters, Recogniser, Weights};
use reader::page::{Page, Rect};
use reader::print::{self, Print};
use reader::{Format, lines, pdf, sniff};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The resolution at which a page of a PDF is drawn to be read.
const DPI: f32 = 170.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, file, rest @ ..] = arguments.as_slice() else { return Err("which folder and file?".into()) };
    let number: u32 = rest.first().map_or(Ok(1), |page| page.parse())?;
    let prints = rest.get(1).map_or(Ok(Vec::new()), |paper| prints(Path::new(paper)))?;
    let letters = if prints.is_empty() { Letters::All } else { Letters::English };
    let (folder, started) = (PathBuf::from(out), Instant::now());
    std::fs::create_dir_all(&folder)?;
    let (watched, at) = (folder.clone(), started);
    let recogniser =
        Recogniser::for_letters(&Weights::Embedded, 1, letters)?.watched(Box::new(move |name, picture| {
            let path = watched.join(format!("{name}.png"));
            let written =
                to_png(picture).map_err(std::io::Error::other).and_then(|png| std::fs::write(path, png));
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "{name} after {:.2} s: {written:?}", at.elapsed().as_secs_f64());
        }));
    let bytes = std::fs::read(file)?;
    let page = match sniff(&bytes)? {
        Format::Pdf => {
            let pixels = pdf::render(&bytes, number - 1, DPI)?;
            let size = (pixels.width as f32 * 72.0 / DPI, pixels.height as f32 * 72.0 / DPI);
            recogniser.drawn_over(pixels, size, &prints)?
        }
        Format::Jpeg | Format::Png => recogniser.picture_over(&bytes, &prints)?,
    };
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "{:.2} s, networks {:.2} s ({:.2} s to find lines), laid on {:?}, {} bubbles",
        started.elapsed().as_secs_f64(),
        recogniser.network_time().as_secs_f64(),
        recogniser.detection_time().as_secs_f64(),
        page.laid_on,
        page.bubbles.len()
    )?;
    for line in lines::lines(&page) {
        let words: Vec<&str> = page.words[line.words.clone()].iter().map(|word| word.text.as_str()).collect();
        writeln!(stdout, "{:4.0} {:4.0}  {}", line.place.x0, line.place.y0, words.join(" "))?;
    }
    let seen =
        ["laid", "upright"].iter().find_map(|name| std::fs::read(folder.join(format!("{name}.png"))).ok());
    let seen = seen.ok_or("no stage was shown")?;
    let mut seen = image::load_from_memory(&seen)?.into_rgb8();
    paint(&mut seen, &page);
    std::fs::write(folder.join("read.png"), to_png(&seen)?)?;
    Ok(())
}

fn prints(paper: &Path) -> Result<Vec<(u32, Print)>, Box<dyn Error>> {
    let bytes = std::fs::read(paper)?;
    let mut prints = Vec::new();
    for index in 0..reader::page_count(&bytes)? {
        let drawn = from_pixels(pdf::render(&bytes, index, print::DPI)?).ok_or("a page has no pixels")?;
        prints.extend(Print::of(&Ink::of(&drawn)).map(|print| (index + 1, print)));
    }
    Ok(prints)
}

/// Frames words in blue and bubbles in red, as far as they are filled.
fn paint(picture: &mut RgbImage, page: &Page) {
    let scale = picture.width() as f32 / page.width.max(1.0);
    for word in &page.words {
        frame(picture, &word.place, scale, Rgb([0, 80, 255]));
    }
    for bubble in &page.bubbles {
        let level = (255.0 * bubble.fill) as u8;
        frame(picture, &bubble.place, scale, Rgb([255, level, (bubble.block * 90) as u8]));
    }
}

fn frame(picture: &mut RgbImage, place: &Rect, scale: f32, colour: Rgb<u8>) {
    let (width, height) = picture.dimensions();
    let within = |at: f32, limit: u32| ((at * scale).max(0.0) as u32).min(limit.saturating_sub(1));
    let (left, right) = (within(place.x0, width), within(place.x1, width));
    let (top, bottom) = (within(place.y0, height), within(place.y1, height));
    for x in left..=right {
        picture.put_pixel(x, top, colour);
        picture.put_pixel(x, bottom, colour);
    }
    for y in top..=bottom {
        picture.put_pixel(left, y, colour);
        picture.put_pixel(right, y, colour);
    }
}
