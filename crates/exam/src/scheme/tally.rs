//! Codes that say what an answer earns, each number with the letter of its unit: "5m + 5m", "2(3m)", "10m (2@5m (3+2))",
//! "6m (2+2+2)", "3m//3m".

use super::EntryLine;
use super::lists::is_broken;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::schemes;

/// No part has more of them, and none is worth more.
const SHARES_MAX: u32 = 20;
const SHARE_MAX: u32 = 50;
/// Longer words are no code.
const LENGTH_MAX: usize = 40;
/// The letter for marks, where a scheme writes them so.
const UNIT: char = schemes::CODE_UNIT;
/// Parts what earns marks by itself from the next, where a stroke alone parts wordings.
const APART: &str = "//";
/// Parts wordings.
const STROKE: &str = " / ";

/// What each share of such a code is worth; none where a text is no code.
pub(super) fn shares(text: &str) -> Option<Vec<u32>> {
    let code: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if code.len() > LENGTH_MAX || !code.contains(UNIT) || !code.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (found, rest) = sum(&code, true)?;
    let explained = || {
        let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
        is_closed(inner).then(|| sum(inner, false).map(|(own, _)| own))
    };
    if rest.is_empty() {
        return Some(found);
    }
    // What the marks are made of stands behind them; it may leave some out.
    let own = explained()?.filter(|own| own.iter().sum::<u32>() == found.iter().sum::<u32>());
    Some(own.unwrap_or(found))
}

/// The terms of a sum in a column of marks, "6 + 3" and "5 × 3": what the first right answer earns, the second and so on.
fn terms(text: &str) -> Option<Vec<u32>> {
    const TERMS_MAX: usize = 12;
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let number = |term: &str| term.parse::<u32>().ok().filter(|number| (1..=50).contains(number));
    if let Some((count, each)) = plain.split_once(['×', 'x']) {
        let count = number(count).filter(|count| *count as usize <= TERMS_MAX)?;
        return Some(vec![number(each)?; count as usize]).filter(|terms| terms.len() > 1);
    }
    let terms: Vec<u32> = plain.split('+').map(number).collect::<Option<_>>()?;
    (2..=TERMS_MAX).contains(&terms.len()).then_some(terms)
}

/// True for a text with a number in brackets.
fn prices_inside(text: &str) -> bool {
    let inner = text.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    inner.into_iter().any(|inner| inner.contains(|c: char| c.is_ascii_digit()))
}

/// What such a code comes to.
pub(super) fn total(text: &str) -> Option<Marks> {
    shares(text).map(|shares| Marks::whole(shares.into_iter().sum()))
}

/// The lines with what stands between double strokes, or was broken by hand, on lines of its own, each with its share of
/// the code beside it; where more can be said than the code has equal shares, any of them earn one.
pub(super) fn apart(lines: Vec<EntryLine>, whole: Option<Marks>) -> Vec<EntryLine> {
    // "(allow 3 for three points)" is said of a line that others know how to read.
    let is_plain = !lines.iter().any(|line| prices_inside(&line.answer));
    let coded = |line: &EntryLine| shares(&line.marks).or_else(|| terms(&line.marks).filter(|_| is_plain));
    let codes: Vec<Vec<u32>> = lines.iter().filter_map(coded).collect();
    let ([own], true) = (codes.as_slice(), lines.iter().all(|line| line.guidance.is_empty())) else {
        return lines;
    };
    // "6 + 3" beside two lines: each of them is one.
    let said = || lines.iter().filter(|line| !line.repeats_question && !line.answer.trim().is_empty());
    let by_line = said().count() == own.len() && lines.iter().any(|line| terms(&line.marks).is_some());
    let pieces = match by_line {
        true => said().map(|line| line.answer.trim().to_owned()).collect(),
        false => unlimited(pieces(&lines)),
    };
    let sum = Marks::whole(own.iter().sum());
    let equal = own.windows(2).all(|pair| pair[0] == pair[1]);
    // Of a plain sum each term is one line's: more lines may be one that wraps.
    let is_code = lines.iter().any(|line| shares(&line.marks).is_some());
    let picks = is_code && pieces.len() > own.len() && equal && own.len() > 1;
    let fits = pieces.len() > 1 && (pieces.len() == own.len() || picks);
    if whole != Some(sum) || !fits {
        return lines;
    }
    let model = lines[0].clone();
    let line = |answer: String, marks: String| EntryLine {
        answer,
        marks,
        strong: Vec::new(),
        repeats_question: false,
        ..model.clone()
    };
    let head = picks.then(|| line(schemes::any_of(own.len()), String::new()));
    let price = |at: usize| if picks { String::new() } else { own[at].to_string() };
    let points = pieces.iter().enumerate().map(|(at, piece)| line(format!("• {piece}"), price(at)));
    head.into_iter().chain(points).collect()
}

