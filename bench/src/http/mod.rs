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

use crate::table::Row;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let mut rows = startup::measure().await?;
        rows.extend(reads::measure().await?);
        rows.extend(writes::on_sqlite().await?);
        rows.extend(writes::on_postgres().await?);
        rows.extend(lists::on_sqlite().await?);
        rows.extend(lists::on_postgres().await?);
        Ok(rows)
    })
}
