//! What must hold over several processes together: limits, revocation, shares of the work, kills, restarts.

use crate::client::{PATIENCE, get_with_key, soon};
use crate::cluster::{Cluster, Worker, code, number};
use crate::partner::Partner;
use domain::clock::{Clock as _, SystemClock};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use testdb::Postgres;
use testkit::pdf;

const SCRIPT: &str = "1. photosynthesis\n2. light";
/// Requests in the windows of these tests must fall into one minute of the clock.
const WINDOW: i64 = 35;
/// Jobs that a process does at once beside one for each processor.
const WORKERS_TO_SPARE: usize = 2;

/// Waits for a minute of which enough is left.
async fn early_in_a_minute() {
    let into = SystemClock::default().now().as_second() % 60;
    if into > 60 - WINDOW {
        tokio::time::sleep(Duration::from_secs(u64::try_from(61 - into).unwrap())).await;
    }
}

async fn ready_paper(partner: &Partner) -> Value {
    let paper = partner.small_paper("p").await;
    assert_eq!(partner.settled(&paper).await["status"], "awaiting_review");
    partner.post(&format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap()), "", &json!({})).await
}

async fn submit(partner: &Partner, paper: &Value, student: &str) -> Value {
    partner.submit(paper, student, "application/pdf", pdf::of_text(SCRIPT)).await
}

/// So many requests one after the other, and how they were answered.
async fn ask_often(partner: Partner, count: usize) -> Vec<http::Response<bytes::Bytes>> {
    let mut connection = partner.connect().await;
    let mut answers = Vec::new();
    for _ in 0..count {
        let mut request = get_with_key("/v1/account", &partner.key);
        request.headers_mut().insert("x-forwarded-proto", "https".parse().unwrap());
        answers.push(soon(connection.send(request)).await.unwrap());
    }
    answers
}

/// Does work in one minute of the clock, with new accounts for each try. A slow machine needs several.
async fn within_one_minute<T>(work: impl AsyncFn() -> T) -> T {
    let minute = || SystemClock::default().now().as_second() / 60;
    for _ in 0..4 {
        early_in_a_minute().await;
        let began = minute();
        let done = work().await;
        if minute() == began {
            return done;
        }
    }
    panic!("this machine is too slow to ask often enough in a minute");
}

/// A new account's partner who may ask 300 times a minute.
fn limited(cluster: &Cluster) -> Partner {
    let account = cluster.place.account();
    let partner = cluster.partner_of(&account);
    cluster.place.text(&["account", "update", &account, "--rate-limit-test", "300"]);
    partner
}

