//! From the network's step-by-step likelihoods to letters with their places and confidence.

use super::beam;
use super::lexicon::Lexicon;
use super::network::{KINDS, Likely, Output};
use std::ops::Range;

/// A letter that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Letter {
    /// Usually one character; a space between words.
    pub(super) text: String,
    /// The network's likelihood for it, 0 to 1.
    pub(super) confidence: f32,
    /// Where its middle stands along the line, in steps.
    pub(super) step: f32,
}

/// When fewer of a line's letters than this are Chinese, Japanese or Korean, single ones among
/// Latin letters are misread strokes ("一" for a dash), so the line is read again without them.
const IDEOGRAPH_SHARE_MIN: f32 = 0.3;

/// A line whose letters are all surer than this is read as they stand.
const SURE: f32 = 0.9;

/// What is raised over nothing has a base that was nearly read: this likely or more.
const BASE_MIN: f32 = 0.05;

/// Reads one line: `output` holds, for each step, one value for each entry of the alphabet, or the likeliest ones.
pub(super) fn letters(output: &Output, alphabet: &Alphabet) -> Vec<Letter> {
    with_bases(read(output, alphabet), output, alphabet)
}

/// The same with what small raised digits are raised over, where it was taken for nothing or for the sign of a product.
fn with_bases(letters: Vec<Letter>, output: &Output, alphabet: &Alphabet) -> Vec<Letter> {
    let mut whole: Vec<Letter> = Vec::with_capacity(letters.len());
    for letter in letters {
        let is_based = |before: &Letter| {
            before.text.chars().all(|sign| sign.is_alphanumeric() || ")]}|°".contains(sign))
        };
        if is_raised(&letter.text) && !whole.last().is_some_and(is_based) {
            let product = whole.pop_if(|before| before.text == "×");
            let from = product.as_ref().or(whole.last()).map_or(0, |before| before.step as usize);
            match alphabet.likeliest_base(output, from..letter.step as usize) {
                Some(base) if base.confidence >= BASE_MIN => whole.push(base),
                _ => whole.extend(product),
            }
        }
        whole.push(letter);
    }
    whole
}

fn is_raised(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|sign| "²³⁴⁵⁶⁷⁸⁹".contains(sign))
}

fn read(output: &Output, alphabet: &Alphabet) -> Vec<Letter> {
    let all = decode(output, alphabet, &[Kind::Base, Kind::Sign, Kind::Ideograph]);
    if let (Some(lexicon), Output::Numbers(likelihoods)) = (&alphabet.lexicon, output)
        && all.iter().any(|letter| letter.confidence < SURE)
    {
        return with_words(likelihoods, alphabet, lexicon);
    }
    let written = all.iter().filter(|letter| letter.text != " ").count();
    let ideographs = all.iter().filter(|letter| letter.text.chars().any(is_ideograph)).count();
    if ideographs == 0 || ideographs as f32 >= IDEOGRAPH_SHARE_MIN * written as f32 && written > 2 {
        return all;
    }
    decode(output, alphabet, &[Kind::Base, Kind::Sign])
}

/// The same with an eye on the words that the letters make.
fn with_words(likelihoods: &[f32], alphabet: &Alphabet, lexicon: &Lexicon) -> Vec<Letter> {
    let sign = |class: usize| alphabet.entries[class].chars().next().unwrap_or_default();
    let letter = |placed: &beam::Placed| Letter {
        text: alphabet.entries[placed.class].clone(),
        confidence: placed.likelihood,
        step: placed.step,
    };
    beam::best(likelihoods, alphabet.len(), lexicon, sign).iter().map(letter).collect()
}

