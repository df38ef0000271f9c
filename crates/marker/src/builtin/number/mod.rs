//! Numbers with units: read, compared and marked as an examiner would.

mod bound;
mod compare;
mod judge;
mod key;
mod misread;
mod quantity;
mod ratio;
mod said;
mod scan;
mod unit;
mod unit_table;

pub(crate) use compare::{Context, compare};
pub(crate) use judge::{final_value, judge, results};
pub(crate) use key::NumberKey;
pub(crate) use quantity::{Form, Quantity};
pub(crate) use ratio::{Ratio, TimeOfDay};
pub(crate) use said::{decisive, says};
pub(crate) use unit::Unit;
