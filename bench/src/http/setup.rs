//! What a server under test needs before it starts: a database with accounts, keys and credits.

use std::path::Path;
use std::sync::Arc;

use domain::clock::{Clock as _, SystemClock};
use domain::credit::Credits;
use domain::id::AccountId;
use domain::mode::Mode;
use domain::web_url::Reach;
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use server::random::SystemRandom;
use service::accounts::AccountChanges;
use service::blobs::{Blobs, Disk};
use service::credits::OperatorMovement;
use service::engine::Engine;
use service::keys::NewKey;
use service::mail::Outbox;
use service::outbound::Outbound;
use service::room::Room;
use service::seal::Sealer;
use service::{Parts, Service};
use store::{Location, Options, Store};

/// More than any run can ask for or spend.
const REQUESTS_A_MINUTE: u32 = 2_000_000_000;
const CREDITS: Credits = Credits(1_000_000_000);

/// An account that may do as much as it likes, with its live key.
#[derive(Clone, Debug)]
pub(crate) struct Customer {
    pub(crate) account: AccountId,
    pub(crate) key: String,
}

pub(crate) async fn open(location: &Location) -> anyhow::Result<Store> {
    Ok(Store::open(location, Options::default(), SystemClock::default().now()).await?)
}

/// The use cases on a database, for what sends no mail and has no files.
pub(crate) fn service(store: &Store, reach: Reach, folder: &Path) -> anyhow::Result<Service> {
    Ok(Service::new(Parts {
        store: store.clone(),
        clock: Arc::new(SystemClock::default()),
        random: Arc::new(SystemRandom::default()),
        wire: api::wire(),
        mailer: Arc::new(Outbox::new(folder.to_owned())),
        outbound: Outbound::new(reach),
        blobs: Blobs::Disk(Disk::open(folder.join("blobs"))?),
        reader: Isolation::in_process(Limits::default(), Weights::default()),
        engine: Engine::new(Arc::new(|| Err("nothing is marked here".into()))),
        base_url: String::new(),
        sealer: Sealer::new(&[0; 32]),
        room: Room::default(),
    }))
}

/// Makes so many customers in a database.
pub(crate) async fn customers(store: &Store, count: usize) -> anyhow::Result<Vec<Customer>> {
    let folder = tempfile::tempdir()?;
    let service = service(store, Reach::Public, folder.path())?;
    let mut customers = Vec::new();
    for number in 0..count {
        let contact = Some("it@northfield.example".to_owned());
        let account = service.create_account(format!("Northfield {number}"), contact).await?.id;
        let changes =
            AccountChanges { rate_limit_live: Some(REQUESTS_A_MINUTE), ..AccountChanges::default() };
        service.update_account(account, changes).await?;
        let top_up = OperatorMovement::TopUp { amount: CREDITS, valid_until: None, reference: None };
        service.move_credits((account, Mode::Live), top_up).await?;
        let (_, key) = service.issue_key(account, Mode::Live, NewKey::default()).await?;
        customers.push(Customer { account, key: key.reveal().to_owned() });
    }
    Ok(customers)
}
