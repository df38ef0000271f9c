//! Filled-in papers as a scanner gives them back: drawn, then turned, scaled and moved, and read by recognition.

use crate::sheet::Sheet;
use exam::script::{self, Answer, Script};
use reader::ocr::{Recogniser, Weights};
use reader::page::Document;
use reader::{Options, Pixels};

const LEFT: f32 = 60.0;
const OPTION: f32 = 90.0;
const BOX: f32 = 300.0;
/// The height of a page in points, from which PDF counts upwards.
const HEIGHT: f32 = 842.0;

/// The paper: lines to write on, lettered options, options with boxes.
fn paper() -> Sheet {
    let mut sheet = Sheet::new();
    sheet.sized(220.0, 60.0, 16.0, true, "Science Test");
    sheet.text(LEFT, 110.0, "1. Name the largest organ of the body. [1]").rule(OPTION, 145.0, 535.0, 145.0);
    sheet.text(LEFT, 190.0, "2. Which gas do plants take in? [1]");
    for (index, option) in
        ["A   oxygen", "B   nitrogen", "C   carbon dioxide", "D   hydrogen"].iter().enumerate()
    {
        sheet.text(OPTION, 215.0 + 24.0 * index as f32, option);
    }
    sheet.text(LEFT, 330.0, "3. Which of these is a metal? [1]");
    for (index, option) in ["A   sulfur", "B   iron", "C   neon", "D   carbon"].iter().enumerate() {
        let y = 355.0 + 24.0 * index as f32;
        sheet.text(OPTION, y, option);
        sheet.grid(&[BOX, BOX + 14.0], &[y - 11.0, y + 3.0]);
    }
    sheet.text(LEFT, 470.0, "4. Explain how sweat cools the skin. [3]");
    for y in [505.0, 535.0, 565.0] {
        sheet.rule(OPTION, y, 535.0, y);
    }
    sheet.text(LEFT, 610.0, "5. State one more job of the skin. [1]").rule(OPTION, 645.0, 535.0, 645.0);
    sheet
}

/// The same with a student's answers: a ring, a tick, and a line that was crossed out.
fn filled_in() -> Sheet {
    let mut sheet = paper();
    sheet.sized(OPTION + 10.0, 141.0, 13.0, false, "the skin");
    let (x, y) = (OPTION + 4.0, HEIGHT - 259.0);
    // A ring around C.
    sheet.draw(&format!(
        "1.4 w {} {y} m {} {} {} {} {x} {} c {} {} {} {} {} {y} c {} {} {} {} {x} {} c {} {} {} {} {} {y} c S",
        x - 13.0, x - 13.0, y + 11.0, x - 8.0, y + 13.0, y + 13.0,
        x + 8.0, y + 13.0, x + 13.0, y + 11.0, x + 13.0,
        x + 13.0, y - 8.0, x + 8.0, y - 11.0, y - 11.0,
        x - 8.0, y - 11.0, x - 13.0, y - 8.0, x - 13.0,
    ));
    // A tick in the second box.
    let tick = HEIGHT - 379.0;
    sheet.draw(&format!(
        "1.6 w {} {} m {} {} l {} {} l S",
        BOX + 2.0,
        tick + 4.0,
        BOX + 6.0,
        tick - 1.0,
        BOX + 14.0,
        tick + 14.0
    ));
    sheet.sized(OPTION + 10.0, 501.0, 13.0, false, "the skin gets cold from wind");
    sheet.draw(&format!("1.4 w {} {} m {} {} l S", OPTION + 6.0, HEIGHT - 496.0, 280.0, HEIGHT - 497.0));
    sheet.sized(OPTION + 10.0, 531.0, 13.0, false, "the water in sweat evaporates");
    sheet.sized(OPTION + 10.0, 561.0, 13.0, false, "and takes energy away");
    sheet.sized(OPTION + 10.0, 641.0, 13.0, false, "it keeps germs out");
    sheet
}

/// How a sheet lay on the scanner.
struct Laid {
    degrees: f32,
    scale: f32,
    /// In pixels.
    moved: (f32, f32),
}

/// The picture of a page that lay so, on paper that is not quite white.
fn scan(page: &Pixels, laid: &Laid) -> Pixels {
    let (sin, cos) = laid.degrees.to_radians().sin_cos();
    let (width, height) = (page.width as f32, page.height as f32);
    let mut rgb = Vec::with_capacity(page.rgb.len());
    for row in 0..page.height {
        for column in 0..page.width {
            let (x, y) = (
                (column as f32 - width / 2.0 - laid.moved.0) / laid.scale,
                (row as f32 - height / 2.0 - laid.moved.1) / laid.scale,
            );
            let (x, y) = (cos * x + sin * y + width / 2.0, cos * y - sin * x + height / 2.0);
            let shade = 4.0 * (column as f32 / width);
            let value = sample(page, x, y) * 0.97 - shade;
            rgb.extend([value as u8; 3]);
        }
    }
    Pixels { width: page.width, height: page.height, rgb }
}

/// The brightness between four pixels, white outside the page.
fn sample(page: &Pixels, x: f32, y: f32) -> f32 {
    let at = |column: f32, row: f32| {
        let inside = column >= 0.0 && row >= 0.0 && column < page.width as f32 && row < page.height as f32;
        if !inside {
            return 255.0;
        }
        f32::from(page.rgb[3 * (row as usize * page.width as usize + column as usize)])
    };
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (x - left, y - top);
    let upper = at(left, top) * (1.0 - across) + at(left + 1.0, top) * across;
    let lower = at(left, top + 1.0) * (1.0 - across) + at(left + 1.0, top + 1.0) * across;
    upper * (1.0 - down) + lower * down
}

fn answer<'s>(script: &'s Script, number: &str) -> &'s Answer {
    script.answers.iter().find(|answer| answer.number == number).expect("the question is there")
}

#[test]
fn a_scan_that_is_turned_scaled_and_moved_is_read() {
    let recogniser = Recogniser::load(&Weights::default(), 1).expect("the weights are sound");
    let options = Options { recogniser: Some(&recogniser), ..Options::default() };
    let paper = reader::pages(&paper().finish(), &Options::default()).expect("it is a PDF");
    let reading = exam::read(&paper, &Document::default());
    let drawn = reader::pdf::render(&filled_in().finish(), 0, 150.0).expect("it is a PDF");
    let ways = [
        Laid { degrees: 1.0, scale: 0.97, moved: (22.0, -14.0) },
        Laid { degrees: -1.0, scale: 1.03, moved: (-10.0, 16.0) },
    ];
    for laid in &ways {
        let picture = reader::image::from_pixels(scan(&drawn, laid)).expect("it has pixels");
        let bytes = reader::image::to_png(&picture).expect("it can be written");
        let script = reader::pages(&bytes, &options).expect("it is a picture");
        let script = script::read(&paper, &reading.questions, &[script]);
        let degrees = laid.degrees;
        let text = |number: &str| answer(&script, number).text.replace('\n', " / ").to_lowercase();
        assert_eq!(text("1"), "the skin", "{degrees}");
        assert_eq!(answer(&script, "2").selected, ["C"], "{degrees}: the ring");
        assert_eq!(answer(&script, "3").selected, ["B"], "{degrees}: the tick");
        assert_eq!(text("4"), "the water in sweat evaporates / and takes energy away", "{degrees}");
        assert_eq!(text("5"), "it keeps germs out", "{degrees}");
    }
}
