//! Files in a bucket: a real S3 server in the process, which checks signatures, conditions and lengths.

use crate::flow::{paper_body, read_paper};
use axum::Router;
use domain::clock::{Clock as _, SystemClock};
use domain::web_url::Reach;
use http::Method;
use serde_json::{Value, json};
use service::blobs::BlobError;
use service::outbound::Outbound;
use std::sync::atomic::Ordering;
use testkit::object_store::{BUCKET, ObjectStore};
use testkit::{Answer, App, pdf, put_outside};
use tokio::net::TcpListener;

const PDF: &str = "application/pdf";

/// The app with its files in a bucket. The store holds dates against the world's clock, so it begins at that.
async fn on_s3(app: &App) -> (App, ObjectStore) {
    let ahead = SystemClock::default().now().duration_since(app.service.now());
    app.clock.advance_seconds(ahead.as_secs());
    let store = ObjectStore::start().await;
    let app = app.sibling_with(|parts| parts.blobs = store.blobs(BUCKET, "secret")).await;
    (app, store)
}

async fn register(app: &App, size: usize) -> Answer {
    let new = json!({
        "purpose": "answer_script", "filename": "script.pdf", "content_type": PDF, "size_bytes": size,
    });
    app.post("/v1/files").key(&app.test_key).json(&new).send().await
}

fn upload_url(file: &Answer) -> &str {
    file.body["upload"]["url"].as_str().unwrap()
}

async fn shown(app: &App, file: &Answer) -> Answer {
    let path = format!("/v1/files/{}", file.body["id"].as_str().unwrap());
    app.get(&path).key(&app.test_key).send().await
}

async fn status(app: &App, file: &Answer) -> String {
    shown(app, file).await.body["status"].as_str().unwrap().to_owned()
}

async fn create_paper(app: &App, key: &str, body: &Value) -> Answer {
    app.post("/v1/papers").key(&app.test_key).once(key).json(body).send().await
}

async fn approve(app: &App, paper: &Value) {
    let path = format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap());
    assert_eq!(app.post(&path).key(&app.test_key).send().await.status, 200);
}

async fn submit(app: &App, paper: &Value, file: &str) -> Answer {
    let student = json!({"external_id": "s-1", "name": "Ada"});
    let body = json!({"paper_id": paper["id"], "student": student, "files": [{"file_id": file}]});
    app.post("/v1/submissions").key(&app.test_key).once("script").json(&body).send().await
}

