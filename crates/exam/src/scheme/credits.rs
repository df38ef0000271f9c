//! Credits that are told one by one: "Allow 1 credit for naming the gas. Acceptable responses include, but are not limited
//! to: — oxygen — O2". What each is for is a point, and the responses are what it accepts.

use super::EntryLine;
use domain::marks::Marks;
use lexicon::english::{examiners, schemes};

/// More examples than this are a text.
const EXAMPLES_MAX: usize = 24;
const MARKS_MAX: u32 = 30;

/// The lines with a point for each credit, where the credits make up the whole; as they were elsewhere.
pub(super) fn grouped(lines: Vec<EntryLine>, total: Option<Marks>) -> Vec<EntryLine> {
    let found: Vec<Marks> =
        lines.iter().filter_map(|line| credit(&line.answer)).map(|(marks, _)| marks).collect();
    let sum: Marks = found.into_iter().sum();
    if sum.is_zero() || total.is_some_and(|total| total != sum) {
        return lines;
    }
    let mut grouped: Vec<EntryLine> = Vec::with_capacity(lines.len());
    let mut open: Option<(EntryLine, Marks, String)> = None;
    for line in lines {
        let is_note = line.answer.to_lowercase().starts_with(schemes::CREDIT_NOTE);
        if let Some((marks, told)) = credit(&line.answer) {
            let told = told.to_owned();
            grouped.extend(open.take().into_iter().flat_map(closed));
            open = Some((line, marks, told));
        } else if let Some((_, _, told)) = open.as_mut().filter(|_| !is_note) {
            told.push(' ');
            told.push_str(line.answer.trim());
        } else {
            grouped.extend(open.take().into_iter().flat_map(closed));
            grouped.push(line);
        }
    }
    grouped.extend(open.into_iter().flat_map(closed));
    grouped
}

/// How much "Allow 1 credit for the name" gives, and what for.
fn credit(text: &str) -> Option<(Marks, &str)> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (verb, rest) = text.split_once(' ')?;
    let (number, rest) = rest.split_once(' ')?;
    let (unit, rest) = rest.split_once(' ')?;
    let told = rest.strip_prefix(schemes::CREDIT_FOR)?;
    let number = number.parse::<u32>().ok().filter(|number| (1..=MARKS_MAX).contains(number))?;
    let is_credit = schemes::CREDITING.has(&verb.to_lowercase()) && schemes::CREDITS.has(unit);
    // "each correct term" is counted, and no point.
    let is_counted = schemes::EACH.begin(&told.to_lowercase());
    (is_credit && !is_counted).then(|| (Marks::whole(number), told.trim()))
}

/// A credit's point, and a line for each response that it accepts.
fn closed((line, marks, told): (EntryLine, Marks, String)) -> Vec<EntryLine> {
    let lower = told.to_ascii_lowercase();
    let announced = examiners::ANNOUNCEMENTS.iter().filter_map(|lead| lower.find(lead)).min();
    let (own, responses) = told.split_at(announced.unwrap_or(told.len()));
    let responses = responses.split_once(':').map_or("", |(_, listed)| listed);
    let examples = responses.split(['—', '•', '–']).map(str::trim).filter(|example| !example.is_empty());
    let accepted = examples.take(EXAMPLES_MAX).map(|example| EntryLine {
        answer: String::new(),
        marks: String::new(),
        guidance: format!("{} {example}", schemes::ACCEPTED),
        strong: Vec::new(),
        space: 0.0,
        ..line.clone()
    });
    let marks = format!("{marks}");
    let point = EntryLine { answer: own.trim().to_owned(), marks, ..line.clone() };
    std::iter::once(point).chain(accepted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str], total: u32) -> Vec<(String, String, String)> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = grouped(texts.iter().map(line).collect(), Some(Marks::whole(total))).into_iter();
        lines.map(|line| (line.answer, line.marks, line.guidance)).collect()
    }

    fn row(answer: &str, marks: &str, guidance: &str) -> (String, String, String) {
        (answer.to_owned(), marks.to_owned(), guidance.to_owned())
    }

    #[test]
    fn credits_are_points_and_their_responses_are_accepted() {
        let texts = [
            "Allow a maximum of 2 credits, allocated as follows:",
            "• Allow 1 credit for naming what the beans need. Acceptable responses include, but are",
            "not limited to:",
            "— light from the window",
            "— water",
            "• Allow 1 credit for 82%.",
            "Note: Do not allow credit for soil.",
        ];
        let wanted = [
            row(texts[0], "", ""),
            row("naming what the beans need.", "1", ""),
            row("", "", "accept light from the window"),
            row("", "", "accept water"),
            row("82%.", "1", ""),
            row(texts[6], "", ""),
        ];
        assert_eq!(read(&texts, 2), wanted);
        assert_eq!(read(&texts, 3).len(), texts.len(), "they do not make up the whole");
    }

    #[test]
    fn what_is_counted_or_merely_allowed_stays() {
        for text in ["Award 1 mark for each correct term", "Allow 3 for 30", "Allow 1 metre for the wall"] {
            assert_eq!(read(&[text], 1), [row(text, "", "")]);
        }
    }
}
