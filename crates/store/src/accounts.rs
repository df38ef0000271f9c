//! Accounts.

use crate::codec::Columns;
use crate::locked::{self, Changeable};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Tx, sql};
use domain::account::{Account, Owner, Pricing};
use domain::credit::Credits;
use domain::id::AccountId;
use domain::paging::Position;
use domain::text::fold;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// The columns in the order in which a row is read and written. A macro, so that statements are literals.
macro_rules! columns {
    () => {
        "id, name, contact, paper_price, grading_price, low_balance_threshold, rate_limit_live, \
         rate_limit_test, suspended_at, created_at"
    };
}

/// An account as a row of its own query.
#[derive(Debug)]
pub(crate) struct AccountRow(pub(crate) Account);

impl FromRow for AccountRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("accounts", row);
        let pricing = Pricing { paper_per_page: columns.credits(3)?, grading_per_page: columns.credits(4)? };
        Ok(AccountRow(Account {
            id: columns.id(0)?,
            name: row.text(1)?,
            contact: row.opt_text(2)?,
            pricing,
            low_balance_threshold: columns.credits(5)?,
            rate_limit_live: columns.count(6)?,
            rate_limit_test: columns.count(7)?,
            suspended_at: columns.opt_time(8)?,
            created_at: columns.time(9)?,
        }))
    }
}

/// Adds an account.
pub async fn insert(db: &mut Db, account: &Account) -> Result<(), Error> {
    let statement =
        concat!("INSERT INTO accounts (", columns!(), ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    let statement = sql(statement).bind(account.id.to_string());
    let statement =
        changeable(account).into_iter().fold(statement, |statement, (_, value)| statement.bind(value));
    db.queue(statement.bind(account.created_at)).await
}

/// Writes what an operator changed.
pub async fn save(tx: &mut Tx, from: &Locked<Account>, to: &Account) -> Result<(), Error> {
    locked::save(tx, ("accounts", &to.id.to_string()), from, to, changeable).await
}

fn changeable(account: &Account) -> Changeable<'_> {
    vec![
        ("name", (&account.name).into()),
        ("contact", account.contact.as_deref().into()),
        ("paper_price", account.pricing.paper_per_page.signed().into()),
        ("grading_price", account.pricing.grading_per_page.signed().into()),
        ("low_balance_threshold", account.low_balance_threshold.signed().into()),
        ("rate_limit_live", account.rate_limit_live.into()),
        ("rate_limit_test", account.rate_limit_test.into()),
        ("suspended_at", account.suspended_at.into()),
    ]
}

/// The account of this id.
pub async fn by_id(db: &mut Db, id: AccountId) -> Result<Option<Account>, Error> {
    let statement = concat!("SELECT ", columns!(), " FROM accounts WHERE id = $1");
    Ok(db.one::<AccountRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The account of this id, for changing.
pub async fn lock(tx: &mut Tx, id: AccountId) -> Result<Option<Locked<Account>>, Error> {
    let statement = concat!("SELECT ", columns!(), " FROM accounts WHERE id = $1");
    let row = tx.lock::<AccountRow>("accounts", sql(statement).bind(id.to_string())).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

/// An account with the end of its credits in one mode.
#[derive(Clone, Debug)]
pub struct WithCreditsEnd {
    /// The account.
    pub account: Account,
    /// When its available credits end.
    pub valid_until: Option<Timestamp>,
}

impl FromRow for WithCreditsEnd {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let valid_until = Columns::of("balances", row).opt_time(10)?;
        Ok(WithCreditsEnd { account: AccountRow::from_row(row)?.0, valid_until })
    }
}

/// The account of this id as one of its keys sees it.
pub async fn with_credits_end(db: &mut Db, (id, mode): Owner) -> Result<Option<WithCreditsEnd>, Error> {
    let statement = concat!(
        "SELECT ",
        columns!(),
        ", (SELECT valid_until FROM balances WHERE account_id = accounts.id AND mode = $2) \
         FROM accounts WHERE id = $1"
    );
    db.one(sql(statement).bind(id.to_string()).bind(mode.name())).await
}

/// Accounts in the order they were made, after the given one.
pub async fn after(db: &mut Db, last: Option<&Account>, rows: i64) -> Result<Vec<Account>, Error> {
    let (time, id) = last.map_or((i64::MIN, String::new()), |account| {
        (account.created_at.as_microsecond(), account.id.to_string())
    });
    let statement = concat!(
        "SELECT ",
        columns!(),
        " FROM accounts WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3"
    );
    let found = db.all::<AccountRow>(sql(statement).bind(time).bind(id).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// An account as the operator's list shows it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The account.
    pub account: Account,
    /// What it can spend in live mode.
    pub available: Credits,
}

impl FromRow for Listed {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let available = Columns::of("balances", row).opt_credits(10)?.unwrap_or(Credits::ZERO);
        Ok(Listed { account: AccountRow::from_row(row)?.0, available })
    }
}

const LISTED: &str = concat!(
    "SELECT ",
    columns!(),
    ", (SELECT available FROM balances WHERE account_id = accounts.id AND mode = 'live') FROM accounts"
);

/// Accounts, the last made first.
pub async fn latest(db: &mut Db, after: Option<Position>, rows: i64) -> Result<Vec<Listed>, Error> {
    let (time, id) = crate::list::before::<AccountId>(after);
    let statement =
        format!("{LISTED} WHERE (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT $3");
    db.all(sql(statement).bind(time).bind(id).bind(rows)).await
}

/// Accounts of which some word of the name or the contact begins so, in the order of those words.
pub async fn with_word(db: &mut Db, beginning: &str, rows: i64) -> Result<Vec<Listed>, Error> {
    // All words that begin so stand together in the index; U+10FFFF sorts after them.
    let (from, to) = (fold(beginning), format!("{}\u{10ffff}", fold(beginning)));
    let statement = "SELECT account_id FROM account_words WHERE word >= $1 AND word < $2 \
                     ORDER BY word, account_id LIMIT $3";
    let ids = db.all::<String>(sql(statement).bind(from).bind(to).bind(rows)).await?;
    let ids: BTreeSet<String> = ids.into_iter().collect();
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let statement = format!("{LISTED} WHERE id = $1");
        found.extend(db.one::<Listed>(sql(statement).bind(id)).await?);
    }
    Ok(found)
}

/// Notes the words that an account is found by. What is noted already stays.
pub async fn note_words(tx: &mut Tx, account: &Account) -> Result<(), Error> {
    let statement = "INSERT INTO account_words (word, account_id) VALUES ($1, $2) \
                     ON CONFLICT (word, account_id) DO NOTHING";
    for word in words(account) {
        tx.queue(sql(statement).bind(word).bind(account.id.to_string())).await?;
    }
    Ok(())
}

/// The folded words of an account's name and contact; of a mail address also what follows the `@`.
pub fn words(account: &Account) -> BTreeSet<String> {
    let texts = [Some(account.name.as_str()), account.contact.as_deref()];
    let folded: Vec<String> = texts.into_iter().flatten().map(fold).collect();
    let whole = folded.iter().flat_map(|text| text.split(' '));
    let hosts = whole.clone().filter_map(|word| word.split_once('@')).map(|(_, host)| host);
    let pieces = whole.clone().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    whole.clone().chain(hosts).chain(pieces).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
