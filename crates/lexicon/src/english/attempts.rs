//! How students take back what they wrote, and how they and schemes speak of several attempts.

use crate::Words;

/// With these a scheme says that earlier attempts count, too.
pub const OTHERS_COUNT: Words = Words::of(&[
    "first answer",
    "first attempt",
    "best attempt",
    "better attempt",
    "best answer",
    "all attempts",
]);

/// Says in brackets that something was struck out.
pub const STRUCK: Words = Words::of(&["crossed out", "scribbled out", "struck out", "deleted"]);

/// Words that take back all that came before them.
pub const ALL_BEFORE: Words = Words::of(&[
    "ignore the above",
    "ignore all of the above",
    "ignore what i wrote above",
    "scrap all that",
    "scrap the above",
    "start again:",
    "starting again:",
    "my final answer is:",
]);

/// Words that take back the statement before them.
pub const STATEMENT_BEFORE: Words = Words::of(&[
    "no wait",
    "no, wait",
    "wait no",
    "wait, no",
    "actually no",
    "actually, no",
    "oh no,",
    "scrap that",
    "ignore that",
    "cross that out",
    "correction:",
    "i take that back",
]);

/// Heads one of several attempts.
pub const HEADINGS: Words = Words::of(&[
    "attempt 1",
    "attempt 2",
    "attempt 3",
    "first attempt",
    "second attempt",
    "third attempt",
    "1st attempt",
    "2nd attempt",
    "2nd try",
    "second try",
]);

/// Begins the heading of the first attempt.
pub const FIRST: Words = Words::of(&["attempt 1", "first", "1st"]);
