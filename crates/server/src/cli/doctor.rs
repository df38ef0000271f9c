//! `tickmark doctor`: looks at a set-up, says what is wrong and how to mend it.

use super::server::Serve;
use super::{Global, load};
use crate::doctor::{self, Finding, Status};
use crate::failure::Failure;
use serde_json::json;

pub(super) async fn run(serve: Serve, global: &Global) -> Result<(), Failure> {
    let findings = match load(serve.options(global)) {
        Ok(settings) => doctor::examine(&settings).await,
        Err(failure) => vec![doctor::unreadable(failure.sentence)],
    };
    let bad = findings.iter().filter(|finding| finding.status == Status::Bad).count();
    if global.json {
        super::output::document(&json!({"healthy": bad == 0, "checks": findings}))?;
    } else {
        super::output::text(&findings.iter().map(line).collect::<String>())?;
    }
    match bad {
        0 => Ok(()),
        1 => Err(Failure::new("One check found something that does not work.")),
        _ => Err(Failure::new(format!("{bad} checks found something that does not work."))),
    }
}

fn line(finding: &Finding) -> String {
    let status = match finding.status {
        Status::Ok => "ok  ",
        Status::Warn => "warn",
        Status::Bad => "BAD ",
    };
    let remedy = finding.remedy.as_ref().map_or_else(String::new, |remedy| format!("{:22}-> {remedy}\n", ""));
    format!("{status}  {:14}  {}\n{remedy}", finding.check, finding.message)
}
