//! The small language of schemes: accept, reject, ignore, "or", "any two from", oe, ft, cao.

use super::EntryLine;
use domain::marks::Marks;
use domain::question::Notation;
use lexicon::Concept;
use lexicon::english::{joints, schemes};

/// What a remark asks the examiner to do with a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    Accept,
    Reject,
    Ignore,
    /// Guidance that belongs to no wording.
    Note,
}

/// What a remark says about which wording: "ALLOW air" is accept, "air".
pub(super) fn remark(text: &str) -> (Remark, &str) {
    const STARTS: [(Concept, Remark); 3] = [
        (Concept::Reject, Remark::Reject),
        (Concept::Accept, Remark::Accept),
        (Concept::Ignore, Remark::Ignore),
    ];
    let lower = text.to_lowercase();
    let begun = STARTS.iter().find_map(|(concept, remark)| {
        let length = lexicon::begins_with(*concept, &lower)?;
        Some((length, *remark))
    });
    let Some((length, remark)) = begun else { return (Remark::Note, text) };
    // Lower case may change a text's length, so the cut is made only where it fits.
    let rest = text.get(length..).unwrap_or(text);
    (remark, rest.trim_start_matches([':', ' ', '-', '–']).trim())
}

/// True when a line of guidance begins a remark of its own.
pub(super) fn begins_remark(text: &str) -> bool {
    let lower = text.to_lowercase();
    remark(text).0 != Remark::Note || schemes::REMARKS.begin(&lower)
}

/// True for "Note: …", which speaks of the points around it.
pub(super) fn is_note(text: &str) -> bool {
    let lower = text.to_lowercase();
    let end = lexicon::begins_with(Concept::NotesHeading, &lower);
    end.is_some_and(|end| lower[end..].trim_start().starts_with(':'))
}

/// Takes notation off the end of a text.
pub(super) fn strip_notation(text: &str) -> (String, Vec<Notation>) {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut notation: Vec<Notation> = Vec::new();
    while let Some(last) = words.last() {
        let bare = last.trim_matches(['(', ')', ',', ';']).to_lowercase();
        let slash = *last == "/" && !notation.is_empty();
        match lexicon::notation::read(&bare) {
            Some(known) if words.len() > 1 => notation.push(known),
            _ if slash => {}
            _ => break,
        }
        words.pop();
    }
    notation.reverse();
    (words.join(" ").trim_end_matches(['/', ';', ' ']).to_owned(), notation)
}

/// The longest wording that is one of several in a list parted by slashes.
const SHORT_WORDING: usize = 4;

/// The shortest wording that says something by itself.
const CLAUSE: usize = 3;

/// Parts a point into its wording and others that are as good.
pub(super) fn alternatives(text: &str) -> (String, Vec<String>) {
    for separator in schemes::WORDING_SEPARATORS.iter() {
        let pieces: Vec<String> = text.split(separator).map(|piece| piece.trim().to_owned()).collect();
        if pieces.len() > 1 && pieces.iter().all(|piece| !piece.is_empty()) {
            return first_and_rest(pieces);
        }
    }
    // Between clauses a slash with space around it parts two ways of saying the same.
    let clauses: Vec<String> = text.split(" / ").map(|piece| piece.trim().to_owned()).collect();
    if clauses.len() > 1
        && !divides(&clauses)
        && clauses.iter().all(|piece| piece.split_whitespace().count() >= CLAUSE)
    {
        return first_and_rest(clauses);
    }
    if let Some(pair) = short_pair(text) {
        return first_and_rest(pair);
    }
    let pieces: Vec<String> = text.split('/').map(|piece| piece.trim().to_owned()).collect();
    let listed = pieces.len() > 1
        && pieces.iter().all(|piece| {
            let words = piece.split_whitespace().count();
            (1..=SHORT_WORDING).contains(&words) && piece.chars().any(char::is_alphabetic)
        });
    // "km/h" is a unit and "1/2" a number: each wording of a list is a word or more.
    let words = pieces.iter().all(|piece| piece.chars().filter(|c| c.is_alphabetic()).count() >= 3);
    if listed && words && !shares_words(text, &pieces) {
        first_and_rest(pieces)
    } else {
        (text.to_owned(), Vec::new())
    }
}

