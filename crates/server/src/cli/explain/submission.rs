//! `tickmark explain submission`: why a script has its marks.

use super::super::submission::flag_name;
use super::super::{Failure, Global, open, output, values};
use clap::Args;
use domain::id::SubmissionId;
use domain::result::Verdict;
use domain::text::is_forbidden;
use marker::turn::{Behind, Turn};
use serde_json::json;
use service::why::{Explained, ExplainedPart, ExplainedPoint};

pub(in crate::cli) const HELP: &str = "\
For every part: what was read, its marks and how sure the engine was; for every point of the scheme: what the
answer was held against, the verdict, the words that decided it, the rule, with how sure it is, the numbers
behind it, and what would have changed it. The words that were read are judged again; the pages are not read
again, and nothing is written. This shows what the student wrote.

Examples:
  tickmark explain submission sub_…
  tickmark explain submission sub_… --question '3(b)'";

#[derive(Debug, Args)]
pub(in crate::cli) struct Submission {
    /// The submission's id
    #[arg(value_name = "ID", value_parser = values::id::<SubmissionId>)]
    id: SubmissionId,
    /// Only this question or part: 3, 3(b), 3b
    #[arg(long, value_name = "NUMBER")]
    question: Option<String>,
}

impl Submission {
    pub(super) async fn run(&self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        let explained = app.service.explain_submission(self.id, self.question.as_deref()).await?;
        if explained.parts.is_empty() {
            let asked = self.question.as_deref().unwrap_or_default();
            return Err(Failure::new(format!(
                "The script has no question {asked}; `tickmark submission show {}` lists them.",
                self.id
            )));
        }
        if global.json {
            return Ok(output::document(&explained)?);
        }
        Ok(output::text(&text(&explained))?)
    }
}

fn text(explained: &Explained) -> String {
    let marking = &explained.marking;
    let models: Vec<&str> = marking.models.iter().map(|model| model.name.as_str()).collect();
    let mut text = format!("Marked by {} {}", marking.engine, marking.engine_version);
    if !models.is_empty() {
        text.push_str(&format!(" with {}", models.join(", ")));
    }
    text.push_str(".\n");
    for part in &explained.parts {
        text.push('\n');
        tell_part(&mut text, part);
    }
    text
}

/// A mark that is as far as this from what the rest of the script leads one to expect is said to be so.
const OUT_OF_LINE: f64 = 0.4;

fn tell_part(text: &mut String, part: &ExplainedPart) {
    let ExplainedPart { question, awarded, available, confidence, .. } = part;
    text.push_str(&format!("{question}: {awarded} of {available} marks, confidence {confidence:.2}"));
    for flag in &part.flags {
        text.push_str(&format!(", {}", flag_name(*flag)));
    }
    text.push('\n');
    if part.is_adjusted {
        text.push_str(&format!("  A person decided; for these words the engine gives {}.\n", part.by_words));
    } else if part.by_words != part.awarded {
        text.push_str(&format!(
            "  For these words alone the engine gives {} now: it has changed since, or the page decided.\n",
            part.by_words
        ));
    }
    let share = awarded.as_number() / available.as_number().max(0.5);
    if (share - part.expected).abs() >= OUT_OF_LINE && !part.answer.trim().is_empty() {
        text.push_str(&format!(
            "  Less sure because the rest of the script leads one to expect {:.0} in 100 of the marks.\n",
            part.expected * 100.0
        ));
    }
    text.push_str(&format!("  read: {}\n", shown(&part.answer)));
    if part.points.is_empty() {
        text.push_str("  judged as a whole, by levels or a model answer\n");
    }
    for point in &part.points {
        tell_point(text, point);
    }
}

fn tell_point(text: &mut String, point: &ExplainedPoint) {
    let verdict = json!(point.verdict);
    let verdict = verdict.as_str().unwrap_or_default();
    text.push_str(&format!("  - {} of {}, {verdict}: {}\n", point.awarded, point.marks, shown(&point.text)));
    if !point.others.is_empty() {
        let others: Vec<String> = point.others.iter().map(|other| shown(other)).collect();
        text.push_str(&format!("    or: {}\n", others.join(" | ")));
    }
    if !point.words.is_empty() {
        let words: Vec<String> = point.words.iter().map(|words| shown(words)).collect();
        text.push_str(&format!("    words: {}\n", words.join(" … ")));
    }
    let (rule, sure) = (point.rule, point.confidence);
    text.push_str(&format!("    rule: {} ({sure:.2}). {}\n", rule.name(), rule.about()));
    let is_given = point.verdict == Verdict::Credited;
    if let Some(numbers) = numbers(&point.behind) {
        text.push_str(&format!("    numbers: {numbers}\n"));
    }
    for turn in &point.behind.turns {
        text.push_str(&format!("    would change it: {}\n", told(turn, is_given)));
    }
}

fn numbers(behind: &Behind) -> Option<String> {
    let found = behind.words_found.map(|share| format!("{:.0} in 100 of its words found", share * 100.0));
    let judge = behind.judge.map(|[made, touched, gainsaid, unsaid]| {
        format!(
            "the judge says made {made:.2}, touched {touched:.2}, gainsaid {gainsaid:.2}, not spoken of {unsaid:.2}"
        )
    });
    let told: Vec<String> = found.into_iter().chain(judge).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn told(turn: &Turn, is_given: bool) -> String {
    match turn {
        Turn::Judge { said, needed } if is_given => {
            format!("a judge that says less than {needed:.2}; it says {said:.2}")
        }
        Turn::Judge { said, needed } => format!("a judge that says {needed:.2} or more; it says {said:.2}"),
        Turn::Strictness(least) if is_given => {
            format!("marking more strictly than `{}`", least.name())
        }
        Turn::Strictness(least) => format!("marking as `{}`", least.name()),
        Turn::Value => "the value that the scheme has".to_owned(),
        Turn::UnitSaid => "its unit".to_owned(),
        Turn::UnitOther => "the scheme's unit".to_owned(),
        Turn::Figures => "as many figures as are asked for".to_owned(),
        Turn::Form => "the form that is asked for".to_owned(),
        Turn::Unturned => "saying so, and not the opposite".to_owned(),
        Turn::Without(wording) => format!("leaving out what loses the mark: {}", shown(wording)),
        Turn::With(word) => format!("the word that the scheme insists on: {}", shown(word)),
        Turn::OneAnswer => "as many answers as are asked for, and no more".to_owned(),
        Turn::Balanced => "an equation that balances".to_owned(),
        Turn::StateSymbols => "right state symbols".to_owned(),
        Turn::Person => "a person, who alone can see it".to_owned(),
        Turn::Room => {
            "a mark that is still to be had: it was made, and the part's marks, or the step that it depends on, \
             leave it none"
                .to_owned()
        }
    }
}

/// One line, whatever was written: signs that steer a terminal or turn its direction are shown as such.
fn shown(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let visible = |letter| if is_forbidden(letter) { char::REPLACEMENT_CHARACTER } else { letter };
    if one_line.is_empty() { "nothing".to_owned() } else { one_line.chars().map(visible).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_cannot_steer_the_terminal() {
        assert_eq!(shown("red\u{1b}[31m\nshift \u{202e}evil"), "red\u{fffd}[31m shift \u{fffd}evil");
        assert_eq!(shown(" \n"), "nothing");
    }
}
