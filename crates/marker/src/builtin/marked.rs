//! The outcome of a leaf: marks under the setting asked for, evidence, flags, confidence and feedback.

use super::judged::Judged;
use super::places::words_under;
use super::settle::settle;
use super::trust;
use super::verdict::{Reason, Verdict};
use super::weighed::turn_of;
use crate::answer::Answer;
use crate::feedback::{Facts, PointFacts, write};
use crate::instructions::Rules;
use crate::outcome::{CONFIDENCE_LOW, Flag, LeafOutcome, PointOutcome};
use crate::rule::Rule;
use crate::task::{Leaf, Settings, Strictness};
use crate::turn::{Behind, Turn};
use domain::marks::Marks;
use domain::question::Kind;
use domain::scheme::{Scale, TypedKey};
use signs::form::Normal;

/// A leaf with everything that its outcome needs besides the judgement.
pub(super) struct Marked<'a> {
    pub(super) leaf: &'a Leaf<'a>,
    pub(super) key: &'a TypedKey,
    pub(super) settings: &'a Settings,
    pub(super) rules: &'a Rules,
}

/// Below this legibility an answer counts as illegible.
const LEGIBILITY_MIN: f32 = 0.4;

impl Marked<'_> {
    pub(super) fn outcome(&self, answer: &Answer, normal: &Normal, judged: &Judged) -> LeafOutcome {
        let available = self.leaf.available();
        let earned = self.earned(judged);
        let awarded = match judged.grade {
            Some(grade) => self.graded(f64::from(grade.fraction)),
            None => earned.iter().copied().sum::<Marks>().min(available),
        };
        let confidence = self.confidence(answer, judged, &earned);
        let is_read = !is_illegible(answer);
        let points = self.points(answer, normal, judged, &earned, awarded, is_read);
        let flags = self.flags(answer, judged, &points, confidence);
        let facts = Facts {
            key: self.key,
            kind: self.leaf.kind,
            awarded,
            available,
            points: self.point_facts(judged, &earned),
            flags: &flags,
            is_graded_as_whole: judged.grade.is_some(),
            content: &judged.content,
            is_off_topic: judged.off_topic,
        };
        let feedback = write(&facts, self.settings.feedback);
        let found = judged.content.iter().filter_map(|one| one.evidence.clone());
        let found: Vec<_> = found.filter(|_| !awarded.is_zero()).collect();
        LeafOutcome {
            label: self.leaf.label.map(str::to_owned),
            awarded,
            available,
            points,
            evidence: words_under(normal, answer, &found),
            feedback,
            confidence,
            flags,
            doubted_below: Some(low_below(judged))
                .filter(|_| !self.is_doubtful_anyway(answer) && !is_chosen(judged)),
        }
    }

    /// True where no confidence could spare a person the look.
    fn is_doubtful_anyway(&self, answer: &Answer) -> bool {
        // Ink that is no text may hold what the words do not.
        let unseen_drawing = answer.has_drawing && !answer.text.chars().any(char::is_alphanumeric);
        // Which level an essay reaches is a person's judgement.
        let by_levels = matches!(self.key.scale, Scale::Levels(_));
        is_illegible(answer) || unseen_drawing || by_levels || self.leaf.kind == Kind::Drawing
    }

    /// What each point earns under the setting.
    fn earned(&self, judged: &Judged) -> Vec<Marks> {
        if let Some(grade) = judged.grade {
            let total = self.graded(f64::from(grade.fraction));
            let whole_point = !matches!(self.key.scale, Scale::Levels(_));
            return self
                .key
                .points
                .iter()
                .map(|point| if whole_point { point.marks.min(total) } else { Marks::ZERO })
                .collect();
        }
        let strictness = self.settings.strictness;
        let mut earned = settle(self.key, &judged.verdicts, self.leaf.available(), strictness, self.rules);
        if strictness == Strictness::Strict
            || (self.rules.extras_cancel && strictness == Strictness::Standard)
        {
            let credited: Vec<usize> =
                (0..earned.len()).rev().filter(|index| !earned[*index].is_zero()).collect();
            for index in credited.into_iter().take(judged.extras) {
                earned[index] = Marks::ZERO;
            }
        }
        earned
    }

    /// A share of the marks as marks: strictness shifts it by less than half a mark either way.
    fn graded(&self, fraction: f64) -> Marks {
        let available = self.leaf.available();
        let steps = if self.rules.half_marks { available.as_halves() } else { available.as_halves() / 2 };
        let shift = match self.settings.strictness {
            Strictness::Strict => -0.3,
            Strictness::Standard => 0.0,
            Strictness::Lenient => 0.3,
        };
        let step =
            (fraction.clamp(0.0, 1.0) * f64::from(steps) + shift).round().clamp(0.0, f64::from(steps)) as u32;
        if self.rules.half_marks { Marks::halves(step) } else { Marks::whole(step) }
    }

    fn confidence(&self, answer: &Answer, judged: &Judged, earned: &[Marks]) -> f32 {
        let written = answer.text.split_whitespace().count();
        let of_points =
            || trust::of_answer(self.key, &judged.verdicts, earned, self.leaf.available(), written);
        let judged_confidence = judged.grade.map_or_else(of_points, |grade| grade.confidence);
        let read = if answer.selected.is_empty() { answer.legibility.clamp(0.0, 1.0) } else { 1.0 };
        // Reading that is almost sure costs almost nothing.
        judged_confidence
            * (1.0 - (1.0 - read).powi(2)).clamp(0.0, 1.0)
            * if answer.continues_elsewhere { 0.8 } else { 1.0 }
    }

    fn flags(&self, answer: &Answer, judged: &Judged, points: &[PointOutcome], confidence: f32) -> Vec<Flag> {
        let illegible = is_illegible(answer);
        let mut flags = Vec::new();
        if confidence < low_below(judged) || self.is_doubtful_anyway(answer) {
            flags.push(Flag::LowConfidence);
        }
        if illegible {
            flags.push(Flag::Illegible);
        }
        if answer.continues_elsewhere {
            flags.push(Flag::AnswerContinuesElsewhere);
        }
        if judged.too_many
            || judged.verdicts.iter().any(|verdict| verdict.reason == Some(Reason::SeveralAnswers))
        {
            flags.push(Flag::MoreAnswersThanAsked);
        }
        let unread = illegible && points.iter().all(|point| point.awarded.is_zero());
        if self.leaf.kind == Kind::Drawing
            || unread
            || points.iter().any(|point| point.verdict == domain::result::Verdict::NotJudged)
        {
            flags.push(Flag::NotJudged);
        }
        flags
    }

    fn points(
        &self,
        answer: &Answer,
        normal: &Normal,
        judged: &Judged,
        earned: &[Marks],
        awarded: Marks,
        is_read: bool,
    ) -> Vec<PointOutcome> {
        let is_full = awarded == self.leaf.available();
        let outcome = |(index, (verdict, marks)): (usize, (&Verdict, &Marks))| PointOutcome {
            index: index as u32,
            awarded: *marks,
            verdict: self.told(verdict, *marks, is_full, is_read),
            evidence: words_under(normal, answer, &verdict.evidence),
            confidence: trust::of_point(verdict, !marks.is_zero()),
            rule: verdict.rule,
            behind: behind(verdict, *marks, self.settings.strictness),
        };
        judged.verdicts.iter().zip(earned).enumerate().map(outcome).collect()
    }

    /// What is said of a point to people: crosses stand only where the answer says otherwise, and never beside
    /// full marks.
    fn told(
        &self,
        verdict: &Verdict,
        earned: Marks,
        is_full: bool,
        is_read: bool,
    ) -> domain::result::Verdict {
        use domain::result::Verdict as Told;
        match &verdict.reason {
            _ if !earned.is_zero() => Told::Credited,
            _ if self.leaf.kind == Kind::Drawing => Told::NotJudged,
            // What only shows or instructs is not looked for in answers.
            _ if matches!(verdict.rule, Rule::Example | Rule::Instruction) => Told::Superseded,
            _ if is_full || verdict.gives(self.settings.strictness) => Told::Superseded,
            Some(Reason::NeedsPerson) => Told::NotJudged,
            _ if !is_read => Told::NotJudged,
            Some(Reason::Contradicted | Reason::Rejected(_) | Reason::OtherValue | Reason::NotBalanced) => {
                Told::Contradicted
            }
            _ => Told::Missing,
        }
    }

    fn point_facts<'j>(&self, judged: &'j Judged, earned: &[Marks]) -> Vec<PointFacts<'j>> {
        let strictness = self.settings.strictness;
        judged
            .verdicts
            .iter()
            .zip(earned)
            .map(|(verdict, marks)| PointFacts {
                awarded: *marks,
                was_made: verdict.gives(strictness),
                reason: verdict.reason.as_ref().filter(|_| !verdict.gives(strictness)),
            })
            .collect()
    }
}

