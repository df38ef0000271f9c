//! A cluster starts, restarts, and goes away with its owner however that ends.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use testdb::{Durability, Postgres};

/// Set in the child process that only starts a cluster, notes its address in the named file, and waits to be
/// killed.
const CHILD: &str = "TESTDB_CHILD";

#[test]
fn a_cluster_restarts_with_what_was_committed() {
    let cluster = Postgres::start(Durability::None);
    let database = cluster.only_database();
    cluster.run(database.name(), "CREATE TABLE kept (id TEXT)");
    cluster.stop();
    cluster.restart();
    cluster.run(database.name(), "SELECT id FROM kept");
}

#[test]
fn a_database_can_be_copied_and_is_dropped_later() {
    let cluster = Postgres::shared();
    let template = cluster.database();
    cluster.run(template.name(), "CREATE TABLE kept (id TEXT)");
    let copy = cluster.copy_of(&template);
    cluster.run(copy.name(), "SELECT id FROM kept");
}

#[test]
fn a_killed_owner_leaves_nothing_behind() {
    if let Some(note) = std::env::var_os(CHILD) {
        let database = Postgres::shared().database();
        std::fs::write(note, database.url()).unwrap();
        std::thread::sleep(Duration::from_secs(600));
    }
    let note = std::env::temp_dir().join(format!("testdb-note-{}", std::process::id()));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_owner_leaves_nothing_behind"])
        .env(CHILD, &note)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the child has started its cluster", || note.metadata().is_ok_and(|file| file.len() > 0));
    let url = std::fs::read_to_string(&note).unwrap();
    std::fs::remove_file(&note).unwrap();
    let (_, address) = url.split_once('@').unwrap();
    let (host, _) = address.split_once(':').unwrap();
    let folder = PathBuf::from(host.replace("%2F", "/"));
    assert!(folder.join("data").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the cluster is gone", || !folder.exists());
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..6_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain until {what}");
}
