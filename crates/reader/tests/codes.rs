//! The code of a cover sheet is found on photographs and scans of it, each with faults of its own.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod photograph;

use image::{Rgb, RgbImage, imageops};
use photograph::{Faults, photograph};
use reader::glance::Glance;

const TOKEN: &str = "TM1:01m7erksw3h2kbtqh4bm5e14zh:5f1d3a77:s-1071";

/// A sheet of A4 at 150 dots an inch with a code 80 millimetres wide.
fn sheet(token: &str) -> RgbImage {
    let code = qrcode::QrCode::with_error_correction_level(token, qrcode::EcLevel::Q).unwrap();
    let (width, colors) = (code.width(), code.to_colors());
    let side = 472 / width;
    let mut page = RgbImage::from_pixel(1240, 1754, Rgb([250, 249, 246]));
    for (place, color) in colors.into_iter().enumerate() {
        if color == qrcode::Color::Dark {
            let (x, y) = (384 + side * (place % width), 700 + side * (place / width));
            let dark = RgbImage::from_pixel(side as u32, side as u32, Rgb([25, 25, 28]));
            imageops::replace(&mut page, &dark, x as i64, y as i64);
        }
    }
    page
}

#[test]
fn a_code_is_found_on_photographs() {
    let page = sheet(TOKEN);
    let faults = [
        Faults { perspective: 0.0, curl: 0.0, shadow: 0.0, blur: 0, grain: 0.0 },
        Faults { perspective: 0.04, curl: 0.0, shadow: 0.4, blur: 1, grain: 12.0 },
        Faults { perspective: 0.03, curl: 4.0, shadow: 0.5, blur: 2, grain: 25.0 },
        Faults { perspective: 0.06, curl: 0.0, shadow: 0.0, blur: 0, grain: 50.0 },
    ];
    for (index, faults) in faults.iter().enumerate() {
        for seed in 1..=4 {
            let glance = Glance::of(&photograph(&page, faults, seed));
            assert_eq!(glance.codes, [TOKEN], "photograph {index} of seed {seed}");
            assert!(!glance.is_blank && !glance.has_unread_code);
        }
    }
}

#[test]
fn a_code_is_found_whichever_way_the_sheet_lies() {
    let page = sheet(TOKEN);
    for turned in [imageops::rotate90(&page), imageops::rotate180(&page), imageops::rotate270(&page)] {
        assert_eq!(Glance::of(&turned).codes, [TOKEN]);
    }
}

#[test]
fn a_code_that_is_damaged_too_far_is_said_to_be_there() {
    let mut page = sheet(TOKEN);
    // Its corners and the small square by which it is laid out are still to be seen.
    let stain = RgbImage::from_pixel(230, 230, Rgb([120, 80, 40]));
    imageops::replace(&mut page, &stain, 490, 790);
    let glance = Glance::of(&page);
    assert!(glance.codes.is_empty() && glance.has_unread_code, "{glance:?}");
}

#[test]
fn what_a_code_says_is_only_text() {
    for text in ["https://example.com/?q=<script>", "'; DROP TABLE files; --", "..\\..\\etc", "{\"a\":1}"] {
        assert_eq!(Glance::of(&sheet(text)).codes, [text]);
    }
}