/// The numbers behind a verdict, and what would have changed it.
fn behind(verdict: &Verdict, earned: Marks, strictness: Strictness) -> Behind {
    let opinion = verdict.measured.opinion.as_ref();
    let is_given = verdict.gives(strictness);
    let reason = verdict.reason.as_ref().filter(|_| !is_given).map(|reason| match reason {
        Reason::OtherValue => Turn::Value,
        Reason::UnitMissing => Turn::UnitSaid,
        Reason::UnitWrong => Turn::UnitOther,
        Reason::Figures => Turn::Figures,
        Reason::Form => Turn::Form,
        Reason::Contradicted => Turn::Unturned,
        Reason::Rejected(wording) => Turn::Without(wording.clone()),
        Reason::WordMissing(word) => Turn::With(word.clone()),
        Reason::SeveralAnswers => Turn::OneAnswer,
        Reason::NotBalanced => Turn::Balanced,
        Reason::StateSymbols => Turn::StateSymbols,
        Reason::NeedsPerson => Turn::Person,
    });
    let setting = verdict.grant.filter(|least| !is_given || *least < Strictness::Strict);
    let turns = if is_given && earned.is_zero() {
        vec![Turn::Room]
    } else {
        let turns = [turn_of(verdict, strictness), reason, setting.map(Turn::Strictness)];
        turns.into_iter().flatten().collect()
    };
    Behind {
        judge: opinion.map(|said| [said.credited, said.vague, said.contradicted, said.missing]),
        words_found: verdict.measured.coverage,
        turns,
    }
}

