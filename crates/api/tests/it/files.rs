//! `/v1/files` and upload URLs

use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, App, pdf};

fn new_file(size: usize) -> Value {
    json!({"purpose": "answer_script", "filename": "script.pdf", "content_type": "application/pdf", "size_bytes": size})
}

async fn register(app: &App, body: &Value) -> Answer {
    app.post("/v1/files").json(body).send().await
}

fn upload_path(file: &Answer) -> String {
    let url = file.body["upload"]["url"].as_str().unwrap();
    url.strip_prefix("https://tickmark.test").unwrap().to_owned()
}

async fn put(app: &App, path: &str, bytes: &[u8]) -> Answer {
    let put = app.ask(Method::PUT, path).no_key().header("content-type", "application/pdf");
    put.header("content-length", &bytes.len().to_string()).body(bytes.to_vec()).send().await
}

async fn status(app: &App, file: &Answer) -> String {
    let path = format!("/v1/files/{}", file.body["id"].as_str().unwrap());
    app.get(&path).send().await.body["status"].as_str().unwrap().to_owned()
}

/// How many files lie in the app's folder for them.
fn kept(app: &App) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&app.folder().join("blobs"))
}

testkit::on_both_engines! {
    async fn a_file_says_where_its_bytes_go(app: App) {
        let file = register(&app, &new_file(1234)).await;
        assert_eq!(file.status, 201);
        let upload = &file.body["upload"];
        assert_eq!(upload["method"], "PUT");
        assert_eq!(
            upload["headers"],
            json!({"Content-Type": "application/pdf", "Content-Length": "1234", "If-None-Match": "*"})
        );
        assert_eq!(upload["expires_at"], "2026-11-16T03:05:07Z");
        assert_eq!(file.body["status"], "awaiting_upload");
        let again = app.get(&format!("/v1/files/{}", file.body["id"].as_str().unwrap())).send().await;
        assert_eq!(again.body, file.body, "it reads back as it was");
    }

    async fn wrong_files_are_refused_by_name(app: App) {
        let whole = new_file(10);
        for (change, problem) in [
            (json!({"purpose": "photo"}), "400 parameter_invalid purpose"),
            (json!({"filename": ""}), "400 parameter_invalid filename"),
            (json!({"filename": "a\u{202e}fdp.exe"}), "400 parameter_invalid filename"),
            (json!({"filename": "x".repeat(256)}), "400 parameter_invalid filename"),
            (json!({"content_type": "image/gif"}), "400 parameter_invalid content_type"),
            (json!({"purpose": "question_paper", "content_type": "image/png"}), "400 parameter_invalid content_type"),
            (json!({"size_bytes": 0}), "400 parameter_invalid size_bytes"),
            (json!({"size_bytes": 104_857_601}), "400 parameter_invalid size_bytes"),
            (json!({"size_bytes": "10"}), "400 parameter_invalid size_bytes"),
            (json!({"size_bytes": null}), "400 parameter_invalid size_bytes"),
            (json!({"color": "red"}), "400 parameter_unknown color"),
        ] {
            let mut body = whole.clone();
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            assert_eq!(register(&app, &body).await.problem(), problem, "{body}");
        }
        assert_eq!(app.post("/v1/files").send().await.problem(), "400 parameter_missing purpose");
        let missing = app.get("/v1/files/file_00000000000000000000000000").send().await;
        assert_eq!(missing.problem(), "404 resource_missing -");
        assert_eq!(missing.body["error"]["resource_id"], "file_00000000000000000000000000");
    }

    async fn a_file_belongs_to_its_account_and_mode(app: App) {
        let file = register(&app, &new_file(10)).await;
        let path = format!("/v1/files/{}", file.body["id"].as_str().unwrap());
        assert_eq!(app.get(&path).key(&app.test_key).send().await.problem(), "404 resource_missing -");
    }

    async fn an_upload_is_taken_once(app: App) {
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, &new_file(bytes.len())).await;
        let path = upload_path(&file);
        let answer = put(&app, &path, &bytes).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, ""));
        assert!(answer.header("ratelimit-limit").is_none());
        assert_eq!(status(&app, &file).await, "uploaded");
        assert_eq!(put(&app, &path, &bytes).await.problem(), "412 parameter_invalid If-None-Match");
        assert_eq!(kept(&app), 1);
    }

    async fn a_wrong_upload_leaves_nothing_and_the_url_usable(app: App) {
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, &new_file(bytes.len())).await;
        let path = upload_path(&file);
        assert_eq!(put(&app, &path, &bytes[1..]).await.problem(), "400 parameter_invalid Content-Length");
        let typed = app.ask(Method::PUT, &path).no_key().header("content-type", "image/png").body(bytes.clone());
        assert_eq!(typed.send().await.problem(), "400 parameter_invalid Content-Type");
        let none = app.ask(Method::PUT, &path).no_key().body(bytes.clone());
        assert_eq!(none.send().await.problem(), "400 parameter_invalid Content-Type");
        let huge = app.ask(Method::PUT, &path).no_key().header("content-type", "application/pdf");
        let huge = huge.header("content-length", "104857601").body(bytes.clone());
        assert_eq!(huge.send().await.problem(), "413 request_too_large -");
        // Without a Content-Length the bytes are counted as they come.
        for wrong in [&bytes[..bytes.len() - 1], &[bytes.as_slice(), b"x"].concat()] {
            let pieces: Vec<Result<Vec<u8>, std::io::Error>> = wrong.chunks(100).map(|piece| Ok(piece.to_vec())).collect();
            let stream = axum::body::Body::from_stream(futures_util::stream::iter(pieces));
            let chunked = app.ask(Method::PUT, &path).no_key().header("content-type", "application/pdf").body(stream);
            assert_eq!(chunked.send().await.problem(), "400 parameter_invalid Content-Length");
        }
        // A client that goes away.
        let pieces = vec![Ok(bytes[..100].to_vec()), Err(std::io::Error::other("gone"))];
        let stream = axum::body::Body::from_stream(futures_util::stream::iter(pieces));
        let aborted = app.ask(Method::PUT, &path).no_key().header("content-type", "application/pdf").body(stream);
        assert_eq!(aborted.send().await.status, 400);
        assert_eq!((kept(&app), status(&app, &file).await.as_str()), (0, "awaiting_upload"));
        assert_eq!(put(&app, &path, &bytes).await.status, 200);
    }

    async fn unknown_and_late_urls_are_gone(app: App) {
        assert_eq!(put(&app, "/upload/nothing", b"x").await.problem(), "404 resource_missing -");
        let file = register(&app, &new_file(1)).await;
        app.clock.advance_seconds(24 * 3600);
        assert_eq!(put(&app, &upload_path(&file), b"x").await.problem(), "404 resource_missing -");
        assert_eq!(status(&app, &file).await, "expired");
    }

    async fn two_uploads_at_once_leave_one(app: App) {
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, &new_file(bytes.len())).await;
        let path = upload_path(&file);
        let all = futures_util::future::join_all((0..8).map(|_| put(&app, &path, &bytes))).await;
        let taken = all.iter().filter(|answer| answer.status == 200).count();
        let refused = all.iter().filter(|answer| answer.status == 412).count();
        assert_eq!((taken, refused, kept(&app)), (1, 7, 1));
    }

    async fn an_upload_that_was_not_noted_is_noticed(app: App) {
        let bytes = pdf::of_text("1. photosynthesis");
        let file = register(&app, &new_file(bytes.len())).await;
        let id = file.body["id"].as_str().unwrap();
        // As if the process had died after the bytes were safe and before that was written down.
        let folder = app.folder().join("blobs/files").join(&id[id.len() - 2..]);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(id), &bytes).unwrap();
        assert_eq!(status(&app, &file).await, "uploaded");
        assert_eq!(put(&app, &upload_path(&file), &bytes).await.status, 412);
    }

    async fn files_that_nobody_uses_end_and_their_bytes_go(app: App) {
        let bytes = pdf::of_text("1. photosynthesis");
        let used = register(&app, &new_file(bytes.len())).await;
        assert_eq!(put(&app, &upload_path(&used), &bytes).await.status, 200);
        let never = register(&app, &new_file(5)).await;
        app.clock.advance_seconds(24 * 3600);
        app.run_jobs().await;
        assert_eq!((status(&app, &used).await.as_str(), status(&app, &never).await.as_str()), ("uploaded", "expired"));
        app.clock.advance_seconds(6 * 24 * 3600);
        assert_eq!(status(&app, &used).await, "expired", "by time alone");
        app.run_jobs().await;
        assert_eq!((kept(&app), status(&app, &used).await.as_str()), (0, "expired"));
    }

    async fn a_replayed_registration_makes_one_file(app: App) {
        let first = app.post("/v1/files").once("f").json(&new_file(10)).send().await;
        let again = app.post("/v1/files").once("f").json(&new_file(10)).send().await;
        assert_eq!((again.status, &again.body), (201, &first.body));
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        let other = app.post("/v1/files").once("f").json(&new_file(11)).send().await;
        assert_eq!(other.problem(), "409 idempotency_key_reused -");
        assert_eq!(other.body["error"]["resource_id"], first.body["id"]);
    }
}
