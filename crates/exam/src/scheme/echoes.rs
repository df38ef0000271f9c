//! Lines of an entry that only repeat the question, told from answers in the question's words.

use super::EntryLine;
use super::column::{BULLETS, strip_bullet};
use super::pieces::is_ticked;
use super::{examiners, phrases, prices};
use lexicon::Concept;

/// White above a line, in line heights, that parts it from the one before it.
const APART: f32 = 0.75;

/// The lines that answer: what repeats the question is left out, unless nothing else is there.
pub(super) fn without(lines: &[EntryLine]) -> Vec<EntryLine> {
    let mut lines = lines.to_vec();
    settle(&mut lines);
    let solved = lines.iter().position(|line| heads_solution(line) || led_solution(&line.answer).is_some());
    let asked = solved.filter(|at| lines[..*at].iter().any(|line| line.repeats_question));
    let from = match asked {
        Some(at) if heads_solution(&lines[at]) => at + 1,
        Some(at) => {
            let led = led_solution(&lines[at].answer).map(str::to_owned);
            lines[at].answer = led.unwrap_or_default();
            at
        }
        None => 0,
    };
    let own = lines[from..].iter().filter(|line| !line.repeats_question && !is_caption(line));
    let own: Vec<EntryLine> = own.cloned().collect();
    // Nothing behind "Answer" that could be read: a drawing, or handwriting.
    if asked.is_some() && own.iter().all(|line| line.answer.trim().is_empty()) {
        return Vec::new();
    }
    // "1 mark for each correct row" above rows of the question's own table.
    let prices = |text: &str| prices::is_count(text) || prices::each_of(text).is_some();
    let counts = |line: &EntryLine| line.answer.is_empty() || prices(&line.answer);
    if own.iter().all(counts) {
        return lines;
    }
    // "Correct 1 mark" below an answer in the question's words: without it nothing would be said.
    let rates = |line: &EntryLine| {
        let (_, said) = strip_bullet(&line.answer);
        said.trim().is_empty() || examiners::is_addressed(said)
    };
    let announces = own.iter().any(|line| line.answer.ends_with(':'));
    if !announces && own.iter().all(rates) && lines[from..].iter().any(could_answer) {
        let kept = lines[from..].iter().filter(|line| !line.repeats_question || could_answer(line));
        return kept.cloned().collect();
    }
    own
}

/// True for an item of a list or a formula in the question's words: what is asked is neither.
fn could_answer(line: &EntryLine) -> bool {
    line.repeats_question
        && !line.answer.ends_with('?')
        && (line.answer.starts_with(BULLETS) || line.answer.contains('='))
}

/// "Fig 3.1" on a line without marks names a picture of the paper.
fn is_caption(line: &EntryLine) -> bool {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let [what, number] = words.as_slice() else { return false };
    let figures = number.trim_end_matches([':', '.']);
    let is_number = figures.contains('.') && figures.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_number && line.marks.is_empty() && lexicon::is(Concept::Pointed, &what.to_lowercase())
}

/// Takes back what cannot be a repetition.
fn settle(lines: &mut [EntryLine]) {
    let mut listed = false;
    for line in lines.iter_mut() {
        // Only answers are ticked, and a list of answers is broken off by nothing less than a whole sentence.
        let sentence = line.answer.ends_with(['.', '?', ':']);
        line.repeats_question &= !is_ticked(&line.answer) && (!listed || sentence);
        // "Climatic constraints (max 4)" heads some of the points.
        line.repeats_question &= !matches!(phrases::limit(&line.answer), Some(phrases::Limit::Max(_)));
        listed |= !line.repeats_question && line.answer.starts_with(BULLETS);
    }
    // Guidance on lines of its own may stand between two lines of an answer.
    let said: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].answer.trim().is_empty()).collect();
    let goes_on = |lines: &[EntryLine], before: usize, next: usize| {
        lines[next].space < APART
            && lines[next].answer.starts_with(char::is_lowercase)
            && is_open(&lines[before].answer)
    };
    // What stands before "OR" answers as well as what stands behind it.
    for pair in said.windows(2) {
        if phrases::is_or(&lines[pair[1]].answer) {
            lines[pair[0]].repeats_question = false;
        }
    }
    // An answer is also what its open line goes on with, in whosever words.
    for pair in said.windows(2) {
        let [before, own] = [pair[0], pair[1]];
        if lines[own].repeats_question && !lines[before].repeats_question && goes_on(lines, before, own) {
            lines[own].repeats_question = false;
        }
    }
    // What goes on with an answer is one: the question's own sentences end before it.
    for pair in said.windows(2).rev() {
        let [own, next] = [pair[0], pair[1]];
        if lines[own].repeats_question && !lines[next].repeats_question && goes_on(lines, own, next) {
            lines[own].repeats_question = false;
        }
    }
}

