//! Tables by their rulings: a grid of lines, and the cells that it parts.

use crate::page::{Direction, Page, Rect};
use std::ops::Range;

/// A ruled table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its outer edges.
    pub place: Rect,
    /// Cells in reading order; a cell that spans rows stands where it begins.
    pub cells: Vec<Cell>,
    /// How many rows of cells it has.
    pub rows: usize,
    /// How many columns of cells it has.
    pub columns: usize,
}

/// A cell, which may span several rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its edges.
    pub place: Rect,
    /// The rows it spans.
    pub rows: Range<usize>,
    /// The columns it spans.
    pub columns: Range<usize>,
    /// The page's words whose middle lies in it, in reading order.
    pub words: Vec<usize>,
}

/// A straight line: where it lies, and from where to where it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    at: f32,
    from: f32,
    to: f32,
}

/// Lines this close are one line.
const SNAP: f32 = 3.0;
/// Ends this close meet: word processors begin the sides of a row below the padding of its cells.
const REACH: f32 = 5.0;
/// A line shorter than this bounds no cell.
const MIN_EDGE: f32 = 8.0;
/// A page with more lines is a drawing, not a table.
const MAX_EDGES: usize = 1_500;
/// A grid with more lines across or down is graph paper.
const MAX_GRID: usize = 60;

/// The ruled tables of a page, from top to bottom. Tables inside a cell of another come on their own.
pub fn tables(page: &Page) -> Vec<Table> {
    let (across, down) = edges(page);
    if across.len() < 2 || down.len() < 2 || across.len() + down.len() > MAX_EDGES {
        return Vec::new();
    }
    let mut tables: Vec<Table> =
        groups(&across, &down).into_iter().filter_map(|group| group.into_table(page)).collect();
    tables.sort_by(|a, b| a.place.y0.total_cmp(&b.place.y0).then(a.place.x0.total_cmp(&b.place.x0)));
    tables
}

/// Horizontal and vertical lines, those in line with each other joined.
fn edges(page: &Page) -> (Vec<Edge>, Vec<Edge>) {
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for ruling in &page.rulings {
        let Rect { x0, y0, x1, y1 } = ruling.place;
        match ruling.direction {
            Direction::Horizontal => across.push(Edge { at: (y0 + y1) / 2.0, from: x0, to: x1 }),
            Direction::Vertical => down.push(Edge { at: (x0 + x1) / 2.0, from: y0, to: y1 }),
        }
    }
    // Of so many boxes that they are a drawing, none is looked at twice.
    let may_shade = page.boxes.len() <= MAX_EDGES;
    let drawn = page.boxes.iter().filter(|own| !(may_shade && shades_text(own, &page.boxes)));
    for &Rect { x0, y0, x1, y1 } in drawn {
        across.extend([y0, y1].map(|at| Edge { at, from: x0, to: x1 }));
        down.extend([x0, x1].map(|at| Edge { at, from: y0, to: y1 }));
    }
    (join(across), join(down))
}

/// True for the shade behind the text of a cell whose own shade is as large but for its padding.
fn shades_text(own: &Rect, boxes: &[Rect]) -> bool {
    const PADDING: f32 = 8.0;
    let pads = |margin: f32| (0.0..=PADDING).contains(&margin);
    boxes.iter().any(|other| {
        other != own
            && pads(own.x0 - other.x0)
            && pads(own.y0 - other.y0)
            && pads(other.x1 - own.x1)
            && pads(other.y1 - own.y1)
    })
}

fn join(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut joined: Vec<Edge> = Vec::new();
    for edge in edges {
        let reach = joined.iter().rev().take_while(|known| edge.at - known.at < SNAP).count();
        let start = joined.len() - reach;
        let meets = |known: &Edge| edge.from <= known.to + REACH && known.from <= edge.to + REACH;
        match joined[start..].iter_mut().find(|known| meets(known)) {
            Some(known) => {
                known.from = known.from.min(edge.from);
                known.to = known.to.max(edge.to);
            }
            None => joined.push(edge),
        }
    }
    joined.retain(|edge| edge.to - edge.from >= MIN_EDGE);
    joined
}

