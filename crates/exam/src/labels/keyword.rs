//! Labels that a word announces: `Question 3`, `Q.3(a)`, `Exercice II`.

use super::{Kind, Label, Style, Token, numerals, parse_parts, word_tokens};
use crate::marks::Certainty;
use lexicon::Concept;
use lexicon::english::papers::NUMBER_SIGNS;

/// `Question 3`, `Q3`, `Q.3(a)`, `Problem 3.2:`, `Basic question 3`, `Question 3B`
pub(super) fn keyword(words: &[&str]) -> Option<Label> {
    if let Some(label) = ordinal(words) {
        return Some(label);
    }
    let first = words.first()?.to_lowercase();
    let bare = first.trim_end_matches(['.', ':']);
    // "Basic question 3", "Questão discursiva 1"
    // "No", "Nr." and "al" stand behind the word that they go with: "No item 2" begins a sentence.
    const LEADING_LETTERS: usize = 4;
    let leads = bare.chars().count() >= LEADING_LETTERS && lexicon::is(Concept::LabelAdjective, bare);
    let led = usize::from(leads);
    let second = words.get(1).map(|word| word.to_lowercase()).unwrap_or_default();
    let second = second.trim_end_matches(['.', ':']);
    let announces =
        lexicon::is(Concept::Label, if led > 0 { second } else { bare }) || (bare == "q" && words.len() > 1);
    let followed = usize::from(announces && led == 0 && lexicon::is(Concept::LabelAdjective, second));
    let (number, used) =
        if announces { (*words.get(1 + led + followed)?, 2 + led + followed) } else { (glued(words[0])?, 1) };
    // "Exercice n°1"
    let number = NUMBER_SIGNS
        .after(&number.to_lowercase())
        .map_or(number, |rest| &number[number.len() - rest.len()..]);
    let number = number.trim_start_matches('#').trim_end_matches([':', ',', ';']);
    // "Θέμα 1ο", "Exercício 2º": an ordinal's ending. A Latin letter names a part.
    let digits = number.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0 && announces);
    let ending = |end: &usize| {
        let ending = number[*end..].trim_end_matches('.').to_lowercase();
        !ending.is_ascii() && lexicon::is(Concept::OrdinalEnding, &ending)
    };
    let number = digits.filter(ending).map_or(number, |end| &number[..end]);
    // "II-lea": an ordinal's ending.
    let root = number.split('-').next().filter(|root| numerals::parse_capital_roman(root).is_some());
    let number = root.unwrap_or(number);
    let spelt = numerals::spelt(number)
        .or_else(|| numerals::parse_capital_roman(number.trim_end_matches(['.', ')'])))
        .filter(|_| announces);
    let (tokens, _, rest) = match spelt.map(|value| vec![Token::new(Kind::Number, value)]) {
        Some(tokens) => (tokens, Style::Keyword, ""),
        None => {
            lettered(number).map(|tokens| (tokens, Style::Keyword, "")).or_else(|| word_tokens(number))?
        }
    };
    if tokens[0].kind != Kind::Number || !rest.is_empty() {
        return None;
    }
    // "Q2 = mcT" is a formula.
    if used == 1 && words.get(1).is_some_and(|word| word.starts_with(['=', '≈'])) {
        return None;
    }
    // "Q 4 to 8: circle one letter" speaks of several.
    let to = words.get(used).is_some_and(|word| lexicon::is(Concept::RangeTo, &word.to_lowercase()));
    let last = words.get(used + 1).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    if to && last.and_then(|word| word.parse::<u32>().ok()).is_some_and(|last| last > tokens[0].value) {
        return None;
    }
    // "Questions 9, 10 (matching)" speaks of two; "Question 9, 10 points" of one.
    let listed = words[used - 1].ends_with(',');
    let next = words.get(used).and_then(|next| next.parse::<u32>().ok());
    let priced = words.get(used + 1).is_some_and(|unit| super::counts_marks(&unit.to_lowercase()));
    if listed && !priced && next == Some(tokens[0].value + 1) {
        return None;
    }
    // "Question 1 :", as French sets it.
    let used = used + usize::from(words.get(used).is_some_and(|next| *next == ":"));
    let mut label = Label { tokens, style: Style::Keyword, words: used, glued: false };
    let more: Vec<&str> = words.iter().skip(used).copied().collect();
    // "Q.3 a. Define": a letter with a point is its first part.
    let dotted = || {
        let parts = super::parse(&more).filter(|parts| parts.style == Style::Dot && !parts.glued)?;
        matches!(parts.tokens[..], [only] if only == Token::new(Kind::Letter, 1)).then_some(parts)
    };
    if let Some(parts) = parse_parts(&more).or_else(dotted) {
        label.words += parts.words;
        label.tokens.extend(parts.tokens);
        label.glued = parts.glued;
    }
    Some(label)
}

/// What stands behind the word or sign that announces, in one with it: the "3" of `Q3`, `Q.3`, `Ex.3`, `Ans.3` and `#3`.
fn glued(word: &str) -> Option<&str> {
    if let Some(rest) = word.strip_prefix('#') {
        // "#1, #2 and #3" speaks of several.
        return Some(rest)
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.ends_with(','));
    }
    if let Some(rest) = word.strip_prefix(['Q', 'q']) {
        return Some(rest.trim_start_matches(['.', '-']));
    }
    let (name, rest) = word.split_at(word.find(['.', '-', ':'])?);
    let announces =
        [Concept::Label, Concept::AnswerLead].iter().any(|own| lexicon::is(*own, &name.to_lowercase()));
    let number = rest.trim_start_matches(['.', '-', ':']);
    (announces && number.starts_with(|c: char| c.is_ascii_digit())).then_some(number)
}

