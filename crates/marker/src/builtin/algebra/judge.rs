//! Whether an answer's last line says what the key says, in another but equal form.

use super::compare::{Rules, statement_grant};
use super::functions::{MATHEMATICAL, OF_ANGLES};
use super::lex::{Reading, Relation};
use super::parse::{Side, Statement, statements};
use super::{inequality, quantities};
use crate::builtin::demand::Demands;
use crate::builtin::verdict::{ALWAYS, Grant, NEVER, Reason, STANDARD, Verdict};
use std::collections::BTreeSet;
use std::ops::Range;

/// A formula, an equation or several, as a scheme states it.
#[derive(Clone, Debug)]
pub(crate) struct AlgebraKey {
    statements: Vec<Statement>,
    names: BTreeSet<String>,
    /// "0.5 x 40 = 20": its x is no name.
    multiplies_by_x: bool,
    /// "… * 100" comes to so many in a hundred.
    is_percentage: bool,
}

/// A line of the answer that is mathematics.
struct Line {
    span: Range<usize>,
    statements: Vec<Statement>,
    /// Read as it stands, not by a second guess.
    certain: bool,
}

/// What a share is multiplied by to be a percentage.
const HUNDRED: &str = "* 100";

/// Where a line of the answer may have words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prose {
    /// Around its mathematics.
    Around,
    /// Between two equations, where short ones may have been taken for letters: "… = Rv so v = u/2".
    Between,
}

impl AlgebraKey {
    /// Reads a wording as mathematics. `words_allowed` takes formulae of words, as expression questions have them.
    pub(crate) fn parse(wording: &str, words_allowed: bool) -> Option<AlgebraKey> {
        let wording = wording.trim().trim_end_matches(['.', ';']);
        let wording = if words_allowed { without_bracketed_words(wording) } else { wording.to_owned() };
        let all = statements(&without_degrees(&wording), Reading::default())?;
        let mathematics = all.iter().any(|statement| statement.is_mathematics(words_allowed))
            && all.iter().all(|statement| words_allowed || !statement.sides.iter().any(is_prose));
        if !mathematics {
            return None;
        }
        let all = with_shared_names(all);
        let names = all.iter().flat_map(names_of).collect();
        let multiplies_by_x = multiplies_by_x(&wording);
        let is_percentage = wording.contains(HUNDRED);
        Some(AlgebraKey { statements: all, names, multiplies_by_x, is_percentage })
    }

    /// The value of a key that is one constant: "√33", "5π", "x = 2/3".
    pub(crate) fn constant(&self) -> Option<f64> {
        let [statement] = self.statements.as_slice() else { return None };
        let named = statement.sides.first()?.expression()?;
        let equal = statement.relations.iter().all(|relation| *relation == Relation::Equal)
            && (statement.relations.is_empty() || named.is_label());
        statement.sides.last().filter(|_| equal)?.expression()?.constant()
    }

    /// True when it says nothing but values: "x = 3, x = 6".
    pub(crate) fn is_solved(&self) -> bool {
        self.statements.iter().all(|statement| {
            let last = statement.sides.last().and_then(Side::expression);
            let named = statement.sides.first().and_then(Side::expression);
            let is_named =
                statement.relations.is_empty() || named.is_some_and(super::parse::Expression::is_label);
            is_named && last.is_some_and(|last| last.constant().is_some())
        })
    }

    /// Judges an answer. `isw` lets a right line stand whatever follows it.
    pub(crate) fn judge(&self, answer: &str, demands: &Demands, isw: bool) -> Verdict {
        let answer = &without_degrees(&without_bracketed_words(answer));
        let whole = self.judge_read(answer, demands, isw, Prose::Around);
        if whole.grant > NEVER {
            return whole;
        }
        if self.is_sum() {
            // "(8 - 3)/8 * 100 = 62.5 %": the sign says once more what the hundred did.
            let signed = self.is_percentage && answer.contains('%');
            let plain = || self.judge_read(&answer.replace('%', " "), demands, isw, Prose::Around);
            return if signed { whole.or(plain()) } else { whole };
        }
        let apart = whole.or(self.judge_read(answer, demands, isw, Prose::Between));
        match with_decimal_points(answer).filter(|_| apart.grant == NEVER) {
            Some(pointed) => {
                let read = self.judge_read(&pointed, demands, isw, Prose::Between);
                apart.or(Verdict {
                    confidence: read.confidence * 0.8,
                    grant: read.grant.min(STANDARD),
                    ..read
                })
            }
            None => apart,
        }
    }

