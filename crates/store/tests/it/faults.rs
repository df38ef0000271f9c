//! What is lost, busy or full is said so, harms nothing, and is over when its cause is over.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use store::{Error, Location, Options, Store, Topic, sql};
use testdb::{Durability, Postgres};

use crate::engines::{Engine, counter, for_each_engine, increment, options};

/// Set in the child process that writes until it is killed: where it writes.
const CHILD: &str = "STORE_TEST_CHILD";

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_nothing_that_was_acknowledged() {
    if let Ok(location) = std::env::var(CHILD) {
        write_until_killed(&Location::parse(&location)).await;
    }
    for_each_engine(async |engine| {
        drop(engine.open().await);
        let acknowledged = kill_a_writing_child(&engine.location);
        let store = engine.open().await;
        let ids = sql("SELECT id FROM things ORDER BY id");
        let kept = store.read().await.unwrap().all::<String>(ids).await.unwrap();
        assert!(acknowledged.len() >= 300);
        for id in &acknowledged {
            assert!(kept.binary_search(id).is_ok(), "{id} was acknowledged and is lost");
        }
        if let Location::Sqlite(_) = engine.location {
            assert_integrity(&store).await;
        }
    })
    .await;
}

/// Eight tasks insert rows and name each one on the output once it is acknowledged.
async fn write_until_killed(location: &Location) {
    let store = Store::open(location, options(), jiff::Timestamp::UNIX_EPOCH).await.unwrap();
    let tasks = (0..8).map(async |task| {
        for number in 0..1_000_000 {
            let id = format!("{task}-{number}");
            insert(&store, id.clone(), String::new()).await.unwrap();
            // Written directly, because the test harness keeps what is printed to itself.
            let mut output = std::io::stdout();
            writeln!(output, "ack {id}").unwrap();
        }
    });
    join_all(tasks).await;
}

fn kill_a_writing_child(location: &Location) -> Vec<String> {
    let address = match location {
        Location::Sqlite(path) => path.display().to_string(),
        Location::Postgres(url) => url.clone(),
    };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "faults::a_killed_process_loses_nothing_that_was_acknowledged"])
        .env(CHILD, address)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged: Vec<String> = lines.by_ref().filter_map(acknowledgement).take(300).collect();
    child.kill().unwrap();
    acknowledged.extend(lines.filter_map(acknowledgement));
    child.wait().unwrap();
    acknowledged
}

fn acknowledgement(line: Result<String, std::io::Error>) -> Option<String> {
    line.unwrap().strip_prefix("ack ").map(str::to_owned)
}

async fn insert(store: &Store, id: String, note: String) -> Result<u64, Error> {
    store
        .write((id, note), |tx, (id, note)| {
            Box::pin(async move {
                tx.execute(sql("INSERT INTO things (id, note) VALUES ($1, $2)").bind(id).bind(note)).await
            })
        })
        .await
}

async fn assert_integrity(store: &Store) {
    let check = store.read().await.unwrap().one::<String>(sql("PRAGMA integrity_check")).await.unwrap();
    assert_eq!(check.as_deref(), Some("ok"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_postgres_is_unavailable_at_once_and_recovers_by_itself() {
    let cluster = Postgres::start(Durability::None);
    let database = cluster.only_database();
    let location = Location::parse(database.url());
    let store = Store::open(&location, options(), jiff::Timestamp::UNIX_EPOCH).await.unwrap();
    let mut jobs = store.subscribe(Topic::Jobs);
    increment(&store, "a").await.unwrap();
    store.ping().await.unwrap();

    cluster.stop();
    let stopped = Instant::now();
    for _ in 0..5 {
        assert!(matches!(increment(&store, "a").await, Err(Error::Unavailable(_))));
        assert!(matches!(store.ping().await, Err(Error::Unavailable(_))));
    }
    // Each of them would otherwise wait for seconds.
    assert!(stopped.elapsed() < Duration::from_secs(20), "{:?}", stopped.elapsed());
    while tokio::time::timeout(Duration::from_millis(100), jobs.next()).await.is_ok() {}

    cluster.restart();
    assert_eq!(increment(&store, "a").await.unwrap(), 2);
    store.ping().await.unwrap();
    // What was missed meanwhile is made good by one wake-up too many.
    tokio::time::timeout(Duration::from_secs(20), jobs.next()).await.unwrap();
}

/// Commits do not wait for the disk one by one, so this is where a missing flush would show.
#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_postgres_loses_nothing_that_was_acknowledged() {
    let cluster = Postgres::start(Durability::None);
    let database = cluster.only_database();
    let location = Location::parse(database.url());
    let store = Store::open(&location, options(), jiff::Timestamp::UNIX_EPOCH).await.unwrap();
    let writers = (0..8).map(|task| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0..1_000_000 {
                let id = format!("{task}-{number}");
                match insert(&store, id.clone(), String::new()).await {
                    Ok(_) => acknowledged.push(id),
                    Err(Error::Unavailable(_)) => break,
                    Err(other) => panic!("{other}"),
                }
            }
            acknowledged
        })
    });
    let writers: Vec<_> = writers.collect();
    tokio::time::sleep(Duration::from_millis(700)).await;
    tokio::task::block_in_place(|| {
        cluster.stop();
        cluster.restart();
    });
    let acknowledged = join_all(writers).await.into_iter().flat_map(Result::unwrap);
    let ids = sql("SELECT id FROM things ORDER BY id");
    let kept = store.read().await.unwrap().all::<String>(ids).await.unwrap();
    let lost: Vec<String> = acknowledged.filter(|id| kept.binary_search(id).is_err()).collect();
    assert!(kept.len() > 20, "{}", kept.len());
    assert!(lost.is_empty(), "{lost:?}");
}

