//! One written number against one stated: value, rounding, form and unit, each as an examiner weighs it.

use super::key::NumberKey;
use crate::builtin::demand::Demands;
use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER, Reason, STANDARD};
use crate::instructions::Rules;
use signs::number::{Form, Quantity};

/// Everything besides the two numbers that bears on the comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) demands: &'a Demands,
    pub(crate) rules: &'a Rules,
    /// "cao": nothing but the stated value.
    pub(crate) exact_only: bool,
    /// "ignore sign".
    pub(crate) ignores_sign: bool,
}

/// Beyond this share of the value, more figures that merely round to the key are another value.
const ROUNDING_SHARE: f64 = 0.02;

/// Under which settings the written number is the stated one, and why not under all.
pub(crate) fn compare(key: &NumberKey, written: &Quantity, context: Context<'_>) -> (Grant, Option<Reason>) {
    let mut best = (NEVER, None);
    let is_turned = context.ignores_sign && written.value.signum() != key.stated.value.signum();
    let turned = Quantity { value: -written.value, ..written.clone() };
    let written = if is_turned { &turned } else { written };
    for (value, limit, reason) in readings(key, written, context) {
        let (grant, why) = value_grant(key, value, written, context);
        let capped = grant.min(limit);
        let why = if grant == NEVER { why } else { reason.clone().filter(|_| capped < ALWAYS).or(why) };
        if (capped, why.is_some()) > (best.0, best.1.is_some()) {
            best = (capped, why);
        }
        if limit == NEVER && grant > NEVER && best.0 == NEVER {
            best = (NEVER, reason);
        }
    }
    let (form, why) = form_grant(key, written, context);
    if best.0 > form { (form, Some(why)) } else { best }
}

/// The values that the written number can stand for in the key's unit, each with its limit.
fn readings(key: &NumberKey, written: &Quantity, context: Context<'_>) -> Vec<(f64, Grant, Option<Reason>)> {
    let key_percent = key.stated.form == Form::Percent;
    let written_percent = written.form == Form::Percent;
    if key_percent != written_percent {
        return percent_readings(key_percent, written, context);
    }
    let Some(wanted) = key.stated.unit else { return vec![(written.value, ALWAYS, None)] };
    if context.rules.ignore_units {
        return vec![(written.value, ALWAYS, None)];
    }
    let given_by_question = context.demands.unit.is_some_and(|unit| unit.is_same(wanted));
    match written.unit {
        None => {
            let free = key.stated.unit_in_brackets || given_by_question;
            let limit = match (free, context.rules.require_units) {
                (true, _) => ALWAYS,
                (false, false) => STANDARD,
                (false, true) => LENIENT,
            };
            vec![(written.value, limit, (!free).then_some(Reason::UnitMissing))]
        }
        Some(unit) if unit.is_coulomb() && wanted.is_celsius() => {
            vec![(written.value, STANDARD, Some(Reason::UnitWrong))]
        }
        Some(unit) => match wanted.convert_from(written.value, unit) {
            Some(value) if given_by_question && !unit.is_same(wanted) => {
                vec![(value, LENIENT, Some(Reason::UnitWrong))]
            }
            Some(value) => vec![(value, ALWAYS, None)],
            None => vec![(written.value, NEVER, Some(Reason::UnitWrong))],
        },
    }
}

/// "25" for "25%" and "25%" for "0.25".
fn percent_readings(
    key_percent: bool,
    written: &Quantity,
    context: Context<'_>,
) -> Vec<(f64, Grant, Option<Reason>)> {
    let asked = context.demands.percentage;
    if key_percent {
        let sign_left_out = if asked || context.rules.ignore_units { ALWAYS } else { STANDARD };
        let as_decimal = if asked { LENIENT } else { STANDARD };
        vec![
            (written.value / 100.0, sign_left_out, Some(Reason::UnitMissing)),
            (written.value, as_decimal, Some(Reason::Form)),
        ]
    } else {
        let as_number = if asked { ALWAYS } else { LENIENT };
        vec![(written.value, ALWAYS, None), (written.value * 100.0, as_number, Some(Reason::Form))]
    }
}

