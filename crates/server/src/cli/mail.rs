//! `tickmark mail`: whether mail gets out.

use super::{Global, values};
use crate::failure::Failure;
use crate::mail::mailer;
use clap::Subcommand;
use serde_json::json;
use store::mails::Mail;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Example:
  tickmark mail test it@hill.example")]
pub(super) enum Command {
    /// Send a mail with the settings in force, to see whether it arrives
    Test {
        /// To whom
        #[arg(value_name = "ADDRESS", value_parser = values::mail)]
        to: String,
    },
}

impl Command {
    pub(super) fn run(self, global: &Global) -> Result<(), Failure> {
        let Command::Test { to } = self;
        let settings = global.settings()?;
        let mailer = mailer(&settings).map_err(Failure::settings)?;
        let mail = Mail {
            recipient: to.clone(),
            subject: "Mail from Tickmark arrives".to_owned(),
            body: "Somebody ran `tickmark mail test` to see whether mail gets out. It does.\n".to_owned(),
        };
        let id = format!("test-{}", std::process::id());
        mailer.send(&id, &mail).map_err(|error| Failure::new(format!("The mail was not sent: {error}.")))?;
        let sentence = match settings.smtp {
            Some(smtp) => format!("The mail was given to {}.", smtp.host),
            None => {
                "There are no SMTP settings, so the mail is a file in the data folder's outbox.".to_owned()
            }
        };
        Ok(global.output().done(&json!({"to": to}), &sentence)?)
    }
}
