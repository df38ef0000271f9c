//! Answers to several versions of a paper behind each other, "Version 1 – (B); Version 2 – (D)", or in rows, "Form A  C  B
//! D". Those of the version that the paper says it is count; the others would be read as more answers.

use reader::page::{Document, Page, Word};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How versions are counted.
const COUNTED: [&str; 12] = ["1", "2", "3", "4", "A", "B", "C", "D", "I", "II", "III", "IV"];
/// Fewer answers by versions may be anything.
const LEAST: usize = 3;
/// A word that names versions has at least so many letters.
const NAME_LETTERS: usize = 3;

/// What names the version of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// "version"
    name: String,
    /// "1"
    count: String,
}

/// A word and how it is counted, the words that both and the sign behind them take up, and the answers that it heads.
struct Head {
    name: String,
    count: String,
    words: usize,
    answers: usize,
}

/// The version that a paper is, where its scheme answers several.
pub(super) fn of(paper: &Document, scheme: &Document) -> Option<Version> {
    let mut told: HashMap<(String, String), usize> = HashMap::new();
    for page in &scheme.pages {
        for line in lines(page) {
            for (_, head) in heads(&page.words[line]) {
                *told.entry((head.name, head.count)).or_default() += head.answers;
            }
        }
    }
    let often = |name: &str, count: &str| {
        told.get(&(name.to_owned(), count.to_owned())).is_some_and(|times| *times >= LEAST)
    };
    let names: HashSet<&String> = told.keys().map(|(name, _)| name).collect();
    let several = |name: &str| COUNTED.iter().filter(|count| often(name, count)).count() >= 2;
    let mut said: HashSet<(String, String)> = HashSet::new();
    for pair in paper.pages.iter().flat_map(|page| page.words.windows(2)) {
        let name = bare(&pair[0].text).to_lowercase();
        let count = bare(&pair[1].text);
        if names.contains(&name) && COUNTED.contains(&count) && several(&name) {
            said.insert((name, count.to_owned()));
        }
    }
    let mut said = said.into_iter();
    let (name, count) = said.next().filter(|(name, count)| often(name, count))?;
    said.next().is_none().then_some(Version { name, count })
}

/// Takes the answers to other versions off a page, and the names of all.
pub(super) fn keep(page: &mut Page, version: &Version) {
    let mut gone = vec![false; page.words.len()];
    for line in lines(page) {
        let heads = heads(&page.words[line.clone()]);
        let own: Vec<&(usize, Head)> = heads.iter().filter(|(_, head)| head.name == version.name).collect();
        for (index, (at, head)) in own.iter().enumerate() {
            let from = line.start + at;
            let to = own.get(index + 1).map_or(line.end, |(next, _)| line.start + next);
            let kept = head.count == version.count;
            gone[from..if kept { from + head.words } else { to }].fill(true);
        }
        // The sign that parted the answer from that to the next version.
        if let Some(last) = line.clone().rfind(|at| !gone[*at]).filter(|last| *last + 1 < line.end) {
            let text = page.words[last].text.trim_end_matches([';', ',']);
            page.words[last].text = text.to_owned();
        }
    }
    let mut gone = gone.into_iter();
    page.words.retain(|word| !gone.next().unwrap_or(false) && !word.text.is_empty());
}

fn lines(page: &Page) -> Vec<Range<usize>> {
    reader::lines::lines(page).into_iter().map(|line| line.words).collect()
}

/// The names of versions on a line, each with where it begins: the first begins the line, the others stand behind a sign.
fn heads(words: &[Word]) -> Vec<(usize, Head)> {
    let opens =
        |at: usize| at.checked_sub(1).is_none_or(|before| words[before].text.ends_with([';', ',', '/', '|']));
    let found = (0..words.len()).filter(|at| opens(*at)).filter_map(|at| Some((at, head(&words[at..])?)));
    let found: Vec<(usize, Head)> = found.collect();
    if found.first().is_some_and(|(at, _)| *at == 0) { found } else { Vec::new() }
}

/// "Version 1 –", "Version 1:", and "Form A  C  B  D": the first cell of a row of letters.
fn head(words: &[Word]) -> Option<Head> {
    let [name, count, rest @ ..] = words else { return None };
    let long = name.text.chars().count() >= NAME_LETTERS && name.text.chars().all(char::is_alphabetic);
    let closed = count.text.ends_with(':');
    let dash = rest.first().is_some_and(|word| matches!(word.text.as_str(), "–" | "-" | "—" | ":" | "="));
    let counted = bare(&count.text);
    let letter =
        |word: &Word| word.text.len() == 1 && word.text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let in_row = rest.len() >= LEAST && rest.iter().all(letter);
    (long && COUNTED.contains(&counted) && (closed || dash || in_row)).then(|| Head {
        name: name.text.to_lowercase(),
        count: counted.to_owned(),
        words: 2 + usize::from(dash && !closed),
        answers: if in_row { rest.len() } else { 1 },
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
