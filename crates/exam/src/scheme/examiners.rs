//! Lines of a scheme that speak to examiners and are no points: what they say is obeyed elsewhere or is a note.

use super::column::lettered_mark;
use super::phrases::{self, Remark};
use lexicon::Concept;
use lexicon::english::examiners::{
    ANNOUNCEMENTS, BESIDE, CASES, CONDITIONS, IF, LIMITS, MARKING, OBJECTIVES, OPEN_ENDS, OPEN_LEADS,
    POINTS_NAMED, RANGE, RULINGS,
};
use lexicon::english::schemes;

/// Words that a line which lets in more, or announces answers, has at most.
const WORDS_MAX: usize = 8;
/// Words that a heading of points has at most.
const HEADING_WORDS_MAX: usize = 14;

/// True for a line that no answer could say: "Each correct response 1 mark", "Or any similar relevant difference."
pub(super) fn is_addressed(text: &str) -> bool {
    if rules(text) {
        return true;
    }
    let lower = text.trim().to_lowercase();
    // "= 4 marks" may be a sum; a formula is never said to examiners.
    if lower.contains('=') {
        return false;
    }
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    // "Allow 1 mark for a correct way. Acceptable answers include:"
    let led = lower
        .rsplit_once(". ")
        .is_some_and(|(_, last)| last.ends_with(':') && (ANNOUNCEMENTS.begin(last) || announces(last)));
    let is_short = words.len() <= WORDS_MAX;
    let lets_in_more = is_short && opens_end(&lower);
    let told = ANNOUNCEMENTS.begin(&lower) || lexicon::begins_with(Concept::Announces, &lower).is_some();
    let heads = is_short && told && lower.ends_with([':', '.']);
    let limits = (LIMITS.within(&lower) || CONDITIONS.begin(&lower) && has_count(&words))
        && words.iter().any(|word| MARKING.has(word));
    led || lets_in_more || heads || limits || heads_points(&lower, &words) || speaks_of_marking(&words)
}

/// True for a line that rules how answers are marked: "Max 3 if no process is named", "NC natural causes".
pub(super) fn rules(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    if RULINGS.begin(&lower) {
        return true;
    }
    let words: Vec<&str> = lower.split_whitespace().collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let limits = |pair: &[&str]| {
        schemes::MOST.has(pair[0].trim_end_matches('.')) && pair[1].starts_with(|c: char| c.is_ascii_digit())
    };
    let values = |rest: &[&str]| {
        let starts = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
        rest.iter().filter(starts).count() > 1 && !rest.contains(&"=")
    };
    match words.as_slice() {
        [name, rest @ ..] if RANGE.has(name) => values(rest),
        // "If the first answer is wrong: max. 1/4."
        [case, rest @ ..] if IF.has(case) && rest.windows(2).any(limits) => true,
        [most, count, case, ..] if schemes::MOST.has(most) => is_number(count) && CASES.has(case),
        // "1 mark each. Buildings alone earn nothing."
        [count, unit, each, ..] => {
            is_number(count)
                && lexicon::is(Concept::MarkUnit, unit)
                && each.ends_with('.')
                && lexicon::is(Concept::Each, each.trim_end_matches('.'))
        }
        _ => false,
    }
}

/// True for a line that lets in what the scheme does not list: "Any other valid reason".
pub(super) fn lets_in_more(text: &str) -> bool {
    text.split_whitespace().count() <= WORDS_MAX && opens_end(&text.trim().to_lowercase())
}

/// True for a heading below which the answers stand: "Possible answers:".
pub(super) fn announces(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    lower.ends_with(':') && lexicon::begins_with(Concept::Announces, &lower).is_some()
}

fn opens_end(lower: &str) -> bool {
    let led = OPEN_LEADS.after(lower).unwrap_or(lower);
    OPEN_ENDS.begin(led) || lexicon::begins_with(Concept::OpenEnd, led).is_some()
}

