//! The options of a multiple choice question: under each other, side by side, or as lettered parts.

mod down;

use super::segment::Segment;
use super::{portions, spread};
use crate::blanks;
use crate::flow::Line;
use crate::labels::{Kind, Token};
use crate::marks::{self, Certainty};
use domain::marks::Marks;
use domain::question::Choice;
use lexicon::Concept;
use lexicon::english::papers;
use reader::page::Word;

/// Options found in a segment, and where the first begins: (line, word).
pub(super) struct Found {
    pub(super) options: Vec<Choice>,
    pub(super) from: (usize, usize),
}

/// Fewer labels in a row are no set of options.
const LEAST: usize = 3;
/// No question offers more.
const MOST: usize = 10;
/// White to write into, in sizes of type.
const GAP_TO_FILL: f32 = 3.0;
/// Fewer statements are no rows of one answer.
const LEAST_ROWS: usize = 2;
/// More small letters in a row are parts.
const MOST_LETTERED: usize = 5;

/// Finds `A … B … C … D` in a segment, or `(1) … (2) … (3) … (4)`.
pub(super) fn find(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    lettered_run(segment, lines)
        .or_else(|| boxed_run(segment, lines))
        .or_else(|| down::lettered(segment, lines))
        .or_else(|| numbered_run(segment, lines))
        .or_else(|| down::numbered(segment, lines))
}

/// Boxes to tick, before the letters of options.
pub(crate) const BOXES: [&str; 8] = ["☐", "□", "❑", "❏", "▢", "◻", "○", "◯"];

/// `☐ a) … ☐ b) … ☐ c) …`: boxes to tick, each before a letter.
fn boxed_run(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    let words: Vec<(usize, usize, &Word)> = segment.words_without_marks(lines).collect();
    let text = |index: usize| words.get(index).map_or("", |(_, _, word)| word.text.as_str());
    let letter = |index: usize| {
        let own = BOXES.contains(&text(index)).then(|| text(index + 1).trim_matches(['(', ')', '.', ':']))?;
        own.parse::<char>().ok().filter(char::is_ascii_alphabetic)
    };
    let boxes: Vec<(usize, char)> =
        (0..words.len()).filter_map(|index| Some((index, letter(index)?))).collect();
    let counts =
        boxes.iter().zip('a'..).all(|((_, letter), expected)| letter.to_ascii_lowercase() == expected);
    if !(LEAST..=MOST).contains(&boxes.len()) || !counts {
        return None;
    }
    let option = |at: usize| {
        let (start, letter) = boxes[at];
        let end = boxes.get(at + 1).map_or_else(|| end_of_last(&words, start), |(next, _)| *next);
        let said = (start + 2..end).map(text).collect::<Vec<_>>().join(" ");
        Choice { label: letter.to_string(), text: said }
    };
    let (line, word, _) = words[boxes[0].0];
    Some(Found { options: (0..boxes.len()).map(option).collect(), from: (line, word) })
}

