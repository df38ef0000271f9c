//! Levels of response: "Level 3 (7–9 marks)" with a descriptor each.

use super::EntryLine;
use crate::flow::Line;
use domain::marks::Marks;
use domain::question::Level;
use lexicon::Concept;
use lexicon::english::schemes;
use std::ops::Range;

/// Fewer levels are a remark about one.
const LEAST_LEVELS: usize = 2;

/// The levels of an entry, and which of its lines they take up.
pub(super) fn find(lines: &[EntryLine]) -> Option<(Vec<Level>, Vec<bool>)> {
    let mut levels: Vec<Level> = Vec::new();
    let mut taken = vec![false; lines.len()];
    let (mut open, mut nothing) = (false, false);
    let joined = with_ranges(lines);
    for (index, line) in joined.iter().enumerate() {
        if open && line.answer.is_empty() {
            // A range that was joined to its heading, or guidance beside the descriptor.
            taken[index] = !lines[index].answer.is_empty();
            continue;
        }
        if open && begins_content(&line.answer) {
            open = false;
            nothing = earns_nothing(&line.answer);
            taken[index] = nothing;
            continue;
        }
        // The sentence about what earns nothing may go on.
        nothing &= line.space < 0.75 && line.answer.starts_with(|c: char| c.is_lowercase());
        if nothing {
            taken[index] = true;
            continue;
        }
        if let Some((name, range)) = heading(line) {
            let descriptor = descriptor_after(&line.answer, &name);
            let (marks_from, marks_to) = range;
            levels.push(Level { name, marks_from, marks_to, descriptor });
            open = true;
        } else if open && line.space < 2.5 && !line.answer.is_empty() {
            if let Some(level) = levels.last_mut() {
                level.descriptor.push(' ');
                level.descriptor.push_str(&line.answer);
            }
        } else {
            open = false;
        }
        taken[index] = open;
    }
    (levels.len() >= LEAST_LEVELS).then_some((levels, taken))
}

/// The lines, with a range on a line of its own joined to the level that it belongs to: "Band 3" over "(7-9 marks)".
fn with_ranges(lines: &[EntryLine]) -> Vec<EntryLine> {
    let mut joined = lines.to_vec();
    for index in 1..joined.len() {
        let own = joined[index].answer.trim();
        let only = own.len() <= 14 && own.starts_with(['(', '[']) && range(own).is_some();
        // Guidance beside the level may stand on lines of its own between the two.
        let Some(before) = (0..index).rev().find(|before| !joined[*before].answer.trim().is_empty()) else {
            continue;
        };
        let above = &joined[before];
        if only && above.marks.trim().is_empty() | !above.answer.contains(['(', '[']) {
            let moved = std::mem::take(&mut joined[index].answer);
            let above = &mut joined[before].answer;
            *above = match above.find(['–', '-', '—']) {
                Some(at) => {
                    format!("{} {moved} {}", &above[..at], above[at..].trim_start_matches(['–', '-', '—']))
                }
                None => format!("{above} {moved}"),
            };
        }
    }
    joined
}

/// Levels that a column of falling marks tells: "gives reasons | 3", "names a reason | 1–2".
pub(super) fn by_column(lines: &[EntryLine], total: Option<Marks>) -> Option<(Vec<Level>, Vec<bool>)> {
    let highest = descending(lines)?;
    if total.is_some_and(|total| total != highest) {
        return None;
    }
    let mut levels: Vec<Level> = Vec::new();
    let mut taken = vec![false; lines.len()];
    for cell in cells(lines) {
        let own = &lines[cell.clone()];
        let said = own.iter().map(|line| line.answer.trim_start_matches(|c: char| !c.is_alphanumeric()));
        let said = said.filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" ");
        let Some((marks, (marks_from, marks_to))) =
            own.iter().find_map(|line| Some((line.marks.trim(), range(&line.marks)?)))
        else {
            if levels.is_empty() && said.is_empty() { continue } else { break }
        };
        levels.push(Level { name: marks.to_owned(), marks_from, marks_to, descriptor: said });
        taken[cell].fill(true);
    }
    (levels.len() >= LEAST_LEVELS).then_some((levels, taken))
}

/// The lines of each cell of a table: white parts them, or marks that stand beside their first lines. Marks that are
/// set in the middle of their cell's height stand beside any of its lines.
fn cells(lines: &[EntryLine]) -> Vec<Range<usize>> {
    const APART: f32 = 0.75;
    let mut cells: Vec<Range<usize>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let priced = |line: &EntryLine| !line.marks.trim().is_empty();
        let apart = line.space >= APART || priced(line);
        match cells.last_mut() {
            // What has no marks yet gets those of the next line that has some, unless white parts them.
            Some(cell) if line.space < APART && !(apart && lines[cell.clone()].iter().any(priced)) => {
                cell.end = index + 1;
            }
            _ => cells.push(index..index + 1),
        }
    }
    cells
}

