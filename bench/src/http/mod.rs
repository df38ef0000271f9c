//! What requests cost the server: processor time of its own process, over loopback.
//!
//! Each server under test is a process of its own, started from this very program; the load comes from
//! here. Contestants take turns within a run, so that whatever else the machine does falls on all of them.

mod class;
mod cost;
mod creates;
mod desk;
mod direct;
mod lists;
mod load;
mod neighbours;
mod partner;
pub(crate) mod process;
mod reads;
pub(crate) mod server;
pub(crate) mod setup;
pub(crate) mod startup;
mod stored;
mod uploads;
mod writes;

use std::io::Write as _;

use clap::ValueEnum;

use crate::table::Row;

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// The start and the memory
    Startup,
    /// A read with all its checks
    Reads,
    /// A hold of credits
    Writes,
    /// Pages of a long list
    Lists,
    /// A large file
    Uploads,
    /// Papers and submissions, also while many wait
    Creates,
    /// Submissions among very many
    Stored,
    /// A class of scripts, marked
    Class,
    /// The marking desk of a large class
    Desk,
    /// An account beside one that asks for all it can
    Neighbours,
}

pub(crate) fn run(only: &[Subject]) -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let mut rows = Vec::new();
        let subjects = Subject::value_variants().iter();
        for subject in subjects.filter(|subject| only.is_empty() || only.contains(subject)) {
            match subject {
                Subject::Startup => rows.extend(told(startup::measure().await?)?),
                Subject::Reads => rows.extend(told(reads::measure().await?)?),
                Subject::Writes => {
                    rows.extend(told(writes::on_sqlite().await?)?);
                    rows.extend(told(writes::on_postgres().await?)?);
                }
                Subject::Lists => {
                    rows.extend(told(lists::on_sqlite().await?)?);
                    rows.extend(told(lists::on_postgres().await?)?);
                }
                Subject::Uploads => rows.extend(told(uploads::measure().await?)?),
                Subject::Creates => {
                    rows.extend(told(creates::on_sqlite().await?)?);
                    rows.extend(told(creates::on_postgres().await?)?);
                }
                Subject::Class => rows.extend(told(class::measure().await?)?),
                Subject::Desk => rows.extend(told(desk::measure().await?)?),
                Subject::Neighbours => {
                    rows.extend(told(neighbours::on_sqlite().await?)?);
                    rows.extend(told(neighbours::on_postgres().await?)?);
                }
                Subject::Stored => {
                    rows.extend(told(stored::on_sqlite().await?)?);
                    rows.extend(told(stored::on_postgres().await?)?);
                }
            }
        }
        Ok(rows)
    })
}

/// Shows rows as soon as they are there; the table comes at the end.
fn told(rows: Vec<Row>) -> anyhow::Result<Vec<Row>> {
    for row in &rows {
        writeln!(std::io::stdout(), "{row}")?;
    }
    Ok(rows)
}
