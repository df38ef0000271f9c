//! Answer grids on the paper's own pages: a row for each question, a column for each option, a tick in one cell.

use super::align::{Fit, plain};
use super::choose::Chosen;
use super::leaves::Leaf;
use super::template::widened;
use crate::labels;
use domain::question::Kind;
use reader::page::{Direction, Page, Rect, Word};

/// Two words stand in one row when their middles differ by less than this many heights.
const SAME_ROW: f32 = 0.7;
/// A grid has at least so many rows.
const ROWS_MIN: usize = 2;
/// The margin of a cell that is not looked at, as a share of its sides: rules lie there.
const MARGIN: f32 = 0.08;
/// The least ink that is a mark, in square points; specks of a scan are smaller.
const INK_MIN: f32 = 5.0;
/// Beside the inkiest cell of its row, a marked cell holds at least this share.
const INK_SHARE_MIN: f32 = 0.35;
/// A cell with so many times the ink of the other was scribbled over.
const SCRIBBLED: f32 = 2.2;

/// A cell of a grid on the paper's page.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    leaf: usize,
    label: String,
    place: Rect,
}

/// The marks in the answer grid of a page, when it has one.
pub(super) fn read(leaves: &[Leaf<'_>], printed: &Page, page: &Page, fit: &Fit) -> Vec<Chosen> {
    let Some(darkness) = &page.darkness else { return Vec::new() };
    let cells = cells(leaves, printed);
    let print: Vec<Rect> = match page.laid_on {
        Some(_) => Vec::new(),
        None => printed.words.iter().map(|word| widened(&fit.apply_rect(&word.place))).collect(),
    };
    let size = (page.width, page.height);
    let ink: Vec<f32> =
        cells.iter().map(|cell| darkness.area(&inner(&fit.apply_rect(&cell.place)), &print, size)).collect();
    let mut chosen = Vec::new();
    for row in cells.chunk_by(|a, b| a.leaf == b.leaf) {
        let from = cells.iter().position(|cell| cell == &row[0]).unwrap_or(0);
        let marks = marked(&ink[from..from + row.len()]);
        chosen.extend(marks.into_iter().map(|(index, confidence)| {
            let cell = &row[index];
            let label = cell.label.clone();
            Chosen { leaf: cell.leaf, label, place: fit.apply_rect(&cell.place), confidence }
        }));
    }
    chosen
}

/// Where the grid of a page stands, so that no word in it is taken for an answer.
pub(super) fn place(leaves: &[Leaf<'_>], printed: &Page) -> Option<Rect> {
    cells(leaves, printed).into_iter().map(|cell| cell.place).reduce(|whole, place| whole.union(&place))
}

/// Which of a row's cells are marked, and how surely each.
pub(super) fn marked(ink: &[f32]) -> Vec<(usize, f32)> {
    let most = ink.iter().copied().fold(0.0, f32::max);
    let mut marks: Vec<usize> =
        (0..ink.len()).filter(|index| ink[*index] >= INK_MIN.max(INK_SHARE_MIN * most)).collect();
    // Ticked, scribbled over, and another one ticked instead.
    if let [one, other] = marks.as_slice() {
        let (lighter, heavier) = if ink[*one] < ink[*other] { (*one, *other) } else { (*other, *one) };
        if ink[heavier] >= SCRIBBLED * ink[lighter] {
            return vec![(lighter, 0.5)];
        }
    }
    let confidence = if marks.len() == 1 { 0.97 } else { 0.5 };
    if 2 * marks.len() > ink.len() && ink.len() > 2 {
        // Ink all over the row says nothing.
        marks.clear();
    }
    marks.into_iter().map(|mark| (mark, confidence)).collect()
}

fn inner(place: &Rect) -> Rect {
    let (across, down) = (MARGIN * place.width(), MARGIN * place.height());
    Rect { x0: place.x0 + across, y0: place.y0 + down, x1: place.x1 - across, y1: place.y1 - down }
}

/// The cells of all rows under a heading that names the options, row by row.
fn cells(leaves: &[Leaf<'_>], printed: &Page) -> Vec<Cell> {
    // Options that could not be read in the paper do not make a question less of a choice: its row is in the grid.
    let choices: Vec<usize> = (0..leaves.len())
        .filter(|leaf| {
            let leaf = &leaves[*leaf];
            leaf.label.is_empty() && (leaf.kind == Kind::MultipleChoice || leaf.options.is_empty())
        })
        .collect();
    let Some(most) = choices.iter().max_by_key(|leaf| leaves[**leaf].options.len()) else {
        return Vec::new();
    };
    if leaves[*most].options.len() < 2 {
        return Vec::new();
    }
    let labels: Vec<String> = leaves[*most].options.iter().map(|option| plain(&option.label)).collect();
    let Some(heads) = printed.words.iter().find_map(|word| heading(printed, word, &labels)) else {
        return Vec::new();
    };
    let columns: Vec<(f32, f32)> = (0..heads.len()).map(|index| column(printed, &heads, index)).collect();
    let numbers = numbers(leaves, &choices, printed, &heads);
    if numbers.len() < ROWS_MIN {
        return Vec::new();
    }
    let mut cells = Vec::new();
    for (index, (leaf, word)) in numbers.iter().enumerate() {
        let above = index.checked_sub(1).map(|above| numbers[above].1);
        let below = numbers.get(index + 1).map(|(_, below)| *below);
        let (y0, y1) = row(printed, word, above, below);
        let options = &leaves[*leaf].options;
        let count = if options.is_empty() { columns.len() } else { options.len() };
        cells.extend(columns.iter().zip(&heads).enumerate().take(count).map(|(at, ((x0, x1), head))| {
            let label = options.get(at).map_or_else(|| head.text.clone(), |option| option.label.clone());
            Cell { leaf: *leaf, label, place: Rect { x0: *x0, y0, x1: *x1, y1 } }
        }));
    }
    cells
}

/// The words of a row that are the options' labels in order, beginning with this one.
fn heading<'p>(printed: &'p Page, first: &'p Word, labels: &[String]) -> Option<Vec<&'p Word>> {
    if plain(&first.text) != *labels.first()? {
        return None;
    }
    let mut heads = vec![first];
    for label in &labels[1..] {
        let last = heads[heads.len() - 1];
        let next = printed.words.iter().filter(|word| {
            let apart = (word.place.centre().1 - first.place.centre().1).abs();
            plain(&word.text) == *label
                && apart < SAME_ROW * first.place.height()
                && word.place.x0 > last.place.x1
        });
        heads.push(next.min_by(|a, b| a.place.x0.total_cmp(&b.place.x0))?);
    }
    // Columns are about equally wide; the letters of a sentence are not.
    let gaps: Vec<f32> = heads.windows(2).map(|pair| pair[1].place.x0 - pair[0].place.x0).collect();
    let (least, widest) =
        gaps.iter().fold((f32::MAX, 0.0f32), |(least, most), gap| (least.min(*gap), most.max(*gap)));
    (gaps.is_empty() || widest < 1.6 * least).then_some(heads)
}

/// From the rule left of a label to the one right of it; without rules, half way to the neighbours.
fn column(printed: &Page, heads: &[&Word], index: usize) -> (f32, f32) {
    let own = heads[index];
    let pitch = (heads[heads.len() - 1].place.x0 - heads[0].place.x0) / (heads.len() - 1).max(1) as f32;
    let (middle, y) = own.place.centre();
    let rules = printed.rulings.iter().filter(|rule| {
        rule.direction == Direction::Vertical && rule.place.y0 - 3.0 <= y && rule.place.y1 + 3.0 >= y
    });
    let at: Vec<f32> =
        rules.map(|rule| rule.place.centre().0).filter(|x| (x - middle).abs() < 1.3 * pitch).collect();
    let left = at.iter().copied().filter(|x| *x <= own.place.x0 + 1.0).fold(f32::MIN, f32::max);
    let right = at.iter().copied().filter(|x| *x >= own.place.x1 - 1.0).fold(f32::MAX, f32::min);
    let is_ruled = left > f32::MIN && right < f32::MAX;
    if is_ruled { (left, right) } else { (middle - pitch / 2.0, middle + pitch / 2.0) }
}

/// From the rule above a number to the one below it; without rules, half way to the neighbours.
fn row(printed: &Page, own: &Word, above: Option<&Word>, below: Option<&Word>) -> (f32, f32) {
    let (x, middle) = own.place.centre();
    let near = [above, below].into_iter().flatten().map(|other| (other.place.centre().1 - middle).abs());
    let pitch = near.fold(f32::MAX, f32::min).min(6.0 * own.place.height());
    let rules = printed.rulings.iter().filter(|rule| {
        rule.direction == Direction::Horizontal && rule.place.x0 - 3.0 <= x && rule.place.x1 + 3.0 >= x
    });
    let at: Vec<f32> =
        rules.map(|rule| rule.place.centre().1).filter(|y| (y - middle).abs() < 1.3 * pitch).collect();
    let top = at.iter().copied().filter(|y| *y <= own.place.y0 + 2.0).fold(f32::MIN, f32::max);
    let bottom = at.iter().copied().filter(|y| *y >= own.place.y1 - 2.0).fold(f32::MAX, f32::min);
    let is_ruled = top > f32::MIN && bottom < f32::MAX;
    if is_ruled { (top, bottom) } else { (middle - pitch / 2.0, middle + pitch / 2.0) }
}

/// The numbers below the heading and left of its first label that name choices, each once, from the top.
fn numbers<'p>(
    leaves: &[Leaf<'_>],
    choices: &[usize],
    printed: &'p Page,
    heads: &[&Word],
) -> Vec<(usize, &'p Word)> {
    let first = heads[0];
    let mut words: Vec<&Word> = printed
        .words
        .iter()
        .filter(|word| word.place.y0 > first.place.y1 && word.place.x1 < first.place.x0)
        .collect();
    words.sort_by(|a, b| a.place.y0.total_cmp(&b.place.y0));
    let mut found: Vec<(usize, &Word)> = Vec::new();
    let mut left: Option<f32> = None;
    for word in words {
        let Some(number) = labels::parse_question_number(word.text.trim_end_matches(['.', ')'])) else {
            continue;
        };
        let is_own = |leaf: &&usize| labels::parse_question_number(leaves[**leaf].number) == Some(number);
        let Some(leaf) = choices.iter().find(is_own) else { continue };
        let in_column = left.is_none_or(|left| (word.place.x0 - left).abs() < 2.5 * word.place.height());
        if in_column && !found.iter().any(|(known, _)| known == leaf) {
            left = left.or(Some(word.place.x0));
            found.push((*leaf, word));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cell_of_a_row_is_marked_and_second_thoughts_count() {
        assert_eq!(marked(&[0.0, 22.0, 1.5, 0.0]), [(1, 0.97)]);
        assert_eq!(marked(&[0.0, 2.0, 1.5, 0.0]), []);
        assert_eq!(marked(&[60.0, 0.0, 21.0, 0.0]), [(2, 0.5)]);
        assert_eq!(marked(&[20.0, 0.0, 25.0, 0.0]), [(0, 0.5), (2, 0.5)]);
        assert_eq!(marked(&[20.0, 22.0, 25.0, 0.0]), []);
    }
}
