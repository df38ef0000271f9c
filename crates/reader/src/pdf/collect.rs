//! Listens to the interpreter and keeps what it draws: glyphs, lines and pictures.

use super::codes;
use super::drawing::{Drawing, DrawingCollector};
use super::glyphs::{Glyph, Meaning, Text, TextCollector};
use super::roots::{self, Root};
use crate::page::Rect;
use hayro::hayro_interpret as interpret;
use hayro::kurbo::{Affine, BezPath, Point, Shape, Vec2};
use interpret::font::{Glyph as FontGlyph, GlyphRun, PositionedGlyph};
use interpret::hayro_cmap::BfString;
use interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask};

/// A root over more than a line still stands in a line of this size, in points.
const LARGEST_ROOT: f32 = 12.0;

/// What one page draws.
pub(super) struct Collector {
    text: TextCollector,
    drawing: DrawingCollector,
    last_root: Option<Root>,
}

/// A page's text and drawings, upright.
pub(super) struct Collected {
    pub(super) text: Text,
    pub(super) drawing: Drawing,
}

impl Collector {
    pub(super) fn new(width: f32, height: f32) -> Collector {
        let (text, drawing) = (TextCollector::new(width, height), DrawingCollector::default());
        Collector { text, drawing, last_root: None }
    }

    /// True when the page holds more words than are kept of one.
    pub(super) fn is_overfull(&self) -> bool {
        self.text.is_overfull()
    }

    /// A drawn root sign is read as the letter that it stands for; its bar says how far it reaches.
    fn root(&mut self, root: Root) {
        // Filled and then stroked, it is one sign.
        if self.last_root.replace(root) == Some(root) {
            return;
        }
        let Root { sign, bar } = root;
        let size = sign.height().min(LARGEST_ROOT);
        let start = (sign.x0, sign.centre().1 + 0.265 * size);
        let glyph = Glyph { start, along: (1.0, 0.0), width: sign.width(), size, ..Glyph::default() };
        self.text.add_alone(&glyph, Meaning::Told("√"));
        self.drawing.bar(bar);
    }

    /// Ends the page: glyphs become words, and a page that was typeset sideways is turned upright.
    pub(super) fn finish(mut self) -> Collected {
        let turns = self.text.turns();
        let (width, height) = self.text.size();
        let mut drawing = self.drawing.finish(width, height);
        drawing.turn(turns, width, height);
        Collected { text: self.text.finish(turns), drawing }
    }
}

