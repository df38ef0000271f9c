//! What an expression is worth at a point, and whether two are worth the same everywhere.

use super::functions::Function;
use super::parse::{Applied, Expression, Operation};
use std::collections::BTreeSet;

/// Enough points that two different school formulae never agree at all of them.
const POINTS: u64 = 14;
/// Fewer common points say nothing.
const POINTS_NEEDED: usize = 3;

impl Expression {
    /// The value where every variable has the value that `of` gives it; not finite where undefined.
    pub(crate) fn value(&self, of: &dyn Fn(&str) -> f64) -> f64 {
        match self {
            Expression::Number(value) => *value,
            Expression::Variable(name) => match name.as_str() {
                "π" => std::f64::consts::PI,
                "e" => std::f64::consts::E,
                name => of(name),
            },
            Expression::Sum(terms) => terms.iter().map(|term| term.value(of)).sum(),
            Expression::Product(factors) => factors.iter().map(|factor| factor.value(of)).product(),
            Expression::Negative(inner) => -inner.value(of),
            Expression::Quotient(above, below) => above.value(of) / below.value(of),
            Expression::Power(base, exponent) => power(base.value(of), exponent.value(of)),
            Expression::Call(applied, argument) => applied.apply(argument.value(of)),
        }
    }

    /// The value of an expression without variables.
    pub(crate) fn constant(&self) -> Option<f64> {
        if !self.variables().is_empty() {
            return None;
        }
        Some(self.value(&|_| f64::NAN)).filter(|value| value.is_finite())
    }

    /// The names of its variables; π and e are none.
    pub(crate) fn variables(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.collect_variables(&mut names);
        names
    }

    fn collect_variables<'e>(&'e self, names: &mut BTreeSet<&'e str>) {
        match self {
            Expression::Number(_) => {}
            Expression::Variable(name) => {
                if !matches!(name.as_str(), "π" | "e") {
                    names.insert(name);
                }
            }
            Expression::Sum(all) | Expression::Product(all) => {
                for one in all {
                    one.collect_variables(names);
                }
            }
            Expression::Negative(inner) | Expression::Call(_, inner) => inner.collect_variables(names),
            Expression::Quotient(one, other) | Expression::Power(one, other) => {
                one.collect_variables(names);
                other.collect_variables(names);
            }
        }
    }

    /// True when both are worth the same at every point tried.
    pub(crate) fn equals(&self, other: &Expression) -> bool {
        compare(self, other, |mine, theirs| is_close(mine, theirs).then_some(0.0)).is_some()
    }

    /// The constant `k` with `self = k · other`, if there is one and it is not zero.
    pub(crate) fn ratio(&self, other: &Expression) -> Option<f64> {
        compare(self, other, |mine, theirs| {
            let both_zero = mine.abs() < 1e-12 && theirs.abs() < 1e-12;
            if both_zero { None } else { Some(mine / theirs) }
        })
        .filter(|ratio| ratio.is_finite() && ratio.abs() > 1e-9)
    }
}

/// Runs a comparison over the points where both are defined; `None` unless its result is the same at all.
fn compare(one: &Expression, other: &Expression, at: impl Fn(f64, f64) -> Option<f64>) -> Option<f64> {
    let mut common: Option<f64> = None;
    let mut defined = 0;
    for point in 0..POINTS {
        let of = |name: &str| coordinate(name, point);
        let (mine, theirs) = (one.value(&of), other.value(&of));
        if !mine.is_finite() || !theirs.is_finite() {
            continue;
        }
        let result = at(mine, theirs)?;
        if common.is_some_and(|common| !is_close(common, result)) {
            return None;
        }
        common = Some(result);
        defined += 1;
    }
    common.filter(|_| defined >= POINTS_NEEDED)
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-8 * (1e-4 + a.abs().max(b.abs()))
}

/// A value for a variable at a point: the same on every run, spread over both signs after the first points.
fn coordinate(name: &str, point: u64) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ point.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 29;
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^= hash >> 32;
    let share = (hash >> 11) as f64 / (1_u64 << 53) as f64;
    let size = 0.31 + 2.4 * share;
    // Logarithms and roots need positive values; |x| against x needs negative ones.
    if point >= 8 && hash & 1 == 0 { -size } else { size }
}

fn power(base: f64, exponent: f64) -> f64 {
    // The odd root of a negative number is real.
    let root = (1.0 / exponent).round();
    let is_odd_root =
        base < 0.0 && exponent.fract() != 0.0 && (1.0 / exponent - root).abs() < 1e-9 && root % 2.0 != 0.0;
    if is_odd_root { -(-base).powf(exponent) } else { base.powf(exponent) }
}

impl Applied {
    fn apply(self, argument: f64) -> f64 {
        match self.0 {
            Operation::Absolute => argument.abs(),
            Operation::LogarithmToBase(base) => argument.ln() / base.ln(),
            Operation::Factorial => factorial(argument),
            Operation::Function(function) => match function {
                Function::Sin => argument.sin(),
                Function::Cos => argument.cos(),
                Function::Tan => argument.tan(),
                Function::Sec => 1.0 / argument.cos(),
                Function::Cosec => 1.0 / argument.sin(),
                Function::Cot => 1.0 / argument.tan(),
                Function::ArcSin => argument.asin(),
                Function::ArcCos => argument.acos(),
                Function::ArcTan => argument.atan(),
                Function::Sinh => argument.sinh(),
                Function::Cosh => argument.cosh(),
                Function::Tanh => argument.tanh(),
                Function::Ln => argument.ln(),
                Function::Log10 => argument.log10(),
                Function::Exp => argument.exp(),
            },
        }
    }
}

/// Of a whole number up to 170; between whole numbers a smooth stand-in, so that n!/(n-1)! is still compared.
fn factorial(argument: f64) -> f64 {
    if !(0.0..=170.0).contains(&argument) {
        return f64::NAN;
    }
    if argument.fract() == 0.0 {
        return (1..=argument as u32).map(f64::from).product();
    }
    // Gamma by recurrence up to 10 and Stirling's series from there.
    let mut shifted = argument + 1.0;
    let mut scale = 1.0;
    while shifted < 10.0 {
        scale *= shifted;
        shifted += 1.0;
    }
    let series = 1.0 / (12.0 * shifted) - 1.0 / (360.0 * shifted.powi(3)) + 1.0 / (1260.0 * shifted.powi(5));
    ((shifted - 0.5) * shifted.ln() - shifted + 0.918_938_533_204_672_7 + series).exp() / scale
}
