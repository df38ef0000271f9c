//! Numbers that belong together: "11 after 2 turns" is not said by "40 after 2 turns and 11 after 6".

use crate::words::tokens;
use lexicon::english::joints;

/// More clauses with numbers are no few statements.
const CLAUSES_MAX: usize = 3;

/// True when an answer has all numbers of a wording, each beside another's: no clause says them together, and every
/// clause that says some of them says as many numbers as the wording has.
pub(crate) fn is_mispaired(wording: &str, answer: &str) -> bool {
    let wanted = numbers(wording);
    if wanted.len() < 2 {
        return false;
    }
    let plain = answer.replace(joints::AND, "\n");
    let said: Vec<Vec<String>> = plain
        .split(['\n', ';'])
        .flat_map(|line| line.split(", "))
        .flat_map(|clause| clause.split(". "))
        .map(numbers)
        .filter(|found| !found.is_empty())
        .collect();
    // A table or a program has its numbers where they belong.
    if said.len() > CLAUSES_MAX {
        return false;
    }
    let clauses: Vec<&Vec<String>> =
        said.iter().filter(|found| wanted.iter().any(|number| found.contains(number))).collect();
    let is_said = wanted.iter().all(|number| clauses.iter().any(|found| found.contains(number)));
    let is_together = clauses.iter().any(|found| wanted.iter().all(|number| found.contains(number)));
    is_said && !is_together && clauses.iter().all(|found| found.len() >= wanted.len())
}

fn numbers(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(crate::words::Token::is_number).map(|token| token.folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_statement_stand_together() {
        let wording = "11 (after 2 turns)";
        assert!(is_mispaired(wording, "40 after 2 turns and 11 after 6"));
        assert!(is_mispaired(wording, "2 turns: 40\n6 turns: 11"));
        assert!(!is_mispaired(wording, "11 after 2 turns and 40 after 6"));
        assert!(!is_mispaired(wording, "after 2 turns\n11"), "said one after the other");
        assert!(!is_mispaired(wording, "40 after 6 turns, then 12"), "one is not said at all");
        assert!(!is_mispaired("after 2 turns", "40 after 2 turns and 11 after 6"));
    }
}
