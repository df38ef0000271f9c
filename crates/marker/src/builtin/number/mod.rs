//! Numbers with units: read, compared and marked as an examiner would.

mod compare;
mod judge;
mod key;
mod misread;
mod ratio;
mod said;

pub(crate) use compare::{Context, compare};
pub(crate) use judge::{final_value, judge, results};
pub(crate) use key::NumberKey;
pub(crate) use misread::decimals_joined;
pub(crate) use ratio::{Ratio, TimeOfDay};
pub(crate) use said::{decisive, says, says_between};
pub(crate) use signs::number::{Form, Quantity, Unit};
