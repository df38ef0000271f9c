//! Words that join two others, with the spaces around them.

/// Joins what counts together.
pub const AND: &str = " and ";

/// Joins what goes for each other.
pub const OR: &str = " or ";

/// Leads from one to the other.
pub const TO: &str = " to ";

/// Says what something is.
pub const IS: &str = " is ";

/// Leads to a condition.
pub const WHERE: &str = " where ";

/// Stands between a part and its whole.
pub const OF: &str = " of ";

/// Stands before what is chosen from.
pub const FROM: &str = " from ";
