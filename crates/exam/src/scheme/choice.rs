//! The key of a multiple choice question: the right option, however the scheme names it.

use super::EntryLine;
use super::column::trailing_mark;
use super::pieces::{is_ticked, without_lead};
use crate::labels;
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Point, PointKind};
use lexicon::Concept;
use lexicon::english::schemes;

/// The right option's label, with what else the scheme says as notes. `None` when no option is named. `told`: the
/// first line is what a table of answers says.
pub(super) fn key(
    lines: &[EntryLine],
    told: bool,
    total: Option<Marks>,
    options: &[Choice],
) -> Option<AnswerKey> {
    if lines.iter().any(|line| pairs_several(&line.answer, options)) || pairs_over_lines(lines, options) {
        return None;
    }
    let said = lines.iter().position(|line| !line.answer.trim().is_empty());
    if let Some(index) = said.filter(|index| is_order(&lines[*index].answer, options)) {
        let marks = total.unwrap_or(Marks::whole(1));
        let point = Point { text: ordered(&lines[index].answer), marks, ..Point::default() };
        return Some(AnswerKey { points: vec![point], notes: notes(lines, index), ..AnswerKey::default() });
    }
    let named: Vec<(usize, Named)> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((index, named(line, options)?))).collect();
    let boxed: Option<(usize, Named)> =
        lines.iter().enumerate().find_map(|(index, line)| Some((index, boxed(line, options)?)));
    let concluded = concluded(lines, options);
    let is_worked = concluded.is_some();
    if let Some((index, labels)) = several(lines, total, options).filter(|_| !told && !is_worked) {
        let points = each(&labels, total, options);
        return Some(AnswerKey { points, notes: notes(lines, index), ..AnswerKey::default() });
    }
    let first = named.first().filter(|_| told);
    let apart = || first.or(boxed.as_ref()).or_else(|| printed_apart(&named, lines));
    let told_apart = apart().or_else(|| told_by_line(&named, lines));
    let (index, named) = told_apart.or(concluded.as_ref()).or_else(|| named.first())?;
    let point = Point {
        text: named.label.clone(),
        marks: total.unwrap_or(Marks::whole(1)),
        kind: PointKind::Option,
        alternatives: named.said.iter().cloned().collect(),
        ..Point::default()
    };
    // What a solution comes to is said among other things.
    let says_no_more = without_lead(&lines[*index].answer).split_whitespace().count() == 1;
    let among = told_apart.is_none() && is_worked && !says_no_more;
    let line = if among { lines.len() } else { *index };
    Some(AnswerKey { points: vec![point], notes: notes(lines, line), ..AnswerKey::default() })
}

/// True when lines do nothing but repeat the options in their order, all or all but one, which may have been taken out as
/// words of the question: the right one is ringed, or told elsewhere.
pub(super) fn repeats_options(lines: &[EntryLine], options: &[Choice]) -> bool {
    let asks = |line: &EntryLine| line.repeats_question && named(line, options).is_none();
    let said = lines.iter().filter(|line| !line.answer.trim().is_empty() && !asks(line));
    let repeated = |line: &EntryLine| {
        let marked = is_ticked(&line.answer) || is_starred(&line.answer) || !line.strong.is_empty();
        let own = named(line, options).filter(|_| !marked && boxed(line, options).is_none())?;
        let words = own.said.as_deref().map(plain)?;
        options.iter().position(|option| option.label == own.label && plain(&option.text) == words)
    };
    let own: Vec<(usize, Named)> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((index, named(line, options)?))).collect();
    if printed_apart(&own, lines).is_some() {
        return false;
    }
    let told: Option<Vec<usize>> = said.map(repeated).collect();
    let most = |told: &Vec<usize>| told.len() > 1 && told.len() + 1 >= options.len();
    told.is_some_and(|told| most(&told) && told.is_sorted_by(|one, next| one < next))
}

/// The same where the right option is printed as the question prints it: a single one is, for a scheme may as well
/// repeat them all.
pub(super) fn in_its_words(
    lines: &[EntryLine],
    total: Option<Marks>,
    options: &[Choice],
) -> Option<AnswerKey> {
    let labels: std::collections::HashSet<String> =
        lines.iter().filter_map(|line| named(line, options)).map(|named| named.label).collect();
    (labels.len() == 1).then(|| key(lines, false, total, options)).flatten()
}

