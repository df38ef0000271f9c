//! Help, completions, the manual, and what is said about wrong settings and options.

use crate::process::{Place, told};

const COMMANDS: [&[&str]; 39] = [
    &[],
    &["dev"],
    &["serve"],
    &["account"],
    &["account", "create"],
    &["account", "list"],
    &["account", "show"],
    &["account", "update"],
    &["account", "suspend"],
    &["account", "resume"],
    &["key"],
    &["key", "issue"],
    &["key", "list"],
    &["key", "revoke"],
    &["credits"],
    &["credits", "top-up"],
    &["credits", "adjust"],
    &["credits", "revive"],
    &["credits", "show"],
    &["paper"],
    &["paper", "list"],
    &["paper", "audit"],
    &["paper", "show"],
    &["paper", "delete"],
    &["submission"],
    &["submission", "list"],
    &["submission", "show"],
    &["submission", "delete"],
    &["marks"],
    &["marks", "export"],
    &["marks", "confidence"],
    &["account", "usage"],
    &["subject"],
    &["backup"],
    &["restore"],
    &["migrate"],
    &["openapi"],
    &["config"],
    &["completions"],
];

#[test]
fn every_command_explains_itself() {
    let place = Place::sqlite();
    for command in COMMANDS {
        let arguments: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let help = place.text(&arguments);
        assert!(help.contains("Usage: tickmark"), "{command:?}: {help}");
        let has_commands =
            command.len() < 2 && !["migrate"].contains(&command.first().copied().unwrap_or(""));
        assert!(!has_commands || help.contains("Example"), "{command:?} shows no example: {help}");
    }
}

#[test]
fn completions_and_the_manual_know_the_commands() {
    let place = Place::sqlite();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.text(&["completions", shell]);
        assert!(
            script.contains("top-up")
                && script.contains("--trusted-proxy") | script.contains("trusted-proxy")
        );
    }
    let manual = place.text(&["man"]);
    assert!(manual.contains(".TH tickmark 1"), "{manual}");
    assert!(manual.contains("top\\-up") && manual.contains("trusted\\-proxy"), "{manual}");
}

#[test]
fn the_description_of_the_api_is_printed() {
    let document: serde_json::Value = serde_json::from_str(&Place::sqlite().text(&["openapi"])).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[test]
fn the_printed_defaults_are_a_settings_file() {
    let place = Place::sqlite();
    let path = place.folder.path().join("tickmark.toml");
    std::fs::write(&path, place.text(&["config", "default"])).unwrap();
    let checked = place.json(&["--config", path.to_str().unwrap(), "config", "check"]);
    let idle = checked.as_array().unwrap().iter().find(|one| one["name"] == "limits.idle_seconds").unwrap();
    assert_eq!((&idle["value"], &idle["origin"]), (&"75".into(), &path.to_str().unwrap().into()));
}

#[test]
fn wrong_settings_end_with_code_2_and_one_sentence() {
    let place = Place::sqlite();
    let missing = place.folder.path().join("missing.pem");
    let missing = missing.to_str().unwrap();
    for (arguments, expected) in [
        (
            &["serve"][..],
            "`tickmark serve` answers over HTTPS only: give it --tls-cert and --tls-key, or name the proxy",
        ),
        (
            &["serve", "--listen", "here"],
            "The setting listen (given as --listen) is \"here\", but must be an IP address",
        ),
        (&["serve", "--tls-cert", missing], "The setting tls_key must be given too when tls_cert is."),
        (
            &["serve", "--tls-cert", missing, "--tls-key", missing],
            "The settings tls_cert and tls_key do not work: ",
        ),
        (
            &["serve", "--trusted-proxy", "ten"],
            "The setting trusted_proxies (given as --trusted-proxy) is \"ten\", but",
        ),
        (
            &["serve", "--trusted-proxy", "10.0.0.0/8", "--public-url", "http://marking.example.org"],
            "The setting public_url is http://marking.example.org/, but this service is reached over https:// only",
        ),
        (
            &["serve", "--roles", "cook"],
            "The setting roles (given as --roles) is \"cook\", but must be a list of api or worker.",
        ),
        (&["--config", missing, "config", "check"], "The settings file "),
        (
            &["--database", "mysql://x", "account", "list"],
            "The setting database (given as --database) is \"mysql://x\", but must be ",
        ),
    ] {
        let (code, sentence) = place.failure(arguments);
        assert_eq!(code, 2, "{arguments:?}: {sentence}");
        assert!(sentence.starts_with(expected), "{arguments:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
    let output = place.command(&["config", "check"]).env("TICKMARK_LISTN", "x").output().unwrap();
    let expected = "There is no setting listn (given as TICKMARK_LISTN); did you mean listen?";
    assert_eq!(told(&output), (2, expected.to_owned()));
}

#[test]
fn what_cannot_be_done_ends_with_code_1() {
    let place = Place::sqlite();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, sentence) = place.failure(&["dev", "--listen", &address]);
    assert_eq!(code, 1);
    assert!(
        sentence.starts_with(&format!("The address {address} of the setting listen cannot be ")),
        "{sentence}"
    );

    let (code, sentence) =
        place.failure(&["--database", "postgres://nobody@127.0.0.1:1/none", "account", "list"]);
    assert_eq!(code, 1);
    assert!(
        sentence.starts_with("The database postgres://nobody@127.0.0.1:1/none cannot be used: "),
        "{sentence}"
    );
}
