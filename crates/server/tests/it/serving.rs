//! `tickmark serve`: who is answered, and how it ends.

use crate::client::{Connection, Pair, get, get_with_key, soon};
use crate::process::{Place, Server};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

fn code(response: &http::Response<bytes::Bytes>) -> (u16, String) {
    let body: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    (response.status().as_u16(), body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn https_answers_over_both_protocols_on_both_databases() {
    for place in Place::both() {
        let (pair, key) = (Pair::new(), place.key());
        let server = Server::https(&place, &pair, &[]);
        for protocols in [&["h2"][..], &["http/1.1"][..]] {
            let mut connection = Connection::tls(server.address, &pair, protocols).await.unwrap();
            let response = soon(connection.send(get_with_key("/v1/account", &key))).await.unwrap();
            assert_eq!(response.status(), 200);
            assert_eq!(
                code(&connection.get("/v1/account").await.unwrap()),
                (401, "api_key_missing".to_owned())
            );
            assert_eq!(connection.get("/readyz").await.unwrap().status(), 200);
            assert_eq!(connection.get("/healthz").await.unwrap().status(), 200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_http_is_refused_on_the_tls_port_and_its_key_taken_as_exposed() {
    let place = Place::sqlite();
    let (pair, account) = (Pair::new(), place.account());
    let key = place.json(&["key", "issue", "--account", &account, "--mode", "live"]);
    let key = key["key"].as_str().unwrap();
    let mut server = Server::https(&place, &pair, &[]);
    let mut plain = Connection::plain(server.address).await;
    let response = soon(plain.send(get_with_key("/v1/account", key))).await.unwrap();
    assert_eq!(code(&response), (403, "https_required".to_owned()));

    server.signal("-TERM");
    server.ended();
    let keys = place.json(&["key", "list", "--account", &account]);
    assert!(keys[0]["exposed_at"].is_string(), "{keys}");
    server.line_with("stopped");
    assert!(!server.lines.iter().any(|line| line.contains(key)), "a key was logged");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_families_of_headers_the_one_that_the_proxy_writes_counts() {
    let place = Place::sqlite();
    let key = place.key();
    let both = [("x-forwarded-proto", "https"), ("forwarded", "for=203.0.113.1;proto=http")];
    for (family, expected) in [("x-forwarded", 200), ("forwarded", 403)] {
        let mut command =
            place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.0/8"]);
        command.env("TICKMARK_PROXY_HEADERS", family);
        let server = Server::start(command);
        let mut connection = Connection::plain(server.address).await;
        let mut request = get_with_key("/v1/account", &key);
        for (name, value) in both {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let response = soon(connection.send(request)).await.unwrap();
        assert_eq!(response.status(), expected, "{family}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forwarded_headers_are_believed_from_the_named_proxy_alone() {
    let place = Place::sqlite();
    let key = place.key();
    for (proxies, expected) in [("127.0.0.0/8", 200), ("10.0.0.0/8", 403)] {
        let command = place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", proxies]);
        let server = Server::start(command);
        let mut connection = Connection::plain(server.address).await;
        let mut request = get_with_key("/v1/account", &key);
        request.headers_mut().insert("x-forwarded-proto", "https".parse().unwrap());
        let response = soon(connection.send(request)).await.unwrap();
        assert_eq!(response.status().as_u16(), expected, "{proxies}");
        let direct = soon(connection.send(get_with_key("/v1/account", &key))).await.unwrap();
        assert_eq!(code(&direct), (403, "https_required".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_finishes_the_request_under_way() {
    let place = Place::sqlite();
    let key = place.key();
    let mut server =
        Server::start(place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"]));
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /v1/api_key/revoke HTTP/1.1\r\nhost: x\r\nx-forwarded-proto: https\r\ncontent-type: application/json\r\n\
         authorization: Bearer {key}\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body once the request is under way.
    let mut begun = [0; 25];
    soon(stream.read_exact(&mut begun)).await.unwrap();
    assert_eq!(&begun, b"HTTP/1.1 100 Continue\r\n\r\n");

    server.signal("-TERM");
    server.line_with("stopping");
    stream.write_all(b"{}").await.unwrap();
    let mut answer = String::new();
    soon(stream.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(server.ended(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_the_server_at_once() {
    let place = Place::sqlite();
    let mut server =
        Server::start(place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"]));
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /v1/api_key/revoke HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    server.signal("-INT");
    server.line_with("stopping");
    server.signal("-INT");
    assert_eq!(server.ended(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_on_their_own_address_and_nowhere_else() {
    let place = Place::sqlite();
    let (pair, key) = (Pair::new(), place.key());
    let files = crate::listener::write_pair(place.folder.path(), &pair);
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
    command.arg("--tls-cert").arg(files.certificate).arg("--tls-key").arg(files.key);
    let server = Server::start(command);
    let line = server.lines.iter().find(|line| line.contains("metrics on ")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    let metrics = line["address"].as_str().unwrap().parse().unwrap();

    assert_eq!(server.get(&pair, "/v1/account", &key).await.status(), 200);
    assert_ne!(server.get(&pair, "/metrics", &key).await.status(), 200);
    let mut connection = Connection::plain(metrics).await;
    let page = soon(connection.send(get("/metrics"))).await.unwrap();
    let page = String::from_utf8(page.body().to_vec()).unwrap();
    let counted = r#"tickmark_http_requests_total{method="GET",route="/v1/account",status="2xx"} 1"#;
    assert!(page.contains(counted), "{page}");
    assert!(
        page.contains(r#"tickmark_http_request_seconds_bucket{method="GET",route="/v1/account",le="0.001"}"#),
        "{page}"
    );
    assert!(page.contains(r#"route="unmatched""#), "{page}");
    for name in [
        "tickmark_connections ",
        "process_cpu_seconds_total ",
        "process_resident_memory_bytes ",
        "tickmark_deliveries_waiting ",
        r#"tickmark_jobs_waiting{kind="mark_submission"} "#,
    ] {
        assert!(page.contains(&format!("\n{name}")), "{name} is missing: {page}");
    }
    assert_eq!(connection.get("/v1/account").await.unwrap().status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_used_and_a_broken_one_is_not() {
    let place = Place::sqlite();
    let (old, new) = (Pair::new(), Pair::new());
    let mut server = Server::https(&place, &old, &[]);
    let mut before = Connection::tls(server.address, &old, &["h2"]).await.unwrap();
    before.get("/healthz").await.unwrap();

    // A certificate without its key is no pair.
    std::fs::write(place.folder.path().join("cert.pem"), &new.certificate_pem).unwrap();
    server.line_with("the new certificate is not used, the old one stays: ");
    Connection::tls(server.address, &old, &["h2"]).await.unwrap();

    crate::listener::write_pair(place.folder.path(), &new);
    server.line_with("the certificate was renewed");
    Connection::tls(server.address, &new, &["h2"]).await.unwrap();
    assert_eq!(before.get("/healthz").await.unwrap().status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limits_of_the_settings_hold() {
    let place = Place::sqlite();
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"]);
    command.env("TICKMARK_LIMITS_HEADER_READ_SECONDS", "1");
    let server = Server::start(command);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: ").await.unwrap();
    let mut answer = Vec::new();
    // A reset is an end as well.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    assert_eq!(answer, b"");
}

#[test]
fn a_process_that_only_works_needs_no_certificate() {
    let place = Place::sqlite();
    let mut server = Server::spawn(place.command(&["serve", "--roles", "worker"]));
    server.line_with("working on jobs only");
    server.signal("-TERM");
    assert_eq!(server.ended(), Some(0));
}
