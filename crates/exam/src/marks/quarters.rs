//! Quarter marks: "(0,25 pt)", "[¼]". Marks are kept in halves, so that a quarter counts only with another.

use super::is_unit;

/// The odd number of quarter marks that words begin with in brackets, and how many words they take up.
pub(crate) fn at_start(words: &[&str]) -> Option<(u32, usize)> {
    (1..=words.len().min(2)).find_map(|count| {
        let joined = words[..count].join(" ");
        let text = joined.trim_end_matches([',', ';', '.']);
        let inner = text.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
        let end = inner.find(|c: char| !is_numeral(c)).unwrap_or(inner.len());
        let unit = inner[end..].trim().to_lowercase();
        let quarters = number(&inner[..end])?;
        (quarters % 2 == 1 && (unit.is_empty() || is_unit(&unit))).then_some((quarters, count))
    })
}

/// How many odd quarters a text prints.
pub(crate) fn count(text: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    (0..words.len()).filter(|at| at_start(&words[*at..]).is_some()).count()
}

fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ',' | '.' | '¼' | '½' | '¾')
}

/// "0,25", "1¾"
fn number(text: &str) -> Option<u32> {
    const MOST: u32 = 100;
    let fraction = text.chars().next_back().and_then(|last| match last {
        '¼' => Some(1),
        '½' => Some(2),
        '¾' => Some(3),
        _ => None,
    });
    if let Some(quarters) = fraction {
        let whole = text.trim_end_matches(['¼', '½', '¾']);
        let whole: u32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        return (whole <= MOST).then(|| 4 * whole + quarters);
    }
    let (whole, decimals) = text.split_once([',', '.'])?;
    let quarters = match decimals {
        "25" => 1,
        "5" | "50" => 2,
        "75" => 3,
        _ => return None,
    };
    whole.parse::<u32>().ok().filter(|whole| *whole <= MOST).map(|whole| 4 * whole + quarters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_quarters_are_read() {
        let read = |text: &str| at_start(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(read("(0,25 pt), then"), Some((1, 2)));
        assert_eq!(read("[¾]"), Some((3, 1)));
        assert_eq!(read("(1¼ points)"), Some((5, 2)));
        for other in ["(0,5 pt)", "(0.125)", "0,25 pt", "(0,25 mol)", "(25)"] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(count("iron (0,25 pt), zinc (0,25 pt)"), 2);
    }
}
