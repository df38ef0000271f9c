//! `tickmark doctor`: what it says of set-ups that are sound, doubtful and broken; and the files in `deploy/`.

use crate::client::Pair;
use crate::listener::write_pair;
use crate::process::Place;
use serde_json::Value;
use std::fs::Permissions;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// The exit code and the findings.
fn examined(mut command: Command) -> (i32, Value) {
    let output = command.output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

/// The status of a check, the worst of several, and all that was said.
fn check(document: &Value, name: &str) -> (String, String) {
    let own: Vec<&Value> =
        document["checks"].as_array().unwrap().iter().filter(|check| check["check"] == name).collect();
    assert!(!own.is_empty(), "{name} is missing: {document}");
    let statuses = ["bad", "warn", "ok"];
    let worst =
        statuses.into_iter().find(|status| own.iter().any(|check| check["status"] == *status)).unwrap();
    (worst.to_owned(), own.iter().map(ToString::to_string).collect())
}

fn doctor(place: &Place, settings: &[(&str, &str)]) -> (i32, Value) {
    let mut command = place.command(&["--json", "doctor"]);
    command.envs(settings.iter().copied());
    examined(command)
}

#[test]
fn a_sound_set_up_is_healthy_on_both_engines() {
    for place in Place::both() {
        place.account();
        let (code, document) = doctor(&place, &[("TICKMARK_TRUSTED_PROXIES", "10.0.0.0/8")]);
        assert_eq!((code, &document["healthy"]), (0, &Value::from(true)), "{document}");
        for name in ["settings", "database", "data folder", "reading model", "marking model", "engine"] {
            assert_eq!(check(&document, name).0, "ok", "{document}");
        }
    }
}

#[test]
fn it_looks_at_what_serve_would_be_told() {
    let place = Place::sqlite();
    let given = ["--json", "doctor", "--trusted-proxy", "10.0.0.0/8", "--listen", "127.0.0.1:0"];
    let (code, document) = examined(place.command(&given));
    assert_eq!(code, 0, "{document}");
    assert_eq!(check(&document, "settings").0, "ok", "{document}");
    assert_eq!(check(&document, "confinement").0, "ok", "{document}");
}

#[test]
fn before_the_first_start_nothing_is_made() {
    let place = Place::sqlite();
    let (code, document) = doctor(&place, &[]);
    assert_eq!(code, 0, "{document}");
    assert_eq!(check(&document, "settings").0, "warn", "serve would not start");
    assert!(check(&document, "database").1.contains("made at the first start"));
    assert!(!place.folder.path().join("data").exists(), "doctor changes nothing");
}

#[test]
fn wrong_settings_are_the_first_thing_to_mend() {
    let (code, document) = doctor(&Place::sqlite(), &[("TICKMARK_LISTEN", "everywhere")]);
    assert_eq!((code, document["checks"].as_array().unwrap().len()), (1, 1));
    assert!(check(&document, "settings").1.contains("TICKMARK_LISTEN"), "{document}");
}

#[test]
fn a_certificate_is_looked_at_from_all_sides() {
    let place = Place::sqlite();
    let (own, other) = (Pair::new(), Pair::new());
    let files = write_pair(place.folder.path(), &own);
    std::fs::set_permissions(&files.key, Permissions::from_mode(0o600)).unwrap();
    let (certificate, key) = (files.certificate.to_str().unwrap(), files.key.to_str().unwrap());
    let given = [("TICKMARK_TLS_CERT", certificate), ("TICKMARK_TLS_KEY", key)];
    let with = |more: (&'static str, &'static str)| {
        let all: Vec<(&str, &str)> = given.into_iter().chain([more]).collect();
        doctor(&place, &all)
    };
    let (code, document) = with(("TICKMARK_PUBLIC_URL", "https://localhost"));
    assert_eq!((code, check(&document, "certificate").0.as_str()), (0, "ok"), "{document}");

    let (code, document) = with(("TICKMARK_PUBLIC_URL", "https://marking.example.org"));
    assert_eq!(code, 1);
    assert!(check(&document, "certificate").1.contains("does not name marking.example.org"), "{document}");

    std::fs::write(&files.key, &other.key_pem).unwrap();
    let (code, document) = with(("TICKMARK_PUBLIC_URL", "https://localhost"));
    assert_eq!(code, 1);
    assert!(check(&document, "certificate").1.contains("do not work together"), "{document}");

    let mut ended = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
    ended.not_after = rcgen::date_time_ymd(2020, 1, 1);
    let signing = rcgen::KeyPair::generate().unwrap();
    std::fs::write(&files.certificate, ended.self_signed(&signing).unwrap().pem()).unwrap();
    std::fs::write(&files.key, signing.serialize_pem()).unwrap();
    let (code, document) = with(("TICKMARK_PUBLIC_URL", "https://localhost"));
    assert_eq!(code, 1);
    assert!(check(&document, "certificate").1.contains("it ended at 2020-01-01"), "{document}");
}

#[test]
fn what_does_not_answer_is_bad() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = silent.local_addr().unwrap().to_string();
    drop(silent);
    let database = format!("postgres://tickmark:opensesame@{gone}/tickmark");
    let (endpoint, (host, port)) = (format!("http://{gone}"), gone.split_once(':').unwrap());
    let (code, document) = doctor(
        &Place::sqlite(),
        &[
            ("TICKMARK_DATABASE", &database),
            ("TICKMARK_STORAGE", "s3"),
            ("TICKMARK_S3_ENDPOINT", &endpoint),
            ("TICKMARK_S3_BUCKET", "scripts"),
            ("TICKMARK_S3_ACCESS_KEY_ID", "tickmark"),
            ("TICKMARK_S3_SECRET_ACCESS_KEY", "opensesame"),
            ("TICKMARK_SMTP_HOST", host),
            ("TICKMARK_SMTP_PORT", port),
            ("TICKMARK_SMTP_FROM", "Tickmark <tickmark@example.org>"),
        ],
    );
    assert_eq!(code, 1);
    for name in ["database", "object store", "mail"] {
        assert_eq!(check(&document, name).0, "bad", "{name}: {document}");
    }
    assert_eq!(check(&document, "master key").0, "warn");
    assert!(!document.to_string().contains("opensesame"), "secrets are not shown: {document}");
}

