//! One leaf's answer beside its key: every point judged by the rule that fits it.

use super::algebra::{MATHEMATICAL, written_otherwise};
use super::chemistry::is_other_formula;
use super::code;
use super::demand::Demands;
use super::follow::Earlier;
use super::judged::is_letter;
use super::label;
use super::lacking;
use super::matcher::Matcher;
use super::method;
use super::number::{self, Context, Quantity};
use super::opinions::Opinions;
use super::prime::has_prime_product;
use super::shares;
use super::sums::Sum;
use super::told;
use super::torn;
use super::values;
use super::verdict::{ALWAYS, LENIENT, Measured, NEVER, Reason, STANDARD, Verdict};
use super::weighed::better_judged;
use super::wording::{Match, Phrase, Relation, Said, is_mispaired, relation};
use crate::instructions::Rules;
use crate::meaning::Judge;
use crate::rule::Rule;
use crate::task::Leaf;
use crate::words::{Token, stem, tokens};
use domain::question::{Kind, Notation, PointKind};
use domain::scheme::{Role, Scale, TypedKey, TypedPoint, Wording};
use signs::form::normal;
use signs::list::items;
use std::collections::HashSet;
use std::ops::Range;

/// One leaf's answer beside its key.
pub(crate) struct Script<'a> {
    pub(crate) leaf: &'a Leaf<'a>,
    pub(crate) key: &'a TypedKey,
    /// The stem and the part's text.
    pub(crate) question: String,
    /// The numbers that the question gives.
    pub(crate) given: Vec<f64>,
    pub(crate) demands: Demands,
    /// What it demands of steps: only results are rounded as it says.
    of_steps: Demands,
    pub(crate) rules: &'a Rules,
    /// The answer in one form.
    pub(crate) answer: &'a str,
    pub(crate) said: Said,
    /// Stems that the question says itself.
    pub(crate) asked: HashSet<String>,
    pub(crate) judge: &'a dyn Judge,
    pub(crate) opinions: Opinions,
    /// The parts before, for what follows on from them.
    pub(crate) earlier: &'a [Earlier],
}

/// "E", "FA": codes stand beside numbers in a list.
const CODE_MAX: usize = 3;
/// A statement with up to so many numbers needs them all.
const NUMBERS_NEEDED_MAX: usize = 2;
/// How sure a formula can be refused of which the scheme has lost a power.
const LOST_POWER: f32 = 0.35;
/// How sure a formula is refused that the answer writes otherwise.
const OTHERWISE_CONFIDENCE: f32 = 0.7;
/// Up to so many concepts a wording is a term, which is said or not; more make a statement with a meaning.
const TERM_CONCEPTS_MAX: usize = 2;