/// The pieces without "Any two" at the end of the last: where it limits a single one, strokes part what may be said.
fn unlimited(mut pieces: Vec<String>) -> Vec<String> {
    let Some(last) = pieces.pop() else { return pieces };
    let said = without_limit(&last).to_owned();
    let is_limited = said != last;
    pieces.extend(Some(said).filter(|said| !said.is_empty()));
    match pieces.as_slice() {
        [only] if is_limited => only.split(STROKE).map(str::to_owned).collect(),
        _ => pieces,
    }
}

/// What stands between double strokes; without one, the lines, each with those that go on with it.
fn pieces(lines: &[EntryLine]) -> Vec<String> {
    let said: Vec<&EntryLine> = lines.iter().filter(|line| !line.repeats_question).collect();
    let joined = said.iter().map(|line| line.answer.trim()).collect::<Vec<_>>().join(" ");
    if joined.contains(APART) {
        return joined.split(APART).map(|piece| piece.trim().to_owned()).collect();
    }
    let mut pieces: Vec<String> = Vec::new();
    let mut before: Option<&EntryLine> = None;
    for line in said {
        let begins = before.is_none_or(|before| is_broken(before.free, line));
        match pieces.last_mut().filter(|_| !begins) {
            Some(piece) => {
                piece.push(' ');
                piece.push_str(line.answer.trim());
            }
            None => pieces.push(line.answer.trim().to_owned()),
        }
        before = Some(line);
    }
    pieces
}

/// "diagram Any two" without the limit, which the code says already.
fn without_limit(piece: &str) -> &str {
    let start = |back: usize| piece.rmatch_indices(' ').nth(back).map(|(at, _)| at);
    let cut = start(1).unwrap_or(0);
    let mut words = piece[cut..].split_whitespace();
    let any = words.next().is_some_and(|any| lexicon::is(Concept::Any, &any.to_lowercase()));
    let counts = words.next().is_some_and(|number| lexicon::small_number(&number.to_lowercase()).is_some());
    if any && counts { piece[..cut].trim() } else { piece }
}

/// How many words at the end of a line are such a code; it may be parted by white.
pub(super) fn words_at_end(texts: &[&str]) -> usize {
    const WORDS_MAX: usize = 9;
    let longest = texts.len().min(WORDS_MAX);
    let is_code = |count: &usize| shares(&texts[texts.len() - count..].concat()).is_some();
    (1..=longest).rev().find(is_code).unwrap_or(0)
}

/// True for what may explain a code in brackets: numbers, their letter, and what adds and closes.
fn is_closed(inner: &str) -> bool {
    let counts = |sign: char| inner.matches(sign).count();
    let plain = |c: char| c.is_ascii_digit() || matches!(c, UNIT | '@' | '+' | '(' | ')' | '/' | ',' | '×');
    inner.starts_with(|c: char| c.is_ascii_digit()) && inner.chars().all(plain) && counts('(') == counts(')')
}

/// The terms of a sum and what stands behind them. In brackets the letter may go without saying.
fn sum(code: &str, needs_unit: bool) -> Option<(Vec<u32>, &str)> {
    let (mut found, mut rest) = term(code, needs_unit)?;
    while let Some(next) = rest.strip_prefix('+').or_else(|| rest.strip_prefix(APART)) {
        let (own, behind) = term(next, needs_unit)?;
        found.extend(own);
        rest = behind;
    }
    let counts = u32::try_from(found.len()).is_ok_and(|count| count <= SHARES_MAX);
    (counts && found.iter().all(|share| (1..=SHARE_MAX).contains(share))).then_some((found, rest))
}

