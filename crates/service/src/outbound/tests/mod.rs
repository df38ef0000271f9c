//! The client against servers of ours on this machine, and against every way inside that we know of.

mod server;

use super::*;
use futures_util::future::BoxFuture;
use http::HeaderName;
use http::header::HeaderValue;
use server::Server;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::Mutex;

/// Gives these answers one after the other, the last one for ever.
#[derive(Debug)]
struct Scripted(Mutex<VecDeque<Vec<IpAddr>>>);

fn scripted(answers: &[&[&str]]) -> Arc<Scripted> {
    let parse = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
    Arc::new(Scripted(Mutex::new(answers.iter().map(parse).collect())))
}

impl Resolver for Scripted {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move { answer.ok_or_else(|| io::Error::other("no such name")) })
    }
}

fn local() -> Outbound {
    Outbound::with(Reach::Development, scripted(&[&["127.0.0.1"]]), &[])
}

fn url(text: &str) -> WebUrl {
    WebUrl::parse(text, Reach::Development).unwrap()
}

async fn post(outbound: &Outbound, to: &str) -> Result<Answer, Error> {
    let signature = (HeaderName::from_static("service-signature"), HeaderValue::from_static("t=1,v1=00"));
    outbound
        .post(&Destination::new(&url(to))?, "Service-Webhooks/1", signature, Bytes::from_static(b"{}"))
        .await
}

async fn download(outbound: &Outbound, from: &str, max_bytes: u64) -> Result<(Downloaded, Vec<u8>), String> {
    let mut bytes = Vec::new();
    let outcome = outbound.download(&url(from), max_bytes, &mut bytes).await;
    outcome.map(|downloaded| (downloaded, bytes)).map_err(|error| match error {
        DownloadError::Permanent(why) => format!("permanent: {why}"),
        DownloadError::TooLarge { max_bytes } => format!("larger than {max_bytes}"),
        DownloadError::Transient(why) => format!("transient: {why}"),
        DownloadError::Write(error) => format!("write: {error}"),
    })
}

#[tokio::test]
async fn a_post_carries_its_headers_and_the_connection_serves_again() {
    let server =
        Server::start(|_| "HTTP/1.1 200 OK\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\nok".into()).await;
    let outbound = local();
    for _ in 0..3 {
        let answer = post(&outbound, &server.url("/hook?a=b")).await.unwrap();
        assert_eq!(
            (answer.status, answer.retry_after.as_deref(), answer.body.as_slice()),
            (200, Some("7"), &b"ok"[..])
        );
    }
    assert_eq!(server.connections(), 1);
    let request = server.requests().pop().unwrap().to_lowercase();
    assert!(request.starts_with("post /hook?a=b http/1.1\r\n"), "{request}");
    for header in
        ["content-type: application/json", "user-agent: service-webhooks/1", "service-signature: t=1,v1=00"]
    {
        assert!(request.contains(&format!("{header}\r\n")), "{header} in {request}");
    }
}