/// True for a text that names three or more options and nothing else, in an order that no list has: "C, E, D, A, B".
pub(crate) fn is_order(text: &str, options: &[Choice]) -> bool {
    const LEAST: usize = 3;
    let said = ordered(text);
    let words: Vec<&str> =
        said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let place = |word: &str| options.iter().position(|option| option.label.eq_ignore_ascii_case(word));
    let Some(places) = words.into_iter().map(place).collect::<Option<Vec<usize>>>() else { return false };
    let distinct: std::collections::HashSet<&usize> = places.iter().collect();
    places.len() >= LEAST && distinct.len() == places.len() && places.windows(2).any(|pair| pair[0] > pair[1])
}

/// What names an order, without its marks: "C, A, B 3".
fn ordered(text: &str) -> String {
    let (said, _) = trailing_mark(without_lead(text));
    let said = said.trim();
    let last = said.rsplit_once(' ').filter(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()));
    last.map_or(said, |(before, _)| before.trim_end()).to_owned()
}

/// The only one of several options that is printed in bold or underlined.
fn printed_apart<'n>(named: &'n [(usize, Named)], lines: &[EntryLine]) -> Option<&'n (usize, Named)> {
    /// Fewer options are no copy of the question.
    const OPTIONS_MIN: usize = 3;
    let mut strong = named.iter().filter(|(index, _)| lines[*index].is_strong);
    let only = strong.next().filter(|_| named.len() >= OPTIONS_MIN)?;
    strong.next().is_none().then_some(only)
}

/// What the scheme says on all lines but one.
fn notes(lines: &[EntryLine], but: usize) -> Option<String> {
    let says = |line: &EntryLine| !trailing_mark(&line.answer).0.trim().is_empty();
    let others = lines.iter().enumerate().filter(|(other, line)| *other != but && says(line));
    let notes: Vec<&str> = others.map(|(_, line)| line.answer.as_str()).collect();
    (!notes.is_empty()).then(|| notes.join("\n"))
}

/// The line that names several options, all of them right, and their labels: "B E F (in any order)". Each of them
/// earns the same.
fn several(lines: &[EntryLine], total: Option<Marks>, options: &[Choice]) -> Option<(usize, Vec<String>)> {
    let labels = |line: &EntryLine| {
        let said = without_lead(&line.answer).split('(').next().unwrap_or_default().to_lowercase();
        let words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let option = |word: &str| options.iter().find(|option| option.label.eq_ignore_ascii_case(word));
        // A letter that names an option is no word for "and".
        let words = words.filter(|word| option(word).is_some() || !lexicon::is(Concept::And, word));
        let labels: Option<Vec<String>> = words.map(|word| Some(option(word)?.label.clone())).collect();
        labels.filter(|labels| labels.len() > 1 && labels.windows(2).all(|pair| pair[0] < pair[1]))
    };
    let (index, labels) = lines.iter().enumerate().find_map(|(index, line)| Some((index, labels(line)?)))?;
    let count = u32::try_from(labels.len()).ok()?;
    total?.as_halves().is_multiple_of(count).then_some((index, labels))
}

/// A point for each of several right options.
fn each(labels: &[String], total: Option<Marks>, options: &[Choice]) -> Vec<Point> {
    let count = u32::try_from(labels.len()).unwrap_or(u32::MAX);
    let marks = total.map_or(Marks::whole(1), |total| Marks::halves(total.as_halves() / count));
    let text =
        |label: &String| options.iter().find(|option| option.label == *label).map(|own| own.text.clone());
    let point = |label: &String| Point {
        text: label.clone(),
        marks,
        kind: PointKind::Option,
        alternatives: text(label).filter(|text| !text.is_empty()).into_iter().collect(),
        ..Point::default()
    };
    labels.iter().map(point).collect()
}

/// An option that a line names.
struct Named {
    label: String,
    said: Option<String>,
}

