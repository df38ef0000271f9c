//! Answers to all parts of a question in one running text: "Key: (1) T (2) F (3) T", "a) iron, b) zinc, c) tin", "1 – C; 2 –
//! A; 3 – B".

use super::known::Known;
use super::{Entry, EntryLine, Scheme};
use crate::labels::{self, Style, Token};

/// Fewer labels may be spoken of.
const LEAST: usize = 3;

/// A word of an entry: its line's place and its own.
type Place = (usize, usize);

/// Parts what a scheme says of a question as a whole where it names every one of its parts in order, each with something
/// behind it, and none of them is answered elsewhere.
pub(super) fn part(scheme: &mut Scheme, known: &Known) {
    for (section, leaves) in known.order.iter().enumerate() {
        for parts in leaves.chunk_by(|one, next| one[0] == next[0]) {
            let flat = parts.iter().all(|path| path.len() == 2);
            if parts.len() < LEAST || !flat {
                continue;
            }
            let own = |entry: &&Entry| entry.section == section && entry.path.first() == parts[0].first();
            let answered = |entry: &&Entry| entry.path.len() > 1 && entry.says_something();
            let said: Vec<usize> = (0..scheme.entries.len())
                .filter(|at| own(&&scheme.entries[*at]) && answered(&&scheme.entries[*at]))
                .collect();
            if let [only] = said[..] {
                // The first label was taken for a label, and the others for its answer.
                part_paired(scheme, only, parts);
            }
            if !said.is_empty() {
                continue;
            }
            let Some(at) = scheme.entries.iter().position(|entry| own(&entry) && entry.path.len() == 1)
            else {
                continue;
            };
            let Some(places) = places(&scheme.entries[at].lines, parts) else { continue };
            scheme.entries.retain(|entry| !own(&entry) || entry.path.len() == 1);
            let at = scheme.entries.iter().position(|entry| own(&entry)).unwrap_or(at);
            let told = apart(&mut scheme.entries[at], &places, parts);
            let behind = at + 1;
            scheme.entries.splice(behind..behind, told);
        }
    }
}

/// Parts "C; 2 – A; 3 – B", which is read as the answer to the first part.
fn part_paired(scheme: &mut Scheme, at: usize, parts: &[Vec<Token>]) {
    let whole = &mut scheme.entries[at];
    let [first, others @ ..] = parts else { return };
    if whole.path != *first || whole.letter.is_some() {
        return;
    }
    let Some(places) = paired(&whole.lines, others) else { return };
    let told = apart(whole, &places, others);
    for entry in &told {
        scheme.entries.retain(|own| own.section != entry.section || own.path != entry.path);
    }
    let at = scheme.entries.iter().position(|own| own.path == *first && own.section == told[0].section);
    let behind = at.map_or(scheme.entries.len(), |at| at + 1);
    scheme.entries.splice(behind..behind, told);
}

/// Where the number of each part stands before a dash and a word or two.
fn paired(lines: &[EntryLine], parts: &[Vec<Token>]) -> Option<Vec<Place>> {
    const LONGEST: usize = 3;
    let mut said = lines.iter().enumerate().filter(|(_, line)| !line.answer.is_empty());
    let (index, line) = said.next().filter(|_| said.next().is_none())?;
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let mut places: Vec<Place> = Vec::with_capacity(parts.len());
    for path in parts {
        let wanted = path.last()?.value.to_string();
        let from = places.last().map_or(0, |(_, at)| at + 1);
        let at = (from..words.len().saturating_sub(2))
            .find(|at| words[*at] == wanted && is_dash(words[at + 1]))?;
        if at - from > LONGEST {
            return None;
        }
        places.push((index, at));
    }
    Some(places)
}

fn is_dash(word: &str) -> bool {
    matches!(word, "-" | "–" | "—" | "→" | "=")
}

/// Where each part's label stands.
fn places(lines: &[EntryLine], parts: &[Vec<Token>]) -> Option<Vec<Place>> {
    let words = lines.iter().enumerate().flat_map(|(line, own)| {
        own.answer.split_whitespace().enumerate().map(move |(at, word)| ((line, at), word))
    });
    let words: Vec<(Place, &str)> = words.collect();
    let mut from = 0;
    let mut places = Vec::with_capacity(parts.len());
    for path in parts {
        let wanted = path.last()?;
        // Something stands between one label and the next.
        let at = (from..words.len().saturating_sub(1)).find(|at| is_label(words[*at].1, *wanted))?;
        places.push(words[at].0);
        from = at + 2;
    }
    Some(places)
}

