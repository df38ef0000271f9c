//! Letters of Arabic script, and words that say a number by their own form.

/// Letters in the order in which they count.
pub const LETTERS: [&str; 10] = ["أ", "ب", "ج", "د", "ه", "و", "ز", "ح", "ط", "ي"];
/// Other ways to write some of them, each with its place: the first by its name or without its sign, the third with a
/// point, the fifth in the form that stands alone.
pub const OTHER_WAYS: [(&str, usize); 6] = [("ا", 0), ("الف", 0), ("إ", 0), ("چ", 2), ("هـ", 4), ("ھ", 4)];

/// Letters in the order of the forms that they are drawn in, each with how many it has.
pub const FORMS: [(&str, u32); 40] = [
    ("ء", 1),
    ("آ", 2),
    ("أ", 2),
    ("ؤ", 2),
    ("إ", 2),
    ("ئ", 4),
    ("ا", 2),
    ("ب", 4),
    ("ة", 2),
    ("ت", 4),
    ("ث", 4),
    ("ج", 4),
    ("ح", 4),
    ("خ", 4),
    ("د", 2),
    ("ذ", 2),
    ("ر", 2),
    ("ز", 2),
    ("س", 4),
    ("ش", 4),
    ("ص", 4),
    ("ض", 4),
    ("ط", 4),
    ("ظ", 4),
    ("ع", 4),
    ("غ", 4),
    ("ف", 4),
    ("ق", 4),
    ("ك", 4),
    ("ل", 4),
    ("م", 4),
    ("ن", 4),
    ("ه", 4),
    ("و", 2),
    ("ى", 2),
    ("ي", 4),
    ("لآ", 2),
    ("لأ", 2),
    ("لإ", 2),
    ("لا", 2),
];
/// Persian letters: where their forms begin, and how many each has.
pub const MORE_FORMS: [(u32, u32, &str); 6] = [
    (0xFB56, 4, "پ"),
    (0xFB7A, 4, "چ"),
    (0xFB8A, 2, "ژ"),
    (0xFB8E, 4, "ک"),
    (0xFB92, 4, "گ"),
    (0xFBFC, 4, "ی"),
];

/// Two marks in one word, each with the unit that it counts.
const TWO_MARKS: [(&str, &str); 6] = [
    ("علامتان", "علامات"),
    ("علامتين", "علامات"),
    ("درجتان", "درجات"),
    ("درجتين", "درجات"),
    ("نقطتان", "نقط"),
    ("نقطتين", "نقط"),
];
/// One mark, where the word stands alone in its brackets.
const ONE_MARK: [&str; 3] = ["علامة", "درجة", "نقطة"];
/// "One", behind them.
pub const ONE: &str = "واحدة";

/// The name of a column that says on which page of the book an answer stands.
pub const PAGE_OF_BOOK: [&str; 4] = ["رقم", "الصفحة", "في", "الكتاب"];

/// The unit of which a word says that there are two.
pub fn two_marks(word: &str) -> Option<&'static str> {
    TWO_MARKS.iter().find(|(own, _)| *own == word).map(|(_, unit)| *unit)
}

/// The unit of which a word says that there is one.
pub fn one_mark(word: &str) -> Option<&'static str> {
    ONE_MARK.iter().find(|own| **own == word).copied()
}

/// What a tick or a cross says of a statement.
pub fn verdict(sign: &str) -> Option<&'static str> {
    match sign {
        "√" | "✓" | "✔" => Some("صح"),
        "×" | "✗" | "✘" => Some("خطأ"),
        _ => None,
    }
}
