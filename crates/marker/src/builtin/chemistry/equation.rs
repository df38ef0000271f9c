//! Chemical equations against the scheme's: the same substances, in proportion, with their states.

use super::formula::Formula;
use crate::builtin::demand::Demands;
use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER, Reason, STANDARD, Verdict};
use std::ops::Range;

/// A formula or an equation, as a scheme states it.
#[derive(Clone, Debug)]
pub(crate) enum ChemicalKey {
    Formula(Vec<Formula>),
    Equation(Equation),
}

/// What reacts and what comes of it.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    left: Vec<Term>,
    right: Vec<Term>,
    reversible: bool,
}

#[derive(Clone, Debug)]
struct Term {
    amount: f64,
    /// Every reading of the substance.
    formulae: Vec<Formula>,
}

const ARROWS: [&str; 8] = ["⇌", "<=>", "<->", "→", "-->", "->", "=>", "="];

impl ChemicalKey {
    /// Reads a wording as chemistry. Without `expected` only what can be nothing else is taken for a formula.
    pub(crate) fn parse(wording: &str, expected: bool) -> Option<ChemicalKey> {
        let wording = wording.trim().trim_end_matches(['.', ';']);
        if let Some(equation) = Equation::parse(wording) {
            return Some(ChemicalKey::Equation(equation));
        }
        let formulae = Formula::readings(wording);
        let unmistakable = wording.chars().any(|c| c.is_ascii_digit() || c == '+')
            || wording.chars().zip(wording.chars().skip(1)).zip(wording.chars().skip(2)).any(
                |((a, b), c)| a.is_ascii_uppercase() && b.is_ascii_lowercase() && c.is_ascii_uppercase(),
            );
        let is_word = wording.len() > 1 && !unmistakable && !expected;
        let single = wording.chars().count() == 1 && !expected;
        (!formulae.is_empty() && !is_word && !single).then_some(ChemicalKey::Formula(formulae))
    }

    /// Judges an answer.
    pub(crate) fn judge(&self, answer: &str, demands: &Demands) -> Verdict {
        match self {
            ChemicalKey::Formula(key) => judge_formula(key, answer),
            ChemicalKey::Equation(key) => key.judge(answer, demands),
        }
    }
}

/// True for an answer that is a formula and nothing else, and another than the wordings' formulae: what they say in words
/// ("… or its structural formula") cannot make it right.
pub(crate) fn is_other_formula<'w>(wordings: impl Iterator<Item = &'w str>, answer: &str) -> bool {
    let formula =
        |text: &str| ChemicalKey::parse(text, false).filter(|key| matches!(key, ChemicalKey::Formula(_)));
    let keys: Vec<ChemicalKey> = wordings.filter_map(formula).collect();
    let differs = |key: &ChemicalKey| key.judge(answer, &Demands::default()).grant == NEVER;
    !keys.is_empty() && formula(answer).is_some() && keys.iter().all(differs)
}

/// The answer's own equation, if it has one, and whether it balances.
pub(crate) fn balance_of(answer: &str) -> Option<(bool, Range<usize>)> {
    equations_in(answer).into_iter().next_back().map(|(equation, span)| (equation.is_balanced(), span))
}

fn judge_formula(key: &[Formula], answer: &str) -> Verdict {
    let mut best = Verdict::refused(0.9, Some(Reason::OtherValue));
    let mut others = 0;
    for span in formula_words(answer) {
        let text = &answer[span.clone()];
        let readings = Formula::readings(text);
        let grant = formula_grant(key, &readings).max(careless_case(key, text));
        others += u32::from(grant == NEVER && !readings.is_empty() && looks_deliberate(text));
        if grant > NEVER {
            best = best.or(Verdict::given(grant, if grant == ALWAYS { 0.95 } else { 0.75 }, span));
        }
    }
    if best.grant > NEVER && others > 0 {
        return Verdict { evidence: best.evidence, ..Verdict::refused(0.85, Some(Reason::SeveralAnswers)) };
    }
    if best.grant < ALWAYS && best.grant > NEVER { best.because(Reason::Form) } else { best }
}

/// Stretches of an answer that may be formulae; a charge may stand apart.
fn formula_words(answer: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (at, c) in answer.char_indices().chain(std::iter::once((answer.len(), ' '))) {
        if c.is_whitespace() || matches!(c, ',' | ';' | ':' | '/' | '?') {
            if let Some(start) = start.take() {
                let trimmed = answer[start..at].trim_end_matches(['.', '!']);
                words.push(start..start + trimmed.len());
            }
        } else {
            start.get_or_insert(at);
        }
    }
    let charges: Vec<Range<usize>> = words
        .windows(2)
        .filter(|pair| {
            pair[0].end + 1 == pair[1].start
                && answer[pair[1].clone()].ends_with(['+', '-'])
                && pair[1].len() <= 2
        })
        .map(|pair| pair[0].start..pair[1].end)
        .collect();
    words.retain(|word| !charges.iter().any(|charge| charge.start <= word.start && word.end <= charge.end));
    words.extend(charges);
    words.sort_by_key(|word| word.start);
    words
}

