//! Reads a line by letters and words together: of all readings that its steps allow, the one whose letters are likely
//! and whose words are usual.

use super::lexicon::{self, Lexicon};
use std::collections::HashMap;

/// Readings that are followed at once.
const WIDTH: usize = 24;
/// At a step, letters that are less likely than this are not looked at.
const LIKELIHOOD_MIN: f32 = 0.004;
/// Nor more letters than this.
const LIKELY_MAX: usize = 12;
/// What a word's cost counts beside the likelihood of its letters.
const WORD_WEIGHT: f32 = 0.6;
/// What a word earns back, or long runs of letters would be taken for one.
const WORD_GAIN: f32 = WORD_WEIGHT * lexicon::UNKNOWN;
/// What each of its letters earns, or letters that are hard to read would be left out.
const LETTER_GAIN: f32 = 0.3;
/// The empty reading.
const ROOT: usize = 0;
/// The class that stands for no letter.
const BLANK: usize = 0;

/// A letter of the reading: its class, the step where its middle stands, and how likely it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) class: usize,
    pub(super) step: f32,
    pub(super) likelihood: f32,
}

/// A reading so far, as the one before it and its last letter.
struct Node {
    before: usize,
    class: usize,
    /// What its words that are whole cost.
    words: f32,
    /// What the word that it ends with will cost at least.
    open: f32,
}

/// How likely a reading is when it ends in a blank and when it does not.
#[derive(Clone, Copy, Default)]
struct Ends {
    blank: f32,
    letter: f32,
}

/// The best reading of a line; `text` says what each class stands for.
pub(super) fn best(
    likelihoods: &[f32],
    classes: usize,
    lexicon: &Lexicon,
    text: impl Fn(usize) -> char,
) -> Vec<Placed> {
    let mut search = Search {
        nodes: vec![Node { before: ROOT, class: BLANK, words: 0.0, open: 0.0 }],
        children: HashMap::new(),
        lexicon,
        text,
    };
    let mut beam: Vec<(usize, Ends)> = vec![(ROOT, Ends { blank: 1.0, letter: 0.0 })];
    for row in likelihoods.chunks_exact(classes) {
        let likely = likely(row);
        let mut next: HashMap<usize, Ends> = HashMap::with_capacity(2 * beam.len());
        for (node, ends) in &beam {
            let all = ends.blank + ends.letter;
            let last = search.nodes[*node].class;
            for (class, likelihood) in &likely {
                if *class == BLANK {
                    next.entry(*node).or_default().blank += all * likelihood;
                } else if *class == last && *node != ROOT {
                    next.entry(*node).or_default().letter += ends.letter * likelihood;
                    let longer = search.longer(*node, *class);
                    next.entry(longer).or_default().letter += ends.blank * likelihood;
                } else {
                    let longer = search.longer(*node, *class);
                    next.entry(longer).or_default().letter += all * likelihood;
                }
            }
        }
        beam = next.into_iter().collect();
        // Of equals the one that was met first, whatever the order of the map.
        beam.sort_by(|a, b| search.score(b).total_cmp(&search.score(a)).then(a.0.cmp(&b.0)));
        beam.truncate(WIDTH);
        // Only how likely readings are beside each other matters; a long line's likelihoods grow too small to count.
        let most = beam.iter().map(|(_, ends)| ends.blank + ends.letter).fold(f32::MIN_POSITIVE, f32::max);
        for (_, ends) in &mut beam {
            (ends.blank, ends.letter) = (ends.blank / most, ends.letter / most);
        }
    }
    let last =
        |entry: &(usize, Ends)| search.score(entry) + search.nodes[entry.0].open - search.open_word(entry.0);
    let best = beam.iter().max_by(|a, b| last(a).total_cmp(&last(b)).then(b.0.cmp(&a.0)));
    let letters = best.map(|(node, _)| search.spelled(*node)).unwrap_or_default();
    placed(likelihoods, classes, &letters)
}

/// The classes that a step may stand for, the likeliest first.
fn likely(row: &[f32]) -> Vec<(usize, f32)> {
    let all = row.iter().copied().enumerate();
    let mut likely: Vec<(usize, f32)> = all.filter(|(_, likelihood)| *likelihood >= LIKELIHOOD_MIN).collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    likely.truncate(LIKELY_MAX);
    likely
}

struct Search<'l, T> {
    nodes: Vec<Node>,
    children: HashMap<(usize, usize), usize>,
    lexicon: &'l Lexicon,
    text: T,
}

