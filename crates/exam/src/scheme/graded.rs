//! What says what each mark is for: "Grading: 1 point for the sign, 2 points for both prices.", and lines of a solution
//! with what they earn behind them: "k = 0.0035 per second", "1 point is earned for the value".

use super::{EntryLine, meant, prices};
use lexicon::Concept;
use lexicon::english::{examiners, schemes};

/// The lines with everything that says what marks are for as points with their marks.
pub(super) fn of(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    calculated(apart(paired(headed(lines))))
}

/// The lines of a solution with what they earn, where a line above them says it in as many words: "1 point for the setup; 1
/// point for the answer." over two lines.
fn paired(mut lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let says = |line: &EntryLine| !line.repeats_question && !line.answer.trim().is_empty();
    // "Calculate the number of panels." may stand over it, in the scheme's own words.
    let asks = |line: &EntryLine| {
        let first = line.answer.split_whitespace().next().unwrap_or_default().to_lowercase();
        lexicon::is(Concept::Command, &first)
    };
    let said = |line: &EntryLine| says(line) && !asks(line);
    let Some(head) = lines.iter().position(said) else { return lines };
    let named = |purpose: &str| purpose.split_whitespace().count() <= NAME_WORDS_MAX;
    let purposes = prices::priced_list(lines[head].answer.trim()).unwrap_or_default();
    let own: Vec<usize> = (head + 1..lines.len()).filter(|at| says(&lines[*at])).collect();
    let plain = own.iter().all(|at| lines[*at].marks.is_empty());
    if purposes.len() < 2
        || own.len() != purposes.len()
        || !plain
        || !purposes.iter().all(|own| named(&own.1))
    {
        return lines;
    }
    for (at, (marks, purpose)) in own.into_iter().zip(purposes) {
        let line = &mut lines[at];
        line.answer = schemes::with_marks(line.answer.trim(), marks);
        line.guidance =
            format!("{} {}", purpose.trim_end_matches(['.', ';', ',']), line.guidance).trim().to_owned();
        line.space = 1.0;
    }
    lines.drain(..=head);
    lines
}

/// The lines with "1 point is earned for:" and what stands below it as one point.
fn headed(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut kept: Vec<EntryLine> = Vec::with_capacity(lines.len());
    let mut lines = lines.into_iter().peekable();
    let heads =
        |line: &EntryLine| line.answer.trim_end().ends_with(':') && prices::earned(&line.answer).is_some();
    while let Some(line) = lines.next() {
        let Some(marks) = prices::earned(&line.answer).filter(|_| heads(&line)) else {
            kept.push(line);
            continue;
        };
        let mut below: Vec<EntryLine> = Vec::new();
        while let Some(next) = lines.next_if(|next| !heads(next) && (below.is_empty() || next.space < 0.75)) {
            below.push(next);
        }
        let said = below.iter().map(|line| line.answer.trim()).collect::<Vec<_>>().join(" ");
        match below.into_iter().next() {
            Some(first) => {
                kept.push(EntryLine { answer: schemes::with_marks(&said, marks), space: 1.0, ..first });
            }
            None => kept.push(line),
        }
    }
    kept
}

/// A longer purpose is a statement.
const NAME_WORDS_MAX: usize = 3;
/// How far the lines of one column begin from each other.
const SAME: f32 = 6.0;

/// The lines with each purpose of such a paragraph on a line of its own; what else it says is guidance.
fn apart(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut parted: Vec<EntryLine> = Vec::with_capacity(lines.len());
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        let is_below = parted.iter().any(|line| !line.repeats_question && !line.answer.trim().is_empty());
        let Some(said) = graded(&line.answer, is_below) else {
            parted.push(line);
            continue;
        };
        // A paragraph goes on to the next white or the next marks.
        let mut more = Vec::new();
        while let Some(next) = lines.next_if(|next| next.space < 0.75 && next.marks.is_empty()) {
            more.push(next);
        }
        let below = more.iter().map(|line| line.answer.as_str());
        let whole = std::iter::once(said).chain(below).collect::<Vec<_>>().join(" ");
        let is_led = said.len() < line.answer.trim().len();
        let listed = prices::priced_list(&whole).or_else(|| prices::named_list(&whole));
        // By itself one such line is a point like any other.
        let Some(purposes) = listed.filter(|purposes| is_led || purposes.len() > 1) else {
            parted.push(line);
            parted.append(&mut more);
            continue;
        };
        let last = purposes.len().saturating_sub(1);
        let above = parted.iter().filter(|line| !line.repeats_question).map(|line| line.answer.as_str());
        let names: Vec<&str> = purposes.iter().map(|(_, purpose)| sentence(purpose).0).collect();
        let meanings = meant::sentences(&names, &above.collect::<Vec<_>>().join(" "));
        for ((index, (marks, purpose)), meaning) in purposes.into_iter().enumerate().zip(meanings) {
            let (purpose, rest) = if index == last { sentence(&purpose) } else { (purpose.as_str(), "") };
            let purpose = purpose.trim_end_matches([',', ';', '.']);
            // "revenue" only names what the solution says.
            let names = purpose.split_whitespace().count() <= NAME_WORDS_MAX;
            if let Some(said) = meaning.as_ref().filter(|said| names && said.contains('=')) {
                parted.push(EntryLine {
                    answer: schemes::with_marks(said, marks),
                    guidance: format!("{purpose}. {rest}").trim().to_owned(),
                    space: 1.0,
                    ..line.clone()
                });
                continue;
            }
            parted.push(EntryLine {
                answer: schemes::with_marks(purpose, marks),
                guidance: rest.to_owned(),
                space: 1.0,
                ..line.clone()
            });
            let accepted = meaning.map(|meaning| format!("{} {meaning}", schemes::ACCEPTED));
            parted.extend(accepted.map(|guidance| EntryLine {
                answer: String::new(),
                guidance,
                space: 1.0,
                ..line.clone()
            }));
        }
    }
    parted
}

