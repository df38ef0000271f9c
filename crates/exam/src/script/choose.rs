//! Options of multiple choice questions: ticked, crossed, circled or written as a letter.

use super::Written;
use super::align::{Fit, plain};
use super::leaves::Leaf;
use super::template::{covered, share};
use domain::question::Kind;
use reader::page::{Page, Rect, Word};

/// Signs that a tick, a cross or a filled box is read as.
const MARKS: &[&str] =
    &["✓", "✔", "√", "v", "V", "x", "X", "×", "✗", "✘", "/", "\\", "●", "■", "☑", "☒", "Y", "y"];
/// A mark this many line heights above or below an option's label is not that option's.
const ROW_REACH: f32 = 0.9;

/// The options that stand on one page of the paper, with their places on the script's page.
pub(super) struct Chooser<'a> {
    leaves: &'a [Leaf<'a>],
    printed: Vec<Printed<'a>>,
    marked: Vec<Chosen>,
}

/// An option that was chosen, and where on the script's page that shows.
pub(super) struct Chosen {
    pub(super) leaf: usize,
    pub(super) label: String,
    pub(super) place: Rect,
}

/// An option as printed.
struct Printed<'a> {
    leaf: usize,
    label: &'a str,
    place: Rect,
    is_covered: bool,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(leaves: &'a [Leaf<'a>], printed: &Page, page: &Page, fit: &Fit) -> Chooser<'a> {
        let hidden = covered(printed, page, fit);
        let choices = leaves.iter().enumerate().filter(|(_, leaf)| leaf.kind == Kind::MultipleChoice);
        let labels =
            choices.flat_map(|(index, leaf)| leaf.options.iter().map(move |option| (index, leaf, option)));
        let options = labels.filter_map(|(index, leaf, option)| {
            let word = printed.words.iter().find(|word| is_label(word, &option.label, leaf, printed))?;
            let is_covered = hidden.iter().any(|other| std::ptr::eq(*other, word));
            Some(Printed {
                leaf: index,
                label: &option.label,
                place: fit.apply_rect(&word.place),
                is_covered,
            })
        });
        Chooser { leaves, printed: options.collect(), marked: Vec::new() }
    }

    /// Takes a word that chooses an option; false when it is an ordinary word.
    pub(super) fn take(&mut self, leaf: usize, place: Rect, word: &Written) -> bool {
        let Some(choice) = self.leaves.get(leaf).filter(|leaf| leaf.kind == Kind::MultipleChoice) else {
            return false;
        };
        let letter = named_option(choice, &word.text);
        let beside = MARKS.contains(&word.text.trim()).then(|| self.beside(leaf, &place)).flatten();
        // An X beside option A is a mark even where there is an option X.
        let Some(option) = beside.or(letter) else { return false };
        if !word.crossed_out {
            self.marked.push(Chosen { leaf, label: option, place });
        }
        true
    }

    /// The option on whose row a mark stands, the nearest one if there are several in a row.
    fn beside(&self, leaf: usize, place: &Rect) -> Option<String> {
        let (x, y) = place.centre();
        let own = self.printed.iter().filter(|option| option.leaf == leaf);
        let in_row = own.filter(|option| {
            let (_, middle) = option.place.centre();
            (middle - y).abs() <= ROW_REACH * option.place.height().max(place.height())
        });
        let distance = |option: &&Printed<'_>| (option.place.centre().0 - x).abs();
        in_row.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|option| option.label.to_owned())
    }

    /// All choices. Where nothing was marked, exactly one label that cannot be read any more, while the
    /// others of its question can, is one with a ring around it.
    pub(super) fn chosen(self) -> Vec<Chosen> {
        let mut chosen = self.marked;
        for leaf in 0..self.leaves.len() {
            let own: Vec<&Printed<'_>> = self.printed.iter().filter(|option| option.leaf == leaf).collect();
            let hidden: Vec<&&Printed<'_>> = own.iter().filter(|option| option.is_covered).collect();
            if own.len() > 2 && hidden.len() == 1 && !chosen.iter().any(|marked| marked.leaf == leaf) {
                let ringed = hidden[0];
                chosen.push(Chosen { leaf, label: ringed.label.to_owned(), place: ringed.place });
            }
        }
        chosen
    }
}

/// True for the printed label of an option, within the regions of its question.
fn is_label(word: &Word, label: &str, leaf: &Leaf<'_>, printed: &Page) -> bool {
    let same = word.text.trim_matches(|letter: char| !letter.is_alphanumeric()) == label;
    let inside = leaf.regions.iter().filter(|region| region.page == printed.number).any(|region| {
        let place = Rect {
            x0: region.x * printed.width,
            y0: region.y * printed.height,
            x1: (region.x + region.width) * printed.width,
            y1: (region.y + region.height) * printed.height,
        };
        share(&place, &word.place) > 0.9
    });
    same && inside
}

/// True for a sign that a tick, a cross or a filled box is read as.
pub(super) fn is_mark(text: &str) -> bool {
    MARKS.contains(&text.trim()) || matches!(text.trim(), "*" | "<--" | "<-" | "<=" | "←")
}

/// The option whose label the text is: "B", "(b)", "C."
pub(super) fn named_option(leaf: &Leaf<'_>, text: &str) -> Option<String> {
    let text = plain(text);
    let is_it = |label: &str| !text.is_empty() && plain(label) == text;
    leaf.options.iter().find(|option| is_it(&option.label)).map(|option| option.label.clone())
}

/// What was selected in paper order; on blank sheets, the options that the answer's first line names.
pub(super) fn in_paper_order(leaf: &Leaf<'_>, mut selected: Vec<String>, words: &[Written]) -> Vec<String> {
    if leaf.kind != Kind::MultipleChoice {
        return selected;
    }
    if selected.is_empty() {
        selected = written_options(leaf, words);
    }
    let position = |label: &String| leaf.options.iter().position(|option| option.label == *label);
    selected.sort_by_key(position);
    selected.dedup();
    selected
}

/// The options that an answer in words names: "B", "A, C", "C. carbon dioxide", "carbon dioxide", "The answer
/// is C".
fn written_options(leaf: &Leaf<'_>, words: &[Written]) -> Vec<String> {
    const FILLERS: &[&str] = &[
        "the", "answer", "is", "option", "letter", "choice", "i", "choose", "think", "it", "its", "correct",
    ];
    let whole: String = words.iter().map(|word| plain(&word.text)).collect();
    if let Some(option) = leaf.options.iter().find(|option| !whole.is_empty() && plain(&option.text) == whole)
    {
        return vec![option.label.clone()];
    }
    let line = words.iter().enumerate().take_while(|(index, word)| *index == 0 || !word.starts_line);
    let line: Vec<&Written> = line.map(|(_, word)| word).collect();
    let named: Vec<Option<String>> = line.iter().map(|word| named_option(leaf, &word.text)).collect();
    // "B" or "A, C" but not the "a" of "a force": every word of the line must be a label.
    let first_is_upper = words.first().is_some_and(|word| word.text.contains(char::is_uppercase));
    if named.iter().all(Option::is_some) || (first_is_upper && named.first().is_some_and(Option::is_some)) {
        return named.into_iter().map_while(|option| option).collect();
    }
    let is_filler = |word: &&&Written| FILLERS.contains(&plain(&word.text).as_str());
    let told: Vec<&&Written> = line.iter().filter(|word| !is_filler(word)).collect();
    match told.as_slice() {
        [only] => named_option(leaf, &only.text).into_iter().collect(),
        _ => Vec::new(),
    }
}