/// A formula, not a stray capital: it has a digit, a charge or two elements.
fn looks_deliberate(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit() || matches!(c, '+' | '-'))
        || text.chars().filter(char::is_ascii_uppercase).count() >= 2
}

fn formula_grant(key: &[Formula], readings: &[Formula]) -> Grant {
    let pairs = || key.iter().flat_map(|wanted| readings.iter().map(move |given| (wanted, given)));
    let states_clash = |wanted: &Formula, given: &Formula| {
        wanted.state.is_some() && given.state.is_some() && wanted.state != given.state
    };
    if pairs().any(|(wanted, given)| given.is_written_alike(wanted) && !states_clash(wanted, given)) {
        ALWAYS
    } else if pairs().any(|(wanted, given)| given.is_same_substance(wanted) && same_end(wanted, given)) {
        STANDARD
    } else if pairs().any(|(wanted, given)| given.is_same_substance(wanted)) {
        LENIENT
    } else {
        NEVER
    }
}

/// "C2H5OH" and "CH3CH2OH" end in the same group; "C2H6O" shows no structure.
fn same_end(wanted: &Formula, given: &Formula) -> bool {
    let end = |formula: &Formula| formula.order.iter().rev().take(2).copied().collect::<Vec<_>>();
    wanted.order.len() > wanted.atoms.len()
        && given.order.len() > given.atoms.len()
        && end(wanted) == end(given)
}

/// "NACL" or "nacl" for NaCl: the letters are there, the case is not.
fn careless_case(key: &[Formula], text: &str) -> Grant {
    let letters = |order: &[(&str, u32)]| -> String {
        order
            .iter()
            .map(
                |(element, count)| {
                    if *count == 1 { (*element).to_owned() } else { format!("{element}{count}") }
                },
            )
            .collect()
    };
    let wrong_case = key.iter().any(|formula| {
        formula.charge == 0 && formula.order.len() > 1 && letters(&formula.order).eq_ignore_ascii_case(text)
    });
    let another = !Formula::readings(text).is_empty()
        && !text.chars().any(|c| c.is_ascii_lowercase())
        && text.len() <= 2;
    if wrong_case && !another { LENIENT } else { NEVER }
}

/// The equations of an answer, one a line at most.
fn equations_in(answer: &str) -> Vec<(Equation, Range<usize>)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in answer.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        // Words may come before: "The equation is: 2H2 + …".
        let behind_colon = text.find(": ").map_or(0, |at| at + 2);
        for from in [0, behind_colon] {
            if let Some(equation) = Equation::parse(text[from..].trim().trim_end_matches('.')) {
                found.push((equation, start + from..start + text.len()));
                break;
            }
        }
        start += line.len();
    }
    if found.is_empty()
        && let Some(equation) = Equation::parse(&answer.replace('\n', " "))
    {
        found.push((equation, 0..answer.len()));
    }
    found
}

