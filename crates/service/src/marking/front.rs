//! What students write above their answers: name, class, date, candidate number. It belongs to no question and is
//! no unmatched answer.

use exam::script::{Script, Written};

/// More lines than this are no heading.
const LINES_MAX: usize = 12;
/// A line without any word that says what it is, such as a bare name, is no longer than this.
const NAME_WORDS_MAX: usize = 4;
/// Nor is one with such a word longer than this.
const LINE_WORDS_MAX: usize = 10;

/// Words that say what stands on such a line.
const SIGNS: &[&str] = &[
    "name",
    "surname",
    "forename",
    "first",
    "last",
    "full",
    "class",
    "form",
    "group",
    "set",
    "grade",
    "year",
    "date",
    "school",
    "college",
    "centre",
    "center",
    "candidate",
    "number",
    "no",
    "id",
    "student",
    "pupil",
    "teacher",
    "tutor",
    "subject",
    "paper",
    "signature",
    "seat",
    "session",
    "nom",
    "prénom",
    "classe",
    "datum",
    "klasse",
    "vorname",
    "nombre",
    "apellidos",
    "fecha",
    "curso",
    "cognome",
    "nome",
    "data",
    "naam",
    "klas",
    "namn",
    "klass",
    "imię",
    "nazwisko",
    "klasa",
];

/// True when a script has writing that might be an answer and for which no question was found. `hidden` are
/// the student's name and id.
pub(super) fn has_unmatched(script: &Script, hidden: &[String]) -> bool {
    let loose: Vec<&Written> = script.unassigned.iter().filter(|word| !word.crossed_out).collect();
    let first =
        script.answers.iter().flat_map(|answer| answer.words.iter().chain(&answer.ticks)).map(order).min();
    let (above, rest): (Vec<&Written>, Vec<&Written>) = loose.into_iter().partition(|word| {
        // Without any answer the first page may be all that there is.
        first.is_some_and(|first| order(word) < first)
    });
    if rest.iter().any(|word| !is_name(&word.text, hidden)) {
        return true;
    }
    let lines: Vec<&[&Written]> = above.chunk_by(|_, next| !next.starts_line).collect();
    lines.len() > LINES_MAX || lines.iter().any(|line| !is_heading(line, hidden))
}

/// Where a word stands: file, page, and how far down.
fn order(word: &Written) -> (u32, u32, u32) {
    (word.file, word.place.page, (word.place.y.clamp(0.0, 1.0) * 10_000.0) as u32)
}

fn is_heading(line: &[&Written], hidden: &[String]) -> bool {
    let words: Vec<String> =
        line.iter().map(|word| bare(&word.text)).filter(|word| !word.is_empty()).collect();
    let says_what = words.iter().any(|word| SIGNS.contains(&word.to_lowercase().as_str()));
    let is_proper =
        |word: &String| word.chars().any(|c| c.is_ascii_digit()) || word.starts_with(char::is_uppercase);
    words.iter().all(|word| is_name(word, hidden))
        || (says_what && words.len() <= LINE_WORDS_MAX)
        || (words.len() <= NAME_WORDS_MAX && words.iter().all(is_proper))
}

/// True for a word of the student's name or id, and for what is no word.
fn is_name(word: &str, hidden: &[String]) -> bool {
    let word = bare(word).to_lowercase();
    let mut known = hidden.iter().flat_map(|one| one.split_whitespace()).map(|one| bare(one).to_lowercase());
    word.is_empty() || known.any(|one| one == word)
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Region;
    use exam::script::Answer;

    fn line(text: &str, page: u32, y: f32) -> Vec<Written> {
        let word = |(index, text): (usize, &str)| Written {
            text: text.to_owned(),
            place: Region { page, x: index as f32 * 0.1, y, width: 0.08, height: 0.02 },
            starts_line: index == 0,
            confidence: 1.0,
            ..Written::default()
        };
        text.split_whitespace().enumerate().map(word).collect()
    }

    /// A script whose first answer stands on page 2, and this writing before or behind it.
    fn unmatched(lines: &[(&str, u32, f32)], hidden: &[&str]) -> bool {
        let answer = Answer { words: line("photosynthesis", 2, 0.2), ..Answer::default() };
        let unassigned = lines.iter().flat_map(|(text, page, y)| line(text, *page, *y)).collect();
        let hidden: Vec<String> = hidden.iter().map(|one| (*one).to_owned()).collect();
        has_unmatched(&Script { answers: vec![answer], unassigned }, &hidden)
    }

    #[test]
    fn the_front_page_is_no_unmatched_writing() {
        assert!(!unmatched(&[("Ada Lovelace", 1, 0.1)], &[]));
        assert!(!unmatched(
            &[("Name: ada lovelace", 1, 0.1), ("Class 7b", 1, 0.2), ("12.5.2026", 1, 0.3)],
            &[]
        ));
        assert!(!unmatched(&[("Candidate number 0042", 2, 0.05)], &[]));
        assert!(!unmatched(&[("ada", 1, 0.1)], &["Ada Lovelace", "s-1"]));
        assert!(!unmatched(&[], &[]));
    }

    #[test]
    fn the_name_at_the_foot_of_a_page_is_none_either() {
        assert!(!unmatched(&[("lovelace, ada", 2, 0.9)], &["Ada Lovelace"]));
    }

    #[test]
    fn writing_that_may_be_an_answer_stays_unmatched() {
        assert!(unmatched(&[("because the light is absorbed by chlorophyll", 1, 0.4)], &[]));
        assert!(unmatched(&[("it is cooler", 3, 0.4)], &[]));
        assert!(unmatched(&[("Ada", 3, 0.4)], &[]), "behind the answers only a known name is one");
        let many: Vec<(&str, u32, f32)> = (0..20_u8).map(|row| ("Paris", 1, 0.03 * f32::from(row))).collect();
        assert!(unmatched(&many, &[]));
    }
}
