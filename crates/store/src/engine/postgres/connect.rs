//! How a PostgreSQL connection is made.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls};

use super::session::{self, Session};
use super::tls::Tls;
use crate::error::Error;
use crate::location::Options;

/// How long an unanswered packet is waited for before the connection counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// What a commit waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commit {
    /// The disk.
    Durable,
    /// Nothing; a flush follows.
    Deferred,
}

/// Everything needed to connect.
#[derive(Debug, Clone)]
pub(super) struct Address {
    tls: Tls,
    durable: Config,
    deferred: Config,
    wait_max: Duration,
    answer_max: Duration,
}

impl Address {
    pub(super) fn parse(url: &str, options: &Options) -> Result<Address, Error> {
        let (tls, url) = Tls::parse(url)?;
        let mut durable =
            url.parse::<Config>().map_err(|error| Error::WrongUrl(session::Reported(error).into()))?;
        let settings = format!(
            "{} -c statement_timeout={} -c lock_timeout={} -c idle_in_transaction_session_timeout={} \
             -c client_min_messages=warning -c jit=off",
            durable.get_options().unwrap_or_default(),
            options.statement_max.as_millis(),
            options.wait_max.as_millis(),
            options.statement_max.as_millis(),
        );
        durable.options(settings.trim());
        durable.application_name("tickmark");
        durable.tcp_user_timeout(SILENCE_MAX);
        durable.keepalives_idle(SILENCE_MAX);
        let mut deferred = durable.clone();
        deferred.options(format!("{} -c synchronous_commit=off", settings.trim()));
        // The server gives up on a statement first and says why; ours is for when it cannot.
        let answer_max = options.statement_max + options.wait_max;
        Ok(Address { tls, durable, deferred, wait_max: options.wait_max, answer_max })
    }

    /// How long a connection is waited for.
    pub(super) fn wait_max(&self) -> Duration {
        self.wait_max
    }

    /// Connects and leaves the connection's own work to a task, which ends with the session.
    pub(super) async fn session(&self, commit: Commit) -> Result<Session, Error> {
        let (client, connection) = self.connect(commit).await?;
        tokio::spawn(async move {
            // Whoever uses the connection hears of its end and says so.
            connection.for_each(async |_| {}).await;
        });
        Ok(Session::new(client, self.answer_max))
    }

    /// Connects. The messages are the connection at work: it lives while they are waited for.
    pub(super) async fn connect(&self, commit: Commit) -> Result<(Client, Messages), Error> {
        let config = match commit {
            Commit::Durable => &self.durable,
            Commit::Deferred => &self.deferred,
        };
        // The driver's own limit ends with the first packet; a server that says nothing more needs this one.
        let connecting = tokio::time::timeout(self.wait_max, async {
            match &self.tls {
                Tls::Off => {
                    config.connect(NoTls).await.map(|(client, connection)| (client, messages(connection)))
                }
                Tls::On(tls) => config
                    .connect(tls.clone())
                    .await
                    .map(|(client, connection)| (client, messages(connection))),
            }
        });
        match connecting.await {
            Ok(outcome) => outcome.map_err(|error| Error::unavailable(session::Reported(error))),
            Err(_) => Err(Error::unavailable("the database does not answer")),
        }
    }
}

/// What a connection tells without being asked, until it ends.
pub(super) type Messages = BoxStream<'static, AsyncMessage>;

fn messages<S, T>(mut connection: Connection<S, T>) -> Messages
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    stream::poll_fn(move |context| connection.poll_message(context).map(|message| message?.ok())).boxed()
}
