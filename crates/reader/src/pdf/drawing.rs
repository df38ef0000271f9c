//! From paths and images to rulings, boxes and pictures.

use super::collect::bounds;
use super::glyphs::turn_back;
use crate::page::{Direction, Rect, Ruling};
use hayro::kurbo::{BezPath, PathEl, Point};

/// A page's lines and pictures.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) rulings: Vec<Ruling>,
    pub(super) boxes: Vec<Rect>,
    pub(super) pictures: Vec<Rect>,
}

/// Keeps what paths and images draw.
#[derive(Debug, Default)]
pub(super) struct DrawingCollector {
    drawing: Drawing,
    /// The extents of curves and slanted lines, which together make up vector drawings.
    sketches: Vec<Rect>,
}

/// A filled or stroked shape thinner than this is a line.
const LINE_THICKNESS: f32 = 2.6;
/// A shorter line is a part of a glyph or a tick.
const LINE_LENGTH: f32 = 6.0;
/// A box is at least this wide and high.
const BOX_SIDE: f32 = 5.0;
/// A vector drawing smaller than this is an ornament: a bullet, a tick, a logo's corner.
const PICTURE_SIDE: f32 = 18.0;
/// Pieces of one drawing lie no farther apart.
const SKETCH_GAP: f32 = 6.0;
/// No page of an exam has more shapes of a kind; the rest of a hostile one is not kept.
const MAX_SHAPES: usize = 20_000;
/// Joining the pieces of a drawing compares every pair, so only so many are kept.
const MAX_SKETCHES: usize = 1_500;

impl DrawingCollector {
    /// The bar of a root.
    pub(super) fn bar(&mut self, place: Rect) {
        self.line(place);
    }

    /// A filled path; white ones cover what is under them and draw nothing.
    pub(super) fn fill(&mut self, path: &BezPath, white: bool) {
        for shape in subpaths(path) {
            let place = bounds(&shape);
            if self.line(place) || white {
                continue;
            }
            if is_rectangle(&shape) {
                self.boxed(place);
            } else {
                self.sketch(place);
            }
        }
    }

    /// A stroked path of the given line width.
    pub(super) fn stroke(&mut self, path: &BezPath, width: f32) {
        for shape in subpaths(path) {
            let place = bounds(&shape);
            if is_rectangle(&shape) && place.width() >= BOX_SIDE && place.height() >= BOX_SIDE {
                self.boxed(place);
            }
            self.stroke_segments(&shape, width, place);
        }
    }

    fn stroke_segments(&mut self, shape: &BezPath, width: f32, place: Rect) {
        let mut from = Point::ORIGIN;
        let mut start = Point::ORIGIN;
        let mut slanted = false;
        for element in shape.elements() {
            let to = match *element {
                PathEl::MoveTo(point) => {
                    (from, start) = (point, point);
                    continue;
                }
                PathEl::LineTo(point) => point,
                PathEl::ClosePath => start,
                PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                    slanted = true;
                    from = point;
                    continue;
                }
            };
            slanted |= !self.stroke_line(from, to, width);
            from = to;
        }
        if slanted {
            self.sketch(place);
        }
    }

    /// Keeps an axis-aligned stroke; false when the line is slanted.
    fn stroke_line(&mut self, from: Point, to: Point, width: f32) -> bool {
        let (dx, dy) = ((to.x - from.x).abs() as f32, (to.y - from.y).abs() as f32);
        let half = (width / 2.0).max(0.1);
        let line = Rect {
            x0: from.x.min(to.x) as f32 - if dx < dy { half } else { 0.0 },
            y0: from.y.min(to.y) as f32 - if dx < dy { 0.0 } else { half },
            x1: from.x.max(to.x) as f32 + if dx < dy { half } else { 0.0 },
            y1: from.y.max(to.y) as f32 + if dx < dy { 0.0 } else { half },
        };
        let straight = dx.min(dy) <= 0.02 * dx.max(dy) + 0.3;
        if straight && !self.line(line) && line.width().min(line.height()) > LINE_THICKNESS {
            // A stroke as thick as a line of text is a shaded band.
            self.boxed(line);
        }
        straight
    }

    /// Keeps a thin shape as a ruling; false when it is not thin.
    fn line(&mut self, place: Rect) -> bool {
        let thin = place.width().min(place.height()) <= LINE_THICKNESS;
        let long = place.width().max(place.height()) >= LINE_LENGTH;
        if thin && long && self.drawing.rulings.len() < MAX_SHAPES {
            let direction =
                if place.width() >= place.height() { Direction::Horizontal } else { Direction::Vertical };
            self.drawing.rulings.push(Ruling { place, direction });
        }
        thin
    }

    fn boxed(&mut self, place: Rect) {
        let large = place.width() >= BOX_SIDE && place.height() >= BOX_SIDE;
        if large && self.drawing.boxes.len() < MAX_SHAPES {
            self.drawing.boxes.push(place);
        }
    }

    fn sketch(&mut self, place: Rect) {
        if self.sketches.len() < MAX_SKETCHES {
            self.sketches.push(place);
        }
    }

    /// A raster image.
    pub(super) fn picture(&mut self, place: Rect) {
        if !self.line(place) && self.drawing.pictures.len() < MAX_SKETCHES {
            self.drawing.pictures.push(place);
        }
    }

    /// Ends the page: shapes are cut to it and the pieces of each drawing joined.
    pub(super) fn finish(mut self, width: f32, height: f32) -> Drawing {
        let page = Rect { x0: 0.0, y0: 0.0, x1: width, y1: height };
        let drawn = join_pieces(self.sketches, SKETCH_GAP);
        let large = |place: &Rect| place.width() >= PICTURE_SIDE && place.height() >= PICTURE_SIDE;
        let images = join_pieces(std::mem::take(&mut self.drawing.pictures), 1.0);
        let all = images.into_iter().chain(drawn.into_iter().filter(large));
        let Drawing { rulings, boxes, .. } = self.drawing;
        let cut = |place: Rect| place.intersection(&page);
        let visible = |place: &Rect| place.x1 > place.x0 && place.y1 > place.y0;
        Drawing {
            rulings: rulings
                .into_iter()
                .map(|ruling| Ruling { place: cut(ruling.place), ..ruling })
                .filter(|ruling| ruling.place.x1 >= ruling.place.x0 && ruling.place.y1 >= ruling.place.y0)
                .collect(),
            boxes: boxes.into_iter().map(cut).filter(visible).collect(),
            pictures: all.map(cut).filter(visible).collect(),
        }
    }
}

