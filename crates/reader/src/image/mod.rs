//! Pictures of pages: decoded within hard bounds, turned upright, straightened and evenly lit.

pub mod bubbles;
mod faint;
pub(crate) mod foreign;
pub mod geometry;
pub mod ink;
pub(crate) mod maps;
mod reduce;
pub(crate) mod register;
pub(crate) mod residue;
pub mod rules;
pub(crate) mod scale;
pub mod shade;
pub mod sheet;
pub mod warp;

use crate::{Error, Format, Pixels, sniff};
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, Limits, RgbImage, RgbaImage,
};
use std::io::Cursor;

/// How large a picture may be. Checked against its header, before any pixel is decoded.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Width or height in pixels.
    pub side_max: u32,
    /// Width times height.
    pub pixels_max: u64,
    /// Size of the decoded samples: a picture with 16 bits a channel may have fewer pixels.
    pub decoded_bytes_max: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        // The sharpest phones take pictures of 50 million pixels, three bytes each.
        Bounds { side_max: 20_000, pixels_max: 52_000_000, decoded_bytes_max: 160_000_000 }
    }
}

/// Why a picture could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Neither JPEG nor PNG.
    #[error("the file is neither a JPEG nor a PNG picture")]
    UnknownFormat,
    /// Its header promises more than the bounds allow.
    #[error("the picture has {width} x {height} pixels, which is more than can be read")]
    TooLarge {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// Broken or of a variety that the decoder does not know.
    #[error("the picture cannot be decoded")]
    Undecodable(#[source] ImageError),
}

/// Decodes the picture within the bounds, turned as its EXIF orientation says, on white where transparent.
///
/// A picture whose shorter side is at least twice `short_side` comes back smaller, which saves memory and time.
pub fn decode(bytes: &[u8], bounds: &Bounds, short_side: u32) -> Result<RgbImage, PictureError> {
    match sniff(bytes) {
        Ok(Format::Jpeg) => {
            let decoder = image::codecs::jpeg::JpegDecoder::new(Cursor::new(bytes));
            decode_with(decoder.map_err(PictureError::Undecodable)?, bounds, short_side)
        }
        Ok(Format::Png) => {
            let decoder = image::codecs::png::PngDecoder::with_limits(Cursor::new(bytes), limits(bounds));
            decode_with(decoder.map_err(PictureError::Undecodable)?, bounds, short_side)
        }
        Ok(Format::Pdf) | Err(_) => Err(PictureError::UnknownFormat),
    }
}

fn limits(bounds: &Bounds) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(bounds.side_max);
    limits.max_image_height = Some(bounds.side_max);
    limits.max_alloc = Some(bounds.decoded_bytes_max);
    limits
}

fn decode_with(
    mut decoder: impl ImageDecoder,
    bounds: &Bounds,
    short_side: u32,
) -> Result<RgbImage, PictureError> {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let within = width <= bounds.side_max
        && height <= bounds.side_max
        && pixels <= bounds.pixels_max
        && decoder.total_bytes() <= bounds.decoded_bytes_max;
    if !within {
        return Err(PictureError::TooLarge { width, height });
    }
    decoder.set_limits(limits(bounds)).map_err(PictureError::Undecodable)?;
    // A broken EXIF block only loses the orientation, which the page itself still shows.
    let orientation = decoder.orientation().ok();
    let picture = DynamicImage::from_decoder(decoder).map_err(PictureError::Undecodable)?;
    // Turning takes a second copy, so it comes after making the picture smaller.
    let mut picture = DynamicImage::ImageRgb8(reduce::reduced(picture, short_side));
    if let Some(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    Ok(picture.into_rgb8())
}

fn on_white(picture: &RgbaImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0.map(u32::from);
        image::Rgb([red, green, blue].map(|value| ((value * alpha + 255 * (255 - alpha)) / 255) as u8))
    })
}

/// The picture made smaller so that its shorter side is at most `side_max`; never made larger.
pub fn shrink(picture: RgbImage, side_max: u32) -> RgbImage {
    let short = picture.width().min(picture.height());
    if short <= side_max {
        return picture;
    }
    let scale = f64::from(side_max) / f64::from(short);
    resize(&picture, scale)
}

/// The picture scaled by a factor, at least one pixel each way.
pub fn resize(picture: &RgbImage, scale: f64) -> RgbImage {
    let side = |pixels: u32| ((f64::from(pixels) * scale).round() as u32).max(1);
    scale::rgb(picture, side(picture.width()), side(picture.height()))
}

/// Encodes without loss, for pages with few colours.
pub fn to_png(picture: &RgbImage) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    let written = encoder.write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgb8);
    written.map_err(PictureError::Undecodable)?;
    Ok(bytes)
}

/// Encodes with some loss, for photos.
pub fn to_jpeg(picture: &RgbImage) -> Result<Vec<u8>, PictureError> {
    const QUALITY: u8 = 85;
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    let written = encoder.write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgb8);
    written.map_err(PictureError::Undecodable)?;
    Ok(bytes)
}

/// The pixels as a picture; `None` when their number is not what their size says, or when there are none.
pub fn from_pixels(pixels: Pixels) -> Option<RgbImage> {
    let is_some = pixels.width > 0 && pixels.height > 0;
    RgbImage::from_raw(pixels.width, pixels.height, pixels.rgb).filter(|_| is_some)
}

impl From<PictureError> for Error {
    fn from(error: PictureError) -> Error {
        match error {
            PictureError::UnknownFormat => Error::UnsupportedType,
            PictureError::TooLarge { .. } => Error::LimitExceeded,
            PictureError::Undecodable(_) => Error::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_header(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = to_png(&RgbImage::new(1, 1)).unwrap();
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        let checksum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
        bytes
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |sum, byte| {
            (0..8)
                .fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
        })
    }

    #[test]
    fn a_header_that_promises_a_billion_pixels_is_refused_before_decoding() {
        for (width, height) in [(32_000, 32_000), (1_000_000_000, 1), (19_999, 19_999)] {
            let outcome = decode(&png_header(width, height), &Bounds::default(), 30);
            assert!(outcome.is_err(), "{width} x {height} was read");
        }
    }

    #[test]
    fn what_was_encoded_is_decoded_again_whatever_its_name() {
        let picture = RgbImage::from_fn(40, 30, |x, y| image::Rgb([(x * 6) as u8, (y * 8) as u8, 90]));
        let png = to_png(&picture).unwrap();
        assert_eq!(decode(&png, &Bounds::default(), 30).unwrap(), picture);
        let jpeg = to_jpeg(&picture).unwrap();
        assert_eq!(decode(&jpeg, &Bounds::default(), 30).unwrap().dimensions(), (40, 30));
        assert!(matches!(decode(b"GIF89a", &Bounds::default(), 30), Err(PictureError::UnknownFormat)));
    }

    #[test]
    fn a_page_beyond_the_last_is_no_picture() {
        assert_eq!(from_pixels(Pixels::default()), None);
        assert_eq!(from_pixels(Pixels { width: 3, height: 0, rgb: Vec::new() }), None);
        assert_eq!(from_pixels(Pixels { width: 2, height: 1, rgb: vec![9; 5] }), None);
        assert!(from_pixels(Pixels { width: 2, height: 1, rgb: vec![9; 6] }).is_some());
    }

    #[test]
    fn transparent_paper_is_white() {
        let clear = RgbaImage::from_pixel(3, 3, image::Rgba([0, 0, 0, 0]));
        assert_eq!(on_white(&clear).get_pixel(1, 1).0, [255, 255, 255]);
    }
}
