//! `tickmark dev`: the greeting, the keys, the clock.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;

use crate::client::{Connection, get_with_key, soon};
use crate::process::{Place, Server};
use http_body_util::Full;
use serde_json::Value;

fn start(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0", "--log-level", "info"]))
}

/// Everything that the server printed, once it has ended.
fn printed(mut server: Server) -> String {
    let mut stdout = server.stdout();
    server.signal("-TERM");
    assert_eq!(server.ended(), Some(0));
    let mut text = String::new();
    stdout.read_to_string(&mut text).unwrap();
    text
}

async fn clock(server: &Server, body: &'static str) -> (u16, Value) {
    let request = http::Request::post("/dev/clock").header("host", "localhost");
    let request = request.header("content-type", "application/json").body(Full::from(body)).unwrap();
    let response = soon(Connection::plain(server.address).await.send(request)).await.unwrap();
    (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_makes_an_account_and_shows_its_keys_once() {
    for place in Place::both() {
        let server = start(&place);
        let address = server.address;
        let greeting = printed(server);
        let word = |label: &str| {
            let line = greeting.lines().find_map(|line| line.strip_prefix(label));
            line.unwrap_or_else(|| panic!("{label} is missing: {greeting}")).trim().to_owned()
        };
        let (account, test, live) = (word("Account "), word("Test key "), word("Live key "));
        assert!(test.starts_with("tm_sk_test_") && live.starts_with("tm_sk_live_"));
        assert!(
            greeting.contains(&format!("curl http://{address}/v1/account -H 'Authorization: Bearer {test}'"))
        );

        let server = start(&place);
        let mut connection = Connection::plain(server.address).await;
        for key in [&test, &live] {
            let response = soon(connection.send(get_with_key("/v1/account", key))).await.unwrap();
            let body: Value = serde_json::from_slice(response.body()).unwrap();
            assert_eq!((response.status().as_u16(), &body["id"]), (200, &Value::from(account.as_str())));
        }
        let greeting = printed(server);
        assert!(!greeting.contains("tm_sk_"), "{greeting}");
        // What the greeting proposes works as it stands.
        let proposed = greeting.lines().find(|line| line.contains(" key issue ")).unwrap();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", proposed]);
        if let Some(database) = &place.database {
            shell.env("TICKMARK_DATABASE", database.url());
        }
        let output = shell.output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("tm_sk_test_"), "{output:?}");
        assert_eq!(place.json(&["account", "list"]).as_array().unwrap().len(), 1);
    }
}

#[test]
fn the_data_folder_is_for_its_owner_alone() {
    let place = Place::sqlite();
    let _server = start(&place);
    let mode = place.folder.path().join("data").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_moves_and_everything_follows_it() {
    let place = Place::sqlite();
    let server = start(&place);
    let (status, before) = clock(&server, r#"{"advance_seconds": 0}"#).await;
    assert_eq!(status, 200);
    let (_, after) = clock(&server, r#"{"advance_seconds": 864000}"#).await;
    let day = |body: &Value| body["now"].as_str().unwrap()[..10].to_owned();
    assert_ne!(day(&before), day(&after));
    assert_eq!(clock(&server, r#"{"advance_seconds": -1}"#).await.0, 400);

    // The command line and a later start follow it.
    let account = place.account();
    let created = place.json(&["account", "show", &account])["created_at"].as_str().unwrap()[..10].to_owned();
    assert_eq!(created, day(&after));
    drop(server);
    let server = start(&place);
    assert_eq!(day(&clock(&server, r#"{"advance_seconds": 0}"#).await.1), day(&after));
}

#[tokio::test(flavor = "multi_thread")]
async fn production_has_no_such_clock() {
    let place = Place::sqlite();
    let key = place.key();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"];
    let server = Server::start(place.command(&arguments));
    let request =
        http::Request::post("/dev/clock").header("host", "localhost").header("x-forwarded-proto", "https");
    let request = request.header("authorization", format!("Bearer {key}")).body(Full::from("{}")).unwrap();
    let response = soon(Connection::plain(server.address).await.send(request)).await.unwrap();
    assert_eq!(response.status(), 404);
}

#[test]
fn a_taken_address_is_told_with_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, sentence) = Place::sqlite().failure(&["dev", "--listen", &address, "--log-level", "off"]);
    assert_eq!(code, 1);
    assert!(sentence.ends_with("stop the program that uses it, or choose another."), "{sentence}");
}

#[test]
fn only_loopback_addresses_are_taken() {
    let (code, sentence) = Place::sqlite().failure(&["dev", "--listen", "0.0.0.0:0"]);
    assert_eq!(code, 2);
    assert!(sentence.contains("development mode takes loopback addresses only"), "{sentence}");
}