/// `1ª Questão`, `2º Exercício`, `3e question`: an ordinal before the word that announces.
fn ordinal(words: &[&str]) -> Option<Label> {
    let [first, second, ..] = words else { return None };
    let digits = first.find(|c: char| !c.is_ascii_digit()).filter(|end| (1..=2).contains(end))?;
    let ends = |next: &&str| next.starts_with(['(', '[', ':', '–', '—', '-']);
    // "1. Aufgabe (25 Punkte)": behind a point the word stands alone, for it may begin a sentence as well.
    let point = &first[digits..] == "." && words.get(2).is_none_or(ends);
    let ending = point || lexicon::is(Concept::OrdinalEnding, &first[digits..].to_lowercase());
    let bare = second.trim_end_matches(['.', ':', ')', '-', '–']).to_lowercase();
    // "2e vraag" begins a sentence as well; a heading's word is a capital one.
    let announces = second.starts_with(char::is_uppercase) && lexicon::is(Concept::Label, &bare);
    let value: u32 = first[..digits].parse().ok().filter(|value| *value > 0 && ending && announces)?;
    let used = 2 + usize::from(words.get(2).is_some_and(|next| matches!(*next, ":" | "-" | "–" | "—")));
    let tokens = vec![Token::new(Kind::Number, value)];
    Some(Label { tokens, style: Style::Keyword, words: used, glued: false })
}

/// "Part A (3 points)", or "A  4 points" alone on its line: a part of a question, where a document counts so within each
/// of them.
pub fn parse_lettered_part(words: &[&str]) -> Option<Label> {
    let [first, second, ..] = words else { return None };
    let named = first.starts_with(char::is_uppercase) && lexicon::is(Concept::Section, &first.to_lowercase());
    let capital = |word: &str| {
        let letter = word.trim_end_matches([':', '.', ')']).parse::<char>().ok()?;
        ('A'..='L').contains(&letter).then(|| u32::from(letter) - u32::from('A') + 1)
    };
    let (value, words) = match capital(second).filter(|_| named) {
        Some(value) => (value, 2),
        None => (capital(first).filter(|_| is_priced_alone(words))?, 1),
    };
    let tokens = vec![Token::new(Kind::Letter, value)];
    Some(Label { tokens, style: Style::Brackets, words, glued: false })
}

/// "Part (a) [2 marks] Define …": a part of a question, whose small letter in brackets no section has.
pub(super) fn named_part(words: &[&str]) -> Option<Label> {
    let [first, rest @ ..] = words else { return None };
    let named = first.starts_with(char::is_uppercase) && lexicon::is(Concept::Section, &first.to_lowercase());
    let label = parse_parts(rest).filter(|_| named)?;
    Some(Label { words: label.words + 1, ..label })
}

/// True where nothing but marks stands behind the first of these words.
pub(crate) fn is_priced_alone(words: &[&str]) -> bool {
    let note = crate::marks::at_end(words);
    note.is_some_and(|note| note.certainty == Certainty::Sure && note.words + 1 == words.len())
}

/// `A)`, `A.` or `(A)`: a part, in a paper whose parts are capital letters.
pub fn parse_capital_part(words: &[&str]) -> Option<Label> {
    let first = words.first().filter(|first| first.len() > 1)?;
    let bare = first.trim_start_matches('(').trim_end_matches([')', '.', ':']);
    let letter = bare.parse::<char>().ok().filter(|letter| ('A'..='L').contains(letter))?;
    let tokens = vec![Token::new(Kind::Letter, u32::from(letter) - u32::from('A') + 1)];
    Some(Label { tokens, style: Style::Brackets, words: 1, glued: false })
}

/// `3B`: a question's number with a capital letter for its part.
fn lettered(word: &str) -> Option<Vec<Token>> {
    let bare = word.trim_end_matches(['.', ')', ':']);
    let letter = bare.chars().next_back().filter(|letter| ('A'..='L').contains(letter))?;
    let number: u32 = bare[..bare.len() - 1].parse().ok().filter(|number| (1..=99).contains(number))?;
    let part = u32::from(letter) - u32::from('A') + 1;
    Some(vec![Token::new(Kind::Number, number), Token::new(Kind::Letter, part)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_for_numbers_stands_behind_the_word_that_announces() {
        let number = |words: &[&str]| keyword(words).map(|label| label.tokens[0].value);
        assert_eq!(number(&["Exercice", "n°", "2"]), Some(2));
        assert_eq!(number(&["Basic", "question", "3"]), Some(3));
        assert_eq!(number(&["Ans.2"]), Some(2));
        assert_eq!(number(&["#6a", "the", "slope"]), Some(6));
        assert_eq!(number(&["#define"]), None);
        assert_eq!(number(&["Fig.2"]), None);
        assert_eq!(number(&["1ª", "Questão", "(2,0", "pontos)"]), Some(1));
        assert_eq!(number(&["2º", "Exercício:"]), Some(2));
        assert_eq!(number(&["2.", "Aufgabe", "(25", "Punkte)"]), Some(2));
        assert_eq!(number(&["2.", "Aufgabe"]), Some(2));
        assert_eq!(number(&["2.", "Problem", "solving"]), None);
        assert_eq!(number(&["2ª", "questão", "da", "prova"]), None);
        assert_eq!(number(&["Question", "9,", "10", "points"]), Some(9));
        assert_eq!(number(&["Question", "9,", "10", "(matching)"]), None);
        assert_eq!(number(&["ΘΕΜΑ", "2ο", "(2", "μονάδες)"]), Some(2));
        assert_eq!(number(&["Exercício", "3º."]), Some(3));
        assert_eq!(number(&["No", "item", "2.,", "atribui-se"]), None);
    }
}
