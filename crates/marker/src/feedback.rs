//! What the student is told: kind, specific, in the scheme's own terms, and never more than is known.
//!
//! At `none` and `brief` only why a zero is a zero, and how much was earned, without the key. From `standard`
//! on the points are named; a final number, letter or formula is told only at `detailed`.

use crate::builtin::{Content, Reason};
use crate::outcome::Flag;
use crate::task::FeedbackLevel;
use domain::marks::Marks;
use domain::question::Kind;
use domain::scheme::{TypedKey, TypedPoint};

/// What there is to say about one leaf.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) key: &'a TypedKey,
    pub(crate) kind: Kind,
    pub(crate) awarded: Marks,
    pub(crate) available: Marks,
    /// One for each point of the key, or none when nothing was judged.
    pub(crate) points: Vec<PointFacts<'a>>,
    pub(crate) flags: &'a [Flag],
    /// Levels or a model answer: no separate points to speak of.
    pub(crate) is_graded_as_whole: bool,
    /// What an answer judged by levels may contain, and whether it was found.
    pub(crate) content: &'a [Content],
    pub(crate) is_off_topic: bool,
}

/// What there is to say about one point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointFacts<'a> {
    pub(crate) awarded: Marks,
    /// It was made, though a limit may have kept it from earning.
    pub(crate) was_made: bool,
    pub(crate) reason: Option<&'a Reason>,
}

/// More points than this are not listed at the standard level.
const NAMED_MAX: usize = 3;

/// The feedback for one leaf; empty when there is nothing to say at this level.
pub(crate) fn write(facts: &Facts<'_>, level: FeedbackLevel) -> String {
    if facts.available.is_zero() {
        return String::new();
    }
    if facts.flags.contains(&Flag::NotAttempted) {
        return "No answer was found for this question, so no marks could be given.".to_owned();
    }
    let mut sentences = vec![summary(facts)];
    let why = (facts.awarded < facts.available).then(|| why_not(facts)).flatten();
    match level {
        FeedbackLevel::None if !facts.awarded.is_zero() => return String::new(),
        FeedbackLevel::None | FeedbackLevel::Brief => sentences.extend(why),
        FeedbackLevel::Standard => {
            sentences.extend(why);
            sentences.extend(named_points(facts));
        }
        FeedbackLevel::Detailed => {
            sentences.extend(why);
            sentences.extend(each_point(facts));
        }
    }
    sentences.extend(cautions(facts, level));
    sentences.join(" ")
}

fn summary(facts: &Facts<'_>) -> String {
    if needs_person(facts) {
        "This answer needs a person to look at it, so no marks have been given yet.".to_owned()
    } else if facts.awarded == facts.available {
        "Full marks: well done.".to_owned()
    } else if facts.awarded.is_zero() {
        "No marks this time.".to_owned()
    } else {
        format!("{} of {} marks: part of what was asked for is there.", facts.awarded, facts.available)
    }
}

fn needs_person(facts: &Facts<'_>) -> bool {
    let no_key =
        facts.points.is_empty() && facts.flags.contains(&Flag::LowConfidence) && !facts.is_graded_as_whole;
    facts.awarded.is_zero() && (facts.kind == Kind::Drawing || no_key)
}

/// Why marks are missing, without telling the key.
fn why_not(facts: &Facts<'_>) -> Option<String> {
    if needs_person(facts) {
        let what = if facts.kind == Kind::Drawing {
            "Drawings and graphs are not marked automatically."
        } else {
            "The scheme has nothing to mark it by."
        };
        return Some(what.to_owned());
    }
    if facts.flags.contains(&Flag::Illegible) {
        return Some("The writing could not be read well enough to be sure of what it says.".to_owned());
    }
    if facts.is_off_topic {
        return Some("The answer does not seem to address this question.".to_owned());
    }
    let reasons =
        facts.points.iter().filter(|point| point.awarded.is_zero()).filter_map(|point| point.reason);
    if let Some(sentence) = reasons.map(sentence).next() {
        return Some(sentence.to_owned());
    }
    facts.awarded.is_zero().then(|| match facts.kind {
        Kind::MultipleChoice => "The option chosen is not the right one.".to_owned(),
        _ => "The points that the marking scheme looks for were not found in the answer.".to_owned(),
    })
}