/// Lines that touch each other, directly or through others.
struct Group {
    across: Vec<Edge>,
    down: Vec<Edge>,
}

fn groups(across: &[Edge], down: &[Edge]) -> Vec<Group> {
    let total = across.len() + down.len();
    let mut parent: Vec<usize> = (0..total).collect();
    for (i, flat) in across.iter().enumerate() {
        for (j, upright) in down.iter().enumerate() {
            let meets = within(upright.at, flat) && within(flat.at, upright);
            if meets {
                let (a, b) = (root(&mut parent, i), root(&mut parent, across.len() + j));
                parent[a] = b;
            }
        }
    }
    let mut found: Vec<(usize, Group)> = Vec::new();
    for index in 0..total {
        let home = root(&mut parent, index);
        let at = found.iter().position(|(known, _)| *known == home).unwrap_or_else(|| {
            found.push((home, Group { across: Vec::new(), down: Vec::new() }));
            found.len() - 1
        });
        let group = &mut found[at].1;
        match index.checked_sub(across.len()) {
            Some(j) => group.down.push(down[j]),
            None => group.across.push(across[index]),
        }
    }
    found.into_iter().map(|(_, group)| group).collect()
}

fn within(at: f32, edge: &Edge) -> bool {
    (edge.from - REACH..=edge.to + REACH).contains(&at)
}

fn root(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}

impl Group {
    fn into_table(self, page: &Page) -> Option<Table> {
        let (xs, ys) = (positions(&self.down), positions(&self.across));
        let too_few = xs.len() < 2 || ys.len() < 2 || xs.len() + ys.len() < 5;
        if too_few || xs.len() > MAX_GRID || ys.len() > MAX_GRID {
            return None;
        }
        let (columns, rows) = (xs.len() - 1, ys.len() - 1);
        let mut owner: Vec<usize> = (0..rows * columns).collect();
        for row in 0..rows {
            for column in 0..columns {
                let (middle_x, middle_y) =
                    ((xs[column] + xs[column + 1]) / 2.0, (ys[row] + ys[row + 1]) / 2.0);
                let here = row * columns + column;
                if column + 1 < columns && !parted(&self.down, xs[column + 1], middle_y) {
                    unite(&mut owner, here, here + 1);
                }
                if row + 1 < rows && !parted(&self.across, ys[row + 1], middle_x) {
                    unite(&mut owner, here, here + columns);
                }
            }
        }
        let mut cells = merged_cells(&mut owner, &xs, &ys);
        fill(&mut cells, page);
        let place = Rect { x0: xs[0], y0: ys[0], x1: xs[columns], y1: ys[rows] };
        Some(Table { place, cells, rows, columns })
    }
}

fn positions(edges: &[Edge]) -> Vec<f32> {
    let mut at: Vec<f32> = edges.iter().map(|edge| edge.at).collect();
    at.sort_by(f32::total_cmp);
    at.dedup_by(|next, kept| *next - *kept < SNAP);
    at
}

fn parted(edges: &[Edge], at: f32, middle: f32) -> bool {
    edges.iter().any(|edge| (edge.at - at).abs() < SNAP && (edge.from..=edge.to).contains(&middle))
}

fn unite(owner: &mut [usize], one: usize, other: usize) {
    let (a, b) = (root(owner, one), root(owner, other));
    owner[a.max(b)] = a.min(b);
}

fn merged_cells(owner: &mut [usize], xs: &[f32], ys: &[f32]) -> Vec<Cell> {
    let columns = xs.len() - 1;
    let mut cells: Vec<(usize, Cell)> = Vec::new();
    for index in 0..owner.len() {
        let (row, column) = (index / columns, index % columns);
        let home = root(owner, index);
        match cells.iter_mut().find(|(known, _)| *known == home) {
            Some((_, cell)) => {
                cell.rows.end = cell.rows.end.max(row + 1);
                cell.columns.start = cell.columns.start.min(column);
                cell.columns.end = cell.columns.end.max(column + 1);
            }
            None => cells.push((
                home,
                Cell {
                    place: Rect::default(),
                    rows: row..row + 1,
                    columns: column..column + 1,
                    words: Vec::new(),
                },
            )),
        }
    }
    let mut cells: Vec<Cell> = cells.into_iter().map(|(_, cell)| cell).collect();
    for cell in &mut cells {
        cell.place = Rect {
            x0: xs[cell.columns.start],
            y0: ys[cell.rows.start],
            x1: xs[cell.columns.end],
            y1: ys[cell.rows.end],
        };
    }
    cells
}

