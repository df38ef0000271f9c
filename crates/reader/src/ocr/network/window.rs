//! Where an operator that looks at neighbours looks: the size of its window, its steps and what it adds at the edges.

use super::maps::Maps;
use super::onnx::Node;
use std::ops::Range;

/// Height and width of a window, how far it moves and how far it reaches over the upper and left edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) size: (usize, usize),
    pub(super) step: (usize, usize),
    edges: Edges,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Edges {
    /// Rows above, columns left, rows below, columns right.
    Fixed([usize; 4]),
    /// As many as keep the size, the odd one below and right.
    Same,
}

impl Window {
    pub(super) fn of(node: &Node) -> Option<Window> {
        let pair = |name: &str| match node.integers(name)?.as_slice() {
            [height, width] => Some((*height, *width)),
            _ => None,
        };
        if node.integers("dilations").is_some_and(|each| each != [1, 1])
            || node.integer("ceil_mode").unwrap_or(0) != 0
        {
            return None;
        }
        let edges = match (node.text("auto_pad"), node.integers("pads").as_deref()) {
            (Some("SAME_UPPER"), _) => Edges::Same,
            (None | Some("NOTSET"), Some(&[above, left, below, right])) => {
                Edges::Fixed([above, left, below, right])
            }
            (None | Some("NOTSET"), None) => Edges::Fixed([0; 4]),
            _ => return None,
        };
        let window = Window { size: pair("kernel_shape")?, step: pair("strides")?, edges };
        let is_some = |(height, width): (usize, usize)| height > 0 && width > 0;
        (is_some(window.size) && is_some(window.step)).then_some(window)
    }

    /// True when it sees each pixel by itself.
    pub(super) fn is_point(&self) -> bool {
        self.size == (1, 1)
            && self.step == (1, 1)
            && matches!(self.edges, Edges::Same | Edges::Fixed([0, 0, 0, 0]))
    }

    /// True when nothing is added at the edges.
    pub(super) fn is_within(&self) -> bool {
        self.edges == Edges::Fixed([0; 4])
    }

    /// How high and wide what comes out is, and how many rows and columns are added above and left.
    pub(super) fn onto(&self, maps: &Maps) -> ((usize, usize), (usize, usize)) {
        let along = |length: usize, size: usize, step: usize, fixed: (usize, usize)| match self.edges {
            Edges::Same => {
                let out = length.div_ceil(step);
                ((out), ((out.max(1) - 1) * step + size).saturating_sub(length) / 2)
            }
            Edges::Fixed(_) => {
                let room = length + fixed.0 + fixed.1;
                (if room < size { 0 } else { (room - size) / step + 1 }, fixed.0)
            }
        };
        let [above, left, below, right] = match self.edges {
            Edges::Fixed(edges) => edges,
            Edges::Same => [0; 4],
        };
        let (height, top) = along(maps.height, self.size.0, self.step.0, (above, below));
        let (width, before) = along(maps.width, self.size.1, self.step.1, (left, right));
        ((height, width), (top, before))
    }
}

/// Which places of a window of this size lie on a side of this length, when its first lies `added` before `start`.
pub(super) fn inside(start: usize, added: usize, size: usize, length: usize) -> Range<usize> {
    let from = added.saturating_sub(start).min(size);
    let to = (length + added).saturating_sub(start).min(size);
    from..to.max(from)
}
