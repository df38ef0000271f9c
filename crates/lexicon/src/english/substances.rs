//! Names of substances, by their parts.

use crate::Words;

/// Endings that make another substance of a name: "carbon", "carbonate".
pub const ENDINGS: Words = Words::of(&["ate", "ide", "ite", "ane", "ene", "ol"]);

/// The second words of names of compounds, in the spelling of chemists.
pub const COMPOUNDS: Words = Words::of(&[
    "oxide",
    "chloride",
    "bromide",
    "iodide",
    "fluoride",
    "sulfide",
    "nitride",
    "hydride",
    "sulfate",
    "carbonate",
    "nitrate",
    "phosphate",
    "sulfite",
    "nitrite",
]);
