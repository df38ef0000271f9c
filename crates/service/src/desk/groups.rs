//! Which answers are the same: what differs only in case, spaces, punctuation at the edges or filler words.

/// An answer without what makes no difference. Signs inside words and numbers stay: "-2" is not "2", and "H2O" is
/// not "H20".
pub(crate) fn tidy(answer: &str) -> String {
    const EDGES: &[char] =
        &['.', ',', ';', ':', '!', '?', '"', '\'', '(', ')', '[', ']', '“', '”', '‘', '’', '…'];
    const FILLERS: &[&str] = &["a", "an", "the"];
    let words = answer.split_whitespace().map(|word| word.trim_matches(EDGES).to_lowercase());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let kept: Vec<&str> = words.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
    // An answer of fillers alone, such as the option "A", is what it says.
    if kept.is_empty() { words.join(" ") } else { kept.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_makes_no_difference_goes_and_the_rest_stays() {
        for (one, other) in [("The Sun.", "sun"), ("light,  and \n water", "Light and water!"), ("A", "a.")] {
            assert_eq!(tidy(one), tidy(other), "{one} {other}");
        }
        for (one, other) in [("-2", "2"), ("H2O", "H20"), ("3.5", "35"), ("light", "no light"), ("", "x")] {
            assert_ne!(tidy(one), tidy(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn tidying_twice_is_tidying_once(text: String) {
            prop_assert_eq!(tidy(&tidy(&text)), tidy(&text));
        }
    }
}
