//! Notes that an answer goes on elsewhere: "see page 7", "continued on p. 3", "PTO".

use super::Written;
use super::align::plain;
use lexicon::english::scripts;

/// Such a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// The page it names.
    pub(super) page: Option<u32>,
}

/// A note has no more words.
const WORDS_MAX: usize = 7;

/// Finds a note among an answer's words and takes it out, since it is no part of the answer.
pub(super) fn take_note(words: &mut Vec<Written>) -> Option<Note> {
    let found = (0..words.len()).find_map(|start| note_at(&words[start..]).map(|found| (start, found)))?;
    let (start, (length, note)) = found;
    words.drain(start..start + length);
    Some(note)
}

/// The page that a note among an answer's words names.
pub(super) fn page_named(words: &[Written]) -> Option<u32> {
    (0..words.len()).find_map(|start| note_at(&words[start..])).and_then(|(_, note)| note.page)
}

/// The note that begins here and how many words it has.
fn note_at(words: &[Written]) -> Option<(usize, Note)> {
    let texts: Vec<String> = words.iter().take(WORDS_MAX).map(|word| plain(&word.text)).collect();
    let first = texts.first()?;
    if scripts::PTO.has(first) {
        return Some((1, Note { page: None }));
    }
    // "p7" and "page7" are read as one word as often as not.
    let page_in = |text: &str| {
        let digits = text.trim_start_matches(|letter: char| letter.is_alphabetic());
        let named = scripts::WHERE.has(text.trim_end_matches(|letter: char| letter.is_ascii_digit()));
        digits.parse::<u32>().ok().filter(|_| named)
    };
    if !scripts::GOES_ON.has(first) {
        return None;
    }
    let is_strong = scripts::CONTINUED_STEM.begin(first);
    for (index, text) in texts.iter().enumerate().skip(1) {
        if let Some(page) = page_in(text) {
            return Some((index + 1, Note { page: Some(page) }));
        }
        if scripts::WHERE.has(text) {
            let page = texts.get(index + 1).and_then(|next| next.parse().ok());
            let mut length = index + 1 + usize::from(page.is_some());
            // "on the next page", "at the back of the paper": the rest of the phrase goes too.
            while page.is_none()
                && texts
                    .get(length)
                    .is_some_and(|next| scripts::WHERE.has(next) || scripts::BETWEEN.has(next))
            {
                length += 1;
            }
            return Some((length, Note { page }));
        }
        if !scripts::BETWEEN.has(text) {
            break;
        }
    }
    // "(continued)" or "cont." alone says it too; "see" or "go" alone is an ordinary word.
    (is_strong && words.len() == 1).then_some((1, Note { page: None }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> (Option<Note>, String) {
        let mut words: Vec<Written> =
            text.split(' ').map(|word| Written { text: word.to_owned(), ..Written::default() }).collect();
        let note = take_note(&mut words);
        let left: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        (note, left.join(" "))
    }

    #[test]
    fn notes_are_found_and_taken_out() {
        let on = |page| Some(Note { page });
        assert_eq!(note("the cell bursts (see page 7)"), (on(Some(7)), "the cell bursts".to_owned()));
        assert_eq!(note("because continued on p. 3"), (on(Some(3)), "because".to_owned()));
        assert_eq!(note("cont. on p12"), (on(Some(12)), String::new()));
        assert_eq!(note("and so on PTO"), (on(None), "and so on".to_owned()));
        assert_eq!(note("continued on the next page"), (on(None), String::new()));
        assert_eq!(note("we see the force rise"), (None, "we see the force rise".to_owned()));
        assert_eq!(
            note("prices continued to fall in 1930"),
            (None, "prices continued to fall in 1930".to_owned())
        );
    }
}
