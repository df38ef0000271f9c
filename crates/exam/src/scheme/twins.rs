//! Tables of answers that stand side by side under one head, "Q | Answer | Q | Answer": each row answers two questions. The
//! left table stays, and the right one's answers are noted apart.

use super::grid::Grids;
use super::known::Known;
use super::layout::{Zone, cells, zone_named};
use super::run_on;
use crate::flow::{Line, join};
use crate::labels::{self, Token};
use reader::page::Word;

/// How far left of their names, in points, cells may begin.
const MARGIN: f32 = 4.0;
/// Fewer rows are no table.
const ROWS_MIN: usize = 2;
/// Labels are set up to so many points beside their name.
const CENTRED: f32 = 14.0;

/// Where the two columns of one of the tables begin.
struct Half {
    label: f32,
    answer: f32,
}

/// Takes such tables out of a scheme's lines.
pub(super) fn take(all: &mut [(Line<'_>, bool)], known: &Known, grids: &mut Grids) {
    let mut sections: usize = 0;
    let mut at = 0;
    while at < all.len() {
        let line = &all[at].0;
        sections += usize::from(!all[at].1 && crate::paper::is_section_heading(line));
        let halves = if all[at].1 { None } else { head(line) };
        at += 1;
        let Some(halves) = halves else { continue };
        // "of the task | answer" below "Number | Right" is its second line.
        let second = all.get(at).is_some_and(|(next, _)| goes_on(next, line));
        let (rows, lines) = rows(&all[at + usize::from(second)..], &halves);
        if rows.len() < ROWS_MIN {
            continue;
        }
        all[at].1 |= second;
        let lines = lines + usize::from(second);
        let section = if known.counts_again() { sections.saturating_sub(1) } else { 0 };
        let page = all[at - 1].0.page;
        // A key of single words says nothing else.
        let is_key = rows.iter().flatten().all(|(_, said)| !said.contains(' '));
        let from = usize::from(!is_key);
        for (tokens, said) in rows.iter().flat_map(|row| &row[from..]) {
            if let Some((path, _)) =
                known.resolve(section, &[], tokens).filter(|(_, used)| *used == tokens.len())
            {
                grids.say(section, path, said.clone(), page);
            }
        }
        let middle = halves[1].label - CENTRED;
        for (line, furniture) in &mut all[at - 1..at + lines] {
            let left = line.words.partition_point(|word| word.place.x0 < middle);
            *furniture |= left == 0 || is_key;
            *line = run_on::some(line, 0..left.max(1));
        }
        at += lines;
    }
}

/// The places of the columns that such a head names.
fn head(line: &Line<'_>) -> Option<[Half; 2]> {
    let [label, answer, other, next] = cells(line.words)[..] else { return None };
    let same = join(label) == join(other) && join(answer) == join(next);
    let named = |cell: &[Word], zone: Zone| cell.iter().any(|word| zone_named(&word.text) == Some(zone));
    let half =
        |label: &[Word], answer: &[Word]| Half { label: label[0].place.x0, answer: answer[0].place.x0 };
    (same && named(label, Zone::Label) && named(answer, Zone::Answer))
        .then(|| [half(label, answer), half(other, next)])
}

/// True for the second line of a head: as many cells, without a number in them, that say the same twice.
fn goes_on(line: &Line<'_>, head: &Line<'_>) -> bool {
    let [label, answer, other, next] = cells(line.words)[..] else { return false };
    let plain = !line.text().contains(|c: char| c.is_ascii_digit());
    let near = line.page == head.page && line.place.y0 - head.place.y1 < head.place.height();
    plain && near && join(label) == join(other) && join(answer) == join(next)
}

/// The rows right below a head, and how many lines they take. A label may stand on a line of its own, just beside what it
/// labels.
fn rows(all: &[(Line<'_>, bool)], halves: &[Half; 2]) -> (Vec<Answers>, usize) {
    let (mut rows, mut at) = (Vec::new(), 0);
    while let Some((line, _)) = all.get(at).filter(|(line, _)| line.page == all[0].0.page) {
        let beside = || {
            let (next, _) = all.get(at + 1)?;
            let level = (next.place.y0 - line.place.y0).abs() < line.place.height() && next.page == line.page;
            let mut words = [line.words, next.words].concat();
            words.sort_by(|one, other| one.place.x0.total_cmp(&other.place.x0));
            level.then(|| answers(&words, halves)).flatten()
        };
        let Some((row, lines)) =
            answers(line.words, halves).map(|row| (row, 1)).or_else(|| beside().map(|row| (row, 2)))
        else {
            break;
        };
        rows.push(row);
        at += lines;
    }
    (rows, at)
}

/// Labels, each with what stands beside it.
type Answers = Vec<(Vec<Token>, String)>;

/// What a row answers: one or two labels, each with what stands beside it.
fn answers(row: &[Word], halves: &[Half; 2]) -> Option<Answers> {
    let middle = halves[1].label - CENTRED;
    let parted = row.partition_point(|word| word.place.x0 < middle);
    let (left, right) = row.split_at(parted);
    let crosses = left.last().is_some_and(|word| word.place.x1 > middle + CENTRED);
    let one = |words: &[Word], half: &Half| {
        let labels = words.partition_point(|word| word.place.x0 < half.answer - MARGIN);
        let (label, said) = words.split_at(labels);
        let tokens = labels::parse_cell(&join(label)).filter(|_| !said.is_empty())?;
        Some((tokens, join(said)))
    };
    let first = one(left, &halves[0]).filter(|_| !crosses)?;
    match right.is_empty() {
        true => Some(vec![first]),
        false => Some(vec![first, one(right, &halves[1])?]),
    }
}
