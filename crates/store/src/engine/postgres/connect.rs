//! How a PostgreSQL connection is made.

use std::time::Duration;

use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use super::session;
use crate::error::Error;
use crate::location::Options;

/// How long an unanswered packet is waited for before the connection counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// Everything needed to connect.
#[derive(Debug, Clone)]
pub(super) struct Address {
    config: Config,
    wait_max: Duration,
}

impl Address {
    pub(super) fn parse(url: &str, options: &Options) -> Result<Address, Error> {
        let mut config =
            url.parse::<Config>().map_err(|error| Error::WrongUrl(session::Reported(error).into()))?;
        let settings = format!(
            "{} -c statement_timeout={} -c lock_timeout={} -c idle_in_transaction_session_timeout={} \
             -c client_min_messages=warning -c jit=off",
            config.get_options().unwrap_or_default(),
            options.statement_max.as_millis(),
            options.wait_max.as_millis(),
            options.statement_max.as_millis(),
        );
        config.options(settings.trim());
        config.application_name("tickmark");
        config.tcp_user_timeout(SILENCE_MAX);
        config.keepalives_idle(SILENCE_MAX);
        Ok(Address { config, wait_max: options.wait_max })
    }

    /// Connects and leaves the connection's own work to a task, which ends with the client.
    pub(super) async fn client(&self) -> Result<Client, Error> {
        let (client, connection) = self.connect(NoTls).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a database connection has ended");
            }
        });
        Ok(client)
    }

    pub(super) async fn connect<T>(&self, tls: T) -> Result<(Client, Connection<Socket, T::Stream>), Error>
    where
        T: MakeTlsConnect<Socket>,
        T::TlsConnect: TlsConnect<Socket>,
    {
        // The driver's own limit ends with the first packet; a server that says nothing more needs this one.
        match tokio::time::timeout(self.wait_max, self.config.connect(tls)).await {
            Ok(outcome) => outcome.map_err(|error| Error::unavailable(session::Reported(error))),
            Err(_) => Err(Error::unavailable("the database does not answer")),
        }
    }
}
