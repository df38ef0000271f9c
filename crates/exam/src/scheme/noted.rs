//! Remarks inside an answer's own line: "Alcohols A: alcohol. R: alkanol", "[Not: heat]". They stand beside the answer.

use super::EntryLine;
use super::phrases::{self, Remark};
use lexicon::english::schemes;

/// The lines with such remarks as guidance, each on a line of its own behind its answer. Letters are remarks only where
/// the entry has one that no option has.
pub(super) fn apart(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let tells =
        |word: &str| schemes::REMARK_LETTERS.iter().any(|(letter, _)| *letter == word && word != ACCEPTS);
    let has_letters = lines.iter().any(|line| line.answer.split_whitespace().any(tells));
    let mut parted = Vec::with_capacity(lines.len());
    for line in lines {
        let (own, remarks) = remarks_of(&line.answer, has_letters);
        if remarks.is_empty() {
            parted.push(line);
            continue;
        }
        let beside = |guidance: String| EntryLine {
            answer: String::new(),
            marks: String::new(),
            guidance,
            strong: Vec::new(),
            space: 0.0,
            ..line.clone()
        };
        let notes: Vec<EntryLine> = remarks.into_iter().map(beside).collect();
        parted.push(EntryLine { answer: own, ..line });
        parted.extend(notes);
    }
    parted
}

/// Begins an option as well as a remark.
const ACCEPTS: &str = "A:";

/// What a line says by itself, and its remarks in whole words.
fn remarks_of(text: &str, has_letters: bool) -> (String, Vec<String>) {
    if let Some(remark) = bracketed(text.trim()) {
        return (String::new(), vec![remark]);
    }
    if !has_letters {
        return (text.to_owned(), Vec::new());
    }
    let mut own: Vec<&str> = Vec::new();
    let mut remarks: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match (schemes::REMARK_LETTERS.iter().find(|(letter, _)| *letter == word), remarks.last_mut()) {
            (Some((_, meant)), _) => remarks.push((*meant).to_owned()),
            (None, Some(remark)) => {
                remark.push(' ');
                remark.push_str(word);
            }
            (None, None) => own.push(word),
        }
    }
    (own.join(" "), remarks)
}

/// "[Accept: gas]", "[Not: heat]" where nothing else is said.
fn bracketed(text: &str) -> Option<String> {
    let inner =
        text.strip_prefix('[')?.strip_suffix(']').or_else(|| text.strip_prefix('[')?.strip_suffix("]."))?;
    if let Some(rest) = schemes::NOT_LEADS.after(&inner.to_ascii_lowercase()) {
        let said = inner.get(inner.len() - rest.len()..)?;
        return Some(format!("{} {}", schemes::REJECTED, said.trim()));
    }
    (phrases::remark(inner).0 != Remark::Note).then(|| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str]) -> Vec<(String, String)> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = apart(texts.iter().map(line).collect()).into_iter();
        lines.map(|line| (line.answer, line.guidance)).collect()
    }

    fn row(answer: &str, guidance: &str) -> (String, String) {
        (answer.to_owned(), guidance.to_owned())
    }

    #[test]
    fn remarks_by_letter_stand_beside_their_answer() {
        let wanted = [row("Esters", ""), row("", "accept ester."), row("", "reject ethers, soaps")];
        assert_eq!(read(&["Esters A: ester. R: ethers, soaps"]), wanted);
        assert_eq!(read(&["Sieve it", "R: burn it"])[1..], [row("", ""), row("", "reject burn it")]);
        assert_eq!(read(&["[Not: heat alone.]"]), [row("", ""), row("", "reject heat alone.")]);
        // Letters that are longer in lower case.
        assert_eq!(read(&["[Not: İİİİ.]"]), [row("", ""), row("", "reject İİİİ.")]);
    }

    #[test]
    fn options_and_other_brackets_stay() {
        assert_eq!(read(&["A: copper", "B: iron"]).len(), 2);
        assert_eq!(read(&["[the wire] gets hot"]), [row("[the wire] gets hot", "")]);
    }
}
