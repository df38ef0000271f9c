//! The rules by which a point is decided, by name: what a result can say when somebody asks "why?".

use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($rule:ident $name:literal $about:literal;)*) => {
        /// Which rule decided a point.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Rule {
            #[default]
            $(#[doc = $about] $rule,)*
        }

        impl Rule {
            /// As results and tables name it.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name,)* }
            }

            /// What it looks at, for people.
            pub const fn about(self) -> &'static str {
                match self { $(Rule::$rule => $about,)* }
            }
        }
    };
}

// The first is the one where no other spoke.
rules! {
    NotFound "not_found" "Nothing that a rule looks for was found.";
    Blank "blank" "Nothing was written.";
    NoKey "no_key" "The scheme has no key for it.";
    Choice "choice" "The options that were chosen, against the letters of the key.";
    Number "number" "The value of the answer's final number, with its unit, figures and form.";
    Ratio "ratio" "A ratio, in its lowest terms where that was asked for.";
    Time "time" "A time of day.";
    Date "date" "A date.";
    Unit "unit" "A unit by itself.";
    Algebra "algebra" "A formula, equation or inequality, compared by what it says.";
    Chemistry "chemistry" "A chemical formula or equation.";
    Order "order" "Labels in an order or in pairs.";
    Balance "balance" "The student's own equation balances.";
    Truth "truth" "True or false, yes or no.";
    Words "words" "Every word that matters was said.";
    Opposite "opposite" "The words were said, and what they say was denied or turned round.";
    Meaning "meaning" "The judge of meaning, where words alone do not decide.";
    Method "method" "A step of working that was shown.";
    Implied "implied" "A right result implies the step.";
    FollowThrough "follow_through" "The scheme's method with the student's own earlier value.";
    Ruling "ruling" "The scheme says what this answer is worth.";
    Shares "shares" "Several things in one point, each judged by itself.";
    Required "required" "A word that the scheme insists on is missing.";
    Rejected "rejected" "The scheme says that this wording loses the mark.";
    TooMany "too_many" "More answers than were asked for.";
    PrimeFactors "prime_factors" "The product is not one of primes.";
    Instruction "instruction" "A line that speaks to examiners and not of answers.";
    Example "example" "An example beside the steps that it shows: they earn, and it does not.";
    Condition "condition" "A condition that only a person can check.";
    Drawing "drawing" "A drawing: only a person can see it.";
    Levels "levels" "The whole answer against levels of response.";
    ModelAnswer "model_answer" "The whole answer against one model answer.";
    RemoteModel "remote_model" "A language model behind an endpoint said so.";
}
