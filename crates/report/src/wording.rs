//! The words that both forms of a report share.

use domain::grading::{FeedbackLevel, Strictness};
use domain::marks::Marks;
use domain::report::{Report, SCRIPTS_MIN};
use domain::result::{Evidence, Flag, PointResult, Verdict};
use domain::text::is_forbidden;
use domain::time::Shown;

/// What a report is called where it needs a name.
pub(crate) const KIND: &str = "Report on a marked script";

/// The language of everything that we say ourselves.
pub(crate) const LANGUAGE: &str = "en";

/// A text without control and direction characters, which could make it look like another. Line ends stay.
pub(crate) fn plain(text: &str) -> String {
    let harmless = |character: &char| {
        *character == '\n'
            || !(is_forbidden(*character)
                || matches!(
                    character,
                    '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
                ))
    };
    let text =
        text.replace("\r\n", "\n").replace(['\t', '\r', '\u{b}', '\u{c}', '\u{2028}', '\u{2029}'], " ");
    text.chars().filter(harmless).collect()
}

/// "1 of 2 marks".
pub(crate) fn marks_of(awarded: Marks, available: Marks) -> String {
    let unit = if available == Marks::whole(1) { "mark" } else { "marks" };
    format!("{awarded} of {available} {unit}")
}

/// "1 mark", "2.5 marks".
pub(crate) fn marks(marks: Marks) -> String {
    let unit = if marks == Marks::whole(1) { "mark" } else { "marks" };
    format!("{marks} {unit}")
}

/// What a flag means to a reader.
pub(crate) fn flag(flag: Flag) -> &'static str {
    match flag {
        Flag::LowConfidence => "Teacher to check",
        Flag::Illegible => "Hard to read",
        Flag::AnswerContinuesElsewhere => "Continues elsewhere",
        Flag::MoreAnswersThanAsked => "More answers than asked for",
        Flag::NotAttempted => "Not attempted",
        Flag::NotJudged => "Not judged: a person must mark it",
    }
}

/// All flags in one line; empty when there are none.
pub(crate) fn flags(flags: &[Flag]) -> String {
    flags.iter().map(|one| flag(*one)).collect::<Vec<_>>().join(", ")
}

/// True for a point that says something to the student: one that is not earned and has neither words nor a
/// text does not.
pub(crate) fn tells(point: &PointResult) -> bool {
    !point.awarded.is_zero() || !point.evidence.is_empty() || !point.text.is_empty()
}

/// What a point earned.
pub(crate) fn earned(point: &PointResult) -> String {
    match point.verdict {
        Verdict::NotJudged => "not judged".to_owned(),
        Verdict::Superseded => "not needed".to_owned(),
        _ => marks_of(point.awarded, point.marks),
    }
}

/// The sign of a verdict, and what it means.
pub(crate) fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Credited => ("✓", "Earned"),
        Verdict::Contradicted => ("✗", "Not earned: the answer says otherwise"),
        Verdict::Missing => ("–", "Not found"),
        Verdict::Superseded => ("·", "Not needed"),
        Verdict::NotJudged => ("○", "Not judged"),
    }
}

/// What a point is about, in one line: the scheme's words where they may be told, then the student's.
pub(crate) fn point(point: &PointResult) -> String {
    let quoted: Vec<String> =
        point.evidence.iter().map(|piece| format!("“{}”", piece.text)).take(QUOTES_MAX).collect();
    let said = quoted.join(" … ");
    match (said.is_empty(), point.text.is_empty()) {
        (true, true) if point.awarded.is_zero() => "Nothing found for this point".to_owned(),
        (true, true) => "Earned by the answer as a whole".to_owned(),
        (true, false) => point.text.clone(),
        (false, true) => said,
        (false, false) => format!("{}: {said}", point.text.trim_end_matches('.')),
    }
}

const QUOTES_MAX: usize = 4;

/// Where a piece of evidence stands.
pub(crate) fn place(piece: &Evidence) -> String {
    if piece.place.file == 0 {
        format!("page {}", piece.place.page)
    } else {
        format!("file {}, page {}", piece.place.file + 1, piece.place.page)
    }
}

/// The rows of "how this script was marked": what, and which.
pub(crate) fn marking(report: &Report) -> Vec<(&'static str, String)> {
    let marking = &report.marking;
    let engine = match marking.engine.as_str() {
        "builtin" => "Tickmark's built-in engine",
        "llm" => "a language model, checked by Tickmark",
        other => other,
    };
    let mut rows = vec![("Marked by", format!("{engine}, version {}", marking.engine_version))];
    let models: Vec<&str> = marking.models.iter().map(|model| model.name.as_str()).collect();
    if !models.is_empty() {
        rows.push(("Models", models.join(", ")));
    }
    rows.push(("Strictness", strictness(marking.strictness).to_owned()));
    rows.push(("Feedback", level(marking.feedback).to_owned()));
    let used = &marking.instructions_used;
    rows.push(("Instructions used", if used.is_empty() { "none".to_owned() } else { used.join(". ") }));
    rows.push(("Report made", Shown(report.generated_at).to_string()));
    rows
}

fn strictness(strictness: Strictness) -> &'static str {
    match strictness {
        Strictness::Lenient => "lenient: the benefit of the doubt goes to the student",
        Strictness::Standard => "standard: as a careful examiner marks",
        Strictness::Strict => "strict: only what is surely there earns a mark",
    }
}

fn level(level: FeedbackLevel) -> &'static str {
    match level {
        FeedbackLevel::None => "none: only why a question earned nothing",
        FeedbackLevel::Brief => "brief",
        FeedbackLevel::Standard => "standard",
        FeedbackLevel::Detailed => "detailed",
    }
}

/// The sentence under the statistics.
pub(crate) fn compared(scripts: u64) -> String {
    if scripts < SCRIPTS_MIN {
        let released = if scripts == 1 { "script has".to_owned() } else { "scripts have".to_owned() };
        return format!(
            "{scripts} {released} been released for this paper. Figures about all are told from {SCRIPTS_MIN} on, \
             so that they tell of no one."
        );
    }
    format!("Compared with all {scripts} scripts of this paper that have been released. No one is named.")
}
