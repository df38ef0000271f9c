//! A receiver of webhooks that remembers which events came.

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;

type Came = Arc<Mutex<HashMap<String, u64>>>;

pub(super) struct Sink {
    pub(super) url: String,
    came: Came,
}

impl Sink {
    pub(super) async fn start() -> anyhow::Result<Sink> {
        let came = Came::default();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        let router = Router::new().route("/hook", post(receive)).with_state(Arc::clone(&came));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Sink { url, came })
    }

    /// True when the event came at least once.
    pub(super) fn has(&self, id: &str) -> bool {
        self.came.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }
}

async fn receive(State(came): State<Came>, axum::Json(event): axum::Json<Value>) {
    let id = event["id"].as_str().unwrap_or_default().to_owned();
    *came.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default() += 1;
}
