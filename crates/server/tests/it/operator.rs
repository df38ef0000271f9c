//! What an operator sees and does with the papers and scripts of an account, on both databases.

use crate::partner::Partner;
use crate::process::{Place, Server};
use serde_json::json;
use testkit::pdf;

const SCRIPT: &str = "1. photosynthesis\n2. light";

#[tokio::test(flavor = "multi_thread")]
async fn papers_scripts_and_marks_are_shown_exported_and_deleted() {
    for place in Place::both() {
        let server = Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]));
        let partner = Partner::of(&place, &server);
        let paper = partner.small_paper("p").await;
        partner.settled(&paper).await;
        let paper_id = paper["id"].as_str().unwrap();
        partner.post(&format!("/v1/papers/{paper_id}/approve"), "", &json!({})).await;
        let mut scripts = Vec::new();
        for student in ["s-2", "=1+1"] {
            let script = partner.submit(&paper, student, "application/pdf", pdf::of_text(SCRIPT)).await;
            scripts.push(partner.settled(&script).await);
        }
        let first = scripts[0]["id"].as_str().unwrap();

        let shown = place.json(&["paper", "show", paper_id]);
        assert_eq!([&shown["status"], &shown["mode"]], ["ready", "test"]);
        assert_eq!([&shown["submissions"], &shown["questions"]], [2, 2]);
        assert_eq!(shown["read"].as_array().unwrap().len(), 2);
        assert!(place.text(&["paper", "show", paper_id]).contains("QUESTION  MARKS  PARTS  TO MARK"));

        let account = shown["account_id"].as_str().unwrap();
        let of_test = ["--account", account, "--mode", "test"];
        let list = place.json(&[&["submission", "list"][..], &of_test].concat());
        let students: Vec<&str> =
            list.as_array().unwrap().iter().map(|one| one["student"].as_str().unwrap()).collect();
        assert_eq!(students, ["=1+1", "s-2"], "newest first");
        let failed = place.json(&[&["submission", "list", "--status", "failed"][..], &of_test].concat());
        assert_eq!(failed, json!([]));
        let submission = place.json(&["submission", "show", first]);
        assert_eq!(submission["score"]["awarded"], scripts[0]["score"]["awarded"]);
        assert_eq!(submission["marks"].as_array().unwrap().len(), 2);
        let told = place.text(&["submission", "show", first]);
        assert!(told.contains("QUESTION  MARKS  OF  CONFIDENCE  FLAGS"), "{told}");
        assert!(!told.contains("photosynthesis"), "what the student wrote is not shown");

        let why = place.json(&["explain", "submission", first, "--question", "1"]);
        let part = &why["parts"][0];
        assert_eq!([&part["question"], &part["answer"]], ["1", "photosynthesis"]);
        assert_eq!((why["parts"].as_array().unwrap().len(), &part["awarded"]), (1, &part["by_words"]));
        let point = &part["points"][0];
        assert_eq!([&point["verdict"], &point["words"][0]], ["credited", "photosynthesis"], "{why}");
        assert!(why["marking"]["engine"] == "builtin" && point["rule"].is_string(), "{why}");
        assert!(point["behind"]["words_found"] == 1.0 && point["behind"]["turns"].is_array(), "{why}");
        let told = place.text(&["explain", "submission", first]);
        assert!(told.starts_with("Marked by builtin ") && told.contains("words: photosynthesis\n"), "{told}");
        assert!(told.contains("    numbers: 100 in 100 of its words found"), "{told}");
        assert!(told.contains("    would change it: "), "{told}");
        let (code, missing) = place.failure(&["explain", "submission", first, "--question", "9"]);
        assert!(code == 1 && missing.contains("has no question 9"), "{missing}");

        let read = place.text(&["explain", "paper", paper_id]);
        assert!(read.contains("[1]") && read.contains("\nreading "), "{read}");
        let drawn = place.folder.path().join("why.html");
        place.text(&["explain", "paper", paper_id, "--html", drawn.to_str().unwrap()]);
        let drawn = std::fs::read_to_string(drawn).unwrap();
        assert!(drawn.contains("<b>1</b></a>") && drawn.contains("data:image/jpeg;base64,/9j/"));
        assert!(drawn.contains("<dt>Print</dt>") && !drawn.contains("<script"));
        let (code, both) = place.failure(&["explain", "paper", paper_id, "scheme.pdf"]);
        assert!(code == 1 && both.contains("brings its own scheme"), "{both}");
        let (code, absent) = place.failure(&["explain", "paper", "absent.pdf"]);
        assert!(code == 1 && absent.contains("absent.pdf cannot be opened"), "{absent}");

        let marks = place.text(&["marks", "export", paper_id, "--csv"]);
        let lines: Vec<&str> = marks.lines().collect();
        let heading =
            "student,name,submission,status,awarded,available,percentage,question 1,question 2,look at it";
        assert_eq!(lines[0], heading);
        assert!(lines[1].starts_with("'=1+1,,sub_") && lines[2].starts_with("s-2,,sub_"), "{marks}");
        assert_eq!(lines.len(), 3);
        let canvas = place.text(&["marks", "export", paper_id, "--csv", "--for", "canvas"]);
        let total = shown["total_marks"].to_string();
        let head = format!(
            "Student,ID,SIS User ID,SIS Login ID,Section,p\r\n    Points Possible,,,,,{}\r\n",
            total.trim_end_matches(".0")
        );
        assert!(canvas.starts_with(&head), "{canvas} {head}");
        let file = place.folder.path().join("moodle.csv");
        let to_file = ["--for", "moodle", "--output", file.to_str().unwrap()];
        place.text(&[&["marks", "export", paper_id, "--csv"][..], &to_file].concat());
        assert!(std::fs::read_to_string(file).unwrap().starts_with("ID number,Full name,p,Feedback\r\n"));
        let sure = place.json(&["marks", "confidence", paper_id]);
        let all = sure.as_array().unwrap().last().unwrap();
        assert_eq!([&all["question"], &all["scripts"]], [&json!("all"), &json!(4)]);

        let usage = place.json(&["account", "usage", account, "--mode", "test", "--months", "2"]);
        assert_eq!([&usage[0]["papers"], &usage[0]["scripts"], &usage[0]["credits"]], [1, 2, 4]);
        assert_eq!(usage[1]["credits"], 0);

        assert_eq!(place.json(&["submission", "delete", first])["deleted"], true);
        let (code, sentence) = place.failure(&["submission", "show", first]);
        assert_eq!((code, sentence.starts_with("There is no submission")), (1, true), "{sentence}");
        assert_eq!(place.json(&["paper", "delete", paper_id])["submissions"], 1);
        assert_eq!(place.failure(&["paper", "show", paper_id]).0, 1);
    }
}