/// The lines with calculations that a price follows as points of their own: what they earn is named by what they come to
/// ("the value", "the correct setup"), which no answer says.
fn calculated(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut kept: Vec<EntryLine> = Vec::with_capacity(lines.len());
    // Where the lines began that no price has followed yet.
    let mut from = 0;
    let mut lines = lines.into_iter().peekable();
    while let Some(mut line) = lines.next() {
        let Some(marks) = prices::earned(&line.answer) else {
            kept.push(line);
            continue;
        };
        let goes_on = |next: &EntryLine| {
            (next.indent - line.indent).abs() < SAME
                && next.space < 0.75
                && prices::earned(&next.answer).is_none()
        };
        let mut more = Vec::new();
        while let Some(next) = lines.next_if(goes_on) {
            more.push(next.answer);
        }
        line.answer = std::iter::once(line.answer).chain(more).collect::<Vec<_>>().join(" ");
        let own: Vec<&str> = kept[from..]
            .iter()
            .filter(|line| !line.repeats_question)
            .map(|line| line.answer.trim())
            .collect();
        let said = own.join(" ");
        if is_calculation(&said) {
            let (asked, mut own): (Vec<EntryLine>, Vec<EntryLine>) =
                kept.drain(from..).partition(|line| line.repeats_question);
            kept.extend(asked);
            let guidance = line.answer;
            let first = own.swap_remove(0);
            kept.push(EntryLine { answer: schemes::with_marks(&said, marks), guidance, space: 1.0, ..first });
        } else {
            kept.push(line);
        }
        from = kept.len();
    }
    kept
}

/// True for lines that come to a number.
fn is_calculation(text: &str) -> bool {
    text.rsplit_once('=').is_some_and(|(_, result)| result.chars().any(|c| c.is_ascii_digit()))
}

/// What stands behind "Grading:", where it names marks and their purposes.
fn graded(text: &str, is_below: bool) -> Option<&str> {
    if is_below && prices::begins_price(text.trim()) {
        return Some(text.trim());
    }
    let (lead, rest) = text.trim().split_once(':')?;
    let led = examiners::GRADING.has(&lead.to_lowercase());
    let rest = rest.trim();
    (led && (prices::begins_price(rest) || prices::named_list(rest).is_some())).then_some(rest)
}

/// The first sentence, and what follows it.
fn sentence(text: &str) -> (&str, &str) {
    let ends = text
        .match_indices(". ")
        .find(|(at, _)| text[at + 2..].starts_with(|first: char| first.is_uppercase() || first == '“'));
    ends.map_or((text, ""), |(at, _)| (&text[..at], text[at + 2..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_mark_is_for_is_parted() {
        let line = |answer: &str| EntryLine { answer: answer.into(), ..EntryLine::default() };
        let lines = vec![
            line("Solution: The tax falls on sellers."),
            line("Grading: 1 point for the curve (or its slope), 2 points for"),
            line("both prices. Prices without working earn one."),
        ];
        let parted = apart(lines);
        let said: Vec<&str> = parted.iter().map(|line| line.answer.as_str()).collect();
        assert_eq!(
            said,
            [
                "Solution: The tax falls on sellers.",
                "the curve (or its slope) (1 marks)",
                "both prices (2 marks)"
            ]
        );
        assert_eq!(parted[2].guidance, "Prices without working earn one.");
        let bare = apart(vec![line("Grading: 1 point sellers, 2 points the slope of supply.")]);
        assert_eq!(bare[1].answer, "the slope of supply (2 marks)");
        assert_eq!(apart(vec![line("Marking: see page 4")]).len(), 1);
        let unfinished = vec![line("Grading: 1 point for"), EntryLine { space: 1.0, ..line("the sign") }];
        assert_eq!(apart(unfinished.clone()), unfinished, "nothing is lost");
    }

    #[test]
    fn a_calculation_earns_what_is_said_beside_it() {
        let at =
            |answer: &str, indent: f32| EntryLine { answer: answer.into(), indent, ..EntryLine::default() };
        let lines = vec![
            at("0.020 L × 0.10 mol/L", 70.0),
            at("= 0.0020 mol", 70.0),
            at("1 point is earned for the number", 320.0),
            at("of moles.", 320.0),
            at("The indicator turns pink.", 70.0),
            at("1 point is earned for the colour.", 320.0),
        ];
        let said: Vec<(String, String)> =
            calculated(lines).into_iter().map(|line| (line.answer, line.guidance)).collect();
        let line = |answer: &str, guidance: &str| (answer.to_owned(), guidance.to_owned());
        assert_eq!(
            said,
            [
                line(
                    "0.020 L × 0.10 mol/L = 0.0020 mol (1 marks)",
                    "1 point is earned for the number of moles."
                ),
                line("The indicator turns pink.", ""),
                line("1 point is earned for the colour.", ""),
            ]
        );
    }
}
