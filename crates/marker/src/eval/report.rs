//! The scores as a table to read.

use super::Scores;
use std::fmt::Write;

/// The scores as a table, and below it what confidence promised and what came of it.
pub fn table(scores: &[Scores]) -> String {
    let mut text = String::new();
    let heading = format!(
        "{:<26}{:>8}{:>6}{:>7}{:>7}{:>8}{:>7}{:>7}{:>7}{:>7}{:>7}{:>8}{:>8}{:>8}\n",
        "dataset",
        "answers",
        "blank",
        "r",
        "r all",
        "within",
        "rmse",
        "const",
        "kappa",
        "acc",
        "f1",
        "flagged",
        "r rest",
        "per s"
    );
    text.push_str(&heading);
    for score in scores {
        let or_dash =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<26}{:>8}{:>6}{:>7.3}{:>7.3}{:>8.3}{:>7.3}{:>7.3}{:>7.3}{:>7}{:>7}{:>8.2}{:>8.3}{:>8.0}",
            score.dataset,
            score.answers,
            score.blank,
            score.r,
            score.r_with_blank,
            score.r_within,
            score.rmse,
            score.rmse_constant,
            score.kappa,
            or_dash(score.accuracy),
            or_dash(score.macro_f1),
            score.flagged,
            score.r_unflagged,
            score.answers_per_second,
        );
    }
    if scores.len() > 1 {
        let _ = writeln!(text, "{}", together(scores, heading.trim_end().len()));
    }
    text.push_str("\nconfidence said -> share that was right (answers)\n");
    for score in scores {
        let bins: Vec<String> = score
            .reliability
            .iter()
            .map(|bin| format!("{:.2} -> {:.2} ({})", bin.said, bin.right, bin.answers))
            .collect();
        let _ = writeln!(text, "{:<26}{}", score.dataset, bins.join("  "));
    }
    text
}

/// How fast all collections were marked, taken as one, in a line of this width.
fn together(scores: &[Scores], width: usize) -> String {
    let answers: usize = scores.iter().map(|score| score.answers + score.blank).sum();
    let seconds = |score: &Scores| (score.answers + score.blank) as f64 / score.answers_per_second.max(1e-9);
    let all: f64 = scores.iter().filter(|score| score.answers_per_second > 0.0).map(seconds).sum();
    let begin = format!("{:<26}{answers:>8}", "all");
    let rest = width.saturating_sub(begin.len());
    format!("{begin}{:>rest$.0}", if all > 0.0 { answers as f64 / all } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_collection_has_its_line_twice() {
        let text = table(&[Scores::of("own", &[])]);
        assert_eq!(text.matches("own").count(), 2);
    }

    #[test]
    fn several_collections_have_one_speed_together() {
        let score = |dataset: &str, answers, answers_per_second| Scores {
            answers,
            answers_per_second,
            ..Scores::of(dataset, &[])
        };
        let text = table(&[score("slow", 100, 50.0), score("fast", 300, 300.0)]);
        let all = text.lines().find(|line| line.starts_with("all")).unwrap();
        assert_eq!(all.split_whitespace().collect::<Vec<_>>(), ["all", "400", "133"]);
    }
}
