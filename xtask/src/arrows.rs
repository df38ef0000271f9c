//! The arrows between our crates: `docs/architecture.md` draws them, this refuses any other.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// Who may use whom. A crate that is not named here may use nobody.
const ALLOWED: [(&str, &[&str]); 16] = [
    ("domain", &[]),
    ("lexicon", &["domain"]),
    ("larger_judge", &[]),
    ("store", &["domain"]),
    ("reader", &[]),
    ("signs", &["lexicon", "domain"]),
    ("exam", &["reader", "signs", "lexicon", "domain"]),
    ("marker", &["signs", "lexicon", "domain"]),
    ("report", &["domain"]),
    ("service", &["store", "marker", "exam", "reader", "report", "domain"]),
    ("api", &["service", "domain"]),
    // The server wires everything together: it opens the store and names the engine.
    ("server", &["api", "service", "store", "larger_judge", "marker", "exam", "reader", "domain"]),
    // Only tests see these two.
    ("testdb", &["store", "domain"]),
    ("testkit", &["server", "api", "service", "store", "domain", "testdb", "reader", "marker", "exam"]),
    (
        "bench",
        &[
            "server", "api", "service", "store", "report", "domain", "testdb", "reader", "marker", "exam",
            "testkit",
        ],
    ),
    ("xtask", &["api"]),
];

/// What any crate's tests may use besides.
const FOR_TESTS: [&str; 2] = ["testkit", "testdb"];

/// What one crate's tests may use besides: the marker marks by keys as `exam` understands them, and scripts as `reader`
/// reads photographs of them.
const FOR_TESTS_OF: [(&str, &str); 2] = [("marker", "exam"), ("marker", "reader")];

/// Libraries that would bring a database, an HTTP server or a runtime where none belongs.
const FORBIDDEN: [(&str, &[&str]); 5] = [
    ("domain", &["tokio", "axum", "hyper", "rusqlite", "tokio-postgres", "sqlx"]),
    ("reader", &["axum", "hyper", "rusqlite", "tokio-postgres", "sqlx"]),
    ("exam", &["axum", "hyper", "rusqlite", "tokio-postgres", "sqlx"]),
    ("marker", &["axum", "rusqlite", "tokio-postgres", "sqlx"]),
    ("report", &["tokio", "axum", "hyper", "rusqlite", "tokio-postgres", "sqlx"]),
];

/// Fails with every arrow that is not allowed.
pub(crate) fn check() -> Result<()> {
    let output = Command::new(env!("CARGO")).args(["metadata", "--format-version=1", "--no-deps"]).output();
    let output = output.context("cargo metadata cannot be run")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;

    let wrong = wrong_arrows(packages);
    if !wrong.is_empty() {
        bail!("these dependencies are not allowed (see docs/architecture.md):\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

fn wrong_arrows(packages: &[Value]) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    let forbidden: BTreeMap<&str, &[&str]> = FORBIDDEN.into_iter().collect();
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut wrong = Vec::new();
    for package in packages {
        let from = package["name"].as_str().unwrap_or_default();
        let allowed = allowed.get(from).copied().unwrap_or_default();
        let forbidden = forbidden.get(from).copied().unwrap_or_default();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let is_for_tests = dependency["kind"] == "dev";
            let is_fine = if ours.contains(&to) {
                allowed.contains(&to) || is_for_tests && (is_for_tests_of(to, from) || lies_below(to, from))
            } else {
                is_for_tests || !forbidden.contains(&to)
            };
            if !is_fine {
                wrong.push(format!("{from} -> {to}"));
            }
        }
    }
    wrong
}

fn is_for_tests_of(used: &str, user: &str) -> bool {
    FOR_TESTS.contains(&used) || FOR_TESTS_OF.contains(&(user, used))
}

/// True when the arrows lead from `upper` down to `lower`: a test may look at what its crate stands on.
fn lies_below(lower: &str, upper: &str) -> bool {
    let below = ALLOWED.iter().find(|(name, _)| *name == upper).map_or(&[][..], |(_, below)| below);
    below.iter().any(|name| *name == lower || lies_below(lower, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
        let dependencies: Vec<Value> =
            dependencies.iter().map(|(name, kind)| json!({"name": name, "kind": kind})).collect();
        json!({"name": name, "dependencies": dependencies})
    }

    #[test]
    fn an_arrow_against_the_stream_is_refused() {
        let packages = [package("domain", &[("store", None)]), package("store", &[("domain", None)])];
        assert_eq!(wrong_arrows(&packages), ["domain -> store"]);
    }

    #[test]
    fn tests_may_use_the_test_crates_and_nothing_else_may() {
        let packages = [
            package("api", &[("testkit", Some("dev"))]),
            package("service", &[("testkit", None)]),
            package("testkit", &[]),
        ];
        assert_eq!(wrong_arrows(&packages), ["service -> testkit"]);
    }

    #[test]
    fn tests_may_look_down_but_not_up() {
        let down = [package("api", &[("store", Some("dev"))]), package("store", &[])];
        assert!(wrong_arrows(&down).is_empty());
        let up = [package("store", &[("api", Some("dev"))]), package("api", &[])];
        assert_eq!(wrong_arrows(&up), ["store -> api"]);
    }

    #[test]
    fn the_domain_has_no_runtime() {
        let packages = [package("domain", &[("tokio", None), ("serde", None)])];
        assert_eq!(wrong_arrows(&packages), ["domain -> tokio"]);
    }

    #[test]
    fn a_crate_that_nobody_drew_may_use_none_of_ours() {
        let packages = [package("stranger", &[("domain", None)]), package("domain", &[])];
        assert_eq!(wrong_arrows(&packages), ["stranger -> domain"]);
    }

    #[test]
    fn the_workspace_keeps_to_its_arrows() {
        check().unwrap();
    }
}
