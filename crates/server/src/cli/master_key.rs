//! `tickmark master-key`: what secrets are sealed under.

use std::path::PathBuf;

use super::Global;
use crate::app::{App, User};
use crate::config::MasterKey;
use crate::data;
use crate::failure::Failure;
use crate::random::SystemRandom;
use clap::Subcommand;
use domain::random;
use domain::web_url::Reach;
use serde_json::json;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark master-key rotate                          A new key in the data folder's master.key
  tickmark master-key rotate --new-key-file new.key   This one; then set it as master_key where it is given

Stop the servers first, and start them again with the new key.")]
pub(super) enum Command {
    /// Seal every secret in the database under a new master key, all at once
    Rotate {
        /// File with the new key, 64 hexadecimal digits [default: a new one is made]
        #[arg(long, value_name = "FILE")]
        new_key_file: Option<PathBuf>,
    },
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let Command::Rotate { new_key_file } = self;
        let settings = global.settings()?;
        let is_given = settings.master_key.is_some();
        let key = match &new_key_file {
            Some(path) => data::read_master_key(path).map_err(|error| Failure::new(error.to_string()))?,
            None if is_given => {
                return Err(Failure::settings(
                    "The master key comes from the settings, so name the file of the new one with --new-key-file.",
                ));
            }
            None => MasterKey(random::bytes(&SystemRandom::default())),
        };
        let app = App::open(&settings, User::Server, Reach::Public, "").await?;
        let failed = |error: data::Error| Failure::new(error.to_string());
        if !is_given {
            data::prepare_master_key(&settings.data, &key).map_err(failed)?;
        }
        let count = app.service.change_master_key(key.0).await?;
        if !is_given {
            data::adopt_master_key(&settings.data).map_err(failed)?;
        }
        let next = if is_given { "Start the servers with the new key." } else { "Start the servers again." };
        let sentence = format!("{count} secrets are sealed under the new master key. {next}");
        Ok(global.output().done(&json!({"secrets": count}), &sentence)?)
    }
}
