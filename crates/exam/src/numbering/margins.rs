//! Where the lines of a document begin.

use super::Evidence;
use crate::flow::Line;
use crate::labels::{self, Kind, Style};

/// For each line, the left edge that question numbers stand at: its page's, or its column's.
pub(super) fn left(lines: &[Line<'_>]) -> Vec<f32> {
    /// So far left of a column, in points, begins what belongs to none.
    const ACROSS: f32 = 100.0;
    let pages = [of_side(lines, false), of_side(lines, true)];
    let mut margins: Vec<f32> = lines.iter().map(|line| pages[usize::from(line.page % 2 == 1)]).collect();
    // A line far above the one before it on the same page begins a column.
    let jumps = |index: usize| {
        let (before, line) = (&lines[index - 1], &lines[index]);
        before.page == line.page && line.place.y1 < before.place.y0 - 25.0 && line.place.x0 > before.place.x0
    };
    let mut index = 1;
    while index < lines.len() {
        if jumps(index) {
            // What is set across both columns below them is no line of the right one.
            let first = &lines[index];
            let within =
                |line: &&Line<'_>| line.page == first.page && line.place.x0 > first.place.x0 - ACROSS;
            let goes_on = |next: &usize| within(&&lines[*next]) && !jumps(*next);
            let same = 1 + (index + 1..lines.len()).take_while(goes_on).count();
            let column = &lines[index..index + same];
            let left = column.iter().map(|line| line.place.x0).fold(f32::INFINITY, f32::min);
            margins[index..index + same].fill(left);
            index += same;
        } else {
            index += 1;
        }
    }
    margins
}

/// Moves the edges to where numbers stand, in a scheme that sets all of them below headings a little to the right.
pub(super) fn move_to_numbers(margins: &mut [f32], lines: &[Line<'_>]) {
    const LEAST: usize = 3;
    const AT_EDGE: f32 = 6.0;
    const FARTHEST: f32 = 60.0;
    let offset = |(line, margin): (&Line<'_>, &f32)| {
        let label = labels::parse(&line.texts())?;
        let number = label.tokens[0].kind == Kind::Number;
        let clear = number && !matches!(label.style, Style::Bare | Style::Brackets);
        clear.then_some(line.place.x0 - margin)
    };
    let offsets: Vec<f32> = lines.iter().zip(margins.iter()).filter_map(offset).collect();
    let nearest = offsets.iter().copied().fold(f32::INFINITY, f32::min);
    let count = offsets.iter().filter(|own| **own - nearest <= AT_EDGE).count();
    if count >= LEAST && (AT_EDGE..FARTHEST).contains(&nearest) {
        margins.iter_mut().for_each(|margin| *margin += nearest);
    }
}

/// Moves the edge to each number behind a blank to write in ("_____ 9."), which is not read: numbers that stand to the
/// right of the edge and go on from those before them, or begin again in a section, while none of them stands at the edge
/// of their sections too.
pub(super) fn move_past_blanks(margins: &mut [f32], lines: &[Line<'_>], evidence: &Evidence) {
    let mut sections: Vec<Behind> = vec![Behind::default()];
    for index in 0..lines.len() {
        let told = |rows: &[bool]| rows.get(index).copied().unwrap_or(false);
        if told(&evidence.section) {
            sections.push(Behind { next: sections.last().map_or(1, |last| last.next), ..Behind::default() });
        }
        if told(&evidence.instructions) {
            continue;
        }
        if let Some(section) = sections.last_mut() {
            section.read(index, &lines[index], margins[index]);
        }
    }
    // Sections that go on counting are one.
    let mut from = 0;
    while from < sections.len() {
        let goes_on = |section: &&Behind| !section.is_fresh;
        let to = from + 1 + sections[from + 1..].iter().take_while(goes_on).count();
        let own = &sections[from..to];
        let moved = || own.iter().flat_map(|section| &section.moved);
        let stands_twice =
            moved().any(|(_, value)| own.iter().any(|section| section.at_edge.contains(value)));
        if moved().count() >= LEAST_MOVED && !stands_twice {
            moved().for_each(|(index, _)| margins[*index] = lines[*index].place.x0);
        }
        from = to;
    }
}

/// Fewer numbers behind blanks are none.
const LEAST_MOVED: usize = 3;

/// The numbers of a section.
struct Behind {
    /// The number that would go on from those before it.
    next: u32,
    /// True when it counts from 1 again.
    is_fresh: bool,
    /// Numbers behind blanks, each with its line.
    moved: Vec<(usize, u32)>,
    at_edge: Vec<u32>,
}

impl Default for Behind {
    fn default() -> Behind {
        Behind { next: 1, is_fresh: false, moved: Vec::new(), at_edge: Vec::new() }
    }
}

impl Behind {
    fn read(&mut self, index: usize, line: &Line<'_>, margin: f32) {
        const MOVED: std::ops::Range<f32> = 12.0..170.0;
        let Some(label) = labels::parse(&line.texts()) else { return };
        let (number, offset) = (label.tokens[0], line.place.x0 - margin);
        if number.kind != Kind::Number {
            return;
        }
        let closed = label.tokens.len() == 1 && matches!(label.style, Style::Dot | Style::Close);
        let stands = offset < MOVED.start;
        let begins = self.moved.is_empty() && self.at_edge.is_empty() && number.value == 1 && self.next > 1;
        if begins && closed && (stands || MOVED.contains(&offset)) {
            (self.next, self.is_fresh) = (1, true);
        }
        if stands {
            self.at_edge.push(number.value);
            self.next += u32::from(number.value == self.next);
        } else if MOVED.contains(&offset) && closed && number.value == self.next {
            self.moved.push((index, number.value));
            self.next += 1;
        }
    }
}

/// The leftmost edge at which several lines of the odd or the even pages begin.
fn of_side(lines: &[Line<'_>], odd: bool) -> f32 {
    const TOO_FEW: usize = 6;
    let own = lines.iter().filter(|line| (line.page % 2 == 1) == odd);
    let mut starts: Vec<f32> = own.map(|line| line.place.x0).collect();
    if starts.len() < TOO_FEW {
        starts = lines.iter().map(|line| line.place.x0).collect();
    }
    starts.sort_by(f32::total_cmp);
    let enough = (starts.len() / 50).max(2);
    let edge = starts.windows(enough).find(|window| window[enough - 1] - window[0] <= 4.0);
    edge.map(|window| window[0]).or(starts.first().copied()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::{Rect, Word};

    #[test]
    fn what_stands_below_two_columns_moves_the_right_one_nowhere() {
        const PLACES: [(f32, f32); 9] = [
            (60.0, 80.0),
            (60.0, 100.0),
            (60.0, 120.0),
            (60.0, 140.0),
            (300.0, 80.0),
            (300.0, 100.0),
            (310.0, 120.0),
            (60.0, 180.0),
            (60.0, 200.0),
        ];
        let words = [Word { text: "1.".into(), ..Word::default() }];
        let line = |(x0, y0): &(f32, f32)| {
            let place = Rect { x0: *x0, y0: *y0, x1: x0 + 150.0, y1: y0 + 10.0 };
            Line { page: 1, words: &words, place, range: 0..1 }
        };
        let lines: Vec<Line<'_>> = PLACES.iter().map(line).collect();
        assert_eq!(left(&lines), [60.0, 60.0, 60.0, 60.0, 300.0, 300.0, 300.0, 60.0, 60.0]);
    }
}
