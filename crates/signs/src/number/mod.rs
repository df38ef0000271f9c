//! Numbers with their units, as they are written.

mod bound;
mod quantity;
mod scan;
mod separators;
mod unit;
mod unit_table;

pub use bound::{Bound, bound_before};
pub use quantity::{Form, Quantity};
pub use separators::Separators;
pub use unit::Unit;
