//! The rules by which a document is read, each with a name and, where it weighs, its weight.
//!
//! A label, a mark or a whole reading is accepted when the rules that speak for it outweigh those that
//! speak against it. Nothing else in this crate decides how much a rule counts.

macro_rules! rules {
    ($($rule:ident $about:literal;)*) => {
        /// A rule of reading.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = $about] $rule,)*
        }

        impl Rule {
            /// What it looks at, for people.
            pub const fn about(self) -> &'static str {
                match self { $(Rule::$rule => $about,)* }
            }
        }
    };
}

rules! {
    Print "The print of a label and its place on the line: \"Question 3\" is surer than \"3\".";
    Depth "A label with several levels, \"1(a)(ii)\", is surer than one with a single level.";
    Gap "Each label left out before this one costs.";
    LeftOut "One question left out between two that print their marks: withdrawn, or its sheet is missing.";
    Marked "The question before this label printed marks.";
    Unmarked "The question before this label printed no marks, though the paper prints them elsewhere.";
    Aligned "The label stands under others of its kind.";
    Restarted "A new section counts again.";
    PassedClear "A clear label was passed over.";
    PassedListed "An item of a list was passed over.";
    SharedWithScheme "The scheme has the same label.";
    NotInScheme "The scheme has most of the paper's labels, but not this one.";
    InsideInstructions "The label stands among the instructions to candidates.";
    EmptyRow "Nothing stands between the label and the next: a row of an answer sheet.";
    BesideText "The number of a line beside a passage, or a box for marks at the right edge.";
    Unannounced "The question's number stands without the word that announces the others.";
    ListedRow "A row of a list of questions: the same word and the next number right below.";
    OtherPrint "The label is printed in another way than those before it: \"b)\" after \"(a)\".";
    LetterOfSeries "\"(i)\" after \"(h)\" goes on with the letters.";
    TornList "\"(f)\" goes on with the question's letters, though it ends a list \"(a)\" to \"(f)\" that was passed over.";
    UnmarkedList "An item of a long list without marks.";
    InsideSolution "A deeper label after the words that begin a solution.";
    Furniture "Header, footer, page number or notice.";
    Marks "A statement about marks.";
    SectionHeading "The heading of a section.";
    Text "Text of the part above it.";
    Cover "What stands before the first question.";
    TotalMet "A printed total is met.";
    TotalMissed "A printed total is missed.";
    KeyFound "Share of the leaves that have a key.";
    MarksFound "Share of the leaves that have marks.";
    CompleteLeaf "Each leaf that has both marks and a key.";
    Announced "The section says that it begins with this number.";
    SchemeCovered "Share of the scheme's labels that the paper has.";
    MissingLabel "Each number or letter missing in a sequence.";
    BehindCut "Share of the questions that go on behind the page where the scheme is said to begin.";
    AskedTwice "A part asks what another asks, word for word: the scheme was taken for questions.";
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
            // More than any print but a word that announces it.
            Rule::BesideText => -4.0,
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
