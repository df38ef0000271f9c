//! The greeting of development mode: where the server is, and on the first start an account with its keys.

use std::net::SocketAddr;

use crate::cli::output;
use crate::failure::Failure;
use domain::mode::Mode;
use serde_json::json;
use service::Service;
use service::keys::NewKey;

/// Says where the server is; on the first start also makes an account, and shows its keys this once.
pub(crate) async fn greet(service: &Service, address: SocketAddr, is_json: bool) -> Result<(), Failure> {
    let url = format!("http://{address}");
    let is_first = service.accounts_after(None, 1).await?.is_empty();
    if !is_first {
        let greeting = format!(
            "Tickmark is ready on {url} (development mode).\n\
             The keys were shown at the first start; `tickmark key issue` makes more.\n"
        );
        return Ok(if is_json { output::document(&json!({"url": url})) } else { output::text(&greeting) }?);
    }
    let account = service.create_account("Development".to_owned(), None).await?;
    let (_, test) = service.issue_key(account.id, Mode::Test, NewKey::default()).await?;
    let (_, live) = service.issue_key(account.id, Mode::Live, NewKey::default()).await?;
    let (id, test, live) = (account.id, test.reveal(), live.reveal());
    if is_json {
        let greeting = json!({"url": url, "account_id": id, "test_key": test, "live_key": live});
        return Ok(output::document(&greeting)?);
    }
    Ok(output::text(&format!(
        "Tickmark is ready on {url} (development mode).\n\n\
         Account   {id}\n\
         Test key  {test}\n\
         Live key  {live}\n\n\
         The keys are shown only now. Try them:\n\n  \
         curl {url}/v1/account -H 'Authorization: Bearer {test}'\n  \
         curl {url}/v1/subjects -H 'Authorization: Bearer {test}'\n  \
         curl {url}/dev/clock --json '{{\"advance_seconds\": 3600}}'\n\n\
         The live balance is empty: tickmark credits top-up --account {id} --amount 1000\n"
    ))?)
}
