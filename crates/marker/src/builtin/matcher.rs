//! What a wording of a scheme is: a number, a formula, a sequence or words, and how an answer meets it.

use super::algebra::{AlgebraKey, constant_of};
use super::chemistry::{ChemicalKey, balance_of};
use super::date::Date;
use super::demand::Demands;
use super::number::{self, Context, NumberKey, Quantity, Ratio, TimeOfDay, Unit};
use super::sequence::Sequence;
use super::sums::is_near;
use super::verdict::{ALWAYS, LENIENT, NEVER, Reason, STANDARD, Verdict};
use super::wording::Phrase;
use crate::rule::Rule;
use domain::question::Kind;
use domain::scheme::Wording;
use lexicon::english::{algebra as told, steps, times, verdicts};

/// A wording, understood.
#[derive(Debug)]
pub(crate) enum Matcher {
    Number(NumberKey),
    Ratio(Ratio),
    Time(TimeOfDay),
    Date(Date),
    Unit(Unit),
    Algebra(AlgebraKey),
    Chemistry(ChemicalKey),
    /// Labels in order, or a pair: "C, A, B", "1 - D".
    Sequence(Sequence),
    /// "the equation is balanced"
    Balanced,
    /// True or false, yes or no.
    Truth(bool),
    Words(Vec<Phrase>),
}

impl Matcher {
    /// Understands a wording, given what sort of question it answers.
    pub(crate) fn of(wording: &Wording, kind: Kind, demands: &Demands) -> Matcher {
        let text = wording.form.as_str();
        if let Some(truth) = truth_of(text) {
            return Matcher::Truth(truth);
        }
        if let Some(bits) = Sequence::of_bits(text) {
            return Matcher::Sequence(bits);
        }
        if let Some(date) = Date::parse(text) {
            return Matcher::Date(date);
        }
        if demands.chemical && speaks_of_balancing(text) && !text.contains(['→', '+']) {
            return Matcher::Balanced;
        }
        let understood = match kind {
            // A step that is described is made by doing it, not by repeating its formulae.
            Kind::Numeric | Kind::Expression if wording.is_described => None,
            Kind::Numeric => numeric(wording, true, demands)
                .or_else(|| chemistry(text, false))
                .or_else(|| algebra(text, true)),
            Kind::Expression => {
                let chemical = demands.chemical || demands.state_symbols;
                chemistry(text, chemical)
                    .or_else(|| numeric(wording, false, demands))
                    .or_else(|| algebra(text, !is_sentence(text)))
            }
            Kind::ShortAnswer | Kind::Extended | Kind::MultipleChoice | Kind::Drawing => {
                numeric(wording, false, demands)
                    .or_else(|| chemistry(text, demands.symbols && demands.chemical))
                    .or_else(|| Sequence::parse(text).map(Matcher::Sequence))
                    .or_else(|| algebra(text, demands.symbols))
            }
        };
        understood
            .or_else(|| Sequence::parse(text).map(Matcher::Sequence))
            .unwrap_or_else(|| Matcher::Words(wording.ways.iter().map(Phrase::of).collect()))
    }

    /// Judges an answer by everything but words.
    pub(crate) fn judge(&self, answer: &str, context: Context<'_>, isw: bool) -> Option<Verdict> {
        let verdict = match self {
            Matcher::Number(key) => judge_number(key, answer, context, isw),
            Matcher::Ratio(key) => key.judge(answer, context.demands),
            Matcher::Time(key) => key.judge(answer),
            Matcher::Date(key) => key.judge(answer),
            Matcher::Unit(key) => judge_unit(*key, answer),
            Matcher::Algebra(key) => judge_algebra(key, answer, context, isw),
            Matcher::Chemistry(key) => key.judge(answer, context.demands),
            Matcher::Sequence(key) => key.judge(answer),
            Matcher::Balanced => judge_balance(answer),
            Matcher::Truth(key) => judge_truth(*key, answer),
            Matcher::Words(_) => return None,
        };
        Some(verdict.by(self.rule()))
    }

