//! Arabic papers made ready to be read as others are: pages that run from right to left are mirrored, their words put
//! into the order in which they are spoken, and their letters for labels and their digits written as Latin ones. What
//! was read is named as it is printed afterwards.

mod book;
mod names;
mod price_column;
mod words;

pub(crate) use names::{flip_keys, name, plain_label};

use reader::page::{Document, Page, Rect, Ruling, Word};
use std::borrow::Cow;

/// A document that runs from right to left, made ready.
pub(crate) struct Mirrored {
    pub(crate) document: Document,
    /// True where its numbers are printed in Arabic-Indic digits.
    pub(crate) own_digits: bool,
}

/// The document mirrored; `None` where most of its letters run from left to right.
pub(crate) fn mirrored(document: &Document) -> Option<Mirrored> {
    let all = || document.pages.iter().flat_map(|page| &page.words);
    let letters = |own: fn(char) -> bool| -> usize {
        all().map(|word| word.text.chars().filter(|letter| own(*letter)).count()).sum()
    };
    let arabic = letters(words::is_arabic);
    if arabic == 0 || arabic < letters(|letter| letter.is_ascii_alphabetic()) {
        return None;
    }
    let drawn = words::Drawn::of(all().map(|word| word.text.as_str()));
    let own_digits = letters(|sign| words::digit(sign).is_some()) > letters(|sign| sign.is_ascii_digit());
    let pages = document.pages.iter().map(|page| mirror(page, &drawn)).collect();
    Some(Mirrored { document: Document { pages }, own_digits })
}

/// The same for what is only shown.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    mirrored(document).map_or(Cow::Borrowed(document), |mirrored| Cow::Owned(mirrored.document))
}

fn mirror(page: &Page, drawn: &words::Drawn) -> Page {
    let flip = |place: &Rect| Rect { x0: page.width - place.x1, x1: page.width - place.x0, ..*place };
    let rulings: Vec<Ruling> =
        page.rulings.iter().map(|ruling| Ruling { place: flip(&ruling.place), ..*ruling }).collect();
    let read = page.words.iter().filter_map(|word| {
        let text = drawn.read(&word.text);
        let text = names::latin(&text, false).unwrap_or(text);
        (!text.is_empty()).then(|| Word { text, place: flip(&word.place), ..word.clone() })
    });
    let mut words: Vec<Word> = read.collect();
    book::leave_out_pages(&mut words);
    price_column::move_behind(&mut words, page.width);
    // Lines to write on were found when the page was read.
    reader::lines::arrange(&mut words, &rulings, page.width);
    Page {
        words: labelled(words),
        rulings,
        boxes: page.boxes.iter().map(flip).collect(),
        pictures: page.pictures.iter().map(flip).collect(),
        darkness: None,
        ..page.clone()
    }
}

