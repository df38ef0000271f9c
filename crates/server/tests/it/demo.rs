//! `tickmark demo --keep`: the marks, the reports, and an invitation in which everything works.

use crate::process::{Place, Server};
use std::io::{BufRead as _, BufReader};
use std::process::Command;

#[test]
fn what_the_demo_invites_to_works_and_nothing_is_left_behind() {
    let place = Place::sqlite();
    let temporary = place.folder.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let reports = place.folder.path().join("reports");
    let mut command = place.command(&["demo", "--keep", "--subject", "mathematics", "--out"]);
    command.arg(&reports).env("TMPDIR", &temporary);
    let mut demo = Server::spawn_as_it_is(command);
    let mut lines = Vec::new();
    for line in BufReader::new(demo.stdout()).lines() {
        lines.push(line.unwrap());
        if lines.last().unwrap().contains("/v1/events ") {
            break;
        }
    }
    let printed = lines.join("\n");
    for word in [
        "Mathematics (30 marks)",
        "excellent",
        "photographed",
        "Review page  http://",
        "Marking desk http://",
        "Test key     tm_sk_test_",
    ] {
        assert!(printed.contains(word), "{word}: {printed}");
    }
    assert!(reports.join("mathematics/photographed.pdf").metadata().unwrap().len() > 10_000);
    let calls: Vec<&String> = lines.iter().filter(|line| line.trim_start().starts_with("curl ")).collect();
    assert!(calls.len() >= 3, "{printed}");
    let link = lines.iter().find_map(|line| line.strip_prefix("Review page  ")).unwrap();
    let page = format!("curl '{}'", link.split('#').next().unwrap());
    for call in calls.into_iter().chain([&page]) {
        let call = format!("{} --fail --silent --show-error", call.trim());
        let output =
            Command::new("sh").args(["-c", &call]).current_dir(place.folder.path()).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{call}: {output:?}");
    }
    demo.signal("-TERM");
    assert_eq!(demo.ended(), Some(0));
    demo.has_logged("");
    let steps = demo.lines.iter().filter(|line| line.contains(" s] ")).count();
    assert!(steps >= 5, "without a terminal each step is a line: {:?}", demo.lines);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "its data is gone");
}