    fn judge_read(&self, answer: &str, demands: &Demands, isw: bool, prose: Prose) -> Verdict {
        let mut best = Verdict::refused(0.85, Some(Reason::OtherValue));
        for (reading, limit) in READINGS {
            let lines = self.lines(answer, reading, prose);
            let mut verdict = self.judge_lines(&lines, demands);
            if isw && verdict.grant == NEVER {
                verdict = lines
                    .iter()
                    .map(|line| self.judge_lines(std::slice::from_ref(line), demands))
                    .fold(verdict, Verdict::or);
            }
            if limit < ALWAYS {
                verdict.confidence *= 0.8;
                verdict.grant = verdict.grant.min(limit);
            }
            best = best.or(verdict);
            if best.grant > NEVER {
                break;
            }
        }
        best
    }

    /// Arithmetic: its letters, if it has any, are units and signs.
    fn is_sum(&self) -> bool {
        let first = |statement: &Statement| statement.sides.first()?.expression()?.constant();
        self.multiplies_by_x || self.statements.iter().any(|statement| first(statement).is_some())
    }

    /// True when some line of the answer says what the key says; for method marks.
    pub(crate) fn appears_in(&self, answer: &str, demands: &Demands) -> Verdict {
        self.judge(answer, demands, true)
    }

    pub(super) fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The statements of an answer in every way to read them, each with its line.
    pub(super) fn written_in(&self, answer: &str) -> Vec<(Range<usize>, Statement)> {
        let lines = READINGS.into_iter().flat_map(|(reading, _)| self.lines(answer, reading, Prose::Around));
        let each = |line: Line| line.statements.into_iter().map(move |one| (line.span.clone(), one));
        lines.flat_map(each).collect()
    }

