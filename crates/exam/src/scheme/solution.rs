//! A worked solution in statements: its steps, its result and its reasons, found by what is asked of them.

use lexicon::Concept;

/// Statements of a solution, in order, and which of them say what a point asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Solution {
    statements: Vec<Statement>,
    /// Which statement ends with the result, and how.
    result: Option<(usize, String)>,
}

#[derive(Debug, PartialEq)]
struct Statement {
    text: String,
    /// It is the wording of a point.
    taken: bool,
}

/// Signs that a line goes on with from the one before it.
const RELATIONS: [char; 9] = ['=', '≈', '<', '>', '≤', '≥', '⇒', '→', '⋅'];
/// What follows them is concluded.
const CONCLUDES: [char; 3] = ['⇒', '→', '∴'];
/// So many words make a sentence.
const SENTENCE_WORDS: usize = 4;
/// A name before "=" is no longer, in signs.
const NAME_MAX: usize = 8;

impl Solution {
    /// The statements of some lines.
    pub(super) fn of(lines: &[String]) -> Solution {
        let mut statements: Vec<Statement> = Vec::new();
        for line in lines {
            match statements.last_mut() {
                Some(last) if goes_on(&last.text, line) => {
                    last.text.push(' ');
                    last.text.push_str(line);
                }
                _ => statements.push(Statement { text: line.clone(), taken: false }),
            }
        }
        Solution { statements, result: None }
    }

    /// Statements that stand apart already.
    pub(super) fn of_statements(texts: Vec<String>) -> Solution {
        let statements = texts.into_iter().map(|text| Statement { text, taken: false }).collect();
        Solution { statements, result: None }
    }

    /// What the last formula comes to; of a sentence with its reason, what stands before the reason.
    pub(super) fn result(&mut self, has_reason: bool) -> Option<String> {
        let argued = self.statements.iter().find_map(|statement| Some(reasoned(&statement.text)?.0));
        if let Some(claim) = argued.filter(|_| has_reason) {
            return Some(claim.to_owned());
        }
        let formula = |own: &Statement| own.text.contains(RELATIONS);
        let last = self.statements.iter().rposition(|own| formula(own) && !is_sentence(&own.text));
        let last = last.or_else(|| self.statements.iter().rposition(formula));
        let last = last.or(self.statements.len().checked_sub(1))?;
        let value = value_of(&self.statements[last].text).to_owned();
        self.statements[last].taken = self.statements[last].text == value;
        self.result = Some((last, value.clone()));
        Some(value)
    }

