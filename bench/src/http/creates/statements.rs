//! The statements of a creation, in the order in which the service runs them, with everything worked out that
//! is not the database's.

use domain::billing::Billing;
use domain::clock::{Clock as _, SystemClock};
use domain::credit::{Credits, Hold, Source};
use domain::file::ContentType;
use domain::id::{FileId, Identifier as _, JobId, PaperId, SubmissionId};
use domain::idempotency::{Claim, Fingerprint, Key};
use domain::metadata::Metadata;
use domain::mode::Mode;
use domain::paper::Paper;
use domain::submission::{ScriptFile, State, Student, Submission};
use domain::text::ShortLine;
use jiff::Timestamp;
use server::random::SystemRandom;
use store::idempotency::{self, Answered};
use store::{Error, Tx, accounts, credits, files, jobs, papers, subjects, submissions};

use super::Thing;
use super::seed::{self, Seed, file_id};

/// More than a client creates.
const EACH_MAX: usize = 1_000_000;
const PAGES: u32 = 2;

pub(super) fn idempotency_key(client: usize, number: usize) -> String {
    format!("6f1c2b1e-8a52-4d0c-9d8e-{:012}", client * EACH_MAX + number)
}

/// What is to be written.
pub(super) struct Wanted {
    claim: Claim,
    answer: Answered,
    files: Vec<FileId>,
    job: JobId,
    created: Created,
    now: Timestamp,
}

enum Created {
    Paper(Box<Paper>),
    Submission(Box<Submission>),
}

impl Wanted {
    pub(super) fn new(thing: Thing, seed: &Seed, client: usize, number: usize) -> Wanted {
        let account = seed.customers[client].account;
        // As the service makes them: in the order of time, so that rows come to lie beside each other.
        let (now, random) = (SystemClock::default().now(), SystemRandom::default());
        let files: Vec<FileId> =
            (0..thing.files()).map(|index| file_id(client, number * thing.files() + index)).collect();
        let billing = Billing::held(PAGES, Credits(PAGES.into()));
        let (created, id, body) = match thing {
            Thing::Paper => {
                let files = [files[0].number(), files[1].number()];
                let id = PaperId::new(now, &random);
                let paper = Paper { billing, ..seed::paper(account, seed.subject, id, files, now) };
                let body = (api::wire().paper)(&paper);
                (Created::Paper(Box::new(paper)), id.to_string(), body)
            }
            Thing::Submission => {
                let id = SubmissionId::new(now, &random);
                let submission = submission(seed, client, number, files[0], id);
                let submission = Submission { billing, ..submission };
                let body = (api::wire().submission)(&submission);
                let id = submission.id.to_string();
                (Created::Submission(Box::new(submission)), id, body)
            }
        };
        let key = Key::parse(idempotency_key(client, number).as_bytes()).expect("it is printable");
        let fingerprint = Fingerprint::of("", "", &[]);
        let answer = Answered {
            fingerprint: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef".to_owned(),
            status: 201,
            sealed: Some(body),
            body: String::new(),
            resource_id: Some(id),
        };
        let claim = Claim { account_id: account, mode: Mode::Live, key, fingerprint };
        Wanted { claim, answer, files, job: JobId::new(now, &random), created, now }
    }

    pub(super) async fn write(&self, tx: &mut Tx) -> Result<(), Error> {
        let Wanted { claim, answer, now, .. } = self;
        idempotency::answered(tx, claim, *now).await?;
        match &self.created {
            Created::Paper(paper) => self.write_paper(tx, paper).await?,
            Created::Submission(submission) => self.write_submission(tx, submission).await?,
        }
        idempotency::remember(tx, claim, answer, *now).await.map(drop)
    }

    async fn write_paper(&self, tx: &mut Tx, paper: &Paper) -> Result<(), Error> {
        subjects::by_id(tx, paper.subject_id).await?;
        self.take_files(tx, &paper.id.to_string()).await?;
        accounts::by_id(tx, paper.owner.0).await?;
        let locked = credits::lock(tx, paper.owner, self.now).await?;
        let updated_at = tx.time()?;
        papers::insert(tx, &Paper { updated_at, ..paper.clone() }).await?;
        jobs::enqueue(tx, self.job, ("read_paper", "work"), paper.owner.0, &paper.id.to_string(), self.now)
            .await?;
        self.hold(tx, Source::Paper(paper.id), locked).await
    }

    async fn write_submission(&self, tx: &mut Tx, submission: &Submission) -> Result<(), Error> {
        let (owner, id) = (submission.owner, submission.id.to_string());
        papers::by_id(tx, owner, submission.paper_id).await?;
        self.take_files(tx, &id).await?;
        accounts::by_id(tx, owner.0).await?;
        let (paper, student) = (submission.paper_id, &submission.student);
        let _ = submissions::take_place(tx, paper, student, submission.id).await?;
        papers::count_new(tx, paper).await?;
        let locked = credits::lock(tx, owner, self.now).await?;
        let updated_at = tx.time()?;
        submissions::insert(tx, &Submission { updated_at, ..submission.clone() }).await?;
        jobs::enqueue(tx, self.job, ("mark_submission", "work"), owner.0, &id, self.now).await?;
        self.hold(tx, Source::Submission(submission.id), locked).await
    }

    async fn take_files(&self, tx: &mut Tx, user: &str) -> Result<(), Error> {
        for &file in &self.files {
            files::by_id(tx, (self.claim.account_id, self.claim.mode), file).await?;
        }
        for &file in &self.files {
            files::attach(tx, file, user).await?;
        }
        Ok(())
    }

    async fn hold(&self, tx: &mut Tx, source: Source, locked: Option<credits::Locked>) -> Result<(), Error> {
        let (account, mode) = (self.claim.account_id, self.claim.mode);
        let hold = Hold { credits: Credits(PAGES.into()), created_at: self.now };
        credits::insert_hold(tx, (account, mode), source, PAGES, &hold).await?;
        if let Some(locked) = locked {
            credits::save(tx, account, mode, &locked.balance).await?;
        }
        Ok(())
    }
}

fn submission(seed: &Seed, client: usize, number: usize, file: FileId, id: SubmissionId) -> Submission {
    let external_id = ShortLine::trusted(format!("student-{number}"));
    let content_type = Some(ContentType::Pdf);
    Submission {
        id,
        owner: (seed.customers[client].account, Mode::Live),
        paper_id: seed.papers[client],
        state: State::Queued,
        no_readable_answers: false,
        student: Student { external_id, name: None },
        files: vec![ScriptFile { file_id: file, is_fetched: false, content_type, pages: Some(PAGES) }],
        billing: Billing::PENDING,
        score: None,
        metadata: Metadata::default(),
        test_outcome: None,
        created_at: seed.now,
        started_at: None,
        graded_at: None,
        released_at: None,
        updated_at: seed.now,
    }
}