fn decode(output: &Output, alphabet: &Alphabet, kinds: &[Kind]) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    let mut previous = 0;
    let mut run_start = 0;
    for step in 0..alphabet.steps(output) {
        let Some(Likely { class, likelihood }) = alphabet.likeliest(output, step, kinds) else { continue };
        if class != previous {
            run_start = step;
            if class != 0 {
                let text = alphabet.entries[class].clone();
                letters.push(Letter { text, confidence: likelihood, step: step as f32 + 0.5 });
            }
        } else if class != 0
            && let Some(letter) = letters.last_mut()
        {
            letter.confidence = letter.confidence.max(likelihood);
            letter.step = f32::midpoint(run_start as f32, step as f32 + 1.0);
        }
        previous = class;
    }
    letters
}

/// Kinds of what the network tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A plain letter or a digit, over which something can be raised.
    Base,
    /// Any other sign, and the blank.
    Sign,
    /// Chinese, Japanese or Korean.
    Ideograph,
}

// Every kind has its likeliest.
const _: () = assert!(KINDS == Kind::Ideograph as usize + 1);

impl Kind {
    fn of(entry: &str) -> Kind {
        let mut signs = entry.chars();
        match (signs.next(), signs.next()) {
            _ if entry.chars().any(is_ideograph) => Kind::Ideograph,
            (Some(sign), None) if sign.is_ascii_alphanumeric() => Kind::Base,
            _ => Kind::Sign,
        }
    }
}

/// What each output of the network stands for.
#[derive(Debug)]
pub(super) struct Alphabet {
    entries: Vec<String>,
    /// The kind of each, as a number.
    kinds: Vec<usize>,
    /// The words that lines are expected to hold.
    lexicon: Option<Lexicon>,
}

impl Alphabet {
    /// Index 0 is the blank.
    pub(super) fn new(entries: Vec<String>) -> Alphabet {
        let entries: Vec<String> = entries.into_iter().map(plain).collect();
        let kinds = entries.iter().map(|entry| Kind::of(entry) as usize).collect();
        Alphabet { entries, kinds, lexicon: None }
    }

    /// The kind of each of its entries, when the likeliest of each kind are all that is asked for: who looks for words
    /// wants to know of others, too.
    pub(super) fn kinds(&self) -> Option<&[usize]> {
        self.lexicon.is_none().then_some(&self.kinds)
    }

    /// How many steps a line has.
    pub(super) fn steps(&self, output: &Output) -> usize {
        match output {
            Output::Numbers(likelihoods) => likelihoods.len() / self.len().max(1),
            Output::Likeliest(steps) => steps.len(),
        }
    }

    /// What is likeliest at a step of all that is of some kinds; of equals the last.
    fn likeliest(&self, output: &Output, step: usize, kinds: &[Kind]) -> Option<Likely> {
        let is_wanted = |own: usize| kinds.iter().any(|kind| *kind as usize == own);
        let likelier = |a: &Likely, b: &Likely| a.likelihood.total_cmp(&b.likelihood);
        match output {
            Output::Numbers(likelihoods) => {
                let row = likelihoods[step * self.len()..].iter().take(self.len()).enumerate();
                let own = row.filter(|(class, _)| is_wanted(self.kinds[*class]));
                own.map(|(class, likelihood)| Likely { class, likelihood: *likelihood }).max_by(likelier)
            }
            Output::Likeliest(steps) => {
                let own = steps[step].iter().enumerate().filter(|(kind, _)| is_wanted(*kind));
                own.map(|(_, likely)| *likely).max_by(likelier)
            }
        }
    }

    /// The same for lines that hold words of a lexicon.
    pub(super) fn with_words(self, lexicon: Option<Lexicon>) -> Alphabet {
        Alphabet { lexicon, ..self }
    }

    pub(super) fn has_words(&self) -> bool {
        self.lexicon.is_some()
    }

    /// The letter or digit that is likeliest within some steps.
    pub(super) fn likeliest_base(&self, output: &Output, steps: Range<usize>) -> Option<Letter> {
        let steps = steps.start..steps.end.min(self.steps(output));
        let bases = steps.filter_map(|step| Some((step, self.likeliest(output, step, &[Kind::Base])?)));
        let (step, base) = bases.max_by(|a, b| a.1.likelihood.total_cmp(&b.1.likelihood))?;
        let text = self.entries[base.class].clone();
        Some(Letter { text, confidence: base.likelihood, step: step as f32 + 0.5 })
    }

