//! Parts that a sentence lists: "Find: (a) the speed; (b) the force; (c) the work."

use crate::flow::Line;
use crate::labels::LETTERED_PARTS;
use lexicon::Concept;

/// Between one letter and the next stand no more words.
const APART: usize = 60;
/// What is to be done is said so many words before the first letter.
const LEAD: usize = 12;

/// The lines and words at which the letters of such lists stand: the first behind a colon, in a sentence that says what to
/// do, each of the others behind a semicolon.
pub(super) fn parts(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let words: Vec<(usize, usize, &str)> = lines
        .iter()
        .enumerate()
        .flat_map(|(line, own)| {
            own.words.iter().enumerate().map(move |(at, word)| (line, at, word.text.as_str()))
        })
        .collect();
    let mut found = Vec::new();
    let mut at = 1;
    while at < words.len() {
        let run =
            if words[at].2 == LETTERED_PARTS[0] && begins(&words, at) { run(&words, at) } else { Vec::new() };
        at = run.last().copied().unwrap_or(at) + 1;
        if run.len() > 1 {
            found.extend(run.into_iter().map(|at| (words[at].0, words[at].1)));
        }
    }
    found
}

/// True behind a colon in a sentence that says what to do.
fn begins(words: &[(usize, usize, &str)], at: usize) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let sentence = words[..at - 1].iter().rev().take(LEAD).take_while(|(_, _, word)| !word.ends_with('.'));
    let own = words[at - 1].2;
    own.ends_with(':')
        && sentence
            .map(|(_, _, word)| *word)
            .chain([own])
            .any(|word| lexicon::is(Concept::Command, &bare(word)))
}

/// The places of a list's letters from the first on.
fn run(words: &[(usize, usize, &str)], first: usize) -> Vec<usize> {
    let mut run = vec![first];
    while let Some(next) = LETTERED_PARTS.get(run.len()) {
        let last = run[run.len() - 1];
        let reach = last + 2..words.len().min(last + 2 + APART);
        let Some(at) = reach.into_iter().find(|at| words[*at].2 == *next && words[at - 1].2.ends_with(';'))
        else {
            break;
        };
        run.push(at);
    }
    run
}
