//! What a part is worth before what is said of it, and the shares of it inside: "[1,5 pt] The series converges (0,5). Its sum
//! is 3 (1)."

use super::{Entry, EntryLine};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;

/// Takes such a price off the beginning of an answer and notes it as that of the part.
pub(super) fn take(entry: &mut Entry) {
    let said = |line: &&mut EntryLine| !line.repeats_question && !line.answer.trim().is_empty();
    let others = entry.lines.iter().filter(|line| price(&line.answer).is_some()).count();
    let silent = entry.lines.iter().all(|line| line.marks.trim().is_empty());
    if entry.stated.is_some() || others != 1 || !silent {
        return;
    }
    let texts = entry.lines.iter().map(|line| line.answer.as_str()).collect::<Vec<_>>().join(" ");
    let Some(first) = entry.lines.iter_mut().find(said) else { return };
    let Some((whole, rest)) = price(&first.answer) else { return };
    let shares = shares(&texts);
    // Prices inside that are others', or none at all, leave the one before them a point's.
    if shares.len() > 1 && shares.iter().copied().sum::<Marks>() == whole {
        let rest = rest.to_owned();
        first.answer = rest;
        entry.stated = Some(whole);
    }
}

/// "[2 pts]", "(1,5 pt)" before some text.
fn price(text: &str) -> Option<(Marks, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let note = marks::at_start(&words)?;
    let whole = note.certainty == Certainty::Sure && note.bracketed && note.scope == Scope::Part;
    let mut rest = text.trim_start();
    for word in words.iter().take(note.words) {
        rest = rest.strip_prefix(word)?.trim_start();
    }
    (whole && !rest.is_empty()).then_some((note.marks, rest))
}

/// What stands in round brackets behind statements: "(0,5)", "(1 pt)".
fn shares(text: &str) -> Vec<Marks> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let share = |at: usize| {
        let both = || Some(format!("{} {}", words[at], words.get(at + 1)?));
        let inner = |text: &str| {
            let bare = text.trim_end_matches(['.', ',', ';', ':']).strip_prefix('(')?.strip_suffix(')')?;
            let (number, unit) = bare.split_once(' ').unwrap_or((bare, ""));
            let told = unit.is_empty() || marks::is_unit(&unit.to_lowercase());
            let number = number.replace(',', ".").parse::<f64>().ok()?;
            Marks::from_number(number).filter(|own| told && !own.is_zero())
        };
        inner(words[at]).or_else(|| inner(&both()?))
    };
    (1..words.len()).filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str]) -> (Option<String>, String) {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let mut entry = Entry { lines: texts.iter().map(line).collect(), ..Entry::default() };
        take(&mut entry);
        (entry.stated.map(|marks| marks.to_string()), entry.lines[0].answer.clone())
    }

    #[test]
    fn the_price_before_its_shares_is_the_part_s() {
        let (stated, rest) = read(&["[1,5 pt] It converges (0,5). The sum", "is 3 (1)."]);
        assert_eq!((stated.as_deref(), rest.as_str()), (Some("1.5"), "It converges (0,5). The sum"));
        assert_eq!(read(&["(2 pts) It diverges (1 pt). So does f (1 pt)."]).0.as_deref(), Some("2"));
    }

    #[test]
    fn a_price_without_shares_is_a_point_s() {
        assert_eq!(read(&["[1 pt] iron", "[1 pt] zinc (1)"]).0, None);
        assert_eq!(read(&["[2 pts] f(1) = 3 and g (4) holds"]).0, None);
    }
}
