//! The certificate: whether it fits its key, until when it holds, and for which name.

use super::Finding;
use crate::config::Settings;
use crate::listen::tls::{Certificate, Files};
use domain::clock::{Clock as _, SystemClock};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;
use std::os::unix::fs::PermissionsExt as _;

const CHECK: &str = "certificate";
/// A certificate that ends sooner should have been renewed by now.
const RENEW_WITHIN: SignedDuration = SignedDuration::from_hours(14 * 24);

pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let Some(files) = &settings.tls else {
        return vec![Finding::ok(CHECK, "none is used; the proxy before this server has it")];
    };
    if let Err(error) = Certificate::load(files.clone()) {
        let remedy =
            "give tls_cert the PEM file of the chain, our own certificate first, and tls_key its key's";
        return vec![Finding::bad(CHECK, error.to_string(), remedy)];
    }
    let mut findings = vec![validity(files)];
    findings.extend(name(settings, files));
    findings.extend(key_permissions(files));
    findings
}

fn first(files: &Files) -> Option<CertificateDer<'static>> {
    CertificateDer::pem_file_iter(&files.certificate).ok()?.next()?.ok()
}

fn validity(files: &Files) -> Finding {
    let Some((from, until)) = first(files).as_deref().and_then(validity_of) else {
        let message = format!("the dates of {} cannot be read", files.certificate.display());
        return Finding::warn(CHECK, message, "look at it with `openssl x509 -noout -dates -in FILE`");
    };
    let now = SystemClock::default().now();
    let renew = "renew it; a running server takes the new files by itself";
    if now < from {
        return Finding::bad(CHECK, format!("it holds only from {from} on"), "check the machine's clock");
    }
    if now >= until {
        return Finding::bad(CHECK, format!("it ended at {until}"), renew);
    }
    if until.duration_since(now) < RENEW_WITHIN {
        return Finding::warn(CHECK, format!("it ends soon, at {until}"), renew);
    }
    Finding::ok(CHECK, format!("it fits its key and holds until {until}"))
}

fn name(settings: &Settings, files: &Files) -> Option<Finding> {
    let host = settings.public_url.as_ref()?.host_str()?.to_owned();
    let certificate = first(files)?;
    let parsed = ParsedCertificate::try_from(&certificate).ok()?;
    let name = ServerName::try_from(host.clone()).ok()?;
    let is_named = rustls::client::verify_server_name(&parsed, &name).is_ok();
    (!is_named).then(|| {
        let message = format!("it does not name {host}, the host of public_url");
        Finding::bad(CHECK, message, "get a certificate for that name, or correct public_url")
    })
}

fn key_permissions(files: &Files) -> Option<Finding> {
    let mode = files.key.metadata().ok()?.permissions().mode();
    (mode & 0o007 != 0).then(|| {
        let message = format!("everyone on this machine can read {}", files.key.display());
        Finding::warn(CHECK, message, format!("chmod o= {}", files.key.display()))
    })
}

/// The two dates of a certificate. It is DER: each value is a tag, a length and its content.
fn validity_of(certificate: &[u8]) -> Option<(Timestamp, Timestamp)> {
    const VERSION: u8 = 0xA0;
    let (_, outer, _) = value(certificate)?;
    let (_, mut inner, _) = value(outer)?;
    if inner.first() == Some(&VERSION) {
        inner = value(inner)?.2;
    }
    // The serial number, the algorithm and the issuer stand before the dates.
    for _ in 0..3 {
        inner = value(inner)?.2;
    }
    let (_, dates, _) = value(inner)?;
    let (from_tag, from, rest) = value(dates)?;
    let (until_tag, until, _) = value(rest)?;
    Some((time(from_tag, from)?, time(until_tag, until)?))
}

/// The first value: its tag, its content, and what comes after it.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&length, rest) = rest.split_first()?;
    let (length, rest) = match length {
        0..=0x7F => (usize::from(length), rest),
        // A long length says in how many bytes it is written.
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7F))?;
            (digits.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// "261115073000Z" with two digits of the year up to 2049, or with four.
fn time(tag: u8, content: &[u8]) -> Option<Timestamp> {
    const UTC_TIME: u8 = 0x17;
    let text = std::str::from_utf8(content).ok()?;
    let text = match tag {
        UTC_TIME if text.starts_with(['5', '6', '7', '8', '9']) => format!("19{text}"),
        UTC_TIME => format!("20{text}"),
        _ => text.to_owned(),
    };
    let part = |range: std::ops::Range<usize>| text.get(range);
    let (date, clock) = (part(0..8)?, part(8..14)?);
    format!("{date}T{clock}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dates_of_a_certificate_are_read() {
        let mut parameters = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        parameters.not_before = rcgen::date_time_ymd(2026, 1, 2);
        parameters.not_after = rcgen::date_time_ymd(2051, 3, 4);
        let key = rcgen::KeyPair::generate().unwrap();
        let made = parameters.self_signed(&key).unwrap();
        let (from, until) = validity_of(made.der()).unwrap();
        assert_eq!(from.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(until.to_string(), "2051-03-04T00:00:00Z");
        for cut in 0..made.der().len().min(200) {
            let _ = validity_of(&made.der()[..cut]);
        }
    }
}
