//! A small client for our own API.

use crate::failure::Failure;
use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// Talks to one server with one key.
#[derive(Clone, Debug)]
pub(super) struct Client {
    http: HyperClient<HttpConnector, Full<Bytes>>,
    url: String,
    key: String,
}

impl Client {
    pub(super) fn new(url: &str, key: &str) -> Client {
        let http = HyperClient::builder(TokioExecutor::new()).build_http();
        Client { http, url: url.to_owned(), key: key.to_owned() }
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        parsed(path, &self.fetch(path, "application/json").await?)
    }

    /// Fetches something in the form that is asked for.
    pub(super) async fn fetch(&self, path: &str, form: &str) -> Result<Bytes, Failure> {
        let request = self.request(Method::GET, &self.at(path)).header(header::ACCEPT, form);
        self.send(path, request, Bytes::new()).await
    }

    /// Sends JSON. `once` makes a repeated request harmless.
    pub(super) async fn post(&self, path: &str, once: &str, body: &Value) -> Result<Value, Failure> {
        let request = self
            .request(Method::POST, &self.at(path))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", once);
        parsed(path, &self.send(path, request, Bytes::from(body.to_string())).await?)
    }

    /// Sends a file's bytes where the API said they go.
    pub(super) async fn put(
        &self,
        url: &str,
        content_type: &str,
        bytes: &'static [u8],
    ) -> Result<(), Failure> {
        let request =
            Request::builder().method(Method::PUT).uri(url).header(header::CONTENT_TYPE, content_type);
        self.send("the upload URL", request, Bytes::from_static(bytes)).await.map(drop)
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn request(&self, method: Method, url: &str) -> http::request::Builder {
        let key = format!("Bearer {}", self.key);
        Request::builder().method(method).uri(url).header(header::AUTHORIZATION, key)
    }

    async fn send(&self, path: &str, request: http::request::Builder, body: Bytes) -> Result<Bytes, Failure> {
        let failed = |why: String| Failure::new(format!("The demo's request to {path} failed: {why}."));
        let request = request.body(Full::new(body)).map_err(|error| failed(error.to_string()))?;
        let response = self.http.request(request).await.map_err(|error| failed(error.to_string()))?;
        let status = response.status();
        let collected = response.into_body().collect().await.map_err(|error| failed(error.to_string()))?;
        let bytes = collected.to_bytes();
        if status.is_success() {
            return Ok(bytes);
        }
        Err(failed(format!("{status} {}", String::from_utf8_lossy(&bytes))))
    }
}

fn parsed(path: &str, bytes: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(bytes)
        .map_err(|error| Failure::new(format!("The answer of {path} is no JSON: {error}.")))
}
