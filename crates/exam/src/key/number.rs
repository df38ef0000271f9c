//! A number as a marking scheme states it: "4.2 N", "awrt 3.17", "2.4 to 2.6", "5.0 ± 0.2", "1.1(3) × 10^-5 (A)".

use domain::scheme::Number;
use lexicon::english::{joints, numbers};
use signs::number::{Form, Quantity, bound_before};

/// Reads a wording in one form. `loose` allows a noun behind the number ("150 haircuts"), as numeric questions do.
pub(super) fn parse(wording: &str, loose: bool) -> Option<Number> {
    if Quantity::all(wording).is_empty() && !wording.contains(['(', '[']) {
        return None;
    }
    let (text, figures_enough) = without_optional_digits(&without_rounding(wording));
    let text = expected(&text);
    let value = value_side(text, loose)?;
    let (value, rounds) = without_notes(value);
    let found = Quantity::all(&value);
    let number = match found.as_slice() {
        [one] => is_alone(&value, one, loose).then(|| Number {
            value: one.value,
            stated: value.clone(),
            ..Number::default()
        }),
        // "2 and 3" are two answers; only "between 2 and 3" is a range.
        [one, other] if !value.contains(joints::AND) || numbers::BETWEEN.within(&wording.to_lowercase()) => {
            range(&value, one, other, loose)
        }
        _ => None,
    };
    let is_bounded = found.first().is_some_and(|one| bound_before(&value, one.span.start).is_some());
    number.map(|number| Number { rounds, is_bounded, figures_enough, ..number })
}

/// "2.0917 cao to 4 d.p." without what it is rounded to.
fn without_rounding(wording: &str) -> String {
    let mut words: Vec<&str> = wording.split(' ').collect();
    let rounds = |at: usize| {
        let behind = words[at + 1..].join(" ").to_lowercase();
        let number = words[at].trim_start_matches(['(', '[']);
        let is_count = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let glued = number.trim_start_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        let is_glued = number.starts_with(|c: char| c.is_ascii_digit()) && numbers::FIGURES.begin(&glued);
        at > 0 && (is_count && numbers::FIGURES.begin(&behind) || is_glued)
    };
    let Some(at) = (1..words.len()).find(|at| rounds(*at)) else { return wording.to_owned() };
    let led = usize::from(numbers::ROUNDED_TO.has(words[at - 1].trim_start_matches(['(', '['])));
    let opens = words[at - led].starts_with(['(', '[']);
    // What follows the figures stays: "3.2 (2 s.f.) m".
    let end = words[at..].iter().position(|word| word.ends_with([')', ']'])).filter(|_| opens);
    let end = end.map_or(words.len(), |length| at + length + 1);
    words.drain(at - led..end);
    words.join(" ").trim_end().to_owned()
}

/// "read from graph (expected value approximately 24 g)" states the value at its end, and so does "with its unit, accept
/// 3.0 to 3.4 m".
fn expected(text: &str) -> &str {
    let stated = numbers::EXPECTED.iter().find_map(|lead| text.split_once(lead));
    let taken = || {
        let taken = numbers::TAKEN.iter().find_map(|lead| text.split_once(lead));
        taken.filter(|(said, _)| !said.contains(|c: char| c.is_ascii_digit() || c == '='))
    };
    stated.or_else(taken).map_or(text, |(_, value)| value.trim_end_matches(')'))
}

/// What stands behind the last "=", when that is a number: "v = s/t = 4.5 m/s". Several equations are no number, and
/// neither, unless `loose`, is one whose other side has to be worked out: "(x - 7)^2 + y^2 = 20".
fn value_side(text: &str, loose: bool) -> Option<&str> {
    let Some(at) = text.rfind(['=', '≈', '→']) else { return Some(trimmed(text)) };
    let length = text[at..].chars().next().map_or(1, char::len_utf8);
    let before = &text[..at];
    let several = [", ", ";", joints::OR, joints::AND].iter().any(|separator| before.contains(separator));
    let first = before.split('=').next().unwrap_or(before);
    let is_name = first.chars().all(|c| c.is_alphanumeric() || " ()/'_".contains(c));
    let is_result = is_name || (loose && !has_unknowns(first));
    (!several && is_result).then(|| trimmed(&text[at + length..]))
}

