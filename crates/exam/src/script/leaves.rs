//! The places where an answer can stand: every question without parts, and every part.

use crate::labels::{self, Label, Style, Token};
use crate::numbering::{Inner, Outline};
use crate::{alphabets, rtl};
use domain::question::{Choice, Kind, Question, Region};
use lexicon::english::scripts;

/// One of them.
#[derive(Debug)]
pub(super) struct Leaf<'a> {
    pub(super) number: &'a str,
    /// Empty for a question without parts.
    pub(super) label: &'a str,
    pub(super) kind: Kind,
    pub(super) options: &'a [Choice],
    pub(super) regions: &'a [Region],
    /// How often the paper began to count from 1 again before it.
    pub(super) section: usize,
    /// What is asked: the question's text, then the part's.
    pub(super) asked: Vec<&'a str>,
    path: Vec<Token>,
}

impl Leaf<'_> {
    /// True when the label, which begins with a number, names the leaf or what it is a part of.
    pub(super) fn is_under(&self, label: &Label) -> bool {
        readings(label).iter().any(|tokens| self.path.starts_with(tokens))
    }
}

/// All leaves in paper order.
pub(super) fn leaves(questions: &[Question]) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    let (mut section, mut before) = (0, 0);
    for question in questions {
        let number = labels::parse_question_number(&question.number).unwrap_or(before + 1);
        section += usize::from(number <= before);
        before = number;
        if question.parts.is_empty() {
            leaves.push(Leaf {
                number: &question.number,
                label: "",
                kind: question.kind,
                options: &question.options,
                regions: &question.regions,
                section,
                asked: vec![question.text.as_str()],
                path: path(&question.number, ""),
            });
        }
        leaves.extend(question.parts.iter().map(|part| Leaf {
            number: &question.number,
            label: &part.label,
            kind: part.kind,
            options: &part.options,
            regions: &part.regions,
            section,
            asked: vec![question.text.as_str(), part.text.as_str()],
            path: path(&question.number, &part.label),
        }));
    }
    leaves
}

/// The levels of a number and a label: `1.1` carries its number itself, `(a)(ii)` stands under it.
fn path(number: &str, label: &str) -> Vec<Token> {
    let number =
        labels::parse_question_number(number).map_or_else(|| number.to_owned(), |value| value.to_string());
    let label = alphabets::plain_label(&rtl::plain_label(label));
    let whole = if label.starts_with(|first: char| first.is_ascii_digit()) {
        label.clone()
    } else {
        format!("{number}{label}")
    };
    let mut path = labels::parse_cell(&whole)
        .or_else(|| labels::parse(&[&whole]).map(|label| label.tokens))
        .unwrap_or_default();
    // "(2)" is a number in its own brackets, below the question's.
    if whole != label
        && let Some(second) = path.get_mut(1).filter(|second| second.kind == labels::Kind::Decimal)
    {
        second.kind = labels::Kind::Inner;
    }
    path
}

/// How the paper of these leaves counts, as the lines of a script follow it.
pub(super) fn outline<'t>(leaves: &[Leaf<'_>], lines: impl Iterator<Item = Vec<&'t str>>) -> Outline {
    let paper =
        Outline::of(leaves.iter().map(|leaf| leaf.number), leaves.iter().map(|leaf| leaf.path.as_slice()));
    paper.followed_in(lines)
}

/// Finds the leaf that a label in a student's margin names, given the one that came before.
#[derive(Clone, Debug)]
pub(super) struct Pointer<'a> {
    leaves: &'a [Leaf<'a>],
    section: usize,
    /// The path that was named last.
    current: Vec<Token>,
}

impl<'a> Pointer<'a> {
    pub(super) fn new(leaves: &'a [Leaf<'a>]) -> Pointer<'a> {
        Pointer { leaves, section: 0, current: Vec::new() }
    }

    /// Goes to a section of the paper.
    pub(super) fn enter(&mut self, section: usize) {
        self.section = section;
    }

    /// The leaf that is a question of this number without parts.
    pub(super) fn numbered(&self, number: u32) -> Option<usize> {
        let path = [Token::new(labels::Kind::Number, number)];
        self.leaves.iter().position(|leaf| leaf.section == self.section && leaf.path == path)
    }

    /// The leaf that the label names. A label that names none moves nothing.
    pub(super) fn follow(&mut self, label: &Label) -> Option<usize> {
        let named = readings(label).iter().find_map(|tokens| self.resolve(tokens));
        let (leaf, path) = named?;
        self.current = path;
        Some(leaf)
    }

    /// From the deepest level outwards, "(b)" after "2(a)(ii)" is tried as 2(a)(b), then as 2(b).
    fn resolve(&self, tokens: &[Token]) -> Option<(usize, Vec<Token>)> {
        let has_number = tokens.first().is_some_and(|token| token.kind == labels::Kind::Number);
        let deepest = if has_number { 0 } else { self.current.len() };
        let shallowest = usize::from(!has_number);
        (shallowest..=deepest).rev().find_map(|depth| {
            let path: Vec<Token> = self.current.iter().take(depth).chain(tokens).copied().collect();
            // A label above the leaves ("2" where 2 has parts) means the first part below it.
            let own = |leaf: &Leaf<'_>| leaf.section == self.section && leaf.path.starts_with(&path);
            let leaf = self.leaves.iter().position(own)?;
            Some((leaf, path))
        })
    }
}

