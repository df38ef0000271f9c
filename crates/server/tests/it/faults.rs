//! Kills, lost databases, taken folders.

use std::time::{Duration, Instant};

use crate::client::{Connection, PATIENCE, Pair, get_with_key, soon};
use crate::process::{Place, Server, told};
use serde_json::Value;
use testdb::{Durability, Postgres};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_outlives_a_kill() {
    let place = Place::sqlite();
    let (pair, key) = (Pair::new(), place.key());
    let mut server = Server::https(&place, &pair, &[]);
    let mut connection = Connection::tls(server.address, &pair, &["http/1.1"]).await.unwrap();
    let mut request = get_with_key("/v1/api_key/revoke", &key);
    *request.method_mut() = http::Method::POST;
    assert_eq!(soon(connection.send(request)).await.unwrap().status(), 200);
    server.signal("-KILL");
    assert_eq!(server.ended(), None);

    let server = Server::https(&place, &pair, &[]);
    let response = server.get(&pair, "/v1/account", &key).await;
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!((response.status().as_u16(), &body["error"]["code"]), (401, &Value::from("api_key_revoked")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_is_waited_for() {
    let cluster: &'static Postgres = Box::leak(Box::new(Postgres::start(Durability::Full)));
    let folder = tempfile::tempdir().unwrap();
    let place = Place { folder, database: Some(cluster.database()), environment: Vec::new() };
    let (pair, key) = (Pair::new(), place.key());
    let server = Server::https(&place, &pair, &[]);
    assert_eq!(server.get(&pair, "/v1/account", &key).await.status(), 200);

    cluster.stop();
    let away = until_status(&server, &pair, &key, 503).await;
    assert!(away.headers().contains_key("retry-after"), "{:?}", away.headers());
    let body: Value = serde_json::from_slice(away.body()).unwrap();
    assert_eq!(body["error"]["code"], "service_unavailable");
    assert_eq!(server.get(&pair, "/readyz", &key).await.status(), 503);
    assert_eq!(server.get(&pair, "/healthz", &key).await.status(), 200);

    cluster.restart();
    until_status(&server, &pair, &key, 200).await;
    assert_eq!(server.get(&pair, "/readyz", &key).await.status(), 200);
}

/// Asks until the answer has this status.
async fn until_status(server: &Server, pair: &Pair, key: &str, status: u16) -> http::Response<bytes::Bytes> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let response = server.get(pair, "/v1/balance", key).await;
        if response.status().as_u16() == status {
            return response;
        }
        assert!(Instant::now() < deadline, "still {}", response.status());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_second_server_on_the_same_folder_is_told_why_it_cannot_start() {
    let place = Place::sqlite();
    let arguments =
        ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--log-level", "off"];
    let _first = Server::start(place.command(&arguments[..5]));
    let (code, sentence) = told(&place.run(&arguments));
    assert_eq!(code, 1);
    assert!(sentence.starts_with("Another tickmark server (process "), "{sentence}");
    // Administration goes on beside the server.
    place.account();
}

#[test]
fn a_server_with_few_descriptors_takes_fewer_connections() {
    let place = Place::sqlite();
    let plain = place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"]);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 300; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    let server = Server::start(command);
    let line = server.lines.iter().find(|line| line.contains("the system allows 300 open files")).unwrap();
    assert!(line.contains("so 100 connections at once are taken, not 4096"), "{line}");
    let idle: Vec<_> = (0..99).map(|_| std::net::TcpStream::connect(server.address).unwrap()).collect();
    assert_eq!(ready(&server), "200");
    drop(idle);
}

#[test]
fn servers_share_a_postgresql_database() {
    let place = Place::postgres();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"];
    let _first = Server::start(place.command(&arguments));
    let _second = Server::start(place.command(&arguments));
}

#[test]
fn a_new_server_is_ready_soon() {
    // The machine may be busy with other tests, so one good start of many is enough.
    let starts = (0..20).map(|_| {
        let place = Place::sqlite();
        let begun = Instant::now();
        let server = Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]));
        assert_eq!(ready(&server), "200");
        begun.elapsed()
    });
    let limit = Duration::from_millis(300);
    let mut slow = Vec::new();
    for took in starts {
        if took < limit {
            return;
        }
        slow.push(took);
    }
    panic!("no start was ready within {limit:?}: {slow:?}");
}

/// The status of `/readyz`, asked for without any client library's own start.
fn ready(server: &Server) -> String {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}