/// "0.2 + p + q" has letters among its terms: what it equals is an equation, and no result.
fn has_unknowns(side: &str) -> bool {
    let is_unknown = |term: &str| {
        let letters = term.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        letters.chars().count() == 1 && letters.chars().all(char::is_alphabetic)
    };
    let terms: Vec<&str> = side.split(['+', '-']).map(str::trim).filter(|term| !term.is_empty()).collect();
    terms.len() > 1 && terms.iter().filter(|term| is_unknown(term)).count() > 1
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_end_matches(['.', ';', ','])
}

/// "1.1(3)" wants 1.13 and takes 1.1; "(0000)1111" takes leading noughts or not; "($)5" takes its sign or not.
fn without_optional_digits(text: &str) -> (String, Option<u32>) {
    let mut out = String::with_capacity(text.len());
    let mut enough = None;
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, bracket) = rest.split_at(open);
        let inner = bracket[1..].split(')').next().unwrap_or_default();
        let after = bracket.get(inner.len() + 2..).unwrap_or_default();
        let digits = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
        let follows_number = before.ends_with(|c: char| c.is_ascii_digit()) && before.contains('.');
        out.push_str(before);
        if digits && follows_number {
            let start = out.rfind(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(0, |at| at + 1);
            let significant = out[start..].trim_start_matches(['0', '.']);
            enough = Some(significant.bytes().filter(u8::is_ascii_digit).count().max(1) as u32);
            out.push_str(inner);
        } else if matches!(inner, "$" | "£" | "€" | "+" | "-") {
            out.push_str(inner);
        } else if !(digits && after.starts_with(|c: char| c.is_ascii_digit())) {
            out.push_str(&bracket[..bracket.len() - after.len()]);
        }
        rest = after;
    }
    out.push_str(rest);
    (out, enough)
}

/// The wording without the words that schemes put around a number, and whether they say "rounds to".
fn without_notes(text: &str) -> (String, bool) {
    let mut out = text.to_owned();
    let mut rounds = false;
    for phrase in numbers::ROUNDING.iter() {
        rounds |= remove_phrase(&mut out, phrase);
    }
    for phrase in numbers::NOTES.iter() {
        remove_phrase(&mut out, phrase);
    }
    let trimmed = out.trim_matches([' ', ':', ',', ';', '.']);
    // What is left of "3.17 (awrt)" is an empty pair of brackets.
    let trimmed = trimmed.trim_end_matches("()").trim_end_matches("( )").trim_end();
    let inner = trimmed
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .filter(|inner| !inner.contains('('));
    (inner.unwrap_or(trimmed).to_owned(), rounds)
}

/// Takes a phrase out where it stands as whole words.
fn remove_phrase(text: &mut String, phrase: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some(at) = lower.match_indices(phrase).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let sign = !phrase.starts_with(|c: char| c.is_ascii_alphabetic());
        sign || !(before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphabetic))
    }) else {
        return false;
    };
    text.replace_range(at..at + phrase.len(), "");
    true
}

/// True when nothing but brackets, a noun or punctuation stands beside the number.
fn is_alone(text: &str, quantity: &Quantity, loose: bool) -> bool {
    let before = text[..quantity.span.start].trim();
    let after = text[quantity.span.end..].trim();
    let bracketed = after.starts_with(['(', '[']) && after.ends_with([')', ']']);
    let no_signs =
        |side: &str| side.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | ',' | ':' | '.' | '\''));
    let few_words = |side: &str| no_signs(side) && side.split_whitespace().count() <= 3;
    let glued = text[quantity.number_end..]
        .starts_with(|c: char| c.is_alphabetic() || c == '^' || c == 'π' || c == '√')
        && quantity.unit.is_none()
        && quantity.span.end == quantity.number_end;
    let glued_before =
        text[..quantity.span.start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '√' | '('));
    if glued || glued_before {
        return false;
    }
    let plain = |side: &str| side.is_empty() || side.chars().all(|c| matches!(c, '(' | ')' | '.' | ','));
    (plain(before) || (loose && few_words(before)))
        && (plain(after) || bracketed || (loose && few_words(after)))
}

