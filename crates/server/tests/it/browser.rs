//! The review page and the marking desk in headless Chromium, driven by `tests/browser/*.mjs`, and the record they leave.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Place, Server};
use serde_json::Value;

const CHROMIUM: &str = "/usr/bin/chromium";

/// Where `test.sh` puts the browser's driver.
fn modules() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"));
    cache.join("tickmark/browser")
}

/// The document that the server prints when it is ready; nothing follows it.
fn greeting(server: &mut Server) -> Value {
    let mut document = String::new();
    for line in BufReader::new(server.stdout()).lines().map_while(Result::ok) {
        document.push_str(&line);
        if line == "}" {
            break;
        }
    }
    serde_json::from_str(&document).unwrap()
}

#[test]
fn the_review_page_works_in_a_browser_and_leaves_its_record() {
    let place = Place::sqlite();
    let account = works_in_a_browser(&place, "review.mjs");
    the_record_is_told(&place, &account);
}

#[test]
fn the_marking_desk_works_in_a_browser() {
    let place = Place::sqlite();
    let account = works_in_a_browser(&place, "desk.mjs");
    let actions = |title: &str| {
        let table = place.text(&["paper", "audit", &titled(&place, &account, title)]);
        let lines =
            table.lines().skip(1).map(|line| line.split_whitespace().nth(3).unwrap_or_default().to_owned());
        lines.collect::<Vec<String>>()
    };
    assert_eq!(actions("A class and its scheme"), ["amend", "apply"]);
    let class = actions("Leaves and light: the class");
    assert_eq!(class.iter().filter(|action| *action == "release").count(), 2, "{class:?}");
    assert!(class.iter().filter(|action| *action == "decide").count() > 5, "{class:?}");
}

#[test]
fn a_class_scan_is_looked_at_and_confirmed_in_a_browser() {
    works_in_a_browser(&Place::sqlite(), "scans.mjs");
}

#[test]
fn the_operators_console_works_in_a_browser() {
    let place = Place::sqlite();
    let made = place.json(&["operator", "key", "create", "--name", "Ada Lovelace"]);
    let key = made["key"].as_str().unwrap().to_owned();
    works_with(&place, "console.mjs", &["--console", "127.0.0.1:0"], |server| {
        let address = server.line_with("console on ")["address"].as_str().unwrap().to_owned();
        vec![("TICKMARK_CONSOLE", format!("http://{address}")), ("TICKMARK_OPERATOR_KEY", key)]
    });
    let log = place.text(&["operator", "log"]);
    for word in
        ["operator_key.created", "command line", "login", "credits.topped_up", "student.shown", "ticket 12"]
    {
        assert!(log.contains(word), "{word} is missing: {log}");
    }
    assert!(!log.contains("student-7"), "{log}");
}

/// Runs a suite in a browser against a fresh server; gives the account that it used.
fn works_in_a_browser(place: &Place, suite: &str) -> String {
    works_with(place, suite, &[], |_| Vec::new())
}

/// The same with more options of the server, and more to tell the suite when it runs.
#[expect(clippy::print_stdout, reason = "with --nocapture the times are to be seen")]
fn works_with(
    place: &Place,
    suite: &str,
    options: &[&str],
    more: impl FnOnce(&mut Server) -> Vec<(&'static str, String)>,
) -> String {
    let modules = modules();
    let is_there = Path::new(CHROMIUM).exists() && modules.join("node_modules/axe-core").exists();
    assert!(is_there, "this test needs Chromium and its driver; ./test.sh installs both");
    let mut command = place.command(&["--json", "dev", "--listen", "127.0.0.1:0", "--log-level", "info"]);
    command.args(options);
    let mut server = Server::spawn(command);
    let more = more(&mut server);
    let greeting = greeting(&mut server);
    let text = |name: &str| greeting[name].as_str().unwrap();
    // A suite sets up its class in seconds; how often an account may ask is for other tests.
    place.json(&["account", "update", text("account_id"), "--rate-limit-test", "100000"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(suite);
    let output = Command::new("node")
        .arg(script)
        .env("TICKMARK_URL", text("url"))
        .env("TICKMARK_KEY", text("test_key"))
        .env("TICKMARK_CHROMIUM", CHROMIUM)
        .env("TICKMARK_BROWSER_MODULES", &modules)
        .env("TICKMARK_ACCOUNT", text("account_id"))
        .envs(more)
        .output()
        .unwrap();
    let said = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    assert!(output.status.success(), "the page does not work in a browser:\n{}", said.join("\n"));
    println!("{}", said[0]);
    text("account_id").to_owned()
}

/// The id of the account's paper with this title.
fn titled(place: &Place, account: &str, title: &str) -> String {
    let papers = place.json(&["paper", "list", "--account", account, "--mode", "test"]);
    let found = papers.as_array().unwrap().iter().find(|paper| paper["title"] == title);
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

fn the_record_is_told(place: &Place, account: &str) {
    let titled = |title: &str| titled(place, account, title);
    let record = place.json(&["paper", "audit", &titled("By keyboard")]);
    let record = record.as_array().unwrap();
    let last = record.last().unwrap();
    assert_eq!((&last["action"], &last["reviewer"]), (&Value::from("approve"), &Value::from("Ms Okafor")));
    assert_eq!(record[0]["question"], "6");
    let point = &record[record.len() - 2]["after"]["answer_key"]["points"][0]["text"];
    assert_eq!(point, "it is cooler there, so less water is lost");
    let table = place.text(&["paper", "audit", &titled("Splitting and merging")]);
    assert!(table.starts_with("WHEN"), "{table}");
    for word in ["split", "merge", "delete", "move", "add", "undo", "Ms Okafor", "removed", "place: 3 -> 2"] {
        assert!(table.contains(word), "{word} is missing: {table}");
    }
    let (code, sentence) = place.failure(&["paper", "audit", "pap_00000000000000000000000000"]);
    assert_eq!((code, sentence.as_str()), (1, "There is no paper pap_00000000000000000000000000."));
}
