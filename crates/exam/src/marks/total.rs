//! The total that a paper prints for all of it.

use super::numbers::read_number;
use super::{is_total, is_unit};
use domain::marks::Marks;
use lexicon::Concept;

/// The total that a paper's front page or last line prints.
pub fn paper_total(words: &[&str]) -> Option<Marks> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let text = lower.join(" ");
    // Said of less than a paper in the middle of a line, unless the time is printed beside it.
    let timed = lexicon::says(Concept::Duration, &text).is_some();
    let names_time = || text.contains(':') && lexicon::begins_with(Concept::Duration, &text).is_some();
    let whole = lexicon::says(Concept::PaperTotal, &text).map(|said| &text[said.end..]);
    let after = whole.or_else(|| {
        let said = lexicon::says(Concept::PaperTotalAtStart, &text)?;
        (said.start == 0 || timed).then(|| &text[said.end..])
    });
    // "Points: 16 10 26" begins like a total, and says it at its end.
    let number = match (row_of_sums(&lower), after) {
        (Some(sum), _) => sum,
        (None, Some(after)) => first_number(after)?,
        (None, None) => {
            // "Time: 2 h   100 points"
            let beside = || {
                let note = super::at_end(words).filter(|note| !note.bracketed && names_time())?;
                let sure = note.certainty == super::Certainty::Sure && note.scope == super::Scope::Part;
                (sure && note.marks >= BESIDE_LEAST).then(|| note.marks.as_number())
            };
            let of_sentence = |own: &str| sum_of_paper(own).or_else(|| worth_of_paper(own));
            let worth = || text.split(". ").find_map(of_sentence).or_else(|| worth_of_paper(&text));
            total_box(&lower).or_else(worth).or_else(|| alike_questions(&lower)).or_else(beside)?
        }
    };
    Marks::from_number(number).filter(|marks| !marks.is_zero())
}

/// The "11" of "11 P.", in small letters.
pub(crate) fn without_unit(number: &str) -> &str {
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let unit = number[digits..].trim().trim_end_matches('.');
    if is_unit(unit) || lexicon::is(Concept::ShortUnit, unit) { &number[..digits] } else { number }
}

/// "TOTAL /43": the box for the sum of all marks, alone or behind those of sections.
fn total_box(lower: &[String]) -> Option<f64> {
    let named = |at: &usize| is_total(lower[*at].trim_end_matches(':'));
    let at = Some(0).filter(|at| *at < lower.len() && named(at)).or_else(|| {
        let last = (lower.len().saturating_sub(BOX_WORDS)..lower.len()).find(named)?;
        (lower[..last].iter().filter(|word| boxed(std::slice::from_ref(word)).is_some()).count() > 1)
            .then_some(last)
    })?;
    boxed(&lower[at + 1..])
}

/// "Score ____ / 45": a box for all marks where a paper has a single one, alone or beside the lines for the name.
pub(crate) fn score_box(words: &[&str]) -> Option<Marks> {
    /// The score of less may be a question's.
    const LEAST: f64 = 10.0;
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let named = |at: &usize| {
        let name = lower[*at].trim_end_matches([':', '_']);
        is_total(name) || lexicon::is(Concept::ScoreBox, name)
    };
    let labelled = lower.iter().any(|word| lexicon::is(Concept::Label, word));
    let at = (lower.len().saturating_sub(BOX_WORDS)..lower.len()).find(named)?;
    let number = boxed(&lower[at + 1..]).filter(|number| !labelled && *number >= LEAST)?;
    Marks::from_number(number)
}

/// Fewer marks beside the time may be a question's.
const BESIDE_LEAST: Marks = Marks::whole(10);
/// "Score ____ / 45" is of so many words at most.
const BOX_WORDS: usize = 5;

/// The number of "____/43" and "/ 43".
fn boxed(words: &[String]) -> Option<f64> {
    let joined = words.concat();
    let number = joined.trim_start_matches(['_', '.', '…', ':']).strip_prefix('/')?;
    read_number(without_unit(number))
}