/// "2.4 to 2.6", "2.4-2.6", "2.4 and 2.6", "5.0 ± 0.2".
fn range(text: &str, one: &Quantity, other: &Quantity, loose: bool) -> Option<Number> {
    let between = text.get(one.span.end..other.span.start)?.trim().trim_matches(['(', ')']).trim();
    let outside_free = is_alone(&text[..one.span.end], one, loose);
    if !outside_free {
        return None;
    }
    let written = |quantity: &Quantity| text[quantity.span.clone()].to_owned();
    if numbers::PLUS_OR_MINUS.has(between) {
        let spread =
            if other.form == Form::Percent { (one.value * other.value).abs() } else { other.value.abs() };
        return Some(Number {
            value: one.value,
            stated: written(one),
            unit_of: one.unit.is_none().then(|| written(other)),
            range: Some((one.value - spread, one.value + spread)),
            ..Number::default()
        });
    }
    // "10-20" and "-" scanned as a sign both mean "to".
    let (low, high) = if between.is_empty() && text[one.span.end..].trim_start().starts_with('-') {
        (one.value, other.value.abs())
    } else if numbers::RANGE_JOINTS.has(between) {
        (one.value, other.value)
    } else {
        return None;
    };
    (low < high).then(|| Number {
        value: f64::midpoint(low, high),
        stated: written(other),
        unit_of: one.unit.is_some().then(|| written(one)),
        range: Some((low, high)),
        ..Number::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_state_numbers_in_many_ways() {
        let key = |text| parse(text, false).unwrap_or_else(|| panic!("{text} states a number"));
        assert_eq!(key("awrt 3.17").value, 3.17);
        assert_eq!(key("2.0917 cao to 4 d.p.").range, None);
        assert_eq!(key("0.63 (2 s.f.)").value, 0.63);
        assert_eq!(key("1.5 to 3").range, Some((1.5, 3.0)));
        assert!(key("awrt 3.17").rounds);
        assert_eq!(key("2.4 to 2.6").range, Some((2.4, 2.6)));
        assert_eq!(key("mass in g or kg, accept 3.0 to 3.4 g").range, Some((3.0, 3.4)));
        assert_eq!(key("any value between 600 and 700 (°C) inclusive").range, Some((600.0, 700.0)));
        assert_eq!(key("5.0 ± 0.5 cm").range, Some((4.5, 5.5)));
        assert_eq!(key("600-700").range, Some((600.0, 700.0)));
        assert_eq!(key("current = 5.1 * 10^-6 / 0.45 = 1.1(3) * 10^-5 (A)").value, 1.13e-5);
        assert_eq!(key("1.1(3)").figures_enough, Some(2));
        assert_eq!(key("(0000)1111").value, 1111.0);
        assert_eq!(key("x = -5").value, -5.0);
        assert_eq!(key("74 (g)").stated, "74 (g)");
        assert_eq!(key("v = 90 (m s^-1)").value, 90.0);
        assert_eq!(key("Δp = 2.5 (kg m s^-1)").value, 2.5);
        assert_eq!(key("1.1 (cm^3 s^-1)").value, 1.1);
        assert_eq!(key("2.4 cm to 2.6").unit_of.as_deref(), Some("2.4 cm"));
        assert_eq!(parse("150 haircuts", true).unwrap().value, 150.0);
        assert_eq!(parse("5000 - 10% = 4500", true).unwrap().value, 4500.0);
        assert_eq!(parse("0.2 + p + q + 0.1 = 1", true), None);
    }

    #[test]
    fn algebra_and_words_are_no_numbers() {
        for text in ["2x + 3", "5π", "3√2", "2^5", "mitosis", "3 + 4", "two more electrons are lost", "x > 5"]
        {
            assert_eq!(parse(text, false), None, "{text}");
        }
    }
}