/// Where a scheme repeats all options, the line after "Answer:" or with a tick tells the right one.
fn told_by_line<'n>(named: &'n [(usize, Named)], lines: &[EntryLine]) -> Option<&'n (usize, Named)> {
    let told = |(index, _): &&(usize, Named)| {
        let text = lines[*index].answer.trim();
        let answer = without_lead(text);
        let mut words = answer.split_whitespace();
        // "Solution. A ball falls" begins with an article.
        let is_noun = words.next().is_some_and(is_article_like) && words.next().is_some_and(begins_small);
        (answer != text && !is_noun) || is_ticked(text) || is_starred(text)
    };
    named.iter().find(told)
}

/// "*B iron", "B iron *": a star that multiplies nothing; "→ B iron", "B iron ←": an arrow that points at it.
fn is_starred(text: &str) -> bool {
    let pointed = text.starts_with(POINTERS) || text.ends_with(POINTERS_BACK);
    text.contains('☑') || text.starts_with('*') || text.ends_with('*') || pointed
}

/// What points at the right option from its left, and from its right.
const POINTERS: [char; 9] = ['→', '»', '⇒', '➔', '➜', '➤', '►', '▶', '☞'];
const POINTERS_BACK: [char; 4] = ['←', '⇐', '◄', '◀'];

/// "A" without a sign behind it.
fn is_article_like(word: &str) -> bool {
    word == "A"
}

