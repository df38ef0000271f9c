//! The rules by which a document is read, each with a name and, where it weighs, its weight.
//!
//! A label, a mark or a whole reading is accepted when the rules that speak for it outweigh those that
//! speak against it. Nothing else in this crate decides how much a rule counts.

/// A rule of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// The print of a label and its place on the line: "Question 3" is surer than "3".
    Print,
    /// A label with several levels, "1(a)(ii)", is surer than one with a single level.
    Depth,
    /// Each label left out before this one costs.
    Gap,
    /// One question left out between two that print their marks: withdrawn, or its sheet is missing.
    LeftOut,
    /// The question before this label printed marks.
    Marked,
    /// The question before this label printed no marks, though the paper prints them elsewhere.
    Unmarked,
    /// The label stands under others of its kind.
    Aligned,
    /// A new section counts again.
    Restarted,
    /// A clear label was passed over.
    PassedClear,
    /// An item of a list was passed over.
    PassedListed,
    /// The scheme has the same label.
    SharedWithScheme,
    /// The scheme has most of the paper's labels, but not this one.
    NotInScheme,
    /// The label stands among the instructions to candidates.
    InsideInstructions,
    /// Nothing stands between the label and the next: a row of an answer sheet.
    EmptyRow,
    /// The question's number stands without the word that announces the others.
    Unannounced,
    /// A row of a list of questions: the same word and the next number right below.
    ListedRow,
    /// The label is printed in another way than those before it: "b)" after "(a)".
    OtherPrint,
    /// "(i)" after "(h)" goes on with the letters.
    LetterOfSeries,
    /// "(f)" goes on with the question's letters, though it ends a list "(a)" to "(f)" that was passed over.
    TornList,
    /// An item of a long list without marks.
    UnmarkedList,
    /// A deeper label after the words that begin a solution.
    InsideSolution,
    /// Header, footer, page number or notice.
    Furniture,
    /// A statement about marks.
    Marks,
    /// The heading of a section.
    SectionHeading,
    /// Text of the part above it.
    Text,
    /// What stands before the first question.
    Cover,
    /// A printed total is met.
    TotalMet,
    /// A printed total is missed.
    TotalMissed,
    /// Share of the leaves that have a key.
    KeyFound,
    /// Share of the leaves that have marks.
    MarksFound,
    /// Each leaf that has both marks and a key.
    CompleteLeaf,
    /// The section says that it begins with this number.
    Announced,
    /// Share of the scheme's labels that the paper has.
    SchemeCovered,
    /// Each number or letter missing in a sequence.
    MissingLabel,
    /// Share of the questions that go on behind the page where the scheme is said to begin.
    BehindCut,
    /// A part asks what another asks, word for word: the scheme was taken for questions.
    AskedTwice,
}

impl Rule {
    /// What the rule weighs, where its weight does not follow from what it looks at.
    pub const fn weight(self) -> f32 {
        match self {
            // Half a point a level beyond the first: chance rarely makes two levels fit.
            Rule::Depth => 0.5,
            // More than any print is worth, so that a gap needs several labels behind it.
            Rule::Gap => -2.5,
            Rule::LeftOut => -0.8,
            // Marks before the next number make a question of a paragraph; none make it doubtful.
            Rule::Marked => 0.6,
            Rule::Unmarked => -1.3,
            Rule::Aligned => 0.3,
            // Counting again is rarer than going on.
            Rule::Restarted => -1.5,
            // Enough to break a tie, no more.
            Rule::PassedClear => -0.15,
            Rule::PassedListed => -0.05,
            // The scheme's word counts as much as good print; its silence as much as none.
            Rule::SharedWithScheme => 0.7,
            Rule::NotInScheme => -0.6,
            // Twice a gap: a paper that begins with question 4 does not count its instructions for 1 to 3.
            Rule::InsideInstructions => -5.0,
            Rule::EmptyRow => -2.0,
            // As much as a gap: a document that says "Question 1" does not fall silent at 13.
            Rule::Unannounced => -2.5,
            // More than the word is worth.
            Rule::ListedRow => -4.0,
            // Enough against a list inside a part, too little against a board that is careless.
            Rule::OtherPrint => -1.2,
            // Breaks a tie: "(ii)" behind it says otherwise.
            Rule::LetterOfSeries => 0.2,
            Rule::TornList => -2.5,
            // More than brackets are worth.
            Rule::UnmarkedList => -1.5,
            Rule::InsideSolution => -2.5,
            // A reading is judged by its totals first, then by its keys, marks and labels.
            Rule::TotalMet => 1.0,
            Rule::TotalMissed => -0.5,
            Rule::KeyFound => 3.0,
            Rule::MarksFound => 2.0,
            Rule::CompleteLeaf => 0.1,
            Rule::Announced => 0.5,
            Rule::SchemeCovered => 2.0,
            Rule::MissingLabel => -0.3,
            // More than the shares of keys and marks that rise when questions without them are left out.
            Rule::BehindCut => -6.0,
            // As much as a total that such a part may meet.
            Rule::AskedTwice => -1.0,
            Rule::Print | Rule::Furniture | Rule::Marks | Rule::SectionHeading | Rule::Text | Rule::Cover => {
                0.0
            }
        }
    }
}

/// A rule that spoke, and how much it counted.
pub type Reason = (Rule, f32);