/// "advantages:", "An explanation that links the following three points".
fn heads_points(lower: &str, words: &[&str]) -> bool {
    let named = words.last().is_some_and(|word| POINTS_NAMED.has(word));
    let follow = named && words.iter().any(|word| schemes::FOLLOWING.has(word));
    words.len() <= HEADING_WORDS_MAX
        && (lower.ends_with(':') || follow || lower.starts_with('©') || (named && words.len() == 1))
}

/// True for a line, in lower case, that heads examples: "For example:", "Correct code: SELECT …".
pub(super) fn heads_examples(lower: &str) -> bool {
    let rest = schemes::EXAMPLE_HEADINGS.after(lower).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// "Maximum of 2 marks if only one side is considered"
fn has_count(words: &[&str]) -> bool {
    words
        .windows(2)
        .any(|pair| lexicon::small_number(pair[0]).is_some() && lexicon::is(Concept::MarkUnit, pair[1]))
}

/// A line of nothing but numbers, words without meaning, and words about marking.
fn speaks_of_marking(words: &[&str]) -> bool {
    words.len() > 1 && words.iter().any(|word| is_about_marking(word)) && only_rate(words)
}

/// True for words that say how good an answer is and nothing of its subject: "Response about half-right", "Correct".
pub(super) fn rates(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().any(|word| is_about_marking(word)) && only_rate(&words)
}

/// True for a word that names what is credited or how far, which no answer has to say.
pub(super) fn names_credit(word: &str) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphabetic());
    let is_label = lettered_mark(word).is_some() || word.starts_with(lexicon::notation::MARK_POINT);
    let remarks = phrases::remark(bare).0 != Remark::Note;
    is_label
        || remarks
        || bare.is_empty()
        || MARKING.has(bare)
        || OBJECTIVES.has(bare)
        || lexicon::is_stop_word(bare)
}

fn only_rate(words: &[&str]) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut said = words.iter().filter(|word| !is_number(word) && !lexicon::is_stop_word(word)).peekable();
    let is_beside = |word: &str| BESIDE.has(word) || lexicon::is(Concept::RatesBeside, word);
    said.peek().is_some() && said.all(|word| is_about_marking(word) || is_beside(word))
}

fn is_about_marking(word: &str) -> bool {
    MARKING.has(word) || lexicon::is(Concept::Rates, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_examiners_is_no_point() {
        for line in [
            "Each correct response 1 mark",
            "Correct answer without working = 2.",
            "Max 3 if no process is named. Credit labels.",
            "1 mark each. ‘Farming’ alone NC.",
            "Not “it works” alone.",
            "If the first answer is wrong: max. 1/4.",
            "Range: 3,49 – 3,51 m",
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
            "Allow 1 mark for a correct way of saving. Possible responses include, among others:",
            "e.g.",
            "advantages:",
            "An explanation that links the following three points",
            "points:",
            "Maximum of 2 marks if only the price or only the cost is considered.",
            "Je richtige Antwort 1 Punkt",
            "Andere sinnvolle Begründungen",
            "Mögliche Antworten:",
            "1 point par réponse juste",
            "Toute autre réponse cohérente.",
            "Cada respuesta correcta 1 punto",
            "Qualquer outra resposta válida",
            "Un punto per ogni risposta corretta",
            "Voorbeelden van juiste antwoorden:",
            "Annat rimligt svar",
            "1 pkt za każdą poprawną odpowiedź",
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
            "maximum of the curve at 2",
            "key: the colour of each line",
            "correct",
            "The explanation is that warm air rises",
            "two carbon atoms",
            "a sample of answers is biased",
            "good communication with customers",
            "die richtige Reihenfolge ist Blatt, Stamm, Wurzel",
            "la réponse de la plante à la lumière",
            "un punto de fusión alto",
            "andere Ionen wandern zur Kathode",
            "Range: 12",
            "Range: 12 – 5 = 7",
            "must have a unique value",
            "Nb is a metal",
            "No credit was given to small farmers",
            "Answers could include: cost and speed of the machine, noise, waste, jobs",
        ] {
            assert!(!is_addressed(line), "{line}");
        }
    }
}
