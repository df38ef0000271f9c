//! What lines of running text earn, told at their right edge or behind their labels.

use super::column::bare_number;
use super::tally;
use crate::flow::Line;
use crate::{labels, marks};
use domain::marks::Marks;
use lexicon::Concept;
use reader::page::{Document, Word};

/// "+1 EB": what a mark is for, in capital letters behind it.
fn ends_with_code(words: &[Word]) -> bool {
    const LETTERS_MAX: usize = 4;
    let [.., mark, code] = words else { return false };
    let number = mark.text.strip_prefix('+').and_then(bare_number);
    let letters = code.text.chars().all(|c| c.is_ascii_uppercase());
    number.is_some() && letters && code.text.len() <= LETTERS_MAX
}

/// "Max 1/0/2" behind a label: the most that it earns on each of several grades.
pub(super) fn most_by_grade(texts: &[&str]) -> Option<Marks> {
    let [most, grades] = texts else { return None };
    let grades = grades.trim_matches(['(', ')']).split('/').map(|own| own.parse::<u32>().ok());
    let grades: Vec<u32> = grades.collect::<Option<_>>()?;
    let named = lexicon::is(Concept::Most, most.trim_matches(['(', '.']).to_lowercase().as_str());
    let sum = grades.iter().try_fold(0_u32, |sum, own| sum.checked_add(*own)).filter(|sum| *sum < 100)?;
    (named && grades.len() > 2).then(|| Marks::whole(sum))
}

/// For each line, how many words at its end are a number in a column of such at the right edge, perhaps with
/// its unit: what the line earns.
pub(super) fn priced(lines: &[Line<'_>], document: &Document) -> Vec<usize> {
    const RIGHT_PART: f32 = 0.7;
    const LEAST: usize = 4;
    let width = document.pages.iter().map(|page| page.width).fold(1.0, f32::max);
    let edge = |line: &Line<'_>| {
        let is_unit = line.words.last().is_some_and(|word| marks::is_unit(&word.text.to_lowercase()));
        let unit = usize::from(is_unit || ends_with_code(line.words));
        let (last, before) = line.words[..line.words.len() - unit].split_last()?;
        // "3 x 2 p. = 6 points": the product belongs to its sum.
        let product =
            before.last().filter(|word| word.text == "=").and_then(|_| marks::at_end(&line.texts()));
        let product = product.filter(|note| note.shared.is_some()).map_or(0, |note| note.words - 1 - unit);
        let first = &line.words[before.len() - product];
        let before = &before[..before.len() - product];
        let apart = before.last().is_none_or(|word| first.place.x0 - word.place.x1 > 1.5 * last.size);
        let right = last.place.x0 > RIGHT_PART * width;
        let number = last.text.strip_prefix('+').unwrap_or(&last.text);
        // "2+3 marks" says what two parts earn.
        let of_parts = unit > 0 && number.contains('+');
        // A full line ends close to the column: its unit tells.
        let edges = [last.place.x1, last.place.x0, (last.place.x0 + line.place.x1) / 2.0];
        (right && (apart || unit > 0) && !of_parts && bare_number(number).is_some()).then_some(Edge {
            edges,
            words: 1 + unit + product,
            apart,
            has_unit: unit > 0,
        })
    };
    let edges: Vec<Option<Edge>> = lines.iter().map(edge).collect();
    let apart = || edges.iter().flatten().filter(|own| own.apart);
    // The numbers of a column end below each other; where their units are told, they may begin or be centred so.
    let columns = [0, 1, 2].map(|side| Column::of(apart().map(|own| own.edges[side])));
    let stands = |own: &&Edge| {
        let mut aligned = columns.iter().zip(own.edges).map(|(column, edge)| column.near(edge) >= LEAST);
        aligned.next() == Some(true) || own.has_unit && aligned.any(|aligned| aligned)
    };
    let words = |own: &Option<Edge>| own.as_ref().filter(stands).map_or(0, |own| own.words);
    edges.iter().map(words).collect()
}

/// A number at the end of a line.
struct Edge {
    /// Where it ends and begins, and the middle between its beginning and the line's end.
    edges: [f32; 3],
    /// How many words it takes up with its unit.
    words: usize,
    /// White stands before it.
    apart: bool,
    has_unit: bool,
}

/// Edges of words, by their place.
struct Column(Vec<f32>);

impl Column {
    fn of(edges: impl Iterator<Item = f32>) -> Column {
        let mut edges: Vec<f32> = edges.collect();
        edges.sort_by(f32::total_cmp);
        Column(edges)
    }

    /// How many stand within a few points of a place.
    fn near(&self, place: f32) -> usize {
        const SLACK: f32 = 4.0;
        let before = |bound: f32| self.0.partition_point(|edge| *edge < bound);
        before(place + SLACK) - before(place - SLACK)
    }
}

/// The same for codes such as "5m + 5m", where they price at least half of so many parts: a length or two may stand at
/// the right edge as well.
pub(super) fn coded(lines: &[Line<'_>], document: &Document, parts: usize) -> Vec<usize> {
    const RIGHT_HALF: f32 = 0.5;
    const LEAST: usize = 4;
    let width = document.pages.iter().map(|page| page.width).fold(1.0, f32::max);
    let code = |line: &Line<'_>| {
        let count = tally::words_at_end(&line.texts());
        let (before, own) = line.words.split_at(line.words.len() - count);
        let (first, last) = (own.first()?.place, own.last()?);
        let apart = before.last().is_none_or(|word| first.x0 - word.place.x1 > 1.5 * last.size);
        // "(a)  5 m" is an answer.
        let texts: Vec<&str> = before.iter().map(|word| word.text.as_str()).collect();
        let answers = labels::parse(&texts).is_some_and(|label| label.words == texts.len());
        (apart && !answers && first.x0 > RIGHT_HALF * width).then_some(([first.x0, last.place.x1], count))
    };
    let codes: Vec<Option<([f32; 2], usize)>> = lines.iter().map(code).collect();
    // They begin below each other, or end so.
    let columns = [0, 1].map(|side| Column::of(codes.iter().flatten().map(|(place, _)| place[side])));
    let stands = |place: [f32; 2]| columns.iter().zip(place).any(|(column, own)| column.near(own) >= LEAST);
    let kept = |code: &Option<([f32; 2], usize)>| {
        code.filter(|(place, _)| stands(*place)).map_or(0, |(_, count)| count)
    };
    let found: Vec<usize> = codes.iter().map(kept).collect();
    let count = found.iter().filter(|count| **count > 0).count();
    if count * 2 >= parts { found } else { vec![0; lines.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_of_several_grades_is_their_sum() {
        assert_eq!(most_by_grade(&["Max", "1/0/2"]), Some(Marks::whole(3)));
        assert_eq!(most_by_grade(&["(Max", "0/1/0)"]), Some(Marks::whole(1)));
        for other in [["Max", "1/2"], ["Fig.", "1/0/2"], ["Max", "4294967295/1/0"]] {
            assert_eq!(most_by_grade(&other), None, "{other:?}");
        }
    }
}