/// "Higher/faster clock speed", "holds all input/output": the slash stands between two words that share the rest, so
/// that neither piece says the whole. A list of names has a new beginning ("Float/Floating Point", "MAR/memory address
/// register") or says the same with more words ("form/web form").
fn shares_words(text: &str, pieces: &[String]) -> bool {
    let is_tight = !text.contains(" /") && !text.contains("/ ");
    let pieces: Vec<Vec<&str>> = pieces.iter().map(|piece| piece.split_whitespace().collect()).collect();
    is_tight
        && pieces.windows(2).any(|pair| {
            let [before, after] = [&pair[0], &pair[1]];
            let (Some(last), Some(first)) = (before.last(), after.first()) else { return false };
            let (alone_before, alone_after) = (before.len() == 1, after.len() == 1);
            let first_is_name = first.starts_with(char::is_uppercase) && !alone_after;
            let is_acronym = alone_before && *last == last.to_uppercase();
            let says_again = after.last() == Some(last);
            let begins_anew = !alone_before && !alone_after && lexicon::is_stop_word(&first.to_lowercase());
            !(alone_before && alone_after || first_is_name || is_acronym || says_again || begins_anew)
        })
}

/// "T = 2l / g = 4 s": a slash between the signs of a formula.
fn divides(clauses: &[String]) -> bool {
    let letters =
        |word: Option<&str>| word.map_or(0, |word| word.chars().filter(|c| c.is_alphabetic()).count());
    clauses.windows(2).any(|pair| {
        let (before, after) = (pair[0].split(' ').next_back(), pair[1].split(' ').next());
        pair[0].contains('=') && letters(before) <= 2 && letters(after) <= 2
    })
}

/// "carbon dioxide or CO2": two wordings of a few words each, and nothing else.
fn short_pair(text: &str) -> Option<Vec<String>> {
    const FEW: usize = 3;
    let (one, other) = text.split_once(joints::OR)?;
    let short = |wording: &str| (1..=FEW).contains(&wording.split_whitespace().count());
    let plain = !other.contains(joints::OR) && !text.contains([',', ';', ':']);
    (short(one) && short(other) && plain).then(|| vec![one.trim().to_owned(), other.trim().to_owned()])
}

fn first_and_rest(mut pieces: Vec<String>) -> (String, Vec<String>) {
    let first = pieces.remove(0);
    (first, pieces)
}

/// "Any two from:", "two of the following", "max 3 marks": how many, or how many marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Limit {
    Pick(u32),
    Max(Marks),
}

/// Reads the heading of a list of which only some points count.
pub(super) fn limit(text: &str) -> Option<Limit> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.len() > 16 {
        return None;
    }
    // "Any 2 x (1) from" picks two.
    let times = words.windows(2).position(|pair| pair == ["x", "1"]);
    let words: Vec<&str> = match times {
        Some(at) if at > 0 && lexicon::small_number(words[at - 1]).is_some() => {
            [&words[..at], &words[at + 2..]].concat()
        }
        _ => words,
    };
    // "(Mark first THREE only)"
    let first = words.windows(3).find(|three| schemes::FIRST.has(three[0]) && schemes::ONLY.has(three[2]));
    if let Some(number) = first.and_then(|three| lexicon::small_number(three[1])) {
        return Some(Limit::Pick(number));
    }
    for (index, pair) in words.windows(2).enumerate() {
        let joints = [Concept::PickFrom, Concept::PickOf];
        let beside = || joints.iter().find_map(|joint| lexicon::number_beside(pair[0], (*joint, pair[1])));
        let number = lexicon::small_number(pair[0]).or_else(beside);
        let from = lexicon::is(Concept::PickFrom, pair[1]);
        let points_from =
            schemes::POINTS.has(pair[1]) && words.get(index + 2).is_some_and(|word| schemes::FROM.has(word));
        let listed = from || lexicon::is(Concept::PickOf, pair[1]) || points_from;
        let begins = index == 0 && schemes::FROM.has(pair[1]);
        let announced = (from && (begins || index + 2 == words.len() || text.contains(':')))
            || words[index..].iter().any(|word| lexicon::is(Concept::Following, word))
            || index.checked_sub(1).is_some_and(|before| lexicon::is(Concept::Any, words[before]));
        if let Some(number) = number.filter(|_| listed && announced) {
            return Some(Limit::Pick(number));
        }
        let most = lexicon::is(Concept::Most, pair[0]);
        // "… for their total ÷ / 5 (max 1)" goes on from the line before.
        let goes_on = words[0].bytes().all(|byte| byte.is_ascii_digit());
        let limits = most && words.len() <= 6 && !goes_on;
        if let Some(number) = lexicon::small_number(pair[1]).filter(|_| limits) {
            return Some(Limit::Max(Marks::whole(number)));
        }
    }
    let any = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    let bare = words.len() <= 3
        && schemes::ANY.begin(any)
        && words.get(1).is_some_and(|word| lexicon::small_number(word).is_some());
    bare.then(|| words.get(1).and_then(|word| lexicon::small_number(word)).map(Limit::Pick)).flatten()
}

