//! Papers and schemes in the styles of many boards, written for these tests.

use crate::reading::{RIGHT, assert_holds, key, leaves, read};
use crate::sheet::Sheet;
use domain::marks::Marks;

#[test]
fn digits_in_boxes_with_marks_in_square_brackets() {
    let mut paper = Sheet::new();
    for (y, label, text, marks) in [
        (120.0, ["0", "1", ".", "1"], "Name the part of the cell that holds the DNA.", "[1 mark]"),
        (220.0, ["0", "1", ".", "2"], "Describe how water moves into the cell.", "[3 marks]"),
        (340.0, ["0", "2", ".", "1"], "Calculate the mean of the three readings.", "[2 marks]"),
    ] {
        for (index, digit) in label.iter().enumerate() {
            paper.text(50.0 + 14.0 * index as f32, y, digit);
        }
        paper.text(120.0, y, text);
        paper.bold(RIGHT - 40.0, y + 16.0, marks);
    }
    let mut scheme = Sheet::new();
    let xs = [50.0, 110.0, 300.0, 430.0, 480.0, 540.0];
    scheme.grid(&xs, &[60.0, 84.0, 120.0, 190.0, 230.0]);
    for (x, head) in xs.iter().zip(["Question", "Answers", "Extra information", "Mark", "AO"]) {
        scheme.bold(x + 4.0, 76.0, head);
    }
    scheme
        .text(54.0, 100.0, "01.1")
        .text(114.0, 100.0, "nucleus")
        .text(434.0, 100.0, "1")
        .text(484.0, 100.0, "AO1");
    scheme.text(54.0, 136.0, "01.2").text(114.0, 136.0, "by osmosis").text(434.0, 136.0, "1");
    scheme.text(304.0, 136.0, "allow diffusion of water");
    scheme.text(114.0, 152.0, "through a partially permeable").text(434.0, 152.0, "1");
    scheme.text(114.0, 166.0, "membrane");
    scheme.text(114.0, 182.0, "from dilute to concentrated").text(434.0, 182.0, "1");
    scheme.text(54.0, 206.0, "02.1").text(114.0, 206.0, "(4 + 5 + 6) / 3 = 5").text(434.0, 206.0, "2");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1.1:1", "1.2:3", "2.1:2"]);
    assert_holds(&key(&reading, "1", "1.1"), &["nucleus"]);
    assert_holds(&key(&reading, "1", "1.2"), &["osmosis", "membrane", "concentrated"]);
    let points = &reading.questions[0].parts[1].answer_key.as_ref().unwrap().points;
    assert_eq!(points.len(), 3, "{points:?}");
}

#[test]
fn a_label_in_three_columns_without_brackets() {
    let mut paper = Sheet::new();
    paper.lines(
        100.0,
        &[
            (50.0, "1   A student heats a metal block."),
            (66.0, "(a)   (i)   State the unit of energy."),
            (98.0, "(ii)   Explain why the block is wrapped in wool."),
            (66.0, "(b)   Suggest one way to improve the experiment."),
            (50.0, "2   Describe how a thermistor works."),
        ],
    );
    for (y, marks) in [(116.0, "[1]"), (132.0, "[2]"), (148.0, "[1]"), (164.0, "[3]")] {
        paper.text(RIGHT, y, marks);
    }
    let mut scheme = Sheet::new();
    scheme.grid(&[50.0, 70.0, 90.0, 110.0, 330.0, 380.0, 540.0], &[60.0, 84.0, 120.0, 160.0, 190.0, 230.0]);
    scheme.bold(52.0, 76.0, "Question").bold(114.0, 76.0, "Answer").bold(334.0, 76.0, "Mark");
    scheme.bold(384.0, 76.0, "Guidance");
    scheme.text(54.0, 100.0, "1").text(74.0, 100.0, "a").text(94.0, 100.0, "i").text(114.0, 100.0, "joule");
    scheme.text(340.0, 100.0, "1").text(384.0, 100.0, "ACCEPT J");
    scheme.text(94.0, 136.0, "ii").text(114.0, 136.0, "wool insulates;").text(340.0, 136.0, "2");
    scheme.text(114.0, 150.0, "less energy is lost;");
    scheme.text(74.0, 176.0, "b").text(114.0, 176.0, "repeat and take a mean").text(340.0, 176.0, "1");
    scheme
        .text(54.0, 206.0, "2")
        .text(114.0, 206.0, "resistance falls as temperature rises")
        .text(340.0, 206.0, "3");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1(a)(i):1", "1(a)(ii):2", "1(b):1", "2:3"]);
    let part = &reading.questions[0].parts[0];
    assert_eq!(part.answer_key.as_ref().unwrap().points[0].accept, ["J"]);
    let points = &reading.questions[0].parts[1].answer_key.as_ref().unwrap().points;
    assert_eq!(points.len(), 2, "{points:?}");
    assert_holds(&key(&reading, "2", ""), &["resistance", "falls"]);
}

