//! Scans of whole classes.

mod columns;

use crate::codec::Columns;
use crate::locked::{self, Changeable};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Sql, Tx, sql};
use columns::{
    files_text, pages_text, parse_files, parse_pages, parse_roster, parse_scripts, roster_text, scripts_text,
};
use domain::account::Owner;
use domain::class_scan::{ClassScan, Split, SplitBy, State, Status};
use domain::failure::FailureCode;
use domain::id::{ClassScanId, Identifier as _, PaperId};
use jiff::Timestamp;

const COLUMNS: &str = "id, account_id, mode, paper_id, status, failure_code, split_by, split_pages, roster, files, \
                       pages, scripts, created_at, updated_at";

struct ScanRow(ClassScan);

impl FromRow for ScanRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("class_scans", row);
        let status = columns.parsed(4, "status", Status::parse)?;
        let failure = columns.opt_parsed(5, "failure_code", FailureCode::parse)?;
        let by = columns.parsed(6, "split_by", SplitBy::parse)?;
        Ok(ScanRow(ClassScan {
            id: columns.id(0)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            paper_id: columns.id(3)?,
            state: state(status, failure).ok_or_else(|| columns.corrupt("status"))?,
            split: split(by, columns.opt_count(7)?).ok_or_else(|| columns.corrupt("split_pages"))?,
            roster: columns.parsed(8, "roster", parse_roster)?,
            files: columns.parsed(9, "files", parse_files)?,
            pages: columns.parsed(10, "pages", parse_pages)?,
            scripts: columns.parsed(11, "scripts", parse_scripts)?,
            created_at: columns.time(12)?,
            updated_at: columns.time(13)?,
        }))
    }
}

fn state(status: Status, failure: Option<FailureCode>) -> Option<State> {
    match status {
        Status::Processing => Some(State::Processing),
        Status::AwaitingConfirmation => Some(State::AwaitingConfirmation),
        Status::Confirming => Some(State::Confirming),
        Status::Confirmed => Some(State::Confirmed),
        Status::Failed => failure.map(|code| State::Failed { code }),
    }
}

fn split(by: SplitBy, pages: Option<u32>) -> Option<Split> {
    match by {
        SplitBy::Covers => Some(Split::Covers),
        SplitBy::Pages => pages.map(Split::Pages),
        SplitBy::Names => Some(Split::Names),
    }
}

/// Adds a scan.
pub async fn insert(tx: &mut Tx, scan: &ClassScan) -> Result<(), Error> {
    let places = (1..=15).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    tx.queue(
        sql(format!("INSERT INTO class_scans ({COLUMNS}, ends_at) VALUES ({places})"))
            .bind(scan.id.to_string())
            .bind(scan.owner.0.to_string())
            .bind(scan.owner.1.name())
            .bind(scan.paper_id.to_string())
            .bind(scan.state.status().name())
            .bind(scan.failure().map(FailureCode::name))
            .bind(scan.split.by().name())
            .bind(scan.split.pages())
            .bind(roster_text(&scan.roster))
            .bind(files_text(&scan.files))
            .bind(pages_text(&scan.pages))
            .bind(scripts_text(&scan.scripts))
            .bind(scan.created_at)
            .bind(scan.updated_at)
            .bind(scan.ends_at()),
    )
    .await
}

/// Writes what changed of a scan.
pub async fn save(tx: &mut Tx, from: &Locked<ClassScan>, to: &ClassScan) -> Result<(), Error> {
    locked::save(tx, ("class_scans", &to.id.to_string()), from, to, changeable).await
}

fn changeable(scan: &ClassScan) -> Changeable<'_> {
    vec![
        ("status", scan.state.status().name().into()),
        ("failure_code", scan.failure().map(FailureCode::name).into()),
        ("roster", roster_text(&scan.roster).into()),
        ("files", files_text(&scan.files).into()),
        ("pages", pages_text(&scan.pages).into()),
        ("scripts", scripts_text(&scan.scripts).into()),
        ("ends_at", scan.ends_at().into()),
        ("updated_at", scan.updated_at.into()),
    ]
}

/// The account's scan of this id.
pub async fn by_id(db: &mut Db, owner: Owner, id: ClassScanId) -> Result<Option<ClassScan>, Error> {
    Ok(db.one::<ScanRow>(owned(owner, id)).await?.map(|row| row.0))
}

/// The scan of this id, whoever owns it: for background work.
pub async fn any_by_id(db: &mut Db, id: ClassScanId) -> Result<Option<ClassScan>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM class_scans WHERE id = $1");
    Ok(db.one::<ScanRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The account's scan of this id, for changing.
pub async fn lock(tx: &mut Tx, owner: Owner, id: ClassScanId) -> Result<Option<Locked<ClassScan>>, Error> {
    let row = tx.lock::<ScanRow>("class_scans", owned(owner, id)).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

fn owned((account, mode): Owner, id: ClassScanId) -> Sql<'static> {
    let statement =
        format!("SELECT {COLUMNS} FROM class_scans WHERE id = $1 AND account_id = $2 AND mode = $3");
    sql(statement).bind(id.to_string()).bind(account.to_string()).bind(mode.name())
}

/// The scan of this id, whoever owns it, for changing.
pub async fn lock_any(tx: &mut Tx, id: ClassScanId) -> Result<Option<Locked<ClassScan>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM class_scans WHERE id = $1");
    let row = tx.lock::<ScanRow>("class_scans", sql(statement).bind(id.to_string())).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

/// The scans of a paper, newest first.
pub async fn of_paper(db: &mut Db, paper: PaperId, rows: i64) -> Result<Vec<ClassScan>, Error> {
    let statement =
        format!("SELECT {COLUMNS} FROM class_scans WHERE paper_id = $1 ORDER BY id DESC LIMIT $2");
    let rows = db.all::<ScanRow>(sql(statement).bind(paper.to_string()).bind(rows)).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The same, for deleting them with it.
pub async fn lock_of_paper(tx: &mut Tx, paper: PaperId, rows: i64) -> Result<Vec<Locked<ClassScan>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM class_scans WHERE paper_id = $1 ORDER BY id LIMIT $2");
    let rows =
        tx.lock_all::<ScanRow>("class_scans", sql(statement).bind(paper.to_string()).bind(rows)).await?;
    Ok(rows.into_iter().map(|row| row.map(|row| row.0)).collect())
}

/// How many scans a paper has.
pub async fn count_of(db: &mut Db, paper: PaperId) -> Result<i64, Error> {
    let statement = "SELECT COUNT(*) FROM class_scans WHERE paper_id = $1";
    Ok(db.one::<i64>(sql(statement).bind(paper.to_string())).await?.unwrap_or_default())
}

/// Scans that nobody confirmed in time.
pub async fn ended(db: &mut Db, now: Timestamp, rows: i64) -> Result<Vec<ClassScanId>, Error> {
    let statement = "SELECT id FROM class_scans WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2";
    let ids = db.all::<String>(sql(statement).bind(now).bind(rows)).await?;
    Ok(ids.iter().filter_map(|id| ClassScanId::parse(id)).collect())
}

/// Deletes a scan.
pub async fn delete(tx: &mut Tx, scan: &Locked<ClassScan>) -> Result<(), Error> {
    scan.must_be_held_by(tx)?;
    tx.queue(sql("DELETE FROM class_scans WHERE id = $1").bind(scan.id.to_string())).await
}
