//! Papers in Cyrillic and Greek: their letters for parts and options, "а)", "(β)", "Б.", are written as Latin ones to be
//! read as others are. What was read is named as it is printed afterwards.

use crate::renamed::{self, Names};
use domain::question::Question;
use reader::lines::lines;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;

/// An alphabet that labels parts, in the order in which it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alphabet {
    letters: [char; 10],
}

const RUSSIAN: Alphabet = Alphabet { letters: ['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'к'] };
const UKRAINIAN: Alphabet =
    Alphabet { letters: ['а', 'б', 'в', 'г', 'д', 'е', 'є', 'ж', 'з', 'и'] };
const SERBIAN: Alphabet = Alphabet { letters: ['а', 'б', 'в', 'г', 'д', 'ђ', 'е', 'ж', 'з', 'и'] };
const MACEDONIAN: Alphabet =
    Alphabet { letters: ['а', 'б', 'в', 'г', 'д', 'ѓ', 'е', 'ж', 'з', 'ѕ'] };
const GREEK: Alphabet = Alphabet { letters: ['α', 'β', 'γ', 'δ', 'ε', 'ς', 'ζ', 'η', 'θ', 'ι'] };

/// White before a word that stands apart from the one before it, in sizes of its type.
const APART: f32 = 1.2;

/// A document whose labels were written in Latin letters.
pub(crate) struct Latin {
    pub(crate) document: Document,
    alphabet: Alphabet,
}

/// The document with Latin letters for labels and for answers that name an option; `None` where most of its letters
/// are Latin already.
pub(crate) fn latin(document: &Document) -> Option<Latin> {
    let alphabet = alphabet_of(document)?;
    let pages = document.pages.iter().map(|page| rewritten(page, alphabet, true)).collect();
    Some(Latin { document: Document { pages }, alphabet })
}

/// The same for what is only shown.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    latin(document).map_or(Cow::Borrowed(document), |latin| Cow::Owned(latin.document))
}

/// A script with Latin letters for the labels of its answers. What it answers stays as it is.
pub(crate) fn labelled(document: &Document) -> Cow<'_, Document> {
    let Some(alphabet) = alphabet_of(document) else { return Cow::Borrowed(document) };
    let pages = document.pages.iter().map(|page| rewritten(page, alphabet, false)).collect();
    Cow::Owned(Document { pages })
}

/// A label in Latin letters, as it counts.
pub(crate) fn plain_label(label: &str) -> String {
    let all = [RUSSIAN, UKRAINIAN, SERBIAN, MACEDONIAN, GREEK];
    let foreign = |own: &&Alphabet| label.chars().any(|sign| own.place(sign).is_some());
    // The first that has all of them: "ђ" is Serbian alone.
    let known = |own: &&Alphabet| {
        label.chars().all(|sign| own.place(sign).is_some() || sign.is_ascii() || !sign.is_alphabetic())
    };
    let Some(own) = all.iter().filter(foreign).find(known) else { return label.to_owned() };
    label.chars().map(|sign| own.latin(sign).unwrap_or(sign)).collect()
}

impl Latin {
    /// Labels, options and keys as the document prints them.
    pub(crate) fn name(&self, questions: &mut [Question]) {
        renamed::all(questions, &Printed(self.alphabet));
    }
}

struct Printed(Alphabet);

impl Names for Printed {
    fn part(&self, label: &str) -> String {
        // Numerals are Latin in these papers, too: only a letter alone in its brackets is one.
        let mut printed = String::with_capacity(label.len());
        for piece in label.split_inclusive([')', '(']) {
            let mut signs = piece.chars();
            match (signs.next(), signs.next(), signs.next()) {
                (Some(letter @ 'a'..='h'), Some(')'), None) => {
                    printed.push(self.0.own(letter));
                    printed.push(')');
                }
                _ => printed.push_str(piece),
            }
        }
        printed
    }

    fn option(&self, label: &str) -> String {
        label.chars().map(|sign| self.0.own(sign)).collect()
    }
}

impl Alphabet {
    fn place(self, letter: char) -> Option<usize> {
        let small = letter.to_lowercase().next()?;
        self.letters.iter().position(|own| *own == small)
    }

    /// The Latin letter in the same place, small or capital.
    fn latin(self, letter: char) -> Option<char> {
        let place = u32::try_from(self.place(letter)?).ok()?;
        let latin = char::from_digit(10 + place, 36)?;
        Some(if letter.is_uppercase() { latin.to_ascii_uppercase() } else { latin })
    }