impl<'a> Script<'a> {
    pub(crate) fn new(
        leaf: &'a Leaf<'a>,
        key: &'a TypedKey,
        answer: &'a str,
        rules: &'a Rules,
        judge: &'a dyn Judge,
        earlier: &'a [Earlier],
    ) -> Script<'a> {
        let question = match (leaf.stem.is_empty(), leaf.text.starts_with(leaf.stem)) {
            (true, _) | (_, true) => leaf.text.to_owned(),
            _ => format!("{}\n{}", leaf.stem, leaf.text),
        };
        let given = Quantity::all(&super::key_separators(key).in_english(&question));
        let given = given.into_iter().map(|quantity| quantity.value).collect();
        let asked = tokens(&question).into_iter().map(|token| token.stem).collect();
        // Figures and forms are asked for in the part itself; a stem's "to 3 figures" is another part's.
        let demands = Demands::of(leaf.text);
        let of_steps = Demands { figures: None, places: None, nearest: None, ..demands.clone() };
        let said = Said::of(answer);
        let opinions = Opinions::default();
        Script {
            leaf,
            key,
            question,
            given,
            demands,
            of_steps,
            rules,
            answer,
            said,
            asked,
            judge,
            opinions,
            earlier,
        }
    }

    /// Judges one point by itself, the judge of meaning asked where rules leave it open.
    pub(crate) fn judge_alone(&self, point: &TypedPoint) -> Verdict {
        let verdict = self.judge_point(point);
        if self.opinions.ask(self.judge, &self.question, self.answer) {
            self.judge_point(point)
        } else {
            verdict
        }
    }

    /// Judges one point by rules and by what the judge of meaning was already asked.
    pub(crate) fn judge_point(&self, point: &TypedPoint) -> Verdict {
        match point.role {
            Role::Instruction => return Verdict::refused(0.9, None).by(Rule::Instruction),
            Role::Condition => {
                return Verdict::refused(0.4, Some(Reason::NeedsPerson)).by(Rule::Condition);
            }
            Role::Point => {}
        }
        if let Some(verdict) = shares::judge(self, point) {
            return self.with_rejects(point, verdict);
        }
        let mut verdict = match point.kind {
            // The value of a sum is not the sum: only the step itself shows the method.
            PointKind::Method if method::is_sum(point) && !point.own.is_theirs => method::judge(self, point),
            PointKind::Method => self.judge_wordings(point).or(method::judge(self, point)),
            // "B1 for" beside a final answer: it may be seen on the way there.
            PointKind::Independent if self.has_final_answer() => {
                self.judge_wordings(point).or(method::judge(self, point))
            }
            // One sum of several: it is made by showing it.
            PointKind::Independent | PointKind::Point | PointKind::Accuracy if self.has_several_points() => {
                self.judge_wordings(point).or(method::shown(self, point)).or(told::judge(self, point))
            }
            _ => self.judge_wordings(point),
        };
        if verdict.grant > NEVER
            && matches!(verdict.rule, Rule::Meaning | Rule::Words)
            && point.own.text.contains('=')
            && let Some(span) = written_otherwise(&normal(&point.own.text), self.answer)
        {
            let refused = Verdict::refused(OTHERWISE_CONFIDENCE, Some(Reason::OtherValue)).by(Rule::Algebra);
            verdict = Verdict { evidence: vec![span], measured: verdict.measured, ..refused };
        }
        let forms = point.wordings.iter().map(|wording| wording.form.as_str());
        if verdict.grant > NEVER
            && matches!(verdict.rule, Rule::Meaning | Rule::Words)
            && is_other_formula(forms, self.answer.trim())
        {
            verdict = Verdict::refused(0.85, Some(Reason::OtherValue)).by(Rule::Chemistry);
        }
        if verdict.grant < STANDARD {
            verdict = verdict.or(lacking::judge(self, point));
        }
        if self.demands.prime_factors && verdict.grant > NEVER && !has_prime_product(self.answer) {
            verdict = Verdict::refused(0.9, Some(Reason::Form)).by(Rule::PrimeFactors);
        }
        if verdict.grant < ALWAYS && self.follows_on(point) {
            verdict = verdict.or(super::follow::judge(self, point));
        }
        if verdict.rule == Rule::Meaning && matches!(self.leaf.kind, Kind::ShortAnswer | Kind::Extended) {
            verdict = shares::by_degree(point, verdict);
        }
        let verdict = self.with_required_words(point, verdict);
        self.with_rejects(point, verdict)
    }

    fn has_several_points(&self) -> bool {
        self.key.points.len() > 1
    }

    /// True when one point of the key is worth everything by itself.
    fn has_final_answer(&self) -> bool {
        self.key.points.iter().any(|point| point.kind == PointKind::Answer)
    }

    /// What bears on a comparison of numbers.
    pub(crate) fn context(&self, point: &TypedPoint) -> Context<'_> {
        Context {
            demands: if point.is_passing { &self.of_steps } else { &self.demands },
            rules: self.rules,
            exact_only: point.notation.contains(&Notation::CorrectAnswerOnly),
            ignores_sign: self.key.remarks.ignores_signs,
        }
    }

    pub(super) fn follows_on(&self, point: &TypedPoint) -> bool {
        self.rules.follow_through || point.follows_on
    }

    /// True for a result that others follow in the same key: an answer may go on from it.
    fn is_passing_result(&self, point: &TypedPoint) -> bool {
        point.is_passing && !matches!(self.leaf.kind, Kind::MultipleChoice | Kind::Drawing)
    }

    fn judge_wordings(&self, point: &TypedPoint) -> Verdict {
        let isw = point.notation.contains(&Notation::IgnoreSubsequentWorking)
            || self.rules.ignore_subsequent_working
            || self.is_passing_result(point)
            || self.key.scale == Scale::Solution;
        let context = self.context(point);
        let is_weighed = self.judge.reads_jointly();
        let whole_marks = (point.marks.as_halves() / 2) as usize;
        let mut best = Verdict::refused(0.85, None);
        let mut undecided: Vec<(&Wording, Match, usize)> = Vec::new();
        for wording in &point.wordings {
            let mut matcher = Matcher::of(wording, self.leaf.kind, &self.demands);
            if let Matcher::Number(key) = &mut matcher {
                key.rounds |= point.notation.contains(&Notation::AnswersRoundingTo);
            }
            if let Some(verdict) = code::judge(&wording.text, self.answer)
                .or_else(|| values::judge(&normal(&wording.text), self.answer))
            {
                best = best.or(verdict);
            } else if let Some(verdict) = self.judge_named(&matcher, wording, context, isw) {
                let torn = || torn::judge(wording, self.answer, whole_marks).unwrap_or_default();
                let verdict = match &matcher {
                    Matcher::Algebra(_) if torn::lost_power(&wording.text) => verdict.doubted(LOST_POWER),
                    _ => verdict,
                };
                best = best.or(if verdict.grant == NEVER { verdict.or(torn()) } else { verdict });
            } else if let Some(verdict) = torn::judge(wording, self.answer, whole_marks) {
                best = best.or(verdict);
            } else if !wording.is_theirs && self.lacks_number(wording, context) {
                // Where the scheme has a number, no likeness of words gives it.
                let lacking = Verdict::refused(0.85, Some(Reason::OtherValue)).by(Rule::Number);
                best = best.or(lacking);
            } else if let Matcher::Words(phrases) = matcher {
                let (verdict, found, concepts) = self.judge_phrases(&wording.text, &phrases);
                let is_open = verdict.grant == NEVER && !found.contradicted && concepts > TERM_CONCEPTS_MAX;
                if (is_open || is_weighed) && !self.is_code(&wording.text) && !self.shows_no(&wording.form) {
                    undecided.push((wording, found, concepts));
                }
                best = best.or(verdict);
            }
            if best.grant == ALWAYS && !(is_weighed && best.rule == Rule::Words) {
                return best;
            }
        }
        undecided.sort_by(|one, other| other.1.coverage.total_cmp(&one.1.coverage));
        let Some((_, found, _)) = undecided.first() else { return best };
        if is_weighed {
            let texts: Vec<String> = undecided.iter().map(|(wording, ..)| wording.text.clone()).collect();
            return self.weigh(best, &texts, found);
        }
        let texts: Vec<String> = undecided.iter().map(|(wording, ..)| wording.plain.clone()).collect();
        better_judged(best, self.judge_meaning(&texts, found))
    }

    /// Judges the stretch of the answer that states the result by its name, where there is one, else the whole answer.
    fn judge_named(
        &self,
        matcher: &Matcher,
        wording: &Wording,
        context: Context<'_>,
        isw: bool,
    ) -> Option<Verdict> {
        let named = wording.name.as_deref().filter(|_| matches!(matcher, Matcher::Number(_)));
        if let Some(stretch) = named.and_then(|name| label::stretch_of(self.answer, name)) {
            return self.judge_stretch(matcher, stretch, context, isw);
        }
        let mut whole = matcher.judge(self.answer, context, isw)?;
        if whole.grant == NEVER && matches!(matcher, Matcher::Number(_)) {
            let is_asked = |word: &Token| word.is_content() && self.asked.contains(&word.stem);
            let last = label::named_last(self.answer, is_asked);
            let last = last.and_then(|stretch| self.judge_stretch(matcher, stretch, context, isw));
            if let Some(last) = last {
                whole = whole.or(last.at_most(STANDARD, Reason::SeveralAnswers));
            }
        }
        let is_listed = || matches!(matcher, Matcher::Number(_)) && self.lists_results();
        if whole.grant > NEVER || !(self.key.has_several_numbers || is_listed()) {
            return Some(whole);
        }
        // Several results are given as a list, each for its own point.
        let listed = items(self.answer).into_iter();
        Some(
            listed
                .filter_map(|item| self.judge_stretch(matcher, item, context, isw))
                .fold(whole, Verdict::or),
        )
    }

    /// True for as many numbers, one beside the other, as the key has results: "40, 75".
    fn lists_results(&self) -> bool {
        let is_result = |point: &&TypedPoint| {
            point.kind != PointKind::Method
                && matches!(Matcher::of(&point.own, self.leaf.kind, &self.demands), Matcher::Number(_))
        };
        let items = items(self.answer);
        let is_number = |item: &Range<usize>| Quantity::all(&self.answer[item.clone()]).len() == 1;
        items.len() > 1
            && items.iter().all(is_number)
            && self.key.points.iter().filter(is_result).count() == items.len()
    }

    /// Judges a stretch of the answer by itself.
    fn judge_stretch(
        &self,
        matcher: &Matcher,
        stretch: Range<usize>,
        context: Context<'_>,
        isw: bool,
    ) -> Option<Verdict> {
        let mut verdict = matcher.judge(&self.answer[stretch.clone()], context, isw)?;
        for span in &mut verdict.evidence {
            *span = span.start + stretch.start..span.end + stretch.start;
        }
        Some(verdict)
    }

    /// True for a sum where the answer works nothing out: a number alone shows no step, whatever it is like.
    fn shows_no(&self, wording: &str) -> bool {
        is_arithmetic(wording) && Sum::all(self.answer).is_empty() && !self.answer.contains('=')
    }

    /// True for a letter and for the digits of another base ("FA"): they are written or not, and mean nothing else.
    fn is_code(&self, wording: &str) -> bool {
        let text = wording.trim();
        let is_digit = |c: char| c.is_ascii_digit() || ('A'..='F').contains(&c);
        let is_number = (1..=CODE_MAX).contains(&text.len()) && text.chars().all(is_digit);
        is_number && self.key.has_several_numbers || is_letter(text)
    }

    /// True when the statement turns on a number that the answer does not say.
    fn lacks_number(&self, wording: &Wording, context: Context<'_>) -> bool {
        let decisive = number::decisive(&wording.statement, &self.given);
        let context = Context { demands: &self.of_steps, ..context };
        let says = |at: usize| {
            let in_range = |low: usize| {
                let ends = decisive.get(low).zip(decisive.get(low + 1));
                ends.is_some_and(|(low, high)| {
                    number::says_between(self.answer, [low, high], &wording.statement)
                })
            };
            number::says(self.answer, &decisive[at], &wording.statement, context)
                || in_range(at)
                || at.checked_sub(1).is_some_and(in_range)
        };
        let said = (0..decisive.len()).filter(|at| says(*at)).count();
        // Formulae that were read in pieces hold numbers that nobody writes like that.
        let needed =
            if decisive.len() <= NUMBERS_NEEDED_MAX { decisive.len() } else { decisive.len() * 3 / 5 };
        said < needed
    }

    /// What words alone decide.
    fn judge_phrases(&self, wording: &str, phrases: &[Phrase]) -> (Verdict, Match, usize) {
        let mut best = (Verdict::refused(0.85, None), Match::default(), 0);
        let relation = relation(wording, self.answer, self.leaf.text);
        let is_mispaired = is_mispaired(wording, self.answer);
        for phrase in phrases {
            let mut found = self.said.find(phrase, &self.asked);
            // A relation is turned or kept by its sides, whatever its words: "B is colder" says that A is hotter.
            found.contradicted = match relation {
                Relation::Unsaid => found.contradicted,
                Relation::Kept => false,
                Relation::Turned => true,
            };
            found.contradicted |= is_mispaired;
            let concepts = phrase.concepts.len();
            let measured = Measured { coverage: Some(found.coverage), opinion: None };
            let verdict = Verdict { measured, ..self.phrase_verdict(&found, concepts) };
            let more = found.coverage > best.1.coverage || best.2 == 0;
            if verdict.grant > best.0.grant || (verdict.grant == best.0.grant && more) {
                best = (verdict, found, concepts);
            }
        }
        best
    }

    fn phrase_verdict(&self, found: &Match, concepts: usize) -> Verdict {
        let evidence = found.spans.clone();
        if found.contradicted {
            return Verdict {
                evidence,
                ..Verdict::refused(0.8, Some(Reason::Contradicted)).by(Rule::Opposite)
            };
        }
        if found.is_complete {
            let grant = match (found.misspelled, self.rules.ignore_spelling, self.rules.strict_spelling) {
                (false, _, _) | (true, true, _) => ALWAYS,
                (true, false, false) => STANDARD,
                (true, false, true) => LENIENT,
            };
            let spread = 0.05 * (found.clauses.saturating_sub(1)) as f32;
            let assumed = if found.coverage > 0.999 { 0.0 } else { 0.05 };
            let confidence = if found.misspelled { 0.8 } else { 0.93 - spread - assumed };
            return Verdict { grant, confidence, evidence, rule: Rule::Words, ..Verdict::default() };
        }
        let nearly = concepts == TERM_CONCEPTS_MAX && found.coverage >= 0.7;
        let grant = if nearly { LENIENT } else { NEVER };
        let confidence = if concepts <= TERM_CONCEPTS_MAX {
            0.85 - 0.3 * found.coverage
        } else {
            0.8 - 0.3 * found.coverage
        };
        Verdict { grant, confidence, evidence, ..Verdict::default() }
    }

    /// True when the answer shares no word that matters with the question or the key.
    pub(crate) fn is_off_topic(&self) -> bool {
        let ways = self.key.points.iter().flat_map(|point| &point.wordings).flat_map(|wording| &wording.ways);
        let concepts = ways.flat_map(|way| &way.concepts);
        self.is_far_from(concepts.flat_map(|concept| &concept.words))
    }

    /// True when the answer shares no word that matters with the question or any of these: a plea, say.
    pub(crate) fn is_far_from<'w>(&self, words: impl Iterator<Item = &'w String>) -> bool {
        let stems: HashSet<String> = words.map(|word| stem(word)).collect();
        let content: Vec<_> = self.said.tokens.iter().filter(|token| token.is_content()).collect();
        let is_near =
            |token: &&crate::words::Token| stems.contains(&token.stem) || self.asked.contains(&token.stem);
        content.len() >= 4 && !content.into_iter().any(|token| is_near(&token))
    }
}

/// True for numbers and signs without a word: they are worked out or not, and mean nothing else.
fn is_arithmetic(wording: &str) -> bool {
    let is_word = |word: &str| word.chars().count() > 2 && !MATHEMATICAL.contains(&word);
    let words = wording.split(|c: char| !c.is_alphabetic());
    let numbers = Quantity::all(wording).len();
    numbers > 1 && wording.contains(['*', '/', '+', '-', '÷', '^', '(']) && !words.into_iter().any(is_word)
}