/// "5m", "2(3m)", "2@5m": one share, or several that are worth the same.
fn term(code: &str, needs_unit: bool) -> Option<(Vec<u32>, &str)> {
    let (first, rest) = number(code)?;
    let times = |each: u32| vec![each; first.min(SHARES_MAX + 1) as usize];
    if let Some(inner) = rest.strip_prefix('(')
        && let Some((each, behind)) = number(inner)
        && let Some(behind) = behind.strip_prefix(UNIT).and_then(|behind| behind.strip_prefix(')'))
    {
        return Some((times(each), behind));
    }
    if let Some(inner) = rest.strip_prefix(['@', '×']) {
        let (each, behind) = number(inner)?;
        return Some((times(each), unit(behind, needs_unit)?));
    }
    Some((vec![first], unit(rest, needs_unit)?))
}

fn unit(rest: &str, is_needed: bool) -> Option<&str> {
    rest.strip_prefix(UNIT).or_else(|| (!is_needed).then_some(rest))
}

fn number(code: &str) -> Option<(u32, &str)> {
    let end = code.find(|c: char| !c.is_ascii_digit()).unwrap_or(code.len());
    let value = code[..end].parse().ok().filter(|value| (1..=SHARE_MAX).contains(value))?;
    Some((value, &code[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_shares() {
        for (code, wanted) in [
            ("5m", &[5][..]),
            ("5m + 5m", &[5, 5]),
            ("2(3m)", &[3, 3]),
            ("2(3m) + 3m", &[3, 3, 3]),
            ("10m (2@5m (3+2))", &[5, 5]),
            ("6m (2+2+2)", &[2, 2, 2]),
            ("6m (2+2)", &[6]),
            ("3m//3m", &[3, 3]),
            ("9m + 4(4m)", &[9, 4, 4, 4, 4]),
        ] {
            assert_eq!(shares(code).as_deref(), Some(wanted), "{code}");
        }
    }

    #[test]
    fn sums_and_products_have_terms() {
        assert_eq!(terms("6 + 3"), Some(vec![6, 3]));
        assert_eq!(terms("5×3"), Some(vec![3; 5]));
        for other in ["6", "6+", "a+b", "1×4", "200+1", "1,5"] {
            assert_eq!(terms(other), None, "{other}");
        }
        assert!(prices_inside("plotted (allow 3 for four points)") && !prices_inside("water (hot)"));
    }

    #[test]
    fn what_double_strokes_part_has_its_share() {
        let read = |texts: &[&str], code: &str, total: u32| {
            let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
            let mut lines: Vec<EntryLine> = texts.iter().map(line).collect();
            lines[0].marks = code.to_owned();
            let lines = apart(lines, Some(Marks::whole(total)));
            lines.into_iter().map(|line| format!("{} {}", line.marks, line.answer)).collect::<Vec<_>>()
        };
        assert_eq!(read(&["iron // it", "rusts"], "3m + 2m", 5), ["3 • iron", "2 • it rusts"]);
        let any = read(&["iron // zinc // tin", "Any two"], "2(3m)", 6);
        assert_eq!(any, [" Any 2 from:", " • iron", " • zinc", " • tin"]);
        assert_eq!(read(&["iron / zinc / tin", "Any two"], "2(3m)", 6), any);
        assert_eq!(read(&["iron // zinc // tin"], "3m + 2m", 5), ["3m + 2m iron // zinc // tin"]);
        assert_eq!(read(&["iron / zinc"], "3m", 3), ["3m iron / zinc"]);
    }

    #[test]
    fn lengths_and_formulae_are_no_codes() {
        for text in [
            "m",
            "5",
            "5 mm",
            "5m²",
            "3m = 6",
            "m + 5m",
            "5m + 2",
            "60m",
            "5m (see 3)",
            "30(2m)",
            "0m",
            "2(m)",
        ] {
            assert_eq!(shares(text), None, "{text}");
        }
        assert_eq!(words_at_end(&["iron", "2(3m)", "+", "3m"]), 3);
        assert_eq!(words_at_end(&["iron", "5m", "long"]), 0);
    }
}
