//! `tickmark lti`: learning platforms that launch the marking desk, and the marks that go back to them.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::account::Owner;
use domain::id::{AccountId, LtiPlatformId, LtiScoreId, PaperId, SubmissionId};
use domain::lti::{KEYS_PATH, LAUNCH_PATH, LOGIN_PATH, Platform, Registration, ScoreStatus};
use domain::mode::Mode;
use domain::web_url::{Reach, WebUrl};
use serde::Serialize;
use serde_json::json;
use service::Service;
use service::lti::{KeyProblem, Listed, Which};
use service::operator::Operator;
use std::path::PathBuf;

/// Rows read at a time.
const BATCH: i64 = 200;
/// No key file is larger.
const KEY_BYTES_MAX: u64 = 64 * 1024;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out lti.pem
  tickmark lti set-key lti.pem
  tickmark lti add --account acct_… --issuer https://moodle.hill.example --client-id AbC123 --deployment-id 1 \\
    --login-url https://moodle.hill.example/mod/lti/auth.php \\
    --keys-url https://moodle.hill.example/mod/lti/certs.php \\
    --token-url https://moodle.hill.example/mod/lti/token.php
  tickmark lti bind ltip_… 4f3c… pap_…
  tickmark lti scores --status refused")]
pub(super) enum Command {
    /// Register a platform for an account
    Add(Box<Add>),
    /// All platforms
    List,
    /// Remove a platform, with its links and the marks that it has not got
    Remove {
        /// The platform's id
        #[arg(value_parser = values::id::<LtiPlatformId>)]
        id: LtiPlatformId,
    },
    /// Set the key that Tickmark signs with, in the place of the one before
    SetKey {
        /// File with an RSA private key of 2048 to 4096 bits, PEM
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Say which paper a link opens, where the link cannot say it by a custom parameter
    Bind {
        /// The platform's id
        #[arg(value_parser = values::id::<LtiPlatformId>)]
        platform: LtiPlatformId,
        /// The link, as the platform calls it
        #[arg(value_name = "RESOURCE_LINK", value_parser = values::line)]
        resource_link: String,
        /// The paper's id
        #[arg(value_parser = values::id::<PaperId>)]
        paper: PaperId,
    },
    /// Marks on their way: those that arrived, that wait, and that a platform did not take, with the reason
    Scores {
        /// Of this paper only
        #[arg(long, value_name = "ID", value_parser = values::id::<PaperId>)]
        paper: Option<PaperId>,
        /// Only those that came so far
        #[arg(long, value_name = "S", value_parser = ["waiting", "sent", "refused"])]
        status: Option<String>,
    },
    /// Send a mark again that the platform did not take
    Retry {
        /// The score's id
        #[arg(value_parser = values::id::<LtiScoreId>)]
        id: LtiScoreId,
    },
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// The account whose papers it opens
    #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
    account: AccountId,
    /// Which of the account's worlds
    #[arg(long, default_value = "live")]
    mode: ModeName,
    /// What the platform calls itself (issuer, platform id)
    #[arg(long, value_name = "URL", value_parser = values::line)]
    issuer: String,
    /// What the platform calls Tickmark
    #[arg(long, value_name = "ID", value_parser = values::line)]
    client_id: String,
    /// What the platform calls this installation of Tickmark
    #[arg(long, value_name = "ID", value_parser = values::line)]
    deployment_id: String,
    /// The platform's authentication request URL
    #[arg(long, value_name = "URL")]
    login_url: String,
    /// The platform's public keyset URL
    #[arg(long, value_name = "URL")]
    keys_url: String,
    /// The platform's access token URL
    #[arg(long, value_name = "URL")]
    token_url: String,
    /// What the platform wants to be called by whoever asks for a token [default: the token URL]
    #[arg(long, value_name = "A", value_parser = values::line)]
    audience: Option<String>,
    /// Also take addresses of this machine, for a server that was started with `tickmark dev`
    #[arg(long)]
    development: bool,
}

#[derive(Serialize)]
struct PlatformView {
    id: LtiPlatformId,
    account_id: AccountId,
    mode: &'static str,
    issuer: String,
    client_id: String,
    deployment_id: String,
    login_url: String,
    keys_url: String,
    token_url: String,
    audience: Option<String>,
    created_at: String,
}

impl From<Platform> for PlatformView {
    fn from(platform: Platform) -> PlatformView {
        let Platform { id, registration, created_at } = platform;
        PlatformView {
            id,
            account_id: registration.owner.0,
            mode: registration.owner.1.name(),
            issuer: registration.issuer,
            client_id: registration.client_id,
            deployment_id: registration.deployment_id,
            login_url: registration.login_url,
            keys_url: registration.keys_url,
            token_url: registration.token_url,
            audience: registration.audience,
            created_at: moment(created_at),
        }
    }
}

#[derive(Serialize)]
struct ScoreView {
    id: LtiScoreId,
    platform_id: LtiPlatformId,
    paper_id: PaperId,
    submission_id: SubmissionId,
    student: String,
    status: &'static str,
    attempts: u32,
    sent_at: Option<String>,
    problem: Option<String>,
}

impl From<Listed> for ScoreView {
    fn from(Listed { score, platform_id, student }: Listed) -> ScoreView {
        ScoreView {
            id: score.id,
            platform_id,
            paper_id: score.paper_id,
            submission_id: score.submission_id,
            student,
            status: score.status.name(),
            attempts: score.attempts,
            sent_at: score.sent_at.map(moment),
            problem: score.problem,
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        let (service, by) = (&app.service, Operator::command_line());
        match self {
            Command::Add(add) => add.run(global, service).await,
            Command::List => list(global, &platforms(service).await?),
            Command::Remove { id } => {
                let view = PlatformView::from(service.remove_lti_platform(&by, id).await?);
                Ok(global.output().done(&view, &format!("The platform {id} is removed."))?)
            }
            Command::SetKey { file } => {
                let kid = service.set_lti_key(&by, &read_key(&file)?).await.map_err(told)?;
                let sentence = format!("The key {kid} is set; platforms find it at {KEYS_PATH}.");
                Ok(global.output().done(&json!({"kid": kid}), &sentence)?)
            }
            Command::Bind { platform, resource_link, paper } => {
                let link = service.bind_lti_link(&by, platform, resource_link, paper).await?;
                let view = json!({
                    "platform_id": link.platform_id, "resource_link_id": link.resource_link_id,
                    "paper_id": link.paper_id,
                });
                Ok(global.output().done(&view, &format!("The link opens the paper {paper}."))?)
            }
            Command::Scores { paper, status } => {
                let views = scores(service, paper, status.as_deref().and_then(ScoreStatus::parse)).await?;
                let headings =
                    ["id", "platform", "submission", "student", "status", "attempts", "sent", "problem"];
                Ok(global.output().list(&views, &headings, |view| {
                    vec![
                        view.id.to_string(),
                        view.platform_id.to_string(),
                        view.submission_id.to_string(),
                        view.student.clone(),
                        view.status.to_owned(),
                        view.attempts.to_string(),
                        view.sent_at.clone().unwrap_or_else(|| "never".to_owned()),
                        view.problem.clone().unwrap_or_default(),
                    ]
                })?)
            }
            Command::Retry { id } => {
                service.retry_lti_score(&by, id).await?;
                Ok(global.output().done(&json!({"id": id}), &format!("The score {id} is sent again."))?)
            }
        }
    }
}

impl Add {
    async fn run(self, global: &Global, service: &Service) -> Result<(), Failure> {
        let reach = if self.development { Reach::Development } else { Reach::Public };
        let url = |option: &str, text: &str| {
            let url = WebUrl::parse_endpoint(text, reach);
            url.map(|url| url.as_requested().to_owned())
                .map_err(|problem| Failure::settings(format!("The {option} {problem}.")))
        };
        let owner: Owner = (self.account, Mode::from(self.mode));
        let new = Registration {
            owner,
            login_url: url("--login-url", &self.login_url)?,
            keys_url: url("--keys-url", &self.keys_url)?,
            token_url: url("--token-url", &self.token_url)?,
            issuer: self.issuer,
            client_id: self.client_id,
            deployment_id: self.deployment_id,
            audience: self.audience,
        };
        let platform = service.add_lti_platform(&Operator::command_line(), new).await?;
        let base = service.base_url();
        let lines = [
            ("Id", platform.id.to_string()),
            ("Account", platform.owner.0.to_string()),
            ("Mode", platform.owner.1.name().to_owned()),
            ("Login URL", format!("{base}{LOGIN_PATH}")),
            ("Launch URL", format!("{base}{LAUNCH_PATH}")),
            ("Keys URL", format!("{base}{KEYS_PATH}")),
            (
                "Note",
                "the three URLs are for the platform; they begin with the address of this service".to_owned(),
            ),
        ];
        Ok(global.output().record(&PlatformView::from(platform), &lines)?)
    }
}

fn read_key(file: &PathBuf) -> Result<String, Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("The file {} cannot be read: {error}.", file.display()));
    let length = std::fs::metadata(file).map_err(failed)?.len();
    if length > KEY_BYTES_MAX {
        return Err(told(KeyProblem::Unusable));
    }
    std::fs::read_to_string(file).map_err(failed)
}

