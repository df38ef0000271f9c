//! Lists among the candidates: rows of a cover's table, items in a column, numbers without the word that announces
//! the others.

use super::candidates::Candidate;
use super::evidence::Evidence;
use super::outline::Outline;
use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use crate::rules::Rule;
use std::collections::HashSet;

/// A list of questions has at least so many rows.
const LIST: usize = 3;

/// "Problem 1: Sorting /12" over "Problem 2: Graphs /16": rows of a cover's table, not the questions themselves.
pub(super) fn list_rows(found: &mut [Candidate]) {
    let announced: Vec<usize> = (0..found.len())
        .filter(|index| found[*index].begins_line && found[*index].label.style == Style::Keyword)
        .collect();
    let follows = |pair: &[usize]| {
        let (one, next) = (&found[pair[0]], &found[pair[1]]);
        next.line == one.line + 1 && next.label.tokens[0].value == one.label.tokens[0].value + 1
    };
    // The questions themselves follow: each number begins a line again.
    let comes_again = |row: &usize| {
        let own = &found[*row];
        found.iter().any(|other| {
            other.line > own.line && other.begins_line && other.label.tokens == own.label.tokens[..1]
        })
    };
    let mut rows: Vec<usize> = Vec::new();
    let mut start = 0;
    for end in 1..=announced.len() {
        if end == announced.len() || !follows(&announced[end - 1..=end]) {
            let run = &announced[start..end];
            if run.len() >= LIST && run.iter().all(comes_again) {
                rows.extend(run);
            }
            start = end;
        }
    }
    for row in rows {
        found[row].quality += Rule::ListedRow.weight();
    }
}

/// Where a word announces the questions, a number without it is a line's, an item's or an instruction's.
pub(super) fn unannounced(found: &mut [Candidate]) {
    let announced = |candidate: &&Candidate| {
        candidate.begins_line && candidate.label.style == Style::Keyword && candidate.quality > 0.0
    };
    let heads: HashSet<u32> =
        found.iter().filter(announced).map(|candidate| candidate.label.tokens[0].value).collect();
    // A first part may count without the word, and the second go on with it.
    let unbroken = (1..).take_while(|number| heads.contains(number)).count();
    if unbroken < LIST {
        return;
    }
    for candidate in found.iter_mut().filter(|candidate| candidate.label.style != Style::Keyword) {
        if matches!(candidate.label.tokens.as_slice(), [only] if only.kind == Kind::Number) {
            candidate.quality += Rule::Unannounced.weight();
        }
    }
}

/// Takes trust from letters alone on their lines that come again below with what they ask: they name blanks of a program or a
/// picture, "if ____:" over "(a)".
pub(super) fn doubt_names(found: &mut [Candidate]) {
    const REACH: usize = 60;
    let letter = |own: &Candidate| {
        let [only] = own.label.tokens[..] else { return None };
        let bracketed = own.begins_line && own.label.style == Style::Brackets;
        (bracketed && matches!(only.kind, Kind::Letter | Kind::Roman)).then_some(only)
    };
    let ends = |own: &Candidate| {
        own.begins_line
            && own.label.tokens[0].kind == Kind::Number
            && matches!(own.label.style, Style::Dot | Style::Close | Style::Keyword)
    };
    let comes_again = |at: usize| {
        let own = &found[at];
        let below = found[at + 1..].iter().take_while(|next| !ends(next) && next.line <= own.line + REACH);
        let mut same = below.filter(|next| letter(next) == letter(own));
        same.any(|next| next.has_text)
    };
    let names: Vec<usize> = (0..found.len())
        .filter(|at| !found[*at].has_text && letter(&found[*at]).is_some() && comes_again(*at))
        .collect();
    // One may be a slip.
    if names.len() > 1 {
        names.into_iter().for_each(|at| found[at].quality += Rule::EmptyRow.weight());
    }
}