    /// The letter in the place of a Latin one; any other sign stays.
    fn own(self, latin: char) -> char {
        let place = latin.to_digit(36).filter(|_| latin.is_ascii_alphabetic()).map(|value| value - 10);
        let Some(own) = place.and_then(|place| self.letters.get(place as usize)) else { return latin };
        match latin.is_ascii_uppercase() {
            true => own.to_uppercase().next().unwrap_or(*own),
            false => *own,
        }
    }
}

/// The alphabet in which most of a document's letters are written.
fn alphabet_of(document: &Document) -> Option<Alphabet> {
    let letters = || document.pages.iter().flat_map(|page| &page.words).flat_map(|word| word.text.chars());
    let (mut latin, mut cyrillic, mut greek) = (0_usize, 0_usize, 0_usize);
    let (mut ukrainian, mut serbian, mut macedonian) = (false, false, false);
    for letter in letters() {
        latin += usize::from(letter.is_ascii_alphabetic());
        cyrillic += usize::from(matches!(letter, 'Ѐ'..='ӿ'));
        greek += usize::from(matches!(letter, 'Ά'..='ώ'));
        ukrainian |= matches!(letter, 'є' | 'ї' | 'і');
        serbian |= matches!(letter, 'ђ' | 'ћ' | 'љ' | 'њ');
        macedonian |= matches!(letter, 'ѓ' | 'ќ' | 'ѕ');
    }
    if cyrillic > latin {
        return Some(match (ukrainian, macedonian, serbian) {
            (true, ..) => UKRAINIAN,
            (_, true, _) => MACEDONIAN,
            (.., true) => SERBIAN,
            _ => RUSSIAN,
        });
    }
    (greek > latin).then_some(GREEK)
}

/// A page with Latin letters for labels, and for bare letters that answer where these are wanted.
fn rewritten(page: &Page, alphabet: Alphabet, answers: bool) -> Page {
    let mut words = page.words.clone();
    for line in lines(page) {
        let own = &page.words[line.words.clone()];
        let options = own.iter().filter(|word| closed(&word.text, alphabet).is_some()).count();
        for at in 0..own.len() {
            let begins = at == 0 || is_number(&own[at - 1].text) || is_apart(&own[at - 1], &own[at]);
            let label = || {
                // "г." and "в." are short for words, too.
                let plain = closed(&own[at].text, alphabet).filter(|_| begins || options > 1);
                plain.or_else(|| dotted(&own[at].text, alphabet).filter(|_| begins))
            };
            let read = match answers {
                true => label().or_else(|| bare(own, at, alphabet)),
                false => label().filter(|read| at == 0 || read.starts_with(char::is_lowercase)),
            };
            if let Some(read) = read {
                words[line.words.start + at].text = read;
            }
        }
    }
    Page { words, ..page.clone() }
}

fn is_apart(before: &Word, word: &Word) -> bool {
    word.place.x0 - before.place.x1 > APART * word.size
}

fn is_number(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ')', ':']);
    (1..=3).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// `а)`, `(б)`, `[в]`, `1а)`, and what is glued to them.
fn closed(word: &str, alphabet: Alphabet) -> Option<String> {
    let head = word.find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, '.' | '(' | '['))?;
    let (lead, body) = word.split_at(head);
    let mut signs = body.chars();
    let (letter, close) = (signs.next()?, signs.next()?);
    let opened = lead.ends_with(['(', '[']);
    let closes = close == ')' || (close == ']' && opened);
    let latin = alphabet.latin(letter).filter(|_| closes && lead.len() <= 4)?;
    Some(format!("{lead}{latin}{close}{}", signs.as_str()))
}

/// `а.` and `А:`
fn dotted(word: &str, alphabet: Alphabet) -> Option<String> {
    let bare = word.strip_suffix(['.', ':', '-'])?;
    let mut signs = bare.chars();
    let (letter, None) = (signs.next()?, signs.next()) else { return None };
    Some(format!("{}{}", alphabet.latin(letter)?, &word[bare.len()..]))
}

