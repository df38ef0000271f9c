//! How far two words are apart, in letters.

/// How many letters must be added, dropped, changed or swapped; anything above `most` is `most + 1`.
pub(crate) fn letters_apart(one: &[u8], other: &[u8], most: usize) -> usize {
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, wanted) in other.iter().enumerate() {
            let changed = last[column] + usize::from(letter != wanted);
            let mut best = changed.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *wanted {
                best = best.min(before[column - 1] + 1);
            }
            next.push(best);
        }
        if next.iter().all(|so_far| *so_far > most) {
            return most + 1;
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()].min(most + 1)
}

#[cfg(test)]
mod tests {
    use super::letters_apart;

    #[test]
    fn letters_are_added_dropped_changed_and_swapped() {
        for (one, other, apart) in [
            ("cell", "cell", 0),
            ("cell", "cells", 1),
            ("form", "from", 1),
            ("heat", "heap", 1),
            ("ice", "water", 3),
        ] {
            assert_eq!(letters_apart(one.as_bytes(), other.as_bytes(), 2), apart, "{one} {other}");
        }
    }
}
