//! A file of the largest size: uploaded to the server, against its bytes copied from a socket to a file.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use anyhow::ensure;
use bytes::Bytes;
use domain::file::BYTES_MAX;
use store::{Location, Store, sql};

use super::load;
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup;
use crate::cpu;
use crate::table::{Row, Target};

/// Uploads of one round, and rounds; the cheapest counts, after one that warms up.
const UPLOADS: u32 = 4;
const ROUNDS: usize = 3;
/// How much the bare copy takes from the socket at once.
const PIECE: usize = 64 << 10;
/// How much more memory than before the server may have had: its buffers, and none of the files.
const GROWTH_MB_MAX: f64 = 16.0;

pub(crate) async fn measure() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("uploads.db").display().to_string();
    let store = setup::open(&Location::parse(&place)).await?;
    let customer = setup::customers(&store, 1).await?.remove(0);
    let server = Process::start(&Arguments::new(Kind::Api, &*place, customer.account)).await?;
    let copier = Process::start(&Arguments::new(Kind::Copy, &*place, customer.account)).await?;
    let document = Bytes::from(document(usize::try_from(BYTES_MAX)?));
    let upload = async |document: &Bytes| {
        load::upload(server.address(), &customer.key, "question_paper", document.clone()).await
    };
    upload(&document).await?;
    let before = cpu::most_memory_mb(server.id())?;
    let (mut uploaded, mut copied) = (Duration::MAX, Duration::MAX);
    for round in 0..=ROUNDS {
        let spent = server.cpu().await?;
        for _ in 0..UPLOADS {
            upload(&document).await?;
        }
        let spent = server.cpu().await?.saturating_sub(spent) / UPLOADS;
        let bare = copier.cpu().await?;
        for _ in 0..UPLOADS {
            let (address, document) = (copier.address(), document.clone());
            tokio::task::spawn_blocking(move || copy(address, &document)).await??;
        }
        let bare = copier.cpu().await?.saturating_sub(bare) / UPLOADS;
        if round > 0 {
            (uploaded, copied) = (uploaded.min(spent), copied.min(bare));
        }
    }
    ensure_looked_at(&store).await?;
    let growth = cpu::most_memory_mb(server.id())? - before;
    let millis = |time: Duration| format!("{:.0} ms CPU", time.as_secs_f64() * 1e3);
    Ok(vec![
        Row {
            what: "upload of 100 MiB, looked at: a copy from a socket to a file, synced".to_owned(),
            measured: millis(uploaded),
            baseline: millis(copied),
            value: uploaded.as_secs_f64() / copied.as_secs_f64(),
            target: Some(Target::AtMost(2.0)),
            note: String::new(),
        },
        Row {
            what: format!(
                "memory that {} such uploads add to the first one's",
                UPLOADS * (ROUNDS as u32 + 1)
            ),
            measured: format!("{growth:.1} MB"),
            baseline: String::new(),
            value: growth,
            target: Some(Target::AtMost(GROWTH_MB_MAX)),
            note: format!("the most that the server ever had: {:.0} MB", before + growth),
        },
    ])
}

/// A PDF of one empty page with something large beside it, of this size.
fn document(size: usize) -> Vec<u8> {
    let of = |length: usize| {
        testkit::pdf::of_objects(&[
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>".to_owned(),
            format!("<< /Length {length} >>\nstream\n{}\nendstream", "Beside. ".repeat(length / 8)),
        ])
    };
    // What is not the large thing; its length is written with as many digits in both.
    let length = size / 8 * 8;
    let mut bytes = of((2 * length - of(length).len()) / 8 * 8);
    bytes.resize(size, b'\n');
    bytes
}

async fn ensure_looked_at(store: &Store) -> anyhow::Result<()> {
    let statement = "SELECT COUNT(*) FROM files WHERE pages IS NULL OR pages <> 1";
    let count = store.read().await?.one::<i64>(sql(statement)).await?;
    ensure!(count == Some(0), "not every file was looked at and has one page: {count:?}");
    Ok(())
}

/// Sends the bytes to the bare copier and waits until they are safe.
fn copy(address: SocketAddr, document: &[u8]) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(document)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    ensure!(stream.read(&mut [0; 2])? == 2, "the copier says that it is done");
    Ok(())
}

/// The bare copier: from each connection to a file that is synced, until the process ends.
pub(crate) fn copy_all(listener: &TcpListener) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut piece = vec![0; PIECE];
    for (number, stream) in listener.incoming().enumerate() {
        let mut stream = stream?;
        let path = folder.path().join(number.to_string());
        let mut file = std::fs::File::create(&path)?;
        loop {
            match stream.read(&mut piece)? {
                0 => break,
                length => file.write_all(&piece[..length])?,
            }
        }
        file.sync_all()?;
        stream.write_all(b"ok")?;
        std::fs::remove_file(path)?;
    }
    Ok(())
}