/// True for a line within a sentence.
fn is_open(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-'))
}

/// What "Solution." or "Answer:" leads on its own line.
fn led_solution(text: &str) -> Option<&str> {
    let (lead, rest) = text.split_once(' ')?;
    let word = lead.strip_suffix(['.', ':'])?.to_lowercase();
    lexicon::is(Concept::SolutionLead, &word).then_some(rest.trim_start()).filter(|rest| !rest.is_empty())
}

/// "Answer" on a line of its own.
fn heads_solution(line: &EntryLine) -> bool {
    let lower = line.answer.to_lowercase();
    lexicon::is(Concept::SolutionLead, lower.trim_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&str, bool)]) -> Vec<String> {
        let line = |(text, repeats): &(&str, bool)| EntryLine {
            answer: (*text).to_owned(),
            repeats_question: *repeats,
            ..EntryLine::default()
        };
        without(&lines.iter().map(line).collect::<Vec<_>>()).into_iter().map(|line| line.answer).collect()
    }

    #[test]
    fn a_repeated_question_is_left_out() {
        assert_eq!(read(&[("Why does iron rust?", true), ("It meets water.", false)]), ["It meets water."]);
        let solved = [("Draw the tree of", true), ("8 4 2", false), ("Answer:", false), ("root 4", false)];
        assert_eq!(read(&solved), ["root 4"]);
        assert!(read(&[("Draw the tree.", true), ("Solution:", false)]).is_empty());
        let led = [("What does this print?", true), ("x = 3", false), ("Solution. 3, as x was set.", false)];
        assert_eq!(read(&led), ["3, as x was set."]);
        assert_eq!(read(&[("2 × 3 = 6", false), ("Answer: 6", false)]).len(), 2, "working before its result");
    }

    #[test]
    fn an_answer_in_the_question_s_words_is_kept() {
        assert_eq!(
            read(&[("The farmer left the valley because the river", true), ("dried up.", false)]).len(),
            2
        );
        let within = [("A wall keeps the river", false), ("out of the valley in spring (1)", true)];
        assert_eq!(read(&within).len(), 2);
        assert_eq!(read(&[("The river dried up.√√", true), ("(2)", false)]).len(), 2);
        assert_eq!(read(&[("• a loop that checks", false), ("the numbers entered", true)]).len(), 2);
        assert_eq!(read(&[("if tank_is(full):", true), ("OR", false), ("if level == 9:", false)]).len(), 3);
    }

    #[test]
    fn an_answer_in_the_question_s_words_is_kept_beside_what_rates_it() {
        let listed = [("• The pipe must be 3 m long.", true), ("• Any other valid reason.", false)];
        assert_eq!(read(&listed).len(), 2);
        assert_eq!(read(&[("2 × 8 = 16 tiles cover the floor", true), ("Correct 1 mark", false)]).len(), 2);
        let asked = [("How many tiles cover the floor?", true), ("Correct 1 mark", false)];
        assert_eq!(read(&asked), ["Correct 1 mark"]);
    }
}
