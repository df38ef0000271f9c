//! Places where a label may stand, and what their print and place say for it.

use super::outline::{self, Inner};
use super::{Evidence, counted, edges, lists, margins, parts, running_text};
use crate::flow::Line;
use crate::labels::{self, Kind, Label, Style};
use crate::marks::{self, Certainty};
use crate::rules::Rule;
use lexicon::Concept;

/// A place where a label may stand.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Index of its line.
    pub(super) line: usize,
    /// Index of its first word within the line.
    pub(super) word: usize,
    /// True when nothing but marks stands before it on its line.
    pub(super) begins_line: bool,
    /// True when text follows it on its line.
    pub(super) has_text: bool,
    /// True when a word that asks announces it: "Question 2".
    pub(super) asks: bool,
    /// True when it begins its line and what follows it says what to do: "1. Name …", "2. From the table, find …".
    pub(super) commands: bool,
    /// How it reads.
    pub(super) label: Label,
    /// What its print and place say, before its neighbours are known.
    pub(super) quality: f32,
    pub(super) x: f32,
    pub(super) odd_page: bool,
    /// The candidate right before it, where both are items of one list that began with its first letter.
    pub(super) after: Option<usize>,
}

/// Documents with more candidates are not searched to the end.
const MAX_CANDIDATES: usize = 20_000;