/// `(1) … (2) … (3) … (4)` at the end of a segment, three to five of them.
fn numbered_run(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    let words: Vec<(usize, usize, &Word)> = segment.words_without_marks(lines).collect();
    let number = |index: usize| words.get(index).and_then(|(_, _, word)| option_number(&word.text));
    let first = (0..words.len()).rev().find(|index| number(*index) == Some(1))?;
    let mut run = vec![first];
    for index in first + 1..words.len() {
        // An option says something.
        let apart = run.last().is_some_and(|last| index > last + 1);
        if number(index).is_some() && (number(index) != Some(run.len() + 1) || !apart) {
            return None;
        }
        if number(index).is_some() {
            run.push(index);
        }
    }
    // "I get up (1) ………… eight and take a (2) ………… bath": gaps to fill in.
    let leaves_gap = |start: &&usize| {
        let (line, _, own) = words[**start];
        let next = words.get(**start + 1).filter(|(next, _, _)| *next == line);
        next.is_none_or(|(_, _, next)| {
            next.place.x0 - own.place.x1 > GAP_TO_FILL * own.size || blanks::is_blank(&next.text)
        })
    };
    if run.iter().filter(leaves_gap).count() * 2 > run.len() {
        return None;
    }
    let fits = (LEAST..=MOST_LETTERED).contains(&run.len()) && is_set_out(&run, &words);
    let ends = run.iter().skip(1).copied().chain([words.len()]);
    let option = |(index, (start, end)): (usize, (&usize, usize))| Choice {
        label: (index + 1).to_string(),
        text: words[start + 1..end]
            .iter()
            .map(|(_, _, word)| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    };
    let options: Vec<Choice> = run.iter().zip(ends).enumerate().map(option).collect();
    let short = options.iter().all(|option| (1..=OPTION_WORDS_MAX).contains(&option.text.split(' ').count()));
    // "(1) Canal (b) Holds the water": two columns that are to be matched.
    let matched = words[first..].iter().any(|(_, _, word)| option_label(&word.text));
    let from = (words[first].0, words[first].1);
    (fits && short && first > 0 && !matched).then_some(Found { options, from })
}

/// A numbered option has no more words.
const OPTION_WORDS_MAX: usize = 25;

/// `(b)`
fn option_label(text: &str) -> bool {
    let letter = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    letter.is_some_and(|letter| letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// `(3)`
fn option_number(text: &str) -> Option<usize> {
    text.strip_prefix('(')?.strip_suffix(')')?.parse().ok().filter(|number| *number <= MOST_LETTERED)
}

fn lettered_run(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    let words: Vec<(usize, usize, &Word)> = segment.words_without_marks(lines).collect();
    let starts_option = |index: usize, expected: char| {
        let (line, at, word) = words[index];
        let gap = if at == 0 { f32::INFINITY } else { word.place.x0 - lines[line].words[at - 1].place.x1 };
        // "A." needs no white before it; a bare letter does.
        let closed = word.text.len() > 1;
        option_letter(&word.text) == Some(expected) && (closed || gap > 0.6 * word.size)
    };
    // The last full run wins: a figure's labels may come before the options.
    let firsts = (0..words.len()).rev().filter(|index| starts_option(*index, 'A'));
    let mut runs = firsts.map(|first| {
        let mut run = vec![first];
        for index in first + 1..words.len() {
            let expected = char::from(b'A' + run.len() as u8);
            if run.len() < MOST && starts_option(index, expected) {
                run.push(index);
            }
        }
        run
    });
    let run = runs.find(|run| run.len() >= LEAST && is_set_out(run, &words))?;
    let from = (words[run[0]].0, words[run[0]].1);
    let options = run.iter().enumerate().map(|(index, start)| {
        let end = run.get(index + 1).copied().unwrap_or_else(|| end_of_last(&words, *start));
        let mut text: Vec<&str> =
            words[start + 1..end].iter().map(|(_, _, word)| word.text.as_str()).collect();
        // The question's marks often stand at the end of its last option's line.
        let marks = marks::at_end(&text)
            .filter(|note| note.bracketed && note.certainty > Certainty::ByPlace && index + 1 == run.len());
        text.truncate(text.len() - marks.map_or(0, |note| note.words));
        Choice {
            label: option_letter(&words[*start].2.text).unwrap_or('?').to_string(),
            text: text.join(" "),
        }
    });
    let options: Vec<Choice> = options.collect();
    // A row of bare letters is a list or a figure, not a choice.
    options.iter().any(|option| !option.text.is_empty()).then_some(Found { options, from })
}

/// Options share a left edge or a line, or stand in a grid of both.
fn is_set_out(run: &[usize], words: &[(usize, usize, &Word)]) -> bool {
    run.windows(2).all(|pair| {
        let ((first_line, _, first), (next_line, _, next)) = (words[pair[0]], words[pair[1]]);
        let under = (first.place.x0 - next.place.x0).abs() < 6.0;
        let beside = first_line == next_line;
        let wraps = next.place.x0 < first.place.x0;
        let across = next.place.x0 > first.place.x0 + 30.0 && next.place.y0 < first.place.y0;
        under || beside || wraps || across
    })
}

fn end_of_last(words: &[(usize, usize, &Word)], start: usize) -> usize {
    let (first_line, _, label) = words[start];
    let mut bottom = label.place.y1;
    let mut goes_on = |(line, _, word): &(usize, usize, &Word)| {
        let near = word.place.y0 < bottom + 0.9 * label.size;
        let indented = *line == first_line || word.place.x0 > label.place.x0 + 3.0;
        bottom = bottom.max(word.place.y1);
        near && indented
    };
    start + 1 + words[start + 1..].iter().take_while(|word| goes_on(word)).count()
}

/// `A`, `A.`, `A)`, `(A)`
pub(super) fn option_letter(text: &str) -> Option<char> {
    let inner = text.trim_start_matches('(').trim_end_matches([')', '.', ':']);
    let mut letters = inner.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_uppercase() => Some(letter),
        _ => None,
    }
}

/// Options that are printed as lettered parts: (a) … (d) with a few words each and no marks.
pub(super) fn lettered(
    parent: &Segment,
    parts: &[&Segment],
    lines: &[Line<'_>],
    marked: bool,
) -> Option<Vec<Choice>> {
    let kind = parts.first()?.path.last()?.kind;
    let counted = parts.iter().enumerate().all(|(index, part)| {
        part.path.last() == Some(&Token::new(kind, index as u32 + 1))
            && part.path.len() == parent.path.len() + 1
    });
    let stem = parent.text(lines);
    // Small numerals count parts, unless the question says that one of them is to be chosen.
    let lettered = match kind {
        Kind::Letter => true,
        Kind::Roman => lexicon::says(Concept::AsksChoice, &stem.to_lowercase()).is_some(),
        _ => false,
    };
    if !(LEAST..=MOST_LETTERED).contains(&parts.len()) || !lettered || !counted || marked {
        return None;
    }
    let mut texts: Vec<String> = parts.iter().map(|part| first_lines(part, lines)).collect();
    part_last(&mut texts, kind);
    let judged = |text: &&String| ends_with_verdicts(text);
    let priced = || portions::of_stem(parent, lines, parts.len()).is_some();
    if texts.iter().filter(judged).count() * 2 > texts.len()
        || answers_each(parent, &stem, &texts)
        || priced()
    {
        return None;
    }
    // "Spring begins in ………": each is completed by itself.
    if parts.iter().all(|part| blanks::leaves_blank(&lines[part.from.0])) {
        return None;
    }
    let words: usize = texts.iter().map(|text| text.split(' ').count()).sum();
    let short = words <= 9 * texts.len();
    // "What is …? [1]" asks one thing, whatever its verb; "Find: (a) … (b) …" asks each part's.
    let lower = stem.to_lowercase();
    let points = |word: &str| papers::FOLLOWING.has(word) || lexicon::is(Concept::Following, word);
    let choosing = lexicon::says(Concept::AsksChoice, &lower).is_some();
    let spread = !choosing && lower.split(' ').any(points);
    // Parts that offer options of their own are none.
    let offered = || parts.iter().all(|part| find(part, lines).is_none());
    let chosen =
        (parent.is_choice || (choosing && kind == Kind::Letter && offered())) && words <= 15 * texts.len();
    // "A  12 points" heads all that stands below it.
    let headed =
        parent.path.last().is_some_and(|last| last.kind == Kind::Capital) && !stem.trim_end().ends_with('?');
    let asks_one = stem.trim_end().ends_with('?') || (parent.has_marks() && !spread);
    let last_sentence = stem.trim_end_matches(['.', ':', '?']).rsplit(['.', '?']).next().unwrap_or_default();
    let asks_each = is_command(last_sentence.trim()) && !asks_one && kind == Kind::Letter;
    let asks_parts = !short || asks_each || (texts.len() == LEAST && !asks_one);
    // A verb begins many an option: "produce heat". A word alone asks for nothing: "for".
    let commands = texts.iter().filter(|text| text.contains(' ') && is_command(text)).count();
    let asked = asks_parts || commands * 2 >= texts.len();
    // Whatever the paper says of its choices, whole commands below no question are tasks.
    let tasks = commands == texts.len()
        && words >= TASK_WORDS * texts.len()
        && !choosing
        && !stem.trim_end().ends_with('?');
    if ((asked || headed) && !chosen) || tasks || stem.is_empty() {
        return None;
    }
    let label = |index: usize| {
        let token = Token::new(kind, index as u32 + 1).display();
        token.trim_matches(['(', ')']).to_owned()
    };
    Some(texts.into_iter().enumerate().map(|(index, text)| Choice { label: label(index), text }).collect())
}

/// Fewer words on average may be an option, though they command.
const TASK_WORDS: usize = 6;

/// "Every tree is bipartite. TRUE FALSE": each is judged by itself.
fn ends_with_verdicts(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let verdict = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let letter = bare.parse().is_ok_and(|letter| papers::VERDICT_CAPITALS.contains(&letter));
        letter || lexicon::is(Concept::Verdict, &bare.to_lowercase())
    };
    words.len() > 3 && words.iter().rev().take(3).filter(|word| verdict(word)).count() >= 2
}

/// True for statements to judge that together earn less than half a mark each: rows of one answer and no parts.
pub(super) fn are_rows(parent: &Segment, parts: &[&Segment], lines: &[Line<'_>]) -> bool {
    let worth: Marks = parent.marks.iter().map(|found| found.marks).sum();
    let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let is_row = |part: &&Segment| part.marks.is_empty() && ends_with_verdicts(&first_lines(part, lines));
    let few = !worth.is_zero() && worth.as_halves() < count;
    parts.len() >= LEAST_ROWS && few && parts.iter().all(is_row)
}

/// Parts "(d) …" from the text of "(c) …", which it follows within a line.
fn part_last(texts: &mut Vec<String>, kind: Kind) {
    while texts.len() < MOST_LETTERED {
        let next = Token::new(kind, texts.len() as u32 + 1).display();
        let parted = texts.last().and_then(|last| last.split_once(&format!(" {next} ")));
        let Some((own, rest)) = parted.map(|(own, rest)| (own.to_owned(), rest.to_owned())) else { break };
        texts.pop();
        texts.extend([own, rest]);
    }
}

/// True where each of some lettered texts is answered by itself: all are to be judged true or false, each has its own
/// price, or room for a result behind its equals sign.
fn answers_each(parent: &Segment, stem: &str, texts: &[String]) -> bool {
    let count = |factor: u32| factor as usize == texts.len();
    let shared = parent.marks.iter().filter_map(|found| found.shared);
    let priced = shared.into_iter().any(|(one, other)| count(one) || count(other));
    let open = texts.iter().filter(|text| text.trim_end_matches(['_', '.', '…', ' ']).ends_with('=')).count();
    priced
        || spread::of_text(stem).is_some()
        || asks_verdicts(stem)
        || open * 2 > texts.len()
        || is_sentence_of_tasks(stem, texts)
}

/// "Calculate: (a) the speed of the block; (b) the force on it; (c) its work.": one sentence asks for all.
fn is_sentence_of_tasks(stem: &str, texts: &[String]) -> bool {
    /// Fewer words on average are options, even behind a semicolon.
    const WORDS: usize = 4;
    let lower = stem.to_lowercase();
    let sentence = lower.rsplit(['.', '?', '!']).next().unwrap_or_default();
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    let listed =
        texts.len() > 1 && texts[..texts.len() - 1].iter().all(|text| text.trim_end().ends_with(';'));
    let said: usize = texts.iter().map(|text| text.split(' ').count()).sum();
    sentence.trim_end().ends_with(':')
        && listed
        && said >= WORDS * texts.len()
        && lexicon::says(Concept::AsksChoice, &lower).is_none()
        && words.any(|word| lexicon::is(Concept::Command, word))
}

/// True for "State whether true (T) or false (F)": two verdicts with at most a word between them.
fn asks_verdicts(stem: &str) -> bool {
    let mut before: Option<(String, usize)> = None;
    for (sentence, said) in stem.split_inclusive(['.', '?', '!', ':']).enumerate() {
        let words = said.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        // "(T)" only shortens the word before it.
        let words = words.filter(|word| word.chars().count() > 1);
        let mut apart = 0;
        before = before.filter(|(_, own)| *own == sentence);
        for word in words {
            let verdict = lexicon::is(Concept::Verdict, &word);
            if verdict && apart <= 1 && before.as_ref().is_some_and(|(first, _)| *first != word) {
                return true;
            }
            if verdict {
                (before, apart) = (Some((word, sentence)), 0);
            } else {
                apart += 1;
            }
        }
    }
    false
}

/// True where the text above lettered items is a task for each of them, and no beginning that one of them ends: a whole
/// sentence which asks for no choice.
pub(super) fn sets_task(parent: &Segment, lines: &[Line<'_>]) -> bool {
    let stem = parent.text(lines);
    let chooses = lexicon::says(Concept::AsksChoice, &stem.to_lowercase()).is_some();
    stem.trim_end().ends_with('.') && !chooses && !parent.is_choice
}

/// The options behind statements of which they name some, and where they begin: "(i) …", "(ii) …", then "A (i) only",
/// "B (i) and (ii)".
pub(super) fn of_statements(parts: &[&Segment], lines: &[Line<'_>]) -> Option<(Vec<Choice>, (usize, usize))> {
    const STATEMENTS: usize = 2;
    let last = parts.last().filter(|_| parts.len() >= STATEMENTS)?;
    let Found { options, from } = match last.options.is_empty() {
        true => find(last, lines)?,
        false => Found { options: last.options.clone(), from: last.to },
    };
    // "i & ii" names statements without brackets; a bare number is an answer.
    let tokens: Vec<Token> = parts.iter().filter_map(|part| part.path.last().copied()).collect();
    let is_name = |word: &str| {
        let word = word.trim_end_matches([',', ';', '.']);
        tokens.iter().any(|token| {
            let name = token.display();
            name == word || (token.kind == Kind::Roman && name.trim_matches(['(', ')']) == word)
        })
    };
    let named = |option: &Choice| option.text.split(' ').any(is_name);
    options.iter().all(named).then_some((options, from))
}

fn first_lines(part: &Segment, lines: &[Line<'_>]) -> String {
    let words: Vec<(usize, usize, &Word)> = part.words_without_marks(lines).collect();
    let Some((line, _, _)) = words.first() else { return String::new() };
    let near = words.iter().take_while(|(own, _, _)| *own <= line + 1);
    // The box of the next option stands behind this one's words.
    let said = near.map(|(_, _, word)| word.text.as_str()).filter(|text| !BOXES.contains(text));
    said.collect::<Vec<_>>().join(" ")
}

/// True for a sentence that asks for something to be done.
pub(super) fn is_command(text: &str) -> bool {
    let mut words = text.split(' ').map(str::to_lowercase);
    let mut bare =
        || words.next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let first = bare();
    let word = if lexicon::is(Concept::CommandLead, &first) { bare() } else { first };
    lexicon::is(Concept::Command, &word)
}

#[cfg(test)]
mod tests {
    use crate::paper;
    use reader::page::{Document, Page, Rect, Word};

    /// A page with these lines, each word as wide as its letters.
    fn page(lines: &[&str]) -> Document {
        const SIZE: f32 = 10.0;
        let mut words = Vec::new();
        for (line, y) in lines.iter().zip((80_u16..).step_by(16)) {
            let (mut x, y0) = (60.0, f32::from(y));
            for text in line.split(' ') {
                let place = Rect { x0: x, y0, x1: x + 6.0 * text.chars().count() as f32, y1: y0 + SIZE };
                x = place.x1 + 4.0;
                let (text, baseline) = (text.to_owned(), y0 + 8.0);
                words.push(Word { text, place, size: SIZE, baseline, confidence: 1.0, ..Word::default() });
            }
        }
        let page = Page { number: 1, width: 595.0, height: 842.0, words, ..Page::default() };
        Document { pages: vec![page] }
    }

    #[test]
    fn boxes_before_letters_are_options() {
        let read = paper::read(&page(&[
            "1. Tick what floats on water. [1]",
            "□ a) a nail □ b) a cork □ c) a stone",
            "2. Tick what sinks in water. [1]",
            "□ A a nail",
            "□ B a cork",
            "□ C a leaf",
            "3. Tick what burns. [1]",
            "□ a) a nail □ b) a cork □ c) a stone",
            "□ d) a leaf of grass",
            "4. Say why it floats. [2]",
        ]));
        let options: Vec<Vec<String>> = read
            .leaves()
            .map(|leaf| leaf.options.iter().map(|own| format!("{} {}", own.label, own.text)).collect())
            .collect();
        let rows = vec!["A a nail", "B a cork", "C a leaf"];
        let first = vec!["a a nail", "b a cork", "c a stone"];
        let on_two_lines = [first.clone(), vec!["d a leaf of grass"]].concat();
        assert_eq!(options, [first, rows, on_two_lines, vec![]]);
    }
}