/// "Points: 5 2 4 4 15": a row of the cover's table whose last number is the sum of the others.
fn row_of_sums(lower: &[String]) -> Option<f64> {
    const LEAST: usize = 4;
    const NAME_WORDS: usize = 3;
    // "Mögliche Punkte 12 9 10 31"
    let named = lower.iter().take(NAME_WORDS).position(|word| is_unit(word.trim_end_matches(':')))?;
    let rest = &lower[named + 1..];
    let numbers: Option<Vec<f64>> = rest.iter().map(|word| read_number(word)).collect();
    let numbers = numbers.filter(|numbers| numbers.len() >= LEAST)?;
    let (last, others) = numbers.split_last()?;
    ((others.iter().sum::<f64>() - last).abs() < 0.01).then_some(*last)
}

/// "This paper is worth 100 points", "100 marks in total".
fn worth_of_paper(text: &str) -> Option<f64> {
    let says = |concept| lexicon::says(concept, text).is_some();
    let about_paper = says(Concept::WholePaper) || says(Concept::Altogether);
    let worth = says(Concept::Worth) || says(Concept::Altogether);
    if !(about_paper && worth) || says(Concept::Each) || says(Concept::Label) {
        return None;
    }
    // "This paper is marked out of 46."
    if let Some(number) =
        lexicon::says(Concept::MarkedOutOf, text).and_then(|said| first_number(&text[said.end..]))
    {
        return Some(number);
    }
    let words: Vec<&str> = text.split(' ').collect();
    // "There are two sections in this paper. Section A carries 25 marks": that is the section's.
    let of_section = |at: usize| {
        let sentence = words[..at].iter().rev().take_while(|word| !word.ends_with('.'));
        sentence.into_iter().any(|word| lexicon::is(Concept::Section, word))
    };
    let counted = |at: usize| {
        let unit = words.get(at + 1).is_some_and(|unit| is_unit(unit.trim_end_matches([',', ';', '.'])));
        (unit && !of_section(at)).then(|| read_number(words[at]))?
    };
    (0..words.len()).find_map(counted)
}

/// "This test has 5 questions for a total of 40 points."
fn sum_of_paper(text: &str) -> Option<f64> {
    let said = lexicon::says(Concept::SumOf, text)?;
    let mut behind = text[said.end..].split_whitespace();
    let (number, unit) = (behind.next()?, behind.next()?);
    let before = &text[..said.start];
    let says = |concept| lexicon::says(concept, before).is_some();
    let of_all = says(Concept::WholePaper) || says(Concept::Questions);
    // What must be attempted, and a section, may be less than the paper.
    let of_less = says(Concept::Attempt) || says(Concept::Section);
    let counted = of_all && !of_less && is_unit(unit.trim_end_matches([',', ';', '.']));
    counted.then(|| read_number(number))?
}

/// "The exam has 5 questions worth 20 points each": 100.
fn alike_questions(lower: &[String]) -> Option<f64> {
    let bare = |word: &String| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = lower.iter().map(bare).collect();
    let says = |concept| words.iter().any(|word| lexicon::is(concept, word));
    // "Section A is a test of 10 questions": that is the section's.
    if !says(Concept::Each) || !says(Concept::WholePaper) || says(Concept::Section) {
        return None;
    }
    let number = |word: &String| read_number(word).or_else(|| lexicon::number(word).map(f64::from));
    let counted = |concept: Concept| {
        let pair = words.windows(2).find(|pair| number(&pair[0]).is_some() && lexicon::is(concept, &pair[1]));
        pair.and_then(|pair| number(&pair[0]))
    };
    Some(counted(Concept::Label)? * counted(Concept::MarkUnit)?)
}

