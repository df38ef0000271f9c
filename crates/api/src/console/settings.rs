//! The settings in force and what `doctor` finds. The checks take a while, so they run when somebody asks for them.

use super::Console;
use super::html::{Html, html, moment, name_or_dash};
use super::layout::{page as framed, section, status, table};
use super::problem::{Problem, redirect};
use super::session::{Sent, Signed};
use axum::extract::State;
use axum::response::{Html as Page, Response};
use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The checks run at most this often.
const CHECKED_EVERY: SignedDuration = SignedDuration::from_secs(30);

/// How the process was set up, as the one who did it tells.
pub struct SetUp {
    /// The program's version.
    pub version: &'static str,
    /// Every setting.
    pub settings: Vec<Setting>,
    /// Looks at the set-up, as `tickmark doctor` does.
    pub examine: Box<dyn Fn() -> BoxFuture<'static, Vec<Finding>> + Send + Sync>,
}

impl fmt::Debug for SetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetUp").field("settings", &self.settings.len()).finish_non_exhaustive()
    }
}

/// A setting as it may be shown.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its dotted name.
    pub name: String,
    /// Its value, secrets hidden; none when it is not set.
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: String,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// As it should be.
    Ok,
    /// It works, but not as well or not for long.
    Warn,
    /// It does not work.
    Bad,
}

/// What one check found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which check.
    pub check: String,
    /// How it came out.
    pub level: Level,
    /// What is so.
    pub message: String,
    /// How to mend it.
    pub remedy: Option<String>,
}

/// The checks as they came out last.
#[derive(Clone, Debug)]
struct Checked {
    at: Timestamp,
    found: Vec<Finding>,
}

/// What is known of them. Only one runs them at a time.
#[derive(Debug, Default)]
pub(super) struct Findings {
    last: Mutex<Option<Checked>>,
    running: tokio::sync::Mutex<()>,
}

impl Findings {
    fn last(&self) -> Option<Checked> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The page.
pub(super) async fn page(State(console): State<Console>, signed: Signed) -> Page<String> {
    let row = |setting: &Setting| {
        vec![
            html!("<code>{}</code>", setting.name.as_str()),
            name_or_dash(setting.value.as_deref()),
            html!("{}", setting.origin.as_str()),
        ]
    };
    let rows = console.set_up.settings.iter().map(row).collect();
    let checks = match console.findings.last() {
        Some(checked) => html!("<p>As of {}:</p>{}", moment(checked.at), findings(&checked.found)),
        None => html!("<p class=\"muted\">They were not run since this process was started.</p>"),
    };
    let body = html!(
        "<p>Tickmark {}</p>{}{}",
        console.set_up.version,
        section(
            "Checks",
            &html!(
                "{}<form method=\"post\" action=\"/settings/check\">{}<button class=\"button\">Run the checks</button>\
                 </form>",
                checks,
                signed.seal()
            )
        ),
        section(
            "Settings in force",
            &table("Settings in force", &["setting", "value", "from"], rows, "There are none.")
        )
    );
    framed(&signed, "/settings", "Settings", &body)
}

/// Runs the checks, unless somebody else just did.
pub(super) async fn check(State(console): State<Console>, Sent(_, _): Sent) -> Result<Response, Problem> {
    let findings = &console.findings;
    let now = console.service.now();
    let is_fresh = findings.last().is_some_and(|last| now < last.at + CHECKED_EVERY);
    if let Ok(_turn) = findings.running.try_lock()
        && !is_fresh
    {
        let found = (console.set_up.examine)().await;
        let checked = Checked { at: now, found };
        *findings.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked);
    }
    Ok(redirect("/settings"))
}

fn findings(found: &[Finding]) -> Html {
    let row = |finding: &Finding| {
        let level = match finding.level {
            Level::Ok => status("ok", true),
            Level::Warn => status("warning", false),
            Level::Bad => status("bad", false),
        };
        vec![
            html!("{}", finding.check.as_str()),
            level,
            html!("{}", finding.message.as_str()),
            name_or_dash(finding.remedy.as_deref()),
        ]
    };
    table(
        "Checks",
        &["check", "outcome", "what is so", "what helps"],
        found.iter().map(row).collect(),
        "There are none.",
    )
}
