//! Which of the numbers on a paper are marks.
//!
//! Some print is sure by itself ("[2 marks]"). The rest counts by its place (a column at the right edge)
//! or by its company: a paper prints its marks in one way, so a number in round brackets at the end of a
//! question's text is a mark only where the paper has no surer print.

use crate::flow::Line;
use crate::labels;
use crate::marks::{self, Certainty, MarkNote, Scope};
use domain::marks::Marks;
use lexicon::Concept;
use reader::page::{Document, Rect, Word};

/// A statement about marks at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Note {
    pub(super) note: MarkNote,
    /// Index within its line of its first word.
    pub(super) word: usize,
}

/// Marks in a column stand in the right part of the page.
const RIGHT_PART: f32 = 0.6;
/// How far apart, in points, the edges of one column may lie.
const COLUMN_SLACK: f32 = 6.0;
/// White before a word, in sizes of its type, that parts it from the text before it.
const APART: f32 = 1.5;
/// White, in sizes of its type, that parts a column on the right from the text.
const COLUMN_GAP: f32 = 2.0;
/// Lines from which frames of programs are made.
const FRAME: std::ops::RangeInclusive<char> = '\u{2500}'..='\u{257F}';
/// A bare number in the right margin is a mark up to this one.
const BARE_MAX: u32 = 30;
/// A question's parts are worth no more together.
const SUM_MAX: u32 = 100;