fn fill(cells: &mut [Cell], page: &Page) {
    for (index, word) in page.words.iter().enumerate().filter(|(_, word)| !word.turned) {
        let (x, y) = word.place.centre();
        let holds =
            |cell: &Cell| cell.place.x0 <= x && x < cell.place.x1 && cell.place.y0 <= y && y < cell.place.y1;
        // A cell that holds a table of its own goes around it.
        let area = |cell: &Cell| cell.place.width() * cell.place.height();
        let holding = cells.iter_mut().filter(|cell| holds(cell));
        if let Some(cell) = holding.min_by(|one, other| area(one).total_cmp(&area(other))) {
            cell.words.push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Ruling, Word};

    fn flat(y: f32, x0: f32, x1: f32) -> Ruling {
        Ruling { place: Rect { x0, y0: y, x1, y1: y + 0.5 }, direction: Direction::Horizontal }
    }

    fn upright(x: f32, y0: f32, y1: f32) -> Ruling {
        Ruling { place: Rect { x0: x, y0, x1: x + 0.5, y1 }, direction: Direction::Vertical }
    }

    fn word(text: &str, x: f32, y: f32) -> Word {
        let place = Rect { x0: x, y0: y, x1: x + 10.0, y1: y + 10.0 };
        Word { text: text.into(), place, ..Word::default() }
    }

    #[test]
    fn a_grid_parts_its_words_and_a_missing_line_merges_cells() {
        let rulings = vec![
            flat(10.0, 10.0, 210.0),
            flat(30.0, 10.0, 210.0),
            // The second row's left cell goes on into the third row.
            flat(50.0, 110.0, 210.0),
            flat(70.0, 10.0, 210.0),
            upright(10.0, 10.0, 70.0),
            upright(110.0, 10.0, 70.0),
            upright(210.0, 10.0, 70.0),
        ];
        let words = vec![
            word("head", 20.0, 15.0),
            word("mark", 120.0, 15.0),
            word("tall", 20.0, 45.0),
            word("one", 120.0, 35.0),
            word("two", 120.0, 55.0),
        ];
        let page = Page { rulings, words, width: 600.0, height: 800.0, ..Page::default() };
        let tables = tables(&page);
        assert_eq!(tables.len(), 1);
        let table = &tables[0];
        assert_eq!((table.rows, table.columns, table.cells.len()), (3, 2, 5));
        let tall = &table.cells[2];
        assert_eq!((tall.rows.clone(), tall.words.as_slice()), (1..3, [2].as_slice()));
        assert_eq!(table.cells[4].words, [4]);
    }

    #[test]
    fn the_sides_of_rows_may_begin_below_their_padding() {
        let rows = [(10.0, 30.0), (30.0, 60.0)];
        let sides = |(top, bottom): (f32, f32)| [10.0, 110.0, 210.0].map(|x| upright(x, top + 4.6, bottom));
        let flats = [10.0, 30.0, 60.0].map(|y| flat(y, 10.0, 210.0));
        let rulings = flats.into_iter().chain(rows.into_iter().flat_map(sides)).collect();
        let words = vec![word("level", 20.0, 15.0), word("marks", 120.0, 40.0)];
        let page = Page { rulings, words, width: 600.0, height: 800.0, ..Page::default() };
        let tables = tables(&page);
        assert_eq!(tables.len(), 1);
        assert_eq!((tables[0].rows, tables[0].columns, tables[0].cells.len()), (2, 2, 4));
        assert_eq!(tables[0].cells[3].words, [1]);
    }

    #[test]
    fn a_single_box_is_no_table() {
        let place = Rect { x0: 10.0, y0: 10.0, x1: 100.0, y1: 60.0 };
        let page = Page { boxes: vec![place], width: 600.0, height: 800.0, ..Page::default() };
        assert!(tables(&page).is_empty());
    }
}
