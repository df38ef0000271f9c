//! Numbered items of a part that are no parts themselves: the paper prints one mark for all of them, and the scheme
//! answers them as one, or says step by step what so many right ones earn.

use crate::labels::{self, Kind, Token};
use crate::marks::{self, Certainty};
use crate::paper::{Leaf, Paper, Question};
use crate::scheme::{EntryLine, Scheme};
use domain::marks::Marks;
use lexicon::Concept;

/// The paper with such items taken into the text of their part; `None` when it has none.
pub(crate) fn folded(paper: &Paper, scheme: &Scheme) -> Option<Paper> {
    let mut folded = paper.clone();
    let mut changed = false;
    for question in &mut folded.questions {
        let whole = question.leaves.first().map(|leaf| leaf.path[..1].to_vec());
        if let Some((path, marks)) = whole
            .zip(question.marks)
            .filter(|(path, _)| is_list(question, path, scheme) || is_graded(question, path, scheme))
        {
            let said = std::mem::take(&mut question.text);
            fold(question, &path, marks);
            question
                .leaves
                .iter_mut()
                .for_each(|leaf| leaf.text = format!("{said} {}", leaf.text.trim_start()));
            changed = true;
        }
        for (path, marks) in std::mem::take(&mut question.joint) {
            if is_list(question, &path, scheme) || is_graded(question, &path, scheme) {
                fold(question, &path, marks);
                changed = true;
            } else {
                question.joint.push((path, marks));
            }
        }
    }
    changed.then_some(folded)
}

/// True for a part that the scheme answers, and whose items carry neither marks nor answers.
fn is_list(question: &Question, path: &[Token], scheme: &Scheme) -> bool {
    let below: Vec<&Leaf> = question.leaves.iter().filter(|leaf| leaf.path.starts_with(path)).collect();
    let has = |path: &[Token]| {
        scheme.entries.iter().any(|entry| entry.section == question.section && entry.path == path)
    };
    let item = |leaf: &&Leaf| {
        let counted = leaf.path.last().is_some_and(|last| last.kind == Kind::Inner);
        leaf.path.len() == path.len() + 1 && counted && leaf.marks.is_none() && !has(&leaf.path)
    };
    below.len() > 1 && below.iter().all(item) && has(path)
}

/// True for a part whose items carry no marks, where the scheme says of the part what so many right ones earn: "2 points
/// for three", "1 point for two".
fn is_graded(question: &Question, path: &[Token], scheme: &Scheme) -> bool {
    let below: Vec<&Leaf> = question.leaves.iter().filter(|leaf| leaf.path.starts_with(path)).collect();
    let item = |leaf: &&Leaf| {
        let counted = leaf.path.last().is_some_and(|last| last.kind == Kind::Inner);
        leaf.path.len() == path.len() + 1 && counted && leaf.marks.is_none()
    };
    let own = scheme.entries.iter().filter(|entry| entry.section == question.section && entry.path == path);
    let step = |line: &EntryLine| {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        let note = marks::at_start(&words).filter(|note| note.certainty == Certainty::Sure)?;
        let mut near = words.iter().take(note.words + 2);
        let is_for =
            |word: &&str| matches!(*word, "-" | "–" | "—") || lexicon::is(Concept::For, &word.to_lowercase());
        near.any(is_for).then_some(note.marks)
    };
    let lines: Vec<&EntryLine> = own.flat_map(|entry| &entry.lines).collect();
    let steps: Vec<Marks> = lines.iter().filter_map(|line| step(line)).collect();
    // "1 pkt – both right", "0 pkt – any other answer"
    let nothing = |line: &&&EntryLine| {
        lexicon::begins_with(Concept::EarnsNothing, &line.answer.to_lowercase()).is_some()
    };
    let rated = steps.len() + lines.iter().filter(nothing).take(1).count() > 1;
    let falls = !steps.is_empty() && rated && steps.windows(2).all(|pair| pair[1] < pair[0]);
    below.len() > 1 && below.iter().all(item) && falls
}

fn fold(question: &mut Question, path: &[Token], marks: Marks) {
    let is_below = |leaf: &Leaf| leaf.path.starts_with(path);
    let Some(at) = question.leaves.iter().position(is_below) else { return };
    let (items, mut leaves): (Vec<Leaf>, Vec<Leaf>) = question.leaves.drain(..).partition(is_below);
    let said = |leaf: &Leaf| {
        format!("{} {}", leaf.path.last().map_or(String::new(), |last| last.display()), leaf.text)
    };
    let mut whole = items[0].clone();
    whole.path = path.to_vec();
    whole.label = labels::display(path);
    whole.marks = Some(marks);
    whole.text =
        std::iter::once(whole.lead.clone()).chain(items.iter().map(said)).collect::<Vec<_>>().join(" ");
    whole.lead.clear();
    whole.regions = items.into_iter().flat_map(|leaf| leaf.regions).collect();
    leaves.insert(at, whole);
    question.leaves = leaves;
}
