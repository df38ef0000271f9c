//! Which number of an answer is the answer, and whether it is right.

use super::compare::{Context, compare};
use super::key::NumberKey;
use super::misread;
use crate::builtin::verdict::{LENIENT, NEVER, Reason, STANDARD, Verdict};
use lexicon::english::numbers;
use signs::number::Quantity;
use signs::number::bound_before;
use std::ops::Range;

/// Judges an answer by one number. `isw` ("ignore subsequent working") lets a right result stand whatever follows.
pub(crate) fn judge(key: &NumberKey, answer: &str, context: Context<'_>, isw: bool) -> Verdict {
    let verdict = judge_as_read(key, answer, context, isw);
    if verdict.grant > NEVER {
        return verdict;
    }
    let readings = misread::readings(answer, key.stated.unit);
    readings.iter().fold(verdict, |verdict, (again, sure)| {
        let second = judge_as_read(key, again, context, isw).at_most(STANDARD, Reason::Form);
        verdict.or(Verdict { confidence: second.confidence.min(*sure), ..second })
    })
}

fn judge_as_read(key: &NumberKey, answer: &str, context: Context<'_>, isw: bool) -> Verdict {
    let Some(last) = conclusion(answer) else { return Verdict::refused(0.9, Some(Reason::OtherValue)) };
    let verdict = judge_conclusion(key, answer, &last, context);
    if verdict.grant > NEVER || !isw {
        return verdict;
    }
    results(answer)
        .into_iter()
        .flat_map(|result| std::iter::once(result.clone()).chain(items(answer, result)))
        .map(|result| judge_conclusion(key, answer, &result, context))
        .fold(verdict, Verdict::or)
}

/// The student's own final number, when there is just one. Others may follow on from it.
pub(crate) fn final_value(answer: &str) -> Option<Quantity> {
    let conclusion = conclusion(answer)?;
    let mut found = quantities(answer, &conclusion);
    (found.len() == 1).then(|| found.remove(0))
}

/// Every stretch of the answer that states a result: behind an "=", or a line of its own.
pub(crate) fn results(answer: &str) -> Vec<Range<usize>> {
    lines(answer)
        .flat_map(|line| sides(answer, line))
        .filter(|side| !quantities(answer, side).is_empty())
        .collect()
}