/// Whether the value is right, apart from its unit.
fn value_grant(
    key: &NumberKey,
    value: f64,
    written: &Quantity,
    context: Context<'_>,
) -> (Grant, Option<Reason>) {
    let stated = key.stated.value;
    if let Some(range) = &key.range {
        let slack = (range.end() - range.start()).abs() * 1e-9;
        let inside = (range.start() - slack..=range.end() + slack).contains(&value);
        return if inside { (ALWAYS, None) } else { (NEVER, Some(Reason::OtherValue)) };
    }
    if is_equal(value, stated) {
        return (figures_grant(written, context), Some(Reason::Figures));
    }
    if context.exact_only {
        return (NEVER, Some(Reason::OtherValue));
    }
    let difference = (value - stated).abs();
    let step = step(&key.stated);
    if difference <= step / 2.0 * (1.0 + 1e-9) && written_finer(written, key) {
        let close = difference <= stated.abs() * ROUNDING_SHARE && !is_round(&key.stated);
        let rounded_key = key.rounds || (close && rounds_freely(&key.stated));
        if rounded_key {
            return (figures_grant(written, context), Some(Reason::Figures));
        }
        let grant = if rounds_freely(&key.stated) { LENIENT } else { NEVER };
        return (grant, Some(Reason::Figures));
    }
    fewer_figures(key, value, written, context)
}

/// The written number has fewer figures than the stated one, and is the stated one rounded.
fn fewer_figures(
    key: &NumberKey,
    value: f64,
    written: &Quantity,
    context: Context<'_>,
) -> (Grant, Option<Reason>) {
    let stated = key.stated.value;
    let rounded = matches!(written.form, Form::Decimal | Form::Standard { .. } | Form::Integer)
        && (value - stated).abs() <= step_of(value, written) / 2.0 * (1.0 + 1e-9);
    if !rounded || written.figures >= key.stated.figures || key.stated.unit.is_some_and(super::Unit::is_money)
    {
        return (NEVER, Some(Reason::OtherValue));
    }
    if key.figures_enough.is_some_and(|enough| written.figures >= enough) {
        return (ALWAYS, None);
    }
    let asked = context.demands.figures.is_some() || context.demands.places.is_some();
    let grant = match written.figures {
        _ if context.rules.strict_figures => NEVER,
        _ if context.rules.free_figures => STANDARD,
        0 | 1 => NEVER,
        2 => LENIENT,
        _ if key.rounds || asked => LENIENT,
        _ => STANDARD,
    };
    (grant, Some(Reason::Figures))
}

fn is_equal(value: f64, stated: f64) -> bool {
    (value - stated).abs() <= stated.abs().max(1e-300) * 1e-9 || value == stated
}

/// Whether the question's demand for figures is met by a number that is right in value.
fn figures_grant(written: &Quantity, context: Context<'_>) -> Grant {
    let demands = context.demands;
    if context.rules.free_figures {
        return ALWAYS;
    }
    let decimal = matches!(written.form, Form::Decimal | Form::Standard { .. } | Form::Integer);
    let too_many = demands.figures.is_some_and(|figures| decimal && needed_figures(written) > figures)
        || demands
            .places
            .is_some_and(|places| written.form == Form::Decimal && needed_places(written) > places)
        || demands.nearest.is_some_and(|nearest| {
            (written.value / nearest).fract().abs().min(1.0 - (written.value / nearest).fract().abs()) > 1e-6
        });
    if too_many {
        return LENIENT;
    }
    let too_few =
        demands.figures.is_some_and(|figures| written.form == Form::Decimal && written.figures < figures)
            || demands.places.is_some_and(|places| written.form == Form::Decimal && written.places < places)
            || (written.unit.is_some_and(super::Unit::is_money) && written.places == 1);
    match (too_few, context.rules.strict_figures) {
        (true, true) => LENIENT,
        (true, false) => STANDARD,
        (false, _) => ALWAYS,
    }
}

