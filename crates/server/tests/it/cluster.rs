//! Several processes of the built program, each with a data folder of its own, on one PostgreSQL and one S3 store,
//! behind the proxy that `deploy/haproxy.cfg` describes.

use crate::client::{Connection, PATIENCE, Pair, get, soon};
use crate::partner::Partner;
use crate::process::{Place, Server};
use serde_json::Value;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use testkit::object_store::ObjectStore;

const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
/// How long a process that stops waits for the proxy, which looks twice a second.
const DRAIN_SECONDS: &str = "2";

pub(crate) struct Cluster {
    pub(crate) place: Place,
    pub(crate) apis: Vec<Server>,
    pub(crate) workers: Vec<Worker>,
    pub(crate) store: ObjectStore,
    proxy: Proxy,
    addresses: [SocketAddr; 2],
}

/// A process that only works, and where it counts what it did.
pub(crate) struct Worker {
    pub(crate) process: Server,
    metrics: SocketAddr,
}

impl Cluster {
    /// Two processes that answer behind a proxy, and so many that work.
    pub(crate) async fn start(workers: usize) -> Cluster {
        let store = ObjectStore::start().await;
        let mut place = Place::postgres();
        place.environment.extend(store.environment());
        place.environment.push(("TICKMARK_MASTER_KEY", MASTER_KEY.to_owned()));
        place.environment.push(("TICKMARK_LIMITS_DRAIN_SECONDS", DRAIN_SECONDS.to_owned()));
        let addresses = [spare_address(), spare_address()];
        let proxy = Proxy::start(place.folder.path(), addresses);
        let mut cluster = Cluster { place, apis: Vec::new(), workers: Vec::new(), store, proxy, addresses };
        cluster.apis = (0..addresses.len()).map(|number| cluster.start_api(number)).collect();
        cluster.workers = (0..workers).map(|number| cluster.start_worker(number)).collect();
        for number in 0..addresses.len() {
            cluster.is_behind_the_proxy(number).await;
        }
        cluster
    }

    /// Starts one of the processes that answer, under the address that the proxy knows.
    pub(crate) fn start_api(&self, number: usize) -> Server {
        let address = self.addresses[number].to_string();
        let arguments = ["serve", "--roles", "api", "--listen", &address, "--trusted-proxy", "127.0.0.1/32"];
        Server::start(self.place.command_in(&format!("api-{number}"), &arguments))
    }

    pub(crate) fn start_worker(&self, number: usize) -> Worker {
        let arguments = ["serve", "--roles", "worker", "--metrics", "127.0.0.1:0"];
        let mut process = Server::spawn(self.place.command_in(&format!("worker-{number}"), &arguments));
        let metrics = process.line_with("metrics on ")["address"].as_str().unwrap().parse().unwrap();
        process.line_with("working on jobs only");
        Worker { process, metrics }
    }

    /// A new account's partner, who knows the proxy only.
    pub(crate) fn partner(&self) -> Partner {
        self.partner_of(&self.place.account())
    }

    /// The partner of an account, who knows the proxy only.
    pub(crate) fn partner_of(&self, account: &str) -> Partner {
        let partner = Partner::with_account(&self.place, account, self.proxy.address);
        Partner { certificate: Some(Arc::clone(&self.proxy.pair)), ..partner }
    }

    /// The same partner at one of the processes, past the proxy.
    pub(crate) fn directly(&self, partner: &Partner, number: usize) -> Partner {
        Partner { address: self.addresses[number], key: partner.key.clone(), certificate: None }
    }

    /// Waits until the proxy sends requests to this process.
    pub(crate) async fn is_behind_the_proxy(&mut self, number: usize) {
        let deadline = Instant::now() + PATIENCE;
        while !self.apis[number].has_logged("answered") {
            assert!(Instant::now() < deadline, "the proxy does not find process {number} ready");
            let mut connection =
                Connection::tls(self.proxy.address, &self.proxy.pair, &["http/1.1"]).await.unwrap();
            // Refused for want of a key, if not by the proxy.
            connection.get("/v1/account").await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

impl Worker {
    /// How many scripts this process has marked.
    pub(crate) async fn marked(&self) -> usize {
        let mut connection = Connection::plain(self.metrics).await;
        let page = soon(connection.send(get("/metrics"))).await.unwrap();
        let page = String::from_utf8(page.body().to_vec()).unwrap();
        let counted = r#"tickmark_jobs_total{kind="mark_submission",outcome="done"} "#;
        page.lines().find_map(|line| line.strip_prefix(counted)).map_or(0, |count| count.parse().unwrap())
    }
}

/// HAProxy with the file that ships with the project.
struct Proxy {
    process: Child,
    address: SocketAddr,
    pair: Arc<Pair>,
}

impl Proxy {
    fn start(folder: &Path, apis: [SocketAddr; 2]) -> Proxy {
        let pair = Pair::new();
        let certificate = folder.join("proxy.pem");
        std::fs::write(&certificate, [pair.certificate_pem.as_str(), &pair.key_pem].concat()).unwrap();
        let address = spare_address();
        // Where Debian puts it, which is not in everybody's search path.
        let installed = Path::new("/usr/sbin/haproxy");
        let process = Command::new(if installed.exists() { installed } else { Path::new("haproxy") })
            .arg("-f")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/haproxy.cfg"))
            .args(["-db", "-q"])
            .env("PUBLIC_ADDRESS", address.to_string())
            .env("CERTIFICATE", certificate)
            .env("API_1", apis[0].to_string())
            .env("API_2", apis[1].to_string())
            .stderr(Stdio::null())
            .spawn()
            .expect("HAProxy is needed: apt-get install haproxy");
        let deadline = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(address).is_err() {
            assert!(Instant::now() < deadline, "the proxy does not listen");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Proxy { process, address, pair: Arc::new(pair) }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An address that was free a moment ago.
fn spare_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A number of a response's header; it must be there.
pub(crate) fn number(response: &http::Response<bytes::Bytes>, header: &str) -> u64 {
    response.headers()[header].to_str().unwrap().parse().unwrap()
}

/// The code of an error's body.
pub(crate) fn code(response: &http::Response<bytes::Bytes>) -> String {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    body["error"]["code"].as_str().unwrap().to_owned()
}
