//! `tickmark explain submission`: why a script has its marks.

use super::super::submission::flag_name;
use super::super::{Failure, Global, open, output, values};
use clap::Args;
use domain::id::SubmissionId;
use domain::text::is_forbidden;
use serde_json::json;
use service::why::{Explained, ExplainedPart, ExplainedPoint};

pub(in crate::cli) const HELP: &str = "\
For every part: what was read, its marks and how sure the engine was; for every point of the scheme: what the
answer was held against, the verdict, the words that decided it, and the rule, with how sure it is. The words
that were read are judged again; the pages are not read again, and nothing is written. This shows what the
student wrote.

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
