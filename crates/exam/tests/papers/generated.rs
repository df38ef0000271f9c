//! Papers of random shape in many prints, each read back in full.

use crate::sheet::Sheet;
use crate::simple::width;
use proptest::prelude::*;
use reader::Options;

/// How a paper prints its labels and marks.
#[derive(Clone, Copy, Debug)]
struct Print {
    number: fn(usize) -> String,
    letter: fn(usize) -> String,
    roman: fn(usize) -> String,
    marks: fn(usize) -> String,
    place: Place,
    /// How far each level is indented.
    indent: f32,
}

/// Where marks stand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// On a line of their own.
    Below,
    /// At the right edge of the last line of text.
    Right,
    /// After the text's last word.
    Inline,
}

fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

const ROMAN: [&str; 4] = ["i", "ii", "iii", "iv"];

const PRINTS: &[Print] = &[
    Print {
        number: |n| n.to_string(),
        letter: |n| format!("({})", letter(n)),
        roman: |n| format!("({})", ROMAN[n]),
        marks: |n| format!("[{n}]"),
        place: Place::Right,
        indent: 22.0,
    },
    Print {
        number: |n| format!("{n}."),
        letter: |n| format!("({})", letter(n)),
        roman: |n| format!("({})", ROMAN[n]),
        marks: |n| format!("({n})"),
        place: Place::Below,
        indent: 18.0,
    },
    Print {
        number: |n| format!("Question {n}"),
        letter: |n| format!("{})", letter(n)),
        roman: |n| format!("{})", ROMAN[n]),
        marks: |n| format!("({n} marks)"),
        place: Place::Right,
        indent: 14.0,
    },
    Print {
        number: |n| format!("Q{n}."),
        letter: |n| format!("{}.", letter(n)),
        roman: |n| format!("{}.", ROMAN[n]),
        marks: |n| format!("[{n} marks]"),
        place: Place::Below,
        indent: 20.0,
    },
    Print {
        number: |n| format!("{n})"),
        letter: |n| format!("({})", letter(n)),
        roman: |n| format!("({})", ROMAN[n]),
        marks: |n| format!("({n}p)"),
        place: Place::Right,
        indent: 0.0,
    },
    Print {
        number: |n| n.to_string(),
        letter: |n| format!("({})", letter(n)),
        roman: |n| format!("({})", ROMAN[n]),
        marks: |n| format!("[{n}]"),
        place: Place::Inline,
        indent: 0.0,
    },
    Print {
        number: |n| format!("{n}."),
        letter: |n| format!("{})", letter(n)),
        roman: |n| format!("{})", ROMAN[n]),
        marks: |n| format!("({n})"),
        place: Place::Inline,
        indent: 16.0,
    },
    Print {
        number: |n| format!("Q{n}:"),
        letter: |n| format!("({})", letter(n)),
        roman: |n| format!("({})", ROMAN[n]),
        marks: |n| format!("({n} marks)"),
        place: Place::Inline,
        indent: 12.0,
    },
    Print {
        number: |n| format!("{n})"),
        letter: |n| format!("{}.", letter(n)),
        roman: |n| format!("{}.", ROMAN[n]),
        marks: |n| format!("/{n}"),
        place: Place::Inline,
        indent: 18.0,
    },
];

/// Sentences of which some begin like labels do.
const SENTENCES: &[&str] = &[
    "Describe how the rate changes when the lamp is moved away from the plant.",
    "A trolley of mass 2.5 kg rolls down a slope in the laboratory.",
    "Use the data in the table to find the mean of the five readings.",
    "Explain your answer to part (a) with the help of a diagram.",
    "12 students took part in the survey and each was asked three questions.",
    "State one assumption, for example that friction is small (see page 3).",
    "In 2019 the town had 4 schools, 2 libraries and 15 000 inhabitants.",
    "Compare the two methods and say which you would choose.",
];

/// Marks of each leaf, by question, part and subpart.
type Shape = Vec<Vec<Vec<usize>>>;

fn shape() -> impl Strategy<Value = Shape> {
    let subparts = prop_oneof![
        3 => (1..9usize).prop_map(|marks| vec![marks]),
        1 => prop::collection::vec(1..6usize, 2..4),
    ];
    let parts = prop_oneof![
        1 => (1..12usize).prop_map(|marks| vec![vec![marks]]),
        3 => prop::collection::vec(subparts, 2..5),
    ];
    prop::collection::vec(parts, 2..7)
}

