//! Webhooks from outside: the master key, deliveries, and the commands around them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::client::{Connection, PATIENCE, soon};
use crate::process::{Place, Server, told};
use http_body_util::Full;
use serde_json::{Value, json};

#[test]
fn the_master_key_can_be_changed_and_another_is_noticed() {
    for place in Place::both() {
        place.account();
        let folder = place.folder.path().join("data");
        let file = folder.join("master.key");
        let first = std::fs::read_to_string(&file).unwrap();
        let said = place.text(&["master-key", "rotate"]);
        assert_eq!(said, "0 secrets are sealed under the new master key. Start the servers again.\n");
        let second = std::fs::read_to_string(&file).unwrap();
        assert_ne!(first, second);
        place.account();

        let sentence = "The secrets in the database are sealed under another master key; give that one (the file \
                        master.key of the data folder, or the setting master_key).";
        std::fs::write(&file, &first).unwrap();
        assert_eq!(place.failure(&["account", "list"]), (1, sentence.to_owned()));
        // A change that was cut short after the database had changed is finished by the next start.
        std::fs::write(folder.join("master.key.next"), &second).unwrap();
        place.account();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), second);
        assert!(!folder.join("master.key.next").exists());
        // A lost key is not silently replaced by a new one.
        std::fs::remove_file(&file).unwrap();
        assert_eq!(place.failure(&["account", "list"]), (1, sentence.to_owned()));
        assert!(!file.exists());

        let given = |key: &str, arguments: &[&str]| {
            place.command(arguments).env("TICKMARK_MASTER_KEY", key).output().unwrap()
        };
        assert!(given(&second, &["account", "list"]).status.success());
        assert!(!given(&first, &["account", "list"]).status.success());
        assert!(
            !given(&second, &["master-key", "rotate"]).status.success(),
            "it asks for the file of the new key"
        );
        let new = place.folder.path().join("new.key");
        std::fs::write(&new, &first).unwrap();
        let rotated = given(&second, &["master-key", "rotate", "--new-key-file", new.to_str().unwrap()]);
        assert!(rotated.status.success());
        assert!(given(&first, &["account", "list"]).status.success());
    }
}

/// A program of a developer's: takes every request, answers 200, and remembers what came.
struct Receiver {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    fn start() -> Receiver {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in socket.incoming().map_while(Result::ok) {
                let seen = Arc::clone(&seen);
                std::thread::spawn(move || converse(stream, &seen));
            }
        });
        Receiver { port, requests }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Waits until so many requests have come, and forgets them.
    fn take(&self, count: usize) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut requests = self.requests.lock().unwrap();
            if requests.len() >= count {
                return std::mem::take(&mut requests);
            }
            drop(requests);
            assert!(Instant::now() < deadline, "{count} requests do not come");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn converse(mut stream: TcpStream, seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut request = String::new();
        let mut length = 0;
        loop {
            let before = request.len();
            if reader.read_line(&mut request).unwrap_or(0) == 0 {
                return;
            }
            let line = request[before..].to_lowercase();
            length = line.strip_prefix("content-length:").map_or(length, |text| text.trim().parse().unwrap());
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        seen.lock().unwrap().push(request + &String::from_utf8(body).unwrap());
        if stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").is_err() {
            return;
        }
    }
}

fn dev(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0", "--log-level", "info"]))
}

