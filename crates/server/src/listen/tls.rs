//! The certificate: read from its two files, and read again when they change.
//!
//! A change is noticed by looking at the files once a second. Connections that are open keep the
//! certificate that they began with. A new pair that does not work is reported, and the old one stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The protocols that we offer, the better one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// A certificate in use, with the files that it comes from.
#[derive(Debug)]
pub struct Certificate {
    files: Files,
    config: Arc<ServerConfig>,
    current: Arc<Current>,
}

/// The two PEM files of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The chain, our own certificate first.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// What is wrong with a pair of files. Each reads as the end of a sentence that names the setting.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("{} cannot be read ({source})", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The certificate's file holds none.
    #[error("{} holds no certificate in PEM form", .0.display())]
    NoCertificate(PathBuf),
    /// The key's file holds none.
    #[error("{} holds no private key in PEM form", .0.display())]
    NoKey(PathBuf),
    /// The two do not work together.
    #[error("{} and {} do not work together ({source})", files.certificate.display(), files.key.display())]
    Pair {
        /// Both.
        files: Box<Files>,
        /// Why.
        source: rustls::Error,
    },
}

/// What `look` found.
#[derive(Debug)]
pub enum Change {
    /// Another certificate is in use from now on.
    Renewed,
    /// The files changed, but not to something that works.
    Broken(Error),
}

/// When and how large: a file that changed differs in one of them.
type Stamp = [Option<(SystemTime, u64)>; 2];

impl Certificate {
    /// Reads the pair, and checks that the key belongs to the certificate.
    pub fn load(files: Files) -> Result<Certificate, Error> {
        let provider = Arc::new(ring::default_provider());
        let pair = read(&files, &provider)?;
        let current = Arc::new(Current(RwLock::new(Arc::new(pair))));
        let builder = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|source| Error::Pair { files: Box::new(files.clone()), source })?;
        let resolver: Arc<dyn ResolvesServerCert> = Arc::<Current>::clone(&current);
        let mut config = builder.with_no_client_auth().with_cert_resolver(resolver);
        config.alpn_protocols = PROTOCOLS.iter().map(|name| name.to_vec()).collect();
        // Peers that come back are spared the costly half of the handshake.
        match ring::Ticketer::new() {
            Ok(ticketer) => config.ticketer = ticketer,
            Err(error) => tracing::warn!(%error, "TLS sessions cannot be resumed by ticket"),
        }
        Ok(Certificate { files, config: Arc::new(config), current })
    }

    /// What shakes hands with peers; it follows the certificate's changes.
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config))
    }

    /// Looks at the files for as long as it is polled.
    pub async fn follow(&self) {
        let mut seen = stamp(&self.files);
        let mut looks = tokio::time::interval(LOOK_INTERVAL);
        loop {
            looks.tick().await;
            match self.look(&mut seen) {
                Some(Change::Renewed) => {
                    tracing::info!(file = %self.files.certificate.display(), "the certificate was renewed");
                }
                Some(Change::Broken(error)) => {
                    tracing::error!("the new certificate is not used, the old one stays: {error}");
                }
                None => {}
            }
        }
    }

    /// Takes a changed pair into use, if it works.
    fn look(&self, seen: &mut Stamp) -> Option<Change> {
        // The stamp is taken before the files are read: what is written in between is seen next time.
        let stamp = stamp(&self.files);
        if stamp == *seen {
            return None;
        }
        *seen = stamp;
        match read(&self.files, self.config.crypto_provider()) {
            Ok(pair) => {
                let mut current = self.current.0.write().unwrap_or_else(PoisonError::into_inner);
                let is_same = current.cert == pair.cert;
                *current = Arc::new(pair);
                (!is_same).then_some(Change::Renewed)
            }
            Err(error) => Some(Change::Broken(error)),
        }
    }
}

/// The pair that new connections get.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn read(files: &Files, provider: &CryptoProvider) -> Result<CertifiedKey, Error> {
    let text = contents(&files.certificate)?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let chain = chain.ok().filter(|chain| !chain.is_empty());
    let chain = chain.ok_or_else(|| Error::NoCertificate(files.certificate.clone()))?;
    let key = PrivateKeyDer::from_pem_slice(&contents(&files.key)?);
    let key = key.map_err(|_| Error::NoKey(files.key.clone()))?;
    CertifiedKey::from_der(chain, key, provider)
        .map_err(|source| Error::Pair { files: Box::new(files.clone()), source })
}

fn contents(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

fn stamp(files: &Files) -> Stamp {
    [&files.certificate, &files.key].map(|path| {
        let metadata = fs::metadata(path).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    })
}
