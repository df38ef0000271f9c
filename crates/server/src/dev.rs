//! The greeting of development mode: where the server is, and on the first start an account with its keys.

use std::net::SocketAddr;
use std::path::Path;

use crate::cli::output;
use crate::config::Settings;
use crate::failure::Failure;
use domain::mode::Mode;
use serde_json::json;
use service::Service;
use service::keys::NewKey;

/// The data folder, unless the settings say otherwise.
const DEFAULT_DATA: &str = "./tickmark-data";

/// Says where the server is; on the first start also makes an account, and shows its keys this once.
pub(crate) async fn greet(
    service: &Service,
    settings: &Settings,
    address: SocketAddr,
    is_json: bool,
) -> Result<(), Failure> {
    let url = format!("http://{address}");
    let tickmark = command(settings);
    service.mark_development().await?;
    if let Some(account) = service.accounts_after(None, 1).await?.first() {
        let greeting = format!(
            "Tickmark is ready on {url} (development mode).\n\n\
             The keys were shown at the first start. For another:\n\n  \
             {tickmark} key issue --account {id} --mode test\n",
            id = account.id
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
         The live balance is empty. In another terminal:\n\n  \
         {tickmark} credits top-up --account {id} --amount 1000\n"
    ))?)
}

/// How this program is called from the same folder, for the same data. Whoever runs it with `cargo run` has no
/// `tickmark` in the search path.
fn command(settings: &Settings) -> String {
    let called = std::env::args().next().filter(|name| name.contains('/'));
    let mut command = quoted(called.as_deref().unwrap_or("tickmark"));
    if settings.data != Path::new(DEFAULT_DATA) {
        command.push_str(&format!(" --data {}", quoted(&settings.data.to_string_lossy())));
    }
    command
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