/// For each line, the statement about marks that it ends with.
pub(super) fn find(lines: &[Line<'_>], document: &Document, parts: &[bool]) -> Vec<Option<Note>> {
    let page = Page { lines, parts, width: document.pages.iter().map(|page| page.width).fold(1.0, f32::max) };
    let candidates: Vec<Option<Candidate>> = (0..lines.len()).map(|index| page.candidate(index)).collect();
    let mut found: Vec<Option<Note>> = vec![None; lines.len()];
    accept(&mut found, &candidates, |candidate| candidate.place == Place::Sure);
    // A number in round brackets is a mark in a column of such numbers, set to its left or right edge.
    let column: Vec<(f32, f32)> = of_place(&candidates, Place::Column).map(|own| own.edges).collect();
    accept(&mut found, &candidates, |own| own.place == Place::Column && in_column(&column, own.edges));
    // A full line may end right beside the column: what stands just where the others do is one of them.
    accept(&mut found, &candidates, |own| own.is_at_right && stands_in(&column, own.edges));
    let is_part = |note: &&Note| note.note.scope == Scope::Part;
    let sums = heads_of_parts(lines);
    let surer =
        found.iter().zip(&sums).filter(|(note, sum)| note.as_ref().filter(is_part).is_some() && !**sum);
    let surer = surer.count();
    if of_place(&candidates, Place::Inline).count() > surer {
        accept(&mut found, &candidates, |own| own.place == Place::Inline);
    }
    // "Question 2 (4 marks)" sums up a question whose parts may still have theirs in the margin.
    let heads = |line: &Line<'_>| {
        labels::parse(&line.texts()).is_some_and(|label| label.style == labels::Style::Keyword)
    };
    let of_part =
        |(note, line): &(&Option<Note>, &Line<'_>)| note.as_ref().filter(is_part).is_some() && !heads(line);
    let surer = found.iter().zip(lines).filter(of_part).count();
    accept_margin(&mut found, &page, surer);
    found
}

/// For each line, whether it begins a question that has parts: the marks that it ends with are those of all.
fn heads_of_parts(lines: &[Line<'_>]) -> Vec<bool> {
    let mut heads = vec![false; lines.len()];
    let mut last: Option<usize> = None;
    for (index, line) in lines.iter().enumerate() {
        let Some(label) = labels::parse(&line.texts()) else { continue };
        match (label.style, label.tokens.as_slice()) {
            (labels::Style::Bare, _) => {}
            (_, [only]) if only.kind == labels::Kind::Number => last = Some(index),
            (_, [only]) if only.kind == labels::Kind::Letter => {
                last.take().into_iter().for_each(|head| heads[head] = true);
            }
            _ => {}
        }
    }
    heads
}

/// For each line, how many words of marks stand before its label: "[2] 1. Name a gas". All 0 where the paper
/// prints its marks elsewhere.
pub(super) fn leads(lines: &[Line<'_>], notes: &[Option<Note>]) -> Vec<usize> {
    let lead = |line: &Line<'_>| {
        let texts = line.texts();
        let own = marks::before_label(&texts).filter(|note| note.scope == Scope::Part)?;
        let label = labels::parse(&texts[own.words..]).filter(|label| !label.glued)?;
        // "3p 1 Name a gas": the unit says that the number before it is no label.
        let closed = !own.bracketed || !matches!(label.style, labels::Style::Bare);
        // A number in round brackets may be a label itself, so what follows must be a clear one.
        let clear = own.certainty > Certainty::ByPlace || label.style != labels::Style::Brackets;
        (closed && clear).then_some(own.words)
    };
    let found: Vec<usize> = lines.iter().map(|line| lead(line).unwrap_or(0)).collect();
    let count = found.iter().filter(|words| **words > 0).count();
    let others = notes.iter().zip(&found).filter(|(note, lead)| note.is_some() && **lead == 0).count();
    if count >= 2 && count > others { found } else { vec![0; lines.len()] }
}

/// What the marks of all parts add up to.
pub(super) fn sum_of_parts(notes: &[Option<Note>]) -> Marks {
    notes.iter().flatten().filter(|note| note.note.scope == Scope::Part).map(|note| note.note.marks).sum()
}

/// Where a candidate stands, which tells what else must hold for it to count.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// It is a mark wherever it stands.
    Sure,
    /// At the right edge: a mark in a column of such.
    Column,
    /// At the end of a question's text: a mark where the paper has no surer ones.
    Inline,
    /// At the right edge, close to a text that goes on: a mark only just where a column of such stands.
    Beside,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    note: Note,
    place: Place,
    /// In round brackets at the right edge, however close to the text.
    is_at_right: bool,
    /// Where it begins and ends.
    edges: (f32, f32),
}

fn of_place(candidates: &[Option<Candidate>], place: Place) -> impl Iterator<Item = &Candidate> {
    candidates.iter().flatten().filter(move |candidate| candidate.place == place)
}

fn accept(found: &mut [Option<Note>], candidates: &[Option<Candidate>], counts: impl Fn(&Candidate) -> bool) {
    for (place, candidate) in found.iter_mut().zip(candidates) {
        if let Some(candidate) = candidate.filter(|candidate| counts(candidate)) {
            *place = Some(candidate.note);
        }
    }
}

fn in_column(column: &[(f32, f32)], (left, right): (f32, f32)) -> bool {
    let near =
        |(x0, x1): &&(f32, f32)| (x0 - left).abs() <= COLUMN_SLACK || (x1 - right).abs() <= COLUMN_SLACK;
    column.iter().filter(near).count() >= 2
}

/// True for what begins and ends just where several of a column do.
fn stands_in(column: &[(f32, f32)], (left, right): (f32, f32)) -> bool {
    let same = |(x0, x1): &&(f32, f32)| (x0 - left).abs() <= SAME && (x1 - right).abs() <= SAME;
    column.iter().filter(same).count() >= CLOSE_COLUMN
}

/// A few words that begin with a capital letter, end no sentence and carry no label.
fn is_title(line: &Line<'_>) -> bool {
    const LONGEST: usize = 4;
    let texts = line.texts();
    let ends = texts.last().is_some_and(|last| last.ends_with(['.', '?', ':', ';', ',']));
    let capital = texts[0].starts_with(char::is_uppercase);
    texts.len() <= LONGEST && capital && !ends && labels::parse(&texts).is_none()
}

/// Marks that a line's end breaks have no more words on either side.
const BROKEN_MAX: usize = 5;

/// The lines of a paper and the width of its pages.
struct Page<'l, 'd> {
    lines: &'l [Line<'d>],
    /// For each line, whether it heads a part of a question.
    parts: &'l [bool],
    width: f32,
}