/// Words with their labels and marks as Latin papers print them.
fn labelled(words: Vec<Word>) -> Vec<Word> {
    let mut ready: Vec<Word> = Vec::with_capacity(words.len());
    for mut word in words {
        // "أ )" is set with a space, so that a joined letter does not change its form.
        let closes = matches!(word.text.as_str(), ")" | "-" | ".");
        let last = ready.last_mut().filter(|last| closes && beside(last, &word));
        if let Some(last) = last.filter(|last| names::is_bare(&last.text)) {
            last.text = format!("{})", last.text);
            last.place = last.place.union(&word.place);
            continue;
        }
        // "(درجة واحدة)"
        if let Some(last) = ready.last_mut().filter(|last| beside(last, &word))
            && let Some((number, unit)) = names::one_mark(&last.text, &word.text)
        {
            (last.text, word.text) = (number, unit);
        }
        // "1. ✓": a tick alone behind a number says that a statement is right, and is no mark.
        let counts = ready.last().is_some_and(|last| {
            let number = last.text.strip_suffix(['.', ')', '-']);
            number
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if let Some(said) = lexicon::arabic::verdict(&word.text).filter(|_| counts) {
            word.text = said.to_owned();
        }
        if let Some((number, unit)) = names::spelt_marks(&word.text) {
            let width = word.place.width() / 2.0;
            let first = Rect { x1: word.place.x0 + width, ..word.place };
            ready.push(Word { text: number, place: first, ..word.clone() });
            word.place.x0 += width;
            word.text = unit;
        }
        ready.push(word);
    }
    // A letter of the text alone, such as a symbol in a sentence, stays what it is: labels begin lines or stand apart.
    let apart: Vec<bool> = (0..ready.len()).map(|at| is_apart(&ready, at)).collect();
    for (word, apart) in ready.iter_mut().zip(apart) {
        if let Some(label) = names::latin(&word.text, apart) {
            word.text = label;
        }
    }
    ready
}

/// White around a letter that is set apart, in sizes of its type.
const APART: f32 = 0.8;

fn beside(one: &Word, other: &Word) -> bool {
    let gap = other.place.x0 - one.place.x1;
    (one.baseline - other.baseline).abs() < 0.5 * one.size
        && (-0.5..APART).contains(&(gap / one.size.max(1.0)))
}

/// True for a word with white on both sides.
fn is_apart(words: &[Word], at: usize) -> bool {
    let touches = |one: Option<&Word>, other: Option<&Word>| {
        one.zip(other).is_some_and(|(one, other)| beside(one, other))
    };
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    !touches(before, words.get(at)) && !touches(words.get(at), words.get(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(x1: f32, y: f32, text: &str) -> Word {
        // As it is drawn: from left to right, the last letter first.
        let text: String = text.chars().rev().collect();
        let place = Rect { x0: x1 - 6.0 * text.chars().count() as f32, y0: y, x1, y1: y + 10.0 };
        Word { text, place, size: 10.0, baseline: y + 8.0, confidence: 1.0, ..Word::default() }
    }

    fn page(number: u32, lines: &[&[(f32, &str)]]) -> Page {
        let words = lines.iter().zip(1..).flat_map(|(line, row)| {
            line.iter().map(move |(x1, text)| word(*x1, 40.0 + 20.0 * row as f32, text))
        });
        Page { number, width: 595.0, height: 842.0, words: words.collect(), ..Page::default() }
    }

    fn paper() -> Document {
        let lines: &[&[(f32, &str)]] = &[
            &[(540.0, "السؤال"), (500.0, "الأول:"), (460.0, ")٦"), (445.0, "علامات(")],
            &[
                (540.0, "أ"),
                (531.0, "("),
                (520.0, "عرّف"),
                (480.0, "الخلية."),
                (120.0, ")٤"),
                (105.0, "علامات("),
            ],
            &[(540.0, "ب("), (520.0, "اذكر"), (480.0, "جدار"), (440.0, "النبات."), (120.0, ")علامتان(")],
            &[(540.0, "السؤال"), (500.0, "الثاني:"), (460.0, ")٢"), (445.0, "علامة(")],
            &[(540.0, "سمّ"), (510.0, "المادة"), (470.0, "الخضراء.")],
        ];
        Document { pages: vec![page(1, lines)] }
    }

    fn scheme() -> Document {
        let lines: &[&[(f32, &str)]] = &[
            &[(540.0, "السؤال"), (500.0, "الأول:")],
            &[(540.0, "أ("), (520.0, "وحدة"), (480.0, "بناء"), (440.0, "الجسم.")],
            &[(540.0, "ب("), (520.0, "جدار"), (480.0, "متين"), (440.0, "صلب.")],
            &[(540.0, "السؤال"), (500.0, "الثاني:")],
            &[(540.0, "مادة"), (500.0, "اليخضور.")],
        ];
        Document { pages: vec![page(1, lines)] }
    }

    #[test]
    fn a_page_that_runs_from_right_to_left_is_read_as_others_are() {
        let texts: Vec<String> =
            prepared(&paper()).pages[0].words.iter().map(|word| word.text.clone()).collect();
        let expected = [
            "السؤال",
            "الأول:",
            "(6",
            "علامات)",
            "a)",
            "عرف",
            "الخلية.",
            "(4",
            "علامات)",
            "b)",
            "اذكر",
            "جدار",
            "النبات.",
            "(2",
            "علامات)",
            "السؤال",
            "الثاني:",
            "(2",
            "علامة)",
            "سم",
            "المادة",
            "الخضراء.",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn labels_marks_and_keys_are_read_and_named_as_printed() {
        let reading = crate::read(&paper(), &scheme());
        let said: Vec<(String, Option<f64>, String)> = reading
            .questions
            .iter()
            .flat_map(|question| {
                let key = |key: &Option<domain::question::AnswerKey>| {
                    key.iter().flat_map(|key| &key.points).map(|point| point.text.clone()).collect::<Vec<_>>()
                };
                let own = question.parts.is_empty().then(|| {
                    let marks = question.marks.map(domain::marks::Marks::as_number);
                    (question.number.clone(), marks, key(&question.answer_key).join("; "))
                });
                let parts = question.parts.iter().map(move |part| {
                    let label = format!("{}{}", question.number, part.label);
                    (label, part.marks.map(domain::marks::Marks::as_number), key(&part.answer_key).join("; "))
                });
                own.into_iter().chain(parts).collect::<Vec<_>>()
            })
            .collect();
        let leaf = |label: &str, marks: f64, key: &str| (label.to_owned(), Some(marks), key.to_owned());
        assert_eq!(
            said,
            [
                leaf("1(أ)", 4.0, "وحدة بناء الجسم."),
                leaf("1(ب)", 2.0, "جدار متين صلب."),
                leaf("2", 2.0, "مادة اليخضور."),
            ]
        );
        let region = reading.questions[0].parts[0].regions[0];
        assert!(region.x + region.width > 0.85, "{region:?}");
    }

    #[test]
    fn pages_that_run_from_left_to_right_stay_as_they_are() {
        let lines: &[&[(f32, &str)]] = &[&[(120.0, ".rebmun"), (160.0, "eht"), (200.0, "ب")]];
        assert!(mirrored(&Document { pages: vec![page(1, lines)] }).is_none());
    }
}
