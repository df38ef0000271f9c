//! Marking through a model's endpoint, by the built program; the endpoint is a scripted one on this machine.

use crate::partner::Partner;
use crate::process::{Place, Server};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reader::image::{Bounds, decode};
use serde_json::{Value, json};
use testkit::{Sink, pdf};

const NAME: &str = "Zelda Okonkwo";
const STUDENT: &str = "stu-7731";

/// Credits the first point of whatever is asked, for a word that only the first answer has.
fn completion() -> String {
    let points = json!([{"index": 0, "awarded": 1, "evidence": ["photosynthesis"]}]);
    let content = json!({"points": points, "total": 1, "confidence": 0.9}).to_string();
    json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}).to_string()
}

/// A place whose server marks through the endpoint.
fn place(endpoint: &Sink, vision: bool) -> Place {
    let mut place = Place::sqlite();
    place.environment = vec![
        ("TICKMARK_ENGINE", "llm".to_owned()),
        ("TICKMARK_LLM_BASE_URL", endpoint.url("/v1")),
        ("TICKMARK_LLM_MODEL", "seer".to_owned()),
        ("TICKMARK_LLM_VISION", vision.to_string()),
    ];
    place
}

async fn mark(place: &Place) -> (Value, Value) {
    let server = Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]));
    let partner = Partner::of(place, &server);
    let paper = partner.small_paper("p").await;
    partner.settled(&paper).await;
    let path = format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap());
    partner.post(&path, "", &json!({})).await;
    let script = pdf::of_text(&format!("1. photosynthesis as {NAME} ({STUDENT}) said\n2. light"));
    let file = partner.upload("answer_script", "application/pdf", script).await;
    let student = json!({"external_id": STUDENT, "name": NAME});
    let wanted = json!({"paper_id": paper["id"], "student": student, "files": [{"file_id": file}]});
    let submission = partner.settled(&partner.post("/v1/submissions", "s", &wanted).await).await;
    let result = partner.get(&format!("/v1/submissions/{}/result", submission["id"].as_str().unwrap())).await;
    (submission, result)
}

/// The pictures that came with a request.
fn pictures(request: &Value) -> Vec<image::RgbImage> {
    let parts = request["messages"][1]["content"].as_array().cloned().unwrap_or_default();
    let urls = parts.iter().filter_map(|part| part["image_url"]["url"].as_str());
    urls.map(|url| {
        let bytes = STANDARD.decode(url.strip_prefix("data:image/jpeg;base64,").unwrap()).unwrap();
        decode(&bytes, &Bounds::default(), u32::MAX).unwrap()
    })
    .collect()
}

/// True when a word was painted over: a black bar much thicker than any stroke.
fn has_bar(picture: &image::RgbImage) -> bool {
    let is_dark = |x: u32, y: u32| picture.get_pixel(x, y).0.iter().all(|&channel| channel < 60);
    let has_run = |y: u32| {
        let row: Vec<bool> = (0..picture.width()).map(|x| is_dark(x, y)).collect();
        row.windows(60).any(|run| run.iter().all(|&dark| dark))
    };
    let rows: Vec<bool> = (0..picture.height()).map(has_run).collect();
    rows.windows(12).any(|run| run.iter().all(|&dark| dark))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_sees_is_sent_the_answers_and_no_name() {
    let endpoint = Sink::start().await;
    endpoint.say("content-type", "application/json", &completion());
    let (submission, result) = mark(&place(&endpoint, true)).await;
    assert_eq!(submission["score"]["awarded"], 1, "only what the answer itself says counts: {result}");
    let requests = endpoint.take();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!(request.path, "/v1/chat/completions");
        let text = String::from_utf8_lossy(&request.body).to_lowercase();
        for secret in ["zelda", "okonkwo", STUDENT] {
            assert!(!text.contains(secret), "{secret} left the machine");
        }
        let shown = pictures(&request.json());
        assert_eq!(shown.len(), 1);
        let says =
            |word: &str| request.json()["messages"][1]["content"][0]["text"].to_string().contains(word);
        assert_eq!(has_bar(&shown[0]), says("photosynthesis as"), "only the name is painted over");
        assert!(shown[0].height() < 300, "the answer alone is shown, not {} rows", shown[0].height());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_engine_marks_when_a_model_fails_and_the_operator_wants_it() {
    let endpoint = Sink::start().await;
    endpoint.answer(400);
    let mut place = place(&endpoint, false);
    place.environment.push(("TICKMARK_LLM_ON_FAULT", "builtin".to_owned()));
    let (submission, result) = mark(&place).await;
    assert_eq!(submission["score"]["awarded"], 2, "{result}");
    for question in result["questions"].as_array().unwrap() {
        assert!(question["flags"].as_array().unwrap().contains(&json!("low_confidence")), "{question}");
    }
    assert_eq!(endpoint.take().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_reads_is_sent_no_picture() {
    let endpoint = Sink::start().await;
    endpoint.say("content-type", "application/json", &completion());
    let (submission, _) = mark(&place(&endpoint, false)).await;
    assert_eq!(submission["score"]["awarded"], 1);
    assert!(endpoint.take().iter().all(|request| pictures(&request.json()).is_empty()));
}
