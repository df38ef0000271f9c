//! Codes before what earns marks, "P1: …", "K1 …", "N1 …", and sums of marks behind it, "iron; zinc  3m + 2m": read as
//! separate points with their marks behind them.

use super::EntryLine;
use crate::marks;
use domain::marks::Marks;

/// Fewer codes in a key may be anything.
const LEAST: usize = 2;
/// A sum of marks at a line's end has no more words.
const SUM_WORDS_MAX: usize = 24;

/// Lines with their codes taken off, each with its marks in brackets behind it where the codes say what it earns.
pub(super) fn priced(lines: Vec<EntryLine>, total: Option<Marks>) -> Vec<EntryLine> {
    let codes: Vec<Option<(char, u32, &str)>> = lines.iter().map(|line| code(&line.answer)).collect();
    let found: Vec<(char, u32)> =
        codes.iter().flatten().map(|(letter, number, _)| (*letter, *number)).collect();
    let first = lines.iter().position(|line| !line.answer.trim().is_empty());
    let opens = first.is_some_and(|first| codes[first].is_some());
    if found.len() < LEAST || !opens || lines.iter().any(|line| !line.marks.trim().is_empty()) {
        return lines.into_iter().map(|line| summed(line, total)).collect();
    }
    // "P1, P2, P3" count the points; "K1, K1, N1" are the marks of each.
    let counts = found.iter().zip(1..).all(|(own, at)| own.1 == at && own.0 == found[0].0);
    let worth: Marks = found.iter().map(|(_, marks)| Marks::whole(*marks)).sum();
    if !counts && total != Some(worth) {
        return lines;
    }
    let answers: Vec<String> = lines
        .iter()
        .zip(&codes)
        .map(|(line, code)| match code {
            Some((_, _, said)) if counts => format!("• {said}"),
            Some((_, marks, said)) => format!("• {said} ({marks})"),
            None => line.answer.clone(),
        })
        .collect();
    lines.into_iter().zip(answers).map(|(line, answer)| EntryLine { answer, ..line }).collect()
}

/// "P1: water moves": the code's letter and number, and what stands behind it. Steps of mathematics have letters of
/// their own, which say more than their marks.
fn code(text: &str) -> Option<(char, u32, &str)> {
    const LETTERS: [char; 6] = ['P', 'K', 'N', 'E', 'F', 'J'];
    let (code, said) = text.trim().split_once(' ')?;
    let code = code.trim_end_matches([':', '-', '.']);
    let letter = code.chars().next().filter(|letter| LETTERS.contains(letter))?;
    let number = code[letter.len_utf8()..].parse().ok().filter(|number| (1..=9).contains(number))?;
    let said = said.trim_start_matches([':', '-', '–', ' ']);
    // "K1 = 240" is a step of a calculation; a formula does not begin with a sign.
    (!said.is_empty()).then_some((letter, number, said))
}

/// A line whose things to say are parted by ";" and priced one by one at its end: "iron; zinc  3m + 2m".
fn summed(line: EntryLine, total: Option<Marks>) -> EntryLine {
    let column = line.marks.trim().to_owned();
    let (said, sum) = if addends(&column).is_some() {
        (line.answer.as_str(), column.as_str())
    } else {
        let words = line.answer.rmatch_indices(' ').map(|(at, _)| at).take(SUM_WORDS_MAX);
        let cut = words.filter(|at| addends(&line.answer[*at..]).is_some()).last();
        let Some(at) = cut.filter(|_| column.is_empty()) else { return line };
        line.answer.split_at(at)
    };
    let pieces: Vec<&str> = said.split(';').map(str::trim).filter(|piece| !piece.is_empty()).collect();
    let Some(prices) = addends(sum).filter(|prices| prices.len() == pieces.len()) else { return line };
    let whole: Marks = prices.iter().map(|price| Marks::whole(*price)).sum();
    if total.is_some_and(|total| whole > total) {
        return line;
    }
    let priced = pieces.iter().zip(&prices).map(|(piece, price)| format!("{piece} ({price})"));
    let answer = priced.collect::<Vec<_>>().join("; ");
    EntryLine { answer, marks: String::new(), ..line }
}

/// The numbers of "3m + 2m" or "2 marks + 1 mark", each with its unit.
fn addends(text: &str) -> Option<Vec<u32>> {
    const MOST: u32 = 30;
    let one = |addend: &str| {
        let addend = addend.trim().trim_matches(['(', ')']);
        let unit = addend.trim_start_matches(|c: char| c.is_ascii_digit());
        let named = marks::is_unit(&unit.trim().to_lowercase()) || unit == "m";
        let number = addend[..addend.len() - unit.len()].parse().ok();
        number.filter(|number| named && (1..=MOST).contains(number))
    };
    let found: Vec<u32> = text.split('+').map(one).collect::<Option<_>>()?;
    (found.len() > 1).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&str, &str)], total: u32) -> Vec<String> {
        let line = |(answer, marks): &(&str, &str)| EntryLine {
            answer: (*answer).to_owned(),
            marks: (*marks).to_owned(),
            ..EntryLine::default()
        };
        let lines = priced(lines.iter().map(line).collect(), Some(Marks::whole(total)));
        lines.into_iter().map(|line| line.answer).collect()
    }

    #[test]
    fn codes_count_points_or_price_them() {
        assert_eq!(
            read(&[("P1: water moves", ""), ("P2: out of the cell", "")], 2),
            ["• water moves", "• out of the cell"]
        );
        let steps = [("K1 120 ÷ 3", ""), ("N1 40 km/h", "")];
        assert_eq!(read(&steps, 2), ["• 120 ÷ 3 (1)", "• 40 km/h (1)"]);
        assert_eq!(read(&steps, 5)[0], "K1 120 ÷ 3", "not all of the marks");
        assert_eq!(read(&[("Plant P1 grew", ""), ("P2 did not", "")], 2)[1], "P2 did not");
    }

    #[test]
    fn sums_price_what_stands_before_them() {
        assert_eq!(read(&[("iron; zinc", "3m + 2m")], 5), ["iron (3); zinc (2)"]);
        assert_eq!(read(&[("iron; zinc 3m + 2m", "")], 5), ["iron (3); zinc (2)"]);
        assert_eq!(read(&[("iron; zinc 3m + 2m", "")], 4), ["iron; zinc 3m + 2m"]);
        assert_eq!(read(&[("5m + 2m = 7m", "")], 7), ["5m + 2m = 7m"], "lengths");
    }
}
