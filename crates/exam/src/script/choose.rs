//! Options of multiple choice questions: ticked, crossed, circled or written as a letter.

use super::Written;
use super::align::{Fit, plain};
use super::leaves::Leaf;
use super::template::{covered, share, widened};
use domain::question::{Choice, Kind};
use lexicon::english::scripts;
use reader::page::{Page, Rect, Ruling, Word};

/// Signs that a tick, a cross or a filled box is read as.
const MARKS: &[&str] =
    &["✓", "✔", "√", "v", "V", "x", "X", "×", "✗", "✘", "/", "\\", "●", "■", "☑", "☒", "Y", "y"];
/// A mark this many line heights above or below an option's label is not that option's.
const ROW_REACH: f32 = 0.9;

/// How far left of an option's label a mark may stand, in heights of the label.
const ROW_LEFT: f32 = 4.0;
/// A mark holds at least so much ink more than the usual row, as a share of the label's height squared...
const EXCESS_OF_SIZE: f32 = 0.12;
/// ...and as a share of what that row holds.
const EXCESS_OF_USUAL: f32 = 0.25;
/// Ink counts this many heights of the label beyond the option's own words and boxes, for a mark may stand after them.
const ROW_RIGHT: f32 = 3.0;
/// Of the inkiest option's ink, another one that is chosen too has at least this share.
const EXCESS_OF_MOST: f32 = 0.6;
/// An option with so many times the ink of the other was scribbled over.
const SCRIBBLED: f32 = 2.2;
/// How sure a clear mark is, and one that can be read in two ways.
const SURE: f32 = 1.0;
const UNSURE: f32 = 0.5;
/// An empty box is read as no more than this.
const BOX_LETTERS_MAX: usize = 2;

/// The options that stand on one page of the paper, with their places on the script's page.
pub(super) struct Chooser<'a> {
    leaves: &'a [Leaf<'a>],
    printed: Vec<Printed<'a>>,
    /// What words that were read say.
    marked: Vec<Chosen>,
    /// What the ink beside the options says.
    inked: Vec<Chosen>,
}

/// An option that was chosen, and where on the script's page that shows.
#[derive(Clone)]
pub(super) struct Chosen {
    pub(super) leaf: usize,
    pub(super) label: String,
    pub(super) place: Rect,
    /// How sure that is, 0 to 1.
    pub(super) confidence: f32,
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
        // Where the print was taken away none of it can be found again, and nothing follows from that.
        let hidden = if page.laid_on.is_some() { Vec::new() } else { covered(printed, page, fit) };
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
        let options: Vec<Printed<'a>> = options.collect();
        let inked = inked(&options, printed, page, fit);
        Chooser { leaves, printed: options, marked: Vec::new(), inked }
    }

    /// Takes a word that chooses an option; false when it is an ordinary word.
    pub(super) fn take(&mut self, leaf: usize, place: Rect, word: &Written) -> bool {
        let Some(choice) = self.leaves.get(leaf).filter(|leaf| leaf.kind == Kind::MultipleChoice) else {
            return false;
        };
        let letter = named_option(choice, &word.text);
        let beside = MARKS.contains(&word.text.trim()).then(|| self.beside(leaf, &place)).flatten();
        // An empty box is read as some letter as often as not; where the ink has decided, such words say nothing.
        let is_short = word.text.chars().count() <= BOX_LETTERS_MAX;
        if is_short
            && self.inked.iter().any(|inked| inked.leaf == leaf)
            && self.beside(leaf, &place).is_some()
        {
            return true;
        }
        // An X beside option A is a mark even where there is an option X.
        let Some(option) = beside.or(letter) else { return false };
        if !word.crossed_out {
            self.marked.push(Chosen { leaf, label: option, place, confidence: SURE });
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
        let is_decided = |leaf: usize| self.inked.iter().any(|inked| inked.leaf == leaf);
        let mut chosen: Vec<Chosen> =
            self.marked.into_iter().filter(|chosen| !is_decided(chosen.leaf)).collect();
        chosen.extend(self.inked);
        for leaf in 0..self.leaves.len() {
            let own: Vec<&Printed<'_>> = self.printed.iter().filter(|option| option.leaf == leaf).collect();
            let hidden: Vec<&&Printed<'_>> = own.iter().filter(|option| option.is_covered).collect();
            if own.len() > 2 && hidden.len() == 1 && !chosen.iter().any(|marked| marked.leaf == leaf) {
                let ringed = hidden[0];
                let (label, place) = (ringed.label.to_owned(), ringed.place);
                chosen.push(Chosen { leaf, label, place, confidence: UNSURE });
            }
        }
        chosen
    }
}

