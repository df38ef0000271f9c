//! Tags of assessment objectives: "AO1", "AO2 1.1b", "AFB II". They tell what is assessed and are no words of an answer.

use lexicon::Concept;

/// A text without its tags, as it was where it has none.
pub(super) fn without(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        match tag(&words[at..]) {
            // "AO2: apply knowledge to a new case" heads what is said of the objective itself.
            Some(count) if at > 0 || !words[0].ends_with(':') => at += count,
            _ => {
                kept.push(words[at]);
                at += 1;
            }
        }
    }
    if kept.len() == words.len() { text.to_owned() } else { kept.join(" ") }
}

/// True for a word that is the tag of an objective and nothing else.
pub(super) fn is_tag(word: &str) -> bool {
    objective(word).is_some_and(|code| !code.is_empty())
}

/// How many words the tag takes up that a text begins with, with what is counted for it: "AO1 = 2", "AO2.1 (3),".
fn tag(words: &[&str]) -> Option<usize> {
    let code = objective(words.first()?)?;
    let mut count = if code.is_empty() {
        words.get(1).filter(|next| is_numeral(bare(next)))?;
        2
    } else {
        1
    };
    // "AO2 1a/1b", "AO1 2a, 2b and AO2 1b": strands without a point.
    let short = |at: usize| words.get(at).is_some_and(|next| is_short_strand(bare(next)));
    while count <= STRANDS_MAX && short(count) {
        let joins = words.get(count + 1).is_some_and(|next| lexicon::is(Concept::And, &next.to_lowercase()));
        let more = joins && words.get(count + 2).is_some_and(|next| objective(next).is_some());
        count += 1 + usize::from(more);
    }
    let number = |word: &&&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let bracketed = |word: &str| word.starts_with('(') && number(&&bare(word));
    if words.get(count).is_some_and(|next| is_strand(bare(next)) || bracketed(next)) {
        count += 1;
    }
    match &words[count..] {
        [sign, own, ..] if matches!(*sign, "=" | ":") && number(&&bare(own)) => count += 2,
        // "AO1 2 AO2 3": what each objective earns.
        [own] if number(&own) => count += 1,
        [own, next, ..] if number(&own) && objective(next).is_some() => count += 1,
        _ => {}
    }
    Some(count)
}

/// What stands behind the name of an objective in its word: "1" of "(AO1)", nothing of "AFB".
fn objective(word: &str) -> Option<String> {
    let lower = bare(word).to_lowercase();
    let code = lexicon::without_prefix(Concept::Objective, &lower)?;
    let whole = code.is_empty() || (code.starts_with(|c: char| c.is_ascii_digit()) && is_code(code));
    whole.then(|| code.to_owned())
}

fn bare(word: &str) -> &str {
    word.trim_matches(['(', ')', '[', ']', ',', ';', ':', '.', '–', '-'])
}

/// "1", "2.1a", "1/2"
fn is_code(text: &str) -> bool {
    const LONGEST: usize = 6;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let known = |c: char| c.is_ascii_digit() || matches!(c, '.' | '/');
    text.len() <= LONGEST && text.len() - digits.len() <= 1 && digits.chars().all(known)
}

/// "1.1b": a strand of an objective.
fn is_strand(text: &str) -> bool {
    is_code(text) && text.contains('.') && text.ends_with(|c: char| c.is_ascii_lowercase())
}

/// A tag names no more strands.
const STRANDS_MAX: usize = 4;

/// "1a", "1a/1b"
fn is_short_strand(text: &str) -> bool {
    let strand = |own: &str| matches!(own.as_bytes(), [b'1'..=b'9', b'a'..=b'f']);
    !text.is_empty() && text.split('/').all(strand)
}

fn is_numeral(text: &str) -> bool {
    let roman = !text.is_empty() && text.len() <= 3 && text.chars().all(|c| matches!(c, 'I' | 'V'));
    roman || (text.len() == 1 && text.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_off() {
        for (text, wanted) in [
            ("the rate doubles AO2 1.1b", "the rate doubles"),
            ("AO1 a definition (1)", "a definition (1)"),
            ("AO1.1 (2), AO2.1 (3),", ""),
            ("AO1 = 2 AO3 = 4", ""),
            ("AO1 2 AO2 3", ""),
            ("AO1 2a, 2b and AO2 1b", ""),
            ("AO2 1a/1b the rate doubles", "the rate doubles"),
            ("Die Steigung wird bestimmt (AFB II)", "Die Steigung wird bestimmt"),
        ] {
            assert_eq!(without(text), wanted, "{text}");
        }
    }

    #[test]
    fn other_words_stay() {
        for text in [
            "AO2: apply knowledge to a case",
            "Aorta  and vein",
            "AO levels",
            "the AFB was founded",
            "CaO 2 mol",
        ] {
            assert_eq!(without(text), text);
        }
    }
}
