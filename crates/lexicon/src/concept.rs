//! What words can mean to a reader of papers, schemes and answers.

/// What a word or a phrase means. Each rule names one of these and no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Concept {
    /// Counts marks: "marks", "Punkte", "pts".
    MarkUnit,
    /// Counts marks only in brackets or glued to its number: "m", "p".
    ShortUnit,
    /// Sums up: "total", "Gesamt".
    Total,
    /// May stand in a statement about marks besides its numbers: "for", "is".
    MarkFiller,
    /// Announces a question's number: "Question", "Aufgabe".
    Label,
    /// Stands glued to a number that such a word follows: the "ª" of "1ª Questão".
    OrdinalEnding,
    /// Of those words the ones that ask: "Question 2" may count the parts of "Exercise 1", not the other way round.
    AskingLabel,
    /// Heads what of the syllabus a question tests, which is no answer: "Wymagania ogólne".
    SyllabusHeading,
    /// Heads what is given for an answer, or the answer itself, below such a list: "Schemat punktowania".
    AnswerHeading,
    /// Heads questions of one kind, which may count from 1 again: "Multiple Choice".
    KindHeading,
    /// Heads what examiners report of a cohort, which is no answer: "Comments of examiners".
    ReportHeading,
    /// Speaks of several questions: "questions", "Aufgaben".
    Questions,
    /// May stand before such a word in a heading: "Basic question 3".
    LabelAdjective,
    /// Names a question beyond the paper's total: "bonus", "extra credit".
    Bonus,
    /// Names the parts of a question, of which each has its price: "apartado", "part".
    QuestionPart,
    /// Names a section: "Section", "Teil".
    Section,
    /// Of those words the ones that are named with a question where each counts from 1: "Grupo II, 3".
    Group,
    /// Before the total of what was named: "is marked out of".
    MarkedOutOf,
    /// Names the whole: "paper", "exam", "Klausur".
    WholePaper,
    /// "each", "je", "chacun"
    Each,
    /// "per", "pro": so much for each.
    Per,
    /// "for", before what earns marks.
    For,
    /// Stands before what is named for itself: "la" of "1 punto por la fórmula" tells it from "por respuesta".
    Article,
    /// "award", "give": asks examiners to give marks.
    Award,
    /// "any"
    Any,
    /// "all", "every"
    All,
    /// "either", before two of which one is to be chosen.
    Either,
    /// "or" on a line of its own.
    Or,
    /// "and"
    And,
    /// "max", "höchstens"
    Most,
    /// Between how many count and what they are chosen from: "two from", "deux parmi".
    PickFrom,
    /// The same, where "the following" must follow: "two of the following", "zwei der folgenden".
    PickOf,
    /// Points at the list below: "following", "suivants".
    Following,
    /// Between the first and the last number of several: "1 to 5", "1 bis 5".
    RangeTo,
    /// "page"
    Page,
    /// "of", between a page and how many there are.
    Of,
    /// Says that a question goes on: "continued".
    Continued,
    /// Leads to what a question is about: "read", "study".
    Consult,
    /// Asks to choose which questions to answer: "answer", "attempt".
    Attempt,
    /// Stands before a label that is only spoken of: "in (a)", "part (b)".
    SpokenOf,
    /// Stands before the number of something that is pointed at: "figure 2".
    Pointed,
    /// Before the word for questions that are not named: "two other questions".
    Others,
    /// The first word of a question that asks for something: "state", "nenne".
    Command,
    /// May stand before such a word and means something else elsewhere: "si calcoli".
    CommandLead,
    /// Asks to choose the right answers of those that are offered: "multiple choice", "circle the correct answer".
    AsksChoice,
    /// Offers what follows to choose one of: "one of the following topics".
    OffersOne,
    /// Asks for a drawing.
    AsksDrawing,
    /// Asks for an essay.
    AsksEssay,
    /// Asks for algebra, an equation or a formula.
    AsksExpression,
    /// Asks for a number.
    AsksNumber,
    /// Printed for the printer or the candidate, a whole line: "turn over".
    Notice,
    /// Such a line after the last question: "end of paper".
    PaperEnd,
    /// Before the name of what ends: "end of".
    EndOf,
    /// Heads the instructions on a cover: "Instructions", "Hinweise".
    InstructionsHeading,
    /// Begins or fills an instruction to candidates: "write your name".
    Instruction,
    /// Ends the instructions: "do not open this booklet".
    CoverNotice,
    /// Before the number of the paper's total: "the total mark for this paper is".
    PaperTotal,
    /// The same, at the beginning of a line only: "total:".
    PaperTotalAtStart,
    /// Before the box for what was earned of all: "score", "résultat".
    ScoreBox,
    /// How long an examination takes: "hours", "min".
    Duration,
    /// Says what a paper is worth: "worth", "out of".
    Worth,
    /// "in total", "altogether"
    Altogether,
    /// Names a section where a capital numeral and a title stand behind it: "Test I. Multiple Choice".
    SectionOfTests,
    /// Before marks for how an answer is written: "SPaG 4 marks".
    SpellingMarks,
    /// Says that all must be answered: "compulsory".
    Compulsory,
    /// Before the fewest of something: "at least".
    AtLeast,
    /// Before a sum: "a total of".
    SumOf,
    /// Sums of less than a paper and more than a question: "section total".
    PartTotal,
    /// A level of response: "Level", "Band".
    Level,
    /// Names what a text is rated by: "criteria".
    Criteria,
    /// Begins what an answer may contain: "indicative content".
    Content,
    /// Begins what earns nothing: "0 marks".
    EarnsNothing,
    /// Heads a scheme's column of labels.
    LabelColumn,
    /// Heads a scheme's column of answers.
    AnswerColumn,
    /// Heads a scheme's column of marks.
    MarksColumn,
    /// Heads a scheme's column of guidance.
    GuidanceColumn,
    /// Heads a column that earns nothing: assessment objectives and the like.
    OtherColumn,
    /// Heads a column of answers that candidates might give, each with its marks.
    ExampleColumn,
    /// Begins an answer: "Answer:", "Lösung:".
    AnswerLead,
    /// Begins a solution in a paper with its answers: "Solution", "Proof".
    SolutionLead,
    /// Heads a scheme's notes.
    NotesHeading,
    /// Counts ways to the same marks: "Option 2", "Method 1".
    WayHeading,
    /// Points at the solution that stands above several parts: "using the solution above".
    SeesAbove,
    /// Asks examiners to accept a wording.
    Accept,
    /// Asks examiners to reject a wording.
    Reject,
    /// Asks examiners to ignore a wording.
    Ignore,
    /// Begins a line that lets in what a scheme does not list: "any other valid reason".
    OpenEnd,
    /// Begins what answers follow: "possible answers", "mögliche Antworten".
    Announces,
    /// Speaks of marking and of how good an answer is: "correct", "Punkte", "réponse".
    Rates,
    /// Stands beside such words and says nothing of a subject by itself: "each", "für", "une".
    RatesBeside,
    /// General instructions to examiners.
    ToExaminers,
    /// The same, where it stands on a page before the answers: it heads a column of a table as well.
    ToExaminersFirst,
    /// Names an assessment objective, before its number: "AO" of "AO1".
    Objective,
    /// Names a mark that the result of a solution earns: "answer", "Ergebnis".
    NamesResult,
    /// Names a mark that only a sentence earns: "reason", "Begründung".
    NamesSentence,
    /// Stands between a claim and its reason: "because", "weil".
    Because,
    /// Begins a line of a solution that goes on from the one before: "hence", "daraus".
    GoesOn,
    /// What earns marks each: "correct answer", "bonne réponse".
    RightAnswer,
    /// A verdict on a statement: "true", "false".
    Verdict,
    /// Names a document that answers another: "mark scheme", "Musterlösung".
    SchemeTitle,
}
