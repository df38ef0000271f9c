//! Small closed lists: words without meaning of their own, and words that turn a meaning round.

use std::collections::HashSet;
use std::sync::LazyLock;

/// True for a word that says nothing by itself.
pub fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.contains(folded)
}

/// True for a word that turns the meaning of its clause round.
pub fn is_negation(folded: &str) -> bool {
    folded.ends_with("n't") || NEGATIONS.contains(&folded)
}

/// Written apart, without the apostrophe, and in the other languages of our instructions.
const NEGATIONS: [&str; 33] = [
    "not", "no", "never", "none", "cannot", "without", "neither", "nor", "nothing", "dont", "doesnt",
    "didnt", "isnt", "arent", "wasnt", "wont", "cant", "couldnt", "wouldnt", "hasnt", "havent", "lack",
    "lacks", "fails", "fail", "unable", "kein", "keine", "nicht", "ne", "pas", "非", "不",
];

static STOP_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    "a an the this that these those there here it its they them their he she his her him we us our you your i me \
     my of in on at by to from for with as into onto upon about over under than then so and or but if because \
     since while when where which who whom whose what how why is are was were be been being am do does did done \
     doing has have had having will would shall should can could may might must also just very more most some \
     any each every all both such only own same too s t e g ie eg etc because therefore hence thus"
        .split_whitespace()
        .collect()
});
