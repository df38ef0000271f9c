//! A document that lies open, and what can be asked of it.

use super::{Cutting, DRAWN_WIDTH_MAX, Drawing, Failure, Inspection, Recognition};
use crate::bounds::Amount;
use crate::glance::{self, Glance};
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::ink::Ink;
use crate::image::warp::warp;
use crate::image::{self as picture, Bounds, bubbles};
use crate::ocr::{Recogniser, Weights};
use crate::page::{Page, Rect, Source, Word};
use crate::print::{self, Print, Prints};
use crate::{Error, Format, Recognise, pdf, sniff};
use image::RgbImage;

/// The resolution at which a page is drawn to recognise its words.
const RECOGNITION_DPI: f32 = 170.0;
/// Points in an inch.
const POINTS: f32 = 72.0;
/// A text layer's word and a recognised one are the same when they share this much of the smaller.
const SAME_WORD_SHARE: f32 = 0.3;

/// A document that lies open.
pub(super) enum OpenDocument<'a> {
    Pdf { reader: pdf::Reader<'a>, pages: u32 },
    Picture { bytes: &'a [u8], format: Format },
}

impl OpenDocument<'_> {
    /// Opens the document and lends it out.
    pub(super) fn with<T>(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        task: impl FnOnce(&OpenDocument<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match sniff(bytes.as_ref())? {
            Format::Pdf => {
                let file = pdf::File::open(bytes)?;
                task(&OpenDocument::Pdf { reader: file.reader(), pages: file.page_count() })
            }
            format @ (Format::Jpeg | Format::Png) => {
                task(&OpenDocument::Picture { bytes: bytes.as_ref(), format })
            }
        }
    }

    /// What it is.
    pub(super) fn inspection(&self) -> Inspection {
        match self {
            OpenDocument::Pdf { pages, .. } => Inspection { format: Format::Pdf, pages: *pages },
            OpenDocument::Picture { format, .. } => Inspection { format: *format, pages: 1 },
        }
    }

    /// A picture of a page as PNG or JPEG.
    pub(super) fn draw(&self, drawing: &Drawing) -> Result<Vec<u8>, Error> {
        encoded(&self.drawn(drawing)?, drawing.lossless)
    }

    /// A part of a page as PNG or JPEG.
    pub(super) fn cut(&self, cutting: &Cutting) -> Result<Vec<u8>, Error> {
        let mut page = self.drawn(&cutting.drawing)?;
        for covered in &cutting.covered {
            let (x, y, width, height) = in_pixels(covered, &page);
            image::imageops::overlay(&mut page, &RgbImage::new(width, height), i64::from(x), i64::from(y));
        }
        let (x, y, width, height) = in_pixels(&cutting.part, &page);
        let part = image::imageops::crop_imm(&page, x, y, width, height).to_image();
        encoded(&part, cutting.drawing.lossless)
    }

    /// What a page shows at first sight.
    pub(super) fn glance(&self, number: u32) -> Result<Glance, Error> {
        let drawing = Drawing { page: number, width: glance::WIDTH, corners: None, lossless: false };
        Ok(Glance::of(&self.drawn(&drawing)?))
    }

    /// Some of a PDF's pages as a PDF of their own. A picture is one page and is not parted.
    pub(super) fn extract(&self, numbers: &[u32]) -> Result<Vec<u8>, Error> {
        match self {
            OpenDocument::Pdf { reader, .. } => reader.extract(numbers),
            OpenDocument::Picture { .. } => Err(Error::UnsupportedType),
        }
    }

    fn drawn(&self, drawing: &Drawing) -> Result<RgbImage, Error> {
        let width = drawing.width.clamp(1, DRAWN_WIDTH_MAX);
        let whole = match self {
            OpenDocument::Pdf { reader, .. } => {
                let index = drawing.page.saturating_sub(1);
                let points = reader.read(index)?.page.width.max(1.0);
                let pixels = reader.render(index, width as f32 * POINTS / points);
                picture::from_pixels(pixels).ok_or(Error::Unreadable)?
            }
            // A page that is only a part of its picture needs more of it.
            OpenDocument::Picture { bytes, .. } => {
                let short_side = if drawing.corners.is_some() { 2 * width } else { width };
                picture::decode(bytes, &Bounds::default(), short_side)?
            }
        };
        match &drawing.corners {
            Some(corners) => between_corners(&whole, corners, width).ok_or(Error::Unreadable),
            None => Ok(picture::resize(&whole, f64::from(width) / f64::from(whole.width().max(1)))),
        }
    }
}

fn encoded(drawn: &RgbImage, lossless: bool) -> Result<Vec<u8>, Error> {
    Ok(if lossless { picture::to_png(drawn)? } else { picture::to_jpeg(drawn)? })
}

/// Left, top, width and height of a place on a picture, at least one pixel of it.
fn in_pixels(place: &Rect, picture: &RgbImage) -> (u32, u32, u32, u32) {
    let along = |from: f32, to: f32, length: u32| {
        let pixel = |part: f32| (part * length as f32).clamp(0.0, length as f32);
        let start = (pixel(from).floor() as u32).min(length.saturating_sub(1));
        let end = (pixel(to).ceil() as u32).clamp(start + 1, length.max(start + 1));
        (start, end - start)
    };
    let (x, width) = along(place.x0, place.x1, picture.width());
    let (y, height) = along(place.y0, place.y1, picture.height());
    (x, y, width, height)
}

/// The page as it was read, drawn from between its corners on the picture.
fn between_corners(whole: &RgbImage, corners: &[(f32, f32); 4], width: u32) -> Option<RgbImage> {
    let (across, down) = (whole.width() as f32, whole.height() as f32);
    let place = Quad(corners.map(|(x, y)| Point::new(x * across, y * down)));
    let height = (place.height() / place.width().max(1.0) * width as f32).round();
    let height = height.clamp(1.0, 2.0 * DRAWN_WIDTH_MAX as f32);
    let to_source = Projection::between(&Quad::upright(width as f32, height), &place)?;
    Some(warp(whole, &to_source, width, height as u32))
}

/// Reads pages; the networks are loaded when the first page needs them.
pub(super) struct PageReader {
    weights: Weights,
    threads: u32,
    recogniser: Option<Recogniser>,
    /// What all pages that were read hold together.
    amount: Amount,
    /// The question paper's pages, when the document is a script.
    prints: Prints,
}

impl PageReader {
    pub(super) fn new(weights: Weights, threads: u32) -> PageReader {
        PageReader {
            weights,
            threads,
            recogniser: None,
            prints: Prints::default(),
            amount: Amount::default(),
        }
    }

    /// The pages that follow may be photos of these.
    pub(super) fn lay_over(&mut self, prints: Prints) {
        self.prints = prints;
    }

    /// One page, counted from 1.
    pub(super) fn read(
        &mut self,
        document: &OpenDocument<'_>,
        number: u32,
        recognition: Recognition,
        keep_print: bool,
    ) -> Result<Page, Failure> {
        let page = match document {
            OpenDocument::Picture { .. } if recognition == Recognition::Never => {
                Page { source: Source::Recognised, ..Page::default() }
            }
            OpenDocument::Picture { bytes, .. } => {
                let (recogniser, prints) = self.recogniser()?;
                recogniser.picture_over(bytes, prints)?
            }
            OpenDocument::Pdf { reader, .. } => self.pdf_page(reader, number, recognition)?,
        };
        let print = match document {
            OpenDocument::Pdf { reader, .. } if keep_print => {
                let pixels = reader.render(number.saturating_sub(1), print::DPI);
                picture::from_pixels(pixels).and_then(|drawn| {
                    let mut print = Print::of(&Ink::of(&drawn))?;
                    print.has_bubbles = !bubbles::find(&drawn).is_empty();
                    Some(print)
                })
            }
            _ => None,
        };
        let page = Page { number, print, ..page };
        self.amount = self.amount.and(Amount::of_page(&page).within_page()?).within_document()?;
        Ok(page)
    }

    fn pdf_page(
        &mut self,
        reader: &pdf::Reader<'_>,
        number: u32,
        recognition: Recognition,
    ) -> Result<Page, Failure> {
        let index = number.saturating_sub(1);
        let read = reader.read(index)?;
        let wanted = match recognition {
            Recognition::Never => false,
            Recognition::WhenNeeded => read.needs_recognition,
            Recognition::Always => true,
        };
        if !wanted {
            return Ok(read.page);
        }
        let pixels = reader.render(index, RECOGNITION_DPI);
        let size = (read.page.width, read.page.height);
        let (recogniser, prints) = self.recogniser()?;
        if read.needs_recognition {
            return Ok(recogniser.drawn_over(pixels, size, prints)?);
        }
        Ok(with_recognised(read.page, recogniser.drawn_page(&pixels, size)?))
    }

    /// The networks, and the pages to lay pictures over.
    fn recogniser(&mut self) -> Result<(&Recogniser, &Prints), Failure> {
        if self.recogniser.is_none() {
            let loaded = Recogniser::for_letters(&self.weights, self.threads as usize, self.prints.letters());
            let loaded = loaded.map_err(|error| Failure::Unavailable(std::io::Error::other(error)))?;
            self.recogniser = Some(loaded.knowing(self.prints.words()));
        }
        let loaded =
            self.recogniser.as_ref().ok_or(Failure::Unavailable(std::io::ErrorKind::NotFound.into()))?;
        Ok((loaded, &self.prints))
    }
}

/// The page's own words, and after them those that are only seen: writing drawn over the print.
fn with_recognised(mut page: Page, seen: Page) -> Page {
    // A page with text that was turned to be read better says that the writing runs another way than
    // the print; the places of the two would not fit together.
    if seen.corners.is_some() {
        return page;
    }
    let is_printed = |word: &Word| {
        page.words.iter().any(|own| {
            let shared = own.place.intersection(&word.place).area();
            shared > SAME_WORD_SHARE * own.place.area().min(word.place.area())
        })
    };
    let added: Vec<Word> = seen.words.into_iter().filter(|word| !is_printed(word)).collect();
    page.words.extend(added);
    page
}
