//! Words are found on pages that were drawn, turned, tilted and struck through.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod drawing;

use drawing::{paper, write};
use image::{Rgb, RgbImage, imageops};
use reader::image::to_png;
use reader::ocr::{Recogniser, Weights};
use reader::page::Page;
use reader::{Options, pages};
use std::sync::OnceLock;

fn read(picture: &RgbImage) -> Page {
    static RECOGNISER: OnceLock<Recogniser> = OnceLock::new();
    let recogniser = RECOGNISER.get_or_init(|| Recogniser::load(&Weights::Embedded, 2).unwrap());
    let options = Options { recogniser: Some(recogniser), ..Options::default() };
    pages(&to_png(picture).unwrap(), &options).unwrap().pages.remove(0)
}

fn text(page: &Page) -> String {
    page.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Three lines on a small sheet.
fn sheet() -> RgbImage {
    let mut page = paper(560, 300);
    write(&mut page, "Plants need light and water", 30.0, 80.0, 36.0);
    write(&mut page, "The answer is 42 because", 30.0, 150.0, 36.0);
    write(&mut page, "energy is never lost", 30.0, 220.0, 36.0);
    page
}

/// Draws a straight line, three pixels thick.
fn line(page: &mut RgbImage, from: (f32, f32), to: (f32, f32)) {
    let steps = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) as u32).max(1);
    for step in 0..=steps {
        let share = step as f32 / steps as f32;
        let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
        for offset in 0..3 {
            page.put_pixel(x as u32, y as u32 + offset, Rgb([30, 30, 60]));
        }
    }
}

const WRITTEN: &str = "Plants need light and water The answer is 42 because energy is never lost";

#[test]
fn a_page_is_read_upright_upside_down_and_on_its_side() {
    let upright = sheet();
    let page = read(&upright);
    assert_eq!(text(&page), WRITTEN);
    assert!(page.corners.is_none());
    let word = page.words.iter().find(|word| word.text == "42").unwrap();
    let scale = page.width / 560.0;
    assert!(word.place.y0 > 110.0 * scale && word.place.y1 < 170.0 * scale, "{:?}", word.place);
    assert!(word.confidence > 0.9 && !word.crossed_out);
    assert_eq!(text(&read(&imageops::rotate180(&upright))), WRITTEN);
    let turned = read(&imageops::rotate90(&upright));
    assert_eq!(text(&turned), WRITTEN);
    assert!(turned.width > turned.height && turned.corners.is_some());
}

#[test]
fn a_ruled_line_is_no_text_and_a_stroke_strikes_out() {
    let mut page = paper(560, 240);
    write(&mut page, "It moves by", 30.0, 90.0, 40.0);
    let end = write(&mut page, "diffusion", 250.0, 90.0, 40.0);
    line(&mut page, (245.0, 78.0), (end + 6.0, 75.0));
    write(&mut page, "osmosis into the cell", 30.0, 170.0, 40.0);
    line(&mut page, (10.0, 182.0), (550.0, 182.0));
    let page = read(&page);
    let struck: Vec<_> = page.words.iter().filter(|word| word.crossed_out).collect();
    assert_eq!(struck.len(), 1, "{}", text(&page));
    assert!(struck[0].place.x0 > page.width * 0.4);
    assert!(text(&page).ends_with("osmosis into the cell"), "{}", text(&page));
    assert!(page.rulings.iter().any(|ruling| ruling.place.width() > page.width * 0.8));
}

#[test]
fn narrow_writing_is_looked_at_wider() {
    let mut wide = paper(1500, 300);
    write(&mut wide, "light is refracted towards the normal in the glass", 40.0, 160.0, 64.0);
    let page = read(&imageops::resize(&wide, 600, 300, imageops::FilterType::Triangle));
    assert!(text(&page).contains("towards the normal in the"), "{}", text(&page));
    let word = page.words.iter().find(|word| word.text == "normal").unwrap();
    assert!((0.5..0.8).contains(&(word.place.centre().0 / page.width)), "{:?}", word.place);
}

#[test]
fn an_empty_sheet_has_no_words() {
    assert_eq!(text(&read(&paper(400, 300))), "");
}
