//! A read with all its checks, against bare handlers.

use store::Location;

use super::cost::Cost;
use super::load::{self, Load};
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup;
use crate::table::{Row, Target};
use anyhow::ensure;

const PATH: &str = "/v1/account";

pub(crate) async fn measure() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bench.db");
    let store = setup::open(&Location::Sqlite(path.clone())).await?;
    let customer = setup::customers(&store, 1).await?.remove(0);
    drop(store);

    let mut servers = Vec::new();
    for kind in [Kind::Real, Kind::Bare, Kind::BareWithRead] {
        let arguments = Arguments::new(kind, path.display().to_string(), customer.account);
        servers.push(Process::start(&arguments).await?);
    }
    let mut bodies = Vec::new();
    for server in &servers {
        bodies.push(load::once(server.address(), load::get(PATH, &customer.key)).await?);
    }
    ensure!(bodies.iter().all(|body| *body == bodies[0]), "the servers do not answer with the same bytes");

    let mut rows = Vec::new();
    for connections in [1, 64] {
        let load = Load::get(connections, PATH, &customer.key);
        let round = async |server: usize| Cost::measure(&servers[server], &load).await;
        let [real, bare, bare_with_read] = Cost::in_turns(round).await?;
        let what = format!("GET {PATH}, {connections} connections");
        rows.push(real.against(bare, format!("{what}: a bare handler"), None));
        let target = Some(Target::AtMost(2.0));
        rows.push(real.against(bare_with_read, format!("{what}: a bare handler with the read"), target));
    }
    Ok(rows)
}
