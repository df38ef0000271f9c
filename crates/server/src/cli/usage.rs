//! `tickmark account usage`: what an account was charged, month by month, for an invoice or a question.

use super::Global;
use crate::failure::Failure;
use domain::account::Owner;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use service::Service;

#[derive(Serialize)]
struct Month {
    month: String,
    papers: u64,
    paper_pages: u64,
    scripts: u64,
    script_pages: u64,
    credits: u64,
}

/// Prints the last `months` months of UTC, newest first.
pub(super) async fn print(
    global: &Global,
    service: &Service,
    owner: Owner,
    months: u8,
) -> Result<(), Failure> {
    service.account(owner.0).await?;
    let mut first = service.now().to_zoned(TimeZone::UTC).date().first_of_month();
    let mut until = next_month(first);
    let mut rows = Vec::new();
    for _ in 0..months {
        let usage = service.usage(owner, start(first), start(until)).await?;
        rows.push(Month {
            month: format!("{:04}-{:02}", first.year(), first.month()),
            papers: usage.papers,
            paper_pages: usage.paper_pages,
            scripts: usage.scripts,
            script_pages: usage.script_pages,
            credits: usage.credits,
        });
        until = first;
        first = first.yesterday().unwrap_or(first).first_of_month();
    }
    let headings = ["month", "papers", "paper pages", "scripts", "script pages", "credits"];
    Ok(global.output().list(&rows, &headings, |row| {
        let numbers = [row.papers, row.paper_pages, row.scripts, row.script_pages, row.credits];
        std::iter::once(row.month.clone()).chain(numbers.map(|number| number.to_string())).collect()
    })?)
}

fn next_month(first: Date) -> Date {
    first.last_of_month().tomorrow().unwrap_or(first)
}

fn start(date: Date) -> Timestamp {
    date.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |moment| moment.timestamp())
}
