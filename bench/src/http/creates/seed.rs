//! What must be there before anything can be created: customers, papers, uploaded files, a queue.

use domain::billing::Billing;
use domain::clock::{Clock as _, SystemClock};
use domain::grading::{Grading, Release};
use domain::id::{AccountId, FileId, Identifier as _, PaperId, SubjectId};
use domain::metadata::Metadata;
use domain::mode::Mode;
use domain::paper::{Document, Paper, State};
use domain::submission::Counts;
use domain::text::ShortLine;
use domain::web_url::Reach;
use jiff::Timestamp;
use store::{Error, Location, Store, papers, sql, turns};

use super::super::setup::{self, Customer};
use super::Thing;

/// Files of each customer: enough for all rounds.
pub(super) const FILES_EACH: usize = 4_000;

/// A database in which things can be created.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    pub(super) customers: Vec<Customer>,
    pub(super) subject: SubjectId,
    /// A paper of each customer that takes submissions.
    pub(super) papers: Vec<PaperId>,
    pub(super) now: Timestamp,
}

impl Seed {
    pub(super) async fn sow(place: &str, customers: usize, thing: Thing) -> anyhow::Result<Seed> {
        let store = setup::open(&Location::parse(place)).await?;
        let folder = tempfile::tempdir()?;
        let service = setup::service(&store, Reach::Public, folder.path())?;
        let subject = service.add_subject("Biology".to_owned(), None, None).await?.id;
        let customers = setup::customers(&store, customers).await?;
        let now = SystemClock::default().now();
        let mut papers = Vec::new();
        for (number, customer) in (1_u128..).zip(&customers) {
            let paper = paper(customer.account, subject, PaperId::from_number(number), [0, 1], now);
            let paper = Paper { state: State::Ready { approved_at: now }, ..paper };
            papers.push(paper.id);
            let insert = store.write(paper, |tx, paper| {
                Box::pin(async move {
                    turns::take(tx, paper.owner, paper.updated_at).await?;
                    let updated_at = tx.time()?;
                    papers::insert(tx, &Paper { updated_at, ..paper.clone() }).await
                })
            });
            insert.await?;
        }
        for (client, customer) in customers.iter().enumerate() {
            fill_files(&store, client, customer.account, thing, now).await?;
        }
        Ok(Seed { customers, subject, papers, now })
    }
}

/// A file of a client.
pub(super) fn file_id(client: usize, number: usize) -> FileId {
    FileId::parse(&format!("file_000000000000000{}", file_number(client, number))).expect("it is well formed")
}

fn file_number(client: usize, number: usize) -> i64 {
    10_000_000_000 + (client * FILES_EACH + number) as i64
}

/// A paper as it is when it was just made.
pub(super) fn paper(
    account: AccountId,
    subject_id: SubjectId,
    id: PaperId,
    files: [u128; 2],
    now: Timestamp,
) -> Paper {
    let [question_paper, marking_scheme] =
        files.map(|file| Document { file_id: FileId::from_number(file), is_fetched: false, pages: Some(2) });
    Paper {
        id,
        owner: (account, Mode::Live),
        title: ShortLine::trusted("Cells and transport".to_owned()),
        subject_id,
        state: State::Processing,
        warnings: Vec::new(),
        question_paper,
        marking_scheme,
        question_count: None,
        total_marks: None,
        printed_total: None,
        scheme_version: 1,
        release: Release::default(),
        grading: Grading::default(),
        billing: Billing::PENDING,
        counts: Counts::default(),
        external_id: None,
        metadata: Metadata::default(),
        test_outcome: None,
        created_at: now,
        updated_at: now,
    }
}

async fn fill_files(
    store: &Store,
    client: usize,
    account: AccountId,
    thing: Thing,
    now: Timestamp,
) -> anyhow::Result<()> {
    let purposes = match thing {
        Thing::Paper => ["question_paper", "marking_scheme"],
        Thing::Submission => ["answer_script", "answer_script"],
    };
    let input = (file_number(client, 0), file_number(client, FILES_EACH - 1), account, purposes, now);
    let filled: Result<u64, Error> = store
        .write(input, |tx, &(first, last, account, purposes, now)| {
            Box::pin(async move {
                let statement = sql(FILL_FILES)
                    .bind(first)
                    .bind(last)
                    .bind(account.to_string())
                    .bind(now)
                    .bind(purposes[0])
                    .bind(purposes[1]);
                tx.execute(statement).await
            })
        })
        .await;
    filled?;
    Ok(())
}

const FILL_FILES: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT CAST($1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($2 AS BIGINT)) \
     INSERT INTO files (id, account_id, mode, purpose, filename, content_type, size_bytes, token, uploaded_at, \
         pages, ends_at, created_at) \
     SELECT 'file_000000000000000' || CAST(n AS TEXT), CAST($3 AS TEXT), 'live', \
         CASE WHEN n % 2 = 0 THEN CAST($5 AS TEXT) ELSE CAST($6 AS TEXT) END, 'file.pdf', 'application/pdf', \
         1000, 'token-' || CAST(n AS TEXT), CAST($4 AS BIGINT), 2, \
         CAST($4 AS BIGINT) + 600000000000, CAST($4 AS BIGINT) \
     FROM numbers";

/// Papers that wait to be read, with their jobs.
pub(super) async fn fill_queue(store: &Store, seed: &Seed, count: i64) -> anyhow::Result<()> {
    let filled: Result<(), Error> = store
        .write((seed.customers[0].account, count), |tx, &(account, count)| {
            Box::pin(async move {
                let statement = sql(FILL_PAPERS).bind(count).bind(account.to_string());
                tx.execute(statement).await.map(drop)
            })
        })
        .await;
    filled?;
    fill_jobs(store, count).await
}

/// Copies of the first paper, in `processing`.
const FILL_PAPERS: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($1 AS BIGINT)) \
     INSERT INTO papers (id, account_id, mode, title, subject_id, status, warnings, question_paper_file, \
         question_paper_is_fetched, question_paper_pages, marking_scheme_file, marking_scheme_is_fetched, \
         marking_scheme_pages, results_release, strictness, feedback, billing_status, metadata, created_at, \
         updated_at) \
     SELECT 'pap_000000000000000' || CAST(10000000000 + n AS TEXT), p.account_id, p.mode, p.title, p.subject_id, \
         'processing', p.warnings, p.question_paper_file, p.question_paper_is_fetched, p.question_paper_pages, \
         p.marking_scheme_file, p.marking_scheme_is_fetched, p.marking_scheme_pages, p.results_release, \
         p.strictness, p.feedback, p.billing_status, p.metadata, p.created_at + n, p.updated_at + n \
     FROM numbers CROSS JOIN papers AS p WHERE p.account_id = CAST($2 AS TEXT) AND p.status = 'ready' AND n > 0";

/// Work that waits, after what is there.
pub(super) async fn fill_jobs(store: &Store, count: i64) -> anyhow::Result<()> {
    let filled: Result<(), Error> = store
        .write(count, |tx, &count| {
            Box::pin(async move { tx.execute(sql(FILL_JOBS).bind(count)).await.map(drop) })
        })
        .await;
    Ok(filled?)
}

const FILL_JOBS: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($1 AS BIGINT)) \
     INSERT INTO jobs (id, kind, account_id, subject, status, turn, run_at, attempts, created_at) \
     SELECT 'job_000000000000000' || CAST(10000000000 + n AS TEXT), 'read_paper', 'acct_00000000000000000000000000', \
         'waiting' || CAST(n AS TEXT), 'waiting', 1000000 + n, 0, 0, 0 \
     FROM numbers WHERE n > 0";
