//! Words that a scheme insists on, and wordings that lose the mark.

use super::matcher::Matcher;
use super::script::Script;
use super::verdict::{ALWAYS, LENIENT, NEVER, Reason, STANDARD, Verdict};
use crate::rule::Rule;
use domain::scheme::{Required, TypedPoint};
use std::collections::HashSet;
use std::ops::Range;

/// How sure a point is whose emphasised word was said otherwise.
const REWORDED_CONFIDENCE: f32 = 0.65;

impl Script<'_> {
    /// Words that the scheme insists on.
    pub(super) fn with_required_words(&self, point: &TypedPoint, verdict: Verdict) -> Verdict {
        let missing = point.required.iter().find(|required| !self.says_one_of(required));
        match missing {
            // What is emphasised in print can be said otherwise, and a judge that is sure has read that; it stays in doubt.
            Some(_) if verdict.rule == Rule::Meaning && verdict.grant == ALWAYS => Verdict {
                grant: STANDARD,
                confidence: verdict.confidence.min(REWORDED_CONFIDENCE),
                ..verdict
            },
            Some(required) if verdict.grant > NEVER => {
                verdict.at_most(LENIENT, Reason::WordMissing(required.text.clone())).by(Rule::Required)
            }
            _ => verdict,
        }
    }

    /// "higher/faster" insists on one of the two.
    fn says_one_of(&self, required: &Required) -> bool {
        required.one_of.iter().any(|word| self.said.says(word).is_some())
    }

    /// Wordings that lose the mark. One that is only a part of what earned it does not.
    pub(super) fn with_rejects(&self, point: &TypedPoint, verdict: Verdict) -> Verdict {
        if verdict.grant == NEVER {
            return verdict;
        }
        let earned: HashSet<&str> = self.stems_of(&verdict);
        for reject in &point.rejects {
            let matcher = Matcher::of(reject, self.leaf.kind, &self.demands);
            let rejected = match &matcher {
                Matcher::Words(phrases) => phrases.iter().find_map(|phrase| {
                    let found = self.said.find(phrase, &self.asked);
                    let part_of_earned = phrase
                        .concepts
                        .iter()
                        .all(|concept| concept.words.iter().any(|word| earned.contains(word.stem.as_str())));
                    let all_said = found.coverage > 0.999 && !found.contradicted && !found.misspelled;
                    (all_said && !part_of_earned).then_some(found.spans)
                }),
                other => other
                    .judge(self.answer, self.context(point), false)
                    .filter(|found| found.grant == ALWAYS && found.grant > verdict.grant.min(STANDARD))
                    .map(|found| found.evidence),
            };
            if let Some(evidence) = rejected {
                return Verdict {
                    evidence,
                    ..Verdict::refused(0.85, Some(Reason::Rejected(reject.text.clone()))).by(Rule::Rejected)
                };
            }
        }
        verdict
    }

    /// The stems of the words that decided.
    fn stems_of(&self, verdict: &Verdict) -> HashSet<&str> {
        let covers = |span: &Range<usize>, token: &crate::words::Token| {
            span.start <= token.span.start && token.span.end <= span.end
        };
        self.said
            .tokens
            .iter()
            .filter(|token| verdict.evidence.iter().any(|span| covers(span, token)))
            .map(|token| token.stem.as_str())
            .collect()
    }
}
