//! Lines of a scheme that speak to examiners and are no points: what they say is obeyed elsewhere or is a note.

use lexicon::english::examiners::{ANNOUNCEMENTS, BESIDE, LIMITS, MARKING, OPEN_ENDS, OPEN_LEADS};

/// Words that a line which lets in more, or announces answers, has at most.
const WORDS_MAX: usize = 8;

/// True for a line that no answer could say: "Each correct response 1 mark", "Or any similar relevant difference."
pub(super) fn is_addressed(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    // "= 4 marks" may be a sum; a formula is never said to examiners.
    if lower.contains('=') {
        return false;
    }
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let is_short = words.len() <= WORDS_MAX;
    let led = OPEN_LEADS.after(&lower).unwrap_or(&lower);
    let lets_in_more = is_short && OPEN_ENDS.begin(led);
    let announces = is_short && ANNOUNCEMENTS.begin(&lower) && lower.ends_with([':', '.']);
    let limits = LIMITS.within(&lower) && words.iter().any(|word| MARKING.has(word));
    lets_in_more || announces || limits || speaks_of_marking(&words)
}

/// A line of nothing but numbers, words without meaning, and words about marking.
fn speaks_of_marking(words: &[&str]) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut said = words.iter().filter(|word| !is_number(word) && !lexicon::is_stop_word(word)).peekable();
    words.len() > 1
        && said.peek().is_some()
        && words.iter().any(|word| MARKING.has(word))
        && said.all(|word| MARKING.has(word) || BESIDE.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_examiners_is_no_point() {
        for line in [
            "Each correct response 1 mark",
            "First full correct response 2 marks Each additional correct response 1 mark",
            "Good description - clear information 2 marks",
            "Very good explanation - clear understanding demonstrated Fair explanation - limited understanding",
            "Correct decision 1 mark Justification/Reason 1 mark",
            "Or any similar relevant difference.",
            "Any relevant task.",
            "or any other valid solution",
            "distinct hazard written to a maximum of 2 marks",
            "Award a maximum of one additional mark per elaboration where applicable.",
            "Possible responses include:",
            "e.g.",
        ] {
            assert!(is_addressed(line), "{line}");
        }
    }

    #[test]
    fn what_an_answer_can_say_is_a_point() {
        for line in [
            "limited information",
            "One mark for correct left hand nibble",
            "One mark for working clearly shown",
            "Correct use of the past tense",
            "any other metal would react with the acid and give off hydrogen gas",
            "full employment",
            "maximum profit where MC = MR",
            "correct",
            "The explanation is that warm air rises",
            "two carbon atoms",
            "a sample of answers is biased",
            "good communication with customers",
        ] {
            assert!(!is_addressed(line), "{line}");
        }
    }
}