/// The options whose own place holds clearly more ink than those of the others do, print apart: ticked, crossed or
/// ringed. Boxes are printed for all options alike, so they do not count.
fn inked(options: &[Printed<'_>], printed: &Page, page: &Page, fit: &Fit) -> Vec<Chosen> {
    let Some(darkness) = &page.darkness else { return Vec::new() };
    let print: Vec<Rect> = match page.laid_on {
        Some(_) => Vec::new(),
        None => printed.words.iter().map(|word| widened(&fit.apply_rect(&word.place))).collect(),
    };
    let size = (page.width, page.height);
    let rows: Vec<Rect> =
        options.iter().map(|option| own_place(option, options, printed, page, fit)).collect();
    let ink: Vec<f32> = rows.iter().map(|row| darkness.area(row, &print, size)).collect();
    let mut chosen: Vec<(Chosen, f32)> = Vec::new();
    for (option, own) in options.iter().zip(&ink) {
        let others = options.iter().zip(&ink).filter(|(other, _)| other.leaf == option.leaf);
        let mut others: Vec<f32> = others.map(|(_, ink)| *ink).collect();
        others.sort_by(f32::total_cmp);
        // The usual row, not the emptiest: a box that was printed faintly makes all others look marked.
        let usual = others.get((others.len() - 1) / 2).copied().unwrap_or_default();
        let most = others.last().copied().unwrap_or_default();
        let excess_min = EXCESS_OF_SIZE * option.place.height() * option.place.height();
        // A ring reaches into the rows beside it.
        let is_most =
            own - usual >= EXCESS_OF_MOST * (most - usual) || 2.0 * SCRIBBLED * (own - usual) > most - usual;
        if others.len() > 2 && own - usual > excess_min.max(EXCESS_OF_USUAL * usual) && is_most {
            let (leaf, label, place) = (option.leaf, option.label.to_owned(), option.place);
            chosen.push((Chosen { leaf, label, place, confidence: SURE }, own - usual));
        }
    }
    // Ink all over says nothing: most of a question's options are never chosen.
    let of_leaf = |leaf: usize| options.iter().filter(|option| option.leaf == leaf).count();
    let mut clear: Vec<Chosen> = Vec::new();
    for own in chosen.chunk_by(|a, b| a.0.leaf == b.0.leaf) {
        match own {
            [(only, _)] => clear.push(only.clone()),
            // Marked, scribbled over, and another one marked instead.
            [one, other] if one.1 >= SCRIBBLED * other.1 => clear.push(other.0.doubted()),
            [one, other] if other.1 >= SCRIBBLED * one.1 => clear.push(one.0.doubted()),
            many if 2 * many.len() <= of_leaf(many[0].0.leaf) => {
                clear.extend(many.iter().map(|(choice, _)| choice.doubted()));
            }
            _ => {}
        }
    }
    clear
}

impl Chosen {
    /// The same, not surely.
    fn doubted(&self) -> Chosen {
        Chosen { confidence: UNSURE, ..self.clone() }
    }
}

/// Where ink is an option's: beside its label, over its words, in its box. Not the rest of the row: working and a
/// teacher's ticks stand there.
fn own_place(option: &Printed<'_>, options: &[Printed<'_>], printed: &Page, page: &Page, fit: &Fit) -> Rect {
    let height = option.place.height();
    let (reach, (_, middle)) = (ROW_REACH * height, option.place.centre());
    let in_row = |place: &Rect| (place.centre().1 - middle).abs() < reach && place.x0 > option.place.x0;
    // Options that stand side by side end where the next one begins.
    let next = options.iter().filter(|other| other.leaf == option.leaf && in_row(&other.place));
    let next = next.map(|other| other.place.x0).fold(page.width, f32::min);
    let words = printed.words.iter().map(|word| fit.apply_rect(&word.place));
    let small = |rule: &&Ruling| rule.place.width().max(rule.place.height()) < 3.0 * height;
    let rulings = printed.rulings.iter().filter(small).map(|rule| fit.apply_rect(&rule.place));
    let boxes =
        printed.boxes.iter().map(|place| fit.apply_rect(place)).filter(|place| place.width() < 3.0 * height);
    let own = words.chain(rulings).chain(boxes).filter(|place| in_row(place) && place.x1 <= next);
    let end = own.map(|place| place.x1).fold(option.place.x1, f32::max);
    let left = (option.place.x0 - ROW_LEFT * height).max(0.0);
    let before = options.iter().filter(|other| other.leaf == option.leaf && other.place.x1 < option.place.x0);
    let before = before.filter(|other| (other.place.centre().1 - middle).abs() < reach);
    let is_beside = before.count() > 0;
    let left = if is_beside { option.place.x0 - height } else { left };
    let right = (end + ROW_RIGHT * height).min(if next < page.width { next - height } else { page.width });
    Rect { x0: left, y0: middle - reach, x1: right.max(option.place.x1), y1: middle + reach }
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
    let whole: String = words.iter().map(|word| plain(&word.text)).collect();
    if let Some(option) = leaf.options.iter().find(|option| !whole.is_empty() && plain(&option.text) == whole)
    {
        return vec![option.label.clone()];
    }
    let line = words.iter().enumerate().take_while(|(index, word)| *index == 0 || !word.starts_line);
    let line: Vec<&Written> = line.map(|(_, word)| word).collect();
    let named: Vec<Option<String>> = line.iter().map(|word| named_option(leaf, &word.text)).collect();
    // "(b) heart": the letter and the option's own words.
    if let Some(Some(label)) = named.first() {
        let rest: String = line[1..].iter().map(|word| plain(&word.text)).collect();
        let own = |option: &&Choice| option.label == *label && plain(&option.text) == rest;
        if !rest.is_empty() && leaf.options.iter().any(|option| own(&option)) {
            return vec![label.clone()];
        }
    }
    // "B" or "A, C" but not the "a" of "a force": every word of the line must be a label.
    let first_is_upper = words.first().is_some_and(|word| word.text.contains(char::is_uppercase));
    if named.iter().all(Option::is_some) || (first_is_upper && named.first().is_some_and(Option::is_some)) {
        return named.into_iter().map_while(|option| option).collect();
    }
    let is_filler = |word: &&&Written| scripts::CHOICE_FILLERS.has(&plain(&word.text));
    let told: Vec<&&Written> = line.iter().filter(|word| !is_filler(word)).collect();
    match told.as_slice() {
        [only] => named_option(leaf, &only.text).into_iter().collect(),
        _ => Vec::new(),
    }
}
