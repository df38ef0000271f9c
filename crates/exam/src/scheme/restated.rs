//! Questions that a scheme repeats with all their parts above the solutions to them: "(a) Find … (b) Explain …", then "(a) H = 3"
//! and "(b) By the theorem …". Each letter stands twice in its order, and only the second answers.

use crate::flow::Line;
use crate::labels::{self, Kind, LETTERED_PARTS, Style};
use lexicon::Concept;

/// Fewer parts may be spoken of.
const LEAST: usize = 2;

/// Leaves such repetitions out.
pub(super) fn leave_out(all: &mut [(Line<'_>, bool)]) {
    let begins = |line: &Line<'_>| {
        let label = labels::parse(&line.texts());
        label.is_some_and(|label| {
            label.tokens[0].kind == Kind::Number && matches!(label.style, Style::Keyword | Style::Dot)
        })
    };
    let mut starts: Vec<usize> = (0..all.len()).filter(|at| !all[*at].1 && begins(&all[*at].0)).collect();
    starts.push(all.len());
    for block in starts.windows(2) {
        let lines = &mut all[block[0]..block[1]];
        if let Some((first, answers)) = repeated(lines) {
            lines[first..answers].iter_mut().for_each(|(_, furniture)| *furniture = true);
        }
    }
}

/// Where the parts are repeated in the lines of a question, and where the solutions begin.
fn repeated(lines: &[(Line<'_>, bool)]) -> Option<(usize, usize)> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for (at, (line, _)) in lines.iter().enumerate().filter(|(_, (_, furniture))| !furniture) {
        for (word, own) in line.words.iter().enumerate() {
            let part = LETTERED_PARTS.iter().position(|part| *part == own.text);
            found.extend(part.map(|part| (at, word, part)));
        }
    }
    let count = found.len() / 2;
    let counts = |run: &[(usize, usize, usize)]| run.iter().enumerate().all(|(at, own)| own.2 == at);
    let (asked, answered) = found.split_at(count);
    let twice = found.len() == 2 * count && count >= LEAST && counts(asked) && counts(answered);
    // What is answered begins a line, and what is asked ends above it.
    let on_lines = answered.iter().all(|(_, word, _)| *word == 0);
    let ((first, ..), (last, ..), (answers, ..)) = (*asked.first()?, *asked.last()?, *answered.first()?);
    let asks = |own: &&(usize, usize, usize)| asks(&lines[own.0].0, own.1);
    let most = |run: &[(usize, usize, usize)]| run.iter().filter(asks).count() * 2 >= count;
    (twice && on_lines && last < answers && most(asked) && !most(answered)).then_some((first, answers))
}

/// True for a part whose text begins with what to do or asks, up to the next letter of its line.
fn asks(line: &Line<'_>, letter: usize) -> bool {
    let mut said = line.words[letter + 1..]
        .iter()
        .take_while(|word| !LETTERED_PARTS.contains(&word.text.as_str()))
        .peekable();
    let begins = said.peek().is_some_and(|first| lexicon::is(Concept::Command, &first.text.to_lowercase()));
    begins || said.last().is_some_and(|last| last.text.ends_with('?'))
}
