//! What numbers of marks are awarded for, said above the answer: "2 pkt – two factors", "1 pkt – one factor", "0 pkt – no
//! answer", then "Solution". The solution is what an answer must say; what stands above it says how it is marked.

use super::{EntryLine, levels, lists, phrases};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use lexicon::Concept;
use std::ops::Range;

/// The lines with such awards as guidance, where a solution stands below them that has no marks of its own.
pub(super) fn told_apart(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let Some((awards, solution)) = found(&lines) else { return lines };
    let mut kept: Vec<EntryLine> = Vec::with_capacity(lines.len());
    for (index, line) in lines.into_iter().enumerate() {
        let above = index < awards.start && is_heading(&line);
        if !above && !(awards.start..solution).contains(&index) {
            kept.push(line);
        } else if awards.contains(&index) {
            match kept.last_mut().filter(|_| index > awards.start && !is_award(&line)) {
                Some(last) => last.guidance = format!("{} {}", last.guidance, line.answer),
                None => kept.push(EntryLine { guidance: line.answer, answer: String::new(), ..line }),
            }
        }
    }
    kept
}

/// Which lines tell the awards and where the solution begins: below its heading, or below what earns nothing.
fn found(lines: &[EntryLine]) -> Option<(Range<usize>, usize)> {
    let first = lines.iter().position(is_award)?;
    let says = |line: &EntryLine| !line.repeats_question && !line.answer.trim().is_empty();
    // Behind the label stands what the part is worth, "(0–2)".
    let worth =
        |line: &EntryLine| line.answer.starts_with(['(', '[']) && !line.answer.contains(char::is_alphabetic);
    if lines[..first].iter().any(|line| says(line) && !worth(line) && !is_heading(line)) {
        return None;
    }
    let headed = || {
        let head = first + lines[first..].iter().position(heads_solution)?;
        Some((first..head, head + 1))
    };
    let below_nothing = || {
        let nothing = first + lines[first..].iter().rposition(|line| levels::earns_nothing(&line.answer))?;
        let wraps = lines[nothing..].windows(2).take_while(|pair| goes_on(pair[0].free, &pair[1])).count();
        Some((first..nothing + 1 + wraps, nothing + 1 + wraps))
    };
    let (awards, solution) = headed().or_else(below_nothing)?;
    // "1 mark for the tree", "1 mark for its order": what is added up says itself what an answer must have.
    let earned: Vec<Marks> = lines[awards.clone()].iter().filter_map(award).collect();
    if earned.windows(2).any(|pair| pair[1] >= pair[0]) {
        return None;
    }
    let plain = |line: &EntryLine| !is_award(line) && line.marks.trim().is_empty();
    let own = &lines[solution..];
    // What answers of a level may hold is no solution.
    if own.iter().find(|line| says(line)).is_some_and(|line| levels::begins_content(&line.answer)) {
        return None;
    }
    (own.iter().any(says) && own.iter().all(plain)).then_some((awards, solution))
}

/// "2 pkt – poprawna odpowiedź", "Po 1 pkt za każdy skutek", "0 points: no answer"
fn is_award(line: &EntryLine) -> bool {
    levels::earns_nothing(&line.answer) || award(line).is_some()
}

/// What such a line awards.
fn award(line: &EntryLine) -> Option<Marks> {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let each = words.first().is_some_and(|first| lexicon::is(Concept::Each, &first.to_lowercase()));
    let words = &words[usize::from(each)..];
    let note = marks::at_start(words).filter(|note| !note.bracketed && note.words < words.len())?;
    (note.certainty == Certainty::Sure && note.scope == Scope::Part).then_some(note.marks)
}

fn is_heading(line: &EntryLine) -> bool {
    let lower = line.answer.to_lowercase();
    phrases::is_heading(&lower) || is_named(&lower, Concept::AnswerHeading)
}

fn heads_solution(line: &EntryLine) -> bool {
    let lower = line.answer.to_lowercase();
    [Concept::AnswerLead, Concept::Announces, Concept::AnswerHeading].iter().any(|own| is_named(&lower, *own))
}

fn is_named(lower: &str, concept: Concept) -> bool {
    lexicon::is(concept, lower.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// True for a line that goes on with the one above it, which left so much of its column free.
pub(super) fn goes_on(free: f32, line: &EntryLine) -> bool {
    line.space < 0.75 && !lists::is_broken(free, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(lines: &[&str]) -> Vec<(String, String)> {
        let line = |answer: &&str| EntryLine { answer: (*answer).into(), space: 1.0, ..EntryLine::default() };
        let parted = told_apart(lines.iter().map(line).collect());
        parted.into_iter().map(|line| (line.answer, line.guidance)).collect()
    }

    #[test]
    fn a_solution_answers_and_what_is_awarded_above_it_guides() {
        let read =
            parted(&["2 pkt – dwa czynniki podane", "w całości", "0 pkt – brak", "Rozwiązanie:", "33 °C"]);
        let told = |answer: &str, guidance: &str| (answer.to_owned(), guidance.to_owned());
        let expected =
            [told("", "2 pkt – dwa czynniki podane w całości"), told("", "0 pkt – brak"), told("33 °C", "")];
        assert_eq!(read, expected);
    }

    #[test]
    fn what_stands_below_what_earns_nothing_is_the_solution() {
        let read = parted(&["2 points - both", "0 points - none", "an eight"]);
        assert_eq!(read[2].0, "an eight");
        assert!(read[..2].iter().all(|(answer, _)| answer.is_empty()));
    }

    #[test]
    fn awards_without_a_solution_below_them_are_the_answer() {
        for lines in [
            &["1 mark for naming it", "1 mark for its place"][..],
            &["1 mark for naming it", "Answer:"],
            &["iron", "1 mark for naming it", "Answer:", "zinc"],
            &["1 mark for naming it", "Answer:", "1 mark for zinc"],
            &["1 mark for naming it", "1 mark for its place", "Answer:", "zinc"],
            &["2 marks: explains both", "0 marks: nothing", "Indicative content", "rain fell"],
        ] {
            let answers: Vec<String> = parted(lines).into_iter().map(|(answer, _)| answer).collect();
            assert_eq!(answers, lines);
        }
    }
}
