//! `tickmark config`: the settings, as they could be and as they are.

use super::{Global, output};
use crate::config::DEFAULTS;
use crate::failure::Failure;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark config default > tickmark.toml
  tickmark --config tickmark.toml config check")]
pub(super) enum Command {
    /// Print every setting with its default and its meaning, as a file to start from
    Default,
    /// Check the settings, and print what is in force and where it comes from
    Check,
}

impl Command {
    pub(super) fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Default => output::text(DEFAULTS)?,
            Command::Check => {
                let settings = global.settings()?;
                global.output().list(&settings.in_force, &["setting", "value", "from"], |setting| {
                    vec![
                        setting.name.to_owned(),
                        setting.value.clone().unwrap_or_default(),
                        setting.origin.clone(),
                    ]
                })?;
            }
        }
        Ok(())
    }
}
