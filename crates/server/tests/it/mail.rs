//! Mail by SMTP, to a real mail server on this machine.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::process::{Place, told};

/// Takes mail with TLS and a password, and writes it to a file.
const SERVER: &str = r#"
import ssl, sys, time
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

folder, kind = sys.argv[1:]

class Handler:
    async def handle_DATA(self, server, session, envelope):
        with open(folder + "/mail", "ab") as file:
            file.write(envelope.mail_from.encode() + b" > " + envelope.rcpt_tos[0].encode() + b"\n")
            file.write(envelope.content)
        return "250 OK"

def check(server, session, envelope, mechanism, data):
    return AuthResult(success=data.login == b"mailer" and data.password == b"secret")

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
options = {"auth_required": True, "authenticator": check}
if kind == "starttls":
    options |= {"tls_context": context, "require_starttls": True}
else:
    options |= {"ssl_context": context, "auth_require_tls": False}
controller = Controller(Handler(), hostname="127.0.0.1", port=int(sys.stdin.readline()), **options)
controller.start()
print("ready", flush=True)
time.sleep(120)
"#;

struct MailServer(Child);

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A Python that has the mail server's package; `None` when this machine has none.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("PYTHON_WITH_PEERS").map_or("python3".into(), PathBuf::from);
    let has = Command::new(&python).args(["-c", "import aiosmtpd"]).output();
    has.is_ok_and(|output| output.status.success()).then_some(python)
}

fn start(place: &Place, python: &PathBuf, kind: &str) -> (MailServer, u16) {
    let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = place.folder.path();
    std::fs::write(folder.join("cert.pem"), issued.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), issued.signing_key.serialize_pem()).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut child = Command::new(python)
        .args(["-c", SERVER, folder.to_str().unwrap(), kind])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // It complains of the very faults that the test makes.
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{port}\n").as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    (MailServer(child), port)
}

fn send(
    place: &Place,
    port: u16,
    encryption: &str,
    password: &str,
    is_trusted: bool,
) -> std::process::Output {
    let mut command = place.command(&["mail", "test", "it@hill.example"]);
    command
        .env("TICKMARK_SMTP_HOST", "localhost")
        .env("TICKMARK_SMTP_PORT", port.to_string())
        .env("TICKMARK_SMTP_USERNAME", "mailer")
        .env("TICKMARK_SMTP_PASSWORD", password)
        .env("TICKMARK_SMTP_FROM", "Tickmark <no-reply@tickmark.example>")
        .env("TICKMARK_SMTP_ENCRYPTION", encryption);
    if is_trusted {
        command.env("SSL_CERT_FILE", place.folder.path().join("cert.pem"));
    }
    command.output().unwrap()
}

#[expect(clippy::print_stdout, reason = "whoever runs the tests should see what was left out")]
#[test]
fn mail_goes_to_a_server_over_tls_and_with_a_password() {
    let Some(python) = python() else {
        println!("skipped: the Python package aiosmtpd is not on this machine (./test.sh installs it)");
        return;
    };
    for kind in ["starttls", "tls"] {
        let place = Place::sqlite();
        let (_server, port) = start(&place, &python, kind);
        let sent = send(&place, port, kind, "secret", true);
        assert!(sent.status.success(), "{kind}: {:?}", told(&sent));
        let mail = std::fs::read_to_string(place.folder.path().join("mail")).unwrap();
        assert!(mail.starts_with("no-reply@tickmark.example > it@hill.example\n"), "{mail}");
        assert!(mail.contains("Subject: Mail from Tickmark arrives") && mail.contains("It does."), "{mail}");

        let (code, sentence) = told(&send(&place, port, kind, "wrong", true));
        assert!(code == 1 && sentence.starts_with("The mail was not sent: "), "{sentence}");
        let (code, sentence) = told(&send(&place, port, kind, "secret", false));
        assert!(
            code == 1 && sentence.contains("certificate"),
            "a stranger is not given the password: {sentence}"
        );
    }
}

#[test]
fn without_settings_mail_is_a_file() {
    let place = Place::sqlite();
    let said = place.text(&["mail", "test", "it@hill.example"]);
    assert!(said.starts_with("There are no SMTP settings"), "{said}");
    let outbox = place.folder.path().join("data").join("outbox");
    assert_eq!(std::fs::read_dir(outbox).unwrap().count(), 1);
    assert_eq!(place.failure(&["mail", "test", "nobody"]).0, 2);
}