fn id_of(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn create_endpoint(place: &Place, server: &Server, url: &str) -> String {
    let account = id_of(&place.json(&["account", "list"])[0]);
    let key = place.json(&["key", "issue", "--account", &account, "--mode", "test"]);
    let body = json!({"url": url, "events": ["*"]}).to_string();
    let request = http::Request::post("/v1/webhook_endpoints")
        .header("host", "localhost")
        .header("authorization", format!("Bearer {}", key["key"].as_str().unwrap()))
        .header("content-type", "application/json")
        .body(Full::from(body))
        .unwrap();
    let response = soon(Connection::plain(server.address).await.send(request)).await.unwrap();
    assert_eq!(response.status(), 201);
    id_of(&serde_json::from_slice(response.body()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_delivered_listed_and_sent_again() {
    for place in Place::both() {
        let server = dev(&place);
        let receiver = Receiver::start();
        let endpoint = create_endpoint(&place, &server, &receiver.url()).await;
        let event = id_of(&place.json(&["trigger", "paper.failed"]));
        let request = receiver.take(1).remove(0);
        assert!(request.contains(&event) && request.contains(r#""type":"paper.failed""#), "{request}");
        assert!(
            request.contains(r#""status":"failed""#) && request.contains("service-signature: t="),
            "{request}"
        );

        let listed = place.json(&["webhook", "list"]);
        assert_eq!((id_of(&listed[0]), &listed[0]["failing_since"]), (endpoint.clone(), &Value::Null));
        assert!(place.text(&["webhook", "list"]).contains(&receiver.url()));
        assert_eq!(id_of(&place.json(&["event", "list"])[0]), event);

        let again = place.text(&["event", "resend", &event]);
        assert_eq!(again, "It is sent again to 1 endpoint.\n");
        receiver.take(1);
        let range = ["event", "resend", "--endpoint", &endpoint, "--since", "2026-01-01"];
        let unsaid = place.run(&range);
        assert_eq!(told(&unsaid), (2, "Nothing was sent: say so with --yes.".to_owned()));
        let would = String::from_utf8_lossy(&unsaid.stdout).into_owned();
        assert!(would.starts_with("1 events from 2026-01-01T00:00:00Z"), "{would}");
        let unsaid = place.run(&[&["--json"], &range[..]].concat());
        let would: Value = serde_json::from_slice(&unsaid.stdout).unwrap();
        assert_eq!((&would["would_send"], &would["events"]), (&Value::from(1), &Value::from(0)), "{would}");
        let sent = place.json(&[&range[..], &["--yes"]].concat());
        assert_eq!(sent["events"], 1);
        receiver.take(1);
        let deadline = Instant::now() + PATIENCE;
        let attempts = loop {
            let attempts = place.json(&["webhook", "attempts", &endpoint]);
            if attempts.as_array().unwrap().len() == 3 || Instant::now() > deadline {
                break attempts;
            }
        };
        let resends: Vec<&Value> =
            attempts.as_array().unwrap().iter().map(|line| &line["is_resend"]).collect();
        assert_eq!(resends, [true, true, false]);
        assert!(attempts.as_array().unwrap().iter().all(|line| line["status"] == 200), "{attempts}");
        assert_eq!(place.failure(&["event", "resend", "evt_00000000000000000000000000"]).0, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_developer_listens_and_lets_things_happen() {
    for place in Place::both() {
        assert_eq!(place.failure(&["trigger", "paper.ready"]).0, 1, "not without development mode");
        let _server = dev(&place);
        let receiver = Receiver::start();
        let mut listener = place
            .command(&["--json", "listen", "--forward-to", &receiver.url()])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut stdout = BufReader::new(listener.stdout.take().unwrap());
        while !said.contains('}') {
            stdout.read_line(&mut said).unwrap();
        }
        let secret = serde_json::from_str::<Value>(&said).unwrap()["secret"].as_str().unwrap().to_owned();
        let event = id_of(&place.json(&["trigger", "submission.released"]));
        let request = receiver.take(1).remove(0);
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let signature = head.lines().find_map(|line| line.strip_prefix("service-signature: ")).unwrap();
        let time = signature.strip_prefix("t=").unwrap().split(',').next().unwrap().parse().unwrap();
        let secrets = [domain::webhook::SigningSecret::trusted(secret)];
        assert_eq!(signature, domain::webhook::sign(&secrets, time, body.as_bytes()));
        place.text(&["event", "resend", &event]);
        assert!(receiver.take(1)[0].contains(&event));
        assert_eq!(place.json(&["webhook", "list"]), json!([]), "it is no endpoint of the account");

        std::process::Command::new("sh")
            .args(["-c", &format!("kill -INT {}", listener.id())])
            .status()
            .unwrap();
        assert!(listener.wait().unwrap().success());
        place.text(&["trigger", "submission.released"]);
        assert_eq!(place.text(&["event", "resend", &event]), "No enabled endpoint takes this event.\n");
    }
}
