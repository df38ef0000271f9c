//! Settings that all processes on one database share, such as the development clock.

use crate::{Db, Error, Locked, Tx, sql};

/// The value of a setting.
pub async fn value(db: &mut Db, name: &str) -> Result<Option<String>, Error> {
    db.one(sql("SELECT value FROM settings WHERE name = $1").bind(name)).await
}

/// A setting that nobody changes until the transaction ends.
pub async fn lock(tx: &mut Tx, name: &str) -> Result<Option<String>, Error> {
    let value = tx.lock("settings", sql("SELECT value FROM settings WHERE name = $1").bind(name)).await?;
    Ok(value.map(Locked::into_inner))
}

/// Sets a setting.
pub async fn set(db: &mut Db, name: &str, value: &str) -> Result<(), Error> {
    let statement = "INSERT INTO settings (name, value) VALUES ($1, $2) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    db.queue(sql(statement).bind(name).bind(value)).await
}

/// Sets a setting that is not there yet, and gives what is there then: the first process to ask decides.
pub async fn set_once(db: &mut Db, name: &str, first: &str) -> Result<String, Error> {
    let statement = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    let written = db.execute(sql(statement).bind(name).bind(first)).await?;
    let kept = if written == 1 { None } else { value(db, name).await? };
    Ok(kept.unwrap_or_else(|| first.to_owned()))
}