/// The highest of marks that fall without a gap to 1, each beside a line of its own.
pub(super) fn descending(lines: &[EntryLine]) -> Option<Marks> {
    let priced: Vec<&EntryLine> = lines.iter().filter(|line| !line.marks.trim().is_empty()).collect();
    let own = |line: &&EntryLine| !line.answer.trim().is_empty();
    let ranges: Option<Vec<(Marks, Marks)>> = priced.iter().map(|line| range(&line.marks)).collect();
    let ranges = ranges.filter(|ranges| ranges.len() >= LEAST_LEVELS && priced.iter().all(own))?;
    let falls = ranges.windows(2).all(|pair| pair[1].1 + Marks::whole(1) == pair[0].0);
    if falls && ranges.last()?.0 == Marks::whole(1) {
        return Some(ranges[0].1);
    }
    // Rising, at least one of them a span: "1", "2", "3–4". Points of one mark each are no levels.
    let rises = ranges.windows(2).all(|pair| pair[1].0 >= pair[0].1 && pair[1].1 > pair[0].1);
    let spans = ranges.iter().any(|(from, to)| from < to);
    (rises && spans && ranges[0].0 == Marks::whole(1)).then(|| ranges[ranges.len() - 1].1)
}

/// True for the names of the columns of a table of levels: "Levels  Descriptors  Mark".
pub(super) fn heads_table(line: &Line<'_>) -> bool {
    const LONGEST: usize = 5;
    let first = line.words[0].text.to_lowercase();
    line.words.len() <= LONGEST
        && lexicon::is(Concept::Level, &first)
        && line.words.iter().any(|word| crate::marks::is_unit(&word.text.to_lowercase()))
}

/// "2  Explains one side  4-5": a level's number, what it asks for, and its span of marks.
pub(super) fn is_row(texts: &[&str]) -> bool {
    let [first, _, .., last] = texts else { return false };
    let span = last
        .split_once(['–', '-', '—'])
        .and_then(|(from, to)| Some((from.parse::<u32>().ok()?, to.parse::<u32>().ok()?)));
    first.parse::<u32>().is_ok() && span.is_some_and(|(from, to)| from < to)
}

fn heading(line: &EntryLine) -> Option<(String, (Marks, Marks))> {
    let mut words = line.answer.split_whitespace();
    let (mut first, mut second) = (words.next()?, words.next().unwrap_or_default());
    // "Mark Band 3": the unit leads.
    let led =
        crate::marks::is_unit(&first.to_lowercase()) && lexicon::is(Concept::Level, &second.to_lowercase());
    let lead = if led { format!("{first} ") } else { String::new() };
    if led {
        (first, second) = (second, words.next().unwrap_or_default());
    }
    let lower = first.to_lowercase();
    // "3–High Level"
    let second = second.split(['–', '-', '—']).next().unwrap_or_default();
    let counted = |text: &str| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        !bare.is_empty()
            && bare.len() <= 3
            && bare.chars().all(|c| c.is_ascii_digit() || "ivxIVX".contains(c))
    };
    let name = if lexicon::is(Concept::Level, &lower) && counted(second) {
        format!("{lead}{first} {}", second.trim_matches(|c: char| !c.is_alphanumeric()))
    } else if lower.len() == 2 && lower.starts_with('l') && counted(&lower[1..]) {
        first.to_owned()
    } else {
        return None;
    };
    let rest = line.answer.get(name.len()..).unwrap_or_default();
    // The column may hold the whole question's marks beside the first level, so a span in the heading is surer.
    let spans = |(from, to): &(Marks, Marks)| from < to;
    let found = range(rest).filter(spans).or_else(|| range(&line.marks)).or_else(|| range(rest));
    // "L2 supported by content 3-4": the range ends the row.
    let last = rest.split_whitespace().next_back().unwrap_or_default();
    let range = found.or_else(|| range(last).filter(|_| rest.split_whitespace().count() > 1))?;
    Some((name, range))
}

/// True for a line that ends the levels: what an answer may contain, or what earns nothing.
pub(super) fn begins_content(text: &str) -> bool {
    earns_nothing(text) || begins_with(text, Concept::Content)
}

/// "0 marks: nothing worthy of credit" is neither a level nor content.
pub(crate) fn earns_nothing(text: &str) -> bool {
    begins_with(text, Concept::EarnsNothing)
}

fn begins_with(text: &str, concept: Concept) -> bool {
    let lower = text.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    lexicon::begins_with(concept, &lower).is_some()
}

/// "7–9", "7-9 marks", "(1–2)", "3 marks"
pub(super) fn range(text: &str) -> Option<(Marks, Marks)> {
    let mut numbers: Vec<u32> = Vec::new();
    let spaced = text.replace(['–', '-', '—', '−'], " – ");
    let mut words = spaced
        .split_whitespace()
        .map(|word| word.trim_matches(['(', ')', '[', ']', ':', ',', '.']))
        .peekable();
    while let Some(word) = words.next() {
        let Ok(number) = word.parse::<u32>() else {
            let joins =
                schemes::RANGE_JOINTS.has(word) || lexicon::is(Concept::RangeTo, &word.to_lowercase());
            if numbers.is_empty() || joins { continue } else { break }
        };
        numbers.push(number);
        let unit = words.peek().is_some_and(|next| counts_marks(next));
        if numbers.len() == 2 || unit {
            break;
        }
    }
    match numbers.as_slice() {
        [from, to] if from <= to && *to <= 100 => Some((Marks::whole(*from), Marks::whole(*to))),
        [only] if text.split_whitespace().any(counts_marks) || text.trim() == only.to_string() => {
            Some((Marks::whole(*only), Marks::whole(*only)))
        }
        _ => None,
    }
}

