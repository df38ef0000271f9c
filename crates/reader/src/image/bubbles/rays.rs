//! How bright it is around a middle, outwards in all directions.

use super::super::shade;
use super::Spot;
use super::grey::Grey;
use std::sync::LazyLock;

/// Directions in which a rim is looked at.
pub(super) const RIM: usize = 16;
/// How far from the radius that was voted for the rim is looked for.
pub(super) const REACHES: [f32; 7] = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5];
/// Levels along a direction: from a pixel within the nearest reach to a pixel beyond the farthest.
const STEPS: usize = REACHES.len() + 4;

/// How bright it is along a direction, half a pixel from one to the next.
pub(super) type Levels = [f32; STEPS];

/// Sine and cosine of each direction in which a rim is looked at.
static DIRECTIONS: LazyLock<[(f32, f32); RIM]> = LazyLock::new(|| {
    std::array::from_fn(|index| (index as f32 / RIM as f32 * std::f32::consts::TAU).sin_cos())
});

/// Where a level lies, from the middle.
fn place(radius: f32, direction: usize, step: usize) -> Spot {
    let (sin, cos) = DIRECTIONS[direction];
    let reach = radius + REACHES[0] - 1.0 + 0.5 * step as f32;
    (reach * cos, reach * sin)
}

/// Levels around any middle.
pub(super) fn levels(grey: &Grey, at: Spot, radius: f32, direction: usize) -> Levels {
    std::array::from_fn(|step| {
        let (x, y) = place(radius, direction, step);
        grey.level((at.0 + x, at.1 + y))
    })
}

/// Where the levels around a middle of whole pixels lie: for a radius, at the same distance from every one.
pub(super) struct Rays {
    radius: f32,
    /// For each level the pixel up and left of it, counted from the middle, and how far it lies towards the next ones.
    places: [[(isize, f32, f32); STEPS]; RIM],
}

impl Rays {
    pub(super) fn of(grey: &Grey, radius: f32) -> Rays {
        let places = std::array::from_fn(|direction| {
            std::array::from_fn(|step| {
                let (x, y) = place(radius, direction, step);
                let (left, top) = (x.floor(), y.floor());
                (top as isize * grey.width as isize + left as isize, x - left, y - top)
            })
        });
        Rays { radius, places }
    }

    /// True when they are around a circle of this radius.
    pub(super) fn are_of(&self, radius: f32) -> bool {
        self.radius == radius
    }

    /// True when none of them lies at the picture's edge.
    pub(super) fn are_within(&self, grey: &Grey, at: Spot) -> bool {
        let reach = self.radius + REACHES[REACHES.len() - 1] + 3.0;
        let is_within = |at: f32, side: usize| at >= reach && at + reach < side as f32;
        is_within(at.0, grey.width) && is_within(at.1, grey.height)
    }

    #[inline]
    pub(super) fn levels(&self, grey: &Grey, at: Spot, direction: usize) -> Levels {
        let middle = at.1 as isize * grey.width as isize + at.0 as isize;
        self.places[direction].map(|(off, across, down)| {
            let mixed = |start: isize| match grey.levels.get(start as usize..) {
                Some([first, second, ..]) => first * (1.0 - across) + second * across,
                _ => shade::WHITE,
            };
            let (upper, lower) = (mixed(middle + off), mixed(middle + off + grey.width as isize));
            upper * (1.0 - down) + lower * down
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, Luma};

    #[test]
    fn rays_see_what_is_seen_around_any_middle() {
        let picture = GrayImage::from_fn(60, 50, |x, y| Luma([((x * 37 + y * 91) % 211) as u8]));
        let grey = Grey::of(&picture, 1.0);
        for radius in [2.5, 4.0, 11.0] {
            let rays = Rays::of(&grey, radius);
            for at in [(20.0, 19.0), (31.0, 25.0), (40.0, 30.0)] {
                assert!(rays.are_within(&grey, at));
                for direction in 0..RIM {
                    let any = levels(&grey, at, radius, direction);
                    let own = rays.levels(&grey, at, direction);
                    assert!(own.iter().zip(any).all(|(own, any)| (own - any).abs() < 0.01));
                }
            }
            assert!(!rays.are_within(&grey, (radius, 25.0)) && !rays.are_within(&grey, (30.0, 45.0)));
        }
    }
}
