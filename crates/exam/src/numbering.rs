//! Which of the many numbers and letters in a document are its labels: the best consistent numbering.
//!
//! Every line start that looks like a label is a candidate, and so is every bracketed letter inside a
//! line. A beam search keeps the best ways to accept some of them so that each is the successor of
//! the one before: 1, (a), (i), (ii), (b), 2. What argues for a candidate (its print, its place at
//! the margin, marks printed before the next question) is added up; a missing number costs.

use crate::flow::Line;
use crate::labels::{self, Kind, Label, Style, Token};

/// A place where a label may stand.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index of its line.
    pub line: usize,
    /// Index of its first word within the line.
    pub word: usize,
    /// How it reads.
    pub label: Label,
    /// What its print and place say, before its neighbours are known.
    quality: f32,
    x: f32,
    odd_page: bool,
}

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
}

/// How many ways are kept at once.
const BEAM: usize = 96;
/// What a missing label costs.
const GAP_COST: f32 = 2.5;
/// Documents with more candidates are not searched to the end.
const MAX_CANDIDATES: usize = 20_000;

/// Finds the labels of a document.
pub fn number(lines: &[Line<'_>], evidence: &Evidence) -> Vec<Placed> {
    let mut candidates = candidates(lines);
    if evidence.numbers_only {
        candidates.retain(|candidate| candidate.label.tokens[0].kind == Kind::Number);
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
    columns: [[Option<f32>; 2]; 4],
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
        if clear && candidate.quality > 0.5 {
            for way in &mut self.ways {
                way.score -= 0.15;
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
        let fresh = *first == Token::new(Kind::Number, 1) && candidate.label.tokens.len() == 1;
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
                columns: [[None; 2]; 4],
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
        next.score -= GAP_COST * gaps.min(8) as f32;
        next.score += next.align(candidate);
        next.path = path;
        next
    }

    /// A question with marks is one; where marks are printed at all, one without them is doubtful.
    fn marks_score(&self, from: usize, to: usize) -> f32 {
        let total = self.marks_before.last().copied().unwrap_or(0);
        let within = self.marks_before[to] - self.marks_before[from];
        match (total, within) {
            (0..=2, _) => 0.0,
            (_, 0) => -1.3,
            _ => 0.6,
        }
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
                inline: candidate.word > 0,
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
        if candidate.word > 0 || candidate.label.style == Style::Keyword {
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

/// The paths that a label may lead to from a path, each with the number of labels left out.
pub fn successors(path: &[Token], tokens: &[Token]) -> Vec<(Vec<Token>, u32)> {
    let counted =
        tokens.iter().take_while(|token| matches!(token.kind, Kind::Number | Kind::Decimal)).count();
    let (numbers, levels) = tokens.split_at(counted);
    let start = match numbers {
        [] => Some((path.to_vec(), 0)),
        numbers => number_successor(path, numbers, levels.is_empty()),
    };
    let mut ways: Vec<(Vec<Token>, u32)> = start.into_iter().collect();
    for token in levels {
        let grow = |(path, gaps): (Vec<Token>, u32)| {
            let nexts = level_successors(&path, *token);
            nexts.into_iter().map(move |(path, more)| (path, gaps + more))
        };
        ways = ways.into_iter().flat_map(grow).collect();
    }
    ways
}

/// 2 after 1, 1.2 after 1.1.3, 1.1.1 after 1.1. The same number again only leads to its parts.
fn number_successor(path: &[Token], numbers: &[Token], last: bool) -> Option<(Vec<Token>, u32)> {
    let counted = path.iter().take_while(|token| matches!(token.kind, Kind::Number | Kind::Decimal)).count();
    let current = &path[..counted];
    let same = current.iter().zip(numbers).take_while(|(own, new)| own == new).count();
    let new = match numbers.get(same) {
        Some(new) => new.value,
        None => return (!last && same == current.len()).then(|| (path.to_vec(), 0)),
    };
    let own = current.get(same).map_or(0, |own| own.value);
    let skipped: u32 = numbers[same + 1..].iter().map(|token| token.value - 1).sum();
    (new > own).then(|| (numbers.to_vec(), new - own - 1 + skipped))
}

/// The level itself, and its letter where `(i)` may be one.
fn level_successors(path: &[Token], token: Token) -> Vec<(Vec<Token>, u32)> {
    let letter = token.as_letter().filter(|letter| {
        let current = path.iter().find(|own| own.kind == Kind::Letter);
        current.is_some_and(|own| own.value + 1 == letter.value)
    });
    let read_as = [Some(token), letter];
    read_as.into_iter().flatten().filter_map(|token| level_successor(path, token)).collect()
}

/// (b) after (a), (i) inside (a), (a) inside 1.
fn level_successor(path: &[Token], token: Token) -> Option<(Vec<Token>, u32)> {
    path.first()?;
    match path.iter().position(|own| own.kind == token.kind) {
        Some(at) if token.value > path[at].value => {
            let gaps = token.value - path[at].value - 1;
            Some((path[..at].iter().copied().chain([token]).collect(), gaps))
        }
        Some(_) => None,
        None => Some((path.iter().copied().chain([token]).collect(), token.value - 1)),
    }
}

/// Every place where a label may stand.
fn candidates(lines: &[Line<'_>]) -> Vec<Candidate> {
    let margins = left_margins(lines);
    let body = body_size(lines);
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        let mut word = 0;
        while word < texts.len() && found.len() < MAX_CANDIDATES {
            let Some(label) = labels::parse(&texts[word..]) else {
                word += 1;
                continue;
            };
            let used = label.words;
            if let Some(quality) = quality(line, word, &label, margins[index], body) {
                let x = line.words[word].place.x0 - margins[index];
                found.push(Candidate { line: index, word, label, quality, x, odd_page: line.page % 2 == 1 });
            }
            word += used;
        }
    }
    found
}

/// For each line, the left edge that question numbers stand at: its page's, or its column's.
fn left_margins(lines: &[Line<'_>]) -> Vec<f32> {
    let pages = [left_margin(lines, false), left_margin(lines, true)];
    let mut margins: Vec<f32> = lines.iter().map(|line| pages[usize::from(line.page % 2 == 1)]).collect();
    // A line far above the one before it on the same page begins a column.
    let jumps = |index: usize| {
        let (before, line) = (&lines[index - 1], &lines[index]);
        before.page == line.page && line.place.y1 < before.place.y0 - 40.0 && line.place.x0 > before.place.x0
    };
    let mut index = 1;
    while index < lines.len() {
        if jumps(index) {
            let same = lines[index..].iter().take_while(|line| line.page == lines[index].page).count();
            let column = &lines[index..index + same];
            let left = column.iter().map(|line| line.place.x0).fold(f32::INFINITY, f32::min);
            margins[index..index + same].fill(left);
            index += same;
        } else {
            index += 1;
        }
    }
    margins
}

/// The leftmost edge at which several lines of the odd or the even pages begin.
fn left_margin(lines: &[Line<'_>], odd: bool) -> f32 {
    const TOO_FEW: usize = 6;
    let own = lines.iter().filter(|line| (line.page % 2 == 1) == odd);
    let mut starts: Vec<f32> = own.map(|line| line.place.x0).collect();
    if starts.len() < TOO_FEW {
        starts = lines.iter().map(|line| line.place.x0).collect();
    }
    starts.sort_by(f32::total_cmp);
    let enough = (starts.len() / 50).max(2);
    let edge = starts.windows(enough).find(|window| window[enough - 1] - window[0] <= 4.0);
    edge.map(|window| window[0]).or(starts.first().copied()).unwrap_or(0.0)
}

fn body_size(lines: &[Line<'_>]) -> f32 {
    let mut sizes: Vec<f32> = lines.iter().flat_map(|line| line.words).map(|word| word.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
}

/// What a candidate's print and place say; `None` when it cannot be a label.
fn quality(line: &Line<'_>, word: usize, label: &Label, margin: f32, body: f32) -> Option<f32> {
    let first = &line.words[word];
    let kind = label.tokens[0].kind;
    let mut quality = match (label.style, kind) {
        (Style::Keyword, _) => 3.0,
        (Style::Path, _) => 1.2,
        (Style::Brackets, Kind::Number) => -0.8,
        (Style::Brackets, _) => 1.0,
        (Style::Close, _) => 0.8,
        (Style::Dot, Kind::Number) => 1.0,
        (Style::Dot, _) => 0.1,
        (Style::Bare, _) => 0.7,
    };
    if word > 0 {
        return inline_quality(line, word, label).map(|inline| quality + inline);
    }
    if first.size < 0.75 * body {
        quality -= 1.0;
    }
    let alone = line.words.len() == label.words;
    if label.style == Style::Keyword {
        // A sentence that begins "Question 3 asks" is no heading.
        let sentence =
            line.words.get(label.words).is_some_and(|next| next.text.starts_with(char::is_lowercase));
        return Some(if sentence { quality - 3.0 } else { quality });
    }
    if kind == Kind::Number {
        let offset = (first.place.x0 - margin).max(0.0);
        quality += if offset <= 6.0 { 0.5 } else { -(offset / 12.0).min(3.0) };
        quality += if first.bold { 0.4 } else { 0.0 };
        quality -= if alone && label.style == Style::Bare { 0.6 } else { 0.0 };
    }
    Some(quality)
}

/// Inside a line only a bracketed level can be a label, and not where it is spoken about.
fn inline_quality(line: &Line<'_>, word: usize, label: &Label) -> Option<f32> {
    const SPOKEN_OF: &[&str] = &[
        "part", "parts", "in", "to", "from", "of", "with", "question", "and", "or", "by", "for", "using",
        "your", "see", "line", "on", "the", "equation", "at", "figure", "fig.", "table", "eq.", "as", "both",
        "either", "that",
    ];
    if label.style != Style::Brackets || label.glued || label.tokens[0].kind == Kind::Number {
        return None;
    }
    let before = line.words[word - 1].text.to_lowercase();
    let spoken_of = SPOKEN_OF.contains(&before.trim_end_matches(','));
    // "f (x)" and "sin (a)" are formulae: a label has a gap of its own before it.
    let gap = line.words[word].place.x0 - line.words[word - 1].place.x1;
    let formula = before.chars().count() <= 1 && gap < line.words[word].size;
    let wide = gap > 1.2 * line.words[word].size;
    (!spoken_of && !formula).then_some(if wide { -0.5 } else { -1.1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<Token> {
        labels::parse(&[text]).unwrap().tokens
    }

    fn next(from: &str, label: &str) -> Vec<(String, u32)> {
        let from = if from.is_empty() { Vec::new() } else { path(from) };
        let name = |path: &[Token]| {
            let number = path[0].value.to_string();
            let decimal = path.iter().any(|token| token.kind == Kind::Decimal);
            if decimal { labels::display(path) } else { number + &labels::display(path) }
        };
        successors(&from, &path(label)).into_iter().map(|(path, gaps)| (name(&path), gaps)).collect()
    }

    #[test]
    fn each_label_follows_the_one_before() {
        assert_eq!(next("", "1"), [("1".into(), 0)]);
        assert_eq!(next("1", "(a)"), [("1(a)".into(), 0)]);
        assert_eq!(next("1(a)", "(i)"), [("1(a)(i)".into(), 0)]);
        assert_eq!(next("1(a)(i)", "(ii)"), [("1(a)(ii)".into(), 0)]);
        assert_eq!(next("1(a)(ii)", "(b)"), [("1(b)".into(), 0)]);
        assert_eq!(next("1(b)", "1(c)(i)"), [("1(c)(i)".into(), 0)]);
        assert_eq!(next("1(c)", "2"), [("2".into(), 0)]);
        assert_eq!(next("1(c)", "3"), [("3".into(), 1)]);
        assert!(next("2", "1").is_empty());
        assert!(next("1(b)", "(a)").is_empty());
    }

    #[test]
    fn the_letter_i_after_h_may_be_a_letter_or_a_numeral() {
        assert_eq!(next("1(h)", "(i)"), [("1(h)(i)".into(), 0), ("1(i)".into(), 0)]);
    }

    #[test]
    fn decimals_count_level_by_level() {
        assert_eq!(next("", "1.1"), [("1.1".into(), 0)]);
        assert_eq!(next("1.1", "1.2"), [("1.2".into(), 0)]);
        assert_eq!(next("1.2", "2.1"), [("2.1".into(), 0)]);
        assert_eq!(next("1.1.2", "1.1.3"), [("1.1.3".into(), 0)]);
        assert_eq!(next("1.1.3", "1.2.1"), [("1.2.1".into(), 0)]);
        assert_eq!(next("1", "1.1"), [("1.1".into(), 0)]);
        assert!(next("1.2", "1.1").is_empty());
    }
}
