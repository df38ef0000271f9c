//! Words that stand among formulae.

use crate::Words;

/// Parts one answer from another.
pub const SEPARATORS: Words = Words::of(&["or", "and"]);

/// A square root in words.
pub const ROOT: Words = Words::of(&["sqrt", "root"]);

/// The quantities of word formulae, with the letters that science uses for them.
pub const QUANTITIES: [(&str, &[&str]); 26] = [
    ("density", &["ρ", "d", "D", "p"]),
    ("mass", &["m", "M"]),
    ("volume", &["V", "v"]),
    ("force", &["F"]),
    ("acceleration", &["a"]),
    ("weight", &["W"]),
    ("gravity", &["g"]),
    ("current", &["I"]),
    ("voltage", &["V"]),
    ("charge", &["Q", "q"]),
    ("time", &["t", "T"]),
    ("power", &["P"]),
    ("energy", &["E"]),
    ("work", &["W"]),
    ("resistance", &["R"]),
    ("speed", &["v", "s"]),
    ("velocity", &["v"]),
    ("distance", &["d", "s", "x"]),
    ("pressure", &["P", "p"]),
    ("area", &["A"]),
    ("frequency", &["f"]),
    ("wavelength", &["λ"]),
    ("height", &["h"]),
    ("extension", &["x", "e"]),
    ("momentum", &["p"]),
    ("moles", &["n"]),
];

/// Names what is told by an equation.
pub const TOLD: Words =
    Words::of(&["equation", "line", "curve", "circle", "tangent", "normal", "locus", "plane"]);

/// Between the name of something and its equation.
pub const IS: &str = " is ";