impl Page<'_, '_> {
    fn candidate(&self, index: usize) -> Option<Candidate> {
        let line = &self.lines[index];
        // "Section B (20 marks)" sums a section up.
        let heads_section =
            |index: usize| super::is_section_heading(&self.lines[index]) && !self.parts[index];
        if heads_section(index) {
            return None;
        }
        let found = self.at_end(line).or_else(|| self.before_column(line));
        let is_broken = found.is_none();
        let (note, word) = found.or_else(|| self.broken(index))?;
        // So does "27 marks" under it.
        let above = index.checked_sub(1);
        // Its title may stand between: "SECTION B", "ESSAY", "[50 marks]".
        let titled =
            above.filter(|above| is_title(&self.lines[*above])).and_then(|above| above.checked_sub(1));
        let under = [above, titled].into_iter().flatten().any(heads_section);
        if under && super::worths::is_alone(line, word) {
            return None;
        }
        let first = &line.words[word];
        let right = line.place.x1 > RIGHT_PART * self.width;
        let alone = word == 0;
        let gap = if alone { f32::INFINITY } else { first.place.x0 - line.words[word - 1].place.x1 };
        let apart = gap > APART * first.size;
        let place = match note.certainty {
            // "3 points for a win" ends a sentence; marks without brackets stand apart or after one.
            Certainty::Sure if note.bracketed || apart || self.ends_sentence(index, word) => Place::Sure,
            // "/8" in a box beside the first line of a question.
            Certainty::Likely if apart && first.text.starts_with('/') => Place::Sure,
            Certainty::Likely if right || alone || self.ends_text(index, word) => Place::Sure,
            Certainty::ByPlace if right && apart => Place::Column,
            Certainty::ByPlace if is_broken || self.ends_text(index, word) => Place::Inline,
            Certainty::ByPlace if right && note.bracketed => Place::Beside,
            _ => return None,
        };
        let is_at_right = note.certainty == Certainty::ByPlace && right && note.bracketed;
        let edges = (first.place.x0, line.place.x1);
        Some(Candidate { note: Note { note, word }, place, is_at_right, edges })
    }

    /// The marks that a line ends with, and where they begin.
    fn at_end(&self, line: &Line<'_>) -> Option<(MarkNote, usize)> {
        let note = marks::at_end(&line.texts())?;
        Some((note, line.words.len() - note.words))
    }

    /// The marks whose bracket the line before opened: "2]" below "say why. [C 4, A".
    fn broken(&self, index: usize) -> Option<(MarkNote, usize)> {
        let rest = self.lines[index].texts();
        let closes = rest.len() <= BROKEN_MAX && rest.last().is_some_and(|last| last.ends_with([')', ']']));
        let above = index.checked_sub(1).filter(|_| closes)?;
        let before = self.lines[above].texts();
        let opens = before.iter().rposition(|word| word.starts_with(['(', '[']))?;
        let own = &before[opens..];
        let open = own.len() <= BROKEN_MAX && !own.iter().any(|word| word.contains([')', ']']));
        let whole = [own, &rest[..]].concat();
        let note = marks::at_end(&whole).filter(|note| open && note.bracketed && note.words == whole.len());
        note.map(|note| (MarkNote { words: rest.len(), ..note }, 0))
    }

