//! Leaf F1, marks, keys, pages and totals.

use super::survey;
use super::truth::{TrueLeaf, Truth};
use crate::join::Reading;
use crate::{alphabets, rtl};
use domain::marks::Marks;
use domain::question::AnswerKey;
use std::collections::{HashMap, HashSet};

/// The scores of one pair, as counts, so that they add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairScore {
    /// The pair's folder.
    pub name: String,
    /// Leaves in the truth, in the reading, and in both.
    pub leaves: (usize, usize, usize),
    /// Leaves with the right marks, of those whose marks are known.
    pub marks: (usize, usize),
    /// Leaves whose key was found, of those that have one.
    pub keys: (usize, usize),
    /// Matched leaves on the right page, of all matched.
    pub page: (usize, usize),
    /// Whether the total is right; `None` when the paper prints none.
    pub total: Option<bool>,
    /// True when the reading asks for a reviewer.
    pub doubts: bool,
    /// Pages of both documents.
    pub pages: usize,
    /// Time to read both.
    pub seconds: f64,
    /// What was missed, for looking into.
    pub misses: Vec<String>,
}

/// The sum of several pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// All counts added up.
    pub sum: PairScore,
    /// Right totals, of papers that print one.
    pub total: (usize, usize),
    /// Readings that ask for a reviewer, of those with any error.
    pub doubted: (usize, usize),
    /// Readings that ask for a reviewer, of those without error.
    pub alarmed: (usize, usize),
}

impl PairScore {
    /// The harmonic mean of precision and recall of leaves.
    pub fn leaf_f1(&self) -> f64 {
        let (truth, found, both) = self.leaves;
        ratio((2 * both, truth + found))
    }

    /// True when every leaf, its marks and its key, and the total are right.
    pub fn is_perfect(&self) -> bool {
        let (truth, found, both) = self.leaves;
        let all = |(part, whole): (usize, usize)| part == whole;
        truth == both && found == both && all(self.marks) && all(self.keys) && self.total != Some(false)
    }
}

/// A share, 1 for none of none.
pub fn ratio((part, whole): (usize, usize)) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Totals {
    /// Adds a pair.
    pub fn add(&mut self, pair: &PairScore) {
        let plus = |a: &mut (usize, usize), b: (usize, usize)| *a = (a.0 + b.0, a.1 + b.1);
        let (truth, found, both) = pair.leaves;
        let own = self.sum.leaves;
        self.sum.leaves = (own.0 + truth, own.1 + found, own.2 + both);
        plus(&mut self.sum.marks, pair.marks);
        plus(&mut self.sum.keys, pair.keys);
        plus(&mut self.sum.page, pair.page);
        self.sum.pages += pair.pages;
        self.sum.seconds += pair.seconds;
        if let Some(right) = pair.total {
            plus(&mut self.total, (usize::from(right), 1));
        }
        let kind = if pair.is_perfect() { &mut self.alarmed } else { &mut self.doubted };
        plus(kind, (usize::from(pair.doubts), 1));
    }
}

/// A leaf as it was read.
struct ReadLeaf<'a> {
    id: String,
    marks: Option<Marks>,
    page: u32,
    key: Option<&'a AnswerKey>,
}

pub(super) fn score(name: String, truth: &Truth, reading: &Reading) -> PairScore {
    let numbers: Vec<String> = truth.questions.iter().map(|question| question.number.text()).collect();
    let begins_anew = numbers.iter().collect::<HashSet<_>>().len() < numbers.len();
    let read = read_leaves(reading, begins_anew);
    let mut score = PairScore { name, ..PairScore::default() };
    let mut known: HashSet<String> = HashSet::new();
    let mut counted = Counted::default();
    for question in &truth.questions {
        let leaves = question.leaves();
        let number = question.number.text();
        let run = counted.number(&number);
        let id_of =
            |leaf: &TrueLeaf| run.clone() + &identity(&number, leaf.label.as_deref().unwrap_or_default());
        for leaf in &leaves {
            let id = id_of(leaf);
            let found = read.iter().find(|read| read.id == id);
            score_leaf(&mut score, leaf, &id, found, |leaf| is_joint_right(leaf, &leaves, &read, id_of));
            known.insert(id);
        }
    }
    // A leaf that was read twice is right once.
    let both = known.iter().filter(|id| read.iter().any(|leaf| leaf.id == **id)).count();
    let extra = read.iter().filter(|leaf| !known.contains(&leaf.id));
    score.misses.extend(extra.map(|leaf| format!("extra {}", leaf.id)));
    score.leaves = (known.len(), read.len(), both);
    score.total = truth.total_marks.map(|total| reading.total == Marks::from_number(total));
    score.doubts = survey::of(reading).doubts;
    score
}

