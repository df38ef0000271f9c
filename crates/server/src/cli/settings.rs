//! `tickmark config`: the settings, as they could be and as they are.

use super::{Failure, Global, output};
use crate::config::DEFAULTS;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print every setting with its default and its meaning, as a file to start from
    #[command(after_help = "Example:\n  tickmark config default > tickmark.toml")]
    Default,
    /// Check the settings, and print what is in force and where it comes from
    #[command(after_help = "Example:\n  tickmark --config tickmark.toml config check")]
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
