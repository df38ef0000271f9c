//! The snippets of docs/webhooks.md that verify a signature: each is run where its language is on the machine.

use crate::verify::verify;
use domain::webhook::{SigningSecret, sign};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

const DOCUMENT: &str = include_str!("../../../../docs/webhooks.md");
const SECRET: &str = "whsec_7Jm2vQd0sXkZr4TbYw9NcLpHf1GaUe8Ri5oVxMt3KjE";
const BODY: &str = r#"{"id":"evt_1","data":{"object":{"name":"Ünïcode — ✓"}}}"#;

/// What is asked of each verifier: the body, the header, and whether it is genuine.
fn cases() -> Vec<(&'static str, String, bool)> {
    let own = SigningSecret::trusted(SECRET.to_owned());
    let other = SigningSecret::trusted("whsec_another".to_owned());
    let now = now();
    let header = |secrets: &[&SigningSecret], time: i64| {
        let secrets: Vec<SigningSecret> = secrets.iter().map(|&secret| secret.clone()).collect();
        sign(&secrets, time, BODY.as_bytes())
    };
    vec![
        (BODY, header(&[&own], now), true),
        (BODY, header(&[&other, &own], now), true),
        (BODY, header(&[&own], now - 200), true),
        (BODY, header(&[&own], now - 400), false),
        (BODY, header(&[&own], now + 400), false),
        (BODY, header(&[&other], now), false),
        ("{}", header(&[&own], now), false),
        (BODY, "v1=00".to_owned(), false),
        (BODY, format!("t={now}"), false),
    ]
}

#[expect(clippy::disallowed_methods, reason = "the snippets look at the machine's clock")]
fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
}

/// The document's snippet in a language.
fn snippet(language: &str) -> &'static str {
    let begin = DOCUMENT.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
    let end = DOCUMENT[begin..].find("```").unwrap();
    &DOCUMENT[begin..begin + end]
}

/// Runs a snippet, completed to a program that is given body, header and secret and ends with 0 for genuine.
#[expect(clippy::print_stdout, reason = "whoever runs the tests should see what was left out")]
fn check(program: &str, before: &[&str], file: &str, language: &str, rest: &str) {
    if Command::new(program).arg(if program == "go" { "version" } else { "--version" }).output().is_err() {
        println!("skipped: {program} is not on this machine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    let source = snippet(language).replace("import (", "import (\n\t\"os\"");
    std::fs::write(&path, source + rest).unwrap();
    hold(Path::new(program), before, &path);
}

fn hold(program: &Path, before: &[&str], path: &Path) {
    for (body, header, is_genuine) in cases() {
        let output =
            Command::new(program).args(before).arg(path).args([body, &header, SECRET]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_genuine, "{} {header}: {said}", program.display());
    }
}

#[test]
fn python() {
    let rest = "import sys\nsys.exit(0 if verify(sys.argv[1].encode(), sys.argv[2], sys.argv[3]) else 1)\n";
    check("python3", &[], "verify.py", "python", rest);
}

#[test]
fn node() {
    let rest = "const [body, header, secret] = process.argv.slice(2);\n\
                process.exit(verify(Buffer.from(body), header, secret) ? 0 : 1);\n";
    check("node", &[], "verify.js", "javascript", rest);
}

#[test]
fn go() {
    let rest = "\nfunc main() {\n\tif !verify([]byte(os.Args[1]), os.Args[2], os.Args[3], 5*time.Minute) {\n\
                \t\tos.Exit(1)\n\t}\n}\n";
    check("go", &["run"], "verify.go", "go", rest);
}

#[test]
fn ruby() {
    check("ruby", &[], "verify.rb", "ruby", "exit(verify(ARGV[0], ARGV[1], ARGV[2]) ? 0 : 1)\n");
}

#[test]
fn php() {
    check("php", &[], "verify.php", "php", "exit(verify($argv[1], $argv[2], $argv[3]) ? 0 : 1);\n");
}

#[test]
fn rust() {
    let source = include_str!("verify.rs");
    let begin = source.find("// begin\n").unwrap() + "// begin\n".len();
    let end = source.find("// end").unwrap();
    assert_eq!(snippet("rust"), &source[begin..end], "the document and the code that is run are one text");
    for (body, header, is_genuine) in cases() {
        assert_eq!(verify(body.as_bytes(), &header, SECRET, 300), is_genuine, "{header}");
    }
}

/// An independent check: the verifier of another's library for the same scheme.
#[expect(clippy::print_stdout, reason = "whoever runs the tests should see what was left out")]
#[test]
fn the_stripe_library_accepts_our_signatures() {
    let python = std::env::var_os("PYTHON_WITH_PEERS").map_or("python3".into(), PathBuf::from);
    let has = Command::new(&python).args(["-c", "import stripe"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        println!("skipped: the Python package stripe is not on this machine (./test.sh installs it)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("verify.py");
    let program = "import sys, stripe\n\
                   try:\n    stripe.WebhookSignature.verify_header(sys.argv[1], sys.argv[2], sys.argv[3], 300)\n\
                   except stripe.SignatureVerificationError as error:\n    sys.exit(str(error))\n";
    std::fs::write(&path, program).unwrap();
    // It takes a time that lies ahead; ours do not lie ahead.
    for (body, header, is_genuine) in cases().into_iter().filter(|(_, header, _)| !is_ahead(header)) {
        let output = Command::new(&python).arg(&path).args([body, &header, SECRET]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_genuine, "{header}: {said}");
    }
}

fn is_ahead(header: &str) -> bool {
    let time = header.strip_prefix("t=").and_then(|rest| rest.split(',').next());
    time.and_then(|time| time.parse::<i64>().ok()).is_some_and(|time| time > now() + 60)
}