/// Below this confidence a mark is flagged: of points it is a probability; of whole answers it only orders them.
fn low_below(judged: &Judged) -> f32 {
    if judged.grade.is_some() { CONFIDENCE_LOW } else { trust::LIKELY_WRONG }
}

/// True where a letter was chosen: it is read or not, whatever the rest of the script is worth.
fn is_chosen(judged: &Judged) -> bool {
    judged.grade.is_none() && judged.verdicts.iter().all(|verdict| verdict.rule == Rule::Choice)
}

/// True when what was written could not be read well enough to judge it.
fn is_illegible(answer: &Answer) -> bool {
    answer.legibility < LEGIBILITY_MIN && answer.selected.is_empty()
}

/// A drawing is asked for, and there is no word to be read: whether it was drawn, and how well, only a person
/// can see.
pub(crate) fn undrawn(leaf: &Leaf<'_>, key: &TypedKey, settings: &Settings) -> LeafOutcome {
    let points = (0..key.points.len()).map(|index| PointOutcome {
        index: index as u32,
        verdict: domain::result::Verdict::NotJudged,
        ..PointOutcome::default()
    });
    let flags = vec![Flag::LowConfidence, Flag::NotJudged];
    nothing(leaf, Some(key), flags, 0.0, points.collect(), settings)
}

/// Nothing was written.
pub(crate) fn blank(leaf: &Leaf<'_>, key: &TypedKey, settings: &Settings) -> LeafOutcome {
    let flags = vec![Flag::NotAttempted];
    let points = (0..key.points.len()).map(|index| PointOutcome {
        index: index as u32,
        confidence: 0.98,
        rule: Rule::Blank,
        ..PointOutcome::default()
    });
    nothing(leaf, Some(key), flags, 0.98, points.collect(), settings)
}

/// There is no key: a person must mark it.
pub(crate) fn unmarkable(leaf: &Leaf<'_>, answer: &Answer, settings: &Settings) -> LeafOutcome {
    let (flags, confidence) = if answer.is_blank() && leaf.kind != Kind::Drawing {
        (vec![Flag::NotAttempted], 0.98)
    } else {
        (vec![Flag::LowConfidence, Flag::NotJudged], 0.0)
    };
    nothing(leaf, None, flags, confidence, Vec::new(), settings)
}

fn nothing(
    leaf: &Leaf<'_>,
    key: Option<&TypedKey>,
    flags: Vec<Flag>,
    confidence: f32,
    points: Vec<PointOutcome>,
    settings: &Settings,
) -> LeafOutcome {
    let available = leaf.available();
    let empty = TypedKey::default();
    let facts = Facts {
        key: key.unwrap_or(&empty),
        kind: leaf.kind,
        awarded: Marks::ZERO,
        available,
        points: Vec::new(),
        flags: &flags,
        is_graded_as_whole: false,
        content: &[],
        is_off_topic: false,
    };
    let feedback = write(&facts, settings.feedback);
    LeafOutcome {
        label: leaf.label.map(str::to_owned),
        awarded: Marks::ZERO,
        available,
        points,
        evidence: Vec::new(),
        feedback,
        confidence,
        flags,
        doubted_below: None,
    }
}