#[test]
fn a_label_beside_the_middle_of_rows_whose_second_column_has_no_name() {
    let mut paper = Sheet::new();
    paper.lines(100.0, &[(50.0, "1   Name the river."), (50.0, "2   Translate the letter into English.")]);
    paper.text(RIGHT, 100.0, "[1]").text(RIGHT, 116.0, "[4]");
    let mut scheme = Sheet::new();
    let header = |scheme: &mut Sheet| {
        scheme.bold(52.0, 76.0, "Question").bold(254.0, 76.0, "Key idea").bold(434.0, 76.0, "Mark");
    };
    scheme.grid(&[50.0, 110.0, 250.0, 430.0, 480.0], &[60.0, 84.0, 110.0]);
    header(&mut scheme);
    scheme.text(54.0, 100.0, "1").text(254.0, 100.0, "the Arno").text(434.0, 100.0, "1");
    scheme.page();
    header(&mut scheme);
    // One cell holds the label of all rows.
    scheme.grid(&[50.0, 110.0], &[60.0, 84.0, 188.0]);
    scheme.grid(&[110.0, 250.0, 430.0, 480.0], &[60.0, 84.0, 110.0, 136.0, 162.0, 188.0]);
    let rows = [
        ("Da cinque anni abito qui", "I have lived here for five years"),
        ("dove non piove mai.", "where it never rains"),
        ("Domani parto", "Tomorrow I leave"),
        ("per un anno.", "for a year"),
    ];
    for (index, (asked, said)) in rows.iter().enumerate() {
        let y = 100.0 + 26.0 * index as f32;
        scheme.text(114.0, y, asked).text(254.0, y, said).text(434.0, y, "1");
    }
    scheme.text(54.0, 140.0, "2");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:1", "2:4"]);
    assert_eq!(key(&reading, "1", "").trim(), "the Arno");
    assert_holds(&key(&reading, "2", ""), &["five years", "never rains", "Tomorrow", "for a year"]);
}

#[test]
fn maximum_marks_at_the_head_and_marks_beside_running_solutions() {
    let mut paper = Sheet::new();
    paper.bold(50.0, 60.0, "The maximum mark for this examination paper is 9.");
    paper.lines(
        100.0,
        &[
            (50.0, "1.   [Maximum mark: 5]"),
            (75.0, "Consider the function f with f(x) = 2x + 6."),
            (75.0, "(a)   Find the zero of f."),
            (75.0, "(b)   Find the inverse of f."),
            (50.0, "2.   [Maximum mark: 4]"),
            (75.0, "Solve the equation 3x = 12 and explain each step."),
        ],
    );
    paper.text(RIGHT, 132.0, "[2]").text(RIGHT, 148.0, "[3]");
    let mut scheme = Sheet::new();
    scheme.lines(
        100.0,
        &[
            (50.0, "1.   (a)   setting the function equal to zero"),
            (90.0, "zero is -3"),
            (430.0, "[2 marks]"),
            (70.0, "(b)   interchanging the variables"),
            (90.0, "inverse is half of x minus three"),
            (430.0, "[3 marks]"),
            (50.0, "2.   dividing both sides by three"),
            (90.0, "x equals four"),
            (430.0, "[4 marks]"),
        ],
    );
    scheme
        .text(450.0, 100.0, "(M1)")
        .text(450.0, 116.0, "A1")
        .text(450.0, 148.0, "(M1)")
        .text(450.0, 164.0, "A2");
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1(a):2", "1(b):3", "2:4"]);
    assert_eq!(reading.total.map(Marks::as_number), Some(9.0));
    assert_holds(&key(&reading, "1", "(b)"), &["interchanging", "inverse"]);
    assert_holds(&key(&reading, "2", ""), &["dividing", "four"]);
    assert_eq!(reading.warnings, []);
}

