//! A private, empty database on either engine.

use std::path::Path;
use store::Location;
use testdb::Postgres;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A database of its own in this process's private cluster.
    Postgres,
}

/// A database that is gone when this is dropped.
#[derive(Debug)]
pub enum Database {
    /// The folder that holds it.
    Sqlite(tempfile::TempDir),
    /// The cluster's database.
    Postgres(testdb::Database),
}

impl Database {
    /// An empty database.
    pub fn new(engine: Engine) -> Database {
        match engine {
            Engine::Sqlite => Database::Sqlite(tempfile::tempdir().expect("a temporary folder can be made")),
            Engine::Postgres => Database::Postgres(Postgres::shared().database()),
        }
    }

    /// Where it is, for `Store::open`.
    pub fn location(&self) -> Location {
        match self {
            Database::Sqlite(folder) => Location::Sqlite(folder.path().join("tickmark.db")),
            Database::Postgres(database) => Location::Postgres(database.url().to_owned()),
        }
    }
}

/// The places that hold a word: files by their bytes, and on PostgreSQL the columns of all tables.
pub(crate) async fn places_of(database: &Database, folder: &Path, word: &str) -> Vec<String> {
    let mut places = Vec::new();
    files_with(folder, word, &mut places);
    match database {
        Database::Sqlite(folder) => files_with(folder.path(), word, &mut places),
        Database::Postgres(database) => places.extend(columns_with(database.url(), word).await),
    }
    places
}

fn files_with(folder: &Path, word: &str, places: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files_with(&path, word, places);
        } else {
            let bytes = std::fs::read(&path).expect("the file can be read");
            if bytes.windows(word.len()).any(|window| window == word.as_bytes()) {
                places.push(path.display().to_string());
            }
        }
    }
}

async fn columns_with(url: &str, word: &str) -> Vec<String> {
    let (client, connection) =
        tokio_postgres::connect(url, tokio_postgres::NoTls).await.expect("the database answers");
    tokio::spawn(connection);
    let columns = "SELECT table_name, column_name FROM information_schema.columns \
                   WHERE table_schema = 'public' AND data_type = 'text'";
    let mut places = Vec::new();
    for row in client.query(columns, &[]).await.expect("the columns are known") {
        let (table, column): (String, String) = (row.get(0), row.get(1));
        let search = format!("SELECT 1 FROM {table} WHERE {column} LIKE $1 LIMIT 1");
        let found = client.query(&search, &[&format!("%{word}%")]).await.expect("the table can be searched");
        places.extend(found.first().map(|_| format!("{table}.{column}")));
    }
    places
}
