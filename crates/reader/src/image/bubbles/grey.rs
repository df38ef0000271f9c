//! How bright each pixel of a sheet is, a little smoothed.

use super::super::{scale, shade};
use super::Spot;
use image::GrayImage;

/// A sheet without its colours.
pub(super) struct Grey {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) levels: Vec<f32>,
}

impl Grey {
    /// The picture at a scale.
    pub(super) fn of(picture: &GrayImage, scale: f64) -> Grey {
        let side = |pixels: u32| ((f64::from(pixels) * scale).round() as u32).max(1);
        let size = (side(picture.width()), side(picture.height()));
        let grey = scale::grey(picture, size.0, size.1);
        let (width, height) = (grey.width() as usize, grey.height() as usize);
        let raw = grey.as_raw();
        let mut levels = vec![shade::WHITE; width * height];
        let mut sums = vec![0u16; width];
        for y in 1..height.saturating_sub(1) {
            let row = |y: usize| &raw[y * width..(y + 1) * width];
            for (sum, ((above, own), below)) in
                sums.iter_mut().zip(row(y - 1).iter().zip(row(y)).zip(row(y + 1)))
            {
                *sum = u16::from(*above) + u16::from(*own) + u16::from(*below);
            }
            let inner = levels[y * width..(y + 1) * width].iter_mut().skip(1);
            for (level, near) in inner.zip(sums.windows(3)) {
                *level = f32::from(near[0] + near[1] + near[2]) / 9.0;
            }
        }
        Grey { width, height, levels }
    }

    /// The brightness between pixels; at the picture's edge that of the edge.
    pub(super) fn level(&self, (x, y): Spot) -> f32 {
        let x = x.clamp(0.0, self.width.saturating_sub(2) as f32);
        let y = y.clamp(0.0, self.height.saturating_sub(2) as f32);
        let (left, top) = (x as usize, y as usize);
        let (across, down) = (x - left as f32, y - top as f32);
        let pair = |y: usize| {
            let row = self.levels.get(y * self.width + left..).and_then(|row| row.first_chunk::<2>());
            row.copied().unwrap_or([shade::WHITE; 2])
        };
        let mixed = |[first, second]: [f32; 2]| first * (1.0 - across) + second * across;
        let (upper, lower) = (mixed(pair(top)), mixed(pair(top + 1)));
        upper * (1.0 - down) + lower * down
    }

    /// The mean darkness within a circle, without its rim: 0 for paper, 1 for black.
    pub(super) fn fill(&self, at: Spot, radius: f32) -> f32 {
        let inner = 0.6 * radius;
        let reach = inner.ceil() as i32;
        let (mut sum, mut count) = (0.0, 0.0f32);
        for down in -reach..=reach {
            for across in -reach..=reach {
                let (across, down) = (across as f32, down as f32);
                if across.hypot(down) <= inner {
                    sum += (1.0 - self.level((at.0 + across, at.1 + down)) / shade::WHITE).clamp(0.0, 1.0);
                    count += 1.0;
                }
            }
        }
        sum / count.max(1.0)
    }
}
