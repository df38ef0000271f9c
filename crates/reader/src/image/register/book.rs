//! The drawn pages of a paper as pictures are laid over them: what all pictures of a script need is made once.

use super::super::maps::{Map, Pyramid};
use super::COARSE;
use super::starts::Drawn;
use crate::print::Print;

/// The finest level that is kept of every page; the page that a picture shows is looked at more finely by itself.
const KEPT: usize = 2;

/// Drawn pages, ready to be found on pictures.
#[derive(Debug)]
pub(crate) struct Book {
    prints: Vec<Print>,
    pub(super) pages: Vec<BookPage>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct BookPage {
    /// At its coarsest; none when there is too little print on it to tell it by.
    pub(super) drawn: Option<Drawn>,
    /// From [`KEPT`] to the coarsest level.
    levels: Vec<Map>,
    /// Some of its ink, in its pixels.
    pub(super) spots: Vec<(u16, u16)>,
}

impl Book {
    pub(crate) fn of(prints: &[&Print]) -> Book {
        let pages = prints.iter().map(|print| BookPage::of(print)).collect();
        Book { prints: prints.iter().map(|print| (*print).clone()).collect(), pages }
    }

    /// True when it was made of these.
    pub(crate) fn is_of(&self, prints: &[&Print]) -> bool {
        self.prints.iter().eq(prints.iter().copied())
    }

    /// A page in all its levels.
    pub(super) fn whole(&self, page: usize) -> Pyramid {
        Pyramid::of(self.prints[page].ink(), COARSE)
    }

    /// The sizes that its pages have.
    pub(super) fn sizes(&self) -> std::collections::BTreeSet<(usize, usize)> {
        self.prints.iter().map(Print::size).collect()
    }
}

impl BookPage {
    fn of(print: &Print) -> BookPage {
        let whole = Pyramid::of(print.ink(), COARSE + 1);
        let finest = whole.level(0);
        let rows = (1..finest.height).step_by(3);
        let places = rows.flat_map(|y| (1..finest.width).step_by(2).map(move |x| (x, y)));
        let spots = places
            .filter(|(x, y)| finest.row(*y)[*x] > 0.5)
            .filter_map(|(x, y)| Some((u16::try_from(x).ok()?, u16::try_from(y).ok()?)))
            .collect();
        let levels = (KEPT..COARSE).map(|level| whole.level(level).clone()).collect();
        BookPage { drawn: Drawn::of(print.size(), whole.level(COARSE)), levels, spots }
    }

    /// The page with cells of 2^level pixels.
    pub(super) fn level(&self, level: usize) -> &Map {
        &self.levels[level.saturating_sub(KEPT).min(self.levels.len() - 1)]
    }
}
