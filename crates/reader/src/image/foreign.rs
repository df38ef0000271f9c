//! Ink that is not the student's: a teacher's, in red, over writing of another colour.

use super::ink::Ink;
use image::{Rgb, RgbImage};

/// A red is this much stronger than the other channels.
const RED_MIN: i16 = 45;
/// Red ink is another's when there is less of it than this share of all ink: who writes in red writes all in red.
const SHARE_MAX: f32 = 0.4;

/// Takes the red ink away from a page that is written on in another colour.
pub(crate) fn take_away(picture: &mut RgbImage, ink: &mut Ink) {
    let is_red = |pixel: &Rgb<u8>| {
        let [red, green, blue] = pixel.0.map(i16::from);
        red - green.max(blue) >= RED_MIN
    };
    let inked = picture.enumerate_pixels().filter(|(x, y, _)| ink.at(*x as usize, *y as usize));
    let (all, red) =
        inked.fold((0u32, 0u32), |(all, red), (_, _, pixel)| (all + 1, red + u32::from(is_red(pixel))));
    if red == 0 || red as f32 > SHARE_MAX * all as f32 {
        return;
    }
    let mut marks = Vec::with_capacity(ink.width * ink.height);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let red = is_red(pixel);
        marks.push(ink.at(x as usize, y as usize) && !red);
        if red {
            *pixel = Rgb([250; 3]);
        }
    }
    *ink = Ink::from_marks(ink.width, ink.height, marks);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(red_columns: u32) -> (RgbImage, Ink) {
        let picture = RgbImage::from_fn(100, 20, |x, _| {
            let colour = if x < red_columns { [210, 40, 50] } else { [40, 40, 120] };
            Rgb(if x.is_multiple_of(2) { colour } else { [250; 3] })
        });
        let ink = Ink::of(&picture);
        (picture, ink)
    }

    #[test]
    fn a_teachers_red_goes_and_a_student_may_write_in_red() {
        let (mut picture, mut ink) = page(20);
        take_away(&mut picture, &mut ink);
        assert!(!ink.at(10, 5) && ink.at(60, 5) && picture.get_pixel(10, 5).0[1] > 200);
        let (mut picture, mut ink) = page(90);
        take_away(&mut picture, &mut ink);
        assert!(ink.at(10, 5));
    }
}