fn score_leaf(
    score: &mut PairScore,
    leaf: &TrueLeaf,
    id: &str,
    found: Option<&ReadLeaf<'_>>,
    joint_right: impl Fn(&TrueLeaf) -> bool,
) {
    let truly = leaf.marks.and_then(Marks::from_number);
    if found.is_none() {
        score.misses.push(format!("missing {id}"));
    }
    if let Some(truly) = truly {
        let equal = found.is_some_and(|found| found.marks == Some(truly));
        let right = equal || (leaf.joint.is_some() && found.is_some() && joint_right(leaf));
        score.marks = (score.marks.0 + usize::from(right), score.marks.1 + 1);
        if !right && let Some(found) = found {
            score
                .misses
                .push(format!("marks {id}: {:?} is {truly}", found.marks.map(|marks| marks.to_string())));
        }
    }
    if let Some(key) = leaf.key.as_deref().filter(|key| !content_words(key).is_empty()) {
        let (covered, lacking) =
            found.and_then(|found| found.key).map_or((0.0, Vec::new()), |own| coverage(key, own));
        score.keys = (score.keys.0 + usize::from(covered >= KEY_SHARE), score.keys.1 + 1);
        if covered < KEY_SHARE {
            score.misses.push(format!("key {id}: {covered:.2}, without {}", lacking.join(" ")));
        }
    }
    if let Some(found) = found {
        let right = leaf.page == Some(found.page);
        score.page = (score.page.0 + usize::from(right), score.page.1 + 1);
        if !right {
            score.misses.push(format!("page {id}: {} is {:?}", found.page, leaf.page));
        }
    }
}

/// A mark printed for several leaves together may stand on any of them.
fn is_joint_right(
    leaf: &TrueLeaf,
    leaves: &[TrueLeaf],
    read: &[ReadLeaf<'_>],
    id_of: impl Fn(&TrueLeaf) -> String,
) -> bool {
    let parent = |label: &str| label.rfind('(').map_or(String::new(), |at| label[..at].to_owned());
    let own = parent(leaf.label.as_deref().unwrap_or_default());
    let group = leaves
        .iter()
        .filter(|other| other.joint.is_some() && parent(other.label.as_deref().unwrap_or_default()) == own);
    let (mut truly, mut found) = (0.0, 0.0);
    for other in group {
        truly += other.marks.unwrap_or(0.0);
        let id = id_of(other);
        let marks = read.iter().find(|read| read.id == id).and_then(|read| read.marks);
        found += marks.map_or(0.0, Marks::as_number);
    }
    truly == found
}

/// `begins_anew`: the truth names questions as each section counts them, so that what a reading puts before their number
/// to tell them apart is no part of it.
fn read_leaves(reading: &Reading, begins_anew: bool) -> Vec<ReadLeaf<'_>> {
    let mut leaves = Vec::new();
    let mut counted = Counted::default();
    for question in &reading.questions {
        let printed = if begins_anew { without_section(&question.number) } else { &question.number };
        let run = counted.number(printed);
        if question.parts.is_empty() {
            leaves.push(ReadLeaf {
                id: run.clone() + &identity(printed, ""),
                marks: question.marks,
                page: question.pages.first().copied().unwrap_or(0),
                key: question.answer_key.as_ref(),
            });
        }
        leaves.extend(question.parts.iter().map(|part| ReadLeaf {
            id: run.clone() + &identity(printed, &part.label),
            marks: part.marks,
            page: part.page,
            key: part.answer_key.as_ref(),
        }));
    }
    leaves
}

/// "II.3" as its section prints it: "3".
fn without_section(number: &str) -> &str {
    let (section, printed) = number.split_once('.').unwrap_or(("", number));
    let named = !section.is_empty() && section.chars().all(char::is_uppercase);
    if named && printed.starts_with(|c: char| c.is_ascii_digit()) { printed } else { number }
}

