//! Text that flows from page to page: paragraphs, headings and rows from the top down, with page breaks.

use super::canvas::{Canvas, Mark, NodeId};
use super::face::Weight;
use super::ink::Ink;
use super::text::{Line, Setter, Style};
use krilla::tagging::{Tag, TagKind};

/// The width of an upright page in points.
pub(super) const PAGE_WIDTH: f32 = 595.0;
/// Its height.
pub(super) const PAGE_HEIGHT: f32 = 842.0;
/// White at the left and right.
pub(super) const MARGIN: f32 = 54.0;
/// White at the top.
const TOP: f32 = 58.0;
/// Where text must end, above the page's foot.
const BOTTOM: f32 = PAGE_HEIGHT - 58.0;
/// A heading is not left alone at the foot of a page.
const WITH_HEADING: f32 = 70.0;

/// Where the next thing goes.
pub(super) struct Flow<'a> {
    pub(super) canvas: &'a mut Canvas,
    pub(super) setter: &'a Setter,
    /// The current page; none before the first thing is placed.
    page: Option<usize>,
    /// The top of what comes next.
    pub(super) y: f32,
}

impl<'a> Flow<'a> {
    /// Starts on a new page as soon as there is something to place.
    pub(super) fn new(canvas: &'a mut Canvas, setter: &'a Setter) -> Flow<'a> {
        Flow { canvas, setter, page: None, y: TOP }
    }

    /// The width of a line.
    pub(super) fn width(&self) -> f32 {
        PAGE_WIDTH - 2.0 * MARGIN
    }

    /// The page to put things on that need so much height: this one, or a new one.
    pub(super) fn page_for(&mut self, height: f32) -> usize {
        match self.page {
            Some(page) if self.y + height <= BOTTOM || self.y <= TOP => page,
            _ => {
                let page = self.canvas.add_page(PAGE_WIDTH, PAGE_HEIGHT);
                self.page = Some(page);
                self.y = TOP;
                page
            }
        }
    }

    /// White space, none at the top of a page.
    pub(super) fn space(&mut self, height: f32) {
        if self.y > TOP {
            self.y += height;
        }
    }

    /// A heading of the second level with a line under it.
    pub(super) fn section(&mut self, title: &str) {
        self.space(24.0);
        let style = Style::new(14.5, Weight::Bold, Ink::TEXT);
        let page = self.page_for(WITH_HEADING);
        let node = self.canvas.heading(None, 2, title, page, self.y);
        let line = self.setter.line(title, &style);
        let baseline = self.y + style.size;
        self.canvas.put(page, node, vec![Mark::text(MARGIN, baseline, self.width(), line, &style)]);
        let below = baseline + 7.0;
        let rule = Mark::rule((MARGIN, below), (PAGE_WIDTH - MARGIN, below), Ink::LINE, 1.2);
        self.canvas.decorate(page, vec![rule]);
        self.y = below + 9.0;
    }

    /// A paragraph under its own node, indented by `indent` points.
    pub(super) fn paragraph(
        &mut self,
        parent: Option<NodeId>,
        tag: impl Into<TagKind>,
        text: &str,
        style: &Style,
        indent: f32,
    ) {
        let node = self.canvas.node(parent, tag);
        let room = self.width() - indent;
        let lines = self.setter.lines(text, style, room);
        self.set_lines(node, lines, style, indent, room);
    }

    /// Lines one under the other, on as many pages as they need, in a column `room` points wide. The page,
    /// top and bottom of each stretch of lines.
    pub(super) fn set_lines(
        &mut self,
        node: NodeId,
        lines: Vec<Line>,
        style: &Style,
        indent: f32,
        room: f32,
    ) -> Vec<(usize, f32, f32)> {
        let mut stretches: Vec<(usize, f32, f32)> = Vec::new();
        let mut marks: Vec<Mark> = Vec::new();
        for line in lines {
            let page = self.page_for(style.leading);
            match stretches.last_mut() {
                Some((last, _, bottom)) if *last == page => *bottom = self.y + style.leading,
                last => {
                    if let Some((last, _, _)) = last {
                        self.canvas.put(*last, node, std::mem::take(&mut marks));
                    }
                    stretches.push((page, self.y, self.y + style.leading));
                }
            }
            let baseline = self.y + style.leading * 0.76;
            marks.push(Mark::text(MARGIN + indent, baseline, room, line, style));
            self.y += style.leading;
        }
        if let Some((page, _, _)) = stretches.last() {
            self.canvas.put(*page, node, marks);
        }
        stretches
    }

    /// A plain paragraph.
    pub(super) fn text(&mut self, text: &str, style: &Style) {
        self.paragraph(None, Tag::P, text, style, 0.0);
    }
}
