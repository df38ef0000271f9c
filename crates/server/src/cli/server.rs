//! `tickmark serve` and `tickmark dev`.

use super::{Global, load};
use crate::failure::Failure;
use crate::run::{self, Kind};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark serve --listen 0.0.0.0:8443 --tls-cert fullchain.pem --tls-key privkey.pem
  tickmark serve --listen 10.0.0.5:8080 --trusted-proxy 10.0.0.0/24 --public-url https://marking.example.org
  tickmark serve --database postgres://tickmark@db/tickmark --roles worker --metrics 127.0.0.1:9464
  tickmark serve --tls-cert fullchain.pem --tls-key privkey.pem --console 127.0.0.1:9091

The certificate is read again when its files change. SIGTERM lets requests under way finish.")]
pub(super) struct Serve {
    /// Address and port [default: 0.0.0.0:8443]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Certificate chain (PEM)
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<String>,
    /// Private key of the certificate (PEM)
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// Network of a proxy whose word about callers is believed; may be repeated
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<String>,
    /// How the world reaches this service
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// What this process does: api, worker or both [default: api,worker]
    #[arg(long, value_name = "ROLES")]
    roles: Option<String>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark dev
  tickmark --data /tmp/try dev --listen 127.0.0.1:9000
  curl http://127.0.0.1:8080/dev/clock --json '{\"advance_seconds\": 86400}'

The first start makes an account with a test and a live key, and prints them.")]
pub(super) struct Dev {
    /// Loopback address and port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Also fetch files from this machine, over http
    #[arg(long)]
    allow_local_files: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Common {
    /// Address and port of the Prometheus metrics
    #[arg(long, value_name = "ADDR")]
    metrics: Option<String>,
    /// Address and port of the operator's console
    #[arg(long, value_name = "ADDR")]
    console: Option<String>,
    /// Do not bring the database up to date
    #[arg(long)]
    no_migrate: bool,
    /// human or json
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// error, warn, info, debug or trace, by module if need be
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
}

impl Serve {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        run::run(load(self.options(global))?, Kind::Production).await
    }

    /// The options as they were given, for whoever wants to know what `serve` would do.
    pub(super) fn options(self, global: &Global) -> crate::config::Options {
        let mut options = self.common.options(global);
        options.set("listen", "--listen", self.listen);
        options.set("tls_cert", "--tls-cert", self.tls_cert);
        options.set("tls_key", "--tls-key", self.tls_key);
        let proxies = self.trusted_proxy.join(",");
        options.set("trusted_proxies", "--trusted-proxy", (!proxies.is_empty()).then_some(proxies));
        options.set("public_url", "--public-url", self.public_url);
        options.set("roles", "--roles", self.roles);
        options
    }
}

impl Dev {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let mut options = self.common.options(global);
        options.set("listen", "--listen", self.listen);
        let allowed = self.allow_local_files.then(|| "true".to_owned());
        options.set("allow_local_files", "--allow-local-files", allowed);
        run::run(load(options)?, Kind::Development { is_json: global.json }).await
    }
}

impl Common {
    fn options(&self, global: &Global) -> crate::config::Options {
        let mut options = global.options();
        options.set("metrics", "--metrics", self.metrics.clone());
        options.set("console", "--console", self.console.clone());
        options.set("migrate", "--no-migrate", self.no_migrate.then(|| "false".to_owned()));
        options.set("log_format", "--log-format", self.log_format.clone());
        options.set("log_level", "--log-level", self.log_level.clone());
        options
    }
}
