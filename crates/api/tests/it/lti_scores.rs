//! Marks that go back to a learning platform (Assignment and Grade Services 2.0), which checks the rules itself.

use crate::flow::read_paper;
use crate::lti::School;
use crate::papers::path;
use domain::lti::ScoreStatus;
use http::Method;
use serde_json::{Value, json};
use service::lti::Which;
use service::operator::Operator;

const HOUR: i64 = 3600;

/// A paper that is ready, whose marks a teacher releases.
async fn ready_paper(school: &School) -> Value {
    let paper =
        read_paper(&school.app, json!({"test_outcome": "succeed", "results_release": "after_review"})).await;
    let approved =
        school.app.post(&format!("{}/approve", path(&paper))).key(&school.app.test_key).send().await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    paper
}

/// A script of a student that is marked.
async fn script(school: &School, paper: &Value, student: &str) -> Value {
    let app = &school.app;
    let file = app.upload("answer_script", "application/pdf", &testkit::pdf::of_text("1. light")).await;
    let body = json!({
        "paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": file}], "test_outcome": "succeed",
    });
    let made = app.post("/v1/submissions").key(&app.test_key).once(student).json(&body).send().await;
    assert_eq!(made.status, 201, "{}", made.text);
    app.run_jobs().await;
    app.get(&path(&made.body)).key(&app.test_key).send().await.body
}

