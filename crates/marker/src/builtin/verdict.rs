//! What a rule says of one point, for all three strictnesses at once.

use crate::meaning::Opinion;
use crate::rule::Rule;
use crate::task::Strictness;
use std::ops::Range;

/// The strictest setting under which a mark is still given; `None` when it never is.
///
/// Because a rule answers for all settings in one value, strict can never give more than standard nor
/// standard more than lenient: `None < Some(Lenient) < Some(Standard) < Some(Strict)`. "Both" is `min`,
/// "either" is `max`.
pub(crate) type Grant = Option<Strictness>;

/// Given under every setting.
pub(crate) const ALWAYS: Grant = Some(Strictness::Strict);
/// Given unless the setting is strict.
pub(crate) const STANDARD: Grant = Some(Strictness::Standard);
/// Given only under the lenient setting.
pub(crate) const LENIENT: Grant = Some(Strictness::Lenient);
/// Never given.
pub(crate) const NEVER: Grant = None;

/// What a rule says of one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// Under which settings the mark is given.
    pub(crate) grant: Grant,
    /// How likely that is right, 0 to 1.
    pub(crate) confidence: f32,
    /// The bytes of the normalised answer that decided.
    pub(crate) evidence: Vec<Range<usize>>,
    /// What decided.
    pub(crate) rule: Rule,
    /// Why not, or why only under some settings.
    pub(crate) reason: Option<Reason>,
    /// Where the point is several things, each one's own grant: every one earns its share of the marks.
    pub(crate) shares: Vec<Grant>,
    /// What was measured on the way to it.
    pub(crate) measured: Measured,
}

/// The numbers behind a verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    /// What the judge of meaning says, where it was asked.
    pub(crate) opinion: Option<Opinion>,
    /// How many of the words that matter were found, 0 to 1, where words were looked for.
    pub(crate) coverage: Option<f32>,
}

/// Why a mark was not given, or not under every setting. It becomes a sentence of feedback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The value is not the one expected.
    OtherValue,
    /// The value is right and its unit is not there.
    UnitMissing,
    /// The value is right for another unit.
    UnitWrong,
    /// Too few or too many figures.
    Figures,
    /// Equal in value, not in the form that was asked for.
    Form,
    /// The answer says the opposite.
    Contradicted,
    /// The scheme says that this wording loses the mark.
    Rejected(String),
    /// A word that the scheme insists on is missing.
    WordMissing(String),
    /// Several answers where one was asked for.
    SeveralAnswers,
    /// The formula or equation is not balanced, or its symbols are wrong.
    NotBalanced,
    /// State symbols are missing or wrong.
    StateSymbols,
    /// Only a person can see this.
    NeedsPerson,
}

impl Verdict {
    /// Given under these settings, on this evidence.
    pub(crate) fn given(grant: Grant, confidence: f32, evidence: Range<usize>) -> Verdict {
        Verdict { grant, confidence, evidence: vec![evidence], ..Verdict::default() }
    }

    /// Never given.
    pub(crate) fn refused(confidence: f32, reason: Option<Reason>) -> Verdict {
        Verdict { grant: NEVER, confidence, evidence: Vec::new(), reason, ..Verdict::default() }
    }

    /// Decided by this rule.
    pub(crate) fn by(mut self, rule: Rule) -> Verdict {
        self.rule = rule;
        self
    }

    pub(crate) fn because(mut self, reason: Reason) -> Verdict {
        self.reason = Some(reason);
        self
    }

    /// How sure the judge of meaning is that the point is made, where it was asked; else how sure the verdict is.
    pub(crate) fn judged(&self) -> f32 {
        self.measured.opinion.as_ref().map_or(self.confidence, |opinion| opinion.credited)
    }

    /// What it refuses is no surer than this.
    pub(crate) fn doubted(mut self, most: f32) -> Verdict {
        if self.grant == NEVER {
            self.confidence = self.confidence.min(most);
        }
        self
    }

    /// At most this.
    pub(crate) fn at_most(mut self, limit: Grant, reason: Reason) -> Verdict {
        if self.grant > limit {
            self.grant = limit;
            self.reason = Some(reason);
        }
        self
    }

    /// The better of two; where both give the same, the surer.
    pub(crate) fn or(self, other: Verdict) -> Verdict {
        let better = (other.grant, other.reason.is_some()) > (self.grant, self.reason.is_some())
            || (other.grant == self.grant && other.grant.is_some() && other.confidence > self.confidence);
        if better { other } else { self }
    }

    /// True when the mark is given under this setting.
    pub(crate) fn gives(&self, strictness: Strictness) -> bool {
        self.grant >= Some(strictness)
    }
}
