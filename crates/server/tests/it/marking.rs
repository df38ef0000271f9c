//! Reading and marking by the built program: real children that read, kills, hostile files, many processes.

use crate::client::soon;
use crate::partner::Partner;
use crate::process::{Place, Server};
use serde_json::{Value, json};
use std::fmt::Write as _;
use testkit::pdf;
use tokio::io::AsyncWriteExt as _;

const SCRIPT: &str = "1. photosynthesis\n2. light";

fn develop(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]))
}

async fn approve(partner: &Partner, paper: &Value) {
    partner.post(&format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap()), "", &json!({})).await;
}

async fn balance(partner: &Partner) -> (i64, i64) {
    let balance = partner.get("/v1/balance").await;
    (balance["available"].as_i64().unwrap(), balance["held"].as_i64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_lose_no_paper_and_no_script_and_charge_once() {
    for place in Place::both() {
        let mut server = develop(&place);
        let mut partner = Partner::of(&place, &server);
        let mut papers = Vec::new();
        for number in 0..4 {
            papers.push(partner.small_paper(&format!("p{number}")).await);
        }
        // Some are read, some are in work, some wait.
        server.signal("-KILL");
        assert_eq!(server.ended(), None);
        server = develop(&place);
        partner.address = server.address;
        // The leases of the dead workers end.
        partner.advance(60).await;
        for paper in &papers {
            let read = partner.settled(paper).await;
            assert_eq!(
                (&read["status"], &read["billing"]["status"]),
                (&json!("awaiting_review"), &json!("charged"))
            );
        }
        assert_eq!(balance(&partner).await, (10_000 - 8, 0));

        approve(&partner, &papers[0]).await;
        let mut scripts = Vec::new();
        for number in 0..6 {
            let bytes = pdf::of_text(SCRIPT);
            scripts.push(partner.submit(&papers[0], &format!("s{number}"), "application/pdf", bytes).await);
        }
        server.signal("-KILL");
        assert_eq!(server.ended(), None);
        server = develop(&place);
        partner.address = server.address;
        partner.advance(60).await;
        for script in &scripts {
            let marked = partner.settled(script).await;
            assert_eq!(
                (&marked["status"], &marked["score"]["awarded"]),
                (&json!("released"), &json!(2)),
                "{marked}"
            );
        }
        assert_eq!(balance(&partner).await, (10_000 - 8 - 6, 0));
        let events = partner.get("/v1/events?limit=100").await;
        let count = |kind: &str| {
            events["data"].as_array().unwrap().iter().filter(|event| event["type"] == kind).count()
        };
        assert_eq!((count("paper.awaiting_review"), count("paper.ready")), (4, 1));
        assert_eq!((count("submission.graded"), count("submission.released")), (6, 6));
        // What was marked is marked the same again.
        let id = scripts[0]["id"].as_str().unwrap();
        let told = place.text(&["submission", "verify", id]);
        assert!(told.starts_with("The same result: 2 of 3 marks"), "{told}");
        assert_eq!(place.json(&["submission", "verify", id])["same"], true);
        assert!(place.text(&["job", "list"]).contains("sweep"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_the_middle_of_an_upload_leaves_its_url_usable() {
    let place = Place::sqlite();
    let mut server = develop(&place);
    let mut partner = Partner::of(&place, &server);
    let bytes = pdf::of_text(SCRIPT);
    let new = json!({
        "purpose": "answer_script", "filename": "f", "content_type": "application/pdf", "size_bytes": bytes.len(),
    });
    let file = partner.post("/v1/files", "", &new).await;
    let url = file["upload"]["url"].as_str().unwrap();
    let path = &url[url.find("/upload/").unwrap()..];
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/pdf\r\ncontent-length: {}\r\n\r\n",
        bytes.len()
    );
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&bytes[..bytes.len() / 2]).await.unwrap();
    // The server has begun to take it in.
    let incoming = place.folder.path().join("data/blobs/incoming");
    soon(async {
        while std::fs::read_dir(&incoming).unwrap().next().is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    server.signal("-KILL");
    assert_eq!(server.ended(), None);
    server = develop(&place);
    partner.address = server.address;
    let path_of_file = format!("/v1/files/{}", file["id"].as_str().unwrap());
    assert_eq!(partner.get(&path_of_file).await["status"], "awaiting_upload");
    partner.put(path, "application/pdf", bytes).await;
    assert_eq!(partner.get(&path_of_file).await["status"], "uploaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_files_end_in_the_right_failure_and_harm_nobody() {
    let place = Place::sqlite();
    let server = develop(&place);
    let partner = Partner::of(&place, &server);
    let good = partner.small_paper("good").await;
    for (name, bytes, codes) in [
        ("pages", many_pages(200_000), &["too_many_pages"][..]),
        ("deep", deep_tree(50_000), &["file_unreadable"]),
    ] {
        let paper = partner.create_paper(name, bytes, pdf::of_text("1 answer (1)")).await;
        let failed = partner.settled(&paper).await;
        assert_eq!(failed["status"], "failed", "{name}");
        assert!(
            codes.contains(&failed["failure"]["code"].as_str().unwrap()),
            "{name}: {}",
            failed["failure"]
        );
        assert_eq!(failed["billing"]["status"], "not_charged");
    }
    approve(&partner, &partner.settled(&good).await).await;
    let huge = partner.submit(&good, "huge", "image/png", billion_pixels()).await;
    let failed = partner.settled(&huge).await;
    assert_eq!(
        (&failed["status"], &failed["failure"]["code"]),
        (&json!("failed"), &json!("file_unreadable"))
    );
    let fine = partner.submit(&good, "fine", "application/pdf", pdf::of_text(SCRIPT)).await;
    assert_eq!(partner.settled(&fine).await["status"], "released", "the server goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_share_the_work_and_one_may_die() {
    let place = Place::postgres();
    let serve = |more: &[&str]| {
        let mut command =
            place.command(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1/32"]);
        command.args(more);
        command
    };
    let api = Server::start(serve(&["--roles", "api"]));
    let other_api = Server::start(serve(&["--roles", "api"]));
    place.account();
    let mut partner = Partner::of(&place, &api);
    let mut workers: Vec<Server> = (0..2).map(|_| Server::spawn(serve(&["--roles", "worker"]))).collect();
    let paper = partner.small_paper("p").await;
    approve(&partner, &partner.settled(&paper).await).await;
    let mut scripts = Vec::new();
    for number in 0..8 {
        let bytes = pdf::of_text(SCRIPT);
        // Any process answers.
        partner.address = if number % 2 == 0 { api.address } else { other_api.address };
        scripts.push(partner.submit(&paper, &format!("s{number}"), "application/pdf", bytes).await);
    }
    workers[0].signal("-TERM");
    assert_eq!(workers[0].ended(), Some(0), "a worker that stops hands its work back");
    for script in &scripts {
        assert_eq!(partner.settled(script).await["status"], "released");
    }
    assert_eq!(balance(&partner).await, (10_000 - 2 - 8, 0));
}

/// A PDF with so many pages.
fn many_pages(count: usize) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), String::new()];
    let mut kids = String::new();
    for number in 0..count {
        let _ = write!(kids, "{} 0 R ", number + 3);
        objects.push("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>".to_owned());
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>");
    pdf::of_objects(&objects)
}

/// A PDF whose page tree is as deep as it is long.
fn deep_tree(depth: usize) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    for number in 0..depth {
        objects.push(format!("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", number + 3));
    }
    pdf::of_objects(&objects)
}

/// A PNG that says it has 40,000 by 40,000 pixels, in a few bytes.
fn billion_pixels() -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        file.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let body = [kind.as_slice(), data].concat();
        file.extend(&body);
        file.extend(crc(&body).to_be_bytes());
    };
    let side = 40_000_u32.to_be_bytes();
    chunk(b"IHDR", &[side.as_slice(), &side, &[8, 2, 0, 0, 0]].concat());
    chunk(b"IDAT", &[0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]);
    chunk(b"IEND", &[]);
    file
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 },
        )
    };
    !bytes.iter().fold(u32::MAX, step)
}