fn told(problem: KeyProblem) -> Failure {
    match problem {
        KeyProblem::Unusable => {
            Failure::settings("The file must hold an RSA private key of 2048 to 4096 bits in PEM form.")
        }
        KeyProblem::Other(error) => error.into(),
    }
}

async fn platforms(service: &Service) -> Result<Vec<PlatformView>, Failure> {
    let (mut views, mut last) = (Vec::new(), None);
    loop {
        let some = service.lti_platforms_after(last, BATCH).await?;
        let Some(end) = some.last() else { return Ok(views) };
        last = Some(end.id);
        views.extend(some.into_iter().map(PlatformView::from));
    }
}

fn list(global: &Global, views: &[PlatformView]) -> Result<(), Failure> {
    let headings = ["id", "account", "mode", "issuer", "client", "deployment", "created"];
    Ok(global.output().list(views, &headings, |view| {
        vec![
            view.id.to_string(),
            view.account_id.to_string(),
            view.mode.to_owned(),
            view.issuer.clone(),
            view.client_id.clone(),
            view.deployment_id.clone(),
            view.created_at.clone(),
        ]
    })?)
}

/// The scores of a paper, or all, that came so far.
async fn scores(
    service: &Service,
    paper: Option<PaperId>,
    status: Option<ScoreStatus>,
) -> Result<Vec<ScoreView>, Failure> {
    let which = match (paper, status) {
        (Some(paper), _) => Which::Paper(paper),
        (None, Some(status)) => Which::Status(status),
        (None, None) => Which::All,
    };
    let (mut views, mut last) = (Vec::new(), None);
    loop {
        let some = service.lti_scores_after(which, last, BATCH).await?;
        let Some(end) = some.last() else { return Ok(views) };
        last = Some(end.score.id);
        let wanted =
            some.into_iter().filter(|listed| status.is_none_or(|status| listed.score.status == status));
        views.extend(wanted.map(ScoreView::from));
    }
}
