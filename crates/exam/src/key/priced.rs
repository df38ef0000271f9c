//! What a scheme says that some answers are worth: "an answer of 0.36 scores 1 mark", "20 (%) = 1 mark".

use domain::marks::Marks;
use domain::scheme::Priced;
use lexicon::Concept;
use lexicon::english::notes;
use signs::form::normal;
use signs::number::Quantity;
use std::ops::Range;

/// The answers whose worth a note says.
pub(super) fn of(note: &str) -> Vec<Priced> {
    let text = normal(note).replace('\n', " ");
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    for verb in verbs(&lower) {
        let Some((marks, end)) = worth(&lower, &verb) else { continue };
        found.extend(answers(&text[from.min(verb.start)..verb.start], marks));
        from = end;
    }
    found
}

/// Where a text speaks of worth, in order.
fn verbs(lower: &str) -> Vec<Range<usize>> {
    let each = |word: &'static str| lower.match_indices(word).map(|(at, word)| at..at + word.len());
    let mut found: Vec<Range<usize>> = notes::SCORES.iter().flat_map(each).collect();
    found.sort_by_key(|verb| verb.start);
    found
}

/// The marks behind the verb and where they end, unless they are given on a condition. A sign of equality is none of
/// worth unless marks are named.
fn worth(lower: &str, verb: &Range<usize>) -> Option<(Marks, usize)> {
    let rest = &lower[verb.end..];
    let word = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    let marks = lexicon::small_number(word).or_else(|| (word == "0").then_some(0))?;
    let behind = rest[word.len()..].trim_start();
    let unit = behind.split(|c: char| !c.is_alphabetic()).next()?;
    let is_named = lexicon::is(Concept::MarkUnit, unit);
    let after = if is_named { behind[unit.len()..].trim_start() } else { behind };
    let is_bare = after.is_empty()
        || after.starts_with(['.', ';', ',', ')']) && !after[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_said = is_named || is_bare && !lower[verb.clone()].contains('=');
    let is_conditional = notes::UNLESS.begin(after);
    let end = lower.len() - after.len();
    (is_said && !is_conditional).then_some((Marks::whole(marks), end))
}

/// The answers that stand before the verb, in the last clause there, where nothing else stands beside them.
fn answers(before: &str, marks: Marks) -> Vec<Priced> {
    let lower = before.to_ascii_lowercase();
    let lead = notes::ANSWER_OF.iter().filter_map(|lead| Some(lower.rfind(lead)? + lead.len())).max();
    let clause = lead.or_else(|| last_break(before)).map_or(before, |at| &before[at..]);
    let is_without_working = notes::WITHOUT_WORKING.within(&clause.to_ascii_lowercase());
    let plain = without_asides(clause);
    // "14/132 * 100 = 10.6": what it comes to.
    let plain = plain.rsplit('=').next().unwrap_or_default();
    let found = Quantity::all(plain);
    let mut outside = plain.to_owned();
    for one in found.iter().rev() {
        outside.replace_range(one.span.clone(), " ");
    }
    let words = outside.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let is_around = |word: &str| notes::AROUND_ANSWERS.has(&word.to_ascii_lowercase());
    if !is_without_working && !words.clone().all(is_around) || outside.contains(['+', '*', '^']) {
        return Vec::new();
    }
    let stated = found.iter().map(|one| plain[one.span.clone()].to_owned());
    stated.map(|stated| Priced { stated, marks, is_without_working }).collect()
}

/// Behind the last sign that ends a clause.
fn last_break(text: &str) -> Option<usize> {
    let ends = text.match_indices([';', ':']).map(|(at, _)| at + 1);
    let sentences = text.match_indices(". ").map(|(at, _)| at + 2);
    ends.chain(sentences).max()
}

/// "0.36 (subtraction)" without what explains it; a unit in brackets stays.
fn without_asides(clause: &str) -> String {
    let mut out = String::with_capacity(clause.len());
    let mut rest = clause;
    while let Some((before, bracket)) = rest.split_once('(') {
        out.push_str(before);
        let Some((inner, after)) = bracket.split_once(')') else { break };
        let is_unit = inner.chars().count() <= 3 && !inner.contains(|c: char| c.is_ascii_digit());
        if is_unit {
            out.push('(');
            out.push_str(inner);
            out.push(')');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priced(note: &str) -> Vec<(String, u32)> {
        let found = of(note).into_iter();
        found.map(|one| (one.stated.trim().to_owned(), one.marks.as_halves() / 2)).collect()
    }

    fn one(stated: &str, marks: u32) -> Vec<(String, u32)> {
        vec![(stated.to_owned(), marks)]
    }

    #[test]
    fn worths_of_answers_are_read_in_their_many_wordings() {
        assert_eq!(priced("an answer of 45 (m) scores 2 marks"), one("45 (m)", 2));
        assert_eq!(priced("0.4 (added instead) scores 0"), one("0.4", 0));
        assert_eq!(priced("20(%) (divided by the new price) = 1 mark for the difference."), one("20(%)", 1));
        assert_eq!(priced("Ignore units.\n7/35 × 100 = 20 is awarded 2\nmarks."), one("20", 2));
        let both = priced("a correct calculation using their R: 0.0075 or 0.015 scores 2 marks");
        assert_eq!(both, [("0.0075".to_owned(), 2), ("0.015".to_owned(), 2)]);
        assert!(of("an answer of 6 with no working scores 1 mark")[0].is_without_working);
    }

    #[test]
    fn conditions_sums_and_other_rulings_price_nothing() {
        for note in [
            "an answer of 12 scores 0 unless a difference is attempted",
            "12 × 4 = 48",
            "Correct answer without working = 2 marks if the unit is given",
            "a comparison of two rivers scores 2 marks",
            "one mark for 36 cm",
            "Level 2 scores 3 marks",
        ] {
            assert!(priced(note).is_empty(), "{note}: {:?}", priced(note));
        }
    }
}