fn is_label(word: &str, wanted: Token) -> bool {
    let label = labels::parse(&[word]).filter(|label| !label.glued);
    label.is_some_and(|label| {
        let closed = matches!(label.style, Style::Brackets | Style::Close | Style::Dot);
        let [only] = label.tokens[..] else { return false };
        let same = |own: Token| {
            own.value == wanted.value && (own.kind == wanted.kind || own.is_counted() && wanted.is_counted())
        };
        closed && (same(only) || only.as_letter().is_some_and(same))
    })
}

/// Takes the answers out of the text and makes an entry of each.
fn apart(whole: &mut Entry, places: &[Place], parts: &[Vec<Token>]) -> Vec<Entry> {
    let lines = std::mem::take(&mut whole.lines);
    let (first, _) = places[0];
    let end = (lines.len(), 0);
    let told = parts.iter().enumerate().map(|(index, path)| {
        let (line, word) = places[index];
        let to = places.get(index + 1).copied().unwrap_or(end);
        let own = (line..lines.len()).take_while(|at| (*at, 0) < to);
        let own = own.filter_map(|at| {
            let words: Vec<&str> = lines[at].answer.split_whitespace().collect();
            let from = if at == line { word + 1 } else { 0 };
            let until = if at == to.0 { to.1 } else { words.len() };
            let from = from + usize::from(at == line && words.get(from).is_some_and(|word| is_dash(word)));
            let answer = words.get(from..until)?.join(" ").trim_end_matches([',', ';', ' ']).to_owned();
            let is_last = until == words.len();
            let marks = if is_last { lines[at].marks.clone() } else { String::new() };
            // "F." closes the list.
            let answer = if answer.contains(' ') { answer } else { answer.trim_end_matches('.').to_owned() };
            (!answer.is_empty()).then(|| EntryLine {
                answer,
                marks,
                repeats_question: false,
                ..lines[at].clone()
            })
        });
        Entry {
            path: path.clone(),
            section: whole.section,
            page: whole.page,
            lines: own.collect(),
            ..Entry::default()
        }
    });
    let told: Vec<Entry> = told.collect();
    let mut kept: Vec<EntryLine> = lines[..first].to_vec();
    let lead: Vec<&str> = lines[first].answer.split_whitespace().take(places[0].1).collect();
    if !lead.is_empty() {
        let answer = lead.join(" ").trim_end_matches([',', ';']).to_owned();
        kept.push(EntryLine { answer, marks: String::new(), ..lines[first].clone() });
    }
    whole.lines = kept;
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Kind;

    #[test]
    fn every_part_must_be_named_with_something_behind_it() {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = |texts: &[&str]| texts.iter().map(line).collect::<Vec<EntryLine>>();
        let part = |value: u32| vec![Token::new(Kind::Number, 1), Token::new(Kind::Inner, value)];
        let parts: Vec<Vec<Token>> = (1..=3).map(part).collect();
        assert_eq!(
            places(&lines(&["Key: (1) T (2) F", "(3) T"]), &parts),
            Some(vec![(0, 1), (0, 3), (1, 0)])
        );
        assert_eq!(places(&lines(&["(1) T (2) F"]), &parts), None);
        assert_eq!(places(&lines(&["4 for (1), 5 for (2) and (3)"]), &parts), None);
        let mut whole = Entry { lines: lines(&["Key: 1) T, 2) F", "3) T by choice"]), ..Entry::default() };
        let found = places(&whole.lines, &parts).unwrap();
        let told = apart(&mut whole, &found, &parts);
        let said: Vec<&str> = told.iter().map(|entry| entry.lines[0].answer.as_str()).collect();
        assert_eq!(said, ["T", "F", "T by choice"]);
        assert_eq!(whole.lines[0].answer, "Key:");
        let mut whole =
            Entry { lines: lines(&["C; 2 – A; 3 – B (1 mark for each)"]), ..Entry::default() };
        let found = paired(&whole.lines, &parts[1..]).unwrap();
        let told = apart(&mut whole, &found, &parts[1..]);
        let said: Vec<&str> = told.iter().map(|entry| entry.lines[0].answer.as_str()).collect();
        assert_eq!((whole.lines[0].answer.as_str(), said[0]), ("C", "A"));
        assert_eq!(paired(&lines(&["a long text that says why 2 – 1 is 1; 3 – 1"]), &parts[1..]), None);
    }
}