#[tokio::test]
async fn a_post_follows_no_redirect_and_keeps_the_beginning_of_an_answer() {
    let server = Server::start(|path| match path {
        "/moved" => "HTTP/1.1 307 Moved\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n".into(),
        _ => format!("HTTP/1.1 500 Oh\r\n\r\n{}", "x".repeat(300_000)),
    })
    .await;
    assert_eq!(post(&local(), &server.url("/moved")).await.unwrap().status, 307);
    let answer = post(&local(), &server.url("/long")).await.unwrap();
    assert_eq!((answer.status, answer.body.len()), (500, 4096));
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_post_ends_in_time_however_the_time_is_wasted() {
    let hasty = Outbound { exchange_time_max: Duration::from_millis(200), ..local() };
    let silent = Server::start(|_| String::new()).await;
    let dripping = Server::start(|_| "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab".into()).await;
    for server in [silent, dripping] {
        assert!(matches!(post(&hasty, &server.url("/")).await, Err(Error::Timeout)));
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_checked_at_every_connection() {
    let server =
        Server::start(|_| "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".into()).await;
    let resolver = scripted(&[&["127.0.0.1"], &["10.0.0.8"]]);
    let outbound = Outbound::with(Reach::Development, resolver, &[]);
    let to = format!("http://rebind.example:{}/", server.port());
    assert_eq!(post(&outbound, &to).await.unwrap().status, 200);
    assert!(matches!(post(&outbound, &to).await, Err(Error::Refused(_))));
}

#[tokio::test]
async fn no_inner_address_is_connected_to() {
    let inside: &[&[&str]] = &[
        &["127.0.0.1"],
        &["169.254.169.254"],
        &["10.1.2.3"],
        &["::1"],
        &["::ffff:127.0.0.1"],
        &["::ffff:10.0.0.1"],
        &["64:ff9b::a00:1"],
        &["2002:a00:1::"],
        &["fd00:ec2::254"],
        &["fe80::1"],
        &["0.0.0.0"],
        &["::"],
        // One address inside spoils the name, wherever it stands.
        &["93.184.216.34", "127.0.0.1"],
        &["2606:4700::1111", "::1"],
    ];
    for answer in inside {
        let outbound = Outbound::with(Reach::Public, scripted(&[answer]), &[]);
        let outcome = post(&outbound, "https://hooks.example.com/").await;
        assert!(matches!(outcome, Err(Error::Refused(_))), "{answer:?}: {outcome:?}");
    }
    // Development reaches this machine and nothing else that is inside.
    for address in [
        "http://10.0.0.1:8080/",
        "http://169.254.169.254:8080/",
        "http://[::ffff:127.0.0.1]:8080/",
        "http://0.0.0.0:8080/",
    ] {
        assert!(matches!(post(&local(), address).await, Err(Error::Refused(_))), "{address}");
    }
    let nowhere = Outbound::with(Reach::Public, scripted(&[]), &[]);
    assert!(matches!(post(&nowhere, "https://hooks.example.com/").await, Err(Error::Name)));
}

#[tokio::test]
async fn a_host_proves_its_name() {
    let (server, authority) =
        Server::start_tls("hooks.example.com", |_| "HTTP/1.1 204 No Content\r\n\r\n".into()).await;
    let trusting = Outbound::with(Reach::Development, scripted(&[&["127.0.0.1"]]), &[authority]);
    let to = |name: &str| format!("https://{name}:{}/", server.port());
    assert_eq!(post(&trusting, &to("hooks.example.com")).await.unwrap().status, 204);
    assert!(matches!(post(&trusting, &to("other.example.com")).await, Err(Error::Tls(_))));
    assert!(matches!(post(&local(), &to("hooks.example.com")).await, Err(Error::Tls(_))));
}

#[tokio::test]
async fn nobody_there_and_no_http_are_told_apart() {
    let server = Server::start(|_| "SSH-2.0-OpenSSH\r\n".into()).await;
    assert!(matches!(post(&local(), &server.url("/")).await, Err(Error::Broken(_))));
    let port = {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        socket.local_addr().unwrap().port()
    };
    assert!(matches!(post(&local(), &format!("http://localhost:{port}/")).await, Err(Error::Connect)));
}

#[tokio::test]
async fn a_file_is_fetched_through_redirects() {
    let server = Server::start(|path| match path {
        "/1" => "HTTP/1.1 302 Found\r\nlocation: /2\r\ncontent-length: 0\r\n\r\n".into(),
        "/2" => "HTTP/1.1 307 Moved\r\nlocation: 3#x\r\ncontent-length: 0\r\n\r\n".into(),
        "/3" => "HTTP/1.1 301 Moved\r\nlocation: /file\r\ncontent-length: 0\r\n\r\n".into(),
        "/0" => "HTTP/1.1 301 Moved\r\nlocation: /1\r\ncontent-length: 0\r\n\r\n".into(),
        _ => "HTTP/1.1 200 OK\r\ncontent-type: Application/PDF; x=y\r\ncontent-length: 5\r\n\r\n%PDF-".into(),
    })
    .await;
    let (downloaded, bytes) = download(&local(), &server.url("/1"), 5).await.unwrap();
    assert_eq!(downloaded, Downloaded { content_type: Some("application/pdf".to_owned()), len: 5 });
    assert_eq!(bytes, b"%PDF-");
    let refused = download(&local(), &server.url("/0"), 5).await.unwrap_err();
    assert_eq!(refused, "permanent: the server redirects more than 3 times");
}

#[tokio::test]
async fn a_download_says_whether_trying_again_helps() {
    let server = Server::start(|path| match path {
        "/missing" => "HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n".into(),
        "/busy" => "HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n".into(),
        "/inside" => "HTTP/1.1 302 No\r\nlocation: http://10.0.0.1:8080/\r\ncontent-length: 0\r\n\r\n".into(),
        "/file" => "HTTP/1.1 302 No\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n".into(),
        "/nowhere" => "HTTP/1.1 304 No\r\ncontent-length: 0\r\n\r\n".into(),
        "/named" => "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n12345678901".into(),
        "/chunked" => {
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n123456\r\n6\r\n123456\r\n0\r\n\r\n"
                .into()
        }
        _ => "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\n1234".into(),
    })
    .await;
    for (path, expected) in [
        ("/missing", "permanent: the server answered 404"),
        ("/busy", "transient: the server answered 503"),
        ("/inside", "permanent: the host has an address that is not public"),
        (
            "/file",
            "permanent: the server redirects to a URL that must be a URL, such as https://example.com/hook",
        ),
        ("/nowhere", "permanent: the server answered 304"),
        ("/named", "larger than 10"),
        ("/chunked", "larger than 10"),
    ] {
        assert_eq!(download(&local(), &server.url(path), 10).await.unwrap_err(), expected, "{path}");
    }
    let broken = download(&local(), &server.url("/broken"), 10).await.unwrap_err();
    assert!(broken.starts_with("transient: the connection broke"), "{broken}");
}