/// Number and label in one spelling: "01.2", "1" with "1.2" and "1" with ".2" are the same leaf, and so are "1" with
/// "1.2(a)" and "1" with ".2(a)". A level in brackets is never the number again: "1" with "(1)(2)" has three levels.
/// Arabic letters and digits, Cyrillic and Greek letters are those of the alphabet at their place.
pub fn identity(number: &str, label: &str) -> String {
    let plain = |text: &str| alphabets::plain_label(&rtl::plain_label(text));
    let (number, label) = (&*plain(number), &*plain(label));
    let pieces = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
        let words = words.map(str::to_lowercase);
        words.map(|piece| piece.trim_start_matches('0').to_owned()).collect()
    };
    let number = pieces(number);
    let (printed, brackets) = label.split_at(label.find('(').unwrap_or(label.len()));
    let decimals = pieces(printed);
    // Decimals repeat the number; letters do not.
    let counts = |piece: &String| piece.chars().all(|c| c.is_ascii_digit());
    let repeats = decimals.len() > 1 && decimals.iter().all(counts) && !printed.starts_with('.');
    let own = if repeats { decimals.strip_prefix(number.as_slice()).unwrap_or(&decimals) } else { &decimals };
    [number.as_slice(), own, &pieces(brackets)].concat().join(".")
}

/// Tells questions apart that carry the same number, by how often it came before.
#[derive(Default)]
struct Counted(HashMap<String, usize>);

impl Counted {
    /// The number's identity, with which of its questions this is where there are several.
    fn number(&mut self, number: &str) -> String {
        let seen = self.0.entry(identity(number, "")).or_default();
        *seen += 1;
        if *seen == 1 { String::new() } else { format!("{seen}/") }
    }
}

/// A key counts as found when this share of its content words is.
const KEY_SHARE: f64 = 0.6;

/// The share of a true key's words that a key has, and those that it lacks.
fn coverage(truth: &str, key: &AnswerKey) -> (f64, Vec<String>) {
    let wanted = content_words(truth);
    let mut text = key.notes.clone().unwrap_or_default();
    for point in &key.points {
        let lists = [&point.alternatives, &point.accept, &point.ignore];
        let wordings = std::iter::once(&point.text).chain(lists.into_iter().flatten()).map(String::as_str);
        for piece in wordings.chain(point.notation.iter().map(|notation| notation.name())) {
            text.push(' ');
            text.push_str(piece);
        }
    }
    for group in &key.groups {
        text.push(' ');
        text.push_str(&group.text);
    }
    for level in &key.levels {
        text.push(' ');
        text.push_str(&level.descriptor);
    }
    let have = content_words(&text);
    let mut lacking: Vec<String> = wanted.iter().filter(|word| !have.contains(*word)).cloned().collect();
    lacking.sort();
    (ratio((wanted.len() - lacking.len(), wanted.len())), lacking)
}

/// Letters and digits in lower case, stop words dropped.
fn content_words(text: &str) -> HashSet<String> {
    const STOP: &[&str] = &[
        "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "is", "are", "be",
        "it", "its", "as", "that", "this", "from", "than", "not", "no", "any", "one", "has", "have", "was",
        "were", "will", "can", "so", "but", "if", "then", "there", "which", "their", "they", "each", "all",
        "into", "both", "e", "g", "eg", "ie",
    ];
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphabetic() || c.is_ascii_digit()));
    words.filter(|word| !word.is_empty() && !STOP.contains(word)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_before_a_number_can_be_left_out() {
        let read = ["II.3", "B.1", "2.1", "IV", "12"].map(without_section);
        assert_eq!(read, ["3", "1", "2.1", "IV", "12"]);
    }

    #[test]
    fn labels_have_one_spelling() {
        assert_eq!(identity("1", "(a)(ii)"), "1.a.ii");
        assert_eq!(identity("1", "1.1.2"), identity("01", "01.1.2"));
        assert_eq!(identity("1", ".2"), identity("1", "1.2"));
        assert_eq!(identity("3", ""), "3");
        assert_eq!(identity("2", ".1(a)"), identity("2", "2.1(a)"));
        assert_eq!(identity("2", "2.2.1"), "2.2.1");
        assert_eq!(identity("1", "(1)(2)"), "1.1.2");
        assert_eq!(identity("1", "1.1.9(b)"), identity("1", ".1.9(b)"));
        assert_eq!(identity("1", "(ج)(١)"), identity("1", "(c)(1)"));
    }
}
