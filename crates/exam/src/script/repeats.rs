//! Takes the question's own words off the beginning of an answer that repeats them.

use super::Written;
use super::align::plain;
use crate::marks;
use lexicon::english::scripts;

/// Fewer words are no repetition of a question.
const WORDS_MIN: usize = 2;

/// Takes the texts off the beginning of the answer, one after the other as far as they are there, then
/// marks and the word "Answer:".
pub(super) fn strip(words: &mut Vec<Written>, asked: &[&str]) {
    for text in asked {
        let count = repeated(words, text);
        words.drain(..count);
        if count > 0 {
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let note = marks::at_start(&texts).filter(|note| note.bracketed).map_or(0, |note| note.words);
            words.drain(..note);
        }
    }
    let lead = leading_answer(words);
    words.drain(..lead);
    if let Some(first) = words.first_mut() {
        first.starts_line = true;
    }
}

/// How many words at the beginning are the text, word for word.
fn repeated(words: &[Written], text: &str) -> usize {
    let asked: Vec<String> = text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect();
    if asked.len() < WORDS_MIN {
        return 0;
    }
    let mut wanted = asked.iter();
    let mut next = wanted.next();
    for (index, word) in words.iter().enumerate() {
        let read = plain(&word.text);
        if read.is_empty() {
            continue;
        }
        if next.is_none_or(|next| *next != read) {
            return 0;
        }
        next = wanted.next();
        if next.is_none() {
            return index + 1;
        }
    }
    0
}

/// "Answer:", "Ans:", "Ans -": how many words.
fn leading_answer(words: &[Written]) -> usize {
    let Some(first) = words.first() else { return 0 };
    let named = scripts::ANSWER_LEADS.has(&plain(&first.text));
    let closed = first.text.ends_with([':', '-', '–', '='])
        || (first.text.ends_with('.') && scripts::SHORT_LEAD.has(&plain(&first.text)));
    let dash = words.get(1).is_some_and(|next| matches!(next.text.as_str(), "-" | ":" | "–" | "="));
    let own_line = words.get(1).is_some_and(|next| next.starts_line) && plain(&first.text).len() > 2;
    match (named, closed || own_line, dash) {
        (true, true, _) => 1,
        (true, false, true) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(answer: &str, asked: &[&str]) -> String {
        let written = |text: &str| Written { text: text.to_owned(), ..Written::default() };
        let mut words: Vec<Written> = answer.split(' ').map(written).collect();
        strip(&mut words, asked);
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_a_whole_repetition_is_taken_off() {
        let asked = ["Name the largest organ."];
        assert_eq!(stripped("Name the largest organ. [1] Answer: skin", &asked), "skin");
        assert_eq!(stripped("Name the largest organ: skin", &asked), "skin");
        assert_eq!(stripped("The largest organ is the skin", &asked), "The largest organ is the skin");
        assert_eq!(stripped("Ans - skin", &asked), "skin");
        assert_eq!(stripped("A force acts", &asked), "A force acts");
    }
}