#[test]
fn decimal_numbers_with_marks_in_round_brackets_and_totals_in_square_ones() {
    let mut paper = Sheet::new();
    paper.lines(
        60.0,
        &[
            (50.0, "INSTRUCTIONS AND INFORMATION"),
            (50.0, "1.   Answer ALL the questions."),
            (50.0, "2.   Number the answers correctly."),
            (50.0, "3.   Write neatly and legibly."),
        ],
    );
    paper.page().bold(250.0, 60.0, "QUESTION 1");
    paper.lines(
        90.0,
        &[
            (50.0, "1.1     Choose the correct answer for each question."),
            (50.0, "1.1.1     The capital of a country is its ..."),
            (110.0, "A   largest city"),
            (110.0, "B   seat of government"),
            (110.0, "C   oldest city"),
            (110.0, "D   main harbour"),
            (50.0, "1.1.2     Name the line at zero degrees latitude."),
            (50.0, "1.2     Explain what a delta is."),
        ],
    );
    paper
        .text(RIGHT, 170.0, "(2)")
        .text(RIGHT, 186.0, "(1)")
        .text(RIGHT, 202.0, "(4)")
        .text(RIGHT, 222.0, "[7]");
    paper.bold(250.0, 260.0, "QUESTION 2");
    paper.lines(
        290.0,
        &[(50.0, "2.1     Define the term erosion."), (50.0, "2.2     Describe TWO causes of floods.")],
    );
    paper.text(RIGHT, 290.0, "(2)").text(RIGHT, 306.0, "(4)").text(RIGHT, 326.0, "[6]");
    paper.text(460.0, 360.0, "TOTAL: 13");
    let mut scheme = Sheet::new();
    scheme.lines(
        80.0,
        &[
            (50.0, "QUESTION 1"),
            (50.0, "1.1.1     B"),
            (50.0, "1.1.2     equator"),
            (50.0, "1.2     sediment is dropped where a river meets the sea"),
            (50.0, "QUESTION 2"),
            (50.0, "2.1     wearing away of land by water or wind"),
            (50.0, "2.2     heavy rain / melting snow / blocked drains"),
        ],
    );
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1.1.1:2", "1.1.2:1", "1.2:4", "2.1:2", "2.2:4"]);
    assert_eq!(reading.total.map(Marks::as_number), Some(13.0));
    assert_eq!(reading.questions[0].parts[0].options.len(), 4);
    assert_holds(&key(&reading, "1", "1.1.2"), &["equator"]);
    assert_holds(&key(&reading, "2", "2.2"), &["melting snow"]);
    assert_eq!(reading.warnings, []);
}