    const fn rule(&self) -> Rule {
        match self {
            Matcher::Number(_) => Rule::Number,
            Matcher::Ratio(_) => Rule::Ratio,
            Matcher::Time(_) => Rule::Time,
            Matcher::Date(_) => Rule::Date,
            Matcher::Unit(_) => Rule::Unit,
            Matcher::Algebra(_) => Rule::Algebra,
            Matcher::Chemistry(_) => Rule::Chemistry,
            Matcher::Sequence(_) => Rule::Order,
            Matcher::Balanced => Rule::Balance,
            Matcher::Truth(_) => Rule::Truth,
            Matcher::Words(_) => Rule::Words,
        }
    }

    /// The number that a key states, for later parts that follow on from it.
    pub(crate) fn stated_number(&self) -> Option<f64> {
        match self {
            Matcher::Number(key) if key.range.is_none() => Some(key.stated.value),
            Matcher::Algebra(key) => key.constant(),
            _ => None,
        }
    }
}

/// "equation balanced", "correct balancing": not the balance of payments, nor one to weigh with.
fn speaks_of_balancing(text: &str) -> bool {
    steps::BALANCING.within(&text.to_lowercase())
}

fn numeric(wording: &Wording, loose: bool, demands: &Demands) -> Option<Matcher> {
    let text = wording.form.as_str();
    let lower = text.to_lowercase();
    let says_half = times::HALVES.end(lower.trim_end_matches('.'));
    let clock = text.starts_with(|c: char| c.is_ascii_digit()) && says_half && text.contains([':', '.']);
    if (demands.time_of_day || clock)
        && let Some(time) = TimeOfDay::parse(text)
    {
        return Some(Matcher::Time(time));
    }
    if text.contains(':')
        && let Some(ratio) = Ratio::parse(text)
    {
        return Some(Matcher::Ratio(ratio));
    }
    if let Some(number) = &wording.number {
        return Some(Matcher::Number(NumberKey::stated_by(number)));
    }
    let unit =
        steps::UNIT.after(text).map(|rest| rest.trim_start_matches([':', ' ', 's', '='])).unwrap_or(text);
    let named = unit.len() < text.len() || (loose && text.chars().any(|c| "/^°Ω".contains(c)));
    Unit::whole(unit).filter(|_| named).map(Matcher::Unit)
}

fn chemistry(text: &str, expected: bool) -> Option<Matcher> {
    ChemicalKey::parse(text, expected).map(Matcher::Chemistry)
}

/// True for a statement about mathematics, such as a step of a proof: "the sum is 4n + 4".
fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic));
    words.filter(|word| steps::STATEMENT.has(word)).count() >= 2
}

fn algebra(text: &str, words_allowed: bool) -> Option<Matcher> {
    let parse = |text: &str| AlgebraKey::parse(text, words_allowed);
    parse(text).or_else(|| parse(told_by_equation(text)?)).map(Matcher::Algebra)
}

/// "Equation of C is x² + y² = 20": the equation, behind the name of what it tells.
fn told_by_equation(text: &str) -> Option<&str> {
    const NAME_MAX: usize = 6;
    let (name, equation) = text.split_once(told::IS)?;
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let is_named = words.len() <= NAME_MAX && words.iter().any(|word| told::TOLD.has(word));
    (is_named && equation.contains('=')).then_some(equation)
}

fn judge_number(key: &NumberKey, answer: &str, context: Context<'_>, isw: bool) -> Verdict {
    let verdict = number::judge(key, answer, context, isw);
    if verdict.grant > NEVER {
        return verdict;
    }
    // "√33" or "5π" for a decimal: exact, and as good.
    let last = answer.rsplit(['\n', '=']).find(|part| !part.trim().is_empty()).unwrap_or_default();
    let Some((value, true)) = constant_of(last) else { return verdict };
    let written = Quantity::exact(value, 0..answer.len());
    let (grant, reason) = number::compare(key, &written, context);
    let exact = Verdict::given(grant, 0.85, written.span);
    // The sign of a root is drawn, and lost in many schemes: "r = 33" where an exact value is asked for is its root.
    let is_root = context.demands.exact && last.contains('√') && is_near(value * value, key.stated.value);
    if is_root {
        return Verdict { confidence: ROOT_CONFIDENCE, grant: STANDARD, ..exact };
    }
    if grant > NEVER { Verdict { reason, ..exact } } else { verdict }
}

