//! What headings of Chinese papers say of the questions below them, set without spaces.

/// Names a section.
pub const PART: &str = "部分";
/// Before what each question is worth.
pub const EACH_QUESTION: &[&str] = &["每小题", "每题", "每道题", "每道", "各题"];
/// Before what each blank is worth.
pub const EACH_BLANK: &[&str] = &["每空", "每个空"];
/// Before what all of a section is worth.
pub const TOGETHER: &[&str] = &["共", "共计", "满分"];
/// The unit of marks, and the word that spreads them.
pub const POINTS_EACH: [&str; 2] = ["分", "每"];

/// What a tick or a cross says of a statement.
pub fn verdict(sign: &str) -> Option<&'static str> {
    match sign {
        "√" | "✓" | "✔" => Some("对"),
        "×" | "✗" | "✘" => Some("错"),
        _ => None,
    }
}
