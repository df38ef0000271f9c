//! `tickmark submission`: proving that marks can be relied on.

use super::values;
use super::{Global, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::id::SubmissionId;
use serde_json::json;
use service::verify::Verification;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Example:
  tickmark submission verify sub_…

The built-in engine gives the same marks for the same script every time; this reads and marks the script
again, writes nothing, and says whether that holds. The exit code is 1 when it does not.")]
pub(super) enum Command {
    /// Mark a script again and compare
    Verify {
        /// The submission's id
        #[arg(value_name = "ID", value_parser = values::id::<SubmissionId>)]
        id: SubmissionId,
    },
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let Command::Verify { id } = self;
        let app = open(global).await?;
        let verification = app.service.verify_submission(id).await?;
        let (kept, again) = (verification.kept.score, verification.again.score);
        if verification.is_same() {
            let sentence =
                format!("The same result: {} of {} marks, to the last word.", kept.awarded, kept.available);
            return Ok(global.output().done(&json!({"id": id, "same": true, "score": kept}), &sentence)?);
        }
        let changes = verification.changes();
        if global.json {
            global.output().done(
                &json!({"id": id, "same": false, "score": kept, "again": again, "changed": changes}),
                "",
            )?;
        }
        Err(Failure::new(difference(&verification, &changes)))
    }
}

fn difference(verification: &Verification, changes: &[&str]) -> String {
    let (kept, again) = (verification.kept.score, verification.again.score);
    let reason = if changes.is_empty() {
        "nothing that it depends on has changed".to_owned()
    } else {
        format!("since then {} changed", changes.join(", "))
    };
    format!(
        "Another result: {} of {} marks were kept, marking again gives {} of {}; {reason}.",
        kept.awarded, kept.available, again.awarded, again.available
    )
}
