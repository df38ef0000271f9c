//! A page of our own writing is read back from photographs of it, each with faults of its own.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod drawing;
mod photograph;

use drawing::{paper, write};
use image::{Rgb, RgbImage};
use photograph::{Faults, photograph};
use reader::image::to_png;
use reader::ocr::{Letters, Recogniser, Weights};
use reader::page::Page;
use std::sync::OnceLock;

const WRITTEN: [&str; 5] = [
    "The lamp grows dim because its wire is hot",
    "A hot wire resists the current more",
    "so fewer charges pass each second",
    "12 volts across 48 ohms is a quarter of an amp",
    "My friend measured 0.25 with her meter",
];
const CLEAN: Faults = Faults { perspective: 0.0, curl: 0.0, shadow: 0.0, blur: 0, grain: 0.0 };

fn read(picture: &RgbImage) -> Page {
    static RECOGNISER: OnceLock<Recogniser> = OnceLock::new();
    let load = || Recogniser::for_letters(&Weights::Embedded, 2, Letters::English).unwrap();
    RECOGNISER.get_or_init(load).picture_over(&to_png(picture).unwrap(), &[]).unwrap()
}

fn text(page: &Page) -> String {
    page.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn page() -> RgbImage {
    let mut page = paper(880, 520);
    for (index, line) in WRITTEN.iter().enumerate() {
        write(&mut page, line, 40.0, 90.0 + 85.0 * index as f32, 38.0);
    }
    page
}

/// Letters to add, drop or change, of those that were written.
fn error(read: &str) -> f32 {
    let (read, written): (Vec<char>, Vec<char>) =
        (read.chars().collect(), WRITTEN.join(" ").chars().collect());
    let mut previous: Vec<usize> = (0..=written.len()).collect();
    for (row, left) in read.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in written.iter().enumerate() {
            let changed = previous[column] + usize::from(left != right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous[written.len()] as f32 / written.len() as f32
}

/// The mean error over some photographs.
fn mean_error(faults: &Faults, seeds: std::ops::Range<u64>) -> f32 {
    let page = page();
    let count = (seeds.end - seeds.start) as f32;
    seeds.map(|seed| error(&text(&read(&photograph(&page, faults, seed))))).sum::<f32>() / count
}

#[test]
fn what_was_written_is_read_back_whatever_is_wrong_with_the_photograph() {
    let cases = [
        ("clean", CLEAN, 0.02),
        ("from the side", Faults { perspective: 0.05, ..CLEAN }, 0.03),
        ("curled", Faults { curl: 7.0, ..CLEAN }, 0.05),
        ("in shadow", Faults { shadow: 0.55, grain: 4.0, ..CLEAN }, 0.03),
        ("out of focus", Faults { blur: 2, ..CLEAN }, 0.05),
        ("all of it", Faults { perspective: 0.04, curl: 4.0, shadow: 0.4, blur: 1, grain: 6.0 }, 0.06),
    ];
    for (name, faults, most) in cases {
        let error = mean_error(&faults, 1..3);
        assert!(error <= most, "{name}: {error:.3} of the letters are wrong, at most {most} may be");
    }
}

/// A number over another, with a bar between them; tells where the fraction ends.
fn fraction(page: &mut RgbImage, over: &str, under: &str, x: f32, middle: f32) -> f32 {
    let mut nowhere = paper(900, 60);
    let wide = |text: &str, page: &mut RgbImage| write(page, text, 0.0, 40.0, 38.0);
    let (upper, lower) = (wide(over, &mut nowhere), wide(under, &mut nowhere));
    let bar = upper.max(lower) + 14.0;
    write(page, over, x + (bar - upper) / 2.0, middle - 10.0, 38.0);
    write(page, under, x + (bar - lower) / 2.0, middle + 40.0, 38.0);
    for column in x as u32..(x + bar) as u32 {
        (0..3).for_each(|row| page.put_pixel(column, middle as u32 + row, Rgb([30; 3])));
    }
    x + bar
}

#[test]
fn numbers_over_each_other_are_fractions() {
    let mut page = paper(880, 420);
    write(&mut page, "Both are red with a chance of", 40.0, 80.0, 38.0);
    let mut x = write(&mut page, "P =", 40.0, 203.0, 38.0) + 34.0;
    x = fraction(&mut page, "3", "8", x, 190.0) + 34.0;
    x = write(&mut page, "x", x, 203.0, 38.0) + 34.0;
    x = fraction(&mut page, "2", "7", x, 190.0) + 34.0;
    x = write(&mut page, "=", x, 203.0, 38.0) + 34.0;
    fraction(&mut page, "6", "56", x, 190.0);
    write(&mut page, "which is not quite 9/64", 40.0, 340.0, 38.0);
    for picture in [page.clone(), photograph(&page, &Faults { perspective: 0.02, grain: 4.0, ..CLEAN }, 5)] {
        let read = text(&read(&picture));
        assert!(["3/8", "2/7", "6/56", "9/64"].iter().all(|wanted| read.contains(wanted)), "{read}");
    }
}
