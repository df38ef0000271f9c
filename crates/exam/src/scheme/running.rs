//! Schemes that are set as running text with labels: solutions, lists, multiple choice keys.

use super::beside;
use super::collect::{Collector, all_strong, lead_with, strong};
use super::column::{is_graded_mark, is_method_mark, split_graded, split_lettered};
use super::earned::{coded, most_by_grade, priced};
use super::known::Known;
use super::pairs::{
    KeyRows, answer_pairs, answers_below, bare_pairs, key_rows, marks_behind, numbered_pairs, small_pairs,
};
use super::{EntryLine, Scheme, announced, blank_names, levels, rubric, run_on, tally};
use crate::flow::{self, Line};
use crate::labels::{self, Kind, Label, Style, Token};
use crate::marks;
use crate::numbering::{self, Evidence, Inner, Outline};
use crate::paper::is_section_heading;
use lexicon::Concept;
use reader::page::{Document, Page, Word};
use std::collections::{HashMap, HashSet};

/// Reads a scheme that is set as running text with labels.
pub(super) fn read(all: &[(Line<'_>, bool)], document: &Document, known: &Known) -> Scheme {
    let mut lines: Vec<Line<'_>> =
        all.iter().filter(|(_, furniture)| !furniture).map(|(line, _)| line.clone()).collect();
    order_by_height(&mut lines, document);
    let lines = beside::parted(lines);
    let outline = known.outline.followed_in(lines.iter().map(Line::texts));
    let key_rows = key_rows(&lines, known);
    let numbers = numbers(&lines, known, outline, &key_rows);
    let mut collector = Collector::new(known, all);
    let lettered =
        lines.iter().filter(|line| line.words.iter().any(|word| is_method_mark(&word.text))).count();
    let graded = lines.iter().filter(|line| line.words.last().is_some_and(|word| is_graded_mark(&word.text)));
    let graded = graded.count();
    let mut priced = priced(&lines, document);
    for (own, code) in priced.iter_mut().zip(coded(&lines, document, known.leaves())) {
        *own = (*own).max(code);
    }
    let edges = right_edges(&lines, &priced, document);
    let rated = lines.iter().any(levels::heads_table);
    let bracketed = counts_in_brackets(&lines, known);
    let announced = announces_questions(&lines, known);
    let blanks = blank_names::lines(&lines);
    // The line before held the answers to several parts.
    let mut in_rows = false;
    // Rows of letters were passed: solutions to the questions after them may follow.
    let mut after_letters = false;
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        let named = known.has_named_parts.then(|| labels::parse_lettered_part(&texts)).flatten();
        let named =
            named.map(|label| if known.has_parts_over_numbers { label.over_numbers() } else { label });
        let capital = known.has_capital_parts.then(|| labels::parse_capital_part(&texts)).flatten();
        let named = named.or(capital.filter(|label| collector.has_part(&label.tokens)));
        // "Solution. A) Each of them …": the questions are repeated above, and the answers begin.
        let solved = solved_part(&texts, known).filter(|label| collector.has_part(&label.tokens));
        let begins_solution = solved.is_some();
        let named = solved.or(named);
        let small = small_pairs(&texts[..texts.len() - priced[index]], known);
        if named.is_none() && (collector.heading(line) || known.is_section(&texts)) && small.is_none() {
            continue;
        }
        let above = index.checked_sub(1).map(|above| lines[above].texts());
        let below = above.as_deref().and_then(|above| answers_below(above, &texts));
        // "1 M" is a row of a formula where question 1 offers no letters.
        let expected = |pairs: &Vec<(u32, &str)>| pairs.len() > 1 || collector.expects_letter(pairs[0].0);
        let numbered =
            || numbered_pairs(&texts).filter(|pairs| pairs.iter().all(|pair| known.offers(pair.0)));
        let bare = || key_rows.lines.contains(&index).then(|| bare_pairs(&texts, known)).flatten();
        if let Some(pairs) =
            below.or_else(|| answer_pairs(&texts).filter(expected)).or(small).or_else(numbered).or_else(bare)
        {
            after_letters |= pairs.len() > 1;
            in_rows = true;
            for (number, letter) in pairs {
                let inner = outline.inner == Inner::Any && !collector.path.is_empty();
                let kind = if inner { Kind::Inner } else { Kind::Number };
                if collector.enter(&[Token::new(kind, number)], line.page).is_some() {
                    let marks = if key_rows.lines.contains(&index) {
                        String::new()
                    } else {
                        marks_behind(&texts, letter)
                    };
                    collector
                        .add(line, EntryLine { answer: letter.to_owned(), marks, ..EntryLine::default() });
                }
            }
            continue;
        }
        let row = std::mem::take(&mut in_rows);
        // "[2] Problem 3": the marks before the word are no label.
        let told = || announced::label(&texts).filter(|label| known.has(&label.tokens[..1]));
        let after_marks = after_marks(&texts, &collector, known).filter(|_| named.is_none());
        let is_priced = after_marks.is_some();
        let label = named.or(after_marks).or_else(told).or_else(|| outline.parse(&texts));
        // A line of nothing but marks sums up those above it.
        let label = label.filter(|_| priced[index] < texts.len() && !blanks.contains(&index));
        let label = label.filter(|label| {
            let trusted = is_priced
                || is_trusted(label, &collector, numbers.get(&index))
                || known.asked.opens(label.tokens[0].value, &texts[label.words..].join(" "));
            let bracketed = bracketed && label.style == Style::Brackets && is_soon(label, &collector);
            // A table of answers leaves out what is answered below it.
            let in_table =
                row && priced[index] > 0 && label.style == Style::Dot && is_soon(label, &collector);
            let follows = row || (after_letters && matches!(label.style, Style::Dot | Style::Close));
            let level = rated && label.style == Style::Bare && levels::is_row(&texts);
            // "3.1  4 points" heads its answer wherever it stands: a table may have answered later questions first.
            let heads = label.tokens.len() > 1
                && known.has(&label.tokens)
                && marks::alone(&texts[label.words..]).is_some();
            let closed = matches!(label.style, Style::Dot | Style::Close);
            let inner = closed
                && label.tokens[0].kind == Kind::Inner
                && line.words.len() > label.words
                && collector.is_next_leaf(&label.tokens);
            let number = matches!(label.tokens[..], [only] if only.kind == Kind::Number);
            let counts_points = announced && number && label.style == Style::Brackets;
            in_rows = in_table;
            (trusted && !counts_points
                || bracketed
                || inner
                || heads
                || (run_on::counts(&texts) && is_next(label, &collector))
                || in_table
                || (follows && is_next(label, &collector)))
                && (begins_solution || !collector.counts_within(&label.tokens))
                && !(label.style == Style::Bare && collector.falls_back(&label.tokens))
                && !above.as_deref().is_some_and(|above| closes(texts[0], above))
                && !level
        });
        let (mut used, mut rest) = (0, String::new());
        if let Some(label) = label
            && let Some(left) = collector.enter(&label.tokens, line.page)
        {
            let glued = if label.glued { labels::glued_text(texts[label.words - 1]) } else { "" };
            (used, rest) = (label.words, lead_with(&left, glued).trim().to_owned());
            // "1.1  1.1.1  iron": a part and the first of its own parts on one line.
            while let Some(below) = outline.parse(&texts[used..])
                && below.tokens.len() > label.tokens.len()
                && below.tokens.starts_with(&label.tokens)
                && collector.enter(&below.tokens, line.page).is_some()
            {
                used += below.words;
            }
            // "Q. 1. (A)": the first of its parts.
            if let Some(below) =
                known.has_capital_parts.then(|| labels::parse_capital_part(&texts[used..])).flatten()
                && collector.has_part(&below.tokens)
                && collector.enter(&below.tokens, line.page).is_some()
            {
                used += below.words;
            }
        }
        if let Some(price) = known.margin.price(line).filter(|_| used > 0) {
            collector.state(price);
        }
        // "2. [6] What is a semaphore?" repeats the question with its marks.
        if used > 0
            && rest.is_empty()
            && let Some(note) = marks::at_start(&texts[used..]).filter(|note| note.bracketed)
            && let Some(number) = collector.path.first()
            && known.asked.asks(number.value, &texts[used + note.words..].join(" "))
        {
            used += note.words;
        }
        // "Q11 is out of 4: movement along the curve …"
        if used > 0
            && rest.is_empty()
            && let Some((total, words)) = marks::out_of_at_start(&texts[used..])
        {
            collector.state(total);
            used += words;
        }
        if used > 0
            && rest.is_empty()
            && let Some(total) = marks::alone(&texts[used..]).or_else(|| most_by_grade(&texts[used..]))
        {
            collector.state(total);
            continue;
        }
        let end = if used + priced[index] <= line.words.len() {
            line.words.len() - priced[index]
        } else {
            line.words.len()
        };
        let edge = edges.get(&line.page).copied().unwrap_or(line.place.x1);
        // Short answers to several parts may stand on one line: "1. iron 2. zinc".
        while let Some((at, label)) = collector.next_inside(&texts[..end], used, (outline, announced)) {
            let answer = lead_with(&rest, &flow::join(&line.words[used..at]));
            let piece = EntryLine { answer, indent: line.words[used].place.x0, ..EntryLine::default() };
            collector.add(line, piece);
            rest = collector.enter(&label.tokens, line.page).unwrap_or_default();
            used = at + label.words;
            in_rows = true;
        }
        // What a mark is for stands beside the solution: "x = 4    1 : answer".
        let row = rubric::begins_at(&line.words[used..end]).map(|at| used + at);
        if let Some(at) = row {
            let solution = entry_line(line, (used, at), &rest, edge);
            collector.add(line, EntryLine { marks: String::new(), ..solution });
            (used, rest) = (at, String::new());
        }
        let mut piece = entry_line(line, (used, end), &rest, edge);
        // What stands in the column of marks is said already.
        if lettered >= 2 && piece.marks.is_empty() {
            (piece.answer, piece.marks) = split_lettered(&piece.answer);
        } else if graded >= 2 && piece.marks.is_empty() {
            (piece.answer, piece.marks) = split_graded(&piece.answer);
        }
        collector.add(line, piece);
    }
    collector.scheme
}

/// What the scheme's own numbering makes of each line that begins with a number the paper has.
fn numbers(lines: &[Line<'_>], known: &Known, outline: Outline, key_rows: &KeyRows) -> HashMap<usize, Token> {
    // Where the paper counts from 1 more than once, the scheme may do so anywhere.
    let section = vec![known.counts_again(); lines.len()];
    let heads_part = |line: &Line<'_>| {
        known.has_parts_over_numbers && labels::parse_lettered_part(&line.texts()).is_some()
    };
    let evidence = Evidence {
        marks: vec![false; lines.len()],
        section,
        over: lines.iter().map(|line| known.is_section(&line.texts())).collect(),
        numbers_only: true,
        outline: Some(outline),
        parts: lines.iter().map(heads_part).collect(),
        parts_over_numbers: true,
        tabled: (0..lines.len()).map(|line| key_rows.lines.contains(&line)).collect(),
        answered: key_rows.answered,
        ..Evidence::default()
    };
    let placed = numbering::number(lines, &evidence);
    let own = placed.iter().filter(|label| label.word == 0 && label.path[0].value <= known.last);
    own.filter_map(|label| Some((label.line, *label.path.last()?))).collect()
}

/// The words of a line from one to another as an answer, and those after them as its marks.
fn entry_line(line: &Line<'_>, (from, to): (usize, usize), lead: &str, edge: f32) -> EntryLine {
    let words: Vec<&Word> = line.words[..to].iter().skip(from).collect();
    let earned = &line.words[to..];
    let after_product = earned.iter().position(|word| word.text == "=").map_or(0, |sign| sign + 1);
    let all: Vec<&str> = earned.iter().map(|word| word.text.as_str()).collect();
    let code = tally::total(&all.concat()).map(|_| all.join(" "));
    let first = || earned.get(after_product).map_or_else(String::new, |word| word.text.clone());
    EntryLine {
        answer: lead_with(lead, &flow::join(&line.words[from..to])),
        marks: code.unwrap_or_else(first),
        strong: strong(&words),
        is_strong: all_strong(&words),
        indent: words.first().map_or(line.place.x0, |word| word.place.x0),
        free: edge - words.last().map_or(line.place.x1, |word| word.place.x1),
        first: words.first().map_or(0.0, |word| word.place.width()),
        ..EntryLine::default()
    }
}

/// True for a word that closes the bracket which the line above it leaves open: "[0 ;" over "2]."
fn closes(word: &str, above: &[&str]) -> bool {
    let brackets = [('(', ')'), ('[', ']')];
    brackets.into_iter().any(|(open, close)| {
        let count = |sign: char| above.iter().map(|word| word.matches(sign).count()).sum::<usize>();
        let begins = word.find(close).is_some_and(|at| !word[..at].contains(open));
        begins && count(open) > count(close)
    })
}

/// True when a label at the beginning of a line may be believed; `number` is what the scheme's own numbering
/// makes of the line.
fn is_trusted(label: &Label, collector: &Collector<'_>, number: Option<&Token>) -> bool {
    let first = label.tokens[0];
    let numbered = matches!(first.kind, Kind::Number | Kind::Inner);
    let inner = || first.kind == Kind::Inner && collector.is_next_leaf(&label.tokens);
    let next = is_next(label, collector) || collector.path.contains(&first) || inner();
    match label.style {
        Style::Keyword => true,
        Style::Brackets if first.kind == Kind::Inner => true,
        _ if numbered && next && label.tokens.len() > 1 => true,
        _ if numbered => number.is_some_and(|own| own.value == first.value),
        _ => true,
    }
}

/// The label of "[2] Problem 3. Find the speed" and of "(3 pts) (b) Find it", its marks counted among its words.
fn after_marks(texts: &[&str], collector: &Collector<'_>, known: &Known) -> Option<Label> {
    let lead = marks::at_start(texts).filter(|note| note.bracketed)?.words;
    let label = labels::parse(&texts[lead..])?;
    // "(1)" may be the mark of a point that begins with a letter: only a unit tells.
    let has_unit = texts[..lead].iter().any(|word| word.contains(char::is_alphabetic));
    let comes = match label.tokens[0].kind {
        Kind::Number => label.style != Style::Bare && is_next(&label, collector),
        _ => label.style != Style::Dot && collector.has_part(&label.tokens),
    };
    // "[4] (a) Write the matrix": the question is repeated with the marks before its label.
    let number = match label.tokens[0].kind {
        Kind::Number => Some(label.tokens[0].value),
        _ => collector.path.first().map(|number| number.value),
    };
    let asked = texts[lead + label.words..].join(" ");
    let plain = known.outline.inner == Inner::None;
    let repeats = || plain && number.is_some_and(|number| known.asked.asks(number, &asked));
    let is_label = label.style == Style::Keyword || comes && (has_unit || repeats());
    is_label.then(|| Label { words: label.words + lead, ..label })
}

/// The label of a part behind the word that begins a solution, that word counted among its own.
fn solved_part(texts: &[&str], known: &Known) -> Option<Label> {
    let (first, rest) = texts.split_first()?;
    let lead = first.trim_end_matches(['.', ':']).to_lowercase();
    let capital = || known.has_capital_parts.then(|| labels::parse_capital_part(rest)).flatten();
    let bracketed = || labels::parse(rest).filter(|label| label.style == Style::Brackets);
    let label = capital().or_else(bracketed).filter(|label| label.tokens[0].kind == Kind::Letter)?;
    lexicon::is(Concept::SolutionLead, &lead).then(|| Label { words: label.words + 1, ..label })
}

/// True where most of the paper's questions are answered behind their numbers in brackets, "(31) …", and hardly any
/// number is printed in another way.
fn counts_in_brackets(lines: &[Line<'_>], known: &Known) -> bool {
    const LEAST: usize = 3;
    let (mut next, mut own, mut others) = (1, 0, 0);
    for line in lines {
        let Some(label) = labels::parse(&line.texts()) else { continue };
        let [only] = label.tokens[..] else { continue };
        if only.kind != Kind::Number || label.words == line.words.len() {
            continue;
        }
        match label.style {
            Style::Brackets if only.value >= next && line.words[0].text.starts_with('(') => {
                (next, own) = (only.value + 1, own + 1);
            }
            Style::Dot | Style::Close | Style::Keyword => others += 1,
            _ => {}
        }
    }
    let questions = known.order.iter().flatten().filter(|leaf| leaf.len() == 1).count();
    questions >= LEAST && own >= LEAST && own * 2 > questions && others * 2 < own
}

/// True where a word announces the questions, so that "(2)" counts something else.
fn announces_questions(lines: &[Line<'_>], known: &Known) -> bool {
    const LEAST: usize = 2;
    let number = |line: &Line<'_>| {
        let texts = line.texts();
        let own = labels::parse(&texts).filter(|label| label.style == Style::Keyword);
        // "Solution to Question 2"
        let label = own.or_else(|| announced::label(&texts))?;
        known.has(&label.tokens[..1]).then(|| label.tokens[0].value)
    };
    let numbers: HashSet<u32> = lines.iter().filter_map(number).collect();
    numbers.len() >= LEAST
}

/// True for the label of a question a few behind the current one.
fn is_soon(label: &Label, collector: &Collector<'_>) -> bool {
    const REACH: u32 = 10;
    let current = collector.path.first().map_or(0, |number| number.value);
    label.tokens[0].kind == Kind::Number && (current + 1..=current + REACH).contains(&label.tokens[0].value)
}

/// True for the label of the question after the current one.
fn is_next(label: &Label, collector: &Collector<'_>) -> bool {
    let current = collector.path.first().map_or(0, |number| number.value);
    label.tokens[0] == Token::new(Kind::Number, current + 1)
}

/// For each page, how far to the right its text runs, or could run where all lines are short.
fn right_edges(lines: &[Line<'_>], priced: &[usize], document: &Document) -> HashMap<u32, f32> {
    const SHORT: f32 = 0.7;
    const USUAL: f32 = 0.85;
    let end = |(line, marks): (&Line<'_>, &usize)| {
        let said = line.words.len().checked_sub(*marks).and_then(|end| line.words[..end].last());
        (line.page, said.map_or(line.place.x1, |word| word.place.x1))
    };
    let mut edges: HashMap<u32, f32> = HashMap::new();
    for (page, end) in lines.iter().zip(priced).map(end) {
        let farthest = edges.entry(page).or_default();
        *farthest = farthest.max(end);
    }
    let usual = |page: &Page| {
        let farthest = edges.get(&page.number).copied().filter(|edge| *edge > SHORT * page.width);
        (page.number, farthest.unwrap_or(USUAL * page.width))
    };
    document.pages.iter().map(usual).collect()
}

/// Marks set beside a solution belong to it, so such a page is read by height, not by column.
fn order_by_height(lines: &mut [Line<'_>], document: &Document) {
    for page in &document.pages {
        let start = lines.partition_point(|line| line.page < page.number);
        let end = lines.partition_point(|line| line.page <= page.number);
        let own = &mut lines[start..end];
        let middle = page.width / 2.0;
        if !has_labels_on_right(own, middle) {
            own.sort_by(|a, b| a.place.centre().1.total_cmp(&b.place.centre().1));
            labels_first(own);
            boxes_after(own, middle);
        }
    }
}

/// True when the right half of a page counts parts of its own, or announces questions as its left half does.
fn has_labels_on_right(lines: &[Line<'_>], middle: f32) -> bool {
    let labelled = |on_right: bool, counts: fn(&Label) -> bool| {
        lines.iter().any(|line| {
            (line.place.x0 > middle) == on_right
                && labels::parse(&line.texts()).is_some_and(|label| counts(&label))
        })
    };
    let counts_part = |label: &Label| {
        matches!(label.style, Style::Brackets | Style::Keyword) && label.tokens[0].kind != Kind::Number
    };
    let announces = |label: &Label| label.style == Style::Keyword && label.tokens[0].kind == Kind::Number;
    let headed = |on_right: bool| {
        let heads = |line: &Line<'_>| (line.place.x0 > middle) == on_right && is_section_heading(line);
        lines.iter().any(heads)
    };
    labelled(true, counts_part)
        || (labelled(true, announces) && labelled(false, announces))
        || (headed(true) && headed(false))
        || counts_on(lines, middle)
}

/// True when plain numbers count down the left half of a page and on down its right half.
fn counts_on(lines: &[Line<'_>], middle: f32) -> bool {
    const LEAST: usize = 2;
    let number = |line: &Line<'_>| {
        let label = labels::parse(&line.texts())?;
        let closed = matches!(label.style, Style::Dot | Style::Close);
        let [only] = label.tokens[..] else { return None };
        (closed && only.kind == Kind::Number).then_some((line.place.x0 > middle, only.value))
    };
    let (right, left): (Vec<_>, Vec<_>) =
        lines.iter().filter_map(number).partition(|(on_right, _)| *on_right);
    let both: Vec<u32> = left.iter().chain(&right).map(|(_, value)| *value).collect();
    left.len().min(right.len()) >= LEAST && both.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

/// A fraction or a mark beside a label reaches above the label's own line, and still belongs to it.
fn labels_first(lines: &mut [Line<'_>]) {
    const REACH: f32 = 17.0;
    for index in 1..lines.len() {
        let label = labels::parse(&lines[index].texts());
        if !label.is_some_and(|label| label.style == Style::Brackets && label.tokens[0].kind != Kind::Number)
        {
            continue;
        }
        let own = lines[index].place;
        // A line of text that ends above the label ends the answer before it.
        let speaks = |line: &Line<'_>| {
            line.words.iter().any(|word| word.text.chars().filter(|c| c.is_alphabetic()).count() > 2)
        };
        let beside = |line: &Line<'_>| {
            line.place.x0 > own.x0 + 12.0
                && own.centre().1 - line.place.centre().1 < REACH
                && !(speaks(line) && line.place.y1 <= own.y0 + 1.0)
                && !blank_names::is_letter(line)
        };
        let above = lines[..index].iter().rev().take_while(|line| beside(line)).count();
        lines[index - above..=index].rotate_right(1);
    }
}

/// The box for an answer at the right edge reaches above the heading of its question: "Answer: 4" over "Question 3".
fn boxes_after(lines: &mut [Line<'_>], middle: f32) {
    const REACH: f32 = 24.0;
    for index in 1..lines.len() {
        let label = labels::parse(&lines[index].texts());
        if label.is_none_or(|label| label.style != Style::Keyword) {
            continue;
        }
        let (above, own) = (&lines[index - 1], lines[index].place);
        let first = above.words[0].text.to_lowercase();
        let answers = lexicon::is(Concept::AnswerLead, first.trim_end_matches([':', '.']));
        let near = own.centre().1 - above.place.centre().1 < REACH;
        if answers && near && above.place.x0 > middle && above.words.len() > 1 {
            lines[index - 1..=index].rotate_right(1);
        }
    }
}