testkit::on_both_engines! {
    async fn bytes_go_to_the_bucket_once_and_are_noticed(app: App) {
        let (app, store) = on_s3(&app).await;
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, bytes.len()).await;
        let url = upload_url(&file);
        assert!(url.starts_with(&format!("http://127.0.0.1:{}/{BUCKET}/files/file_", store.port)), "{url}");
        let length = bytes.len().to_string();
        let headers = json!({"Content-Type": PDF, "Content-Length": length, "If-None-Match": "*"});
        assert_eq!(file.body["upload"]["headers"], headers);
        assert_eq!(shown(&app, &file).await.body, file.body, "the URL is the same whenever it is shown");

        assert_eq!(put_outside(url, PDF, &bytes).await, (200, String::new()));
        assert_eq!(put_outside(url, PDF, &bytes).await.0, 412);
        assert_eq!(status(&app, &file).await, "uploaded");
        assert_eq!(put_outside(url, PDF, &bytes).await.0, 412);
        assert_eq!(store.keys(), [format!("files/{}", file.body["id"].as_str().unwrap())]);
        assert_eq!(shown(&app, &file).await.body["upload"], file.body["upload"]);
    }

    async fn the_store_takes_only_what_was_registered(app: App) {
        let (app, store) = on_s3(&app).await;
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, bytes.len()).await;
        let url = upload_url(&file);
        assert_eq!(put_outside(url, "image/png", &bytes).await.0, 403, "another type");
        assert_eq!(put_outside(url, PDF, &bytes[1..]).await.0, 403, "another length");
        let other = url.replace("X-Amz-Expires=86400", "X-Amz-Expires=99999");
        assert_eq!(put_outside(&other, PDF, &bytes).await.0, 403, "another time");
        let other = register(&app, bytes.len()).await;
        let id = |file: &Answer| file.body["id"].as_str().unwrap().to_owned();
        let elsewhere = url.replace(&id(&file), &id(&other));
        assert_eq!(put_outside(&elsewhere, PDF, &bytes).await.0, 403, "another place");
        assert_eq!((store.keys().len(), status(&app, &file).await.as_str()), (0, "awaiting_upload"));
        assert_eq!(put_outside(url, PDF, &bytes).await.0, 200, "the URL still works");
    }

    async fn our_own_upload_urls_do_not_exist(app: App) {
        let on_disk = register(&app, 1).await;
        let (app, _store) = on_s3(&app).await;
        let path = upload_url(&on_disk).strip_prefix("https://tickmark.test").unwrap();
        let put = app.ask(Method::PUT, path).no_key().header("content-type", PDF).body("x");
        assert_eq!(put.send().await.problem(), "404 resource_missing -");
    }

    async fn two_uploads_at_once_leave_one(app: App) {
        let (app, store) = on_s3(&app).await;
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, bytes.len()).await;
        let all = futures_util::future::join_all((0..8).map(|_| put_outside(upload_url(&file), PDF, &bytes))).await;
        // How many of them are told 200 is the store's affair: this one looks first and writes after.
        assert!(all.iter().any(|(status, _)| *status == 200), "{all:?}");
        assert!(all.iter().all(|(status, _)| [200, 412].contains(status)), "{all:?}");
        assert_eq!((store.keys().len(), status(&app, &file).await.as_str()), (1, "uploaded"));
    }

    async fn the_main_job_works_from_a_bucket_and_deletion_empties_it(app: App) {
        let (app, store) = on_s3(&app).await;
        let paper = read_paper(&app, json!({})).await;
        assert_eq!((&paper["status"], &paper["question_count"]), (&json!("awaiting_review"), &json!(3)), "{paper:#}");
        approve(&app, &paper).await;
        let answers = "Ada\n1. photosynthesis\n2. light and water\n3. Because they are healthy.";
        let script = app.upload("answer_script", PDF, &pdf::of_text(answers)).await;
        let submission = submit(&app, &paper, &script).await;
        assert_eq!(submission.status, 201, "{}", submission.text);
        app.run_jobs().await;
        let path = format!("/v1/submissions/{}", submission.body["id"].as_str().unwrap());
        let result = app.get(&format!("{path}/result")).key(&app.test_key).send().await.body;
        assert_eq!(result["score"]["awarded"], 2, "{result:#}");
        let report = app.get(&format!("{path}/report")).key(&app.test_key).header("accept", "application/pdf");
        let report = report.send().await;
        assert!(report.status == 200 && report.bytes.starts_with(b"%PDF-"), "{}", report.status);
        assert_eq!(store.keys().len(), 5, "three files, the paper's words, the script's words: {:?}", store.keys());

        let path = format!("/v1/papers/{}", paper["id"].as_str().unwrap());
        assert_eq!(app.ask(Method::DELETE, &path).key(&app.test_key).send().await.status, 204);
        app.run_jobs().await;
        assert_eq!(store.keys(), Vec::<String>::new());
    }

    async fn a_file_that_is_fetched_goes_to_the_bucket(app: App) {
        let (app, store) = on_s3(&app).await;
        let blobs = store.blobs(BUCKET, "secret");
        let app = app
            .sibling_with(|parts| {
                parts.blobs = blobs;
                parts.outbound = Outbound::new(Reach::Development);
            })
            .await;
        let bytes = pdf::of_text("1 Name the process by which plants make sugar.|[1]");
        let serve = Router::new().fallback(async move || bytes.clone());
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/paper.pdf", socket.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(socket, serve).await });
        let paper = read_paper(&app, json!({"question_paper": {"url": url}})).await;
        assert_eq!(paper["status"], "awaiting_review", "{paper:#}");
        assert_eq!(store.keys().iter().filter(|key| key.starts_with("files/")).count(), 3, "one is not used");
        app.clock.advance_seconds(8 * 24 * 3600);
        app.run_jobs().await;
        assert_eq!(store.keys().iter().filter(|key| key.starts_with("files/")).count(), 2);
    }

    async fn what_comes_after_the_deletion_is_deleted_too(app: App) {
        let (app, store) = on_s3(&app).await;
        let body = paper_body(&app, json!({})).await;
        let paper = create_paper(&app, "k", &body).await.body;
        app.run_jobs().await;
        let file = body["question_paper"]["file_id"].as_str().unwrap();
        let file = app.get(&format!("/v1/files/{file}")).key(&app.test_key).send().await;
        let path = format!("/v1/papers/{}", paper["id"].as_str().unwrap());
        assert_eq!(app.ask(Method::DELETE, &path).key(&app.test_key).send().await.status, 204);
        app.run_jobs().await;
        assert_eq!(store.keys().len(), 0);
        // The URL works for a day, and the store does not know that the file is gone.
        let bytes = vec![b'x'; usize::try_from(file.body["size_bytes"].as_u64().unwrap()).unwrap()];
        assert_eq!(put_outside(upload_url(&file), PDF, &bytes).await.0, 200);
        app.clock.advance_seconds(24 * 3600);
        app.run_jobs().await;
        assert_eq!(store.keys().len(), 1, "another upload may still be under way");
        app.clock.advance_seconds(3600);
        app.run_jobs().await;
        assert_eq!(store.keys().len(), 0);
    }

    async fn files_that_nobody_uses_end_and_their_bytes_go(app: App) {
        let (app, store) = on_s3(&app).await;
        let bytes = pdf::of_text("1. photosynthesis");
        let (used, never) = (register(&app, bytes.len()).await, register(&app, 5).await);
        assert_eq!(put_outside(upload_url(&used), PDF, &bytes).await.0, 200);
        app.clock.advance_seconds(24 * 3600);
        app.run_jobs().await;
        let both = (status(&app, &used).await, status(&app, &never).await);
        assert_eq!((both.0.as_str(), both.1.as_str()), ("uploaded", "expired"), "the sweep saw the upload");
        app.clock.advance_seconds(7 * 24 * 3600);
        assert_eq!(status(&app, &used).await, "expired", "by time alone");
        app.run_jobs().await;
        assert_eq!((store.keys().len(), status(&app, &used).await.as_str()), (0, "expired"));
    }

    async fn a_store_that_is_away_costs_nothing_but_time(app: App) {
        let (app, store) = on_s3(&app).await;
        let body = paper_body(&app, json!({})).await;
        let paper = create_paper(&app, "k", &body).await.body;
        let file = register(&app, 5).await;
        store.set_away(true);
        let away = shown(&app, &file).await;
        assert_eq!((away.problem().as_str(), away.header("retry-after")), ("503 service_unavailable -", Some("1")));
        assert_eq!(register(&app, 5).await.status, 201, "a new file needs no store");
        app.run_jobs().await;
        let path = format!("/v1/papers/{}", paper["id"].as_str().unwrap());
        assert_eq!(app.get(&path).key(&app.test_key).send().await.body["status"], "processing");
        store.set_away(false);
        assert_eq!(status(&app, &file).await, "awaiting_upload");
        app.clock.advance_seconds(60);
        app.run_jobs().await;
        let paper = app.get(&path).key(&app.test_key).send().await.body;
        assert_eq!(paper["status"], "awaiting_review", "the job was tried again: {paper:#}");
    }

    async fn a_passing_fault_is_not_noticed(app: App) {
        let (app, store) = on_s3(&app).await;
        let file = register(&app, 5).await;
        store.faults.store(2, Ordering::SeqCst);
        let before = store.requests.load(Ordering::SeqCst);
        assert_eq!(status(&app, &file).await, "awaiting_upload");
        assert_eq!(store.requests.load(Ordering::SeqCst) - before, 3, "two faults and the answer");
    }

    async fn a_wrong_secret_or_bucket_is_told_clearly(app: App) {
        let (app, store) = on_s3(&app).await;
        let file = register(&app, 5).await;
        let wrong = app.sibling_with(|parts| parts.blobs = store.blobs(BUCKET, "guess")).await;
        assert_eq!(shown(&wrong, &file).await.problem(), "503 service_unavailable -");
        let said = async |bucket: &str, secret: &str| match store.blobs(bucket, secret).check().await {
            Err(error @ BlobError::Refused(_)) => error.to_string(),
            other => panic!("{other:?}"),
        };
        let refuses = "the file store refuses: the object store answered";
        let secret = said(BUCKET, "guess").await;
        assert!(secret.starts_with(&format!("{refuses} 403 Forbidden: SignatureDoesNotMatch")), "{secret}");
        let bucket = said("others", "secret").await;
        assert!(bucket.starts_with(&format!("{refuses} 404 Not Found: NoSuchBucket")), "{bucket}");
        store.blobs(BUCKET, "secret").check().await.unwrap();
    }
}

