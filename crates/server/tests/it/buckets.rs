//! The settings of an object store, from outside.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use crate::client::{Connection, soon};
use crate::process::{Place, Server, told};
use http_body_util::Full;
use serde_json::Value;

fn dev(place: &Place, store: SocketAddr) -> Command {
    let mut command = place.command(&["dev", "--listen", "127.0.0.1:0", "--log-level", "info"]);
    command.env("TICKMARK_STORAGE", "s3").env("TICKMARK_S3_ENDPOINT", format!("http://{store}/store"));
    command.env("TICKMARK_S3_BUCKET", "scripts").env("TICKMARK_S3_ACCESS_KEY_ID", "tickmark");
    command.env("TICKMARK_S3_SECRET_ACCESS_KEY", "hush-hush");
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_does_not_keep_the_server_from_starting() {
    let place = Place::sqlite();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut server = Server::spawn(dev(&place, nobody));
    let warning = server.line_with("requests that need files are refused until");
    assert!(warning["error"].as_str().unwrap().starts_with("the file store is unavailable"), "{warning}");
    let line = server.line_with("listening on ");
    let address: SocketAddr = line["address"].as_str().unwrap().parse().unwrap();
    let key = place.key();
    let body = r#"{"purpose": "answer_script", "filename": "a.pdf", "content_type": "application/pdf", "size_bytes": 9}"#;
    let request = http::Request::post("/v1/files").header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {key}")).body(Full::from(body)).unwrap();
    let response = soon(Connection::plain(address).await.send(request)).await.unwrap();
    let file: Value = serde_json::from_slice(response.body()).unwrap();
    let url = file["upload"]["url"].as_str().unwrap();
    let id = file["id"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://{nobody}/store/scripts/files/{id}?X-Amz-Algorithm=")), "{url}");
    assert!(url.contains("us-east-1"), "the default region: {url}");
    assert!(server.lines.iter().all(|line| !line.contains("hush-hush")));
}

#[test]
fn a_store_that_refuses_is_told_at_once() {
    let place = Place::sqlite();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let store = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut peer, _) = socket.accept().unwrap();
        let _ = peer.read(&mut [0; 4096]).unwrap();
        let body = "<Error><Code>AccessDenied</Code><Message>Not for you</Message></Error>";
        let length = body.len();
        write!(peer, "HTTP/1.1 403 Forbidden\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
    });
    let (code, sentence) = told(&dev(&place, store).output().unwrap());
    assert_eq!(code, 1, "{sentence}");
    let said = "The bucket for files cannot be used, look at the settings under [s3]: \
                the object store answered 403 Forbidden: AccessDenied, Not for you.";
    assert!(sentence.contains(said), "{sentence}");
}