    /// What the sentences say; where the result is asked for by itself, only its reason.
    pub(super) fn sentence(&mut self, has_result: bool) -> Option<String> {
        let said: Vec<&mut Statement> = self
            .statements
            .iter_mut()
            .filter(|own| is_sentence(&own.text) && !own.text.contains('?'))
            .collect();
        let texts: Vec<String> = said
            .into_iter()
            .map(|own| {
                own.taken = true;
                let reason = reasoned(&own.text).filter(|_| has_result).map(|(_, reason)| reason);
                reason.unwrap_or(&own.text).to_owned()
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// What a named step says: the statement of its formula, that of its words, or the next one.
    pub(super) fn step(&mut self, name: &str) -> Option<String> {
        let formula = formula_of(name);
        let at = if formula.is_empty() {
            self.worded_as(name).or_else(|| self.next())
        } else {
            self.stating(&formula)
        };
        let at = at?;
        let result =
            self.result.as_ref().filter(|(own, _)| *own == at).map_or("", |(_, value)| value.as_str());
        let own = self.statements.get_mut(at)?;
        // The result is asked for by itself.
        let text = own.text.trim_end_matches('.');
        let text = text
            .strip_suffix(result)
            .unwrap_or(text)
            .trim_end_matches(|c| c == ' ' || RELATIONS.contains(&c));
        if text.is_empty() {
            return None;
        }
        own.taken = true;
        let plain = squeezed(name) == formula;
        Some(if plain { text.to_owned() } else { format!("{name}: {text}") })
    }

    /// The first statement that begins with a formula, else the first that holds it.
    fn stating(&self, formula: &str) -> Option<usize> {
        let texts: Vec<String> = self.statements.iter().map(|own| squeezed(&own.text)).collect();
        let begins = texts.iter().position(|text| text.starts_with(formula));
        begins.or_else(|| texts.iter().position(|text| text.contains(formula)))
    }

    /// The statement that says most of a name's words, more than half of them.
    fn worded_as(&self, name: &str) -> Option<usize> {
        let wanted = words(name);
        let shared = |own: &Statement| {
            let said = words(&own.text);
            wanted.iter().filter(|word| said.contains(word)).count()
        };
        let best = (0..self.statements.len()).rev().max_by_key(|at| shared(&self.statements[*at]))?;
        (2 * shared(&self.statements[best]) > wanted.len()).then_some(best)
    }

    /// The first formula that no point took yet.
    fn next(&self) -> Option<usize> {
        self.statements
            .iter()
            .position(|own| !own.taken && own.text.contains(RELATIONS) && !is_sentence(&own.text))
    }

    /// The formulae that lead to the result.
    pub(super) fn formulae(&self) -> Vec<String> {
        let result = self.result.as_ref().map(|(at, _)| *at);
        let own = self.statements.iter().enumerate().filter(|(at, _)| Some(*at) != result);
        let formula = own.filter(|(_, own)| own.text.contains('=') && !is_sentence(&own.text));
        formula.map(|(_, own)| own.text.clone()).collect()
    }

    /// What no point took.
    pub(super) fn left(self) -> impl Iterator<Item = String> {
        self.statements.into_iter().filter(|own| !own.taken).map(|own| own.text)
    }
}

fn goes_on(before: &str, line: &str) -> bool {
    let ended = before.ends_with(['.', ';']);
    let first = line.split_whitespace().next().unwrap_or_default();
    let begins_small = first.chars().count() > 1 && first.chars().all(char::is_lowercase);
    let in_sentence = is_sentence(before) && (is_sentence(line) || before.ends_with(','));
    line.starts_with(RELATIONS) || (!ended && (begins_small || in_sentence))
}

/// "the tank is fullest because it still fills": the claim and the reason.
fn reasoned(text: &str) -> Option<(&str, &str)> {
    let lower = text.to_lowercase();
    // Lower case may change a text's length, so the cut is made only where it fits.
    let found = lexicon::says(Concept::Because, &lower).filter(|_| lower.len() == text.len())?;
    let (claim, reason) = (text.get(..found.start)?, text.get(found.end..)?);
    let both = !claim.trim().is_empty() && !reason.trim().is_empty();
    both.then(|| (claim.trim().trim_end_matches(','), reason.trim()))
}

/// What a formula comes to: "t = 4" of "2t = 8 ⇒ t = 4", "16 m" of "s(2) = 12 + 4 = 16 m".
fn value_of(text: &str) -> &str {
    let concluded = text.rsplit(CONCLUDES).next().unwrap_or(text).trim();
    let text = concluded.trim_start_matches(['=', '≈', ' ']).trim_end_matches(['.', ' ']);
    let Some((before, value)) = text.rsplit_once(['=', '≈']) else { return text };
    let name = before.contains(char::is_alphabetic)
        && before.trim().chars().filter(|c| !c.is_whitespace()).count() <= NAME_MAX;
    let counts =
        value.trim().trim_start_matches(['−', '-', '–', ' ', '$']).starts_with(|c: char| c.is_ascii_digit());
    let chained = before.contains(['=', '≈']);
    if chained || (!name && counts) { value.trim() } else { text }
}

/// The formula that a name ends with, without white: "L(t)" of "expression for L (t )".
pub(super) fn formula_of(name: &str) -> String {
    let signed =
        |word: &&str| word.chars().any(|c| !c.is_alphabetic() && !matches!(c, ',' | '-' | '.' | '\''));
    let plain = |word: &&str| is_word(word) && !signed(word);
    let spoken = name.split_whitespace().collect::<Vec<_>>();
    let from = spoken.iter().rposition(plain).map_or(0, |last| last + 1);
    let tail = &spoken[from..];
    if tail.iter().any(signed) { squeezed(&tail.join(" ")) } else { String::new() }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Words that say something by themselves, in lower case.
fn words(text: &str) -> Vec<String> {
    let own = text.split(|c: char| !c.is_alphabetic()).filter(|word| is_word(word)).map(str::to_lowercase);
    own.filter(|word| !lexicon::is_stop_word(word)).collect()
}

fn is_word(text: &str) -> bool {
    let letters = text.trim_matches([',', '.', ':', ';']);
    letters.chars().count() > 2 && letters.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
}

/// True for a text of words rather than signs.
fn is_sentence(text: &str) -> bool {
    text.split_whitespace().filter(|word| is_word(word)).count() >= SENTENCE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_comes_to_its_value() {
        for (text, value) in [
            ("2t = 8 ⇒ t = 4", "t = 4"),
            ("s(2) = 12 + 4 = 16 m", "16 m"),
            ("(A(9) − A(0))/9 = −0.4 kg", "−0.4 kg"),
            ("y = 3x + 1.", "y = 3x + 1"),
            ("12 apples", "12 apples"),
        ] {
            assert_eq!(value_of(text), value, "{text}");
        }
    }

    #[test]
    fn lines_that_go_on_are_one_statement() {
        let lines = ["V = 2 ∫ r dr", "= 98 (or 97)", "The level falls at", "that rate."].map(str::to_owned);
        let texts: Vec<String> = Solution::of(&lines).left().collect();
        assert_eq!(texts, ["V = 2 ∫ r dr = 98 (or 97)", "The level falls at that rate."]);
    }

    #[test]
    fn names_end_with_their_formula() {
        assert_eq!(formula_of("expression for L ( t )"), "L(t)");
        assert_eq!(formula_of("h′( 3 )"), "h′(3)");
        assert_eq!(formula_of("constant of integration"), "");
        assert_eq!(formula_of("conclusion, using the theorem"), "");
    }
}