    /// The same of its left part, where a program or a figure stands to the right of the text.
    fn before_column(&self, line: &Line<'_>) -> Option<(MarkNote, usize)> {
        let texts = line.texts();
        (1..line.words.len()).find_map(|next| {
            let (last, own) = (&line.words[next - 1], &line.words[next]);
            let framed = own.text.starts_with(|c| FRAME.contains(&c));
            let apart = own.place.x0 - last.place.x1 > COLUMN_GAP * own.size || framed;
            let closed = last.text.ends_with([')', ']']);
            let note = if apart && closed { marks::at_end(&texts[..next]) } else { None };
            let note = note.filter(|note| note.certainty == Certainty::Sure && note.bracketed)?;
            Some((note, next - note.words)).filter(|(_, word)| *word > 0)
        })
    }

    /// A number with nothing beside it, and its right edge.
    fn sum_below(&self, index: usize) -> Option<(Marks, f32)> {
        let [only] = self.lines[index].words else { return None };
        let marks =
            only.text.parse().ok().filter(|number| (1..=SUM_MAX).contains(number)).map(Marks::whole)?;
        Some((marks, only.place.x1))
    }

    /// True when the word before this place ends a sentence.
    fn ends_sentence(&self, index: usize, word: usize) -> bool {
        let before = match word.checked_sub(1) {
            Some(before) => self.lines[index].words.get(before),
            None => index.checked_sub(1).and_then(|above| self.lines[above].words.last()),
        };
        let closing = |c: char| matches!(c, ')' | '"' | '\'' | '”' | '’' | ' ');
        before.is_some_and(|word| {
            word.text.trim_end_matches(closing).ends_with(['.', '?', '!', ':', ';', '…', '_'])
        })
    }

    /// True when a question's text ends here: after a sentence, or before a label, white or the end.
    fn ends_text(&self, index: usize, word: usize) -> bool {
        let before = word.checked_sub(1).map(|before| self.lines[index].words[before].text.to_lowercase());
        if before.as_deref().is_some_and(|before| before == "=" || lexicon::is(Concept::Pointed, before)) {
            return false;
        }
        if self.ends_sentence(index, word) {
            return true;
        }
        let line = &self.lines[index];
        let Some(next) = self.lines.get(index + 1) else { return word > 0 };
        let labelled = labels::parse(&next.texts()).is_some_and(|label| !label.glued) || is_item(next);
        let white = next.page == line.page && next.place.y0 - line.place.y1 > line.place.height();
        word > 0 && (labelled || white || next.page != line.page)
    }
}

/// True for a line that begins an item of a list.
fn is_item(line: &Line<'_>) -> bool {
    line.words[0].text.starts_with(crate::scheme::BULLETS) && line.words.len() > 1
}

/// So many bare numbers that stand apart make a column in which one may stand close to the text.
const CLOSE_COLUMN: usize = 4;
/// How far apart, in points, the edges of those lie.
const SAME: f32 = 1.0;

/// A bare number at the right edge of text.
struct Bare {
    marks: Marks,
    edges: (f32, f32),
    /// White parts it from the text.
    apart: bool,
}

fn bare_note(marks: Marks) -> MarkNote {
    let (scope, certainty) = (Scope::Part, Certainty::ByPlace);
    MarkNote { scope, marks, certainty, bracketed: false, shared: None, words: 1 }
}

/// "3", "0,5": a number that may be a mark without brackets.
fn bare_number(text: &str) -> Option<Marks> {
    let counted =
        |text: &str| text.parse().ok().filter(|number| (1..=BARE_MAX).contains(number)).map(Marks::whole);
    if text.contains('+') {
        // "2+3"
        return text.split('+').map(counted).sum();
    }
    counted(text).or_else(|| {
        let (own, halves) = text.split_once([',', '.'])?;
        let own = own.parse::<u32>().ok().filter(|own| *own <= BARE_MAX)?;
        let halves = match halves {
            "0" | "00" => 0,
            "5" | "50" => 1,
            _ => return None,
        };
        Some(Marks::halves(2 * own + halves)).filter(|marks| !marks.is_zero())
    })
}