impl<'a> Device<'a> for Collector {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        let path = props.transform * path.clone();
        let is_seen = !matches!(mode, DrawMode::Invisible) && !is_white(&props.paint);
        if let Some(root) = is_seen.then(|| roots::drawn(&path)).flatten() {
            return self.root(root);
        }
        let scale = mean_scale(props.transform);
        match mode {
            DrawMode::Fill(_) => self.drawing.fill(&path, is_white(&props.paint)),
            DrawMode::Stroke(stroke) => self.drawing.stroke(&path, stroke.line_width * scale),
            DrawMode::FillAndStroke(_, stroke) => {
                self.drawing.fill(&path, is_white(&props.paint));
                self.drawing.stroke(&path, stroke.line_width * scale);
            }
            DrawMode::Invisible => {}
        }
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let Some(first) = run.glyphs().first() else { return };
        let face = Face::of(first);
        let mut buffer = [0; 4];
        for (index, glyph) in run.glyphs().iter().enumerate() {
            let next = run.glyphs().get(index + 1).map(|glyph| origin(props.transform * glyph.transform()));
            let placed = place(glyph, props.transform * glyph.transform(), next, face);
            let meaning = glyph.as_unicode();
            let meaning = match &meaning {
                Some(meaning) => Meaning::Told(text_of(meaning, &mut buffer)),
                None => by_code(glyph),
            };
            let invisible = matches!(mode, DrawMode::Invisible);
            self.text.add(&Glyph { invisible, ..placed }, meaning);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = hayro::kurbo::Rect::new(0.0, 0.0, image.width().into(), image.height().into());
        let place = props.transform.transform_rect_bbox(size);
        self.drawing.picture(rect(place));
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Weight and slant of a run's face, where the font tells them.
#[derive(Clone, Copy, Default)]
struct Face {
    bold: bool,
    italic: bool,
}

impl Face {
    fn of(glyph: &PositionedGlyph<'_>) -> Face {
        let FontGlyph::Outline(outline) = &**glyph else { return Face::default() };
        let Some(data) = outline.font_data() else { return Face::default() };
        let name = data.postscript_name.unwrap_or_default().to_ascii_lowercase();
        let heavy_name = ["bold", "black", "heavy", "semibold"].iter().any(|word| name.contains(word));
        Face {
            bold: heavy_name || data.weight.is_some_and(|weight| weight >= 600),
            italic: data.is_italic || name.contains("italic") || name.contains("oblique"),
        }
    }
}

fn place(glyph: &PositionedGlyph<'_>, transform: Affine, next: Option<Point>, face: Face) -> Glyph {
    let [a, b, c, d, _, _] = transform.as_coeffs();
    let start = origin(transform);
    let along = Vec2::new(a, b);
    let advance = match &**glyph {
        FontGlyph::Outline(outline) => outline.advance_width(),
        FontGlyph::Type3(drawn) => drawn.advance_width(),
    };
    let mut width = along.hypot() * f64::from(advance.unwrap_or(500.0));
    // A substitute font is stretched to the widths that the file declares, which the advance does
    // not know; the next glyph of the run never starts before this one ends, bar kerning.
    if let Some(next) = next {
        let distance = (next - start).dot(along) / along.hypot().max(1e-9);
        if distance > 0.0 && distance < width {
            width = distance;
        }
    }
    Glyph {
        start: (start.x as f32, start.y as f32),
        along: (along / along.hypot().max(1e-9)).into_f32(),
        width: width as f32,
        size: (Vec2::new(c, d).hypot() * 1000.0) as f32,
        bold: face.bold,
        italic: face.italic,
        invisible: false,
    }
}

/// What a drawn glyph means by its code. Typesetters name the bitmaps of their older fonts by number alone, and those
/// numbers are the codes of a text encoding.
fn by_code(glyph: &PositionedGlyph<'_>) -> Meaning<'static> {
    match &**glyph {
        FontGlyph::Type3(drawn) => {
            codes::text_of(drawn.char_code()).map_or(Meaning::Unknown, Meaning::Guessed)
        }
        FontGlyph::Outline(_) => Meaning::Unknown,
    }
}

fn text_of<'a>(meaning: &'a BfString, buffer: &'a mut [u8; 4]) -> &'a str {
    match meaning {
        BfString::Char(character) => character.encode_utf8(buffer),
        BfString::String(text) => text,
    }
}

fn origin(transform: Affine) -> Point {
    transform * Point::ORIGIN
}

fn mean_scale(transform: Affine) -> f32 {
    transform.determinant().abs().sqrt() as f32
}

fn is_white(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(color) => color.to_rgba().to_rgba8()[..3].iter().all(|channel| *channel >= 250),
        Paint::Pattern(_) => false,
    }
}

/// A rectangle in our own terms.
pub(super) fn rect(rect: hayro::kurbo::Rect) -> Rect {
    Rect { x0: rect.x0 as f32, y0: rect.y0 as f32, x1: rect.x1 as f32, y1: rect.y1 as f32 }
}

/// The bounding box of a path, in our own terms.
pub(super) fn bounds(path: &BezPath) -> Rect {
    rect(path.bounding_box())
}

trait IntoF32 {
    fn into_f32(self) -> (f32, f32);
}

impl IntoF32 for Vec2 {
    fn into_f32(self) -> (f32, f32) {
        (self.x as f32, self.y as f32)
    }
}
