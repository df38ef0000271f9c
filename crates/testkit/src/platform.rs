//! A learning platform on this machine that keeps to the rules of LTI 1.3 and of Assignment and Grade Services 2.0, and
//! writes down every rule that whoever talks to it breaks.

mod grades;
mod jwt;

pub use grades::Accepted;
pub use jwt::{ROTATED_KEY, Signature, TOOL_KEY};

use axum::Router;
use axum::routing::{get, post};
use domain::clock::Clock;
use grades::Grades;
use jwt::Keys;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;

/// What the platform calls the tool.
pub const CLIENT_ID: &str = "tickmark-client";
/// What it calls the installation of the tool.
pub const DEPLOYMENT_ID: &str = "deployment-1";
const CLAIM: &str = "https://purl.imsglobal.org/spec/lti/claim/";

/// The platform. It ends with the test's runtime.
#[derive(Clone, Debug)]
pub struct Platform {
    port: u16,
    state: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    clock: Arc<dyn Clock>,
    base: String,
    keys: Keys,
    /// How often its keys were fetched.
    fetched: usize,
    grades: Grades,
    /// Rules that were broken.
    broken: Vec<String>,
}

impl Platform {
    /// Starts a platform with these students in its course.
    pub async fn start(clock: Arc<dyn Clock>, students: &[&str]) -> Platform {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = socket.local_addr().expect("it is bound").port();
        let base = format!("http://127.0.0.1:{port}");
        let state = Arc::new(Mutex::new(Inner {
            clock,
            base,
            keys: Keys::new(),
            fetched: 0,
            grades: Grades::of(students),
            broken: Vec::new(),
        }));
        let router = Router::new()
            .route("/jwks", get(jwt::publish))
            .route("/token", post(grades::give_token))
            .route("/items/1/lineitem/scores", post(grades::take_score))
            .with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(socket, router).await });
        Platform { port, state }
    }

    /// An address of the platform.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What it calls itself.
    pub fn issuer(&self) -> String {
        self.url("")
    }

    /// The column of its gradebook that marks go to.
    pub fn line_item(&self) -> String {
        self.url("/items/1/lineitem?type_id=1")
    }

    /// Believes what is signed with the keys that the tool publishes.
    pub fn trust(&self, tool: &Value) {
        self.lock().keys.trust(tool);
    }

    /// What a launch says when all is right. It answers the login with this nonce.
    pub fn claims(&self, nonce: &str, target: &str, role: &str) -> Value {
        let inner = self.lock();
        let now = inner.clock.now().as_second();
        json!({
            "iss": inner.base, "aud": CLIENT_ID, "sub": "teacher-1", "iat": now, "exp": now + 300, "nonce": nonce,
            "name": "Ms Okafor",
            format!("{CLAIM}version"): "1.3.0",
            format!("{CLAIM}message_type"): "LtiResourceLinkRequest",
            format!("{CLAIM}deployment_id"): DEPLOYMENT_ID,
            format!("{CLAIM}target_link_uri"): target,
            format!("{CLAIM}resource_link"): {"id": "link-1"},
            format!("{CLAIM}roles"): [format!("http://purl.imsglobal.org/vocab/lis/v2/membership#{role}")],
            format!("{CLAIM}custom"): {},
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
                "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
                "lineitems": format!("{}/items", inner.base),
                "lineitem": format!("{}/items/1/lineitem?type_id=1", inner.base),
            },
        })
    }

    /// The name of a claim of LTI.
    pub fn claim(name: &str) -> String {
        format!("{CLAIM}{name}")
    }

    /// A token that says this, signed as it is told.
    pub fn token(&self, claims: &Value, signature: Signature) -> String {
        self.lock().keys.sign(claims, signature)
    }

    /// Signs with another key from now on, and publishes no other.
    pub fn rotate_key(&self) {
        self.lock().keys.rotate();
    }

    /// How often its keys were fetched.
    pub fn fetched(&self) -> usize {
        self.lock().fetched
    }

    /// How many access tokens it gave.
    pub fn tokens_given(&self) -> usize {
        self.lock().grades.tokens_given()
    }

    /// Forgets the access tokens that it gave.
    pub fn forget_tokens(&self) {
        self.lock().grades.forget_tokens();
    }

    /// Answers scores with this status from now on; `None`: as it should.
    pub fn answer_scores_with(&self, status: Option<u16>) {
        self.lock().grades.answer_with(status);
    }

    /// Takes scores from now on, but says 503 as if it had not.
    pub fn take_scores_in_secret(&self, is_secret: bool) {
        self.lock().grades.keep_secret(is_secret);
    }

    /// The scores that it took, in their order.
    pub fn accepted(&self) -> Vec<Accepted> {
        self.lock().grades.accepted()
    }

    /// What stands in its gradebook: the marks of each student.
    pub fn gradebook(&self) -> Vec<(String, f64, f64)> {
        self.lock().grades.gradebook()
    }

    /// How often scores were sent, taken or not.
    pub fn scores_sent(&self) -> usize {
        self.lock().grades.sent()
    }

    /// Panics when a rule was broken.
    pub fn assert_obeyed(&self) {
        let broken = std::mem::take(&mut self.lock().broken);
        assert!(broken.is_empty(), "{broken:#?}");
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Shared = Arc<Mutex<Inner>>;

fn locked(state: &Shared) -> MutexGuard<'_, Inner> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
