//! A real S3 server in the process, which checks signatures, conditions and lengths. Other processes reach it too.

use axum::Router;
use axum::error_handling::HandleError;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use http::StatusCode;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use service::blobs::s3::{Credentials, Place};
use service::blobs::{Blobs, S3};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Its one bucket, who may use it, and where it says that it is.
pub const BUCKET: &str = "scripts";
pub const ACCESS_KEY_ID: &str = "tickmark";
pub const SECRET_ACCESS_KEY: &str = "secret";
pub const REGION: &str = "eu-west-1";

/// An S3 server with one bucket. It ends with the test's runtime.
#[derive(Debug)]
pub struct ObjectStore {
    /// Where its buckets lie, and what is on its way to them.
    pub folder: TempDir,
    /// Where it is reached.
    pub port: u16,
    /// How many of the next requests it answers with a fault.
    pub faults: Arc<AtomicUsize>,
    /// How many requests came.
    pub requests: Arc<AtomicUsize>,
}

impl ObjectStore {
    /// Starts it on a spare port of this machine.
    pub async fn start() -> ObjectStore {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::create_dir_all(folder.path().join("root").join(BUCKET)).expect("the bucket can be made");
        let mut builder =
            S3ServiceBuilder::new(FileSystem::new(folder.path().join("root")).expect("the bucket is there"));
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let (faults, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (left, counted) = (Arc::clone(&faults), Arc::clone(&requests));
        let fault = move |request: Request, next: Next| {
            counted.fetch_add(1, Ordering::SeqCst);
            let is_faulty =
                left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
            async move {
                if is_faulty {
                    StatusCode::SERVICE_UNAVAILABLE.into_response()
                } else {
                    next.run(request).await
                }
            }
        };
        let broken = |_: s3s::HttpError| async { StatusCode::INTERNAL_SERVER_ERROR };
        let router = Router::new()
            .fallback_service(HandleError::new(builder.build(), broken))
            .layer(middleware::from_fn(fault));
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("this machine has a loopback address");
        let port = socket.local_addr().expect("a bound socket has an address").port();
        tokio::spawn(async move { axum::serve(socket, router).await });
        ObjectStore { folder, port, faults, requests }
    }

    /// The files in a bucket of it, for who knows the secret or guesses one.
    pub fn blobs(&self, bucket: &str, secret: &str) -> Blobs {
        let endpoint = format!("http://127.0.0.1:{}", self.port).parse().expect("it is a URL");
        let place = Place { endpoint, bucket: bucket.to_owned(), region: REGION.to_owned() };
        let incoming = self.folder.path().join("incoming");
        let s3 = S3::open(place, Credentials::new(ACCESS_KEY_ID, secret), incoming, &[])
            .expect("the settings are right");
        Blobs::S3(Box::new(s3))
    }

    /// The keys in the bucket, in order.
    pub fn keys(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, keys: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("the bucket is there") {
                let path = entry.expect("its entries can be read").path();
                if path.is_dir() {
                    walk(&path, root, keys);
                } else {
                    keys.push(path.strip_prefix(root).unwrap_or(&path).display().to_string());
                }
            }
        }
        let root = self.folder.path().join("root").join(BUCKET);
        let mut keys = Vec::new();
        walk(&root, &root, &mut keys);
        keys.sort();
        keys
    }

    /// Answers every request with a fault, or none any more.
    pub fn set_away(&self, away: bool) {
        self.faults.store(if away { usize::MAX } else { 0 }, Ordering::SeqCst);
    }

    /// The settings by which a process keeps its files here.
    pub fn environment(&self) -> [(&'static str, String); 6] {
        [
            ("TICKMARK_STORAGE", "s3".to_owned()),
            ("TICKMARK_S3_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("TICKMARK_S3_BUCKET", BUCKET.to_owned()),
            ("TICKMARK_S3_REGION", REGION.to_owned()),
            ("TICKMARK_S3_ACCESS_KEY_ID", ACCESS_KEY_ID.to_owned()),
            ("TICKMARK_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.to_owned()),
        ]
    }
}
