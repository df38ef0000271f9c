//! What a page holds: words, rulings, boxes and pictures, each with its place.

use crate::darkness::Darkness;
use crate::print::Print;
use serde::{Deserialize, Serialize};

/// A document as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// In order, without gaps.
    pub pages: Vec<Page>,
}

/// One page, upright: rotation and crop are already applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Counted from 1.
    pub number: u32,
    /// In points (1/72 inch); for a photo without a known size, pixels scaled to a width of 595.
    pub width: f32,
    /// In the same unit.
    pub height: f32,
    /// Words in reading order.
    pub words: Vec<Word>,
    /// Straight lines: table rules, answer lines, underlines.
    pub rulings: Vec<Ruling>,
    /// Drawn or shaded rectangles.
    pub boxes: Vec<Rect>,
    /// Raster images and vector drawings.
    pub pictures: Vec<Rect>,
    /// Where the words come from.
    pub source: Source,
    /// Where the upright page lies on a picture that was turned, straightened or cut out of a photo.
    #[serde(default)]
    pub corners: Option<Corners>,
    /// Where a recognised page is dark, for marks that are no words.
    #[serde(default)]
    pub darkness: Option<Darkness>,
    /// Circles to be filled in, in blocks of rows and columns.
    #[serde(default)]
    pub bubbles: Vec<Bubble>,
    /// The page as drawn, where it is to be kept: the pages of a question paper.
    #[serde(default)]
    pub print: Option<Print>,
    /// The number of the question paper's page that this one was laid over. Its print has been taken away, and all
    /// places are those of that page.
    #[serde(default)]
    pub laid_on: Option<u32>,
}

/// A circle to be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bubble {
    /// Where it stands.
    pub place: Rect,
    /// How dark it is inside, its rim left out: 0 for paper, 1 for black.
    pub fill: f32,
    /// Which block of equally spaced bubbles it is in, counted from 0.
    pub block: u32,
    /// Its row in the block, counted from 0 at the top.
    pub row: u32,
    /// Its column, counted from 0 on the left.
    pub column: u32,
}

/// The page's top left, top right, bottom right and bottom left corner on the picture as it came, in
/// fractions of its width and height. To show the page as it was read, draw it from between these.
pub type Corners = [(f32, f32); 4];

/// Where a page's words come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The file's own text.
    #[default]
    TextLayer,
    /// Recognised in a picture of the page.
    Recognised,
}

/// A word and its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// Without white space.
    pub text: String,
    /// Where it stands.
    pub place: Rect,
    /// The size of its type in points.
    pub size: f32,
    /// The height of its baseline from the top of the page.
    pub baseline: f32,
    /// True for a bold face.
    pub bold: bool,
    /// True for an italic face.
    pub italic: bool,
    /// True when a ruling runs just under it.
    pub underlined: bool,
    /// True when it was struck out.
    pub crossed_out: bool,
    /// 1 for the file's own text; below it, how sure the recogniser is.
    pub confidence: f32,
    /// True when it looks written by hand.
    pub handwritten: bool,
    /// True when it does not run from left to right: margin notes, axis labels. Such words come last.
    #[serde(default)]
    pub turned: bool,
}

/// A rectangle in page units from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left.
    pub x0: f32,
    /// Top.
    pub y0: f32,
    /// Right.
    pub x1: f32,
    /// Bottom.
    pub y1: f32,
}

/// A horizontal or vertical line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// Its extent; one side is thin.
    pub place: Rect,
    /// Which way it runs.
    pub direction: Direction,
}

/// Which way a ruling runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From left to right.
    Horizontal,
    /// From top to bottom.
    Vertical,
}

impl Rect {
    /// Its width, never negative.
    pub fn width(&self) -> f32 {
        (self.x1 - self.x0).max(0.0)
    }

    /// Its height, never negative.
    pub fn height(&self) -> f32 {
        (self.y1 - self.y0).max(0.0)
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The part that both cover; empty (zero width or height) when they do not meet.
    #[must_use]
    pub fn intersection(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Its area, never negative.
    pub fn area(&self) -> f32 {
        self.width() * self.height()
    }

    /// The point in its middle.
    pub fn centre(&self) -> (f32, f32) {
        ((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }

    /// True for a point within it.
    pub fn contains(&self, (x, y): (f32, f32)) -> bool {
        (self.x0..self.x1).contains(&x) && (self.y0..self.y1).contains(&y)
    }

    /// True when the two share any area.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }
}
