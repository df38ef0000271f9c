//! What requests cost the server: processor time of its own process, over loopback.
//!
//! Each server under test is a process of its own, started from this very program; the load comes from
//! here. Contestants take turns within a run, so that whatever else the machine does falls on all of them.

mod cost;
mod lists;
mod load;
mod process;
mod reads;
pub(crate) mod server;
mod setup;
pub(crate) mod startup;
mod writes;

use std::io::Write as _;

use crate::table::Row;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let mut rows = told(startup::measure().await?)?;
        rows.extend(told(reads::measure().await?)?);
        rows.extend(told(writes::on_sqlite().await?)?);
        rows.extend(told(writes::on_postgres().await?)?);
        rows.extend(told(lists::on_sqlite().await?)?);
        rows.extend(told(lists::on_postgres().await?)?);
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