async fn release(school: &School, submission: &Value) {
    let answer =
        school.app.post(&format!("{}/release", path(submission))).key(&school.app.test_key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Status, attempts and problem of each score, by student.
async fn scores(school: &School) -> Vec<(String, ScoreStatus, u32, Option<String>)> {
    let listed = school.app.service.lti_scores_after(Which::All, None, 100).await.unwrap();
    let line =
        |one: service::lti::Listed| (one.student, one.score.status, one.score.attempts, one.score.problem);
    let mut lines: Vec<_> = listed.into_iter().map(line).collect();
    lines.sort_by(|one, other| one.0.cmp(&other.0));
    lines
}

async fn after(school: &School, seconds: i64) {
    school.app.clock.advance_seconds(seconds);
    school.app.run_jobs().await;
}

testkit::on_both_engines! {
    async fn a_released_mark_arrives_once(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let (one, two) = (script(&school, &paper, "s-1").await, script(&school, &paper, "s-2").await);
        assert_eq!(school.platform.scores_sent(), 0, "nothing before the release");
        release(&school, &one).await;
        release(&school, &two).await;
        school.app.run_jobs().await;
        let marks = |script: &Value| {
            let part = |name: &str| script["score"][name].as_f64().unwrap();
            (script["student"]["external_id"].as_str().unwrap().to_owned(), part("awarded"), part("available"))
        };
        assert_eq!(school.platform.gradebook(), [marks(&one), marks(&two)]);
        assert_eq!(school.platform.tokens_given(), 1, "the access token is used again");
        school.launch(&paper).await;
        after(&school, 100 * HOUR).await;
        assert_eq!(school.platform.scores_sent(), 2, "never again");
        assert!(scores(&school).await.iter().all(|line| line.1 == ScoreStatus::Sent && line.2 == 1));
        school.platform.assert_obeyed();
    }

    async fn marks_that_were_released_before_the_first_launch_follow_it(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        let one = script(&school, &paper, "s-1").await;
        release(&school, &one).await;
        school.app.run_jobs().await;
        assert_eq!(scores(&school).await, []);
        school.launch(&paper).await;
        school.app.run_jobs().await;
        assert_eq!(school.platform.gradebook().len(), 1);
        school.platform.assert_obeyed();
    }

    async fn a_platform_that_is_away_gets_the_mark_later(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let one = script(&school, &paper, "s-1").await;
        for (count, status) in (1..).zip([503, 429, 500]) {
            school.platform.answer_scores_with(Some(status));
            if count == 1 {
                release(&school, &one).await;
            }
            after(&school, HOUR).await;
            let [(_, ScoreStatus::Waiting, attempts, Some(problem))] = &scores(&school).await[..] else { panic!("one waits") };
            assert!(*attempts == count && problem.contains(&status.to_string()), "{attempts} {problem}");
        }
        school.platform.answer_scores_with(None);
        school.app.run_jobs().await;
        assert_eq!(school.platform.scores_sent(), 3, "not before its time");
        after(&school, HOUR).await;
        assert_eq!(school.platform.gradebook().len(), 1);
        assert_eq!(scores(&school).await, [("s-1".to_owned(), ScoreStatus::Sent, 4, None)]);
        school.platform.assert_obeyed();
    }

    async fn an_answer_that_is_lost_leaves_one_mark_with_a_later_time(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let one = script(&school, &paper, "s-1").await;
        school.platform.take_scores_in_secret(true);
        release(&school, &one).await;
        school.app.run_jobs().await;
        school.platform.take_scores_in_secret(false);
        after(&school, HOUR).await;
        let taken = school.platform.accepted();
        assert_eq!(taken.len(), 2);
        assert!(taken[0].timestamp < taken[1].timestamp && taken[0].given.total_cmp(&taken[1].given).is_eq());
        assert_eq!(school.platform.gradebook().len(), 1);
        after(&school, 100 * HOUR).await;
        assert_eq!(school.platform.scores_sent(), 2);
        school.platform.assert_obeyed();
    }

    async fn a_token_that_ends_or_is_withdrawn_is_replaced(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let one = script(&school, &paper, "s-1").await;
        let two = script(&school, &paper, "s-2").await;
        release(&school, &one).await;
        school.app.run_jobs().await;
        school.platform.forget_tokens();
        release(&school, &two).await;
        school.app.run_jobs().await;
        assert_eq!((school.platform.gradebook().len(), school.platform.tokens_given()), (2, 2));
        assert_eq!(scores(&school).await[1], ("s-2".to_owned(), ScoreStatus::Sent, 2, None));
        school.platform.assert_obeyed();
    }

    async fn a_student_whom_the_platform_does_not_know_is_listed_and_skipped(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let (known, unknown) = (script(&school, &paper, "s-1").await, script(&school, &paper, "stranger").await);
        let all = format!("{}/release_results", path(&paper));
        let released = school.app.post(&all).key(&app.test_key).json(&json!({"which": "all"})).send().await;
        assert_eq!((released.status, &released.body["released"]), (200, &json!(2)), "{} {known} {unknown}", released.text);
        after(&school, 100 * HOUR).await;
        let problem = "it answered 404: no such user in the course".to_owned();
        let lines = scores(&school).await;
        assert_eq!(lines[0], ("s-1".to_owned(), ScoreStatus::Sent, 1, None));
        assert_eq!(lines[1], ("stranger".to_owned(), ScoreStatus::Refused, 1, Some(problem)), "tried once");
        let refused = school.app.service.lti_scores_after(Which::Status(ScoreStatus::Refused), None, 10).await.unwrap();
        let by = Operator::command_line();
        school.app.service.retry_lti_score(&by, refused[0].score.id).await.unwrap();
        school.app.run_jobs().await;
        assert_eq!(scores(&school).await[1].2, 2, "tried again when the operator asks");
        let sent = school.app.service.lti_scores_after(Which::Status(ScoreStatus::Sent), None, 10).await.unwrap();
        assert!(school.app.service.retry_lti_score(&by, sent[0].score.id).await.is_err(), "never what has arrived");
        school.platform.assert_obeyed();
    }

    async fn a_platform_that_stays_away_is_given_up_after_three_days(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let one = script(&school, &paper, "s-1").await;
        school.platform.answer_scores_with(Some(502));
        release(&school, &one).await;
        school.app.run_jobs().await;
        for _ in 0..4 {
            after(&school, 24 * HOUR).await;
        }
        let [(_, ScoreStatus::Refused, attempts, Some(problem))] = &scores(&school).await[..] else { panic!("given up") };
        assert!(problem.contains("502"), "{problem}");
        let sent = school.platform.scores_sent();
        after(&school, 24 * HOUR).await;
        assert_eq!((school.platform.scores_sent(), sent), (sent, *attempts as usize));
    }

    async fn what_is_deleted_is_not_sent_and_leaves_nothing(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let (one, two) = (script(&school, &paper, "s-1").await, script(&school, &paper, "s-2").await);
        release(&school, &one).await;
        release(&school, &two).await;
        let deleted = school.app.ask(Method::DELETE, &path(&one)).key(&app.test_key).send().await;
        assert!(deleted.status < 300, "{}", deleted.text);
        school.app.run_jobs().await;
        assert_eq!(school.platform.gradebook().len(), 1);
        assert_eq!(scores(&school).await.len(), 1);
        let deleted = school.app.ask(Method::DELETE, &path(&paper)).key(&app.test_key).send().await;
        assert!(deleted.status < 300, "{}", deleted.text);
        for table in ["lti_scores", "lti_links"] {
            assert_eq!(school.app.dump(table, &paper, "id").await, "", "{table}");
        }
    }

    async fn without_a_line_item_or_the_right_to_send_nothing_is_sent(app: App) {
        let school = School::set_up(&app).await;
        let paper = ready_paper(&school).await;
        let begun = school.begin().await;
        let mut claims = school.claims(&begun, &paper);
        claims["https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"]["scope"] = json!([]);
        let token = school.platform.token(&claims, testkit::platform::Signature::Right);
        assert_eq!(school.send(&begun, &token).await.status, 303, "the desk opens");
        let one = script(&school, &paper, "s-1").await;
        release(&school, &one).await;
        school.app.run_jobs().await;
        assert_eq!((scores(&school).await, school.platform.scores_sent()), (vec![], 0));
    }

    async fn without_a_key_marks_wait_for_one_and_a_new_master_key_keeps_it(app: App) {
        let school = School::set_up(&app).await;
        let by = Operator::command_line();
        let ours = school.app.service.set_lti_key(&by, testkit::platform::ROTATED_KEY).await.unwrap();
        let published = school.app.get("/lti/jwks").no_key().send().await.body;
        assert_eq!((&published["keys"][0]["kid"], published["keys"].as_array().unwrap().len()), (&json!(ours), 1));
        let paper = ready_paper(&school).await;
        school.launch(&paper).await;
        let one = script(&school, &paper, "s-1").await;
        release(&school, &one).await;
        school.app.run_jobs().await;
        let [(_, ScoreStatus::Waiting, 1, Some(problem))] = &scores(&school).await[..] else { panic!("one waits") };
        assert!(problem.contains("gives no access token"), "the platform does not know the key yet: {problem}");
        school.platform.trust(&published);
        let new_key = [9; 32];
        assert_eq!(school.app.service.change_master_key(new_key).await.unwrap(), 1);
        let changed = school.app.sibling_with(|parts| parts.sealer = service::seal::Sealer::new(&new_key)).await;
        let school = School { app: changed, ..school };
        after(&school, HOUR).await;
        assert_eq!(school.platform.gradebook().len(), 1);
        assert!(school.app.service.set_lti_key(&by, "no key").await.is_err());
        let stored = store::sql("SELECT sealed FROM lti_keys WHERE kid > ''");
        let stored = school.app.service.store().read().await.unwrap().one::<String>(stored).await.unwrap();
        assert!(!stored.unwrap().contains("PRIVATE"));
    }
}
