//! Which of the many numbers and letters in a document are its labels: the best consistent numbering.
//!
//! Every line start that looks like a label is a candidate, and so is every bracketed letter inside a
//! line. A beam search keeps the best ways to accept some of them so that each is the successor of
//! the one before: 1, (a), (i), (ii), (b), 2. What argues for a candidate (its print, its place at
//! the margin, marks printed before the next question) is added up; a missing number costs.

mod candidates;
mod columns;
mod counted;
mod edges;
mod evidence;
mod lists;
mod margins;
mod outline;
mod parts;
mod running_text;
mod successors;

pub use counted::over;
pub use evidence::{Evidence, Placed};
pub(crate) use outline::asks;
pub use outline::{Inner, Outline};
pub use successors::successors;

use crate::flow::Line;
use crate::labels::{Kind, Style, Token};
use crate::rules::{Reason, Rule};
use candidates::{Candidate, candidates};
use columns::Columns;

/// How many ways are kept at once.
const BEAM: usize = 96;
/// Before a first question that a word announces, so many missing numbers count at most.
const FIRST_GAPS: u32 = 4;

/// Finds the labels of a document.
pub fn number(lines: &[Line<'_>], evidence: &Evidence) -> Vec<Placed> {
    let mut candidates = candidates(lines, evidence);
    if evidence.numbers_only {
        let numbers = |candidate: &Candidate| {
            matches!(candidate.label.tokens[0].kind, Kind::Number | Kind::Inner | Kind::Capital)
        };
        candidates.retain(numbers);
        for candidate in &mut candidates {
            candidate.label.tokens.truncate(1);
        }
    }
    let mut search = Search::new(evidence);
    for (index, candidate) in candidates.iter().enumerate() {
        search.step(index, candidate);
    }
    search.finish(&candidates, lines.len())
}

/// Candidates that were not accepted, each as what it would have been, with what its print said for it.
pub fn passed_over(lines: &[Line<'_>], evidence: &Evidence, placed: &[Placed]) -> Vec<Placed> {
    let accepted = |candidate: &Candidate| {
        placed.iter().any(|label| label.line == candidate.line && label.word == candidate.word)
    };
    let passed = candidates(lines, evidence).into_iter().filter(|candidate| !accepted(candidate));
    passed
        .map(|candidate| Placed {
            line: candidate.line,
            word: candidate.word,
            words: candidate.label.words,
            inline: !candidate.begins_line,
            glued: candidate.label.glued,
            why: vec![(Rule::Print, candidate.quality)],
            path: candidate.label.tokens,
        })
        .collect()
}

/// One way to read the document so far.
#[derive(Clone, Debug)]
struct Way {
    path: Vec<Token>,
    score: f32,
    /// Index in the arena of the last accepted label.
    last: usize,
    /// Line of the last question number.
    question_line: usize,
    /// Line of the last label.
    line: usize,
    /// How the last letter and the last small numeral were printed.
    prints: [Option<Style>; 2],
    columns: Columns,
}

struct Step {
    before: Option<usize>,
    candidate: usize,
    path: Vec<Token>,
}

struct Search<'a> {
    evidence: &'a Evidence,
    /// How many lines up to each print marks.
    marks_before: Vec<u32>,
    sections_before: Vec<u32>,
    solutions_before: Vec<u32>,
    ways: Vec<Way>,
    arena: Vec<Step>,
}

impl<'a> Search<'a> {
    fn new(evidence: &'a Evidence) -> Search<'a> {
        Search {
            evidence,
            marks_before: running_count(&evidence.marks),
            sections_before: running_count(&evidence.section),
            solutions_before: running_count(&evidence.solutions),
            ways: Vec::new(),
            arena: Vec::new(),
        }
    }

    fn step(&mut self, index: usize, candidate: &Candidate) {
        let mut grown = Vec::new();
        for way in &self.ways {
            for (path, gaps) in successors(&way.path, &candidate.label.tokens) {
                grown.push(self.accept(Some(way), candidate, path, gaps));
            }
            if let Some(path) = self.restart(way, candidate) {
                let mut next = self.accept(Some(way), candidate, path, 0);
                next.score += self.restarted(way, candidate).1;
                grown.push(next);
            }
        }
        for (path, gaps) in successors(&[], &candidate.label.tokens) {
            let gaps = gaps.saturating_sub(self.evidence.answered);
            grown.push(self.accept(None, candidate, path, gaps));
        }
        // Passing over a clear label costs a little, so that it is not done without a reason.
        let clear = matches!(candidate.label.style, Style::Brackets | Style::Keyword | Style::Path);
        // A list of instructions before the questions looks like them: the later start is the better.
        let listed = matches!(candidate.label.style, Style::Dot | Style::Close) && candidate.quality >= 1.3;
        if clear && candidate.quality > 0.5 || listed {
            for way in &mut self.ways {
                way.score += if clear { Rule::PassedClear.weight() } else { Rule::PassedListed.weight() };
            }
        }
        if grown.is_empty() {
            return;
        }
        for mut way in grown {
            let before = (way.last != usize::MAX).then_some(way.last);
            way.last = self.arena.len();
            self.arena.push(Step { before, candidate: index, path: way.path.clone() });
            self.ways.push(way);
        }
        self.prune();
    }

    /// A new section may begin to count from 1 again, or with the number that the last one ended with.
    fn restart(&self, way: &Way, candidate: &Candidate) -> Option<Vec<Token>> {
        let first = candidate.label.tokens.first()?;
        let again =
            candidate.label.tokens.len() == 1 && way.path.first() == Some(first) && candidate.begins_line;
        let fresh = again
            || first.kind == Kind::Number && candidate.label.tokens.iter().all(|token| token.value == 1);
        let section = self.sections_before[candidate.line + 1] > self.sections_before[way.question_line];
        // A section may have a single question.
        let far = way.path.first().is_some_and(|number| number.value >= 2) || section && way.path.len() > 1;
        // "Problem 1" after "Problem 10" needs no heading before it.
        let announced = candidate.label.style == Style::Keyword && candidate.begins_line && !again;
        (fresh && (section || announced) && far).then(|| candidate.label.tokens.clone())
    }

    /// What a new beginning costs, or what speaks for it where the section announces its first number.
    fn restarted(&self, way: &Way, candidate: &Candidate) -> Reason {
        let rule = if self.is_announced(way, candidate) { Rule::Announced } else { Rule::Restarted };
        (rule, rule.weight())
    }

    /// True where a section behind the last question announces a number as its first: "Attempt Questions 21–26".
    fn is_announced(&self, way: &Way, candidate: &Candidate) -> bool {
        let number = candidate.label.tokens[0].value;
        let announced = &self.evidence.announced;
        let from = announced.partition_point(|(line, _)| *line < way.question_line);
        let between = announced[from..].iter().take_while(|(line, _)| *line < candidate.line);
        between.into_iter().any(|(_, first)| *first == number)
    }

    fn accept(&self, way: Option<&Way>, candidate: &Candidate, path: Vec<Token>, gaps: u32) -> Way {
        let mut next = match way {
            Some(way) => Way { path: Vec::new(), ..way.clone() },
            None => Way {
                path: Vec::new(),
                score: 0.0,
                last: usize::MAX,
                question_line: candidate.line,
                line: candidate.line,
                prints: [None; 2],
                columns: Columns::default(),
            },
        };
        next.score += self.reasons(way, candidate, &path, gaps).iter().map(|(_, weight)| weight).sum::<f32>();
        next.columns.align(candidate);
        next.line = candidate.line;
        if let Some(place) = print_place(candidate) {
            next.prints[place] = Some(candidate.label.style);
        }
        if way.is_none_or(|way| way.path.first() != path.first()) {
            next.question_line = candidate.line;
            next.prints = [None; 2];
        }
        next.path = path;
        next
    }

    /// What speaks for and against a label after the labels of a way.
    fn reasons(&self, way: Option<&Way>, candidate: &Candidate, path: &[Token], gaps: u32) -> [Reason; 10] {
        let new_question = way.is_some_and(|way| way.path.first() != path.first());
        let marked = match way.filter(|_| new_question) {
            Some(way) => self.marks_score(way.question_line, candidate.line),
            None => (Rule::Marked, 0.0),
        };
        let depth = Rule::Depth.weight() * (candidate.label.tokens.len() as f32 - 1.0);
        let is_left_out = new_question && gaps == 1 && self.follows_marks(candidate);
        let is_unprinted = gaps == 1 && self.scheme_has_before(path);
        // A paper that goes on where another ended announces its first number.
        let gaps = if way.is_none() && candidate.label.style == Style::Keyword {
            gaps.min(FIRST_GAPS)
        } else {
            gaps
        };
        // A single number before it may be an instruction's.
        let counts = |way: &Way| way.path.first().is_some_and(|number| number.value >= 2);
        let leaps = |way: &Way| new_question && counts(way) && self.is_announced(way, candidate);
        let gap = if gaps > 0 && way.is_some_and(leaps) {
            (Rule::Announced, Rule::Announced.weight())
        } else if is_left_out || is_unprinted {
            (Rule::LeftOut, Rule::LeftOut.weight())
        } else {
            (Rule::Gap, Rule::Gap.weight() * gaps.min(8) as f32)
        };
        let aligned = way.map_or(0.0, |way| { way.columns }.align(candidate));
        let shared = match &self.evidence.scheme {
            // Every document has a 1, a 2 and a 3: only deeper labels say something.
            Some(_) if path.len() < 2 => (Rule::SharedWithScheme, 0.0),
            Some((labels, _)) if labels.has(path) => {
                (Rule::SharedWithScheme, Rule::SharedWithScheme.weight())
            }
            Some((_, true)) => (Rule::NotInScheme, Rule::NotInScheme.weight()),
            _ => (Rule::SharedWithScheme, 0.0),
        };
        [
            (Rule::Print, candidate.quality),
            (Rule::Depth, depth),
            gap,
            marked,
            (Rule::Aligned, aligned),
            shared,
            self.print_of(way, candidate, path),
            letter_of_series(candidate, path),
            self.solution_before(way, candidate, path),
            self.torn(way, candidate),
        ]
    }

    /// An item of a list goes on with the item before it, or is no label at all.
    fn torn(&self, way: Option<&Way>, candidate: &Candidate) -> Reason {
        let last = way.and_then(|way| self.arena.get(way.last)).map(|step| step.candidate);
        let torn = candidate.after.is_some_and(|before| last.is_some_and(|last| last != before));
        (Rule::TornList, if torn { Rule::TornList.weight() } else { 0.0 })
    }

    /// A letter or a small numeral that is printed in another way than the one before it.
    fn print_of(&self, way: Option<&Way>, candidate: &Candidate, path: &[Token]) -> Reason {
        let same = way.filter(|way| way.path.first() == path.first());
        let before = same.zip(print_place(candidate)).and_then(|(way, place)| way.prints[place]);
        let other = before.is_some_and(|before| before != candidate.label.style);
        (Rule::OtherPrint, if other { Rule::OtherPrint.weight() } else { 0.0 })
    }

    /// A label that goes deeper after a solution has begun counts the solution's steps.
    fn solution_before(&self, way: Option<&Way>, candidate: &Candidate, path: &[Token]) -> Reason {
        let count = |line: usize| self.solutions_before.get(line).copied().unwrap_or(0);
        let deeper = way.filter(|way| path.len() > way.path.len() && path.starts_with(&way.path));
        let solved = deeper.is_some_and(|way| count(candidate.line) > count(way.line));
        (Rule::InsideSolution, if solved { Rule::InsideSolution.weight() } else { 0.0 })
    }

    /// True when the scheme has the part before this one, so that the paper only does not print its label.
    fn scheme_has_before(&self, path: &[Token]) -> bool {
        let Some((labels, _)) = &self.evidence.scheme else { return false };
        let Some((last, above)) =
            path.split_last().filter(|(last, above)| last.value == 2 && !above.is_empty())
        else {
            return false;
        };
        let before = [above, &[Token::new(last.kind, 1)]].concat();
        labels.has(path) && labels.has(&before)
    }

    /// True for a label at the beginning of a line whose own line prints marks, as the one before it does.
    fn follows_marks(&self, candidate: &Candidate) -> bool {
        let prints = |line: usize| self.evidence.marks.get(line).copied().unwrap_or(false);
        candidate.begins_line && prints(candidate.line) && candidate.line.checked_sub(1).is_some_and(prints)
    }

    /// A question with marks is one; where marks are printed at all, one without them is doubtful.
    fn marks_score(&self, from: usize, to: usize) -> Reason {
        let total = self.marks_before.last().copied().unwrap_or(0);
        let within = self.marks_before[to] - self.marks_before[from];
        match (total, within) {
            (0..=2, _) => (Rule::Marked, 0.0),
            (_, 0) if self.is_unmarked_section(from) => (Rule::Unmarked, 0.0),
            (_, 0) => (Rule::Unmarked, Rule::Unmarked.weight()),
            _ => (Rule::Marked, Rule::Marked.weight()),
        }
    }

    /// True within a section that prints no marks at all, as sections of multiple choice often do. What
    /// stands before the first heading is no section.
    fn is_unmarked_section(&self, line: usize) -> bool {
        let section = self.sections_before[line];
        let start = self.sections_before.partition_point(|before| *before < section);
        let end = self.sections_before.partition_point(|before| *before <= section) - 1;
        section > 0 && self.marks_before[end] == self.marks_before[start.min(end)]
    }

    fn prune(&mut self) {
        self.ways.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut kept: Vec<Way> = Vec::with_capacity(BEAM);
        for way in self.ways.drain(..) {
            let known =
                kept.iter().any(|other| other.path == way.path && other.question_line == way.question_line);
            if !known && kept.len() < BEAM {
                kept.push(way);
            }
        }
        self.ways = kept;
    }

    fn finish(mut self, candidates: &[Candidate], lines: usize) -> Vec<Placed> {
        let end = lines.min(self.evidence.marks.len());
        let scores: Vec<f32> =
            self.ways.iter().map(|way| self.marks_score(way.question_line, end).1).collect();
        for (way, score) in self.ways.iter_mut().zip(scores) {
            way.score += score;
        }
        let best = self.ways.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let mut at = best.map(|way| way.last);
        let mut steps: Vec<&Step> = Vec::new();
        while let Some(step) = at.and_then(|index| self.arena.get(index)) {
            steps.push(step);
            at = step.before;
        }
        steps.reverse();
        self.replay(&steps, candidates)
    }

    /// The labels of the best way, each with its reasons: the way is gone once more.
    fn replay(&self, steps: &[&Step], candidates: &[Candidate]) -> Vec<Placed> {
        let mut way: Option<Way> = None;
        let mut placed = Vec::with_capacity(steps.len());
        for step in steps {
            let candidate = &candidates[step.candidate];
            let before = way.as_ref().map_or(&[][..], |way| &way.path);
            let ways = successors(before, &candidate.label.tokens);
            let found = ways.iter().find(|(path, _)| *path == step.path);
            let gaps = found.map_or(0, |(_, gaps)| *gaps);
            let mut why = self.reasons(way.as_ref(), candidate, &step.path, gaps).to_vec();
            if found.is_none() {
                why.extend(way.as_ref().map(|way| self.restarted(way, candidate)));
            }
            why.retain(|(_, weight)| *weight != 0.0);
            placed.push(Placed {
                line: candidate.line,
                word: candidate.word,
                words: candidate.label.words,
                path: step.path.clone(),
                inline: !candidate.begins_line,
                glued: candidate.label.glued,
                why,
            });
            let last = way.as_ref().map_or(usize::MAX, |way| way.last);
            way = Some(Way { last, ..self.accept(way.as_ref(), candidate, step.path.clone(), gaps) });
        }
        placed
    }
}

/// "(i)" read as the letter after "(h)".
fn letter_of_series(candidate: &Candidate, path: &[Token]) -> Reason {
    let numeral = candidate.label.tokens.last().is_some_and(|token| token.kind == Kind::Roman);
    let letter = path.last().is_some_and(|token| token.kind == Kind::Letter);
    let weight = if numeral && letter { Rule::LetterOfSeries.weight() } else { 0.0 };
    (Rule::LetterOfSeries, weight)
}

/// Where the print of a label with a single level is kept; numbers are printed as their place asks.
fn print_place(candidate: &Candidate) -> Option<usize> {
    match candidate.label.tokens.as_slice() {
        [only] if only.kind == Kind::Letter => Some(0),
        [only] if only.kind == Kind::Roman => Some(1),
        _ => None,
    }
}

fn running_count(flags: &[bool]) -> Vec<u32> {
    let mut total = 0;
    let counts = flags.iter().map(|flag| {
        total += u32::from(*flag);
        total
    });
    std::iter::once(0).chain(counts).collect()
}
