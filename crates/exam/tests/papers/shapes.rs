//! Choices, sections, answer grids, repeated questions and warnings.

use crate::reading::{RIGHT, assert_holds, key, leaves, read};
use crate::sheet::Sheet;
use exam::Warning;

#[test]
fn a_choice_of_questions_counts_once() {
    let mut paper = Sheet::new();
    paper.text(50.0, 40.0, "The total mark for this paper is 25.");
    paper.bold(250.0, 70.0, "Section A").text(220.0, 90.0, "Answer this question.");
    paper.text(50.0, 120.0, "1   Describe the main causes of the slump in trade.").text(RIGHT, 120.0, "[5]");
    paper.bold(250.0, 160.0, "Section B").text(220.0, 180.0, "Answer one question.");
    paper.text(50.0, 210.0, "2   Discuss whether tariffs protect jobs.").text(RIGHT, 210.0, "[20]");
    paper.text(50.0, 240.0, "3   Discuss whether subsidies harm consumers.").text(RIGHT, 240.0, "[20]");
    let mut scheme = Sheet::new();
    scheme.lines(
        60.0,
        &[
            (50.0, "1   fewer exports; less credit"),
            (50.0, "2   arguments for and against tariffs"),
            (50.0, "3   arguments for and against subsidies"),
        ],
    );
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:5", "2:20", "3:20"]);
    let groups: Vec<Option<&str>> =
        reading.questions.iter().map(|question| question.choice_group.as_deref()).collect();
    assert_eq!(groups, [None, Some("B"), Some("B")]);
    assert_eq!(reading.warnings, []);
}

#[test]
fn a_choice_over_all_sections_asks_for_one_of_each() {
    let mut paper = Sheet::new();
    paper.text(50.0, 40.0, "1 hour 40 minutes");
    paper.text(50.0, 60.0, "Answer two questions only, choosing at least one question from each section.");
    paper.bold(250.0, 100.0, "SECTION A");
    paper.text(150.0, 120.0, "Answer at least one question from this section.");
    paper.text(50.0, 150.0, "1.   Define agricultural extension.").text(RIGHT, 150.0, "[15 marks]");
    paper.bold(250.0, 190.0, "SECTION B");
    paper.text(150.0, 210.0, "Answer at least one question from this section.");
    paper.text(50.0, 240.0, "2.   Outline the production of maize.").text(RIGHT, 240.0, "[15 marks]");
    paper.text(50.0, 270.0, "3.   Mention the pests of stored grains.").text(RIGHT, 270.0, "[15 marks]");
    let mut scheme = Sheet::new();
    let keys = ["1.   better ways of work", "2.   planting and harvest", "3.   weevils and moths"];
    scheme.lines(60.0, &keys.map(|key| (50.0, key)));
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:15", "2:15", "3:15"]);
    let groups: Vec<Option<&str>> =
        reading.questions.iter().map(|question| question.choice_group.as_deref()).collect();
    assert!(groups[0].is_some() && groups.iter().all(|group| *group == groups[0]), "{groups:?}");
}

#[test]
fn a_multiple_choice_paper_with_a_key_in_columns() {
    let mut paper = Sheet::new();
    paper.text(50.0, 40.0, "There are four questions. Each correct answer will score one mark.");
    for question in 1..=4 {
        let y = 80.0 + 120.0 * (question - 1) as f32;
        paper.bold(50.0, y, &question.to_string());
        paper.text(74.0, y, "Which of these numbers is a multiple of the one above it in the list?");
        for (index, letter) in ["A", "B", "C", "D"].iter().enumerate() {
            paper.bold(74.0, y + 20.0 + 16.0 * index as f32, letter);
            paper.text(98.0, y + 20.0 + 16.0 * index as f32, &(3 * question + index).to_string());
        }
    }
    let mut scheme = Sheet::new();
    scheme.text(50.0, 60.0, "1.  C").text(150.0, 60.0, "3.  A");
    scheme.text(50.0, 80.0, "2.  B").text(150.0, 80.0, "4.  D");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:1", "2:1", "3:1", "4:1"]);
    let letters: Vec<String> = (1..=4).map(|number| key(&reading, &number.to_string(), "")).collect();
    assert_eq!(letters, ["C", "B", "A", "D"]);
    assert!(reading.questions.iter().all(|question| question.options.len() == 4));
    assert_eq!(reading.warnings, []);
}

#[test]
fn sections_may_count_from_one_again() {
    let mut paper = Sheet::new();
    paper.bold(250.0, 60.0, "Section A");
    paper.lines(90.0, &[(50.0, "1.  Name a primary colour. (1p)"), (50.0, "2.  Name a planet. (1p)")]);
    paper.bold(250.0, 150.0, "Section B");
    paper.lines(180.0, &[(50.0, "1.  Describe a rainbow. (4p)"), (50.0, "2.  Describe an eclipse. (4p)")]);
    let scheme = Sheet::new();
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:1", "2:1", "1:4", "2:4"]);
    assert_eq!(reading.warnings, [Warning::AnswerKeysMissing]);
}

