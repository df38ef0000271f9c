use super::*;
use proptest::prelude::*;

fn told(csv: &str) -> String {
    match Roster::from_csv(csv.as_bytes()) {
        Err(problem) => problem.to_string(),
        Ok(roster) => roster
            .students()
            .iter()
            .map(|enrolled| {
                let text =
                    |line: &Option<ShortLine>| line.as_ref().map_or("-".to_owned(), ToString::to_string);
                let Student { external_id, name } = &enrolled.student;
                format!("{external_id}|{}|{}", text(name), text(&enrolled.class))
            })
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

#[test]
fn our_own_table_and_those_of_moodle_and_canvas_are_read() {
    assert_eq!(told("external_id,name,class\ns-1,Ada Lovelace,7b\ns-2,,\n"), "s-1|Ada Lovelace|7b\ns-2|-|-");
    let moodle = "\u{feff}\"First name\",Surname,\"ID number\",Department,\"Quiz (Real)\"\r\nAda,Lovelace,1071,7b,-\r\n";
    assert_eq!(told(moodle), "1071|Ada Lovelace|7b");
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Test (1)\n    Points Possible,,,,,10\n\
                  \"Lovelace, Ada\",88,s-1,ada,7b,\n";
    assert_eq!(told(canvas), "s-1|Lovelace, Ada|7b", "what each column is worth is no student");
    assert_eq!(told("ID;Name\n7;Zoë\n"), "7|Zoë|-");
    assert_eq!(told("id\tname\n7\tZoë, junior\n"), "7|Zoë, junior|-");
    assert_eq!(told("name,id\n\"say \"\"so\"\"\",7\n\n ,\n"), "7|say \"so\"|-");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    assert_eq!(told("id,name\na,A\nb,B\na,C\n"), "Line 4 names the same student as line 2.");
    assert_eq!(
        told("id,name\na,\"two\nlines\"\n"),
        "Line 2: the column name must not contain the character U+000A: \
        control and bidirectional override characters are not allowed."
    );
    assert!(told("id,name\na,x\u{202e}y\n").contains("U+202E"), "{}", told("id,name\na,x\u{202e}y\n"));
    assert_eq!(told("id,name\n,Ada\n"), "Line 2 has nothing in the column id.");
    assert_eq!(told("id,name\na,\"Ada\n"), "A quotation mark in line 2 has no second one.");
    assert!(told("first,second\n1,2\n").starts_with("No column of the first line says who"));
    assert!(told("").starts_with("No column"));
    assert_eq!(told("id\n"), "The roster names no student.");
    assert_eq!(Roster::from_csv(b"id\nok\n\xff\n"), Err(RosterProblem::NotText { line: 3 }));
    let long = format!("id\n{}\n", "x".repeat(256));
    assert_eq!(told(&long), "Line 2: the column id must have 1 to 255 characters.");
}

#[test]
fn a_roster_has_bounds() {
    let lines = |count: usize| (0..count).map(|number| format!("s{number}\n")).collect::<String>();
    assert!(Roster::from_csv(format!("id\n{}", lines(STUDENTS_MAX)).as_bytes()).is_ok());
    assert_eq!(
        Roster::from_csv(format!("id\n{}", lines(STUDENTS_MAX + 1)).as_bytes()),
        Err(RosterProblem::TooMany)
    );
    assert_eq!(Roster::from_csv(&vec![b'x'; BYTES_MAX + 1]), Err(RosterProblem::TooLarge));
}

proptest! {
    #[test]
    fn no_bytes_break_the_parser(bytes: Vec<u8>, rest in "[\",;\n\ra-c]{0,40}") {
        let _ = Roster::from_csv(&bytes);
        if let Ok(roster) = Roster::from_csv(format!("id,name\n{rest}").as_bytes()) {
            prop_assert!(!roster.is_empty());
        }
    }
}