/// True for a line, in lower case, that says nothing but what follows: "Option 2", "Notes".
pub(super) fn is_heading(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let (name, number) = bare.split_once(' ').unwrap_or((bare, ""));
    let counted = number.parse::<u32>().is_ok_and(|number| number <= 9);
    lexicon::is(Concept::NotesHeading, bare) || (counted && lexicon::is(Concept::WayHeading, name))
}

/// True for a text that only says that another way follows: "OR", "oder".
pub(super) fn is_or(text: &str) -> bool {
    let lower = text.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    schemes::OTHER_WORDING.has(bare) || lexicon::is(Concept::Or, bare)
}

/// The items of a list on one line: parted by semicolons, else by commas and a last "and".
pub(super) fn items(list: &str) -> Vec<&str> {
    let parts: Vec<&str> =
        if list.contains(';') { list.split(';').collect() } else { list.split(',').collect() };
    let last = parts.len().saturating_sub(1);
    parts
        .into_iter()
        .enumerate()
        .flat_map(|(index, part)| match part.split_once(joints::AND) {
            Some((one, other)) if index == last && !list.contains(';') => vec![one, other],
            _ => vec![part],
        })
        .map(|part| part.trim().trim_start_matches(joints::AND.trim_start()).trim())
        .filter(|part| !part.is_empty())
        .collect()
}

/// A list's heading with the list on the same line: "any two from: iron; zinc; tin".
pub(super) fn limited_list(text: &str) -> Option<(&str, Limit, &str)> {
    let colon = text.find(':').map(|at| at + 1);
    let from = text.to_lowercase().find(joints::FROM).map(|at| at + joints::FROM.len());
    let from = from.filter(|at| text.is_char_boundary(*at));
    let announced = |word: &str| {
        let told = lexicon::is(Concept::Any, word) || lexicon::is(Concept::Most, word);
        told || lexicon::small_number(word).is_some()
    };
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let cut = colon.or(from.filter(|_| announced(&first)))?;
    let (head, list) = (text.get(..cut)?, text.get(cut..)?.trim());
    let listed = list.contains([';', ',']) || list.contains(" / ");
    limit(head).filter(|_| listed).map(|limit| (head.trim(), limit, list))
}

/// "It tells (allow one mark": the bracket with what each item earns closes in the next line.
fn opens_instruction(text: &str) -> bool {
    let Some((_, inner)) = text.rsplit_once('(').filter(|(_, inner)| !inner.contains(')')) else {
        return false;
    };
    let first = inner.split_whitespace().next().unwrap_or_default().to_lowercase();
    lexicon::is(Concept::Award, &first)
}

/// "points:" alone on its line.
fn ends_heading(lower: &str) -> bool {
    schemes::POINTS.has(lower.trim_matches(|c: char| !c.is_alphabetic()))
}

