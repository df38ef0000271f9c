//! PDF files: pages with their words, rulings and pictures, and pages drawn as pixels.

mod codes;
mod collect;
mod drawing;
mod extract;
mod glyphs;
mod roots;
mod symbols;
mod touching;
mod trust;

use crate::page::{Page, Source};
use crate::{Error, Pixels, lines};
use collect::{Collected, Collector};
use hayro::hayro_interpret::{Context, InterpreterCache, InterpreterSettings, TransformExt, interpret_page};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro::kurbo;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use std::fmt;
use std::sync::Arc;

/// More pixels than this are never drawn; the resolution is lowered instead.
const MAX_PIXELS: f32 = 25_000_000.0;
/// The renderer counts rows and columns in sixteen bits.
const MAX_SIDE: f32 = 65_000.0;
/// What a page without a usable size is taken for: A4.
const DEFAULT_SIZE: (f32, f32) = (595.0, 842.0);

/// An open PDF file.
pub struct File {
    pdf: Pdf,
}

/// Reads and draws the pages of one file, with what its pages share kept between calls.
pub struct Reader<'a> {
    pdf: &'a Pdf,
    settings: InterpreterSettings,
    fonts: InterpreterCache<'a>,
    drawn: RenderCache<'a>,
}

/// A page as its text layer tells it.
#[derive(Clone, Debug)]
pub struct PageRead {
    /// What was found.
    pub page: Page,
    /// True when the page is a picture, or its text layer is garbage.
    pub needs_recognition: bool,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "File({} pages)", self.page_count())
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({} pages)", self.pdf.pages().len())
    }
}

impl File {
    /// Opens a file, with an empty password if it is encrypted.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<File, Error> {
        let pdf = Pdf::new(Arc::new(bytes)).map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Error::PasswordProtected,
            LoadPdfError::Decryption(_) | LoadPdfError::Invalid => Error::Unreadable,
        })?;
        if pdf.pages().is_empty() {
            return Err(Error::Unreadable);
        }
        Ok(File { pdf })
    }

    /// How many pages it has: at least one.
    pub fn page_count(&self) -> u32 {
        u32::try_from(self.pdf.pages().len()).unwrap_or(u32::MAX)
    }

    /// A reader for its pages.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            pdf: &self.pdf,
            settings: InterpreterSettings::default(),
            fonts: InterpreterCache::new(),
            drawn: RenderCache::new(),
        }
    }
}

impl Reader<'_> {
    /// Reads a page by its text layer; `index` counts from 0. A page that is not there is empty, and one with more
    /// words than a page can hold is refused.
    pub fn read(&self, index: u32) -> Result<PageRead, Error> {
        let Some(page) = self.pdf.pages().get(index as usize) else {
            return Ok(PageRead { page: Page::default(), needs_recognition: false });
        };
        let (width, height) = usable_size(page.render_dimensions());
        let bounds = kurbo::Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, bounds, &self.fonts, page.xref(), self.settings.clone());
        let mut collector = Collector::new(width, height);
        interpret_page(page, &mut context, &mut collector);
        if collector.is_overfull() {
            return Err(Error::TooMuchContent);
        }
        Ok(assemble(collector, index + 1))
    }

    /// Draws a page on white; `index` counts from 0. The resolution is lowered for very large pages.
    pub fn render(&self, index: u32, dpi: f32) -> Pixels {
        let Some(page) = self.pdf.pages().get(index as usize) else {
            return Pixels::default();
        };
        let (width, height) = page.render_dimensions();
        let scale = drawing_scale(usable_size((width, height)), dpi);
        if !(width * scale >= 1.0 && height * scale >= 1.0) {
            return Pixels::default();
        }
        let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
        let pixmap = hayro::render(page, &self.drawn, &self.settings, &RenderSettings::default(), &settings);
        let rgb = pixmap.data_as_u8_slice().chunks_exact(4).flat_map(|rgba| [rgba[0], rgba[1], rgba[2]]);
        Pixels { width: pixmap.width().into(), height: pixmap.height().into(), rgb: rgb.collect() }
    }
}

/// Draws one page of a file; see [`Reader::render`].
pub fn render(bytes: &[u8], index: u32, dpi: f32) -> Result<Pixels, Error> {
    let file = File::open(bytes.to_vec())?;
    Ok(file.reader().render(index, dpi))
}

fn assemble(collector: Collector, number: u32) -> PageRead {
    let Collected { text, drawing } = collector.finish();
    let (mut words, mut leaders) = (text.words, text.leaders);
    leaders.extend(lines::arrange(&mut words, &drawing.rulings, text.width));
    touching::join(&mut words);
    let mut rulings = drawing.rulings;
    lines::mark_underlines(&mut words, &rulings);
    rulings.extend(leaders);
    let page = Page {
        number,
        width: text.width,
        height: text.height,
        words,
        rulings,
        boxes: drawing.boxes,
        pictures: drawing.pictures,
        source: Source::TextLayer,
        ..Page::default()
    };
    let needs_recognition = trust::needs_recognition(&page, &text.quality);
    PageRead { page, needs_recognition }
}

fn usable_size((width, height): (f32, f32)) -> (f32, f32) {
    let usable = |side: f32| side.is_finite() && side >= 1.0;
    if usable(width) && usable(height) { (width, height) } else { DEFAULT_SIZE }
}

fn drawing_scale((width, height): (f32, f32), dpi: f32) -> f32 {
    let wanted = if dpi.is_finite() { (dpi / 72.0).max(0.01) } else { 1.0 };
    let by_area = (MAX_PIXELS / (width * height)).sqrt();
    wanted.min(by_area).min(MAX_SIDE / width.max(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_page_is_drawn_at_a_lower_resolution() {
        let scale = drawing_scale((14_400.0, 14_400.0), 300.0);
        assert!(14_400.0 * 14_400.0 * scale * scale <= MAX_PIXELS * 1.01);
        assert!((drawing_scale((595.0, 842.0), 72.0) - 1.0).abs() < 1e-6);
        assert!(drawing_scale((1.0, 60_000.0), 7200.0) * 60_000.0 <= MAX_SIDE * 1.001);
    }

    #[test]
    fn a_page_without_a_size_counts_as_a4() {
        assert_eq!(usable_size((0.0, 100.0)), DEFAULT_SIZE);
        assert_eq!(usable_size((f32::NAN, 100.0)), DEFAULT_SIZE);
        assert_eq!(usable_size((300.0, 100.0)), (300.0, 100.0));
    }
}
