//! The functions and letters of mathematics by their written names, which are the same in every language.

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sin,
    Cos,
    Tan,
    Sec,
    Cosec,
    Cot,
    ArcSin,
    ArcCos,
    ArcTan,
    Sinh,
    Cosh,
    Tanh,
    Ln,
    Log10,
    Exp,
}

/// Each function as it is written; of two that begin alike the longer comes first.
pub(super) const FUNCTIONS: [(&str, Function); 24] = [
    ("arcsin", Function::ArcSin),
    ("arccos", Function::ArcCos),
    ("arctan", Function::ArcTan),
    ("asin", Function::ArcSin),
    ("acos", Function::ArcCos),
    ("atan", Function::ArcTan),
    ("cosec", Function::Cosec),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("sec", Function::Sec),
    ("csc", Function::Cosec),
    ("cot", Function::Cot),
    ("ln", Function::Ln),
    ("log", Function::Log10),
    ("lg", Function::Log10),
    ("exp", Function::Exp),
    ("Sin", Function::Sin),
    ("Cos", Function::Cos),
    ("Tan", Function::Tan),
    ("Ln", Function::Ln),
];

/// A word that begins with one of these names, or is one, is no word of a sentence.
pub(crate) const MATHEMATICAL: [&str; 9] = ["sin", "cos", "tan", "ln", "log", "pi", "sqrt", "exp", "theta"];

/// Functions of an angle.
pub(super) const OF_ANGLES: [&str; 3] = ["sin", "cos", "tan"];

/// Letters by their names.
pub(super) const GREEK: [(&str, &str); 10] = [
    ("pi", "π"),
    ("theta", "θ"),
    ("alpha", "α"),
    ("beta", "β"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("sigma", "σ"),
    ("rho", "ρ"),
    ("omega", "ω"),
    ("phi", "φ"),
];
