//! Class scans with the built program: cover sheets by command, and kills while scripts become submissions.

use crate::client::PATIENCE;
use crate::partner::Partner;
use crate::process::{Place, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use testkit::pdf::{self, Sheet};

const SCRIPTS: usize = 12;
/// Longer than the lease of a worker that died.
const LEASE_SECONDS: u64 = 60;

#[test]
fn cover_sheets_are_printed_for_a_roster() {
    for place in Place::both() {
        let roster = place.folder.path().join("class.csv");
        let sheets = place.folder.path().join("covers.pdf");
        let covers = |paper: &str| {
            let (roster, sheets) = (roster.to_str().unwrap().to_owned(), sheets.to_str().unwrap().to_owned());
            ["covers".to_owned(), paper.to_owned(), "--roster".to_owned(), roster, "-o".to_owned(), sheets]
        };
        let unknown = covers("pap_00000000000000000000000000");
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        std::fs::write(&roster, "ID number,First name,Surname\n7,Ada,Lovelace\n7,Ben,Franklin\n").unwrap();
        let (code, sentence) = place.failure(&unknown);
        assert_eq!(code, 1);
        assert!(sentence.ends_with("Line 3 names the same student as line 2."), "{sentence}");
        std::fs::write(&roster, "ID number,First name,Surname\n7,Ada,Lovelace\n8,Ben,Franklin\n").unwrap();
        place.account();
        let (_, sentence) = place.failure(&unknown);
        assert!(sentence.starts_with("There is no paper pap_"), "{sentence}");
        assert!(!sheets.exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_while_scripts_become_submissions_lose_nothing_and_double_nothing() {
    let [sqlite, postgres] = Place::both();
    tokio::join!(killed_all_the_time(sqlite), killed_all_the_time(postgres));
}

async fn killed_all_the_time(place: Place) {
    let mut server = start(&place);
    let mut partner = Partner::of(&place, &server);
    let paper = partner.small_paper("p").await;
    partner.settled(&paper).await;
    let paper_id = paper["id"].as_str().unwrap();
    partner.post(&format!("/v1/papers/{paper_id}/approve"), "", &json!({})).await;
    // A real sheet of the command's, and the rest by the number of pages.
    let roster = place.folder.path().join("class.csv");
    let lines: String = (0..SCRIPTS).map(|number| format!("s{number:02},Student {number}\n")).collect();
    std::fs::write(&roster, format!("external_id,name\n{lines}")).unwrap();
    let sheets = place.folder.path().join("covers.pdf");
    let printed = ["covers", paper_id, "--roster", roster.to_str().unwrap(), "-o", sheets.to_str().unwrap()];
    assert_eq!(place.json(&printed)["sheets"], SCRIPTS);
    assert!(std::fs::read(&sheets).unwrap().starts_with(b"%PDF-"));

    let pages = vec![Sheet::Text("1. photosynthesis\n2. light"); SCRIPTS];
    let file = partner.upload("answer_script", "application/pdf", pdf::of_sheets(&pages)).await;
    let students: Vec<Value> =
        (0..SCRIPTS).map(|number| json!({"external_id": format!("s{number:02}")})).collect();
    let body = json!({
        "files": [{"file_id": file}], "split": {"by": "pages", "pages_per_script": 1}, "students": students,
    });
    let scan = partner.post(&format!("/v1/papers/{paper_id}/class_scans"), "scan", &body).await;
    let path = format!("/v1/class_scans/{}", scan["id"].as_str().unwrap());
    until(&partner, &path, |shown| shown["status"] == "awaiting_confirmation").await;

    let confirmed = partner.post(&format!("{path}/confirm"), "confirm", &json!({})).await;
    assert_eq!(confirmed["status"], "confirming");
    // Twice and not more: a script whose workers died three times is given up, and which script that is depends on
    // how fast this machine marks.
    for (kills, wanted) in [(1, 2), (2, 7)] {
        until(&partner, &path, |shown| submitted(shown) >= wanted || shown["status"] == "confirmed").await;
        server.signal("-KILL");
        assert_eq!(server.ended(), None);
        server = start(&place);
        partner.address = server.address;
        // Each server begins with the real time.
        partner.advance(kills * LEASE_SECONDS).await;
        let again = partner.post(&format!("{path}/confirm"), "confirm", &json!({})).await;
        assert_eq!(again, confirmed, "what was answered is answered again");
    }
    let done = until(&partner, &path, |shown| shown["status"] == "confirmed").await;
    let own: BTreeSet<&str> = done["scripts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|script| script["submission_id"].as_str().unwrap())
        .collect();
    assert_eq!(own.len(), SCRIPTS, "{done:#}");
    let list = partner.get(&format!("/v1/submissions?paper_id={paper_id}&limit=100")).await;
    let made = list["data"].as_array().unwrap();
    let ids: BTreeSet<&str> = made.iter().map(|one| one["id"].as_str().unwrap()).collect();
    let who: BTreeSet<&str> =
        made.iter().map(|one| one["student"]["external_id"].as_str().unwrap()).collect();
    assert_eq!((made.len(), who.len()), (SCRIPTS, SCRIPTS), "one submission for each script");
    assert_eq!(ids, own, "and each script knows its own");
    for submission in made {
        let settled = partner.settled(submission).await;
        assert_eq!(
            (&settled["status"], &settled["billing"]["pages"]),
            (&json!("released"), &json!(1)),
            "{settled}"
        );
    }
}

fn start(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]))
}

fn submitted(scan: &Value) -> usize {
    scan["scripts"].as_array().unwrap().iter().filter(|script| script["submission_id"].is_string()).count()
}

/// What is shown once this is so of it.
async fn until(partner: &Partner, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + 2 * PATIENCE;
    loop {
        let shown = partner.get(path).await;
        if is_so(&shown) {
            return shown;
        }
        assert!(Instant::now() < deadline, "{path} stays {shown}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
