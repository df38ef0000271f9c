//! The rules by which a point is decided, by name: what a result can say when somebody asks "why?".

use serde::{Deserialize, Serialize};

/// Which rule decided a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Nothing that a rule looks for was found.
    #[default]
    NotFound,
    /// Nothing was written.
    Blank,
    /// The scheme has no key for it.
    NoKey,
    /// The options that were chosen, against the letters of the key.
    Choice,
    /// The value of the answer's final number, with its unit, figures and form.
    Number,
    /// A ratio, in its lowest terms where that was asked for.
    Ratio,
    /// A time of day.
    Time,
    /// A date.
    Date,
    /// A unit by itself.
    Unit,
    /// A formula, equation or inequality, compared by what it says.
    Algebra,
    /// A chemical formula or equation.
    Chemistry,
    /// Labels in an order or in pairs.
    Order,
    /// The student's own equation balances.
    Balance,
    /// True or false, yes or no.
    Truth,
    /// Every word that matters was said.
    Words,
    /// The words were said, and what they say was denied or turned round.
    Opposite,
    /// The judge of meaning, where words alone do not decide.
    Meaning,
    /// A step of working that was shown.
    Method,
    /// A right result implies the step.
    Implied,
    /// The scheme's method with the student's own earlier value.
    FollowThrough,
    /// Several things in one point, each judged by itself.
    Shares,
    /// A word that the scheme insists on is missing.
    Required,
    /// The scheme says that this wording loses the mark.
    Rejected,
    /// More answers than were asked for.
    TooMany,
    /// The product is not one of primes.
    PrimeFactors,
    /// A line that speaks to examiners and not of answers.
    Instruction,
    /// An example beside the steps that it shows: they earn, and it does not.
    Example,
    /// A condition that only a person can check.
    Condition,
    /// A drawing: only a person can see it.
    Drawing,
    /// The whole answer against levels of response.
    Levels,
    /// The whole answer against one model answer.
    ModelAnswer,
    /// A language model behind an endpoint said so.
    RemoteModel,
}

impl Rule {
    /// As results and tables name it.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::NotFound => "not_found",
            Rule::Blank => "blank",
            Rule::NoKey => "no_key",
            Rule::Choice => "choice",
            Rule::Number => "number",
            Rule::Ratio => "ratio",
            Rule::Time => "time",
            Rule::Date => "date",
            Rule::Unit => "unit",
            Rule::Algebra => "algebra",
            Rule::Chemistry => "chemistry",
            Rule::Order => "order",
            Rule::Balance => "balance",
            Rule::Truth => "truth",
            Rule::Words => "words",
            Rule::Opposite => "opposite",
            Rule::Meaning => "meaning",
            Rule::Method => "method",
            Rule::Implied => "implied",
            Rule::FollowThrough => "follow_through",
            Rule::Shares => "shares",
            Rule::Required => "required",
            Rule::Rejected => "rejected",
            Rule::TooMany => "too_many",
            Rule::PrimeFactors => "prime_factors",
            Rule::Instruction => "instruction",
            Rule::Example => "example",
            Rule::Condition => "condition",
            Rule::Drawing => "drawing",
            Rule::Levels => "levels",
            Rule::ModelAnswer => "model_answer",
            Rule::RemoteModel => "remote_model",
        }
    }
}
