//! A scheme's pages made ready to be read line by line: formulae in one line each, tables of levels taken out and a
//! sign left in their place.

use super::rated::{self, Rated};
use super::{bracketed_rows, carried, formulae, grades, own_version, scales, stacked, two_lines, versions};
use domain::question::Level;
use reader::page::{Document, Page, Rect, Word};

/// A scheme as it is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Its pages, with a word that names a table of levels where one stood.
    pub document: Document,
    /// The tables of levels that were taken out.
    pub scales: Vec<Vec<Level>>,
    /// The examples that stood in each of them.
    pub(super) examples: Vec<Vec<String>>,
    /// Other tables that rate answers and were taken out.
    pub rated: Vec<Rated>,
}

/// Unicode's sign for what is set into a text and is none itself.
const OBJECT: char = '\u{FFFC}';
/// Behind that sign, where the table rates answers and is none of levels.
const RATED: char = ':';

impl Source {
    /// Makes a document ready.
    pub fn of(document: &Document) -> Source {
        let mut source = Source::default();
        let document = bracketed_rows::prepared(document);
        let pages = document.pages.iter().map(|page| source.prepared(page)).collect();
        Source { document: Document { pages }, ..source }
    }

    /// Makes the scheme of a paper ready: of answers to several versions only the paper's own are kept.
    pub fn of_paper(document: &Document, paper: &Document) -> Source {
        let Some(version) = own_version::of(paper, document) else { return Source::of(document) };
        let mut own = document.clone();
        own.pages.iter_mut().for_each(|page| own_version::keep(page, &version));
        Source::of(&own)
    }

    /// The same from a page on.
    #[must_use]
    pub fn from_page(&self, number: u32) -> Source {
        let pages = self.document.pages.iter().filter(|page| page.number >= number).cloned().collect();
        Source { document: Document { pages }, ..self.clone() }
    }

    fn prepared(&mut self, page: &Page) -> Page {
        let mut page = page.clone();
        versions::keep_first(&mut page);
        grades::leave_out(&mut page);
        stacked::settle(&mut page);
        two_lines::settle(&mut page);
        if let Some((last, examples)) = self.scales.last_mut().zip(self.examples.last_mut())
            && let Some((place, mut levels)) = carried::over(&page, last)
        {
            page.words.retain(|word| !is_inside(&place, word));
            examples.extend(carried::take_examples(&mut levels));
            last.extend(levels);
            last.sort_by_key(|level| std::cmp::Reverse(level.marks_to));
        }
        for scale in scales::find(&page) {
            take_out(&mut page.words, &scale.place, &self.scales.len().to_string());
            self.scales.push(scale.levels);
            self.examples.push(scale.examples);
        }
        for (place, rated) in rated::find(&page) {
            take_out(&mut page.words, &place, &format!("{RATED}{}", self.rated.len()));
            self.rated.push(rated);
        }
        if let Some(words) = formulae::in_line(&page) {
            page.words = words;
        }
        page
    }

    /// The table that rates answers and stood where a text stands.
    pub(super) fn rated(&self, text: &str) -> Option<&Rated> {
        let sign = |word: &str| word.strip_prefix(OBJECT)?.strip_prefix(RATED)?.parse::<usize>().ok();
        text.split_whitespace().find_map(sign).and_then(|at| self.rated.get(at))
    }

    /// The table of levels that stood where a text stands, and the examples in it.
    pub(super) fn scale(&self, text: &str) -> Option<(&[Level], &[String])> {
        let at: usize = text.split_whitespace().find_map(|word| word.strip_prefix(OBJECT)?.parse().ok())?;
        let examples = self.examples.get(at).map_or(&[][..], Vec::as_slice);
        self.scales.get(at).map(|levels| (levels.as_slice(), examples))
    }
}

/// A text without the sign of a table.
pub(super) fn without_scale(text: &str) -> String {
    text.split_whitespace().filter(|word| !word.starts_with(OBJECT)).collect::<Vec<_>>().join(" ")
}

fn is_inside(place: &Rect, word: &Word) -> bool {
    place.contains(word.place.centre()) && !word.turned
}

/// Puts a sign in the place of a table's words.
fn take_out(words: &mut Vec<Word>, place: &Rect, name: &str) {
    let Some(first) = words.iter().position(|word| is_inside(place, word)) else { return };
    let model = words[first].clone();
    let middle = place.centre().0;
    let own = Rect { x0: middle - 5.0, x1: middle + 5.0, ..model.place };
    words.retain(|word| !is_inside(place, word));
    words.insert(
        first,
        Word { text: format!("{OBJECT}{name}"), place: own, bold: false, underlined: false, ..model },
    );
}