#[test]
fn a_mail_server_is_known_by_its_greeting() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port().to_string();
    std::thread::spawn(move || {
        for stream in server.incoming().take(1) {
            stream.unwrap().write_all(b"220 mail.example.org ESMTP\r\n").unwrap();
        }
    });
    let settings = [
        ("TICKMARK_SMTP_HOST", "127.0.0.1"),
        ("TICKMARK_SMTP_PORT", port.as_str()),
        ("TICKMARK_SMTP_FROM", "Tickmark <tickmark@example.org>"),
    ];
    let (_, document) = doctor(&Place::sqlite(), &settings);
    assert_eq!(check(&document, "mail").0, "ok", "{document}");
}

#[test]
fn a_proxy_needs_time_to_notice_a_restart() {
    let place = Place::sqlite();
    let proxy = ("TICKMARK_TRUSTED_PROXIES", "10.0.0.0/8");
    let (code, document) = doctor(&place, &[proxy]);
    assert_eq!((code, check(&document, "restarts").0.as_str()), (0, "warn"), "{document}");
    let (_, document) = doctor(&place, &[proxy, ("TICKMARK_LIMITS_DRAIN_SECONDS", "2")]);
    assert_eq!(check(&document, "restarts").0, "ok", "{document}");
}

#[test]
fn people_read_lines_and_what_to_do() {
    let place = Place::sqlite();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = place.command(&["doctor"]);
    command.env("TICKMARK_LISTEN", taken.local_addr().unwrap().to_string());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("warn  listen "), "{text}");
    assert!(text.contains("-> nothing, if the server runs already"), "{text}");
}

fn deployed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Every setting that a text names as a variable is one.
pub(crate) fn assert_settings_exist(text: &str) {
    let defaults = Place::sqlite().text(&["--json", "config", "check"]);
    let defaults: Value = serde_json::from_str(&defaults).unwrap();
    let known: Vec<String> = defaults
        .as_array()
        .unwrap()
        .iter()
        .map(|setting| {
            format!("TICKMARK_{}", setting["name"].as_str().unwrap().replace('.', "_").to_uppercase())
        })
        .collect();
    let is_part = |letter: char| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit();
    let named = text.match_indices("TICKMARK_").map(|(start, _)| {
        let length = text[start..].find(|letter| !is_part(letter)).unwrap_or(text.len() - start);
        &text[start..start + length]
    });
    for name in named {
        assert!(known.iter().any(|known| known == name), "{name} is no setting");
    }
}

#[test]
fn the_unit_names_what_exists() {
    let unit = deployed("tickmark.service");
    assert_settings_exist(&unit);
    let mut section = "";
    for line in unit.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => section = name,
            None => assert!(line.contains('=') && !section.is_empty(), "{line}"),
        }
    }
    for needed in ["User=tickmark", "NoNewPrivileges=yes", "ProtectSystem=strict", "StateDirectory=tickmark"]
    {
        assert!(unit.lines().any(|line| line == needed), "{needed}");
    }
}

#[test]
fn the_image_names_what_exists() {
    let image = deployed("Dockerfile");
    assert_settings_exist(&image);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    assert!(image.contains(&format!("FROM rust:{}-", version.trim_matches('"'))), "the version of Rust");
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(image.contains(file) && root.join(file).exists(), "{file}");
    }
    let instructions: Vec<&str> = image.lines().filter(|line| line.starts_with(char::is_uppercase)).collect();
    let user = instructions.iter().position(|line| *line == "USER 10001").unwrap();
    let entry = instructions.iter().position(|line| line.starts_with("ENTRYPOINT")).unwrap();
    assert!(user < entry && instructions.iter().filter(|line| line.starts_with("FROM ")).count() == 2);
}

#[test]
fn a_larger_judge_is_refused_when_it_is_another_file() {
    let place = Place::sqlite();
    let file = place.folder.path().join("judge.gguf");
    std::fs::write(&file, b"GGUF and then something else").unwrap();
    let name = file.display().to_string();

    let checked = place.run(&["judge", "check", &name]);
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert_eq!(checked.status.code(), Some(1), "{told}");
    assert!(told.contains("another file than qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"), "{told}");

    let (code, document) = doctor(&place, &[("TICKMARK_JUDGE_MODEL", &name)]);
    assert_eq!((code, check(&document, "larger judge").0.as_str()), (1, "bad"), "{document}");

    let mut serve = place.command(&["dev", "--listen", "127.0.0.1:0"]);
    let refused = serve.env("TICKMARK_JUDGE_MODEL", &name).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("judge.model"), "{told}");

    let unnamed = place.run(&["judge", "check"]);
    let told = String::from_utf8_lossy(&unnamed.stderr).into_owned();
    assert!(!unnamed.status.success() && told.contains("judge.model"), "{told}");
}