impl Drawing {
    /// Turns everything back by so many clockwise quarter turns of a page of that size.
    pub(super) fn turn(&mut self, turns: u8, width: f32, height: f32) {
        if turns == 0 {
            return;
        }
        let back = |place: Rect| turn_back(place, turns, width, height);
        for ruling in &mut self.rulings {
            ruling.place = back(ruling.place);
            if turns % 2 == 1 {
                ruling.direction = match ruling.direction {
                    Direction::Horizontal => Direction::Vertical,
                    Direction::Vertical => Direction::Horizontal,
                };
            }
        }
        for place in self.boxes.iter_mut().chain(&mut self.pictures) {
            *place = back(*place);
        }
    }
}

fn subpaths(path: &BezPath) -> impl Iterator<Item = BezPath> + '_ {
    let elements = path.elements();
    let mut starts: Vec<usize> = (0..elements.len())
        .filter(|index| matches!(elements[*index], PathEl::MoveTo(_)))
        .take(MAX_SHAPES)
        .collect();
    starts.push(elements.len());
    starts
        .windows(2)
        .map(|range| (range[0], range[1]))
        .collect::<Vec<_>>()
        .into_iter()
        .map(move |(from, to)| elements[from..to].iter().copied().collect::<BezPath>())
}

/// True for a closed path of four sides along the axes.
fn is_rectangle(shape: &BezPath) -> bool {
    let mut corners = Vec::with_capacity(6);
    for element in shape.elements() {
        match element {
            PathEl::MoveTo(point) | PathEl::LineTo(point) => corners.push(*point),
            PathEl::ClosePath => {}
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => return false,
        }
    }
    if corners.len() == 5 && (corners[0] - corners[4]).hypot() < 0.5 {
        corners.pop();
    }
    corners.len() == 4
        && (0..4).all(|index| {
            let side = corners[(index + 1) % 4] - corners[index];
            side.x.abs() < 0.3 || side.y.abs() < 0.3
        })
}

/// Joins rectangles that touch or nearly touch until none do.
fn join_pieces(mut pieces: Vec<Rect>, gap: f32) -> Vec<Rect> {
    let mut joined: Vec<Rect> = Vec::new();
    while let Some(mut piece) = pieces.pop() {
        loop {
            let grown =
                Rect { x0: piece.x0 - gap, y0: piece.y0 - gap, x1: piece.x1 + gap, y1: piece.y1 + gap };
            let Some(near) = joined.iter().position(|other| touches(&grown, other)) else { break };
            piece = piece.union(&joined.swap_remove(near));
        }
        joined.push(piece);
    }
    joined
}

/// Overlap that counts shapes without width or height, unlike `Rect::overlaps`.
fn touches(one: &Rect, other: &Rect) -> bool {
    one.x0 <= other.x1 && other.x0 <= one.x1 && one.y0 <= other.y1 && other.y0 <= one.y1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(x0: f64, y0: f64, x1: f64, y1: f64) -> BezPath {
        let mut path = BezPath::new();
        path.move_to((x0, y0));
        path.line_to((x1, y0));
        path.line_to((x1, y1));
        path.line_to((x0, y1));
        path.close_path();
        path
    }

    #[test]
    fn a_thin_fill_is_a_ruling_and_a_thick_one_a_box() {
        let mut collector = DrawingCollector::default();
        collector.fill(&rectangle(10.0, 10.0, 200.0, 10.6), false);
        collector.fill(&rectangle(10.0, 20.0, 200.0, 60.0), false);
        collector.fill(&rectangle(10.0, 80.0, 200.0, 90.0), true);
        let drawing = collector.finish(600.0, 800.0);
        assert_eq!(drawing.rulings.len(), 1);
        assert_eq!(drawing.rulings[0].direction, Direction::Horizontal);
        assert_eq!(drawing.boxes.len(), 1);
        assert!(drawing.pictures.is_empty());
    }

    #[test]
    fn a_stroked_rectangle_is_a_box_with_four_rulings() {
        let mut collector = DrawingCollector::default();
        collector.stroke(&rectangle(10.0, 10.0, 100.0, 60.0), 0.5);
        let drawing = collector.finish(600.0, 800.0);
        assert_eq!((drawing.rulings.len(), drawing.boxes.len()), (4, 1));
    }

    #[test]
    fn slanted_lines_that_touch_are_one_picture() {
        let mut collector = DrawingCollector::default();
        for step in 0..5 {
            let mut path = BezPath::new();
            path.move_to((100.0 + 20.0 * f64::from(step), 100.0));
            path.line_to((120.0 + 20.0 * f64::from(step), 160.0));
            collector.stroke(&path, 1.0);
        }
        let drawing = collector.finish(600.0, 800.0);
        assert_eq!(drawing.pictures.len(), 1);
        assert!(drawing.pictures[0].width() > 95.0);
    }
}