    fn lines(&self, answer: &str, reading: Reading, prose: Prose) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in answer.split_inclusive('\n') {
            let end = start + line.trim_end_matches('\n').len();
            let whole = (prose == Prose::Around).then(|| self.line(answer, start..end, reading)).flatten();
            match whole {
                Some(parsed) => lines.push(parsed),
                None => {
                    let clauses = self.clauses(answer, start..end).into_iter();
                    lines.extend(clauses.filter_map(|clause| self.clause(answer, clause, reading)));
                }
            }
            start += line.len();
        }
        lines
    }

    /// The equations of a line that mixes words and mathematics: what stands between words, and between the signs that
    /// part sentences.
    fn clauses(&self, answer: &str, line: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = line.start;
        let mut at = line.start;
        for piece in answer[line.clone()].split_inclusive(' ') {
            let word = piece.trim_end();
            let end = at + piece.len();
            let is_prose = self.is_word(word);
            if is_prose || word.ends_with(['.', ',', ';', ':']) {
                found.push(start..if is_prose { at } else { at + word.len() - 1 });
                start = end;
            }
            at = end;
        }
        found.push(start..line.end);
        found.retain(|clause| answer[clause.clone()].contains('='));
        found
    }

    /// The mathematics of a clause of prose, or of what it comes to: "the integral is … = 2 ln 4".
    fn clause(&self, answer: &str, clause: Range<usize>, reading: Reading) -> Option<Line> {
        let text = &answer[clause.clone()];
        let signs = text.match_indices('=').take(EQUAL_SIGNS_MAX).map(|(at, _)| clause.start + at + 1);
        let ends = std::iter::once(clause.start).chain(signs);
        ends.map(|from| from..clause.end).find_map(|part| self.line(answer, part, reading))
    }

    /// The mathematics of one line, the words around it left out.
    fn line(&self, answer: &str, line: Range<usize>, reading: Reading) -> Option<Line> {
        let text = &answer[line.clone()];
        let behind_arrow = text
            .rfind(['→', '∴', '⇒'])
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let mut span = line.start + behind_arrow..line.end;
        for _ in 0..WORDS_AROUND_MAX {
            let text = &answer[span.clone()];
            let trimmed = text.trim_matches([' ', ':', '.', ',']);
            if trimmed.is_empty() {
                return None;
            }
            let lead = text.len() - text.trim_start_matches([' ', ':', '.', ',']).len();
            span = span.start + lead..span.start + lead + trimmed.len();
            let first_word = trimmed.split(' ').next().filter(|word| self.is_word(word));
            // Two letters at the end are a product ("Q = It"), at the start they are prose ("so x = 5").
            let last_word = trimmed.rsplit(' ').next().filter(|word| word.len() > 2 && self.is_word(word));
            match (first_word, last_word) {
                (Some(word), _) => span.start += word.len(),
                (None, Some(word)) => span.end -= word.len(),
                (None, None) => break,
            }
        }
        let statements = statements(&answer[span.clone()], reading)?;
        Some(Line { span, statements: with_shared_names(statements), certain: reading == Reading::default() })
    }

    /// A word of prose, not a name that the key knows.
    fn is_word(&self, word: &str) -> bool {
        let word = word.trim_end_matches([':', ',', '.']);
        word.chars().count() >= 2
            && word.chars().all(char::is_alphabetic)
            && !self.names.contains(&word.to_lowercase())
            && !quantities::is_quantity(&word.to_lowercase())
            && !self.names.iter().any(|name| {
                name.chars().count() == 1 && word.chars().count() <= 3 && word.contains(name.as_str())
            })
            && !MATHEMATICAL.contains(&word.to_lowercase().as_str())
    }

    /// The last lines, as many as it takes to hold as many statements as the key has.
    fn judge_lines(&self, lines: &[Line], demands: &Demands) -> Verdict {
        let Some(last) = lines.last() else { return Verdict::refused(0.7, Some(Reason::OtherValue)) };
        let verdict = self.judge_statements(&last.statements, demands, last);
        if verdict.grant > NEVER || self.statements.len() == 1 || lines.len() == 1 {
            return verdict;
        }
        let mut merged: Vec<Statement> = Vec::new();
        for line in lines.iter().rev() {
            merged.extend(line.statements.iter().cloned());
            if merged.len() >= self.statements.len() {
                break;
            }
        }
        verdict.or(self.judge_statements(&merged, demands, last))
    }

    fn judge_statements(&self, given: &[Statement], demands: &Demands, line: &Line) -> Verdict {
        if let Some(verdict) = inequality::judge(&self.statements, given) {
            return Verdict { evidence: vec![line.span.clone()], ..verdict };
        }
        let rules = Rules { demands };
        let mut overall: Grant = ALWAYS;
        let mut why = None;
        for key in &self.statements {
            let best = given
                .iter()
                .map(|statement| statement_grant(key, statement, rules))
                .max_by_key(|(grant, _)| *grant);
            let (grant, reason) = best.unwrap_or((NEVER, Some(Reason::OtherValue)));
            if grant < overall {
                (overall, why) = (grant, reason);
            }
        }
        let extra = given.iter().any(|statement| {
            let matches = self.statements.iter().any(|key| statement_grant(key, statement, rules).0 > NEVER);
            !matches && self.is_rival(statement)
        });
        if overall > NEVER && extra {
            return Verdict {
                evidence: vec![line.span.clone()],
                ..Verdict::refused(0.85, Some(Reason::SeveralAnswers))
            };
        }
        let confidence = if line.certain { 0.93 } else { 0.75 };
        Verdict {
            grant: overall,
            confidence,
            evidence: vec![line.span.clone()],
            reason: why,
            ..Verdict::default()
        }
    }

    /// Another answer to the same question: the same name on its left, or none where the key has none.
    fn is_rival(&self, statement: &Statement) -> bool {
        let name = |statement: &Statement| match (statement.relations.as_slice(), statement.sides.first()) {
            ([Relation::Equal, ..], Some(Side::Expression(first))) if first.is_label() => {
                Some(format!("{first:?}"))
            }
            _ => None,
        };
        let given = name(statement);
        let solved = statement.relations.is_empty() || given.is_some();
        solved
            && self
                .statements
                .iter()
                .any(|key| name(key) == given || (given.is_none() && statement.relations.is_empty()))
    }
}