    /// How likely a sign is at best within some steps; `None` where the likeliest signs alone are known.
    pub(super) fn likelihood(&self, output: &Output, sign: &str, steps: Range<usize>) -> Option<f32> {
        let Output::Numbers(likelihoods) = output else { return None };
        let class = self.entries.iter().position(|entry| entry == sign)?;
        let rows = likelihoods.chunks_exact(self.len()).skip(steps.start).take(steps.len());
        rows.map(|row| row[class]).reduce(f32::max)
    }

    /// How many outputs the network must have.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// Full-width forms are the same letters in another dress: "（" is read as "(".
fn plain(entry: String) -> String {
    let mut characters = entry.chars();
    match (characters.next(), characters.next()) {
        (Some(wide @ '\u{FF01}'..='\u{FF5E}'), None) => {
            char::from_u32(wide as u32 - 0xFEE0).map_or(entry, String::from)
        }
        (Some('\u{3000}'), None) => " ".to_owned(),
        _ => entry,
    }
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet() -> Alphabet {
        Alphabet::new(["", "a", "b", "一", "（", " "].map(str::to_owned).to_vec())
    }

    fn steps(rows: &[[f32; 6]]) -> Output {
        Output::Numbers(rows.concat())
    }

    #[test]
    fn repeats_collapse_and_blanks_part_double_letters() {
        let read = letters(
            &steps(&[
                [0.1, 0.9, 0.0, 0.0, 0.0, 0.0],
                [0.0, 0.8, 0.2, 0.0, 0.0, 0.0],
                [0.9, 0.1, 0.0, 0.0, 0.0, 0.0],
                [0.0, 0.7, 0.3, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 0.0, 0.9, 0.1],
            ]),
            &alphabet(),
        );
        let text: String = read.iter().map(|letter| letter.text.as_str()).collect();
        assert_eq!(text, "aa(");
        assert_eq!((read[0].confidence, read[0].step), (0.9, 1.0));
        assert!((read[1].step - 3.5).abs() < 1e-6);
    }

    #[test]
    fn what_is_raised_has_a_base() {
        let alphabet = Alphabet::new(["", "x", "×", "²", "+"].map(str::to_owned).to_vec());
        let read = |rows: &[[f32; 5]]| -> String {
            letters(&Output::Numbers(rows.concat()), &alphabet)
                .iter()
                .map(|letter| letter.text.as_str())
                .collect()
        };
        let (plus, raised) = ([0.1, 0.0, 0.0, 0.0, 0.9], [0.2, 0.0, 0.0, 0.8, 0.0]);
        assert_eq!(read(&[[0.6, 0.4, 0.0, 0.0, 0.0], raised, plus]), "x²+");
        assert_eq!(read(&[plus, [0.5, 0.3, 0.2, 0.0, 0.0], raised]), "+x²");
        assert_eq!(read(&[[0.0, 0.2, 0.8, 0.0, 0.0], raised]), "x²", "no product is raised");
        assert_eq!(read(&[[0.98, 0.02, 0.0, 0.0, 0.0], raised]), "²");
    }

    #[test]
    fn a_lone_ideograph_among_latin_letters_is_read_again() {
        let latin = [0.0, 0.9, 0.1, 0.0, 0.0, 0.0];
        let blank = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let odd = [0.1, 0.0, 0.3, 0.6, 0.0, 0.0];
        let read = letters(&steps(&[latin, blank, latin, blank, latin, blank, odd]), &alphabet());
        let text: String = read.iter().map(|letter| letter.text.as_str()).collect();
        assert_eq!(text, "aaab");
        let read = letters(&steps(&[odd, blank, odd, blank, odd]), &alphabet());
        assert_eq!(read[0].text, "一");
    }
}
