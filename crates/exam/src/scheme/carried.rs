//! What a table of levels holds beside its levels: rows on the next page, which have no names of columns above them,
//! and answers that show what a level looks like.

use super::scales::{self, Row};
use super::{continues, level_cells};
use domain::question::Level;
use lexicon::english::schemes;
use reader::page::{Page, Rect};
use reader::tables;

/// Shorter examples are a part of what a level asks for: "names a cause, e.g. drought".
const EXAMPLE_WORDS_MIN: usize = 12;
/// What a level asks for has more words.
const DESCRIPTOR_WORDS_MIN: usize = 2;

/// The rows at the top of a page that go on with a table of levels, and where they stand.
pub(super) fn over(page: &Page, before: &[Level]) -> Option<(Rect, Vec<Level>)> {
    let table = tables::tables(page).into_iter().next()?;
    let rows = level_cells::apart(scales::rows(&table, page), false);
    let mut known = before.to_vec();
    let mut found: Vec<Level> = Vec::new();
    let mut place: Option<Rect> = None;
    for row in rows.iter().take_while(|row| !scales::heads_levels(row)) {
        match level(row).filter(|level| continues(&known, std::slice::from_ref(level))) {
            Some(level) => {
                place = Some(place.map_or(row.place, |all| all.union(&row.place)));
                known.push(level.clone());
                known.sort_by_key(|level| std::cmp::Reverse(level.marks_to));
                found.push(level);
            }
            None if !found.is_empty() && scales::earns_nothing(row) => {
                place = place.map(|all| all.union(&row.place));
                break;
            }
            // The end of the last descriptor stands alone in its row.
            None if found.is_empty() && is_rest(row) => {}
            None => break,
        }
    }
    place.map(|place| (place, found))
}

/// "3 | reasons are linked | 5–6", "3 | 5–6 | reasons are linked"
fn level(row: &Row) -> Option<Level> {
    let cells: Vec<&str> = row.cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    let (name, marks, descriptor) = match cells.as_slice() {
        [name, descriptor @ .., marks] if scales::range(marks).is_some() => (name, marks, descriptor),
        [name, marks, descriptor @ ..] => (name, marks, descriptor),
        _ => return None,
    };
    let (marks_from, marks_to) = scales::range(marks).filter(|(_, to)| !to.is_zero())?;
    let told = scales::is_name(name) && !descriptor.is_empty();
    told.then(|| Level { name: (*name).to_owned(), marks_from, marks_to, descriptor: descriptor.join(" ") })
}

fn is_rest(row: &Row) -> bool {
    row.cells.iter().filter(|cell| !cell.trim().is_empty()).count() <= 1
}

/// Takes the answers that are given as examples out of the descriptors.
pub(super) fn take_examples(levels: &mut [Level]) -> Vec<String> {
    let mut examples = Vec::new();
    for level in levels {
        let words: Vec<&str> = level.descriptor.split_whitespace().collect();
        let begins = |at: &usize| {
            let lead = words[*at].trim_end_matches(['.', ':', ',']).to_lowercase();
            let capital = words.get(at + 1).is_some_and(|next| next.starts_with(char::is_uppercase));
            schemes::EXAMPLE_LEADS.has(&lead) && capital
        };
        let Some(at) = (DESCRIPTOR_WORDS_MIN..words.len()).find(begins) else { continue };
        if words.len() - at > EXAMPLE_WORDS_MIN {
            examples.push(words[at + 1..].join(" "));
            level.descriptor = words[..at].join(" ");
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::marks::Marks;

    fn with(descriptor: &str) -> Level {
        let (marks_from, marks_to) = (Marks::whole(1), Marks::whole(2));
        Level { name: "1".into(), marks_from, marks_to, descriptor: descriptor.into() }
    }

    #[test]
    fn an_answer_that_shows_a_level_is_no_part_of_its_descriptor() {
        let told = "Gives a reason, supported. Eg. The town grew because the new railway brought workers to its \
                    mills and carried their cloth away.";
        let mut levels = [with(told), with("Names a cause, e.g. drought")];
        let examples = take_examples(&mut levels);
        assert_eq!(levels[0].descriptor, "Gives a reason, supported.");
        assert_eq!(levels[1].descriptor, "Names a cause, e.g. drought");
        assert_eq!(examples.len(), 1);
        assert!(examples[0].starts_with("The town grew"), "{}", examples[0]);
    }
}