/// The ways to read a formula, in order, and how far each is believed.
const READINGS: [(Reading, Grant); 4] = [
    (Reading { digits_are_powers: false, products_bind_first: false }, ALWAYS),
    (Reading { digits_are_powers: false, products_bind_first: true }, ALWAYS),
    (Reading { digits_are_powers: true, products_bind_first: false }, STANDARD),
    (Reading { digits_are_powers: true, products_bind_first: true }, STANDARD),
];

/// Of more equal signs in a clause the first ones are tried.
const EQUAL_SIGNS_MAX: usize = 6;

/// More words than this around a formula make it prose.
const WORDS_AROUND_MAX: usize = 12;

/// "x = 2, -3" means x = 2 and x = -3.
fn with_shared_names(all: Vec<Statement>) -> Vec<Statement> {
    let mut named: Option<Side> = None;
    let mut out = Vec::with_capacity(all.len());
    for mut statement in all {
        match (&named, statement.relations.as_slice()) {
            (Some(name), []) => {
                statement.sides.insert(0, name.clone());
                statement.relations.push(Relation::Equal);
            }
            (_, [Relation::Equal, ..]) => {
                named = statement
                    .sides
                    .first()
                    .filter(|side| side.expression().is_some_and(super::parse::Expression::is_label))
                    .cloned();
            }
            _ => named = None,
        }
        out.push(statement);
    }
    out
}

fn names_of(statement: &Statement) -> Vec<String> {
    let of = |expression: &super::parse::Expression| -> Vec<String> {
        expression.variables().iter().map(ToString::to_string).collect()
    };
    statement
        .sides
        .iter()
        .flat_map(|side| match side {
            Side::Expression(expression) => of(expression),
            Side::Tuple { members, .. } => members.iter().flat_map(of).collect(),
        })
        .collect()
}

/// An x between two numbers.
fn multiplies_by_x(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends_in_digit = |word: &str| word.ends_with(|c: char| c.is_ascii_digit());
    let begins_with_digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    words.windows(3).any(|three| three[1] == "x" && ends_in_digit(three[0]) && begins_with_digit(three[2]))
}

/// "0,1π" as "0.1π", byte for byte; `None` where no comma stands between two digits.
fn with_decimal_points(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_point = |at: usize| {
        bytes[at] == b','
            && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_digit())
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    let pointed = |(at, c): (usize, char)| if is_point(at) { '.' } else { c };
    (0..bytes.len()).any(is_point).then(|| text.char_indices().map(pointed).collect())
}

/// Angles without their sign, byte for byte, unless a function needs to know: "x = 30" and "30°" are one answer.
fn without_degrees(text: &str) -> String {
    let has_function = OF_ANGLES.iter().any(|name| text.contains(name));
    if has_function { text.to_owned() } else { text.replace('°', "  ") }
}

/// Prose has words; a formula of symbols has none.
fn is_prose(side: &Side) -> bool {
    let wordy = |expression: &super::parse::Expression| {
        expression
            .variables()
            .iter()
            .any(|name| name.chars().count() >= 4 && name.chars().all(char::is_alphabetic))
    };
    match side {
        Side::Expression(expression) => wordy(expression),
        Side::Tuple { members, .. } => members.iter().any(wordy),
    }
}

/// "charge (transferred) = current × time" without what its brackets explain, byte for byte.
fn without_bracketed_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, bracket) = rest.split_at(open);
        out.push_str(before);
        let Some(close) = bracket.find(')') else {
            rest = bracket;
            break;
        };
        let inner = &bracket[1..close];
        let explains = inner.len() >= 4 && inner.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        if explains {
            out.push_str(&" ".repeat(close + 1));
        } else {
            out.push_str(&bracket[..=close]);
        }
        rest = &bracket[close + 1..];
    }
    out.push_str(rest);
    out
}