/// "marks", "points)", "Punkte:"
pub(super) fn counts_marks(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    lexicon::is(Concept::MarkUnit, &bare)
}

fn descriptor_after(answer: &str, name: &str) -> String {
    let rest = answer.get(name.len()..).unwrap_or_default().trim_start();
    // "(3–4 marks)" and "(Detailed) 7–9 marks" are no part of what the level asks for.
    let (bracket, after) = rest.split_once([')', ']']).unwrap_or((rest, ""));
    let short = bracket.split_whitespace().count() <= 3;
    let rest = if bracket.starts_with(['(', '[']) && short { after } else { rest };
    let spaced = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let range = spaced
        .split_whitespace()
        .find(|word| counts_marks(word))
        .and_then(|unit| spaced.find(unit))
        .filter(|_| spaced.starts_with(|c: char| c.is_ascii_digit()));
    let rest = match range {
        Some(at) if at <= "10 – 12 ".len() => spaced[at..].trim_start_matches(char::is_alphabetic),
        _ => rest,
    };
    rest.trim_start_matches(|c: char| !c.is_alphabetic()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(answer: &str, marks: &str) -> EntryLine {
        EntryLine { answer: answer.into(), marks: marks.into(), ..EntryLine::default() }
    }

    #[test]
    fn levels_carry_their_range_and_descriptor() {
        let lines = [
            line("Level 2 (3–4 marks): Clear reasons", ""),
            line("that are linked", ""),
            line("Level 1 Some facts", "1–2"),
        ];
        let (levels, taken) = find(&lines).unwrap();
        assert_eq!(levels.len(), 2);
        assert_eq!((levels[0].marks_from, levels[0].marks_to), (Marks::whole(3), Marks::whole(4)));
        assert_eq!(levels[0].descriptor, "Clear reasons that are linked");
        assert_eq!(levels[1].descriptor, "Some facts");
        assert_eq!(taken, [true, true, true]);
    }

    #[test]
    fn the_question_s_marks_beside_the_first_level_are_not_its_own() {
        let lines = [
            line("Level 2 (3–4 marks): reasons are linked", "4"),
            line("Level 1 (1–2 marks): facts are named", ""),
            line("0 marks: nothing worthy of credit", ""),
            line("Indicative content:", ""),
            line("• the sea warms slowly", ""),
        ];
        let (levels, taken) = find(&lines).unwrap();
        assert_eq!((levels[0].marks_from, levels[0].marks_to), (Marks::whole(3), Marks::whole(4)));
        assert_eq!(levels[0].descriptor, "reasons are linked");
        assert_eq!(levels[1].descriptor, "facts are named");
        assert_eq!(taken, [true, true, true, false, false]);
    }

    #[test]
    fn guidance_on_lines_of_its_own_ends_no_level() {
        let beside = EntryLine { guidance: "examples may be given".into(), ..EntryLine::default() };
        let lines = [
            line("Mark Band 2–High", ""),
            line("(3-4 marks)", ""),
            line("thorough knowledge", ""),
            beside.clone(),
            line("that is applied", ""),
            line("Mark Band 1–Low", ""),
            beside,
            line("(1-2 marks)", ""),
            line("some knowledge", ""),
        ];
        let (levels, _) = find(&lines).unwrap();
        assert_eq!(levels.len(), 2);
        assert!(
            levels[0].descriptor.ends_with("thorough knowledge that is applied"),
            "{}",
            levels[0].descriptor
        );
        assert_eq!((levels[1].marks_from, levels[1].marks_to), (Marks::whole(1), Marks::whole(2)));
    }

    #[test]
    fn marks_may_stand_in_the_middle_of_their_cell() {
        let apart = |answer: &str, marks: &str| EntryLine { space: 1.0, ..line(answer, marks) };
        let lines = [
            apart("• Explains in depth how", ""),
            line("both coasts were shaped", "3"),
            apart("• Outlines one coast", ""),
            line("OR", "2"),
            line("• Names two features", ""),
            apart("• Gives some fact", "1"),
            apart("Sample answer: the sea", ""),
        ];
        let (levels, taken) = by_column(&lines, Some(Marks::whole(3))).unwrap();
        let said: Vec<&str> = levels.iter().map(|level| level.descriptor.as_str()).collect();
        assert_eq!(
            said,
            [
                "Explains in depth how both coasts were shaped",
                "Outlines one coast OR Names two features",
                "Gives some fact"
            ]
        );
        assert_eq!(taken, [true, true, true, true, true, true, false]);
    }

    #[test]
    fn a_single_level_is_a_remark() {
        assert!(find(&[line("Level 1 (1–2 marks)", "")]).is_none());
    }
}
