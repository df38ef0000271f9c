//! Labels that a word announces: `Question 3`, `Q.3(a)`, `Exercice II`.

use super::{Kind, Label, Style, Token, numerals, parse_parts, word_tokens};

/// Words that announce a question's number, in the languages that papers are likely to use.
pub(super) const KEYWORDS: &[&str] = &[
    "question",
    "questions",
    "problem",
    "exercise",
    "task",
    "item",
    "assignment",
    "aufgabe",
    "frage",
    "übung",
    "uppgift",
    "oppgave",
    "opgave",
    "övning",
    "tehtävä",
    "ejercicio",
    "problema",
    "pregunta",
    "cuestión",
    "exercice",
    "problème",
    "questão",
    "exercício",
    "esercizio",
    "domanda",
    "quesito",
    "vraag",
    "oefening",
    "zadanie",
    "příklad",
    "úloha",
    "soal",
    "задание",
    "задача",
    "ex",
    "prob",
    "aufg",
    "qn",
    "ques",
];

/// `Question 3`, `Q3`, `Q.3(a)`, `Problem 3.2:`
pub(super) fn keyword(words: &[&str]) -> Option<Label> {
    let first = words.first()?.to_lowercase();
    let bare = first.trim_end_matches(['.', ':']);
    let announces = KEYWORDS.contains(&bare) || (bare == "q" && words.len() > 1);
    let (number, used) = if announces {
        (*words.get(1)?, 2)
    } else {
        (words[0].strip_prefix(['Q', 'q'])?.trim_start_matches(['.', '-']), 1)
    };
    let number = number.trim_start_matches('#').trim_end_matches([':', ',', ';']);
    let spelt = numerals::spelt(number)
        .or_else(|| numerals::parse_capital_roman(number.trim_end_matches(['.', ')'])))
        .filter(|_| announces);
    let (tokens, _, rest) = match spelt {
        Some(value) => (vec![Token::new(Kind::Number, value)], Style::Keyword, ""),
        None => word_tokens(number)?,
    };
    if tokens[0].kind != Kind::Number || !rest.is_empty() {
        return None;
    }
    let mut label = Label { tokens, style: Style::Keyword, words: used, glued: false };
    let more: Vec<&str> = words.iter().skip(used).copied().collect();
    if let Some(parts) = parse_parts(&more) {
        label.words += parts.words;
        label.tokens.extend(parts.tokens);
        label.glued = parts.glued;
    }
    Some(label)
}
