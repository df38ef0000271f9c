//! `tickmark backup` and `tickmark restore`: everything in one folder, taken while servers run.
//!
//! The database comes first and the files after it: a file without a row is swept, a row without its file is a loss.
//! `manifest.json` is written last, so a backup that was cut short has none and is refused.

mod files;
mod postgres;

use super::Global;
use crate::app;
use crate::config::{Settings, Storage};
use crate::failure::Failure;
use clap::Args;
use domain::clock::{Clock as _, SystemClock};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use store::Location;

/// The form of the folder; another one is refused.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const SQLITE: &str = "tickmark.db";
const POSTGRES: &str = "tickmark.sql";
const FILES: &str = "blobs";
const MASTER_KEY: &str = "master.key";

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark backup /backup/2027-07-31
  tickmark --database postgres://… backup /backup/2027-07-31      Needs pg_dump

Servers go on meanwhile. The folder has what a student wrote and the key that secrets are sealed under: guard it.")]
pub(super) struct Backup {
    /// A folder that is not there yet, or is empty
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark --data /var/lib/tickmark restore /backup/2027-07-31
  tickmark --database postgres://… restore /backup/2027-07-31     Into an empty database; needs psql

Stop all servers before, and start them after it.")]
pub(super) struct Restore {
    /// A folder that `tickmark backup` made
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// What a backup is, and what must be there again.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The program that made it.
    version: String,
    created_at: String,
    /// `sqlite` or `postgres`.
    database: String,
    /// False where files lie in a bucket, which has ways of its own.
    has_files: bool,
    /// False where the key is in the settings.
    has_master_key: bool,
    files: u64,
    bytes: u64,
}

impl Backup {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let settings = global.settings()?;
        let manifest = off_the_threads(move || take(&settings, &self.folder)).await?;
        let sentence = format!(
            "Backed up the {} database, {} files and {}.",
            manifest.database,
            manifest.files,
            if manifest.has_master_key { "the master key" } else { "no master key: it is in the settings" }
        );
        Ok(global.output().done(&manifest, &sentence)?)
    }
}

impl Restore {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let settings = global.settings()?;
        let manifest = off_the_threads(move || put_back(&settings, &self.folder)).await?;
        let sentence = format!(
            "Restored the {} database of {} and {} files. Start the servers now.",
            manifest.database, manifest.created_at, manifest.files
        );
        Ok(global.output().done(&manifest, &sentence)?)
    }
}

async fn off_the_threads<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Failure::new(format!("It broke off: {error}.")))?
}

fn take(settings: &Settings, folder: &Path) -> Result<Manifest, Failure> {
    let is_empty = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.exists() && !is_empty(folder) {
        return Err(Failure::new(format!("The folder {} is not empty; name a new one.", folder.display())));
    }
    files::create_private(folder)?;
    let database = match app::location(settings) {
        Location::Sqlite(path) => {
            if !path.exists() {
                return Err(Failure::new(format!("There is no database {} to back up.", path.display())));
            }
            let target = folder.join(SQLITE);
            store::backup::copy_sqlite(&path, &target)
                .map_err(|error| Failure::new(format!("The database cannot be copied: {error}.")))?;
            files::sync(&target)?;
            "sqlite"
        }
        Location::Postgres(url) => {
            postgres::dump(&url, &folder.join(POSTGRES))?;
            "postgres"
        }
    };
    let has_files = matches!(settings.storage, Storage::Local);
    let blobs = settings.data.join(app::FILES_FOLDER);
    let copied = if has_files && blobs.exists() {
        files::copy_tree(&blobs, &folder.join(FILES))?
    } else {
        files::Copied::default()
    };
    let key = settings.data.join(MASTER_KEY);
    let has_master_key = settings.master_key.is_none() && key.exists();
    if has_master_key {
        files::copy(&key, &folder.join(MASTER_KEY))?;
    }
    let manifest = Manifest {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: super::values::moment(SystemClock::default().now()),
        database: database.to_owned(),
        has_files,
        has_master_key,
        files: copied.files,
        bytes: copied.bytes,
    };
    let text = serde_json::to_string_pretty(&manifest).expect("a manifest holds only what JSON can write");
    files::write(&folder.join(MANIFEST), text.as_bytes())?;
    Ok(manifest)
}

fn put_back(settings: &Settings, folder: &Path) -> Result<Manifest, Failure> {
    let manifest = read_manifest(folder)?;
    let location = app::location(settings);
    let kind = match &location {
        Location::Sqlite(_) => "sqlite",
        Location::Postgres(_) => "postgres",
    };
    if kind != manifest.database {
        let sentence = format!(
            "The backup is of a {} database, and the settings name a {kind} one; restore it where it came from.",
            manifest.database
        );
        return Err(Failure::new(sentence));
    }
    let key = settings.data.join(MASTER_KEY);
    let blobs = settings.data.join(app::FILES_FOLDER);
    let taken = [&key, &blobs].into_iter().find(|path| path.exists());
    if let Some(taken) = taken {
        let taken = taken.display();
        return Err(Failure::new(format!("{taken} is there already; restore into an empty data folder.")));
    }
    files::create_private(&settings.data)?;
    if manifest.has_files && folder.join(FILES).exists() {
        let copied = files::copy_tree(&folder.join(FILES), &blobs)?;
        if copied.files != manifest.files {
            let sentence =
                format!("The backup should have {} files, but has {}.", manifest.files, copied.files);
            return Err(Failure::new(sentence));
        }
    }
    if manifest.has_master_key {
        files::copy(&folder.join(MASTER_KEY), &key)?;
    }
    // Last: with the database there, a server would begin.
    match location {
        Location::Sqlite(path) => {
            if path.exists() {
                return Err(Failure::new(format!("There is a database {} already.", path.display())));
            }
            files::copy(&folder.join(SQLITE), &path)?;
        }
        Location::Postgres(url) => postgres::load(&url, &folder.join(POSTGRES))?,
    }
    Ok(manifest)
}

fn read_manifest(folder: &Path) -> Result<Manifest, Failure> {
    let path = folder.join(MANIFEST);
    let none = |why: String| Failure::new(format!("{} is no whole backup: {why}.", folder.display()));
    let text = fs::read_to_string(&path).map_err(|error| none(format!("{MANIFEST}: {error}")))?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|error| none(format!("{MANIFEST}: {error}")))?;
    if manifest.format == FORMAT { Ok(manifest) } else { Err(none("a newer program made it".to_owned())) }
}
