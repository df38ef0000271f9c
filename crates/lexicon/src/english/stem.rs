//! Porter's stemmer for English (1980), so that "evaporates" and "evaporation" meet.

/// The stem of a folded word. Words that are not plain ASCII letters are their own stems.
pub fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.len() <= 2 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut letters = word.as_bytes().to_vec();
    plural(&mut letters);
    past_and_progressive(&mut letters);
    if letters.last() == Some(&b'y') && has_vowel(&letters[..letters.len() - 1]) {
        replace_end(&mut letters, 1, b"i");
    }
    replace_first(&mut letters, &DOUBLE_SUFFIXES, 0);
    replace_first(&mut letters, &LONG_SUFFIXES, 0);
    drop_last_suffix(&mut letters);
    tidy(&mut letters);
    // Only ASCII letters went in and came out, so the conversion keeps every one.
    String::from_utf8_lossy(&letters).into_owned()
}

type Rule = (&'static [u8], &'static [u8]);

const DOUBLE_SUFFIXES: [Rule; 20] = [
    (b"ational", b"ate"),
    (b"tional", b"tion"),
    (b"enci", b"ence"),
    (b"anci", b"ance"),
    (b"izer", b"ize"),
    (b"abli", b"able"),
    (b"alli", b"al"),
    (b"entli", b"ent"),
    (b"eli", b"e"),
    (b"ousli", b"ous"),
    (b"ization", b"ize"),
    (b"ation", b"ate"),
    (b"ator", b"ate"),
    (b"alism", b"al"),
    (b"iveness", b"ive"),
    (b"fulness", b"ful"),
    (b"ousness", b"ous"),
    (b"aliti", b"al"),
    (b"iviti", b"ive"),
    (b"biliti", b"ble"),
];

const LONG_SUFFIXES: [Rule; 7] = [
    (b"icate", b"ic"),
    (b"ative", b""),
    (b"alize", b"al"),
    (b"iciti", b"ic"),
    (b"ical", b"ic"),
    (b"ful", b""),
    (b"ness", b""),
];

const LAST_SUFFIXES: [&[u8]; 18] = [
    b"ement", b"ance", b"ence", b"able", b"ible", b"ment", b"ant", b"ent", b"ism", b"ate", b"iti", b"ous",
    b"ive", b"ize", b"al", b"er", b"ic", b"ou",
];

fn plural(letters: &mut Vec<u8>) {
    if letters.ends_with(b"sses") || letters.ends_with(b"ies") {
        replace_end(letters, 2, b"");
    } else if letters.ends_with(b"s") && !letters.ends_with(b"ss") {
        replace_end(letters, 1, b"");
    }
}

fn past_and_progressive(letters: &mut Vec<u8>) {
    if letters.ends_with(b"eed") {
        if measure(&letters[..letters.len() - 3]) > 0 {
            replace_end(letters, 1, b"");
        }
        return;
    }
    let cut = if letters.ends_with(b"ed") {
        2
    } else if letters.ends_with(b"ing") {
        3
    } else {
        return;
    };
    if !has_vowel(&letters[..letters.len() - cut]) {
        return;
    }
    replace_end(letters, cut, b"");
    if letters.ends_with(b"at") || letters.ends_with(b"bl") || letters.ends_with(b"iz") {
        letters.push(b'e');
    } else if ends_double_consonant(letters) && !matches!(letters.last(), Some(b'l' | b's' | b'z')) {
        letters.pop();
    } else if measure(letters) == 1 && ends_short(letters) {
        letters.push(b'e');
    }
}

fn drop_last_suffix(letters: &mut Vec<u8>) {
    if let Some(suffix) = LAST_SUFFIXES.iter().find(|suffix| letters.ends_with(suffix)) {
        if measure(&letters[..letters.len() - suffix.len()]) > 1 {
            replace_end(letters, suffix.len(), b"");
        }
    } else if letters.ends_with(b"ion") {
        let before = &letters[..letters.len() - 3];
        if measure(before) > 1 && matches!(before.last(), Some(b's' | b't')) {
            replace_end(letters, 3, b"");
        }
    }
}

fn tidy(letters: &mut Vec<u8>) {
    if letters.ends_with(b"e") {
        let before = &letters[..letters.len() - 1];
        if measure(before) > 1 || (measure(before) == 1 && !ends_short(before)) {
            letters.pop();
        }
    }
    if letters.ends_with(b"ll") && measure(letters) > 1 {
        letters.pop();
    }
}

fn replace_first(letters: &mut Vec<u8>, rules: &[Rule], more_than: usize) {
    if let Some((suffix, with)) = rules.iter().find(|(suffix, _)| letters.ends_with(suffix))
        && measure(&letters[..letters.len() - suffix.len()]) > more_than
    {
        replace_end(letters, suffix.len(), with);
    }
}

fn replace_end(letters: &mut Vec<u8>, cut: usize, with: &[u8]) {
    letters.truncate(letters.len() - cut);
    letters.extend_from_slice(with);
}

fn is_consonant(letters: &[u8], at: usize) -> bool {
    match letters[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => at == 0 || !is_consonant(letters, at - 1),
        _ => true,
    }
}

fn has_vowel(letters: &[u8]) -> bool {
    (0..letters.len()).any(|at| !is_consonant(letters, at))
}

/// How often a vowel is followed by a consonant.
fn measure(letters: &[u8]) -> usize {
    (1..letters.len()).filter(|&at| is_consonant(letters, at) && !is_consonant(letters, at - 1)).count()
}

fn ends_double_consonant(letters: &[u8]) -> bool {
    let length = letters.len();
    length >= 2 && letters[length - 1] == letters[length - 2] && is_consonant(letters, length - 1)
}

fn ends_short(letters: &[u8]) -> bool {
    let length = letters.len();
    length >= 3
        && is_consonant(letters, length - 1)
        && !is_consonant(letters, length - 2)
        && is_consonant(letters, length - 3)
        && !matches!(letters[length - 1], b'w' | b'x' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            &["increase", "increases", "increased", "increasing"][..],
            &["evaporate", "evaporates", "evaporation", "evaporating"],
            &["photosynthesis"],
            &["cell", "cells"],
            &["energy", "energies"],
            &["react", "reacted", "reacts", "reacting"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|found| found == &stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn other_scripts_and_numbers_are_left_alone() {
        for word in ["3.5", "größe", "光", "as"] {
            assert_eq!(stem(word), word);
        }
    }
}