#[test]
fn lettered_options_and_sections_with_marks_for_each_question() {
    let mut paper = Sheet::new();
    paper.text(50.0, 50.0, "Maximum Marks: 7");
    paper.bold(250.0, 80.0, "SECTION A");
    paper.text(50.0, 100.0, "This section has 2 questions of 1 mark each.");
    paper.lines(
        130.0,
        &[
            (50.0, "1.   Which gas do plants take in during the day?"),
            (70.0, "(a) oxygen        (b) carbon dioxide"),
            (70.0, "(c) nitrogen        (d) argon"),
            (50.0, "2.   The speed of light is greatest in"),
            (70.0, "(a) water"),
            (70.0, "(b) glass"),
            (70.0, "(c) vacuum"),
            (70.0, "(d) diamond"),
        ],
    );
    paper.bold(250.0, 280.0, "SECTION B");
    paper.text(50.0, 300.0, "This section has 1 question of 5 marks each.");
    paper.text(50.0, 330.0, "3.   Explain how a transformer works, with a labelled diagram.");
    let mut scheme = Sheet::new();
    scheme.lines(
        80.0,
        &[
            (50.0, "1.   (b) carbon dioxide"),
            (50.0, "2.   (c) vacuum"),
            (50.0, "3.   An alternating current in the primary coil makes a changing field"),
            (70.0, "which induces a voltage in the secondary coil."),
        ],
    );
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:1", "2:1", "3:5"]);
    assert_eq!(reading.questions[1].options.len(), 4);
    assert_eq!(reading.questions[1].options[2].text, "vacuum");
    assert_holds(&key(&reading, "1", ""), &["b"]);
    assert_holds(&key(&reading, "3", ""), &["primary", "secondary"]);
}

#[test]
fn problems_with_points_and_solutions_in_prose() {
    let mut paper = Sheet::new();
    paper.lines(
        60.0,
        &[
            (50.0, "Introduction to Algorithms: final examination"),
            (50.0, "You have two hours. The exam is worth 30 points in total."),
            (50.0, "Problem 1 (10 points). Define a stable sort and give an example."),
            (50.0, "Problem 2 (20 points)."),
            (50.0, "(a) (8 points) Show that merging two sorted lists takes linear time."),
            (50.0, "(b) (12 points) State the recurrence of merge sort and solve it."),
        ],
    );
    let mut scheme = Sheet::new();
    scheme.lines(
        60.0,
        &[
            (50.0, "Solutions"),
            (50.0, "Problem 1. A sort is stable when equal keys keep their order; insertion sort is."),
            (50.0, "Problem 2."),
            (50.0, "(a) Each comparison moves one element to the output, so n comparisons suffice."),
            (50.0, "(b) T(n) = 2T(n/2) + n, which solves to n log n."),
        ],
    );
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:10", "2(a):8", "2(b):12"]);
    assert_eq!(reading.total.map(Marks::as_number), Some(30.0));
    assert_holds(&key(&reading, "1", ""), &["equal", "keys", "insertion"]);
    assert_holds(&key(&reading, "2", "(a)"), &["comparison", "output"]);
    assert_holds(&key(&reading, "2", "(b)"), &["log"]);
    assert_eq!(reading.warnings, []);
}

#[test]
fn two_columns_are_read_one_after_the_other() {
    let mut paper = Sheet::new();
    paper.bold(180.0, 50.0, "Revision test: answer all questions on this sheet");
    for (column, first) in [(50.0, 1), (310.0, 3)] {
        for (row, question) in [(0.0, first), (1.0, first + 1)] {
            let y = 90.0 + 110.0 * row;
            paper.text(column, y, &format!("{question}.  Explain in your own words why the"));
            paper.text(column + 16.0, y + 16.0, "season changes when the tilt of the");
            paper.text(column + 16.0, y + 32.0, "axis stays the same all year round");
            paper.text(column + 16.0, y + 48.0, "and what this means for harvests.");
            paper.text(column + 190.0, y + 64.0, "[4]");
        }
    }
    let mut scheme = Sheet::new();
    scheme.lines(60.0, &[(50.0, "1. first"), (50.0, "2. second"), (50.0, "3. third"), (50.0, "4. fourth")]);
    let reading = read(&paper, &scheme);
    assert_eq!(leaves(&reading), ["1:4", "2:4", "3:4", "4:4"]);
    assert_holds(&key(&reading, "3", ""), &["third"]);
}