/// How sure a root is of which the scheme shows the number alone.
const ROOT_CONFIDENCE: f32 = 0.7;

fn judge_algebra(key: &AlgebraKey, answer: &str, context: Context<'_>, isw: bool) -> Verdict {
    let verdict = key.judge(answer, context.demands, isw);
    let Some(value) = key.constant().filter(|_| verdict.grant == NEVER) else { return verdict };
    // "5.74 cm" for "√33".
    let stated = Quantity::exact(value, 0..0);
    let limit = if context.demands.exact { LENIENT } else { STANDARD };
    let rounded = number::judge(&NumberKey::of(stated), answer, context, isw).at_most(limit, Reason::Form);
    verdict.or(rounded)
}

/// A mark for the unit alone: any number of the answer that carries it.
fn judge_unit(key: Unit, answer: &str) -> Verdict {
    let carried = Quantity::all(answer).into_iter().rfind(|quantity| quantity.unit.is_some());
    let alone = Unit::whole(answer.trim());
    match carried
        .and_then(|quantity| quantity.unit.map(|unit| (unit, quantity.span)))
        .or(alone.map(|unit| (unit, 0..answer.len())))
    {
        Some((unit, span)) if unit.is_same(key) => Verdict::given(ALWAYS, 0.92, span),
        Some((_, span)) => Verdict { evidence: vec![span], ..Verdict::refused(0.9, Some(Reason::UnitWrong)) },
        None => Verdict::refused(0.9, Some(Reason::UnitMissing)),
    }
}

/// A mark for balancing alone: the student's own equation, whatever it is, balances.
fn judge_balance(answer: &str) -> Verdict {
    match balance_of(answer) {
        Some((true, span)) => Verdict::given(ALWAYS, 0.85, span),
        Some((false, span)) => {
            Verdict { evidence: vec![span], ..Verdict::refused(0.9, Some(Reason::NotBalanced)) }
        }
        None => Verdict::refused(0.7, Some(Reason::OtherValue)),
    }
}

/// What a word says of truth.
fn truth_of(text: &str) -> Option<bool> {
    let plain = text.trim_matches(|c: char| c.is_whitespace() || ".!,:;".contains(c)).to_lowercase();
    match (verdicts::TRUE.has(&plain), verdicts::FALSE.has(&plain)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// What an answer says of truth, word after word. A word that also stands before nouns says so only where it begins a line
/// or sentence: "there are no elements left" denies nothing.
fn truths(answer: &str) -> Vec<bool> {
    let mut found = Vec::new();
    for line in answer.lines() {
        let mut begins = true;
        for word in line.split_whitespace() {
            let is_plain = !verdicts::BEFORE_NOUNS.has(&word.to_lowercase());
            found.extend(truth_of(word).filter(|_| begins || is_plain));
            begins = word.ends_with(['.', ':', ';', ',', '!', ')']);
        }
    }
    found
}

/// The first word decides; a second that says the other makes it no answer.
fn judge_truth(key: bool, answer: &str) -> Verdict {
    let mut said = truths(answer).into_iter();
    match (said.next(), said.any(|later| later != key)) {
        (Some(first), false) if first == key => Verdict::given(ALWAYS, 0.95, 0..answer.len()),
        (Some(first), true) if first == key => Verdict::refused(0.85, Some(Reason::SeveralAnswers)),
        (Some(_), _) => Verdict::refused(0.95, Some(Reason::OtherValue)),
        (None, _) => Verdict::refused(0.75, Some(Reason::OtherValue)),
    }
}
