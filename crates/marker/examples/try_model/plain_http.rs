//! Just enough HTTP to reach an endpoint on this machine: one request a connection, no encryption.

use marker::remote::{Fault, Request, Response, Transport};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Sends to `http://HOST:PORT/…`.
pub(crate) struct PlainHttp;

impl Transport for PlainHttp {
    fn post(&self, request: &Request) -> Result<Response, Fault> {
        let broken = |error: &dyn std::fmt::Display| Fault::Broken(error.to_string());
        let address = request.url.strip_prefix("http://").ok_or_else(|| broken(&"only http:// is spoken"))?;
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let mut stream = TcpStream::connect(host).map_err(|error| broken(&error))?;
        stream.set_read_timeout(Some(request.timeout)).map_err(|error| broken(&error))?;
        let head = format!(
            "POST /{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            request.body.len()
        );
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(request.body.as_bytes()))
            .map_err(|error| broken(&error))?;
        let mut answer = String::new();
        let mut bounded = stream.take(request.response_bytes_max as u64);
        bounded.read_to_string(&mut answer).map_err(|error| match error.kind() {
            std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => Fault::Timeout,
            _ => broken(&error),
        })?;
        parsed(&answer).ok_or_else(|| broken(&"the answer is no HTTP"))
    }
}

fn parsed(answer: &str) -> Option<Response> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split_whitespace().nth(1)?.parse().ok()?;
    Some(Response { status, body: body.to_owned(), retry_after_seconds: None })
}