/// The store itself, with bytes that come through us.
#[tokio::test]
async fn bytes_that_come_through_us_are_kept_once() {
    let store = ObjectStore::start().await;
    let blobs = store.blobs(BUCKET, "secret");
    // More than one piece, and faults on the way: the file is sent again from its beginning.
    let whole: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    let mut first = blobs.begin().await.unwrap();
    for piece in whole.chunks(700_000) {
        first.write(piece.to_vec().into()).await.unwrap();
    }
    let mut second = blobs.begin().await.unwrap();
    second.write("other".into()).await.unwrap();
    store.faults.store(2, Ordering::SeqCst);
    assert!(blobs.keep(first, "files/file_x").await.unwrap());
    assert!(!blobs.keep(second, "files/file_x").await.unwrap());
    assert_eq!(blobs.size("files/file_x").await.unwrap(), Some(3_000_000));
    assert!(blobs.get("files/file_x").await.unwrap() == whole);
    blobs.put("files/file_x", "new".into()).await.unwrap();
    assert_eq!(blobs.get("files/file_x").await.unwrap(), b"new");
    blobs.tidy().await.unwrap();
    assert_eq!(std::fs::read_dir(store.folder.path().join("incoming")).unwrap().count(), 0);
    blobs.delete("files/file_x").await.unwrap();
    blobs.delete("files/file_x").await.unwrap();
    assert_eq!(blobs.size("files/file_x").await.unwrap(), None);
    assert!(matches!(blobs.get("files/file_x").await, Err(BlobError::Missing(_))));
}
