//! What a point of a multiple choice names: "D (T and U)", "A and C", or an option's own words.

use domain::question::{Choice, Point};
use domain::scheme::Options;
use signs::options::{by_words, labels_in, squeeze};

/// What a point names of the options printed.
pub(super) fn of(point: &Point, options: &[Choice]) -> Options {
    let named = named_in(&point.text, options);
    let others = point.alternatives.iter().chain(&point.accept);
    // Beside a letter, "T and U" is what the option says; without the options it names no letters.
    let also = others.clone().filter(|_| !options.is_empty()).map(|wording| named_in(wording, options));
    let labels = std::iter::once(named.clone()).chain(also).filter(|labels| !labels.is_empty()).collect();
    let words = others.filter(|_| options.is_empty()).map(|wording| squeeze(wording)).collect();
    Options { labels, named, words }
}

fn named_in(wording: &str, options: &[Choice]) -> Vec<String> {
    let before_bracket = wording.split('(').next().unwrap_or(wording);
    let head = if before_bracket.trim().is_empty() { wording } else { before_bracket };
    let named = labels_in(head, options);
    let named = if named.is_empty() { by_words(wording, options) } else { named };
    named.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_names_options_by_letter_or_in_words() {
        let options =
            ["A", "B", "D"].map(|label| Choice { label: label.into(), text: format!("plan {label}9") });
        let point = |text: &str, accept: &str| Point {
            text: text.into(),
            accept: vec![accept.into()],
            ..Point::default()
        };
        let read = of(&point("D (A and B)", "plan B9"), &options);
        assert_eq!(
            (read.named, read.labels),
            (vec!["d".to_owned()], vec![vec!["d".to_owned()], vec!["b".to_owned()]])
        );
        let unprinted = of(&point("D", "Plan  b9!"), &[]);
        assert_eq!((unprinted.labels.len(), unprinted.words), (1, vec!["plan b9".to_owned()]));
    }
}