/// Sets a paper line by line and notes the leaves that it should be read as.
struct Setter<'p> {
    sheet: Sheet,
    print: &'p Print,
    y: f32,
    page: u32,
    seed: usize,
    /// Where the last line of text begins, and what it says.
    last: (f32, String),
    leaves: Vec<(String, String, usize, u32)>,
}

impl Setter<'_> {
    fn line(&mut self, x: f32, text: &str) {
        if self.y > 740.0 {
            self.sheet.page();
            self.page += 1;
            self.y = 90.0;
            self.sheet.text(250.0, 50.0, "Test paper, spring term").text(
                290.0,
                800.0,
                &self.page.to_string(),
            );
        }
        self.sheet.text(x, self.y, text);
        self.y += 17.0;
    }

    fn sentence(&mut self) -> &'static str {
        self.seed = self.seed.wrapping_mul(31).wrapping_add(7);
        SENTENCES[self.seed % SENTENCES.len()]
    }

    fn labelled(&mut self, depth: usize, label: &str) -> u32 {
        // A label is never the last thing on a page.
        if self.y > 690.0 {
            self.y = 800.0;
        }
        let gap = if self.print.place == Place::Inline { " " } else { "   " };
        let text = format!("{label}{gap}{}", self.sentence());
        self.last = (50.0 + depth as f32 * self.print.indent, text.clone());
        self.line(self.last.0, &text);
        self.page
    }

    fn marks(&mut self, marks: usize) {
        let text = (self.print.marks)(marks);
        if self.print.place == Place::Inline {
            let (x, line) = self.last.clone();
            self.sheet.text(x + width(&line) + 3.1, self.y - 17.0, &text);
            return;
        }
        let up = if self.print.place == Place::Below { 0.0 } else { 17.0 };
        self.y -= up;
        self.line(500.0, &text);
    }
}

fn set(shape: &Shape, print: &Print, seed: usize) -> Setter<'static> {
    let print = PRINTS.iter().find(|known| std::ptr::eq(*known, print)).unwrap_or(&PRINTS[0]);
    let mut setter = Setter {
        sheet: Sheet::new(),
        print,
        y: 90.0,
        page: 1,
        seed,
        last: Default::default(),
        leaves: Vec::new(),
    };
    setter.sheet.text(250.0, 50.0, "Test paper, spring term").text(290.0, 800.0, "1");
    for (question, parts) in shape.iter().enumerate() {
        let number = (question + 1).to_string();
        let page = setter.labelled(0, &(print.number)(question + 1));
        if parts.len() == 1 {
            setter.marks(parts[0][0]);
            setter.leaves.push((number, String::new(), parts[0][0], page));
            continue;
        }
        for (part, subparts) in parts.iter().enumerate() {
            let page = setter.labelled(1, &(print.letter)(part));
            let label = format!("({})", letter(part));
            if subparts.len() == 1 {
                setter.marks(subparts[0]);
                setter.leaves.push((number.clone(), label, subparts[0], page));
                continue;
            }
            for (subpart, marks) in subparts.iter().enumerate() {
                let page = setter.labelled(2, &(print.roman)(subpart));
                setter.marks(*marks);
                setter.leaves.push((number.clone(), format!("{label}({})", ROMAN[subpart]), *marks, page));
            }
        }
    }
    setter
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 90, ..ProptestConfig::default() })]

    #[test]
    fn a_paper_is_read_as_it_was_set(shape in shape(), print in 0..PRINTS.len(), seed in 0..1000usize) {
        let setter = set(&shape, &PRINTS[print], seed);
        let document = reader::pages(&setter.sheet.finish(), &Options::default()).unwrap();
        let paper = exam::paper::read(&document);
        let read: Vec<(String, String, usize, u32)> = paper
            .questions
            .iter()
            .flat_map(|question| question.leaves.iter().map(move |leaf| {
                let marks = leaf.marks.map_or(0.0, domain::marks::Marks::as_number) as usize;
                (question.number.clone(), leaf.label.clone(), marks, leaf.page)
            }))
            .collect();
        prop_assert_eq!(read, setter.leaves);
    }
}
