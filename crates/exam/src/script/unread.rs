//! Ink on a picture that was not read: where there is some, an empty answer is not surely empty.

use super::align::Fit;
use super::leaves::Leaf;
use super::template::widened;
use domain::question::{Kind, Region};
use reader::page::{Page, Rect};

/// So much ink, in square points, is more than dust and what is left of print: two letters.
const OWN_MIN: f32 = 24.0;
/// ...and on a sheet of the student's own a short word, for rules and stains are there, too.
const SHEET_MIN: f32 = 90.0;
/// The share of a sheet at its edges that says nothing.
const EDGE: f32 = 0.05;

/// The leaves that are not surely empty where nothing was found on this page of the paper: those in whose own space ink
/// is left over, and choices, for a small tick beside print is easily lost.
pub(super) fn leaves(leaves: &[Leaf<'_>], printed: &Page, page: &Page, fit: &Fit) -> Vec<usize> {
    let Some(darkness) = page.darkness.as_ref().filter(|_| page.laid_on.is_some()) else { return Vec::new() };
    let read: Vec<Rect> = page.words.iter().map(|word| widened(&word.place)).collect();
    let on_page = |leaf: &Leaf<'_>| -> Vec<Rect> {
        let own = leaf.regions.iter().filter(|region| region.page == printed.number);
        own.map(|region| fit.apply_rect(&place(region, printed))).collect()
    };
    let spaces: Vec<Vec<Rect>> = leaves.iter().map(on_page).collect();
    let holds_ink = |at: usize, space: &Rect| {
        // What a later part asks for stands in its own space, though that of the earlier one reaches around it.
        let later = spaces.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, other)| other);
        let later = later.filter(|other| other.y0 > space.y0 && other.overlaps(space));
        let without: Vec<Rect> = read.iter().chain(later).copied().collect();
        darkness.area(space, &without, (page.width, page.height)) >= OWN_MIN
    };
    let is_doubtful = |at: &usize| {
        let is_choice = leaves[*at].kind == Kind::MultipleChoice && !spaces[*at].is_empty();
        is_choice || spaces[*at].iter().any(|space| holds_ink(*at, space))
    };
    (0..leaves.len()).filter(is_doubtful).collect()
}

/// True when a sheet of the student's own holds ink that is in no word.
pub(super) fn is_left_on(sheet: &Page) -> bool {
    let Some(darkness) = &sheet.darkness else { return false };
    let (width, height) = (sheet.width, sheet.height);
    let inner =
        Rect { x0: EDGE * width, y0: EDGE * height, x1: (1.0 - EDGE) * width, y1: (1.0 - EDGE) * height };
    let words = sheet.words.iter().map(|word| widened(&word.place));
    let rules = sheet.rulings.iter().map(|rule| grown(&rule.place));
    let bubbles = sheet.bubbles.iter().map(|bubble| grown(&bubble.place));
    let without: Vec<Rect> = words.chain(rules).chain(bubbles).collect();
    darkness.area(&inner, &without, (width, height)) >= SHEET_MIN
}

fn grown(place: &Rect) -> Rect {
    const BY: f32 = 3.0;
    Rect { x0: place.x0 - BY, y0: place.y0 - BY, x1: place.x1 + BY, y1: place.y1 + BY }
}

fn place(region: &Region, page: &Page) -> Rect {
    Rect {
        x0: region.x * page.width,
        y0: region.y * page.height,
        x1: (region.x + region.width) * page.width,
        y1: (region.y + region.height) * page.height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Choice;
    use reader::darkness::Darkness;
    use reader::image::ink::Ink;
    use reader::page::Word;

    const SIDE: usize = 600;

    /// A page with ink in these places, and words in those.
    fn sheet(inked: &[Rect], words: &[Rect]) -> Page {
        let is_in = |place: &Rect, at: usize| place.contains(((at % SIDE) as f32, (at / SIDE) as f32));
        let marks = (0..SIDE * SIDE).map(|at| inked.iter().any(|place| is_in(place, at))).collect();
        Page {
            number: 1,
            width: SIDE as f32,
            height: SIDE as f32,
            words: words.iter().map(|place| Word { place: *place, ..Word::default() }).collect(),
            darkness: Some(Darkness::of(&Ink::from_marks(SIDE, SIDE, marks))),
            laid_on: Some(1),
            ..Page::default()
        }
    }

    fn at(x: f32, y: f32) -> Rect {
        Rect { x0: x, y0: y, x1: x + 60.0, y1: y + 12.0 }
    }

    #[test]
    fn ink_in_an_empty_space_and_choices_without_a_mark_are_doubted() {
        let region = |y: f32| vec![Region { page: 1, x: 0.0, y, width: 1.0, height: 0.2 }];
        let question = |number: &str, y: f32| domain::question::Question {
            number: number.into(),
            regions: region(y),
            ..domain::question::Question::default()
        };
        let choice = |label: &str| Choice { label: label.into(), text: String::new() };
        let chosen = domain::question::Question {
            kind: Kind::MultipleChoice,
            options: ["A", "B"].map(choice).to_vec(),
            ..question("4", 0.8)
        };
        let questions = [question("1", 0.1), question("2", 0.3), question("3", 0.5), chosen];
        let all = super::super::leaves::leaves(&questions);
        let printed = Page { number: 1, width: SIDE as f32, height: SIDE as f32, ..Page::default() };
        let (unread, read) = (at(100.0, 200.0), at(100.0, 340.0));
        let page = sheet(&[unread, read], &[read]);
        assert_eq!(leaves(&all, &printed, &page, &Fit::of_sheets(&printed, &page)), [1, 3]);
        let fit = Fit::of_sheets(&printed, &page);
        let whole = Page { laid_on: None, ..page };
        assert_eq!(leaves(&all, &printed, &whole, &fit), [0_usize; 0], "its print is among the ink");
    }

    #[test]
    fn a_sheet_with_an_unread_line_says_so() {
        let (line, other) = (at(100.0, 200.0), at(100.0, 300.0));
        assert!(is_left_on(&sheet(&[line, other], &[other])));
        assert!(!is_left_on(&sheet(&[line, other], &[line, other])));
        assert!(
            !is_left_on(&sheet(&[at(0.0, 300.0).intersection(&Rect { x1: 20.0, ..at(0.0, 300.0) })], &[])),
            "an edge"
        );
        assert!(!is_left_on(&Page::default()));
    }
}