/// Every place where a label may stand, read in the way that the document counts.
pub(super) fn candidates(lines: &[Line<'_>], evidence: &Evidence) -> Vec<Candidate> {
    let mut margins = margins::left(lines);
    if evidence.numbers_only {
        margins::move_to_numbers(&mut margins, lines);
    }
    margins::move_past_blanks(&mut margins, lines, evidence);
    let mut found = plain(lines, &margins, evidence);
    parts::without_sections(&mut found, lines);
    let is_in = |rows: &[bool], line: usize| rows.get(line).copied().unwrap_or(false);
    found.retain(|own| !is_in(&evidence.over, own.line) && !is_in(&evidence.tabled, own.line));
    doubt(&mut found, lines, evidence);
    edges::doubt(&mut found, lines);
    lists::list_rows(&mut found);
    lists::doubt_names(&mut found);
    lists::without_matched(&mut found, lines, &evidence.marks);
    lists::without_notes(&mut found, &evidence.marks);
    counted::lower_asking(&mut found, lines);
    let capitals = capitals(lines, &margins);
    let outline = evidence.outline.unwrap_or_else(|| outline::find(&found, &capitals, evidence));
    if outline.inner != Inner::None {
        let closed = lists::has_closed_inner(&found, outline);
        let first = parts::questions_before_heads(&found, outline, evidence);
        for candidate in found.iter_mut().filter(|candidate| candidate.line >= first) {
            let texts = lines[candidate.line].texts();
            let own = outline.lowered(candidate.label.clone(), &texts[candidate.word..]);
            let placed = outline.place(own);
            // Bare numbers beside "1." and "2." are those of a program's lines, or of a matrix.
            let boxed = placed.style == Style::Path && placed.tokens.len() == 1;
            let bare = boxed || placed.style == Style::Bare;
            if placed.tokens[0].kind == Kind::Inner && !(closed && bare) {
                candidate.quality = candidate.quality.max(INNER_QUALITY);
            } else if placed.tokens[0].kind == Kind::Inner {
                candidate.quality += if boxed { Rule::Unannounced } else { Rule::OtherPrint }.weight();
            }
            candidate.label = outline.extend(placed, &texts[candidate.word..]);
        }
    }
    if outline.inner == Inner::None {
        lists::unannounced(&mut found);
    }
    let bracketed = parts::in_bracketed_capitals(lines, &margins, &found, &evidence.marks);
    if !bracketed.is_empty() {
        found.extend(bracketed);
        found.sort_by_key(|candidate| (candidate.line, candidate.word));
    }
    if !outline.roman {
        found.extend(parts::in_capitals(lines, &margins, &found, &evidence.marks));
        found.sort_by_key(|candidate| (candidate.line, candidate.word));
    }
    if outline.roman {
        found.retain(|candidate| candidate.label.tokens[0].kind != Kind::Number);
        found.extend(capitals);
        found.sort_by_key(|candidate| (candidate.line, candidate.word));
    }
    lists::link_lists(&mut found, lines);
    lists::doubt_lists(&mut found, evidence);
    found
}

/// Takes trust from numbers among the instructions and from rows of an answer sheet.
fn doubt(found: &mut [Candidate], lines: &[Line<'_>], evidence: &Evidence) {
    let is_counted = |candidate: &Candidate| {
        candidate.begins_line
            && candidate.label.tokens.len() == 1
            && candidate.label.tokens[0].kind == Kind::Number
    };
    let is_number = |candidate: &Candidate| is_counted(candidate) && candidate.label.style != Style::Keyword;
    // What is asked may be a picture.
    let pictured = |candidate: &Candidate| evidence.pictured.get(candidate.line).copied().unwrap_or(false);
    let empty = |candidate: &Candidate| is_number(candidate) && !candidate.has_text && !pictured(candidate);
    let rows: Vec<bool> = (0..found.len())
        .map(|index| {
            let next = |one: usize, other: usize| {
                let pair = found.get(one).zip(found.get(other)).filter(|(a, b)| empty(a) && empty(b));
                pair.is_some_and(|(a, b)| {
                    b.label.tokens[0].value == a.label.tokens[0].value + 1
                        && b.line == a.line + 1
                        && lines[a.line].page == lines[b.line].page
                })
            };
            next(index, index + 1) || index.checked_sub(1).is_some_and(|before| next(before, index))
        })
        .collect();
    for (candidate, row) in found.iter_mut().zip(rows) {
        let instructed = evidence.instructions.get(candidate.line).copied().unwrap_or(false);
        candidate.quality += if row { Rule::EmptyRow.weight() } else { 0.0 };
        if instructed && is_counted(candidate) {
            candidate.quality += Rule::InsideInstructions.weight();
        }
        // Topics to choose from are set as a list, away from the margin.
        let closed = matches!(candidate.label.style, Style::Dot | Style::Close);
        if closed && is_number(candidate) && is_offered(candidate.line, evidence) {
            candidate.quality = candidate.quality.max(INNER_QUALITY);
        }
    }
}

/// True below a line that offers topics to choose from, within its section.
fn is_offered(line: usize, evidence: &Evidence) -> bool {
    let heads = |line: &usize| evidence.section.get(*line).copied().unwrap_or(false);
    let offer = evidence.offers.iter().rev().find(|offer| **offer < line);
    offer.is_some_and(|offer| !(offer + 1..=line).any(|line| heads(&line)))
}

/// What speaks at least for the number of a part, in a document that counts so.
const INNER_QUALITY: f32 = 1.0;
/// What speaks for a capital numeral at the margin, in a document that counts so.
const CAPITAL_QUALITY: f32 = 1.5;
/// How far from the margin, in points, a capital numeral may stand.
const CAPITAL_OFFSET: f32 = 8.0;

/// Lines that begin with a capital Roman numeral at the margin.
fn capitals(lines: &[Line<'_>], margins: &[f32]) -> Vec<Candidate> {
    let read = |(index, line): (usize, &Line<'_>)| {
        let label = labels::parse_capital(&line.texts())?;
        let own = &line.words[0];
        let x = own.place.x0 - margins[index];
        // "I" is a word as well: alone, or before a gap, it is none.
        let gap = line
            .words
            .get(label.words)
            .map(|next| (next.place.x0 - line.words[label.words - 1].place.x1) / own.size.max(1.0));
        let apart = label.style != Style::Bare || label.words > 1 || gap.is_none_or(|gap| gap >= BARE_GAP);
        let at_margin = x <= CAPITAL_OFFSET;
        (apart && at_margin).then_some(Candidate {
            line: index,
            word: 0,
            begins_line: true,
            asks: false,
            commands: false,
            has_text: line.words.len() > label.words,
            label,
            quality: CAPITAL_QUALITY,
            x,
            odd_page: line.page % 2 == 1,
            after: None,
        })
    };
    lines.iter().enumerate().filter_map(read).collect()
}

/// Every place where a label that is no capital numeral may stand.
fn plain(lines: &[Line<'_>], margins: &[f32], evidence: &Evidence) -> Vec<Candidate> {
    let (leads, parts, parts_over) = (&evidence.leads, &evidence.parts, evidence.parts_over_numbers);
    let body = body_size(lines);
    let mut found = Vec::new();
    // "0 1" somewhere: digits of labels stand in boxes.
    let zero = |line: &Line<'_>| line.words[0].text == "0" && labels::boxed::digits(&line.texts()).is_some();
    let boxed = lines.iter().any(zero);
    let running = running_text::parts(lines);
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        if lists::names_columns(&texts) {
            continue;
        }
        let series = series(&texts);
        let lead = leads.get(index).copied().unwrap_or(0);
        let mut word = lead;
        while word < texts.len() && found.len() < MAX_CANDIDATES {
            let whole = if boxed && word == lead { labels::boxed::pair(&texts) } else { None };
            let heads_part = word == lead && parts.get(index).copied().unwrap_or(false);
            let named = if heads_part { labels::parse_lettered_part(&texts[word..]) } else { None };
            let named = named.map(|label| if parts_over { label.over_numbers() } else { label });
            let is_named = named.is_some();
            let parsed = named.or_else(|| labels::parse(&texts[word..]));
            let deeper = parsed.as_ref().is_some_and(|label| label.tokens.len() > 1);
            let Some(label) = whole.filter(|_| !deeper).or(parsed) else {
                word += 1;
                continue;
            };
            // "☐ a) iron" is a box to tick.
            let boxed_letter = label.tokens[0].kind == Kind::Letter
                && word.checked_sub(1).is_some_and(|before| crate::paper::BOXES.contains(&texts[before]));
            if boxed_letter {
                word += 1;
                continue;
            }
            let used = label.words;
            let begins_line = word == lead;
            let quality = if is_named {
                Some(PART_QUALITY)
            } else if running.binary_search(&(index, word)).is_ok() {
                Some(RUNNING_QUALITY)
            } else if !begins_line && series.contains(&word) {
                Some(SERIES_QUALITY)
            } else if begins_line {
                // Marks before a label stand at the margin in its stead.
                let margin = margins[index] + line.words[word].place.x0 - line.place.x0;
                Some(quality(line, word, &label, margin, body))
            } else if goes_deeper(found.last(), index, word, &label)
                || stands_beside(found.last(), index, &label)
            {
                Some(print_quality(&label))
            } else {
                inline_quality(line, word, &label)
            };
            if let Some(quality) = quality {
                let x = line.words[word].place.x0 - margins[index];
                let odd_page = line.page % 2 == 1;
                let has_text = line.words.len() > word + used;
                found.push(Candidate {
                    line: index,
                    word,
                    begins_line,
                    has_text,
                    asks: outline::asks(&texts[word..]),
                    commands: begins_line && commands(&texts[word + used..]),
                    label,
                    quality,
                    x,
                    odd_page,
                    after: None,
                });
            }
            // "1 (c)" inside a line may be an option's text before the next option.
            word += if quality.is_some() { used } else { 1 };
        }
    }
    let is_part = |candidate: &Candidate| {
        let mut levels = candidate.label.tokens.iter();
        levels.any(|token| matches!(token.kind, Kind::Letter | Kind::Roman))
    };
    if !found.iter().any(is_part) {
        found.extend(bare_levels(lines, margins));
        found.sort_by_key(|candidate| (candidate.line, candidate.word));
    }
    found
}

/// What speaks for "Part A", in a document that counts so within its questions.
const PART_QUALITY: f32 = 2.5;

/// True for words that say what to do, perhaps behind what to do it with.
fn commands(texts: &[&str]) -> bool {
    const WITHIN: usize = 10;
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    texts.iter().take(WITHIN).map(bare).any(|word| lexicon::is(Concept::Command, &word))
}

/// "1.1  1.1.1": a part and the first of its own parts on one line.
fn goes_deeper(before: Option<&Candidate>, line: usize, word: usize, label: &Label) -> bool {
    before.is_some_and(|before| {
        before.line == line
            && before.word + before.label.words == word
            && label.tokens.len() > before.label.tokens.len()
            && label.tokens.starts_with(&before.label.tokens)
    })
}

/// "Question 4   Question 5": the heads of two columns that were read as one line.
fn stands_beside(before: Option<&Candidate>, line: usize, label: &Label) -> bool {
    before.is_some_and(|before| {
        before.line == line
            && before.label.style == Style::Keyword
            && label.style == Style::Keyword
            && label.tokens[0].value > before.label.tokens[0].value
    })
}

/// White around a letter, in sizes of its type, that makes a label of it.
const BARE_GAP: f32 = 0.7;
/// What speaks for a bare letter, in a document that has no other labels of parts.
const BARE_QUALITY: f32 = 0.5;

/// Letters and numerals that nothing closes, each in a column of its own: "1   a   Find x", "ii   State its unit".
fn bare_levels(lines: &[Line<'_>], margins: &[f32]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let gap_after = |word: usize| {
            let (own, next) = (line.words.get(word)?, line.words.get(word + 1)?);
            Some((next.place.x0 - own.place.x1) / own.size.max(1.0)).filter(|gap| *gap >= BARE_GAP)
        };
        let numbered = labels::parse(&line.texts()).is_some_and(|label| label.words == 1 && !label.glued);
        let mut word = usize::from(numbered && gap_after(0).is_some());
        while gap_after(word).is_some()
            && let Some(token) = labels::bare_level(&line.words[word].text)
        {
            let label = Label { tokens: vec![token], style: Style::Bare, words: 1, glued: false };
            let x = line.words[word].place.x0 - margins[index];
            let odd_page = line.page % 2 == 1;
            let (begins_line, has_text, quality) = (word == 0, true, BARE_QUALITY);
            found.push(Candidate {
                line: index,
                word,
                begins_line,
                has_text,
                asks: false,
                commands: false,
                label,
                quality,
                x,
                odd_page,
                after: None,
            });
            word += 1;
        }
    }
    // One letter may stand anywhere; a series is a way to number.
    let has = |value: u32| {
        found.iter().any(|candidate| candidate.label.tokens[0] == labels::Token::new(Kind::Letter, value))
    };
    if has(1) && has(2) { found } else { Vec::new() }
}

/// What speaks for letters that count what a sentence asks for.
const RUNNING_QUALITY: f32 = 0.4;
/// What speaks for a label inside a line that goes on with the series the line began.
const SERIES_QUALITY: f32 = 0.6;

/// Where the labels of a series stand on one line: "(a) iron (b) zinc (c) tin", "c) gold d) lead". A series
/// has three labels, or two of which the first begins the line.
fn series(texts: &[&str]) -> Vec<usize> {
    let mut run: Vec<(usize, labels::Token)> = Vec::new();
    for word in 0..texts.len() {
        let one = labels::parse(&texts[word..=word])
            .filter(|label| !label.glued && label.tokens.len() == 1 && label.tokens[0].kind != Kind::Number);
        let Some(token) = one.map(|label| label.tokens[0]) else { continue };
        let next = run.last().and_then(|(at, last)| {
            let follows = |token: labels::Token| token.kind == last.kind && token.value == last.value + 1;
            let read_as =
                [Some(token), token.as_letter()].into_iter().flatten().find(|token| follows(*token));
            read_as.filter(|_| word > at + 1)
        });
        match next {
            Some(token) => run.push((word, token)),
            None if run.len() >= 2 => break,
            None => run = vec![(word, token)],
        }
    }
    // "1. (a) State it. (b) Name it." begins with the first of them as well.
    let label = labels::parse(texts).filter(|label| label.tokens.len() > 1 && !label.glued);
    let first = label.map_or(0, |label| label.words - 1);
    let begins_line = run.first().is_some_and(|(word, _)| *word == 0 || *word == first);
    // "Work out a) 3 · 4 (1) b) 7 · 8 (1)": so does a pair of which the first prints its marks.
    let priced = run.len() == 2
        && marks::at_end(&texts[..run[1].0])
            .is_some_and(|note| note.bracketed && note.certainty > Certainty::ByPlace);
    let enough = priced || run.len() >= if begins_line { 2 } else { 3 };
    if enough { run.into_iter().map(|(word, _)| word).collect() } else { Vec::new() }
}

fn body_size(lines: &[Line<'_>]) -> f32 {
    let mut sizes: Vec<f32> = lines.iter().flat_map(|line| line.words).map(|word| word.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
}

/// What the print of a label says for it.
fn print_quality(label: &Label) -> f32 {
    match (label.style, label.tokens[0].kind) {
        (Style::Keyword, _) => 3.0,
        (Style::Path, _) => 1.2,
        (Style::Brackets, Kind::Number) => -0.8,
        (Style::Brackets, _) => 1.0,
        (Style::Close, _) => 0.8,
        (Style::Dot, Kind::Number) => 1.0,
        (Style::Dot, _) => 0.1,
        (Style::Bare, _) => 0.7,
    }
}

/// What the print and place of a label at the beginning of a line say for it.
fn quality(line: &Line<'_>, word: usize, label: &Label, margin: f32, body: f32) -> f32 {
    let first = &line.words[word];
    let kind = label.tokens[0].kind;
    let mut quality = print_quality(label);
    if first.size < 0.75 * body {
        quality -= 1.0;
    }
    let alone = line.words.len() == word + label.words;
    if label.style == Style::Keyword {
        // A sentence that begins "Question 3 asks" is no heading.
        let sentence =
            line.words.get(word + label.words).is_some_and(|next| next.text.starts_with(char::is_lowercase));
        // So is "question 4.2" in small letters.
        let small = first.text.len() > 2 && first.text.starts_with(char::is_lowercase);
        return if sentence || small { quality - 3.0 } else { quality };
    }
    if kind == Kind::Number {
        let offset = (first.place.x0 - margin).max(0.0);
        // "1.1.2" is indented as its levels ask, and its digits say enough.
        let most = if label.tokens.len() > 1 && label.style == Style::Path { 0.2 } else { 3.0 };
        quality += if offset <= 6.0 { 0.5 } else { -(offset / 12.0).min(most) };
        quality += if first.bold { 0.4 } else { 0.0 };
        quality -= if alone && label.style == Style::Bare { 0.6 } else { 0.0 };
    }
    quality
}

/// Inside a line only a bracketed level can be a label, and not where it is spoken about.
fn inline_quality(line: &Line<'_>, word: usize, label: &Label) -> Option<f32> {
    // "b) (2 points) Give an example": its marks say that it is one.
    let after: Vec<&str> = line.words[word + label.words..].iter().map(|word| word.text.as_str()).collect();
    let marked = marks::at_start(&after).is_some_and(|note| note.certainty == Certainty::Sure);
    let closed = label.style == Style::Brackets || (label.style == Style::Close && marked);
    if !closed || label.glued || label.tokens[0].kind == Kind::Number {
        return None;
    }
    let before = line.words[word - 1].text.to_lowercase();
    let spoken_of = lexicon::is(Concept::SpokenOf, before.trim_end_matches(','));
    // "f (x)" and "sin (a)" are formulae: a label has a gap of its own before it.
    let gap = line.words[word].place.x0 - line.words[word - 1].place.x1;
    let formula = before.chars().count() <= 1 && gap < line.words[word].size;
    let wide = gap > 1.2 * line.words[word].size;
    let place = if marked {
        0.0
    } else if wide {
        -0.5
    } else {
        -1.1
    };
    (!spoken_of && !formula).then(|| print_quality(label) + place)
}
