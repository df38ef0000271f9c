//! Measures what the service costs, as ratios against a stated baseline in the same run.

mod cpu;
mod fire;
mod http;
mod machine;
mod reading;
mod report;
mod scripts;
mod store;
mod table;
mod webhooks;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Run it with `cargo run --profile dist -p bench`; without PART it measures everything.
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
    /// The memory and the processor time that reading takes
    Reading(reading::Arguments),
    /// A report of six pages as PDF and as a page
    Report,
    /// A page read and an answer marked
    Scripts,
    /// Deliveries of webhooks, with little and with much that waits
    Webhooks,
    /// Proof under fire: clients work while the server is killed and cut off, then the laws are checked
    Fire(fire::Arguments),
    /// A receiver of webhooks: this program starts it by itself
    #[command(hide = true)]
    Sink,
    /// A server to be measured: this program starts it by itself
    #[command(hide = true)]
    Server(http::server::Arguments),
}

fn main() -> anyhow::Result<ExitCode> {
    reader::isolate::run_if_child();
    // Under this name the program is the real one, so that its start and its memory can be measured.
    if std::env::args().next().as_deref() == Some(http::startup::PROGRAM) {
        return Ok(server::cli::run());
    }
    let rows = match Arguments::parse().part {
        Some(Part::Store) => store::run()?,
        Some(Part::Http { only }) => http::run(&only)?,
        Some(Part::Reading(arguments)) => reading::run(&arguments)?,
        Some(Part::Report) => report::run()?,
        Some(Part::Scripts) => scripts::run()?,
        Some(Part::Server(arguments)) => {
            http::server::run(&arguments)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Part::Webhooks) => webhooks::run()?,
        Some(Part::Fire(arguments)) => {
            fire::run(&arguments)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Part::Sink) => {
            webhooks::receive()?;
            return Ok(ExitCode::SUCCESS);
        }
        None => {
            // First what measures the memory of this process, before others have filled it.
            let deliveries = webhooks::run()?;
            let [store, http] = [store::run()?, http::run(&[])?];
            let reading = reading::run(&reading::Arguments::default())?;
            [deliveries, store, http, reading, report::run()?, scripts::run()?].concat()
        }
    };
    table::print(&rows)?;
    Ok(ExitCode::SUCCESS)
}