impl Equation {
    fn parse(text: &str) -> Option<Equation> {
        let arrow = ARROWS.iter().find(|arrow| text.contains(**arrow))?;
        let (left, right) = text.split_once(arrow)?;
        let equation = Equation {
            left: terms(left)?,
            right: terms(right)?,
            reversible: matches!(*arrow, "⇌" | "<=>" | "<->"),
        };
        // "P = VI" is physics: a plain "=" needs a digit, a plus or a bracket beside it to be a reaction.
        let plain = *arrow == "=" && !text.contains(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('));
        (!plain && text.chars().any(char::is_uppercase)).then_some(equation)
    }

    fn judge(&self, answer: &str, demands: &Demands) -> Verdict {
        let Some((given, span)) = equations_in(answer).into_iter().next_back() else {
            return self.judge_completion(answer, demands);
        };
        let (grant, reason) = self.grant(&given, demands);
        let confidence = if grant == ALWAYS || grant == NEVER { 0.94 } else { 0.8 };
        Verdict { grant, confidence, evidence: vec![span], reason, ..Verdict::default() }
    }

    fn grant(&self, given: &Equation, demands: &Demands) -> (Grant, Option<Reason>) {
        let (Some(left), Some(right)) =
            (proportion(&self.left, &given.left), proportion(&self.right, &given.right))
        else {
            let same = same_substances(&self.left, &given.left) && same_substances(&self.right, &given.right);
            return (NEVER, Some(if same { Reason::NotBalanced } else { Reason::OtherValue }));
        };
        if (left - right).abs() > 1e-9 {
            return (NEVER, Some(Reason::NotBalanced));
        }
        if self.reversible && !given.reversible {
            return (STANDARD, Some(Reason::Form));
        }
        let wanted = self.states();
        if wanted.iter().all(Option::is_none) {
            return (ALWAYS, None);
        }
        let shown = given.states();
        let right_states = self.states_agree(given);
        let asked = demands.state_symbols;
        match (right_states, shown.iter().all(Option::is_none)) {
            (true, _) => (ALWAYS, None),
            (false, true) if !asked => (STANDARD, Some(Reason::StateSymbols)),
            (false, _) => (LENIENT, Some(Reason::StateSymbols)),
        }
    }

    /// Where an equation was to be completed, its missing side is enough.
    fn judge_completion(&self, answer: &str, demands: &Demands) -> Verdict {
        let refused = Verdict::refused(0.8, Some(Reason::OtherValue));
        let Some(given) = terms(answer.trim()).filter(|_| demands.completing) else { return refused };
        let balanced =
            |side: &[Term]| proportion(side, &given).is_some_and(|times| (times - 1.0).abs() < 1e-9);
        if balanced(&self.left) || balanced(&self.right) {
            Verdict::given(ALWAYS, 0.88, 0..answer.len())
        } else {
            refused
        }
    }

    fn terms(&self) -> impl Iterator<Item = &Term> {
        self.left.iter().chain(&self.right)
    }

    fn states(&self) -> Vec<Option<&'static str>> {
        self.terms().map(|term| term.formulae.first().and_then(|formula| formula.state)).collect()
    }

    /// Each of the key's states stands on the same substance of the answer.
    fn states_agree(&self, given: &Equation) -> bool {
        let side = |wanted: &[Term], given: &[Term]| {
            wanted.iter().all(|term| {
                let state = term.formulae.first().and_then(|formula| formula.state);
                let found = given.iter().find(|other| is_same(term, other));
                state.is_none()
                    || found.is_some_and(|other| {
                        other.formulae.first().and_then(|formula| formula.state) == state
                    })
            })
        };
        side(&self.left, &given.left) && side(&self.right, &given.right)
    }

    /// Atoms and charges are the same on both sides, in some reading.
    fn is_balanced(&self) -> bool {
        let sum = |terms: &[Term]| {
            let mut atoms = std::collections::BTreeMap::new();
            let mut charge = 0.0;
            for term in terms {
                let Some(formula) = term.formulae.first() else { continue };
                for (element, count) in &formula.atoms {
                    *atoms.entry(*element).or_insert(0.0) += term.amount * f64::from(*count);
                }
                charge += term.amount * f64::from(formula.charge);
            }
            atoms.remove("e");
            (atoms, charge)
        };
        sum(&self.left) == sum(&self.right)
    }
}

fn is_same(one: &Term, other: &Term) -> bool {
    formula_grant(&one.formulae, &other.formulae) >= STANDARD
        || one
            .formulae
            .iter()
            .any(|wanted| other.formulae.iter().any(|given| given.is_same_substance(wanted)))
}

fn same_substances(wanted: &[Term], given: &[Term]) -> bool {
    wanted.len() == given.len() && wanted.iter().all(|term| given.iter().any(|other| is_same(term, other)))
}

/// How many times the wanted amounts the given ones are, when it is the same for all.
fn proportion(wanted: &[Term], given: &[Term]) -> Option<f64> {
    if !same_substances(wanted, given) {
        return None;
    }
    let mut common = None;
    for term in wanted {
        let other = given.iter().find(|other| is_same(term, other))?;
        let times = other.amount / term.amount;
        if common.is_some_and(|common: f64| (common - times).abs() > 1e-9) {
            return None;
        }
        common = Some(times);
    }
    common
}

/// "2HCl(aq) + Mg" apart. A plus that belongs to a charge has no space before it.
fn terms(side: &str) -> Option<Vec<Term>> {
    let parts: Vec<&str> = if side.contains(" + ") { side.split(" + ").collect() } else { split_plus(side) };
    let terms: Option<Vec<Term>> = parts.into_iter().map(|part| term(part.trim())).collect();
    terms.filter(|terms| !terms.is_empty())
}

/// Without spaces, a plus ends a charge when another plus or the end follows: "Na++Cl-".
fn split_plus(side: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let bytes = side.as_bytes();
    for (at, byte) in side.bytes().enumerate() {
        let next_begins = bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b' ');
        if byte == b'+' && at > start && next_begins {
            parts.push(&side[start..at]);
            start = at + 1;
        }
    }
    parts.push(&side[start..]);
    parts
}

fn term(text: &str) -> Option<Term> {
    let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'.')).count();
    let amount = match text[..digits].split_once('/') {
        _ if digits == 0 => 1.0,
        Some((above, below)) => above.parse::<f64>().ok()? / below.parse::<f64>().ok()?,
        None => text[..digits].parse().ok()?,
    };
    let formulae = Formula::readings(text[digits..].trim());
    (!formulae.is_empty() && amount > 0.0 && f64::is_finite(amount)).then_some(Term { amount, formulae })
}
