//! A document before it is written: pages with what stands on them, and the tree that says what it means.
//!
//! Laying out and writing are apart, so that pages can be numbered and parts moved before anything is final.

use super::ink::Ink;
use super::text::{Line, Style};
use krilla::tagging::{ArtifactType, Tag, TagKind};
use std::num::NonZeroU16;

/// Pages, their meaning, and their table of contents.
#[derive(Default)]
pub(super) struct Canvas {
    pub(super) pages: Vec<Page>,
    pub(super) nodes: Vec<Node>,
    pub(super) contents: Vec<Entry>,
}

/// One page.
pub(super) struct Page {
    pub(super) width: f32,
    pub(super) height: f32,
    /// In the order in which they are painted.
    pub(super) pieces: Vec<Piece>,
}

/// Marks on a page that mean one thing.
pub(super) struct Piece {
    pub(super) role: Role,
    pub(super) marks: Vec<Mark>,
}

/// What a piece means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// Part of the tree.
    Content(NodeId),
    /// Decoration and repeated page matter: not read aloud.
    Artifact(ArtifactType),
}

/// One thing to paint.
pub(super) enum Mark {
    /// A line of text with its baseline's left end.
    Text { x: f32, y: f32, line: Line, size: f32, ink: Ink },
    /// A filled shape.
    Fill { shape: Shape, ink: Ink, opacity: f32 },
    /// A drawn outline.
    Stroke { shape: Shape, ink: Ink, width: f32 },
    /// The picture of a page of the script.
    Picture { index: usize, place: Area },
}

/// A shape in points from the page's top left corner.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rounded(Area, f32),
    /// Rectangles that are filled as one.
    Areas(Vec<Area>),
    Path(Vec<(f32, f32)>),
    Dot {
        x: f32,
        y: f32,
        radius: f32,
    },
}

/// A rectangle in points from the page's top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// A node of the tree that says what the pieces mean.
pub(super) struct Node {
    pub(super) tag: TagKind,
    pub(super) parent: Option<NodeId>,
}

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) usize);

/// A line of the table of contents.
pub(super) struct Entry {
    pub(super) title: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

impl Area {
    pub(super) fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// True when the two cover some place together.
    pub(super) fn meets(&self, other: &Area) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

impl Canvas {
    /// A new page; its index.
    pub(super) fn add_page(&mut self, width: f32, height: f32) -> usize {
        self.pages.push(Page { width, height, pieces: Vec::new() });
        self.pages.len() - 1
    }

    /// A new node under another, or at the top.
    pub(super) fn node(&mut self, parent: Option<NodeId>, tag: impl Into<TagKind>) -> NodeId {
        self.nodes.push(Node { tag: tag.into(), parent });
        NodeId(self.nodes.len() - 1)
    }

    /// A heading of the second or third level, in the contents too when it is of the second.
    pub(super) fn heading(
        &mut self,
        parent: Option<NodeId>,
        level: u16,
        title: &str,
        page: usize,
        y: f32,
    ) -> NodeId {
        let depth = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
        if level <= 2 {
            self.contents.push(Entry { title: title.to_owned(), page, y });
        }
        self.node(parent, Tag::Hn(depth, Some(title.to_owned())))
    }

    /// Puts marks that mean something on a page.
    pub(super) fn put(&mut self, page: usize, node: NodeId, marks: Vec<Mark>) {
        self.add(page, Role::Content(node), marks);
    }

    /// Puts marks that only decorate on a page.
    pub(super) fn decorate(&mut self, page: usize, marks: Vec<Mark>) {
        self.add(page, Role::Artifact(ArtifactType::Layout), marks);
    }

    pub(super) fn add(&mut self, page: usize, role: Role, marks: Vec<Mark>) {
        if let Some(page) = self.pages.get_mut(page)
            && !marks.is_empty()
        {
            page.pieces.push(Piece { role, marks });
        }
    }
}

impl Mark {
    /// A line of text at the left of `x`, or at the right of `x + room` where it runs from right to left.
    pub(super) fn text(x: f32, baseline: f32, room: f32, line: Line, style: &Style) -> Mark {
        let x = if line.is_rtl { x + (room - line.width).max(0.0) } else { x };
        Mark::Text { x, y: baseline, line, size: style.size, ink: style.ink }
    }

    /// A line of text that ends at `right`.
    pub(super) fn text_to(right: f32, baseline: f32, line: Line, style: &Style) -> Mark {
        Mark::Text { x: right - line.width, y: baseline, line, size: style.size, ink: style.ink }
    }

    pub(super) fn fill(area: Area, radius: f32, ink: Ink) -> Mark {
        Mark::Fill { shape: Shape::Rounded(area, radius), ink, opacity: 1.0 }
    }

    pub(super) fn rule(from: (f32, f32), to: (f32, f32), ink: Ink, width: f32) -> Mark {
        Mark::Stroke { shape: Shape::Path(vec![from, to]), ink, width }
    }
}
