//! English, its phrases by what they are about.

mod marks;
mod papers;
mod questions;
mod schemes;

use crate::{Axis, Language};

pub(super) const ENGLISH: Language = Language {
    code: "en",
    numbers: &[
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ],
    more_numbers: &[
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
        ("hundred", 100),
        ("thousand", 1000),
    ],
    phrases: &[marks::MARKS, papers::PAPERS, questions::QUESTIONS, schemes::SCHEMES],
    opposites: &[
        (
            Axis::Amount,
            "increase increases increased increasing rise rises rose risen rising grow grows grew growing higher greater more larger bigger up upward upwards",
            "decrease decreases decreased decreasing fall falls fell fallen falling drop drops dropped reduce reduces reduced reducing lower less fewer smaller down downward downwards decline declines declined",
        ),
        (Axis::Speed, "faster quicker", "slower"),
        (Axis::Acceleration, "speeds accelerates accelerate", "slows decelerates decelerate"),
        (Axis::Gain, "gain gains gained gaining", "lose loses lost losing loss"),
        (
            Axis::Expansion,
            "expand expands expanded expanding expansion",
            "contract contracts contracted contracting contraction shrink shrinks",
        ),
        (Axis::Heat, "hot hotter warm warmer", "cold colder cool cooler"),
        (Axis::Height, "high", "low"),
        (Axis::Length, "long longer", "short shorter"),
        (Axis::Strength, "strong stronger", "weak weaker"),
        (Axis::Weight, "heavy heavier", "light lighter"),
        (Axis::Thickness, "thick thicker", "thin thinner"),
        (Axis::Width, "wide wider", "narrow narrower"),
        (Axis::Distance, "near nearer close closer", "far further farther"),
        (Axis::Sign, "positive positively", "negative negatively"),
        (
            Axis::Attraction,
            "attract attracts attracted attraction attractive",
            "repel repels repelled repulsion repulsive",
        ),
        (Axis::Thermicity, "exothermic", "endothermic"),
        (Axis::Oxidation, "oxidised oxidized oxidation oxidises", "reduction"),
        (Axis::Air, "aerobic", "anaerobic"),
        (Axis::Hand, "left", "right"),
        (Axis::Latitude, "north", "south"),
        (Axis::Longitude, "east", "west"),
        (Axis::Order, "before", "after"),
        (Axis::Place, "inside internal", "outside external"),
        (Axis::Sameness, "same equal constant unchanged", "different unequal"),
        (Axis::Openness, "open opens opened", "close closes closed shut"),
        (Axis::Extreme, "maximum most highest largest greatest", "minimum least lowest smallest fewest"),
        (Axis::Turning, "clockwise", "anticlockwise counterclockwise"),
        (Axis::Solubility, "soluble", "insoluble"),
        (Axis::Reversibility, "reversible", "irreversible"),
        (Axis::Saturation, "saturated", "unsaturated"),
        (Axis::Dominance, "dominant", "recessive"),
        (Axis::Truth, "true correct", "false incorrect"),
        (Axis::Acidity, "acidic acid", "alkaline alkali basic"),
        (Axis::Balance, "surplus", "deficit shortage"),
    ],
    negations: "not no never none cannot without neither nor nothing dont doesnt didnt isnt arent wasnt wont cant couldnt wouldnt hasnt havent lack lacks fails fail unable",
    stop_words: "a an the this that these those there here it its they them their he she his her him we us our you your i me \
        my of in on at by to from for with as into onto upon about over under than then so and or but if because \
        since while when where which who whom whose what how why is are was were be been being am do does did done \
        doing has have had having will would shall should can could may might must also just very more most some \
        any each every all both such only own same too s t e g ie eg etc because therefore hence thus",
};
