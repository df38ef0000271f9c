//! What is wrong with a set-up, and how to mend it. Every check looks and changes nothing.

mod certificate;
mod machine;
mod network;
mod store;

use crate::config::Settings;
use api::console::Level;
use serde::Serialize;
use std::sync::Arc;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// As it should be.
    Ok,
    /// It works, but not as well or not for long.
    Warn,
    /// It does not work.
    Bad,
}

/// What one check found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) check: &'static str,
    pub(crate) status: Status,
    /// What is so.
    pub(crate) message: String,
    /// How to mend it; null when there is nothing to mend.
    pub(crate) remedy: Option<String>,
}

/// As the console shows it.
impl From<Finding> for api::console::Finding {
    fn from(finding: Finding) -> api::console::Finding {
        let level = match finding.status {
            Status::Ok => Level::Ok,
            Status::Warn => Level::Warn,
            Status::Bad => Level::Bad,
        };
        let Finding { check, message, remedy, .. } = finding;
        api::console::Finding { check: check.to_owned(), level, message, remedy }
    }
}

impl Finding {
    fn ok(check: &'static str, message: impl Into<String>) -> Finding {
        Finding { check, status: Status::Ok, message: message.into(), remedy: None }
    }

    fn warn(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { check, status: Status::Warn, message: message.into(), remedy: Some(remedy.into()) }
    }

    fn bad(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { check, status: Status::Bad, message: message.into(), remedy: Some(remedy.into()) }
    }
}

/// The settings cannot be read, so nothing else can be looked at.
pub(crate) fn unreadable(sentence: String) -> Finding {
    Finding::bad("settings", sentence, "correct the setting; `tickmark config default` prints them all")
}

/// Looks at everything.
pub(crate) async fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![given(settings)];
    findings.extend(certificate::check(settings));
    findings.extend(network::addresses(settings).await);
    findings.extend(network::restarts(settings));
    findings.push(machine::data_folder(settings));
    findings.push(machine::free_space(settings));
    findings.push(store::database(settings).await);
    findings.push(store::master_key(settings));
    findings.push(network::object_store(settings).await);
    findings.push(network::mail(settings).await);
    findings.push(network::engine(settings).await);
    findings.extend(machine::models());
    findings.extend(machine::larger_judge(settings));
    findings.push(machine::confinement(settings));
    findings.push(machine::open_files(settings));
    findings
}

/// The same for the console: loading the models takes a while, and must not hold up what else the process does.
pub(crate) async fn examine_aside(settings: Arc<Settings>) -> Vec<api::console::Finding> {
    let here = tokio::runtime::Handle::current();
    let found = tokio::task::spawn_blocking(move || here.block_on(examine(&settings))).await;
    let found = found.unwrap_or_else(|error| {
        vec![Finding::bad("checks", error.to_string(), "run `tickmark doctor` on the server")]
    });
    found.into_iter().map(Into::into).collect()
}

fn given(settings: &Settings) -> Finding {
    let set = settings.in_force.iter().filter(|setting| setting.value.is_some());
    let given = set.clone().filter(|setting| !setting.origin.contains("default")).count();
    let message = format!("{} settings are in force, {given} of them given", set.count());
    let is_reachable = settings.tls.is_some() || !settings.trusted_proxies.is_empty();
    if is_reachable {
        return Finding::ok("settings", message);
    }
    Finding::warn(
        "settings",
        format!(
            "{message}; there is neither a certificate nor a trusted proxy, so only `tickmark dev` would start"
        ),
        "give tls_cert and tls_key, or name the proxy's network in trusted_proxies",
    )
}
