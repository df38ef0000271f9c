//! From the bytes of a PDF, JPEG or PNG to pages with words, boxes, rulings and pictures.
//!
//! [`pages`] is the way in. A PDF page is read by its text layer; a page without usable text, and
//! every JPEG or PNG, goes to the recogniser in [`Options`].

pub mod bounds;
pub mod darkness;
pub mod glance;
pub mod image;
#[cfg(unix)]
pub mod isolate;
pub mod lines;
pub mod ocr;
pub mod page;
pub mod pdf;
pub mod print;
pub mod tables;
mod transposed;

use bounds::Amount;
use page::{Document, Page, Source};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a document is to be read.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Documents with more pages are refused before any page is read.
    pub max_pages: u32,
    /// Reads pages that are pictures. Without it such pages come back without words.
    pub recogniser: Option<&'a dyn Recognise>,
    /// Resolution at which a PDF page is drawn for the recogniser.
    pub recognition_dpi: f32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { max_pages: 200, recogniser: None, recognition_dpi: 150.0 }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_pages", &self.max_pages)
            .field("recogniser", &self.recogniser.is_some())
            .field("recognition_dpi", &self.recognition_dpi)
            .finish()
    }
}

/// Finds words in pictures. The embedded models do, and so can any other recogniser.
pub trait Recognise {
    /// Reads a drawn PDF page; `size` is its width and height in points.
    ///
    /// The page comes back upright, in points, with `source` set to [`Source::Recognised`].
    fn drawn_page(&self, pixels: &Pixels, size: (f32, f32)) -> Result<Page, Error>;

    /// Reads a picture file of the given type as one page.
    fn picture_file(&self, bytes: &[u8], format: Format) -> Result<Page, Error>;
}

/// An RGB picture, eight bits a channel, rows from top to bottom.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Pixels {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// `width * height * 3` bytes.
    pub rgb: Vec<u8>,
}

impl fmt::Debug for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pixels({} x {})", self.width, self.height)
    }
}

/// What a file is, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// JPEG picture.
    Jpeg,
    /// PNG picture.
    Png,
}

/// Why a document cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Error {
    /// The content is none of the types we read.
    #[error("the file is not a PDF, JPEG or PNG")]
    UnsupportedType,
    /// Damaged beyond repair, or without a page.
    #[error("the file is damaged or has no pages")]
    Unreadable,
    /// Needs a password that we do not have.
    #[error("the file is protected by a password")]
    PasswordProtected,
    /// More pages than [`Options::max_pages`].
    #[error("the file has {pages} pages, more than the {limit} that are read")]
    TooManyPages {
        /// How many it has.
        pages: u32,
        /// How many are read.
        limit: u32,
    },
    /// More on a page or in the document than anybody writes; see [`bounds`].
    #[error("the file holds more words and lines than are read of a document")]
    TooMuchContent,
    /// Took more time or memory than reading may take.
    #[error("reading the file took too much time or memory")]
    LimitExceeded,
}

/// Tells what a file is from its first bytes.
pub fn sniff(bytes: &[u8]) -> Result<Format, Error> {
    // Many producers put a few bytes before the PDF header; viewers search the first kilobyte.
    const PDF_HEADER_WITHIN: usize = 1024;
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Ok(Format::Jpeg);
    }
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Ok(Format::Png);
    }
    let head = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    Err(Error::UnsupportedType)
}

/// How many pages a file has, without reading them.
pub fn page_count(bytes: &[u8]) -> Result<u32, Error> {
    match sniff(bytes)? {
        Format::Pdf => pdf::File::open(bytes.to_vec()).map(|file| file.page_count()),
        Format::Jpeg | Format::Png => Ok(1),
    }
}

/// Reads a whole document.
pub fn pages(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    match sniff(bytes)? {
        Format::Pdf => pdf_pages(&pdf::File::open(bytes.to_vec())?, options),
        format @ (Format::Jpeg | Format::Png) => {
            let page = match options.recogniser {
                Some(recogniser) => recogniser.picture_file(bytes, format)?,
                None => Page { source: Source::Recognised, ..Page::default() },
            };
            Ok(Document { pages: vec![Page { number: 1, ..page }] })
        }
    }
}

fn pdf_pages(file: &pdf::File, options: &Options<'_>) -> Result<Document, Error> {
    let count = file.page_count();
    if count > options.max_pages {
        return Err(Error::TooManyPages { pages: count, limit: options.max_pages });
    }
    let reader = file.reader();
    let mut pages = Vec::new();
    let mut amount = Amount::default();
    for index in 0..count {
        let read = reader.read(index)?;
        let page = match options.recogniser {
            Some(recogniser) if read.needs_recognition => {
                let pixels = reader.render(index, options.recognition_dpi);
                recogniser.drawn_page(&pixels, (read.page.width, read.page.height))?
            }
            _ => read.page,
        };
        amount = amount.and(Amount::of_page(&page).within_page()?).within_document()?;
        pages.push(Page { number: index + 1, ..page });
    }
    Ok(Document { pages })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_content() {
        assert_eq!(sniff(b"\xFF\xD8\xFF\xE0rest"), Ok(Format::Jpeg));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\nrest"), Ok(Format::Png));
        assert_eq!(sniff(b"junk\n%PDF-1.7\n"), Ok(Format::Pdf));
        assert_eq!(sniff(b"PK\x03\x04"), Err(Error::UnsupportedType));
        assert_eq!(sniff(b""), Err(Error::UnsupportedType));
    }

    #[test]
    fn a_header_alone_is_unreadable() {
        assert_eq!(pages(b"%PDF-1.7\n", &Options::default()), Err(Error::Unreadable));
        assert_eq!(page_count(b"%PDF-1.7\n%%EOF"), Err(Error::Unreadable));
    }
}
