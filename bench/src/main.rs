//! Measures what the service costs, as ratios against a stated baseline in the same run.

mod cpu;
mod store;

use clap::{Parser, Subcommand};

/// Run it with `cargo run --release -p bench -- PART`.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Group commit on SQLite, reads, and one hot row on PostgreSQL
    Store,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().part {
        Part::Store => store::run(),
    }
}