fn granted(answers: &[http::Response<bytes::Bytes>]) -> usize {
    answers.iter().filter(|answer| answer.status() == StatusCode::OK).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_processes_grant_the_limit_together_and_never_more() {
    let cluster = Cluster::start(0).await;
    // One process takes a block and uses one of it; the other has all the rest.
    let (first, answers, elsewhere) = within_one_minute(async || {
        let skewed = limited(&cluster);
        let first = ask_often(cluster.directly(&skewed, 1), 1).await;
        let answers = ask_often(cluster.directly(&skewed, 0), 305).await;
        (first, answers, ask_often(cluster.directly(&skewed, 1), 1).await)
    })
    .await;
    assert_eq!((first[0].status(), number(&first[0], "ratelimit-limit")), (StatusCode::OK, 300));
    let given = granted(&answers);
    assert_eq!(given, 299, "what the other process held was given back before anything was refused");
    for refused in &answers[299..] {
        assert_eq!((refused.status().as_u16(), code(refused).as_str()), (429, "rate_limit_exceeded"));
        assert_eq!((number(refused, "ratelimit-limit"), number(refused, "ratelimit-remaining")), (300, 0));
        let (reset, retry) = (number(refused, "ratelimit-reset"), number(refused, "retry-after"));
        assert!((1..=60).contains(&reset) && reset == retry, "{reset} {retry}");
    }
    assert_eq!(elsewhere[0].status(), StatusCode::TOO_MANY_REQUESTS, "it holds nothing back for itself");

    // Many at once through the proxy, which sends each request to another process.
    let given = within_one_minute(async || {
        let spread = limited(&cluster);
        let clients = (0..8).map(|_| {
            let certificate = spread.certificate.clone();
            let partner = Partner { address: spread.address, key: spread.key.clone(), certificate };
            tokio::spawn(ask_often(partner, 40))
        });
        let mut given = 0;
        for client in clients.collect::<Vec<_>>() {
            given += granted(&client.await.unwrap());
        }
        given
    })
    .await;
    assert_eq!(given, 300, "of 320 requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_revoked_at_one_process_is_refused_by_all_within_a_second() {
    let cluster = Cluster::start(0).await;
    let partner = cluster.partner();
    let (first, second) = (cluster.directly(&partner, 0), cluster.directly(&partner, 1));
    for process in [&first, &second] {
        process.get("/v1/account").await;
    }
    first.post("/v1/api_key/revoke", "", &json!({})).await;
    let revoked = Instant::now();
    assert_eq!(first.ask(Method::GET, "/v1/account", "", None).await.0, 401, "here at once");
    loop {
        let asked = revoked.elapsed();
        let (status, body) = second.ask(Method::GET, "/v1/account", "", None).await;
        if status == 401 {
            assert_eq!(body["error"]["code"], "api_key_revoked");
            break;
        }
        // A second is the promise; a machine with much else to do is given more.
        assert!(asked < Duration::from_secs(4), "it still works after {asked:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for _ in 0..4 {
        assert_eq!(partner.ask(Method::GET, "/v1/account", "", None).await.0, 401, "through the proxy too");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_is_shared_between_accounts_and_between_processes() {
    let mut cluster = Cluster::start(1).await;
    let (many, few) = (cluster.partner(), cluster.partner());
    let (paper_of_many, paper_of_few) = (ready_paper(&many).await, ready_paper(&few).await);
    let mut worker = cluster.workers.remove(0);
    worker.process.signal("-TERM");
    assert_eq!(worker.process.ended(), Some(0));

    // All of it waits, the large school's first.
    let mut scripts = Vec::new();
    for student in 0..14 {
        scripts.push((&many, submit(&many, &paper_of_many, &format!("m{student}")).await));
    }
    for student in 0..2 {
        scripts.push((&few, submit(&few, &paper_of_few, &format!("f{student}")).await));
    }
    let workers: Vec<Worker> = (1..3).map(|number| cluster.start_worker(number)).collect();
    for (partner, script) in &scripts {
        assert_eq!(partner.settled(script).await["status"], "released");
    }
    // In the order in which they were begun: which ends first depends on what each process had to learn first.
    let begun = Postgres::shared().rows(
        cluster.place.database.as_ref().unwrap().name(),
        "SELECT account_id FROM submissions ORDER BY started_at, id",
    );
    let account_of_few = few.get("/v1/account").await["id"].as_str().unwrap().to_owned();
    let last_of_few =
        begun.lines().collect::<Vec<_>>().iter().rposition(|account| **account == account_of_few).unwrap();
    // Their turns are the second and the fourth; everything that both processes do at once may be one job ahead.
    let at_once = 2 * (std::thread::available_parallelism().unwrap().get() + WORKERS_TO_SPARE);
    assert!(last_of_few < 4 + at_once, "{account_of_few} in {begun}");
    let marked = [workers[0].marked().await, workers[1].marked().await];
    assert_eq!(marked[0] + marked[1], 16);
    // How many each has done depends on when it was up.
    assert!(marked.iter().all(|&count| count >= 1), "{marked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_of_any_process_lose_nothing_and_double_nothing() {
    let mut cluster = Cluster::start(2).await;
    let partner = cluster.partner();
    let paper = ready_paper(&partner).await;
    let mut made = Vec::new();
    for student in 0..12 {
        let file = partner.upload("answer_script", "application/pdf", pdf::of_text(SCRIPT)).await;
        let name = format!("s{student}");
        let body =
            json!({"paper_id": paper["id"], "student": {"external_id": name}, "files": [{"file_id": file}]});
        match student {
            4 => kill(&mut cluster.workers[0].process),
            6 => kill(&mut cluster.apis[0]),
            8 => cluster.workers[0] = cluster.start_worker(2),
            9 => cluster.apis[0] = cluster.start_api(0),
            10 => kill(&mut cluster.apis[1]),
            11 => kill(&mut cluster.workers[1].process),
            _ => {}
        }
        made.push(patiently(&partner, &name, &body).await);
    }
    cluster.apis[1] = cluster.start_api(1);
    cluster.workers[1] = cluster.start_worker(3);
    for script in &made {
        // The leases of the dead workers end after half a minute.
        let marked = partner.settled(script).await;
        assert_eq!(
            (&marked["status"], &marked["billing"]["status"]),
            (&json!("released"), &json!("charged"))
        );
    }
    let balance = partner.get("/v1/balance").await;
    assert_eq!((&balance["available"], &balance["held"]), (&json!(10_000 - 2 - 12), &json!(0)));
    for kind in ["submission.graded", "submission.released"] {
        let events = partner.get(&format!("/v1/events?type={kind}&limit=100")).await;
        assert_eq!(events["data"].as_array().unwrap().len(), 12, "{kind} once for each");
    }
    assert!(cluster.store.keys().len() >= 14, "the files lie in the bucket");
}

fn kill(process: &mut crate::process::Server) {
    process.signal("-KILL");
    assert_eq!(process.ended(), None);
}

/// Sends a request again until it has an answer that is no fault of the way.
async fn patiently(partner: &Partner, once: &str, body: &Value) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (status, answer) = partner.ask(Method::POST, "/v1/submissions", once, Some(body)).await;
        if status == 201 {
            return answer;
        }
        assert!(status >= 500 && Instant::now() < deadline, "{status} {answer}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_fails_no_request() {
    let mut cluster = Cluster::start(0).await;
    let partner = Arc::new(cluster.partner());
    let (is_over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let clients: Vec<_> = (0..3)
        .map(|client| {
            let (partner, is_over) = (Arc::clone(&partner), Arc::clone(&is_over));
            let answered = Arc::clone(&answered);
            tokio::spawn(async move { steady_load(&partner, client, &is_over, &answered).await })
        })
        .collect();
    for number in 0..2 {
        let before = answered.load(Ordering::Relaxed);
        cluster.apis[number].signal("-TERM");
        assert_eq!(cluster.apis[number].ended(), Some(0));
        cluster.apis[number] = cluster.start_api(number);
        cluster.is_behind_the_proxy(number).await;
        assert!(answered.load(Ordering::Relaxed) > before + 20, "the load goes on");
    }
    is_over.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
}

/// Reads and writes until it is over, on kept and on new connections; every answer must be a success.
async fn steady_load(partner: &Partner, client: usize, is_over: &AtomicBool, answered: &AtomicU64) {
    let mut connection = partner.connect().await;
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        number += 1;
        if client == 0 {
            connection = partner.connect().await;
        }
        let request = if number % 2 == 0 {
            get_with_key("/v1/account", &partner.key)
        } else {
            let file = json!({
                "purpose": "answer_script", "filename": "f", "content_type": "application/pdf", "size_bytes": 1,
            });
            http::Request::post("/v1/files")
                .header("host", "localhost")
                .header("authorization", format!("Bearer {}", partner.key))
                .header("content-type", "application/json")
                .body(http_body_util::Full::from(file.to_string()))
                .unwrap()
        };
        let answer = soon(connection.send(request)).await.unwrap();
        assert!(answer.status().is_success(), "{} {:?}", answer.status(), answer.body());
        answered.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