/// The letter of an option that answers: "5. Б", "Б В А Г" below a row of numbers, "9 А 1".
fn bare(line: &[Word], at: usize, alphabet: Alphabet) -> Option<String> {
    /// So many in a row are no words.
    const ROW: usize = 3;
    let single = |at: usize| {
        let mut signs = line.get(at)?.text.trim_end_matches(['.', ',', ';']).chars();
        let letter = signs.next().filter(|letter| letter.is_uppercase() && signs.next().is_none())?;
        alphabet.latin(letter)
    };
    let letter = single(at)?;
    let numbered = at > 0 && is_number(&line[at - 1].text);
    let ends = line.get(at + 1).is_none_or(|next| is_number(&next.text) || is_apart(&line[at], next));
    let first = (0..=at).rev().take_while(|at| single(*at).is_some()).last()?;
    let row = (first..line.len()).take_while(|at| single(*at).is_some()).count();
    let sign = &line[at].text[line[at].text.trim_end_matches(['.', ',', ';']).len()..];
    ((numbered && ends) || row >= ROW).then(|| format!("{letter}{sign}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    fn page(lines: &[&str]) -> Document {
        let mut words = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            let mut x = 50.0;
            for text in line.split(' ') {
                let y = 40.0 + 20.0 * row as f32;
                let width = 6.0 * text.chars().count() as f32;
                let place = Rect { x0: x, y0: y, x1: x + width, y1: y + 10.0 };
                words.push(Word {
                    text: text.to_owned(),
                    place,
                    size: 10.0,
                    baseline: y + 8.0,
                    confidence: 1.0,
                    ..Word::default()
                });
                x += width + 3.0;
            }
        }
        let page = Page { number: 1, width: 595.0, height: 842.0, words, ..Page::default() };
        Document { pages: vec![page] }
    }

    fn said(document: &Document) -> String {
        document.pages[0].words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_and_answers_are_written_in_latin_letters() {
        let russian = page(&[
            "1. Найдите предел:",
            "а) слева;",
            "б) справа в 2024 г. и далее",
            "В таблице А",
            "5. Б 1 6. Г 1",
        ]);
        let read = latin(&russian).unwrap();
        assert_eq!(
            said(&read.document),
            "1. Найдите предел: a) слева; b) справа в 2024 г. и далее В таблице А 5. B 1 6. D 1"
        );
        let inline = page(&["А) Искър Б) Янтра В) Камчия Г) Места"]);
        assert_eq!(said(&prepared(&inline)), "A) Искър B) Янтра C) Камчия D) Места");
        let greek = page(&["(α) Να βρείτε το όριο.", "β) Να δείξετε ότι ισχύει."]);
        assert_eq!(said(&prepared(&greek)), "(a) Να βρείτε το όριο. b) Να δείξετε ότι ισχύει.");
        assert!(latin(&page(&["a) Find the limit α of x."])).is_none());
    }

    #[test]
    fn a_paper_is_read_and_named_as_it_is_printed() {
        let paper = page(&[
            "1. Кой град е на Дунав? (1 точка)",
            "А) Русе",
            "Б) Варна",
            "В) Пловдив",
            "Г) Бургас",
            "2. Разгледайте картата.",
            "а) Назовете планината. (2 точки)",
            "б) Назовете реката. (3 точки)",
        ]);
        let scheme = page(&["1. А", "2. а) Рила", "б) Искър"]);
        let reading = crate::read(&paper, &scheme);
        let [first, second] = reading.questions.as_slice() else { panic!("{:?}", reading.questions) };
        let options: Vec<&str> = first.options.iter().map(|option| option.label.as_str()).collect();
        assert_eq!(options, ["А", "Б", "В", "Г"]);
        assert_eq!(first.answer_key.as_ref().unwrap().points[0].text, "А");
        let parts: Vec<&str> = second.parts.iter().map(|part| part.label.as_str()).collect();
        assert_eq!(parts, ["(а)", "(б)"]);
        assert_eq!(second.parts[1].answer_key.as_ref().unwrap().points[0].text, "Искър");
    }

    #[test]
    fn a_scripts_answers_stay_as_they_are() {
        let script = page(&["1. Б", "2 а) да, это так", "А) северная точка"]);
        assert_eq!(said(&labelled(&script)), "1. Б 2 a) да, это так A) северная точка");
    }

    #[test]
    fn labels_are_named_as_they_are_printed() {
        let printed = Printed(RUSSIAN);
        assert_eq!(printed.part("(b)(ii)"), "(б)(ii)");
        assert_eq!(printed.part("(c)(1)"), "(в)(1)");
        assert_eq!(printed.option("D"), "Г");
        assert_eq!(Printed(GREEK).part("(c)"), "(γ)");
        assert_eq!(plain_label("(в)(ii)"), "(c)(ii)");
        assert_eq!(plain_label("(ђ)"), "(f)");
        assert_eq!(plain_label("(γ)"), "(c)");
        assert_eq!(plain_label("(a)"), "(a)");
    }
}
