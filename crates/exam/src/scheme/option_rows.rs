//! Options that stand beside each other in a copy of the question, "a) tin   b) iron" over "c) lead   d) zinc": a line of
//! its own for each, so that the one that stands out is told from the others.

use super::EntryLine;
use domain::question::Choice;

/// Fewer options in a line are none beside each other.
const LEAST: usize = 2;

/// The lines with one option each.
pub(super) fn parted(lines: Vec<EntryLine>, options: &[Choice]) -> Vec<EntryLine> {
    let mut parted = Vec::with_capacity(lines.len());
    for line in lines {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        let starts = starts(&words, options);
        if starts.len() < LEAST {
            parted.push(line);
            continue;
        }
        let ends = starts.iter().skip(1).copied().chain([words.len()]);
        let labelled = starts.iter().any(|start| is_among(words[*start], &line.strong));
        let lead = (starts[0] > 0).then_some((0, starts[0]));
        for (from, to) in lead.into_iter().chain(starts.iter().copied().zip(ends)) {
            let own = &words[from..to];
            let is_strong = line.is_strong || stands_out(own, &line.strong, labelled);
            parted.push(EntryLine { answer: own.join(" "), is_strong, strong: Vec::new(), ..line.clone() });
        }
    }
    parted
}

/// Where options begin in a line, in their order: the label, and the first word of the text.
fn starts(words: &[&str], options: &[Choice]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for option in options {
        let from = starts.last().map_or(0, |last| last + 1);
        let first = option.text.split_whitespace().next().unwrap_or_default();
        let begins = |at: &usize| {
            let label = words[*at].trim_matches(|c: char| !c.is_alphanumeric());
            label.eq_ignore_ascii_case(&option.label)
                && words[*at] != label
                && words.get(at + 1) == Some(&first)
        };
        starts.extend((from..words.len()).find(begins));
    }
    starts
}

/// True where the label of an option stands out from its line, or, where no label does, all of its words do.
fn stands_out(own: &[&str], strong: &[String], labelled: bool) -> bool {
    let [label, said @ ..] = own else { return false };
    let mut spoken = said.iter().filter(|word| word.chars().any(char::is_alphabetic)).peekable();
    match labelled {
        true => is_among(label, strong),
        false => spoken.peek().is_some() && spoken.all(|word| is_among(word, strong)),
    }
}

fn is_among(word: &str, strong: &[String]) -> bool {
    strong.iter().any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_beside_each_other_are_lines_of_their_own() {
        let option = |(label, text): (&str, &str)| Choice { label: label.into(), text: text.into() };
        let options = [("a", "5 cm"), ("b", "6 cm"), ("c", "tin"), ("d", "iron")].map(option);
        let line = |answer: &str, strong: &[&str]| EntryLine {
            answer: answer.into(),
            strong: strong.iter().map(|word| (*word).to_owned()).collect(),
            ..EntryLine::default()
        };
        let rows = vec![line("a) 5 cm b) 6 cm", &["b)", "cm"]), line("c) tin d) iron", &[])];
        let read: Vec<(String, bool)> =
            parted(rows, &options).into_iter().map(|line| (line.answer, line.is_strong)).collect();
        let own = |(text, is_strong): (&str, bool)| (text.to_owned(), is_strong);
        let expected = [("a) 5 cm", false), ("b) 6 cm", true), ("c) tin", false), ("d) iron", false)];
        assert_eq!(read, expected.map(own));
        let prose = vec![line("b) because iron rusts", &[])];
        assert_eq!(parted(prose, &options).len(), 1);
    }
}
