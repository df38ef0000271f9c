//! Every combination of filters that the API has is read along an index which holds all of them.
//!
//! `LISTS_ROWS=500000 cargo test -p store lists::` does the same among so many rows, and asks how long a page takes.

use crate::engines::for_each_engine;
use domain::account::Owner;
use domain::credit::{MovementKind, TransactionFilter};
use domain::event::{EventFilter, EventType};
use domain::id::{AccountId, Identifier as _};
use domain::mode::Mode;
use domain::paging::{Limit, Slice, Window};
use domain::paper::{self, PaperFilter};
use domain::submission::{self, SubmissionFilter};
use jiff::Timestamp;
use std::time::{Duration, Instant};
use store::{Options, Store, credits, events, papers, plan, sql, submissions};

/// Enough for PostgreSQL to care which index it takes.
const ROWS: i64 = 6_000;
/// Rows of one statement.
const CHUNK: i64 = 20_000;
/// What a page may take at any size, where it is asked: a scan of many rows takes a second.
const PAGE_MAX: Duration = Duration::from_millis(100);

/// How many rows the run was asked to have.
fn asked_for() -> Option<i64> {
    std::env::var("LISTS_ROWS").ok().and_then(|rows| rows.parse().ok())
}

async fn fill(store: &Store, owner: Owner) {
    let (rows, mut first) = (asked_for().unwrap_or(ROWS), 1);
    while first <= rows {
        fill_some(store, owner, first, rows.min(first + CHUNK - 1)).await;
        first += CHUNK;
    }
}

async fn fill_some(store: &Store, (account, mode): Owner, first: i64, last: i64) {
    let statement = format!(
        "INSERT INTO submissions (id, account_id, mode, paper_id, status, no_readable_answers, student_external_id, \
         files, billing_status, metadata, created_at, updated_at) \
         WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last}) \
         SELECT 'sub_000000000000000' || CAST(10000000000 + n AS TEXT), $1, $2, \
         'pap_000000000000000' || CAST(10000000000 + n % 20 AS TEXT), \
         CASE n % 4 WHEN 0 THEN 'queued' WHEN 1 THEN 'canceled' WHEN 2 THEN 'graded' ELSE 'released' END, FALSE, \
         'student ' || CAST(n % 500 AS TEXT), '[]', 'charged', '{{}}', n, n + 1000 FROM numbers"
    );
    let filled: Result<(), store::Error> = store
        .write((statement, account, mode), |tx, (statement, account, mode)| {
            Box::pin(async move {
                let statement = sql(statement.clone()).bind(account.to_string()).bind(mode.name());
                tx.execute(statement).await.map(drop)
            })
        })
        .await;
    filled.unwrap();
}

/// Lists with every combination of filters, by creation and by change.
async fn list_all(store: &Store, owner: Owner) {
    let mut db = store.read().await.unwrap();
    let slice = |updated_after| Slice {
        limit: Limit::DEFAULT,
        after: None,
        window: Window { updated_after, ..Window::default() },
    };
    for chosen in 0..8_u8 {
        let given = |bit: u8, text: &str| (chosen >> bit & 1 == 1).then(|| text.to_owned());
        for window in [None, Some(Timestamp::UNIX_EPOCH)] {
            let filter = SubmissionFilter {
                paper_id: given(0, "pap_00000000000000010000000001"),
                student_external_id: given(1, "student 1"),
                status: given(2, "").map(|_| submission::Status::Canceled),
            };
            let began = Instant::now();
            submissions::list(&mut db, owner, &filter, slice(window)).await.unwrap();
            let took = began.elapsed();
            assert!(asked_for().is_none() || took < PAGE_MAX, "{filter:?} from {window:?} took {took:?}");
            let filter = PaperFilter {
                subject_id: given(0, "subj_1"),
                external_id: given(1, "reference"),
                status: given(2, "").map(|_| paper::Status::Ready),
            };
            papers::list(&mut db, owner, &filter, slice(window)).await.unwrap();
        }
        let kind = given(1, "").map(|_| MovementKind::Grading);
        let filter = TransactionFilter { kind, source_id: given(0, "sub_1") };
        credits::list(&mut db, owner, &filter, slice(None)).await.unwrap();
        let kind = given(1, "").map(|_| EventType::PaperReady);
        let filter = EventFilter { kind, object_id: given(0, "pap_1") };
        events::list(&mut db, owner, &filter, slice(None)).await.unwrap();
    }
}

#[tokio::test]
async fn every_combination_of_filters_has_its_index() {
    plan::note_statements();
    for_each_engine(async |engine| {
        let store = engine.open_with(Options::default()).await.unwrap();
        let owner = (AccountId::from_number(1), Mode::Live);
        fill(&store, owner).await;
        // Another account's lists, which are empty: it is how they are read that counts.
        list_all(&store, (AccountId::from_number(2), Mode::Live)).await;
        if asked_for().is_some() {
            // Once for the caches.
            list_all(&store, owner).await;
        }
        let is_sqlite = store.engine_name() == "sqlite";
        let mut db = store.read().await.unwrap();
        if !is_sqlite {
            // A server does this by itself; SQLite knows no figures, and needs none.
            db.execute(sql("ANALYZE submissions")).await.unwrap();
        }
        // Of the other tables PostgreSQL has no figures here, and takes any index for an empty table.
        let tables: &[&str] = if is_sqlite {
            &["papers", "submissions", "credit_transactions", "events"]
        } else {
            &["submissions"]
        };
        let mut looked_at = 0;
        for statement in plan::noted_statements() {
            let is_list = statement.contains(" WHERE account_id = $1 AND mode = $2")
                && tables.iter().any(|table| statement.contains(&format!(" FROM {table} ")));
            if !is_list {
                continue;
            }
            let (_, asked) = statement.split_once(" WHERE ").unwrap();
            let plan = db.explain(&statement).await.unwrap();
            plan.assert_no_scan();
            let plan = plan.to_string();
            for (column, _) in asked
                .split(" AND ")
                .filter_map(|condition| condition.split_once(" = $"))
                .filter(|(column, _)| !column.contains("||"))
            {
                let is_in_index = plan.lines().skip(1).any(|line| {
                    line.contains(&format!("{column}=?"))
                        || line.contains("Index Cond") && line.contains(&format!("({column} = $"))
                });
                assert!(is_in_index, "{column} is looked at row by row:\n{plan}");
            }
            looked_at += 1;
        }
        assert!(looked_at >= 16, "{looked_at} lists");
    })
    .await;
}
