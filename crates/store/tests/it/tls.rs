//! TLS to PostgreSQL: asked for by the URL, and never without checking whom we talk to.

use jiff::Timestamp;
use store::{Error, Location, Store, sql};
use testdb::Postgres;

use crate::engines::{increment, options};

async fn open(url: &str) -> Result<Store, Error> {
    Store::open(&Location::parse(url), options(), Timestamp::UNIX_EPOCH).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_encrypted_and_the_server_is_checked() {
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let cluster = Postgres::start_with_tls(&signed.cert.pem(), &signed.signing_key.serialize_pem());
    let url = cluster.tls_url(&cluster.only_database());
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, signed.cert.pem()).unwrap();
    let authority = authority.display();

    let store = open(&format!("{url}?sslmode=verify-full&sslrootcert={authority}")).await.unwrap();
    increment(&store, "a").await.unwrap();
    let encrypted = sql("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    assert_eq!(store.read().await.unwrap().one::<bool>(encrypted).await.unwrap(), Some(true));

    // The system does not know this authority, and the certificate is not for this name.
    assert!(open(&format!("{url}?sslmode=require")).await.is_err());
    let other_name = url.replace("localhost", "127.0.0.1");
    assert!(open(&format!("{other_name}?sslmode=require&sslrootcert={authority}")).await.is_err());
    assert!(matches!(open(&format!("{url}?sslmode=verify")).await, Err(Error::WrongUrl(_))));
    assert!(matches!(
        open(&format!("{url}?sslmode=require&sslrootcert=/nonexistent")).await,
        Err(Error::WrongUrl(_))
    ));
    open(&format!("{url}?sslmode=disable")).await.unwrap();
}
