//! Words that compare, and what stands beside them.

use crate::Words;

/// Between what is compared.
pub const THAN: Words = Words::of(&["than"]);

/// Before where a way begins.
pub const FROM: Words = Words::of(&["from"]);

/// Before where it ends.
pub const TO: Words = Words::of(&["to", "into", "towards"]);

/// Between two of which one is offered.
pub const OR: Words = Words::of(&["or"]);

/// Words with which what is compared ends and something else begins.
pub const SIDE_ENDS: Words = Words::of(&["so", "because", "which", "but", "therefore", "as"]);

/// Words that compare and do not end as most of them do.
pub const COMPARATIVES: Words = Words::of(&["more", "less", "fewer", "better", "worse", "further"]);