/// Figures that are not just trailing noughts of a whole number.
fn needed_figures(written: &Quantity) -> u32 {
    if written.form != Form::Integer {
        return written.figures;
    }
    let mut value = written.value.abs();
    let mut figures = written.figures;
    while figures > 1 && value != 0.0 && value % 10.0 == 0.0 {
        value /= 10.0;
        figures -= 1;
    }
    figures
}

fn needed_places(written: &Quantity) -> u32 {
    written.places
}

/// "0.25" and "2.5" without a unit are meant as they stand; "0.67" is two thirds rounded.
fn is_round(stated: &Quantity) -> bool {
    let last_digit = (stated.value.abs() * 10_f64.powi(stated.places as i32)).round() % 5.0;
    stated.form == Form::Decimal && stated.unit.is_none() && stated.figures <= 2 && last_digit == 0.0
}

/// The last figure's worth of a stated number.
fn step(stated: &Quantity) -> f64 {
    match stated.form {
        Form::Integer | Form::Word => 1.0,
        Form::Percent => 10_f64.powi(-(stated.places as i32)) / 100.0,
        Form::Decimal => 10_f64.powi(-(stated.places as i32)),
        Form::Standard { .. } => step_of(stated.value, stated),
        // A recurring decimal or a fraction is exact; three figures of it are taken for it.
        Form::Recurring | Form::Fraction { .. } | Form::Mixed { .. } => magnitude(stated.value) / 100.0,
    }
}

/// The last figure's worth of a number with these figures.
fn step_of(value: f64, written: &Quantity) -> f64 {
    magnitude(value) / 10_f64.powi(written.figures.saturating_sub(1).min(300) as i32)
}

/// The power of ten at or below a value.
fn magnitude(value: f64) -> f64 {
    if value == 0.0 { 1.0 } else { 10_f64.powf(value.abs().log10().floor()) }
}

/// More figures than the key: only then can it round to the key.
fn written_finer(written: &Quantity, key: &NumberKey) -> bool {
    match key.stated.form {
        Form::Recurring | Form::Fraction { .. } | Form::Mixed { .. } => written.figures >= 3,
        _ => {
            written.figures > key.stated.figures
                || written.figures == u32::MAX
                || written.unit != key.stated.unit
        }
    }
}

/// A decimal may be a rounded value; a whole number is meant as it stands unless it is a measured one.
fn rounds_freely(stated: &Quantity) -> bool {
    let money = stated.unit.is_some_and(super::Unit::is_money);
    match stated.form {
        Form::Integer | Form::Word => stated.unit.is_some() && !money && stated.value.abs() >= 100.0,
        Form::Decimal | Form::Percent | Form::Standard { .. } => !money,
        Form::Recurring | Form::Fraction { .. } | Form::Mixed { .. } => true,
    }
}

/// Whether the number is in the form that was asked for.
fn form_grant(key: &NumberKey, written: &Quantity, context: Context<'_>) -> (Grant, Reason) {
    let demands = context.demands;
    let lowest = match written.form {
        Form::Fraction { numerator, denominator } | Form::Mixed { numerator, denominator, .. } => {
            greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) == 1
                && denominator != 1
        }
        _ => true,
    };
    let fraction = matches!(written.form, Form::Fraction { .. } | Form::Mixed { .. });
    let is_wanted = |asked: bool, met: bool| !asked || met || context.rules.accept_equivalents;
    let key_fraction = matches!(key.stated.form, Form::Fraction { .. } | Form::Mixed { .. });
    let met = is_wanted(demands.simplest, lowest)
        && is_wanted(demands.fraction && key_fraction, fraction)
        && is_wanted(demands.mixed_number, matches!(written.form, Form::Mixed { .. } | Form::Integer))
        && is_wanted(demands.decimal, !fraction)
        && is_wanted(
            demands.standard_form && matches!(key.stated.form, Form::Standard { .. }),
            matches!(written.form, Form::Standard { normal: true }),
        );
    (if met { ALWAYS } else { LENIENT }, Reason::Form)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