/// "186, 190 - 179": what commas part, where they part anything.
fn items(answer: &str, stretch: Range<usize>) -> Vec<Range<usize>> {
    let mut start = stretch.start;
    let mut found = Vec::new();
    for piece in answer[stretch].split(", ") {
        found.push(start..start + piece.len());
        start += piece.len() + ", ".len();
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The stretch of the answer that states its final result.
fn conclusion(answer: &str) -> Option<Range<usize>> {
    let with_number = |line: &Range<usize>| !quantities(answer, line).is_empty();
    let lines: Vec<Range<usize>> = lines(answer).filter(with_number).collect();
    let announced = lines.iter().rev().find(|line| {
        let text = answer[(*line).clone()].to_lowercase();
        numbers::ANNOUNCING.begin(text.trim_start())
    });
    let line = announced.or_else(|| lines.last())?;
    sides(answer, line.clone()).into_iter().rev().find(with_number)
}

/// Lines, and sentences that end with a result: "in May 8 of 20 = 40%. In June 15 of 20 = 75%."
fn lines(answer: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let ends = |at: usize, c: char| match c {
        '\n' | ';' => true,
        '.' => {
            let mut behind = answer[at + 1..].chars();
            behind.next() == Some(' ')
                && behind.next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
                && answer[..at].ends_with(|c: char| c.is_alphanumeric() || c == '%' || c == ')')
        }
        _ => false,
    };
    let stops = answer.char_indices().filter(move |(at, c)| ends(*at, *c)).map(|(at, _)| at);
    let mut start = 0;
    stops.chain([answer.len()]).map(move |stop| {
        let range = start..stop.max(start);
        start = (stop + 1).min(answer.len());
        range
    })
}

/// A line cut at its signs of equality and at the words that conclude.
fn sides(answer: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut sides = Vec::new();
    let mut start = line.start;
    let text = &answer[line.clone()];
    let signs = text.match_indices(['=', '≈', '→', '∴']).map(|(at, sign)| at..at + sign.len());
    let words = numbers::CONCLUDING.iter().flat_map(|word| {
        let found = text.match_indices(word).map(|(at, word)| at..at + word.len());
        // "so many": a number, or what it is of, must follow.
        found.filter(|word| text[word.end..].contains(|c: char| c.is_ascii_digit()))
    });
    let mut cuts: Vec<Range<usize>> = signs.chain(words).collect();
    cuts.sort_by_key(|cut| cut.start);
    for cut in cuts {
        if line.start + cut.start < start {
            continue;
        }
        sides.push(start..line.start + cut.start);
        start = line.start + cut.end;
    }
    sides.push(start..line.end);
    sides
}

/// So many characters behind a number can say how it was rounded.
const ROUNDED_REACH: usize = 16;
/// A longer bracket is no aside. Both keep the work within bounds, however many numbers a line has.
const ASIDE_REACH: usize = 200;

fn quantities(answer: &str, stretch: &Range<usize>) -> Vec<Quantity> {
    let text = &answer[stretch.clone()];
    let mut found = Quantity::all(text);
    // "110 s to 2 s.f.": how it was rounded is no result.
    let rounds = |one: &Quantity| {
        let behind: String = text[one.number_end..].trim_start().chars().take(ROUNDED_REACH).collect();
        numbers::FIGURES.begin(&behind.to_lowercase())
    };
    found.retain(|one| !rounds(one));
    // "2.09 (the root of 4.37)": what a bracket explains is no second answer.
    let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
    let is_aside = |one: &Quantity| {
        let from = text.floor_char_boundary(one.span.start.saturating_sub(ASIDE_REACH));
        let before = &text[from..one.span.start];
        let open = before.rfind('(').filter(|open| !before[*open..].contains(')'));
        let to = text.floor_char_boundary((one.span.end + ASIDE_REACH).min(text.len()));
        let inner = open.and_then(|open| text[from + open + 1..to].split(')').next());
        inner.is_some_and(|inner| inner.split_whitespace().any(is_word))
    };
    if found.iter().any(|one| !is_aside(one)) {
        found.retain(|one| !is_aside(one));
    }
    // "so one is 6 hours": words count only where no figures do.
    if found.iter().any(|one| one.form != super::Form::Word) {
        found.retain(|one| one.form != super::Form::Word || one.unit.is_some());
    }
    for quantity in &mut found {
        quantity.span = quantity.span.start + stretch.start..quantity.span.end + stretch.start;
        quantity.number_end += stretch.start;
    }
    found
}

fn judge_conclusion(key: &NumberKey, answer: &str, stretch: &Range<usize>, context: Context<'_>) -> Verdict {
    let found = quantities(answer, stretch);
    let text = &answer[stretch.clone()];
    match found.as_slice() {
        [] => Verdict::refused(0.9, Some(Reason::OtherValue)),
        [one] if !key.is_bounded && bound_before(answer, one.span.start).is_some() => {
            Verdict::refused(0.85, Some(Reason::OtherValue))
        }
        [one] if is_term_of_expression(answer, one) => Verdict::refused(0.8, Some(Reason::OtherValue)),
        // "one of the reasons" says no number.
        [one] if one.form == super::Form::Word && text.split_whitespace().count() > PROSE_WORDS_MIN => {
            one_value(key, one, context).at_most(LENIENT, Reason::Form)
        }
        [one] => one_value(key, one, context),
        [whole, decimals] if is_decimal_comma(answer, whole, decimals, key) => {
            let digits = decimals.number_end - decimals.span.start;
            let sign = if whole.value < 0.0 { -1.0 } else { 1.0 };
            let value = whole.value + sign * decimals.value / 10_f64.powi(digits as i32);
            let places = digits as u32;
            let joined = Quantity {
                value,
                places,
                figures: whole.figures + places,
                form: super::Form::Decimal,
                ..decimals.clone()
            };
            one_value(key, &joined, context)
        }
        several => several_values(key, several, text, answer, context),
    }
}

/// So many words around a number word make a sentence.
const PROSE_WORDS_MIN: usize = 5;

fn one_value(key: &NumberKey, written: &Quantity, context: Context<'_>) -> Verdict {
    let (grant, reason) = compare(key, written, context);
    let confidence = match (grant, &reason) {
        (NEVER, Some(Reason::UnitWrong | Reason::Figures)) => 0.8,
        (NEVER, _) => 0.95,
        (_, Some(Reason::UnitMissing)) => 0.85,
        (grant, _) if grant < crate::builtin::verdict::ALWAYS => 0.75,
        _ => 0.97,
    };
    Verdict {
        grant,
        confidence,
        evidence: vec![written.span.clone()],
        reason: reason.filter(|_| grant < crate::builtin::verdict::ALWAYS),
        ..Verdict::default()
    }
}

/// Several numbers in one result: right when they agree, none when they are offered as a choice.
fn several_values(
    key: &NumberKey,
    several: &[Quantity],
    text: &str,
    answer: &str,
    context: Context<'_>,
) -> Verdict {
    if let (true, [low, high]) = (key.range.is_some(), several)
        && is_span(&answer[low.number_end..high.number_end])
    {
        // A dash between two numbers is no sign of the second, and a unit behind it belongs to both.
        let value = if low.value < 0.0 { high.value } else { high.value.abs() };
        let low = Quantity { unit: low.unit.or(high.unit), ..low.clone() };
        let high = Quantity { value, ..high.clone() };
        let [one, other] = [low, high].map(|end| one_value(key, &end, context));
        return if one.grant <= other.grant { one } else { other };
    }
    if let Some(written) = misread::slipped_power(answer, several) {
        let slipped = one_value(key, &written, context).at_most(STANDARD, Reason::Form);
        if slipped.grant > NEVER {
            return Verdict { confidence: misread::DIGITS_CONFIDENCE, ..slipped };
        }
    }
    if several.windows(2).any(|pair| is_sum(&answer[pair[0].span.end..pair[1].span.start])) {
        // A sum that was not worked out is not yet an answer.
        return Verdict::refused(0.8, Some(Reason::Form));
    }
    let verdicts: Vec<Verdict> = several.iter().map(|one| one_value(key, one, context)).collect();
    let right = verdicts.iter().filter(|verdict| verdict.grant > NEVER).count();
    let best = verdicts.iter().cloned().reduce(Verdict::or);
    let Some(best) = best.filter(|_| right > 0) else {
        return Verdict::refused(0.9, Some(Reason::OtherValue));
    };
    if verdicts.iter().all(|verdict| verdict.grant == best.grant) || agree(several) {
        return best;
    }
    let worse = |verdict: &Verdict| verdict.grant < best.grant;
    let rivals = several.iter().zip(&verdicts).any(|(one, verdict)| worse(verdict) && is_rival(key, one));
    let offered = several.windows(2).any(|pair| is_choice(&answer[pair[0].span.end..pair[1].span.start]));
    if offered && rivals {
        return Verdict { evidence: best.evidence, ..Verdict::refused(0.9, Some(Reason::SeveralAnswers)) };
    }
    let wordy = text
        .split_whitespace()
        .filter(|word| word.chars().all(char::is_alphabetic) && word.len() > 1)
        .count()
        >= 3;
    match (rivals, wordy) {
        (false, _) => Verdict { confidence: 0.8, ..best },
        (true, true) => Verdict { confidence: 0.6, ..best.at_most(STANDARD, Reason::SeveralAnswers) },
        (true, false) => {
            Verdict { evidence: best.evidence, ..Verdict::refused(0.75, Some(Reason::SeveralAnswers)) }
        }
    }
}

/// "600 - 700", "600 °C to 700": what stands between the end of one number and the end of the other.
pub(super) fn is_span(between: &str) -> bool {
    let joint = between.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    joint.trim_end().ends_with('-') || joint.split_whitespace().any(|word| numbers::SPAN.has(word))
}

/// The same value twice: "1/2 (0.5)", "3.14159 (3.14)".
fn agree(several: &[Quantity]) -> bool {
    let first = several[0].value;
    several.iter().all(|one| (one.value - first).abs() <= first.abs() * 0.005)
}

/// A number that could be the answer too: it measures the same thing.
fn is_rival(key: &NumberKey, other: &Quantity) -> bool {
    match (key.stated.unit, other.unit) {
        (Some(wanted), Some(unit)) => wanted.measures_as(unit),
        _ => true,
    }
}

fn is_choice(between: &str) -> bool {
    numbers::OFFERED.has(between.trim())
}

fn is_sum(between: &str) -> bool {
    matches!(between.trim(), "+" | "-" | "*" | "/" | "÷" | "x" | "X" | ":" | ")(" | "+(" | "*(" | "^")
}

/// "3x" or "√3" holds a number and is none.
fn is_term_of_expression(answer: &str, one: &Quantity) -> bool {
    let after = &answer[one.number_end..];
    let variable = one.unit.is_none()
        && one.span.end == one.number_end
        && after.starts_with(|c: char| c.is_alphabetic() || matches!(c, '√' | '^'))
        && one.form != super::Form::Word;
    // "n > 7" does not say that n is 7.
    let before = answer[..one.span.start].trim_end_matches(' ');
    let root = before.ends_with(['√', '^', '<', '>', '≤', '≥', '≠']);
    variable || root
}

/// "3,5" for 3.5, where the key has a decimal.
fn is_decimal_comma(answer: &str, whole: &Quantity, decimals: &Quantity, key: &NumberKey) -> bool {
    &answer[whole.span.end..decimals.span.start] == ","
        && !key.stated.is_whole()
        && whole.form == super::Form::Integer
        && decimals.form == super::Form::Integer
}
