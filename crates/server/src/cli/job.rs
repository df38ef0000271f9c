//! `tickmark job`: what waits, runs, and was put off.

use super::values;
use super::{Global, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::id::JobId;
use domain::time::Shown;
use serde::Serialize;
use serde_json::json;
use service::jobs::ListedJob;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark job list
  tickmark job retry job_…")]
pub(super) enum Command {
    /// What runs, what was put off after a failure, and what waits
    List {
        /// At most so many of each
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Try a job that was put off now
    Retry {
        /// The job's id
        #[arg(value_name = "ID", value_parser = values::id::<JobId>)]
        id: JobId,
    },
}

#[derive(Serialize)]
struct View {
    id: JobId,
    status: String,
    kind: String,
    about: Option<String>,
    attempts: u32,
    run_at: Shown,
    last_error: Option<String>,
}

impl From<ListedJob> for View {
    fn from(job: ListedJob) -> View {
        View {
            id: job.id,
            status: job.status,
            kind: job.kind,
            about: job.subject,
            attempts: job.attempts,
            run_at: Shown(job.run_at),
            last_error: job.last_error,
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::List { limit } => {
                let listed = app.service.list_jobs(i64::from(limit)).await?;
                let views: Vec<View> = listed.into_iter().map(View::from).collect();
                let headings = ["ID", "STATUS", "KIND", "ABOUT", "TRIES", "DUE", "LAST ERROR"];
                let row = |view: &View| {
                    vec![
                        view.id.to_string(),
                        view.status.clone(),
                        view.kind.clone(),
                        view.about.clone().unwrap_or_default(),
                        view.attempts.to_string(),
                        view.run_at.to_string(),
                        view.last_error.clone().unwrap_or_default(),
                    ]
                };
                Ok(global.output().list(&views, &headings, row)?)
            }
            Command::Retry { id } => {
                app.service.retry_job(id).await?;
                Ok(global
                    .output()
                    .done(&json!({"id": id, "status": "waiting"}), "The job is tried again now.")?)
            }
        }
    }
}
