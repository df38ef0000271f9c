//! A backup taken by the documents' own commands while the server runs, and everything there again from it.

use crate::documents::Document;
use crate::partner::Partner;
use crate::process::{Place, Server, told};
use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};
use std::process::Command;
use testkit::pdf;

const SCRIPT: &str = "1. photosynthesis\n2. light";

fn develop(place: &Place) -> Server {
    Server::start(place.command_in("tickmark-data", &["dev", "--listen", "127.0.0.1:0"]))
}

/// What a partner sees of all that was made.
async fn everything(partner: &Partner, submission: &str) -> Vec<Value> {
    let mut seen = Vec::new();
    for path in
        ["/v1/papers", "/v1/submissions", "/v1/credit_transactions", "/v1/events", "/v1/webhook_endpoints"]
    {
        seen.push(partner.get(&format!("{path}?limit=100")).await["data"].clone());
    }
    seen.push(partner.get("/v1/balance").await);
    seen.push(partner.get(&format!("/v1/submissions/{submission}/result")).await);
    seen
}

async fn report(partner: &Partner, submission: &str) -> Bytes {
    let mut request =
        crate::client::get_with_key(&format!("/v1/submissions/{submission}/report"), &partner.key);
    request.headers_mut().insert("accept", "application/pdf".parse().unwrap());
    let response = crate::client::soon(partner.connect().await.send(request)).await.unwrap();
    assert_eq!(response.status(), 200);
    response.into_body()
}

/// Runs a block of the documents where the data folder lies.
fn run(place: &Place, block: &str) {
    let program = env!("CARGO_BIN_EXE_tickmark");
    let commands = Document::read("docs/operating.md").commands(block);
    let commands = format!("tickmark() {{ '{program}' \"$@\"; }}\n{commands}");
    let mut command = Command::new("bash");
    command.args(["-euc", &commands]).current_dir(place.folder.path());
    if let Some(database) = &place.database {
        command.env("TICKMARK_DATABASE", database.url());
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{commands}: {}", String::from_utf8_lossy(&output.stderr));
}

fn account_of(place: &Place) -> String {
    let listed = place.command_in("tickmark-data", &["--json", "account", "list"]).output().unwrap();
    let accounts: Value = serde_json::from_slice(&listed.stdout).unwrap();
    accounts[0]["id"].as_str().unwrap().to_owned()
}

fn partner(place: &Place, server: &Server) -> Partner {
    let account = account_of(place);
    // Waiting for a slow machine takes many requests.
    let update = ["account", "update", &account, "--rate-limit-test", "100000"];
    assert!(place.command_in("tickmark-data", &update).output().unwrap().status.success());
    let issue = ["--json", "key", "issue", "--account", &account, "--mode", "test"];
    let issued = place.command_in("tickmark-data", &issue).output().unwrap();
    let key: Value = serde_json::from_slice(&issued.stdout).unwrap();
    Partner { address: server.address, key: key["key"].as_str().unwrap().to_owned(), certificate: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_has_everything() {
    for (mut place, kind) in Place::both().into_iter().zip(["sqlite", "postgres"]) {
        let server = develop(&place);
        let mut partner = partner(&place, &server);
        let endpoint = json!({"url": "https://hill.example/hook", "events": ["paper.failed"]});
        partner.post("/v1/webhook_endpoints", "", &endpoint).await;
        let paper = partner.small_paper("p").await;
        partner.settled(&paper).await;
        partner.post(&format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap()), "", &json!({})).await;
        let script = partner.submit(&paper, "s", "application/pdf", pdf::of_text(SCRIPT)).await;
        assert_eq!(partner.settled(&script).await["status"], "released");
        let id = script["id"].as_str().unwrap();
        let (before, report_before) = (everything(&partner, id).await, report(&partner, id).await);

        run(&place, "sh backup");
        let folder = place.folder.path().join("backup");
        for (command, refusal) in [("backup", "is not empty"), ("restore", "is there already")] {
            let arguments = [command, folder.to_str().unwrap()];
            let (code, sentence) = told(&place.command_in("tickmark-data", &arguments).output().unwrap());
            assert_eq!((code, sentence.contains(refusal)), (1, true), "{command}: {sentence}");
        }
        drop(server);
        std::fs::remove_dir_all(place.folder.path().join("tickmark-data")).unwrap();
        if kind == "postgres" {
            place.database = Place::postgres().database;
        }
        run(&place, "sh restore");

        let server = develop(&place);
        partner.address = server.address;
        assert_eq!(everything(&partner, id).await, before, "{kind}");
        // They differ in the time that they were made at.
        let difference = report(&partner, id).await.len().abs_diff(report_before.len());
        assert!(difference < report_before.len() / 20, "{kind}: the script's pages are there: {difference}");
        let again = partner.submit(&paper, "another", "application/pdf", pdf::of_text(SCRIPT)).await;
        assert_eq!(partner.settled(&again).await["status"], "released", "{kind}: and work goes on");
        // Secrets can be opened: a rotation seals the old one again.
        let endpoints = partner.get("/v1/webhook_endpoints").await;
        let path =
            format!("/v1/webhook_endpoints/{}/rotate_secret", endpoints["data"][0]["id"].as_str().unwrap());
        assert_eq!(partner.ask(Method::POST, &path, "", Some(&json!({}))).await.0, 200);
    }
}
