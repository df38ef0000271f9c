//! Which of the many numbers and letters in a document are its labels: the best consistent numbering.
//!
//! Every line start that looks like a label is a candidate, and so is every bracketed letter inside a
//! line. A beam search keeps the best ways to accept some of them so that each is the successor of
//! the one before: 1, (a), (i), (ii), (b), 2. What argues for a candidate (its print, its place at
//! the margin, marks printed before the next question) is added up; a missing number costs.

mod candidates;
mod outline;
mod successors;

pub use outline::{Inner, Outline};
pub use successors::successors;

use crate::flow::Line;
use crate::labels::{Kind, Style, Token};
use candidates::{Candidate, candidates};

/// An accepted label.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Index of its line.
    pub line: usize,
    /// Index of its first word within the line.
    pub word: usize,
    /// How many words it takes up.
    pub words: usize,
    /// All its levels, from the question's number inwards.
    pub path: Vec<Token>,
    /// True when it stands inside a line of text.
    pub inline: bool,
    /// True when its last word goes on with the text.
    pub glued: bool,
}

/// What the lines say besides labels.
#[derive(Debug, Default)]
pub struct Evidence {
    /// For each line, whether it prints marks.
    pub marks: Vec<bool>,
    /// For each line, whether it is the heading of a section.
    pub section: Vec<bool>,
    /// Looks for question numbers only, whatever stands behind them.
    pub numbers_only: bool,
    /// For each line, how many words of marks stand before its label; empty when none do.
    pub leads: Vec<usize>,
    /// How the document counts, where that is known.
    pub outline: Option<Outline>,
}

/// How many ways are kept at once.
const BEAM: usize = 96;
/// What a missing label costs.
const GAP_COST: f32 = 2.5;
/// What one missing question costs where the line before ends a question with its marks: a sheet was left out, or a
/// question withdrawn.
const LEFT_OUT_COST: f32 = 0.8;
/// Finds the labels of a document.
pub fn number(lines: &[Line<'_>], evidence: &Evidence) -> Vec<Placed> {
    let mut candidates = candidates(lines, evidence);
    if evidence.numbers_only {
        let numbers =
            |candidate: &Candidate| matches!(candidate.label.tokens[0].kind, Kind::Number | Kind::Inner);
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

/// One way to read the document so far.
#[derive(Clone, Debug)]
struct Way {
    path: Vec<Token>,
    score: f32,
    /// Index in the arena of the last accepted label.
    last: usize,
    /// Line of the last question number.
    question_line: usize,
    /// Where labels of each kind stand, on odd and on even pages.
    columns: [[Option<f32>; 2]; 5],
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
    ways: Vec<Way>,
    arena: Vec<Step>,
}

impl<'a> Search<'a> {
    fn new(evidence: &'a Evidence) -> Search<'a> {
        Search {
            evidence,
            marks_before: running_count(&evidence.marks),
            sections_before: running_count(&evidence.section),
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
                next.score -= 1.5;
                grown.push(next);
            }
        }
        for (path, gaps) in successors(&[], &candidate.label.tokens) {
            grown.push(self.accept(None, candidate, path, gaps));
        }
        // Passing over a clear label costs a little, so that it is not done without a reason.
        let clear = matches!(candidate.label.style, Style::Brackets | Style::Keyword | Style::Path);
        // A list of instructions before the questions looks like them: the later start is the better.
        let listed = matches!(candidate.label.style, Style::Dot | Style::Close) && candidate.quality >= 1.3;
        if clear && candidate.quality > 0.5 || listed {
            for way in &mut self.ways {
                way.score -= if clear { 0.15 } else { 0.05 };
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

    /// A new section may begin to count from 1 again.
    fn restart(&self, way: &Way, candidate: &Candidate) -> Option<Vec<Token>> {
        let first = candidate.label.tokens.first()?;
        let fresh = first.kind == Kind::Number && candidate.label.tokens.iter().all(|token| token.value == 1);
        let section = self.sections_before[candidate.line + 1] > self.sections_before[way.question_line];
        let far = way.path.first().is_some_and(|number| number.value >= 2);
        (fresh && section && far).then(|| candidate.label.tokens.clone())
    }

    fn accept(&self, way: Option<&Way>, candidate: &Candidate, path: Vec<Token>, gaps: u32) -> Way {
        let mut next = match way {
            Some(way) => Way { path: Vec::new(), ..way.clone() },
            None => Way {
                path: Vec::new(),
                score: 0.0,
                last: usize::MAX,
                question_line: candidate.line,
                columns: [[None; 2]; 5],
            },
        };
        let new_question = way.is_some_and(|way| way.path.first() != path.first());
        if new_question {
            next.score += self.marks_score(next.question_line, candidate.line);
        }
        if new_question || way.is_none() {
            next.question_line = candidate.line;
        }
        next.score += candidate.quality + 0.5 * (candidate.label.tokens.len() as f32 - 1.0);
        let is_left_out = new_question && gaps == 1 && self.follows_marks(candidate);
        next.score -= if is_left_out { LEFT_OUT_COST } else { GAP_COST * gaps.min(8) as f32 };
        next.score += next.align(candidate);
        next.path = path;
        next
    }

    /// True for a label at the beginning of a line whose own line prints marks, as the one before it does.
    fn follows_marks(&self, candidate: &Candidate) -> bool {
        let prints = |line: usize| self.evidence.marks.get(line).copied().unwrap_or(false);
        candidate.begins_line && prints(candidate.line) && candidate.line.checked_sub(1).is_some_and(prints)
    }

    /// A question with marks is one; where marks are printed at all, one without them is doubtful.
    fn marks_score(&self, from: usize, to: usize) -> f32 {
        let total = self.marks_before.last().copied().unwrap_or(0);
        let within = self.marks_before[to] - self.marks_before[from];
        match (total, within) {
            (0..=2, _) => 0.0,
            (_, 0) if self.is_unmarked_section(from) => 0.0,
            (_, 0) => -1.3,
            _ => 0.6,
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
        let scores: Vec<f32> = self.ways.iter().map(|way| self.marks_score(way.question_line, end)).collect();
        for (way, score) in self.ways.iter_mut().zip(scores) {
            way.score += score;
        }
        let best = self.ways.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let mut at = best.map(|way| way.last);
        let mut placed = Vec::new();
        while let Some(step) = at.and_then(|index| self.arena.get(index)) {
            let candidate = &candidates[step.candidate];
            placed.push(Placed {
                line: candidate.line,
                word: candidate.word,
                words: candidate.label.words,
                path: step.path.clone(),
                inline: !candidate.begins_line,
                glued: candidate.label.glued,
            });
            at = step.before;
        }
        placed.reverse();
        placed
    }
}

impl Way {
    /// Labels of a kind stand under each other.
    fn align(&mut self, candidate: &Candidate) -> f32 {
        if !candidate.begins_line || candidate.label.style == Style::Keyword {
            return 0.0;
        }
        let kind = candidate.label.tokens[0].kind as usize;
        let side = usize::from(candidate.odd_page);
        // Where the column of text begins differs, the distance from it does not.
        let column = self.columns[kind][side];
        self.columns[kind][side] = Some(candidate.x);
        match column {
            Some(x) if (x - candidate.x).abs() <= 5.0 => 0.3,
            // Parts are indented as their question asks; numbers are not.
            Some(x) => {
                let most = if kind == Kind::Number as usize { 1.5 } else { 0.6 };
                -((x - candidate.x).abs() / 25.0).min(most)
            }
            None => 0.0,
        }
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