/// Without the right to flush, each commit waits for the disk itself, and everything else stays the same.
#[tokio::test]
async fn a_server_that_does_not_let_us_flush_serves_as_well() {
    let cluster = Postgres::shared();
    let database = cluster.database();
    let role = format!("limited_{}", database.name());
    cluster.run(database.name(), &format!("CREATE ROLE {role} LOGIN"));
    cluster.run(database.name(), &format!("ALTER DATABASE {} OWNER TO {role}", database.name()));
    cluster.run(
        database.name(),
        "DO $$ DECLARE flush TEXT; BEGIN \
         FOR flush IN SELECT oid::regprocedure FROM pg_proc WHERE proname = 'pg_logical_emit_message' LOOP \
         EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || flush || ' FROM PUBLIC'; END LOOP; END $$",
    );
    let location = Location::parse(&database.url().replace("tickmark@", &format!("{role}@")));
    let store = Store::open(&location, options(), jiff::Timestamp::UNIX_EPOCH).await.unwrap();
    assert_eq!(increment(&store, "a").await.unwrap(), 1);
    let commit = sql("SELECT current_setting('synchronous_commit')");
    let commit = store.read().await.unwrap().one::<String>(commit).await.unwrap();
    assert_eq!(commit.as_deref(), Some("on"));
}

#[tokio::test]
async fn what_is_not_there_is_unavailable() {
    let nowhere = Location::parse("postgres://tickmark@%2Fnonexistent/none");
    let opened = Store::open(&nowhere, options(), jiff::Timestamp::UNIX_EPOCH).await;
    assert!(matches!(opened, Err(Error::Unavailable(_))));
    // It lets us connect, and then says nothing.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = mute.local_addr().unwrap().port();
    let mute_server = Location::parse(&format!("postgres://tickmark@127.0.0.1:{port}/none"));
    let impatient = Options { wait_max: Duration::from_millis(200), ..options() };
    let opened = Store::open(&mute_server, impatient, jiff::Timestamp::UNIX_EPOCH).await;
    assert!(matches!(opened, Err(Error::Unavailable(_))));
    let folder = tempfile::tempdir().unwrap();
    let nowhere = Location::Sqlite(folder.path().join("missing/test.db"));
    let opened = Store::open(&nowhere, options(), jiff::Timestamp::UNIX_EPOCH).await;
    assert!(matches!(opened, Err(Error::Unavailable(_))));
    let nonsense = Location::parse("postgres://tickmark@localhost:port/none");
    let opened = Store::open(&nonsense, options(), jiff::Timestamp::UNIX_EPOCH).await;
    assert!(matches!(opened, Err(Error::WrongUrl(_))));
}

/// Runs a setting on the writer's connection.
async fn set(store: &Store, pragma: &'static str) -> Result<u64, Error> {
    store.write((), move |tx, ()| Box::pin(tx.execute(sql(pragma)))).await
}