fn first_number(text: &str) -> Option<f64> {
    // "Total marks (sections A, B and C): 50"
    let aside = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let aside = aside.filter(|(inner, _)| !inner.contains(|c: char| c.is_ascii_digit()));
    let text = aside.map_or(text, |(_, rest)| rest);
    // "Maximum Marks : 26": the colon may stand by itself.
    let word = text.split(' ').find(|word| word.contains(char::is_alphanumeric))?;
    read_number(word.trim_matches(|c: char| !c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_total_is_found_in_its_usual_sentences() {
        let total = |text: &str| paper_total(&text.split(' ').collect::<Vec<_>>()).map(Marks::as_number);
        assert_eq!(total("• The total mark for this paper is 60."), Some(60.0));
        assert_eq!(total("TOTAL FOR PAPER = 70 MARKS"), Some(70.0));
        assert_eq!(total("Maximum Marks: 80"), Some(80.0));
        assert_eq!(total("Total Marks (Sections A and B): 50"), Some(50.0));
        assert_eq!(total("TOTAL: 150"), Some(150.0));
        assert_eq!(total("Time : 2 hours Maximum Marks : 45"), Some(45.0));
        assert_eq!(total("Time: 3 hours Marks: 80"), Some(80.0));
        assert_eq!(total("Time : Three hours Maximum : 100 marks"), Some(100.0));
        assert_eq!(total("2. Define it. Marks: 5"), None);
        assert_eq!(total("Page total: 6"), None);
        assert_eq!(total("The exam is worth 120 points in total."), Some(120.0));
        assert_eq!(
            total(
                "This paper is marked out of 46. Section A carries 36 marks and Section B carries 10 marks."
            ),
            Some(46.0)
        );
        assert_eq!(total("There are two parts in this paper. Section A carries 25 marks."), None);
        assert_eq!(total("Read every question. This test is worth 50 points."), Some(50.0));
        assert_eq!(total("Part I ____/10 Part II ____/5 TOTAL ____/15"), Some(15.0));
        let score = |text: &str| score_box(&text.split(' ').collect::<Vec<_>>()).map(Marks::as_number);
        assert_eq!(score("Name: _____ Class: _____ Score: ____ / 45"), Some(45.0));
        assert_eq!(score("Score: / 30"), Some(30.0));
        assert_eq!(score("Question 3 Points: ____ / 20"), None);
        assert_eq!(score("The capital is _____ Points: ____ / 2"), None);
        assert_eq!(total("Points: 5 2 4 4 15"), Some(15.0));
        assert_eq!(total("Points: 5 2 4 4 16"), None);
        assert_eq!(total("Punkte: 6 10 3 19"), Some(19.0));
        assert_eq!(total("Mögliche Punkte 6 10 3 19"), Some(19.0));
        assert_eq!(total("Durée de l’épreuve : 2 h 00 100 points"), Some(100.0));
        assert_eq!(total("There are six problems, with a total of 80 points."), Some(80.0));
        assert_eq!(total("This examination has four parts, with a total of 12 questions."), None);
        let said = "This test has 5 questions for a total of 40 points. The value of each is given.";
        assert_eq!(total(said), Some(40.0));
        assert_eq!(total("Section A of this paper has a total of 30 marks."), None);
        assert_eq!(total("Answer any 3 questions for a total of 30 marks."), None);
        assert_eq!(total("Explain why the time of the fall was 20 minutes. [12 marks]"), None);
        assert_eq!(total("In 10 minutes: find all of them. 12 marks"), None);
        assert_eq!(total("L’épreuve est notée sur 20 points."), Some(20.0));
        assert_eq!(total("Je kunt in totaal 31 punten halen."), Some(31.0));
        assert_eq!(total("Each question is worth 10 points."), None);
        assert_eq!(total("This exam has 5 questions worth 20 points each."), Some(100.0));
        assert_eq!(total("Section A is a test of 10 questions; each question carries 1 mark."), None);
        assert_eq!(total("The total mass is 60 g."), None);
    }
}