/// True for the heads of columns that letters name: "a)   b)   c)" over what is to be filled in.
pub(super) fn names_columns(texts: &[&str]) -> bool {
    let letter = |text: &&str| {
        let label = labels::parse(&[*text]).filter(|label| !label.glued && label.style != Style::Bare)?;
        matches!(label.tokens[..], [only] if only.kind == Kind::Letter).then(|| label.tokens[0].value)
    };
    let letters: Option<Vec<u32>> = texts.iter().map(letter).collect();
    letters.is_some_and(|letters| letters.len() > 1 && letters.windows(2).all(|pair| pair[1] == pair[0] + 1))
}

/// Takes away the letters of what is to be matched with a second column, which earns nothing row by row: below "Column
/// I   Column II", up to the next number or line with marks.
pub(super) fn without_matched(found: &mut Vec<Candidate>, lines: &[Line<'_>], marks: &[bool]) {
    /// A longer list is none to match.
    const REACH: usize = 30;
    let apart = (0..lines.len()).filter(|at| heads_columns(&lines[*at].texts())).map(|at| at + 1);
    let heads: Vec<usize> = apart.chain((0..lines.len()).filter(|at| opens_column(lines, *at))).collect();
    let letter = |own: &Candidate| matches!(own.label.tokens[..], [only] if only.kind == Kind::Letter);
    let ends = |own: &Candidate| {
        let closed = matches!(own.label.style, Style::Dot | Style::Close | Style::Keyword | Style::Path);
        own.begins_line && closed && own.label.tokens[0].kind == Kind::Number
    };
    for head in heads {
        let next = found.iter().find(|own| own.line >= head && ends(own)).map_or(lines.len(), |own| own.line);
        let next = next.min(head + REACH);
        let marked = marks.get(head..next).is_some_and(|own| own.contains(&true));
        if !marked {
            found.retain(|own| own.line < head || own.line >= next || !letter(own));
        }
    }
}

/// "Column I   Column II", "List A   List B": a word twice, counted on.
fn heads_columns(texts: &[&str]) -> bool {
    let [first, one, second, two] = texts else { return false };
    counts_on((first, one), (second, two))
}

/// "Column I: (a) …; (b) …" with "Column II: …" below it: what is to be matched, in running text.
fn opens_column(lines: &[Line<'_>], at: usize) -> bool {
    const REACH: usize = 6;
    let head = |line: &Line<'_>| match line.texts()[..] {
        [word, count, _, ..] if count.ends_with(':') => Some((word.to_owned(), count.to_owned())),
        _ => None,
    };
    let Some((first, one)) = head(&lines[at]) else { return false };
    let mut below = lines[at + 1..].iter().take(REACH).filter_map(head);
    below.any(|(second, two)| counts_on((&first, &one), (&second, &two)))
}

/// A word twice, with the first number, letter or numeral and the second.
fn counts_on((first, one): (&str, &str), (second, two): (&str, &str)) -> bool {
    let counts = [("I", "II"), ("A", "B"), ("1", "2")];
    let alike = first.chars().count() > 2 && first.to_lowercase() == second.to_lowercase();
    alike && counts.contains(&(one.trim_end_matches(':'), two.trim_end_matches(':')))
}

/// Takes away numbered notes above the parts that use them: "(i) … (ii) …" without marks, then "Required: (a) … [9] (b) …
/// [4]".
pub(super) fn without_notes(found: &mut Vec<Candidate>, marks: &[bool]) {
    let token = |own: &Candidate| match own.label.tokens[..] {
        [only] => Some(only),
        _ => None,
    };
    let begins: Vec<usize> = (0..found.len()).filter(|at| found[*at].begins_line).collect();
    let is = |at: Option<&usize>, kind: Kind, value: u32| {
        at.is_some_and(|at| token(&found[*at]) == Some(Token::new(kind, value)))
    };
    let marked = |from: usize, to: usize| {
        let lines = found[from].line..found[to].line.max(found[from].line + 1);
        marks.get(lines).is_some_and(|lines| lines.contains(&true))
    };
    let mut notes: HashSet<usize> = HashSet::new();
    for (first, start) in begins.iter().enumerate() {
        let count = (1..).take_while(|value| {
            let at = begins.get(first + *value as usize - 1);
            is(at, Kind::Roman, *value)
        });
        let behind = first + count.count();
        let (a, b) = (begins.get(behind), begins.get(behind + 1));
        let (Some(part), true, true) = (a, is(a, Kind::Letter, 1), is(b, Kind::Letter, 2)) else { continue };
        if behind >= first + 2 && !marked(*start, *part) && b.is_some_and(|b| marked(*part, *b)) {
            notes.extend(&begins[first..behind]);
        }
    }
    let mut at = 0;
    found.retain(|_| {
        at += 1;
        !notes.contains(&(at - 1))
    });
}

/// Notes of each item of a list of letters which one comes before it: rows of a table, "a) … b) …" in a column.
pub(super) fn link_lists(found: &mut [Candidate], lines: &[Line<'_>]) {
    const SLACK: f32 = 6.0;
    let letter = |candidate: &Candidate| match candidate.label.tokens.as_slice() {
        [only] if only.kind == Kind::Letter && candidate.begins_line => Some(only.value),
        _ => None,
    };
    let mut listed = false;
    for index in 1..found.len() {
        let (before, own) = (&found[index - 1], &found[index]);
        let next = letter(before).zip(letter(own)).is_some_and(|(one, other)| other == one + 1)
            && before.label.style == own.label.style
            && (before.x - own.x).abs() <= SLACK
            && lines[before.line].page == lines[own.line].page;
        listed = next && (listed || letter(before) == Some(1));
        if listed {
            found[index].after = Some(index - 1);
        }
    }
}

/// Takes trust from the items of a long list none of which prints marks, where the document prints them. A shorter
/// one may be a question's options.
pub(super) fn doubt_lists(found: &mut [Candidate], evidence: &Evidence) {
    const LONG: usize = 6;
    const PRINTS_MARKS: usize = 5;
    /// "1 point each" stands so many lines above the list.
    const ABOVE: usize = 3;
    let marks = &evidence.marks;
    if marks.iter().filter(|marked| **marked).count() < PRINTS_MARKS {
        return;
    }
    let mut start = 0;
    for end in 1..=found.len() {
        if end < found.len() && found[end].after.is_some() {
            continue;
        }
        let lines = found[start].line..=found[end - 1].line;
        let first = found[start].line;
        let priced = evidence.spreads_within(first.saturating_sub(ABOVE)..first);
        if end - start >= LONG && !priced && !marks.get(lines).is_some_and(|lines| lines.contains(&true)) {
            for candidate in &mut found[start..end] {
                candidate.quality += Rule::UnmarkedList.weight();
            }
        }
        start = end;
    }
}

/// True when "1." and "2.", or "(1)" and "(2)", begin lines, so that parts are not counted with bare numbers.
pub(super) fn has_closed_inner(found: &[Candidate], outline: Outline) -> bool {
    let has = |value: u32| {
        found.iter().any(|candidate| {
            let label = outline.place(candidate.label.clone());
            let closed = matches!(label.style, Style::Dot | Style::Close | Style::Brackets);
            candidate.begins_line && closed && label.tokens[0] == Token::new(Kind::Inner, value)
        })
    };
    has(1) && has(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_columns_are_told_from_parts() {
        assert!(names_columns(&["a)", "b)", "c)"]) && !names_columns(&["a)", "iron", "b)"]));
        assert!(
            heads_columns(&["Column", "I", "Column", "II"]) && heads_columns(&["List", "A", "List", "B"])
        );
        assert!(!heads_columns(&["Column", "I", "List", "II"]) && !heads_columns(&["Column", "I"]));
    }
}