#[tokio::test]
async fn a_full_disk_is_unavailable_until_there_is_room() {
    let engine = Engine::sqlite();
    let store = engine.open().await;
    set(&store, "PRAGMA max_page_count = 60").await.unwrap();
    let mut kept = 0;
    let refused = loop {
        let group = (0..8).map(|number| insert(&store, format!("{kept}-{number}"), "x".repeat(5_000)));
        let outcomes = join_all(group).await;
        kept += outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        if let Some(refused) = outcomes.into_iter().find_map(Result::err) {
            break refused;
        }
    };
    assert!(matches!(refused, Error::Unavailable(_)), "{refused}");
    let count = || sql("SELECT COUNT(*) FROM things");
    let found = store.read().await.unwrap().one::<i64>(count()).await.unwrap();
    assert_eq!(found, Some(i64::try_from(kept).unwrap()), "what was acknowledged is there, and no more");

    set(&store, "PRAGMA max_page_count = 10000").await.unwrap();
    insert(&store, "afterwards".to_owned(), "x".repeat(5_000)).await.unwrap();
    assert_integrity(&store).await;
}

#[tokio::test]
async fn a_disk_that_cannot_be_written_is_unavailable() {
    let engine = Engine::sqlite();
    let store = engine.open().await;
    set(&store, "PRAGMA query_only = ON").await.unwrap();
    assert!(matches!(increment(&store, "a").await, Err(Error::Unavailable(_))));
    assert_eq!(counter(&store, "a").await, 0);
}

#[tokio::test]
async fn a_file_that_another_process_keeps_locked_is_unavailable() {
    let engine = Engine::sqlite();
    let wait_max = Duration::from_millis(50);
    let store = engine.open_with(Options { wait_max, ..options() }).await.unwrap();
    let Location::Sqlite(path) = &engine.location else { unreachable!() };
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting = (0..20).map(|_| increment(&store, "a"));
    for outcome in join_all(waiting).await {
        assert!(matches!(outcome, Err(Error::Unavailable(_))));
    }
    assert_eq!(counter(&store, "a").await, 0);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(increment(&store, "a").await.unwrap(), 1);
}

#[tokio::test]
async fn a_read_waits_for_a_connection_but_not_for_ever() {
    for_each_engine(async |engine| {
        // Long enough to connect on a machine that is busy.
        let narrow = Options { readers: 1, wait_max: Duration::from_secs(2), ..options() };
        let store = engine.open_with(narrow).await.unwrap();
        let held = store.read().await.unwrap();
        assert!(matches!(store.read().await, Err(Error::Unavailable(_))));
        let (waiting, ()) = tokio::join!(store.read(), async { drop(held) });
        waiting.unwrap();
    })
    .await;
}

/// The command line administers while a server is under load.
#[tokio::test(flavor = "multi_thread")]
async fn another_process_gets_its_turn_while_one_is_busy() {
    let engine = Engine::sqlite();
    let (busy, other) = (engine.open().await, engine.open().await);
    let load: Vec<_> = (0..32)
        .map(|_| {
            let busy = busy.clone();
            tokio::spawn(async move { while increment(&busy, "a").await.is_ok() {} })
        })
        .collect();
    for turn in 1..=10 {
        assert_eq!(increment(&other, "b").await.unwrap(), turn);
    }
    load.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn too_many_waiting_writes_are_refused_and_the_others_are_kept() {
    let engine = Engine::sqlite();
    let fsync_delay = Some(Duration::from_millis(5));
    let narrow = Options { queue_max: 4, batch_max: 1, fsync_delay, ..options() };
    let store = engine.open_with(narrow).await.unwrap();
    let outcomes = join_all((0..40).map(|_| increment(&store, "a"))).await;
    let kept = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!((4..40).contains(&kept), "{kept}");
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(Error::Unavailable(_)))));
    assert_eq!(counter(&store, "a").await, i64::try_from(kept).unwrap());
}

#[tokio::test]
async fn work_that_waits_on_the_writer_thread_fails_loudly() {
    let engine = Engine::sqlite();
    let store = engine.open().await;
    let waiting = store.write((), |_, ()| {
        Box::pin(async move {
            tokio::task::yield_now().await;
            Ok::<_, Error>(())
        })
    });
    assert!(std::panic::AssertUnwindSafe(waiting).catch_unwind().await.is_err());
    assert_eq!(increment(&store, "a").await.unwrap(), 1);
}