/// What a label may mean: (i) may be a letter, and "1.2" part 2 of question 1.
fn readings(label: &Label) -> [Vec<Token>; 3] {
    let as_letters = label.tokens.iter().map(|token| token.as_letter().unwrap_or(*token)).collect();
    let as_inner = |token: &Token| match token.kind {
        labels::Kind::Decimal => Token::new(labels::Kind::Inner, token.value),
        _ => *token,
    };
    [label.tokens.clone(), as_letters, label.tokens.iter().map(as_inner).collect()]
}

/// The labels that a line of a student's page may begin with, the longest first: "Q3", "Question 4",
/// "2 (b) (ii)", "1a)", "2bii", "Answer 3:", "1 -". Of "1. (c)" the second is "1.", since (c) may be an option.
pub(super) fn labels_of(words: &[&str], outline: Outline) -> Vec<Label> {
    let lead = lead_words(words);
    let Some(rest) = words.get(lead..).filter(|rest| !rest.is_empty()) else { return Vec::new() };
    let closed = closed_first(rest);
    let words: Vec<&str> = closed.iter().map(String::as_str).collect();
    let mut found: Vec<Label> = Vec::new();
    if outline.roman {
        // "I" alone begins many a sentence.
        found.extend(
            labels::parse_capital(&words).filter(|label| label.style != Style::Bare || words.len() == 1),
        );
    }
    found.extend(compact(&words));
    // "1.Mars" is a label and an answer, "2x" is none.
    let whole =
        |label: &Label| !label.glued || matches!(label.style, Style::Dot | Style::Close | Style::Brackets);
    if let Some(label) = labels::parse(&words).filter(whole) {
        let first = labels::parse(&words[..1]).filter(|first| !first.glued && label.words > 1);
        found.push(label);
        found.extend(first);
    }
    found.sort_by_key(|label| std::cmp::Reverse(label.tokens.len()));
    for label in &mut found {
        label.words += lead;
        if lead > 0 && label.tokens[0].kind == labels::Kind::Number {
            label.style = Style::Keyword;
        }
    }
    if outline.inner == Inner::None {
        return found;
    }
    // Capital numerals name questions, whatever numbers do.
    let is_capital = |label: &Label| outline.roman && labels::parse_capital(&words).as_ref() == Some(label);
    found
        .into_iter()
        .map(|label| {
            if is_capital(&label) {
                label
            } else {
                outline.extend(outline.place(outline.lowered(label, &words)), &words)
            }
        })
        .collect()
}

/// "Answer 3:", "Ans. to question 3", "No. 3": how many words come before the number.
fn lead_words(words: &[&str]) -> usize {
    let is_lead =
        |word: &&&str| scripts::NUMBER_LEADS.has(&super::align::plain(word)) && !word.ends_with([':', '-']);
    let lead = words.iter().take_while(is_lead).count();
    // "Answer 6" may be the answer itself; with a colon or more words it is a label.
    let number = words.get(lead).copied().unwrap_or_default();
    let told = words.len() > lead + 1 || number.ends_with([':', '.', ')']);
    if told && words.first().is_some_and(|first| !scripts::TO.has(&first.to_ascii_lowercase())) {
        lead
    } else {
        0
    }
}

/// The words with the first freed of what students close a number with: "1-", "1:-", "Ans1.", "A1:".
fn closed_first(words: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let first = words[0].clone();
    let bare = first.trim_end_matches(['-', '–', '—']).trim_end_matches(':').trim_end_matches(".)");
    let lower = bare.to_lowercase();
    let glued = scripts::GLUED_LEADS.after(&lower);
    let numbered = glued.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    words[0] = match numbered {
        // "A1" alone may be a word; "A1." is none.
        Some(number) if bare.len() < first.len() || bare.ends_with(['.', ')']) => format!("Q{number}"),
        _ if !bare.is_empty() => bare.to_owned(),
        _ => first,
    };
    words
}

/// Students leave brackets out: "1a", "2bii".
fn compact(words: &[&str]) -> Option<Label> {
    let bare = words.first()?.trim_end_matches([')', '.', ':', '-']);
    let starts_right =
        bare.starts_with(|letter: char| letter.is_ascii_digit() || letter == 'Q' || letter == 'q');
    let tokens = labels::parse_cell(bare).filter(|tokens| starts_right && tokens.len() > 1)?;
    Some(Label { tokens, style: Style::Path, words: 1, glued: false })
}
