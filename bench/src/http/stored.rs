//! Submissions among very many against the same among few, on both engines.

use domain::grading::Grading;
use domain::id::{AccountId, Identifier as _, PaperId};
use domain::question::{AnswerKey, Part, Point, Question};
use exam::script::{Answer, Script};
use marker::Builtin;
use service::marking::{Beside, Understood, mark_script};
use store::{Error, Location, Store, sql};
use testdb::{Database, Durability, Postgres};

use super::cost::Cost;
use super::load::Load;
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup::{self, Customer};
use crate::table::{Row, Target};

const MANY: i64 = 100_000;
const FEW: i64 = 100;
/// Rows of one statement, so that none takes longer than a statement may.
const CHUNK: i64 = 20_000;
/// Submissions of one paper.
const CLASS: i64 = 100;

/// Submissions on a server of their own.
struct Stored {
    server: Process,
    customer: Customer,
    rows: i64,
}

impl Stored {
    async fn start(place: &str, rows: i64) -> anyhow::Result<Stored> {
        let store = setup::open(&Location::parse(place)).await?;
        let customer = setup::customers(&store, 1).await?.remove(0);
        fill(&store, customer.account, rows).await?;
        drop(store);
        let server = Process::start(&Arguments::new(Kind::Api, place, customer.account)).await?;
        Ok(Stored { server, customer, rows })
    }

    /// One connection that asks for this again and again.
    fn load(&self, view: View) -> Load {
        let middle = self.rows / 2;
        let id = number_id("sub", middle);
        let paper = paper_id(middle / CLASS);
        let path = match view {
            View::List => "/v1/submissions?limit=20".to_owned(),
            View::OfPaper => format!("/v1/submissions?limit=20&paper_id={paper}&status=released"),
            View::OfStudent => format!("/v1/submissions?limit=20&student_external_id=student-{middle}"),
            View::Get => format!("/v1/submissions/{id}"),
            View::Result => format!("/v1/submissions/{id}/result"),
        };
        Load::get(1, &path, &self.customer.key)
    }
}

#[derive(Clone, Copy, Debug)]
enum View {
    List,
    OfPaper,
    OfStudent,
    Get,
    Result,
}

impl View {
    const ALL: [(View, &'static str); 5] = [
        (View::List, "first page of submissions"),
        (View::OfPaper, "first page of a paper's released ones"),
        (View::OfStudent, "first page of a student's"),
        (View::Get, "a submission"),
        (View::Result, "a result"),
    ];
}

pub(crate) async fn on_sqlite() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let many = Stored::start(&path("many.db"), MANY).await?;
    let few = Stored::start(&path("few.db"), FEW).await?;
    compare("SQLite", &many, &few).await
}

pub(crate) async fn on_postgres() -> anyhow::Result<Vec<Row>> {
    let cluster = Postgres::start(Durability::Full);
    let (many, few) = (cluster.only_database(), cluster.only_database());
    let start = async |database: &Database, rows: i64| {
        let stored = Stored::start(database.url(), rows).await?;
        // What the server does by itself before long, and must not do while we measure.
        cluster.run(database.name(), "VACUUM ANALYZE");
        anyhow::Ok(stored)
    };
    let (many, few) = (start(&many, MANY).await?, start(&few, FEW).await?);
    compare("PostgreSQL", &many, &few).await
}

async fn compare(engine: &str, many: &Stored, few: &Stored) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (view, name) in View::ALL {
        let contestants = [(&many.server, many.load(view)), (&few.server, few.load(view))];
        let [many, few] = Cost::on_two(contestants).await?;
        let what = format!("{name} of {MANY} submissions, {engine}: of {FEW}");
        rows.push(many.against(few, what, Some(Target::AtMost(1.5))));
    }
    Ok(rows)
}

fn number_id(prefix: &str, number: i64) -> String {
    format!("{prefix}_000000000000000{}", 10_000_000_000 + number)
}

fn paper_id(number: i64) -> PaperId {
    PaperId::parse(&number_id("pap", number)).expect("it is well formed")
}

/// Fills submissions with their results in the database itself: classes of a hundred, every script released.
async fn fill(store: &Store, account: AccountId, rows: i64) -> anyhow::Result<()> {
    let result = serde_json::to_string(&result()?)?;
    for first in (0..rows).step_by(usize::try_from(CHUNK)?) {
        let last = (first + CHUNK).min(rows) - 1;
        let filled: Result<(), Error> = store
            .write((account, result.clone(), first, last), |tx, (account, result, first, last)| {
                Box::pin(async move {
                    let submissions =
                        sql(FILL_SUBMISSIONS).bind(*first).bind(*last).bind(account.to_string());
                    tx.execute(submissions).await?;
                    let results = sql(FILL_RESULTS).bind(*first).bind(*last).bind(result.clone());
                    tx.execute(results).await.map(drop)
                })
            })
            .await;
        filled?;
    }
    Ok(())
}

const FILL_SUBMISSIONS: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT CAST($1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($2 AS BIGINT)) \
     INSERT INTO submissions (id, account_id, mode, paper_id, status, no_readable_answers, student_external_id, \
         files, billing_status, billing_pages, billing_credits, score_awarded, score_available, metadata, \
         created_at, started_at, graded_at, released_at, updated_at) \
     SELECT 'sub_000000000000000' || CAST(10000000000 + n AS TEXT), CAST($3 AS TEXT), 'live', \
         'pap_000000000000000' || CAST(10000000000 + n / 100 AS TEXT), 'released', FALSE, \
         'student-' || CAST(n AS TEXT), '[]', 'charged', 2, 2, 20, 40, '{}', 1700000000000000 + n * 1000000, \
         1700000000000000 + n * 1000000, 1700000001000000 + n * 1000000, 1700000001000000 + n * 1000000, \
         1700000001000000 + n * 1000000 \
     FROM numbers";

const FILL_RESULTS: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT CAST($1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($2 AS BIGINT)) \
     INSERT INTO results (submission_id, document, marking) \
     SELECT 'sub_000000000000000' || CAST(10000000000 + n AS TEXT), CAST($3 AS TEXT), '{}' FROM numbers";

/// The result of twenty answers of one mark each, as the marker writes it.
fn result() -> anyhow::Result<domain::result::Result> {
    let one = domain::marks::Marks::whole(1);
    let point = |text: &str| Point { text: text.to_owned(), marks: one, ..Point::default() };
    let part = |label: &str| Part {
        label: label.to_owned(),
        text: "Name the part of a cell that controls its activities.".to_owned(),
        marks: Some(one),
        answer_key: Some(AnswerKey { points: vec![point("nucleus")], ..AnswerKey::default() }),
        ..Part::default()
    };
    let question = |number: u32| Question {
        number: number.to_string(),
        marks: Some(domain::marks::Marks::whole(2)),
        parts: vec![part("(a)"), part("(b)")],
        ..Question::default()
    };
    let questions = Understood::from((1..=10).map(question).collect::<Vec<Question>>());
    let answer = |number: u32, label: &str| Answer {
        number: number.to_string(),
        label: label.to_owned(),
        text: if label == "(a)" { "it is the nucleus" } else { "the cell wall" }.to_owned(),
        legibility: 1.0,
        ..Answer::default()
    };
    let answers = (1..=10).flat_map(|number| ["(a)", "(b)"].map(|label| answer(number, label))).collect();
    let script = Script { answers, unassigned: Vec::new() };
    let marker = Builtin::default();
    Ok(mark_script(&questions, &script, &marker, &Grading::default(), Beside::default())?)
}