/// Joins a list's heading that is broken over two lines: "two of the / following:".
pub(super) fn joined_headings(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut joined: Vec<EntryLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let tail = line.answer.to_lowercase();
        match joined.last_mut() {
            Some(last)
                if line.space < 0.75
                    && ((schemes::FOLLOWING.begin(&tail) && schemes::ARTICLE.end(&last.answer))
                        || (ends_heading(&tail) && limit(&last.answer).is_some())
                        || (opens_instruction(&last.answer) && tail.contains(')'))) =>
            {
                last.answer = format!("{} {}", last.answer, line.answer);
            }
            _ => joined.push(line),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_told_apart() {
        assert_eq!(remark("ALLOW air / oxygen gas"), (Remark::Accept, "air / oxygen gas"));
        assert_eq!(remark("Do not accept: heat"), (Remark::Reject, "heat"));
        assert_eq!(remark("ignore units"), (Remark::Ignore, "units"));
        assert_eq!(remark("seen anywhere"), (Remark::Note, "seen anywhere"));
        assert_eq!(remark("acceptable ways differ"), (Remark::Note, "acceptable ways differ"));
        assert_eq!(remark("Auch richtig: Sauerstoff"), (Remark::Accept, "Sauerstoff"));
        assert_eq!(remark("Ne pas accepter : chaleur"), (Remark::Reject, "chaleur"));
        assert_eq!(remark("Se acepta aire"), (Remark::Accept, "aire"));
        assert_eq!(remark("aceite de oliva"), (Remark::Note, "aceite de oliva"));
        assert_eq!(remark("Nie uznaje się: woda"), (Remark::Reject, "woda"));
    }

    #[test]
    fn notation_comes_off_the_end() {
        assert_eq!(
            strip_notation("4/3 oe isw"),
            ("4/3".into(), vec![Notation::OrEquivalent, Notation::IgnoreSubsequentWorking])
        );
        assert_eq!(
            strip_notation("uses runners / stolons / eq"),
            ("uses runners / stolons".into(), vec![Notation::OrEquivalent])
        );
        assert_eq!(strip_notation("oe"), ("oe".into(), vec![]));
    }

    #[test]
    fn alternatives_are_parted_only_where_they_stand_alone() {
        assert_eq!(
            alternatives("painting/oiling/coating"),
            ("painting".into(), vec!["oiling".into(), "coating".into()])
        );
        assert_eq!(alternatives("a bit // one binary digit").1, ["one binary digit"]);
        assert_eq!(alternatives("speed in km/h").1, Vec::<String>::new());
        assert_eq!(
            alternatives("the water outside is saltier than the sap / the sap is more dilute"),
            ("the water outside is saltier than the sap".into(), vec!["the sap is more dilute".into()])
        );
        assert_eq!(alternatives("oxygen / air is used up by the flame").1, Vec::<String>::new());
    }

    #[test]
    fn a_slash_between_two_words_leaves_them_what_they_share() {
        for whole in [
            "Wider/deeper river channel",
            "carries heat/charge",
            "in case of frost/heavy rain",
            "(stored) sugar/starch is used up",
        ] {
            assert_eq!(alternatives(whole), (whole.to_owned(), Vec::new()), "{whole}");
        }
        for (text, other) in [
            ("Kelvin/Absolute Scale", "Absolute Scale"),
            ("GPE/gravitational potential energy", "gravitational potential energy"),
            ("bar/steel bar", "steel bar"),
            ("gas that escapes/is given off", "is given off"),
            ("heat loss / warm air leaves", "warm air leaves"),
        ] {
            assert_eq!(alternatives(text).1, [other], "{text}");
        }
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(limit("Any two from:"), Some(Limit::Pick(2)));
        assert_eq!(limit("An answer that makes reference to four of the following:"), Some(Limit::Pick(4)));
        assert_eq!(limit("any ONE of:"), Some(Limit::Pick(1)));
        assert_eq!(limit("Any 3 x (1) from:"), Some(Limit::Pick(3)));
        assert_eq!(limit("max 3 marks"), Some(Limit::Max(Marks::whole(3))));
        assert_eq!(limit("5 (max 1)."), None);
        assert_eq!(limit("two of the cells divide"), None);
        for heading in [
            "Zwei der folgenden Aspekte:",
            "zwei aus:",
            "Deux parmi :",
            "deux des éléments suivants",
            "dos de las siguientes razones:",
            "duas das seguintes",
            "due tra:",
            "twee van de volgende",
            "två av följande",
            "dwa spośród:",
            "dwa z poniższych argumentów",
        ] {
            assert_eq!(limit(heading), Some(Limit::Pick(2)), "{heading}");
        }
        for answer in ["zwei aus Holz gebaute Brücken", "deux de ses amis", "due di loro partono"] {
            assert_eq!(limit(answer), None, "{answer}");
        }
    }
}