impl<T: Fn(usize) -> char> Search<'_, T> {
    /// The reading with one letter more.
    fn longer(&mut self, node: usize, class: usize) -> usize {
        if let Some(known) = self.children.get(&(node, class)) {
            return *known;
        }
        let ends_word = !(self.text)(class).is_alphabetic();
        let words = self.nodes[node].words + if ends_word { self.open_word(node) } else { 0.0 };
        self.nodes.push(Node { before: node, class, words, open: 0.0 });
        let longer = self.nodes.len() - 1;
        if !ends_word && !self.lexicon.begins_word(&self.last_word(longer)) {
            self.nodes[longer].open = self.open_word(longer).max(0.0);
        }
        self.children.insert((node, class), longer);
        longer
    }

    /// What the word costs that a reading ends with; nothing when it ends with something else.
    fn open_word(&self, node: usize) -> f32 {
        let word = self.last_word(node);
        if word.is_empty() {
            return 0.0;
        }
        let letters = word.chars().count() as f32;
        WORD_WEIGHT * self.lexicon.cost(&word) - WORD_GAIN - LETTER_GAIN * letters
    }

    /// The letters that a reading ends with.
    fn last_word(&self, mut node: usize) -> String {
        let mut word: Vec<char> = Vec::new();
        while node != ROOT && (self.text)(self.nodes[node].class).is_alphabetic() {
            word.push((self.text)(self.nodes[node].class));
            node = self.nodes[node].before;
        }
        word.iter().rev().collect()
    }

    fn score(&self, (node, ends): &(usize, Ends)) -> f32 {
        (ends.blank + ends.letter).max(f32::MIN_POSITIVE).ln()
            - self.nodes[*node].words
            - self.nodes[*node].open
    }

    fn spelled(&self, mut node: usize) -> Vec<usize> {
        let mut letters = Vec::new();
        while node != ROOT {
            letters.push(self.nodes[node].class);
            node = self.nodes[node].before;
        }
        letters.reverse();
        letters
    }
}

/// Where the letters of a reading stand: the most likely way to go through the steps.
fn placed(likelihoods: &[f32], classes: usize, letters: &[usize]) -> Vec<Placed> {
    let steps = likelihoods.len() / classes.max(1);
    // Before, between and after the letters there may be blanks.
    let states = 2 * letters.len() + 1;
    let class_of = |state: usize| if state.is_multiple_of(2) { BLANK } else { letters[state / 2] };
    let mut costs = vec![f32::MAX; states];
    let mut came: Vec<u8> = vec![0; steps * states];
    for step in 0..steps {
        let before = costs.clone();
        for state in 0..states {
            let likelihood = likelihoods[step * classes + class_of(state)].max(1e-9);
            let may_skip = state % 2 == 1 && state >= 3 && class_of(state) != class_of(state - 2);
            let from = |back: usize| if state >= back { before[state - back] } else { f32::MAX };
            let ways = [from(0), from(1), if may_skip { from(2) } else { f32::MAX }];
            let (back, least) = match step {
                0 => (0, if state < 2 { 0.0 } else { f32::MAX }),
                _ => (0..3)
                    .map(|back| (back, ways[back]))
                    .fold((0, f32::MAX), |a, b| if b.1 < a.1 { b } else { a }),
            };
            came[step * states + state] = back as u8;
            costs[state] = if least == f32::MAX { f32::MAX } else { least - likelihood.ln() };
        }
    }
    let mut runs: Vec<Option<(usize, usize, f32)>> = vec![None; letters.len()];
    let mut state = if states > 1 && costs[states - 2] < costs[states - 1] { states - 2 } else { states - 1 };
    for step in (0..steps).rev() {
        if state % 2 == 1 {
            let likelihood = likelihoods[step * classes + class_of(state)];
            let run = runs[state / 2].get_or_insert((step, step, likelihood));
            *run = (step, run.1, run.2.max(likelihood));
        }
        state -= usize::from(came[step * states + state]).min(state);
    }
    let place = |(class, run): (&usize, Option<(usize, usize, f32)>)| {
        let (from, to, likelihood) = run?;
        Some(Placed { class: *class, step: (from + to + 1) as f32 / 2.0, likelihood })
    };
    letters.iter().zip(runs).filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: &[char] = &['\0', 't', 'h', 'e', 'o', ' ', '7', '2'];

    /// A line of steps, each with its likeliest class and another one that is nearly as likely.
    fn line(steps: &[(char, char)]) -> Vec<f32> {
        let class = |letter: char| LETTERS.iter().position(|other| *other == letter).unwrap();
        let mut rows = Vec::new();
        for (first, second) in steps {
            let mut row = vec![0.0; LETTERS.len()];
            row[class(*second)] += 0.42;
            row[class(*first)] += 0.58;
            rows.extend(row);
        }
        rows
    }

    fn read(steps: &[(char, char)]) -> String {
        best(&line(steps), LETTERS.len(), &Lexicon::default(), |class| LETTERS[class])
            .iter()
            .map(|letter| LETTERS[letter.class])
            .collect()
    }

    #[test]
    fn of_two_readings_the_word_is_taken_and_numbers_stay_as_they_are() {
        assert_eq!(read(&[('t', 't'), ('h', 'h'), ('o', 'e')]), "the");
        assert_eq!(read(&[('7', '2'), ('\0', '\0'), ('2', '2')]), "72");
        assert_eq!(read(&[]), "");
    }

    #[test]
    fn letters_stand_where_their_steps_are() {
        let steps = [('\0', '\0'), ('t', 't'), ('t', 't'), ('\0', '\0'), ('t', 't'), ('o', 'o')];
        let found = best(&line(&steps), LETTERS.len(), &Lexicon::default(), |class| LETTERS[class]);
        let places: Vec<(char, f32)> =
            found.iter().map(|letter| (LETTERS[letter.class], letter.step)).collect();
        assert_eq!(places, [('t', 2.0), ('t', 4.5), ('o', 5.5)]);
        assert!(found.iter().all(|letter| letter.likelihood > 0.9));
    }
}
