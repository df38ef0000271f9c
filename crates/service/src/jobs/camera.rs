//! Pictures of a script's answers, for an engine that can see: the answer's own place, with names painted over.

use crate::blobs::LocalFile;
use crate::marking::Camera;
use domain::result::{Frame, Place};
use marker::Picture;
use reader::isolate::{Cutting, Drawing, Isolation};
use reader::page::{Document, Page, Rect};
use std::sync::Arc;

/// Wide enough for handwriting to be read on it.
const PAGE_WIDTH: u32 = 1600;
/// What is shown around an answer, in fractions of the page.
const MARGIN: f32 = 0.02;
/// Shorter parts of a name are words like any other.
const NAME_LETTERS_MIN: usize = 3;

/// Draws from the files of one script.
#[derive(Debug)]
pub(super) struct ScriptCamera<'a> {
    pub(super) reader: &'a Isolation,
    pub(super) files: &'a [Arc<LocalFile>],
    pub(super) documents: &'a [Document],
    /// Words that must not be seen.
    pub(super) hidden: &'a [String],
}

impl Camera for ScriptCamera<'_> {
    fn pictures(&self, places: &[Place]) -> Result<Vec<Picture>, marker::Error> {
        let mut pictures = Vec::with_capacity(places.len());
        for place in places {
            let Some((file, cutting)) = self.cutting(place) else { continue };
            let bytes = self.reader.cut(file.path(), &cutting).map_err(|failure| {
                marker::Error::Unavailable(format!("no picture of the answer could be drawn: {failure}"))
            })?;
            pictures.push(Picture { media_type: "image/jpeg".to_owned(), bytes });
        }
        Ok(pictures)
    }
}

impl ScriptCamera<'_> {
    fn cutting(&self, place: &Place) -> Option<(&LocalFile, Cutting)> {
        let index = place.file as usize;
        let (file, document) = (self.files.get(index)?, self.documents.get(index)?);
        let page = document.pages.iter().find(|page| page.number == place.page)?;
        let drawing =
            Drawing { page: page.number, width: PAGE_WIDTH, corners: page.corners, lossless: false };
        let part = around(&place.frame);
        let names = page.words.iter().filter(|word| names_student(&word.text, self.hidden));
        let covered = names.map(|word| in_fractions(&word.place, page)).collect();
        Some((file, Cutting { drawing, part, covered }))
    }
}

/// The answer with some paper around it.
fn around(frame: &Frame) -> Rect {
    let (x, y) = (frame.x as f32, frame.y as f32);
    Rect {
        x0: x - MARGIN,
        y0: y - MARGIN,
        x1: x + frame.width as f32 + MARGIN,
        y1: y + frame.height as f32 + MARGIN,
    }
}

fn in_fractions(place: &Rect, page: &Page) -> Rect {
    let (width, height) = (page.width.max(1.0), page.height.max(1.0));
    Rect { x0: place.x0 / width, y0: place.y0 / height, x1: place.x1 / width, y1: place.y1 / height }
}

/// True for a word that holds an identifier or a part of the name, whatever stands around it.
fn names_student(word: &str, hidden: &[String]) -> bool {
    let word = letters(word);
    let parts = hidden.iter().flat_map(|name| name.split_whitespace()).map(letters);
    let mut parts = parts.filter(|part| part.chars().count() >= NAME_LETTERS_MIN);
    parts.any(|part| word.contains(&part))
}

/// Letters and digits alone, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_stands_around_them() {
        let hidden = ["Ana Lu Okonkwo".to_owned(), "s-0042/b".to_owned()];
        for word in ["Okonkwo,", "(ana)", "OKONKWO's", "S-0042/B"] {
            assert!(names_student(word, &hidden), "{word}");
        }
        // "Lu" is too short to be told from a word.
        for word in ["lunar", "0042", "answer", ""] {
            assert!(!names_student(word, &hidden), "{word}");
        }
    }
}
