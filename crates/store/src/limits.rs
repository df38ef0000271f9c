//! An account's minute, shared by all processes on one database.

use crate::{Db, Error, sql};
use domain::account::Owner;
use domain::rate::Minute;

/// Takes `wanted` requests of the minute's `limit`, all or none; gives how many all processes have taken
/// then. `None`: so many are not left.
pub async fn take(
    db: &mut Db,
    (account, mode): Owner,
    minute: Minute,
    wanted: u32,
    limit: u32,
) -> Result<Option<u32>, Error> {
    // One row per account and mode. An older minute in it is over and its count starts anew; a newer one
    // belongs to a process whose clock is a little ahead, and is shared with it.
    let statement = "INSERT INTO rate_windows (account_id, mode, minute, used) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (account_id, mode) DO UPDATE SET \
                     used = CASE WHEN rate_windows.minute < excluded.minute THEN excluded.used \
                     ELSE rate_windows.used + excluded.used END, \
                     minute = CASE WHEN rate_windows.minute < excluded.minute THEN excluded.minute \
                     ELSE rate_windows.minute END \
                     WHERE rate_windows.minute < excluded.minute OR rate_windows.used + excluded.used <= $5 \
                     RETURNING used";
    let query =
        sql(statement).bind(account.to_string()).bind(mode.name()).bind(minute.0).bind(wanted).bind(limit);
    let used = db.one::<i64>(query).await?;
    Ok(used.map(|used| u32::try_from(used).unwrap_or(limit)))
}

/// Gives back what a process took of a minute and did not use.
pub async fn give_back(
    db: &mut Db,
    (account, mode): Owner,
    minute: Minute,
    unused: u32,
) -> Result<(), Error> {
    let statement = "UPDATE rate_windows SET used = used - $4 \
                     WHERE account_id = $1 AND mode = $2 AND minute = $3 AND used >= $4";
    let query = sql(statement).bind(account.to_string()).bind(mode.name()).bind(minute.0).bind(unused);
    db.queue(query).await
}