/// A reason as a sentence to the student.
fn sentence(reason: &Reason) -> &'static str {
    match reason {
        Reason::OtherValue => "The result given is not the one expected.",
        Reason::UnitMissing => "The unit is missing.",
        Reason::UnitWrong => "The unit does not fit the quantity asked for.",
        Reason::Figures => "The number of figures given is not what was asked for.",
        Reason::Form => "The answer is not in the form that was asked for.",
        Reason::Contradicted => "Part of the answer says the opposite of what is right.",
        Reason::Rejected(_) => "Part of the answer uses a wording that the scheme does not accept.",
        Reason::WordMissing(_) => "A term that the scheme insists on is missing.",
        Reason::SeveralAnswers => {
            "More answers were given than were asked for, so it is not clear which one is meant."
        }
        Reason::NotBalanced => "The equation is not balanced.",
        Reason::StateSymbols => "State symbols are missing or not right.",
        Reason::NeedsPerson => "A person must look at this.",
    }
}

/// The points by name, final results kept back.
fn named_points(facts: &Facts<'_>) -> Vec<String> {
    if facts.is_graded_as_whole {
        return named_content(facts);
    }
    if tells_result(facts.kind) {
        return Vec::new();
    }
    let name = |wanted: bool| -> Vec<String> {
        let chosen = facts.key.points.iter().zip(&facts.points).filter(|(_, point)| {
            if wanted { !point.awarded.is_zero() } else { !point.was_made && point.awarded.is_zero() }
        });
        chosen
            .filter(|(point, _)| !point.marks.is_zero())
            .map(|(point, _)| quoted(&point.text))
            .take(NAMED_MAX)
            .collect()
    };
    let mut sentences = Vec::new();
    let credited = name(true);
    if !credited.is_empty() && facts.awarded < facts.available {
        sentences.push(format!("Credited: {}.", credited.join("; ")));
    }
    let missing = name(false);
    if !missing.is_empty() && facts.awarded < facts.available {
        sentences.push(format!("Still missing: {}.", missing.join("; ")));
    }
    sentences
}

/// What was found of what an answer by levels may contain, and some of what was not.
fn named_content(facts: &Facts<'_>) -> Vec<String> {
    let name = |found: bool| -> Vec<String> {
        let chosen = facts.content.iter().filter(|one| one.evidence.is_some() == found);
        chosen.map(|one| quoted(&one.text)).take(NAMED_MAX).collect()
    };
    let mut sentences = Vec::new();
    let (found, missing) = (name(true), name(false));
    if !found.is_empty() {
        sentences.push(format!("Found: {}.", found.join("; ")));
    }
    if !missing.is_empty() && facts.awarded < facts.available {
        let more = if found.is_empty() { "" } else { "also " };
        sentences.push(format!("It could {more}say: {}.", missing.join("; ")));
    }
    sentences
}

/// Questions whose key is the result itself.
fn tells_result(kind: Kind) -> bool {
    matches!(kind, Kind::MultipleChoice | Kind::Numeric | Kind::Expression | Kind::Drawing)
}

/// Each point by itself, with the scheme's wording.
fn each_point(facts: &Facts<'_>) -> Vec<String> {
    if facts.is_graded_as_whole {
        let told = |one: &Content| if one.evidence.is_some() { "found" } else { "not found in the answer" };
        return facts.content.iter().map(|one| format!("{}: {}.", quoted(&one.text), told(one))).collect();
    }
    if facts.points.is_empty() || facts.kind == Kind::Drawing {
        return Vec::new();
    }
    let describe = |(point, found): (&TypedPoint, &PointFacts<'_>)| {
        let name = quoted(&point.text);
        match (found.awarded.is_zero(), found.was_made, found.reason) {
            (false, _, _) => format!("{name}: credited ({}).", found.awarded),
            (true, true, _) => format!("{name}: said, but no further marks can be earned for it here."),
            (true, false, Some(reason)) => format!("{name}: not credited. {}", sentence(reason)),
            (true, false, None) => format!("{name}: not found in the answer."),
        }
    };
    facts
        .key
        .points
        .iter()
        .zip(&facts.points)
        .filter(|(point, _)| !point.marks.is_zero())
        .map(describe)
        .collect()
}

/// A point's words, short enough to read.
fn quoted(text: &str) -> String {
    const LENGTH_MAX: usize = 120;
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.trim_end_matches(['.', ';', ',']);
    if plain.len() <= LENGTH_MAX {
        return format!("“{plain}”");
    }
    let cut = plain.floor_char_boundary(LENGTH_MAX);
    let end = plain[..cut].rfind(' ').unwrap_or(cut);
    format!("“{} …”", &plain[..end])
}

fn cautions(facts: &Facts<'_>, level: FeedbackLevel) -> Vec<String> {
    let mut cautions = Vec::new();
    if level == FeedbackLevel::None {
        return cautions;
    }
    if facts.flags.contains(&Flag::AnswerContinuesElsewhere) {
        cautions.push("The answer seems to go on in another place, which was not marked here.".to_owned());
    }
    if facts.is_graded_as_whole && level > FeedbackLevel::Brief {
        cautions.push("It was judged as a whole, and a teacher may see it differently.".to_owned());
    }
    cautions
}
