//! The database and the key that its secrets are sealed under.

use super::Finding;
use crate::app;
use crate::config::{Settings, without_password};
use domain::clock::{Clock as _, SystemClock};
use store::{Location, Options, Store};

pub(super) async fn database(settings: &Settings) -> Finding {
    const CHECK: &str = "database";
    let location = app::location(settings);
    let place = match &location {
        Location::Sqlite(path) if !path.exists() => {
            return Finding::ok(CHECK, format!("{} is made at the first start", path.display()));
        }
        Location::Sqlite(path) => path.display().to_string(),
        Location::Postgres(url) => without_password(url),
    };
    let options = Options { migrate: false, ..Options::default() };
    let store = match Store::open(&location, options, SystemClock::default().now()).await {
        Ok(store) => store,
        Err(error) => {
            let remedy = "start it, correct the setting database, or use the version that made it";
            return Finding::bad(CHECK, format!("{place} cannot be used: {error}"), remedy);
        }
    };
    match store.is_current().await {
        Ok(true) => Finding::ok(CHECK, format!("{place} answers and is up to date")),
        Ok(false) if settings.migrate => {
            let message = format!("{place} answers and is brought up to date by the next start");
            Finding::warn(CHECK, message, "make a backup, then start the server or run `tickmark migrate`")
        }
        Ok(false) => Finding::bad(CHECK, format!("{place} is not up to date"), "run `tickmark migrate`"),
        Err(error) => {
            let message = format!("{place} does not answer: {error}");
            Finding::bad(CHECK, message, "start it, or correct the setting database")
        }
    }
}

pub(super) fn master_key(settings: &Settings) -> Finding {
    const CHECK: &str = "master key";
    if settings.master_key.is_some() {
        return Finding::ok(CHECK, "it is given in the settings");
    }
    if matches!(app::location(settings), Location::Postgres(_)) {
        return Finding::warn(
            CHECK,
            "it lies in the data folder, and other processes on this database need the same one",
            "give every process the same TICKMARK_MASTER_KEY (`openssl rand -hex 32` makes one)",
        );
    }
    Finding::ok(CHECK, "it lies in the data folder from the first start on; back it up with the database")
}