fn begins_small(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

/// The letter in a box beside the options: "B  it falls   Answer: C".
fn boxed(line: &EntryLine, options: &[Choice]) -> Option<Named> {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let [.., _, lead, letter] = words.as_slice() else { return None };
    let lead =
        lead.strip_suffix(':').filter(|lead| lexicon::is(Concept::AnswerLead, &lead.to_lowercase()))?;
    let option = options.iter().find(|option| option.label.eq_ignore_ascii_case(letter));
    option.filter(|_| !lead.is_empty()).map(|option| Named { label: option.label.clone(), said: None })
}

/// Between the word that announces the right option and its letter stand no more words: "the answer is thus choice D".
const BETWEEN_MAX: usize = 3;
/// A worked solution has so many words; fewer are a list of options, or an answer by itself.
const SOLUTION_WORDS: usize = 12;

/// The option that a worked solution comes to: "so the answer is D", "… = 120 J, or D." at its end.
fn concluded(lines: &[EntryLine], options: &[Choice]) -> Option<(usize, Named)> {
    let words: Vec<(usize, &str)> = lines
        .iter()
        .enumerate()
        .flat_map(|(index, line)| line.answer.split_whitespace().map(move |word| (index, word)))
        .collect();
    let option = |at: usize| {
        let bare = words[at].1.trim_matches(|c: char| !c.is_alphanumeric());
        // A small letter is a word or a name.
        let is_capital = bare.len() == 1 && bare.starts_with(|c: char| c.is_ascii_uppercase());
        let is_article =
            is_article_like(words[at].1) && words.get(at + 1).is_some_and(|(_, next)| begins_small(next));
        options.iter().find(|option| is_capital && !is_article && option.label.eq_ignore_ascii_case(bare))
    };
    let plain = |at: usize| words[at].1.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let announces = |at: usize| lexicon::is(Concept::AnswerLead, &plain(at));
    let chooses = |at: usize| schemes::CHOSEN.has(&plain(at));
    let is_announced = |at: usize| {
        let before = (at.saturating_sub(BETWEEN_MAX)..at).rev();
        let joins = |own: &usize| announces(*own) || chooses(*own) || schemes::COMING_TO.has(&plain(*own));
        before.take_while(joins).any(announces)
    };
    let end = lines.len() - lines.iter().rev().take_while(|line| is_title(&line.answer)).count();
    let said = |(line, word): &(usize, &str)| *line < end && word.chars().any(char::is_alphanumeric);
    let last = words.iter().rposition(said)?;
    // What the others are wrong for may stand behind the answer: "option A is too small".
    let ends = |at: usize| {
        let leads = || lexicon::is(Concept::Or, &plain(at - 1)) || chooses(at - 1);
        at == last && words.len() >= SOLUTION_WORDS && leads()
    };
    let is_excluded = |at: usize| schemes::EXCLUDING.within(&lines[words[at].0].answer);
    let is_named =
        |at: &usize| option(*at).is_some() && (ends(*at) || is_announced(*at)) && !is_excluded(*at);
    let at = (1..words.len()).rev().find(is_named)?;
    Some((words[at].0, Named { label: option(at)?.label.clone(), said: None }))
}

/// True for a line that says nothing of the solution above it: the title of what follows, or nothing at all.
fn is_title(text: &str) -> bool {
    const LONGEST: usize = 5;
    let sign = |c: char| matches!(c, '=' | '≈' | '<' | '>' | '.' | ',' | ';');
    let words: Vec<&str> = text.split_whitespace().collect();
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let names_option = |word: &&str| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
    let spoken = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let is_short = words.len() <= LONGEST && begins && !text.contains(sign);
    words.is_empty() || (is_short && words.iter().any(spoken) && !words.iter().any(names_option))
}

fn named(line: &EntryLine, options: &[Choice]) -> Option<Named> {
    let (answer, _) = trailing_mark(without_lead(&line.answer));
    let answer = answer.trim().trim_start_matches(POINTERS).trim_end_matches(POINTERS_BACK).trim();
    let lower = answer.to_lowercase();
    let led = lower.strip_prefix(schemes::OPTION).and_then(|_| answer.get(schemes::OPTION.len()..));
    let answer = led.or_else(|| behind_a_word(answer, options)).unwrap_or(answer);
    let first = answer.split_whitespace().next()?;
    let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
    // "(ii)" and "3" name options only where the question labels them so.
    let labelled = options.iter().any(|option| option.label == bare);
    let single = labelled || (bare.len() == 1 && bare.chars().all(|c| c.is_ascii_alphabetic()));
    let excluded = schemes::EXCLUDING.within(answer);
    let same = |text: &str| plain(text) == plain(answer) && !plain(text).is_empty();
    // "3" names option 3, though another option may say "3".
    let is_label = labelled && plain(answer) == plain(bare);
    if let Some(option) = options.iter().find(|option| same(&option.text)).filter(|_| !is_label) {
        return Some(Named { label: option.label.clone(), said: Some(answer.to_owned()) });
    }
    if !single || excluded {
        return None;
    }
    let known = options.iter().find(|option| option.label.eq_ignore_ascii_case(bare));
    // A letter of a formula names no option.
    let capital = bare.chars().all(|letter| ('A'..='H').contains(&letter));
    if known.is_none() && !(capital && answer.split_whitespace().count() == 1) {
        return None;
    }
    let label = known.map_or_else(|| bare.to_owned(), |option| option.label.clone());
    let rest = answer.trim_start_matches(|c: char| !c.is_alphanumeric());
    let said = rest.get(bare.len()..).unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    Some(Named { label, said: (!said.is_empty()).then(|| said.to_owned()) })
}

/// "a – iii" over "b – i": the same on a line each.
fn pairs_over_lines(lines: &[EntryLine], options: &[Choice]) -> bool {
    /// The name of what belongs to an option is no longer.
    const NAME: usize = 4;
    let paired = |line: &EntryLine| {
        let mut words = line.answer.split_whitespace();
        let bare = words.next()?.trim_matches(|c: char| !c.is_alphanumeric());
        let sign = words.next().is_some_and(|sign| matches!(sign, "-" | "–" | "—" | "→"));
        let name = words.next()?.trim_matches(|c: char| !c.is_alphanumeric());
        let counts = name.parse::<u32>().is_ok() || labels::bare_level(name).is_some();
        let at = options.iter().position(|option| option.label == bare)?;
        (sign && counts && name.len() <= NAME).then_some(at)
    };
    lines.iter().filter_map(paired).collect::<std::collections::HashSet<usize>>().len() > 1
}

/// The label of "Opção (C)" and "Alternative B", whatever the word for an option is, and of "Réponse b) : 50 × 51 / 2".
fn behind_a_word<'t>(answer: &'t str, options: &[Choice]) -> Option<&'t str> {
    const LETTERS: usize = 3;
    let (word, label) = answer.split_once(' ')?;
    let word = word.trim_end_matches([':', '.']);
    let is_word = word.chars().count() >= LETTERS && word.chars().all(char::is_alphabetic);
    let first = label.split(' ').next().unwrap_or_default();
    let led = first.ends_with([')', ':', '.']) && lexicon::is(Concept::AnswerLead, &word.to_lowercase());
    let own = if led { first } else { label };
    let bare = own.trim_matches(|c: char| !c.is_alphanumeric());
    let lettered = bare.chars().all(char::is_alphabetic);
    (is_word && lettered && options.iter().any(|option| option.label == bare)).then_some(label)
}

