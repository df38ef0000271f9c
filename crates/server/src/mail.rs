//! Mail by SMTP, when the settings name a server for it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Encryption, Settings, Smtp};
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Message, SmtpTransport, Transport as _};
use service::mail::{Mailer, Outbox};
use store::mails::Mail;

/// How long the mail server may take for each step.
const STEP_TIME_MAX: Duration = Duration::from_secs(20);
/// Where mail goes without SMTP settings, in the data folder.
const OUTBOX_FOLDER: &str = "outbox";

/// What sends mail under these settings.
pub(crate) fn mailer(settings: &Settings) -> Result<Arc<dyn Mailer>, String> {
    match &settings.smtp {
        Some(smtp) => Ok(Arc::new(SmtpMailer::new(smtp)?)),
        None => Ok(Arc::new(Outbox::new(settings.data.join(OUTBOX_FOLDER)))),
    }
}

/// Sends mail through a server.
#[derive(Debug)]
struct SmtpMailer {
    transport: SmtpTransport,
    from: Mailbox,
    host: String,
}

impl SmtpMailer {
    fn new(smtp: &Smtp) -> Result<SmtpMailer, String> {
        let from: Mailbox = smtp
            .from
            .parse()
            .map_err(|error| format!("The setting smtp.from is no mail address: {error}."))?;
        let tls = match smtp.encryption {
            Encryption::StartTls => Tls::Required(parameters(&smtp.host)?),
            Encryption::Tls => Tls::Wrapper(parameters(&smtp.host)?),
            Encryption::None => Tls::None,
        };
        let mut builder = SmtpTransport::builder_dangerous(&smtp.host)
            .port(smtp.port)
            .tls(tls)
            .timeout(Some(STEP_TIME_MAX));
        if let (Some(user), Some(password)) = (&smtp.username, &smtp.password) {
            builder = builder.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        Ok(SmtpMailer { transport: builder.build(), from, host: smtp.host.clone() })
    }
}

/// Trusts whom browsers trust, and whom this machine trusts besides: mail servers are often one's own.
fn parameters(host: &str) -> Result<TlsParameters, String> {
    let failed = |error| format!("Mail over TLS cannot be set up: {error}.");
    let own = rustls_native_certs::load_native_certs().certs;
    let own = own.into_iter().filter_map(|certificate| Certificate::from_der(certificate.to_vec()).ok());
    let builder = own.fold(TlsParameters::builder(host.to_owned()), |builder, certificate| {
        builder.add_root_certificate(certificate)
    });
    builder.build().map_err(failed)
}

impl Mailer for SmtpMailer {
    fn send(&self, id: &str, mail: &Mail) -> io::Result<()> {
        let recipient: Mailbox = mail.recipient.parse().map_err(io::Error::other)?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(recipient)
            .subject(&mail.subject)
            .message_id(Some(format!("<{id}@{}>", self.host)))
            .header(ContentType::TEXT_PLAIN)
            .body(mail.body.clone())
            .map_err(io::Error::other)?;
        self.transport.send(&message).map(drop).map_err(io::Error::other)
    }
}