/// "Q.No. Questions Marks CO BL": the names of a table's columns, the first of which holds labels.
fn names_columns(line: &Line<'_>) -> bool {
    const NAMES: std::ops::RangeInclusive<usize> = 3..=8;
    let first = line.words[0].text.to_lowercase();
    let bare = first.trim_end_matches('.');
    let numbers = lexicon::english::schemes::NUMBER_COLUMN.end(bare)
        || lexicon::is(Concept::LabelColumn, &first)
        || lexicon::is(Concept::LabelColumn, bare);
    let titled = |word: &Word| word.text.starts_with(char::is_uppercase);
    numbers && NAMES.contains(&line.words.len()) && line.words.iter().all(titled)
}

/// Takes bare numbers at the right edge of text as marks, where a column of them stands and the paper
/// prints hardly any other.
fn accept_margin(found: &mut [Option<Note>], page: &Page<'_, '_>, surer: usize) {
    // "MARKS" above the column.
    let is_header = |word: &&Word| lexicon::is(Concept::MarkUnit, &word.text.to_lowercase());
    let header = |line: &Line<'_>| {
        let named = names_columns(line);
        let place = line.words.iter().rfind(is_header).filter(|_| named || line.words.len() <= 4)?.place;
        Some((line.page, place, named))
    };
    let headers: Vec<(u32, Rect, bool)> = page.lines.iter().filter_map(header).collect();
    let candidate = |line: &Line<'_>| {
        let (last, before) = line.words.split_last()?;
        let marks = bare_number(&last.text)?;
        let apart = before.last().is_some_and(|word| last.place.x0 - word.place.x1 > APART * last.size);
        let numbers = before.iter().filter(|word| word.text.parse::<f32>().is_ok()).count();
        // "valid test.      1": the end of a sentence.
        let ends =
            before.last().is_some_and(|word| word.text.ends_with(['.', '?', ':']) && word.text.len() > 2);
        let prose = (before.len() >= 3 || ends) && numbers * 4 <= before.len();
        let labelled = labels::parse(&line.texts()).is_some();
        // The head of a table stands above its rows on later pages as well.
        let headed = headers.iter().any(|(own, place, table)| {
            let below = *own == line.page && place.y1 < last.place.y0;
            (below || *table && *own < line.page) && place.x0 < last.place.x1 && last.place.x0 < place.x1
        });
        let edge = last.place.x0 > 0.8 * page.width || headed;
        let found = edge && (prose || labelled);
        found.then_some(Bare { marks, edges: (last.place.x0, last.place.x1), apart: apart || headed })
    };
    let all: Vec<Option<Bare>> = page.lines.iter().map(candidate).collect();
    let apart = || all.iter().flatten().filter(|own| own.apart);
    if apart().count() <= 2 * surer {
        return;
    }
    let mut sum = Marks::ZERO;
    for (index, own) in all.iter().enumerate() {
        // The sum of a question's parts stands alone below their marks.
        let below = page.sum_below(index).filter(|(own, edge)| {
            let near = |other: &&Bare| (other.edges.1 - edge).abs() <= COLUMN_SLACK;
            *own == sum && apart().filter(near).count() >= 2
        });
        if let Some((marks, _)) = below {
            found[index] = found[index].or(Some(Note { note: bare_note(marks), word: 0 }));
            sum = Marks::ZERO;
            continue;
        }
        let Some(Bare { marks, edges, .. }) = own else { continue };
        let near = |one: f32, other: f32| (one - other).abs() <= COLUMN_SLACK;
        let beside = if own.as_ref().is_some_and(|own| own.apart) {
            apart().filter(|other| near(other.edges.1, edges.1)).count() >= 2
        } else {
            // A full line may end right beside the column: what stands just where the others do is one of them.
            let column: Vec<(f32, f32)> = apart().map(|other| other.edges).collect();
            stands_in(&column, *edges)
        };
        if beside {
            sum = sum + *marks;
            let note = bare_note(*marks);
            let place = &mut found[index];
            *place = place.or(Some(Note { note, word: page.lines[index].words.len() - 1 }));
        }
    }
}
