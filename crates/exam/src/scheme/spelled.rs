//! What schemes write in short about marks, written out, and what they tell of students, set apart from answers.

use super::EntryLine;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::{examiners, schemes};

/// The lines of an entry as the rules for points know them.
pub(super) fn lines(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut told = false;
    let mut spelled = Vec::with_capacity(lines.len());
    // What is told before all else is the answer: "Students needed to equate the two energies."
    let mut answered = false;
    for mut line in lines {
        let bulleted = line.answer.starts_with(['•', '-', '–', '*']);
        // A report goes on to the end of its paragraph.
        told = (told && !bulleted && line.space < 0.75) || (answered && tells_of_students(&line.answer));
        answered |= !line.answer.trim().is_empty();
        if told {
            let said = std::mem::take(&mut line.answer);
            line.guidance = [line.guidance.as_str(), said.as_str()].join(" ").trim().to_owned();
        } else {
            line.answer = award(&product(&line.answer));
        }
        spelled.push(line);
    }
    spelled
}

/// "Many students confused markers with antibodies.", "Candidates should show their working."
fn tells_of_students(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let counted = examiners::HOW_MANY.has(first) && examiners::STUDENTS.has(second);
    counted || (examiners::STUDENTS.has(first) && examiners::STUDENTS_DID.has(second))
}

/// "(2 × [1])" as "(2 × 1)".
fn product(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let times = |at: usize| at > 0 && is_sign(words[at - 1]);
    let priced = |at: usize| times(at) && bracketed(words[at]).is_some();
    let signs = |word: &&str| {
        word.chars().all(|c| c.is_ascii_digit() || is_times(&c) || matches!(c, '(' | ')' | '[' | ']'))
    };
    if words.len() > 1 && words.iter().all(signs) && (0..words.len()).any(priced) {
        // What the list above earns is no item of it.
        return String::new();
    }
    let spelled = words.iter().enumerate().map(|(at, word)| match bracketed(word) {
        Some(number) if times(at) => word.replace(&format!("[{number}]"), &number.to_string()),
        _ => (*word).to_owned(),
    });
    spelled.collect::<Vec<_>>().join(" ")
}

fn is_sign(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(|sign| is_times(&sign))
}

fn is_times(sign: &char) -> bool {
    matches!(sign, 'x' | '×' | 'X')
}

/// The number of "[1]", perhaps before signs that close what stands around it.
fn bracketed(word: &str) -> Option<u32> {
    let (number, rest) = word.strip_prefix('[')?.split_once(']')?;
    let closed = rest.chars().all(|c| matches!(c, ')' | ',' | '.' | ';' | ':'));
    number.parse().ok().filter(|number| closed && (1..=20).contains(number))
}

/// "Award [1] for each point, up to a maximum of [4]" as "Award 1 mark for each point, up to a maximum of 4 marks".
fn award(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is = |at: usize, concept: Concept| {
        words.get(at).is_some_and(|word| lexicon::is(concept, &word.trim_matches(':').to_lowercase()))
    };
    if !is(0, Concept::Award) || words.get(1).and_then(|word| bracketed(word)).is_none() {
        return text.to_owned();
    }
    let last = words.len() - 1;
    let told = |at: usize| is(at - 1, Concept::Award) || is(at + 1, Concept::For) || is(at - 1, Concept::Of);
    // What all of them earn stands at the end.
    let end = if bracketed(words[last]).is_some() && !told(last) { last } else { words.len() };
    let spelled = words[..end].iter().enumerate().map(|(at, word)| {
        let told =
            at > 0 && (is(at - 1, Concept::Award) || is(at + 1, Concept::For) || is(at - 1, Concept::Of));
        match bracketed(word).filter(|_| told) {
            Some(number) => {
                word.replace(&format!("[{number}]"), &format!("{number} {}", schemes::MARK_SPELLED))
            }
            None => (*word).to_owned(),
        }
    });
    spelled.collect::<Vec<_>>().join(" ")
}

/// Takes "Scale 10C (0, 3, 7, 10)" out of a text: how many marks each step earns, up to those of the part.
pub(super) fn take_scale(text: &mut String) -> Option<Marks> {
    let words: Vec<&str> = text.split(' ').collect();
    let (at, end, marks) = (0..words.len()).find_map(|at| {
        let name = words[at].trim_end_matches('*');
        let most: u32 = name.strip_suffix(|c: char| ('A'..='E').contains(&c))?.parse().ok()?;
        let end = (at + 1..words.len().min(at + 8)).find(|end| words[*end].ends_with(')'))?;
        let steps = words[at + 1..=end].concat();
        let steps = steps.strip_prefix('(')?.strip_suffix(')')?;
        let steps: Vec<u32> = steps.split(',').map(|step| step.parse().ok()).collect::<Option<_>>()?;
        let rises = steps.windows(2).all(|pair| pair[0] < pair[1]);
        let whole = steps.len() >= 2 && rises && steps[0] == 0 && steps.last() == Some(&most);
        whole.then_some((at, end, Marks::whole(most)))
    })?;
    // The word before it names it.
    let named = at.checked_sub(1).filter(|before| words[*before].starts_with(char::is_uppercase));
    let kept = [&words[..named.unwrap_or(at)], &words[end + 1..]].concat();
    *text = kept.join(" ");
    Some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awards_in_brackets_are_spelled() {
        let each = "Award [1] for each point, up to a maximum of [4]";
        assert_eq!(award(each), "Award 1 marks for each point, up to a maximum of 4 marks");
        assert_eq!(award("iron [1] for each"), "iron [1] for each");
        assert_eq!(product("sea walls (2 × [1]) [2]"), "sea walls (2 × 1) [2]");
        assert_eq!(product("(2 × [1]) [2]"), "");
        assert_eq!(product("3 × 4"), "3 × 4");
        assert_eq!(award("Award [2] for a fact. [2]"), "Award 2 marks for a fact.");
    }

    #[test]
    fn what_is_told_of_students_is_no_answer() {
        for told in
            ["Most students answered well.", "Candidates should draw a line.", "Few candidates saw it"]
        {
            assert!(tells_of_students(told), "{told}");
        }
        for answer in ["Students of all ages pay less", "most trees lose their leaves", "Many farmers moved"]
        {
            assert!(!tells_of_students(answer), "{answer}");
        }
    }

    #[test]
    fn scales_say_what_a_part_earns() {
        let taken = |text: &str| {
            let mut text = text.to_owned();
            (take_scale(&mut text).map(Marks::as_number), text)
        };
        assert_eq!(taken("x = 3 Scale 10C (0, 3, 7, 10)"), (Some(10.0), "x = 3".to_owned()));
        assert_eq!(taken("Scale 5B* (0, 2, 5)"), (Some(5.0), String::new()));
        for other in ["the point 10C (0, 3, 7)", "4A (0, 1) and (1, 0)", "in class 5B (see page 7)"] {
            assert_eq!(taken(other), (None, other.to_owned()));
        }
    }
}
