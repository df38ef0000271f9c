//! Peers that are slow, greedy or rude.

use std::time::Duration;

use crate::client::{Connection, soon};
use crate::listener::{LIMITS, Running};
use server::listen::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

const SHORT: Duration = Duration::from_millis(150);
/// Shorter than every other limit, and long for a slow machine.
const LONG: Duration = Duration::from_secs(45);

/// Everything that the server says until it ends the connection.
async fn until_cut(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset is an end as well.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn connect(limits: Limits) -> (Running, TcpStream) {
    let running = Running::start(limits, None).await;
    let stream = TcpStream::connect(running.address).await.unwrap();
    (running, stream)
}

#[tokio::test]
async fn a_peer_that_says_nothing_is_cut() {
    let (_running, mut stream) = connect(Limits { header_read: SHORT, ..LIMITS }).await;
    assert_eq!(until_cut(&mut stream).await, "");
}

#[tokio::test]
async fn a_head_that_trickles_in_is_cut() {
    let (_running, mut stream) = connect(Limits { header_read: SHORT, ..LIMITS }).await;
    let begun = Instant::now();
    stream.write_all(b"GET /connection HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    // One more field now and then must not buy more time.
    while stream.write_all(b"a: b\r\n").await.is_ok() && begun.elapsed() < LONG {
        sleep(SHORT / 5).await;
    }
    assert!(begun.elapsed() < LONG, "the server must not wait for ever");
}

#[tokio::test]
async fn a_second_head_that_trickles_in_is_cut_like_an_idle_connection() {
    let (_running, mut stream) = connect(Limits { idle: SHORT, ..LIMITS }).await;
    stream.write_all(b"GET /connection HTTP/1.1\r\nhost: x\r\n\r\nGET /conn").await.unwrap();
    let answer = until_cut(&mut stream).await;
    assert_eq!(answer.matches("200 OK").count(), 1, "{answer}");
}

#[tokio::test]
async fn a_tls_peer_that_does_not_shake_hands_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let files = crate::listener::write_pair(folder.path(), &crate::client::Pair::new());
    let running = Running::start(Limits { tls_handshake: SHORT, ..LIMITS }, Some(files)).await;
    for first in [&[][..], &[0x16][..]] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(first).await.unwrap();
        assert_eq!(until_cut(&mut stream).await, "");
    }
}

#[tokio::test]
async fn a_body_that_stops_is_refused() {
    let (_running, mut stream) = connect(Limits { body_idle: SHORT, ..LIMITS }).await;
    stream.write_all(b"POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc").await.unwrap();
    let answer = until_cut(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}

#[tokio::test]
async fn a_body_that_trickles_below_the_rate_is_refused() {
    let limits = Limits { body_idle: SHORT * 4, body_bytes_per_second_min: 1_000_000, ..LIMITS };
    let (_running, mut stream) = connect(limits).await;
    stream.write_all(b"POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n").await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let trickle = async {
        // Each byte comes in time by itself.
        while writing.write_all(b"x").await.is_ok() {
            sleep(SHORT).await;
        }
        std::future::pending::<()>().await;
    };
    let mut first = [0; 10];
    tokio::select! {
        read = soon(reading.read_exact(&mut first)) => drop(read.unwrap()),
        () = trickle => {}
    }
    assert_eq!(&first, b"HTTP/1.1 4");
}

#[tokio::test]
async fn a_large_body_that_keeps_its_rate_is_taken() {
    let running = Running::start(Limits { body_idle: SHORT * 20, ..LIMITS }, None).await;
    let request =
        http::Request::post("/length").header("host", "x").body(vec![b'x'; 1_500_000].into()).unwrap();
    let response = soon(Connection::plain(running.address).await.send(request)).await.unwrap();
    assert_eq!(response.body(), "1500000");
}

#[tokio::test]
async fn an_early_refusal_reaches_a_peer_that_is_still_sending() {
    let folder = tempfile::tempdir().unwrap();
    let pair = crate::client::Pair::new();
    let files = crate::listener::write_pair(folder.path(), &pair);
    let running = Running::start(LIMITS, Some(files)).await;
    for protocol in ["http/1.1", "h2"] {
        let mut connection = Connection::tls(running.address, &pair, &[protocol]).await.unwrap();
        for _ in 0..2 {
            let request = http::Request::post("https://localhost/refused").header("host", "localhost");
            let request = request.body(vec![b'x'; 8 * 1024 * 1024].into()).unwrap();
            let response = soon(connection.send(request)).await.unwrap();
            assert_eq!(response.status(), 403, "{protocol}");
        }
    }
}

#[tokio::test]
async fn a_peer_that_does_not_take_its_response_is_cut() {
    let (running, mut stream) = connect(Limits { response_idle: SHORT, ..LIMITS }).await;
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    // Nothing is read for long enough; what follows can only be what was on its way.
    let connections_before = Instant::now();
    sleep(SHORT * 6).await;
    let rest = until_cut(&mut stream).await;
    assert!(rest.len() < 32 * 1024 * 1024, "the response must not have been kept for the peer");
    assert!(connections_before.elapsed() < LONG);
    drop(running);
}

#[tokio::test]
async fn a_peer_that_takes_its_response_slowly_gets_all_of_it() {
    let (_running, mut stream) = connect(Limits { response_idle: SHORT * 4, idle: SHORT, ..LIMITS }).await;
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut piece = vec![0; 1024 * 1024];
    let mut received = 0;
    loop {
        let length = soon(stream.read(&mut piece)).await.unwrap();
        if length == 0 {
            break;
        }
        received += length;
        sleep(Duration::from_millis(2)).await;
    }
    assert!(received > 32 * 1024 * 1024, "only {received} bytes came");
}

#[tokio::test]
async fn an_oversized_head_is_refused() {
    let (_running, mut stream) = connect(LIMITS).await;
    let head = format!("GET /connection HTTP/1.1\r\nhost: x\r\nlarge: {}\r\n\r\n", "x".repeat(10_000));
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = until_cut(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");

    let (_running, mut stream) = connect(LIMITS).await;
    let head = format!("GET /connection HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(60));
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = until_cut(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn one_connection_too_many_waits_for_its_place() {
    let (running, first) = connect(Limits { connections_max: 1, ..LIMITS }).await;
    let mut second = TcpStream::connect(running.address).await.unwrap();
    second.write_all(b"GET /connection HTTP/1.0\r\n\r\n").await.unwrap();
    let mut byte = [0];
    let early = tokio::time::timeout(SHORT, second.read(&mut byte)).await;
    assert!(early.is_err(), "there is no place yet");
    drop(first);
    assert!(until_cut(&mut second).await.starts_with("HTTP/1.0 200"));
}
