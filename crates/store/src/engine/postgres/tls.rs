//! TLS to the server, when the URL asks for it.
//!
//! `sslmode=require`, `verify-ca` and `verify-full` all mean the same here: the connection is encrypted, and
//! the certificate must be valid for the host. Authorities are those of the system or, with
//! `sslrootcert=FILE`, those in that file. Any other mode means a plain connection.

use std::fmt;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Cause, Error};

/// How connections are protected.
#[derive(Clone)]
pub(super) enum Tls {
    Off,
    On(MakeRustlsConnect),
}

impl fmt::Debug for Tls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Tls::Off => "Off",
            Tls::On(_) => "On",
        })
    }
}

impl Tls {
    /// Takes what is ours out of the URL, and leaves the rest to the driver.
    pub(super) fn parse(url: &str) -> Result<(Tls, String), Error> {
        let Some((base, query)) = url.split_once('?') else {
            return Ok((Tls::Off, url.to_owned()));
        };
        let mut mode = "disable";
        let mut authorities = None;
        let mut rest = Vec::new();
        for parameter in query.split('&') {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = value,
                Some(("sslrootcert", path)) => authorities = Some(path.replace("%2F", "/")),
                _ => rest.push(parameter),
            }
        }
        let tls = match mode {
            "require" | "verify-ca" | "verify-full" => {
                rest.push("sslmode=require");
                Tls::On(connector(authorities.as_deref())?)
            }
            "disable" | "allow" | "prefer" => {
                rest.push("sslmode=disable");
                Tls::Off
            }
            other => return Err(Error::WrongUrl(format!("sslmode={other} is not known").into())),
        };
        Ok((tls, format!("{base}?{}", rest.join("&"))))
    }
}

fn connector(authorities: Option<&str>) -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    let certificates = match authorities {
        Some(path) => certificates_in(path)
            .map_err(|error| Error::WrongUrl(format!("sslrootcert={path}: {error}").into()))?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        return Err(Error::WrongUrl(
            "no certificate authority is known; name a file by sslrootcert=FILE".into(),
        ));
    }
    // Named here, because the process may have several to choose from.
    let provider = rustls::crypto::ring::default_provider();
    let versions = ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions();
    let config = versions.map_err(|error| Error::WrongUrl(error.into()))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}

fn certificates_in(path: &str) -> Result<Vec<CertificateDer<'static>>, Cause> {
    CertificateDer::pem_file_iter(path)?.map(|certificate| certificate.map_err(Cause::from)).collect()
}
