//! Files on their way to the app, or to the store that it names.

use crate::app::BASE_URL;
use crate::{Answer, App};
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::json;

impl App {
    /// Registers a file with the test key and uploads its bytes; gives its id.
    pub async fn upload(&self, purpose: &str, content_type: &str, bytes: &[u8]) -> String {
        self.upload_as(&self.test_key, purpose, content_type, bytes).await
    }

    /// The same with another key.
    pub async fn upload_as(&self, key: &str, purpose: &str, content_type: &str, bytes: &[u8]) -> String {
        let new = json!({
            "purpose": purpose, "filename": "a file", "content_type": content_type, "size_bytes": bytes.len(),
        });
        let file = self.post("/v1/files").key(key).json(&new).send().await;
        self.put(&file, bytes).await
    }

    /// Uploads the bytes of a file that was registered; gives its id.
    pub async fn put(&self, file: &Answer, bytes: &[u8]) -> String {
        assert_eq!(file.status, 201, "{}", file.text);
        let content_type = file.body["content_type"].as_str().expect("a type");
        let url = file.body["upload"]["url"].as_str().expect("an upload URL");
        let (status, text) = match url.strip_prefix(BASE_URL) {
            Some(path) => {
                let put = self.ask(Method::PUT, path).no_key().header("content-type", content_type);
                let answer = put.body(bytes.to_vec()).send().await;
                (answer.status, answer.text)
            }
            None => put_outside(url, content_type, bytes).await,
        };
        assert_eq!(status, 200, "{text}");
        file.body["id"].as_str().expect("an id").to_owned()
    }
}

/// Puts a file's bytes to an upload URL that is not the app's own, over the network; gives status and body.
pub async fn put_outside(url: &str, content_type: &str, bytes: &[u8]) -> (u16, String) {
    let client = Client::builder(TokioExecutor::new()).build_http();
    let request = Request::put(url)
        .header("content-type", content_type)
        .header("if-none-match", "*")
        .body(Full::new(Bytes::copy_from_slice(bytes)))
        .expect("the request is well formed");
    let response = client.request(request).await.expect("the store answers");
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("the body arrives").to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}
