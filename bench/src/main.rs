//! Measures what the service costs, as ratios against a stated baseline in the same run.

mod cpu;
mod http;
mod report;
mod store;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Run it with `cargo run --release -p bench`; without PART it measures everything.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// Group commit on SQLite, reads, and one hot row on PostgreSQL
    Store,
    /// Requests to the server, its start and its memory, and list pages of a long list
    Http {
        /// Which of it; without any, all
        only: Vec<http::Subject>,
    },
    /// A report of six pages as PDF and as a page
    Report,
    /// A server to be measured: this program starts it by itself
    #[command(hide = true)]
    Server(http::server::Arguments),
}

fn main() -> anyhow::Result<ExitCode> {
    // Under this name the program is the real one, so that its start and its memory can be measured.
    if std::env::args().next().as_deref() == Some(http::startup::PROGRAM) {
        return Ok(server::cli::run());
    }
    let rows = match Arguments::parse().part {
        Some(Part::Store) => store::run()?,
        Some(Part::Http { only }) => http::run(&only)?,
        Some(Part::Report) => report::run()?,
        Some(Part::Server(arguments)) => {
            http::server::run(&arguments)?;
            return Ok(ExitCode::SUCCESS);
        }
        None => [store::run()?, http::run(&[])?, report::run()?].concat(),
    };
    table::print(&rows)?;
    Ok(ExitCode::SUCCESS)
}