#[test]
fn a_solution_sheet_that_repeats_the_questions() {
    let mut paper = Sheet::new();
    let questions = [
        (80.0, "Exercise 1. Prove that the sum of two even numbers is even."),
        (200.0, "Exercise 2. Give a graph with five vertices and no triangle."),
    ];
    for (y, text) in questions {
        paper.text(50.0, y, text);
    }
    let mut scheme = Sheet::new();
    for (y, text) in questions {
        scheme.text(50.0, y, text);
    }
    scheme.text(
        50.0,
        100.0,
        "Solution. Write the numbers as 2a and 2b; their sum is 2(a + b), which is even.",
    );
    scheme.text(50.0, 220.0, "Solution. The cycle of length five has no triangle.");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:?", "2:?"]);
    let first = key(&reading, "1", "");
    assert_holds(&first, &["2(a + b)"]);
    assert!(!first.contains("Prove that"), "{first}");
    assert_holds(&key(&reading, "2", ""), &["cycle"]);
}

#[test]
fn warnings_stand_exactly_when_true() {
    let mut paper = Sheet::new();
    paper.text(50.0, 40.0, "The total mark for this paper is 9.");
    paper.text(50.0, 100.0, "1   State the law of inertia in one sentence.").text(RIGHT, 100.0, "[2]");
    paper.text(50.0, 160.0, "2   Name the force that slows a falling leaf.").text(RIGHT, 160.0, "[1]");
    let mut scheme = Sheet::new();
    scheme.text(50.0, 60.0, "General marking guidance").text(50.0, 80.0, "Examiners should mark positively.");
    scheme.page().text(50.0, 60.0, "1   a body stays at rest or in motion unless a force acts");
    let reading = read(&paper, &scheme);
    let all =
        [Warning::QuestionsMayBeIncomplete, Warning::AnswerKeysMissing, Warning::SchemeInstructionsNotUsed];
    assert_eq!(reading.warnings, all);
}

#[test]
fn a_line_parts_columns_that_stand_close_together() {
    let mut paper = Sheet::new();
    for (column, x) in [(0, 31.0), (1, 301.0)] {
        for row in 0..3 {
            let y = 90.0 + 150.0 * row as f32;
            paper.bold(x, y, &format!("Question {}", 1 + 3 * column + row));
            paper.text(x, y + 16.0, "A wide river bends and leaves behind the sand it bore.");
            paper.text(x, y + 32.0, "Which of these is left?");
            for (index, letter) in ["A", "B", "C", "D"].iter().enumerate() {
                paper.text(x, y + 50.0 + 16.0 * index as f32, &format!("{letter} layer {index}"));
            }
        }
    }
    let width = crate::simple::width("A wide river bends and leaves behind the sand it bore.");
    assert!((290.0..297.0).contains(&(31.0 + width)), "the first column ends close to the line: {width}");
    paper.rule(298.0, 60.0, 298.0, 700.0);
    let scheme = Sheet::new();
    let reading = read(&paper, &scheme);
    let numbers: Vec<&str> = reading.questions.iter().map(|question| question.number.as_str()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6"]);
    assert!(reading.questions.iter().all(|question| question.options.len() == 4 && question.pages == [1]));
}

#[test]
fn labels_beside_the_middles_of_unruled_rows() {
    let mut paper = Sheet::new();
    let asked =
        ["Q1 (a) Say what rust is. [2]", "(b) Say how it is kept away. [2]", "Q2 Say what brass is. [2]"];
    for (line, y) in asked.iter().zip([60.0, 90.0, 120.0]) {
        paper.text(50.0, y, line);
    }
    let mut scheme = Sheet::new();
    scheme.text(60.0, 60.0, "Question").text(140.0, 60.0, "Solution").text(480.0, 60.0, "Marks");
    scheme.text(140.0, 84.0, "an oxide of iron that holds water").text(60.0, 91.0, "Q1 (a)");
    scheme.text(140.0, 98.0, "and flakes off");
    scheme.text(140.0, 120.0, "a coat of paint").text(60.0, 127.0, "Q1 (b)");
    scheme.text(140.0, 134.0, "or of zinc");
    scheme.text(140.0, 156.0, "copper with zinc").text(60.0, 156.0, "Q2");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1(a):2", "1(b):2", "2:2"]);
    assert_eq!(key(&reading, "1", "(a)"), "an oxide of iron that holds water and flakes off");
    assert_eq!(key(&reading, "1", "(b)"), "a coat of paint or of zinc");
    assert_eq!(key(&reading, "2", ""), "copper with zinc");
}