/// "A. – 1, B. – 2" says of several options what belongs to each: none of them is the right one.
fn pairs_several(answer: &str, options: &[Choice]) -> bool {
    let spread = answer.replace(['–', '-', '→', '=', ':'], " – ");
    let words: Vec<&str> = spread.split_whitespace().collect();
    let label = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        options.iter().position(|option| option.label == bare)
    };
    /// A longer word says why an option is right or wrong.
    const SHORT: usize = 3;
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).chars().count() <= SHORT;
    if !words.iter().all(bare) {
        return false;
    }
    let paired = words.windows(2).filter(|pair| pair[1] == "–").filter_map(|pair| label(pair[0]));
    paired.collect::<std::collections::HashSet<usize>>().len() > 1
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_alone_names_its_option_whatever_the_others_say() {
        let option = |(label, text): (&str, &str)| Choice { label: label.to_owned(), text: text.to_owned() };
        let options = [("1", "3"), ("2", "5"), ("3", "7"), ("4", "9")].map(option);
        let named = |answer: &str| {
            let line = EntryLine { answer: answer.to_owned(), ..EntryLine::default() };
            named(&line, &options).map(|named| named.label)
        };
        assert_eq!(named("3").as_deref(), Some("3"));
        assert_eq!(named("7").as_deref(), Some("3"));
        assert_eq!(named("(1) 3").as_deref(), Some("1"));
        // The number behind a word may be its mark.
        assert_eq!(named("zinc (2)"), None);
        let lettered = [("A", "iron"), ("B", "zinc")].map(option);
        assert_eq!(behind_a_word("Opção (B)", &lettered), Some("(B)"));
        assert!(pairs_several("1 – C, 2 – A", &options));
        assert!(!pairs_several("1 – too small, 2 – right", &options));
    }

    #[test]
    fn options_that_are_only_repeated_name_none() {
        let option = |label: &str| Choice { label: label.to_owned(), text: format!("metal {label}") };
        let options = ["A", "B", "C"].map(option);
        let repeats = |texts: &[&str]| {
            let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
            repeats_options(&texts.iter().map(line).collect::<Vec<_>>(), &options)
        };
        assert!(repeats(&["A. metal A", "B. metal B", "C. metal C"]));
        assert!(repeats(&["A. metal A", "C. metal C"]));
        assert!(!repeats(&["A. metal A", "B. metal B ✓", "C. metal C"]));
        assert!(!repeats(&["A. metal A", "→ B. metal B", "C. metal C"]));
        assert!(!repeats(&["A. metal A", "B. metal B Answer: A", "C. metal C"]));
        assert!(!repeats(&["B. metal B"]) && !repeats(&["C", "A. metal A", "B. metal B"]));
    }

    #[test]
    fn the_only_option_in_bold_is_the_right_one() {
        let option = |label: &str| Choice { label: label.to_owned(), text: format!("metal {label}") };
        let options = ["A", "B", "C"].map(option);
        let right = |strong: &[&str]| {
            let line = |own: &Choice| EntryLine {
                answer: format!("{}. {}", own.label, own.text),
                is_strong: strong.contains(&own.label.as_str()),
                ..EntryLine::default()
            };
            let lines: Vec<EntryLine> = options.iter().map(line).collect();
            let told = !repeats_options(&lines, &options);
            told.then(|| key(&lines, false, None, &options).map(|key| key.points[0].text.clone())).flatten()
        };
        assert_eq!(right(&["B"]).as_deref(), Some("B"));
        assert_eq!(right(&[]), None);
        assert_eq!(right(&["A", "B", "C"]), None);
    }

    #[test]
    fn an_order_of_options_is_no_choice() {
        let option = |label: &str| Choice { label: label.to_owned(), text: format!("step {label}") };
        let options = ["A", "B", "C", "D"].map(option);
        for order in ["C, A, D, B", "C–A–D–B", "C A D B 3", "D > B > A"] {
            assert!(is_order(order, &options), "{order}");
        }
        for other in ["A, B, C", "C, A", "C because A and B", "C, A, C, B", "B"] {
            assert!(!is_order(other, &options), "{other}");
        }
    }
}
