//! The transport that speaks SMTP to a relay: one connection, one letter.
//!
//! The rule: connections are never shared or kept. A conversation that was cut short leaves
//! replies behind that the next letter would take for its own, so a dropped `send` must take its
//! connection with it. Every reply is compared with the one code that belongs there, because
//! lettre takes any 2xx or 3xx for success, and every phase has a deadline, because lettre has one
//! only for the TCP handshake.
//! It deliberately does not retry and does not limit how many attempts run at once.

mod setup;

use super::settings::{Deadlines, Security, SettingsInvalid, SmtpSettings};
use super::verdict::{Fault, Phase, outcome};
use super::{Envelope, Outcome, text, wire};
use futures_util::FutureExt;
use lettre::Address;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use std::iter;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

pub struct Smtp {
    // Boxed so that both kinds of transport are of similar size.
    settings: Box<SmtpSettings>,
    hello: ClientId,
    tls: Option<TlsParameters>,
}

impl Smtp {
    /// Checks the settings and loads the certificates; it does not connect.
    pub fn new(settings: SmtpSettings) -> Result<Self, SettingsInvalid> {
        setup::check(&settings)?;
        let hello = setup::hello(settings.hello_name.as_deref())?;
        let tls = match settings.security {
            Security::None => None,
            Security::StartTls | Security::Tls => Some(setup::tls_parameters(&settings)?),
        };
        Ok(Self { settings: Box::new(settings), hello, tls })
    }

    pub(super) fn describe(&self) -> String {
        let SmtpSettings { host, port, security, .. } = &*self.settings;
        let protection = match security {
            Security::None => "no TLS",
            Security::StartTls => "STARTTLS",
            Security::Tls => "TLS",
        };
        let identity = self
            .settings
            .user
            .as_ref()
            .map_or(String::new(), |user| format!(", signed in as {user}"));
        format!("SMTP relay {host}:{port}, {protection}{identity}")
    }

    pub(super) async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        if let Some(why) = wire::fault(bytes) {
            return Outcome::Refused { why: why.to_owned() };
        }
        let addresses = text::address("sender address", &envelope.from)
            .and_then(|from| Ok((from, text::address("recipient address", &envelope.to)?)));
        let (from, to) = match addresses {
            Ok(addresses) => addresses,
            Err(unsendable) => return Outcome::Refused { why: unsendable.to_string() },
        };
        let mut connection = match self.open().await {
            Ok(connection) => connection,
            Err(outcome) => return outcome,
        };
        match self.converse(&mut connection, from, to, bytes).await {
            Ok(reply) => {
                part(connection, self.settings.deadlines.session);
                Outcome::Sent { reply }
            }
            Err(outcome) => outcome,
        }
    }

    pub(super) async fn probe(&self, from: &str) -> Result<(), Outcome> {
        let refused = |why: String| Outcome::Misconfigured { why };
        let from = text::address("sender address", from).map_err(|e| refused(e.to_string()))?;
        let mut connection = self.open().await?;
        let deadlines = &self.settings.deadlines;
        within(deadlines.envelope, connection.command(Mail::new(Some(from), Vec::new())))
            .await
            .and_then(|response| expect(&response, &[250]))
            .map_err(|fault| outcome(Phase::Sender, &fault))?;
        part(connection, deadlines.session);
        Ok(())
    }

    pub(super) fn patience(&self) -> Duration {
        let Deadlines { connect, session, envelope, content } = self.settings.deadlines;
        connect + 2 * session + 2 * envelope + content
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Outcome> {
        let SmtpSettings { host, port, security, deadlines, .. } = &*self.settings;
        let wrapper = if *security == Security::Tls { self.tls.clone() } else { None };
        let opened = within(deadlines.connect + deadlines.session, async {
            let mut connection = AsyncSmtpConnection::connect_tokio1(
                (host.as_str(), *port),
                Some(deadlines.connect),
                &self.hello,
                wrapper,
                None,
            )
            .await?;
            if let (Security::StartTls, Some(tls)) = (security, &self.tls) {
                connection.starttls(tls.clone(), &self.hello).await?;
            }
            Ok(connection)
        });
        let mut connection = opened.await.map_err(|fault| outcome(Phase::Opening, &fault))?;

        if let (Some(user), Some(password)) = (&self.settings.user, &self.settings.password) {
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            within(deadlines.session, connection.auth(&mechanisms, &credentials))
                .await
                .and_then(|response| expect(&response, &[235]))
                .map_err(|fault| outcome(Phase::SigningIn, &fault))?;
        }
        Ok(connection)
    }

    async fn converse(
        &self,
        connection: &mut AsyncSmtpConnection,
        from: Address,
        to: Address,
        bytes: &[u8],
    ) -> Result<String, Outcome> {
        let deadlines = &self.settings.deadlines;
        let parameters = mail_parameters(connection, &from, &to, bytes)?;
        within(deadlines.envelope, connection.command(Mail::new(Some(from), parameters)))
            .await
            .and_then(|response| expect(&response, &[250]))
            .map_err(|fault| outcome(Phase::Sender, &fault))?;
        within(deadlines.envelope, connection.command(Rcpt::new(to, Vec::new())))
            .await
            .and_then(|response| expect(&response, &[250, 251]))
            .map_err(|fault| outcome(Phase::Recipient, &fault))?;

        let until = Instant::now() + deadlines.content;
        within_instant(until, connection.command(Data))
            .await
            .and_then(|response| expect(&response, &[354]))
            .map_err(|fault| outcome(Phase::Content, &fault))?;

        // Lettre asks for the next piece when the last one is written, and sends the dot when
        // there is none: from that moment on the server may have the whole message.
        let dot_may_have_left = AtomicBool::new(false);
        let last = iter::from_fn(|| {
            dot_may_have_left.store(true, Ordering::Relaxed);
            None
        });
        // Lettre puts a line end before the dot, so the last one of the message is left to it.
        let content = bytes.strip_suffix(b"\r\n").unwrap_or(bytes);
        within_instant(until, connection.message_iter(iter::once(content).chain(last)))
            .await
            .and_then(|response| expect(&response, &[250]).map(|()| words(&response)))
            .map_err(|fault| {
                let is_open = dot_may_have_left.load(Ordering::Relaxed);
                outcome(if is_open { Phase::FinalDot } else { Phase::Content }, &fault)
            })
    }
}

/// The extensions that this message needs, or the refusal if the server lacks one.
fn mail_parameters(
    connection: &AsyncSmtpConnection,
    from: &Address,
    to: &Address,
    bytes: &[u8],
) -> Result<Vec<MailParameter>, Outcome> {
    let addresses: [&str; 2] = [from.as_ref(), to.as_ref()];
    if bytes.is_ascii() && addresses.iter().all(|address| address.is_ascii()) {
        return Ok(Vec::new());
    }
    // `freeze` encodes everything but addresses, so bytes beyond ASCII stand in a header.
    let server = connection.server_info();
    if server.supports_feature(Extension::SmtpUtfEight)
        && server.supports_feature(Extension::EightBitMime)
    {
        let eight_bit = MailParameter::Body(MailBodyParameter::EightBitMime);
        return Ok(vec![MailParameter::SmtpUtfEight, eight_bit]);
    }
    let why = "an address is not ASCII and the server does not support SMTPUTF8".to_owned();
    Err(Outcome::Refused { why })
}

async fn within<T>(
    deadline: Duration,
    work: impl Future<Output = Result<T, smtp::Error>>,
) -> Result<T, Fault> {
    within_instant(Instant::now() + deadline, work).await
}

/// Lettre panics on some replies (an EHLO line of nothing but spaces), hence the net.
async fn within_instant<T>(
    until: Instant,
    work: impl Future<Output = Result<T, smtp::Error>>,
) -> Result<T, Fault> {
    match timeout_at(until, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(result)) => result.map_err(Fault::from),
        Ok(Err(_)) => Err(Fault::Panicked),
        Err(_) => Err(Fault::TooLate),
    }
}

fn expect(response: &Response, codes: &[u16]) -> Result<(), Fault> {
    if codes.contains(&response.code().into()) {
        Ok(())
    } else {
        Err(Fault::OutOfStep(words(response)))
    }
}

fn words(response: &Response) -> String {
    let lines: Vec<&str> = response.message().collect();
    text::printable(&format!("{} {}", response.code(), lines.join(" ")))
}

/// Says goodbye behind the caller's back: the letter is sent, and a server that is slow to answer
/// QUIT must not turn that into something else.
fn part(mut connection: AsyncSmtpConnection, patience: Duration) {
    tokio::spawn(async move {
        let _farewell = timeout(patience, connection.quit()).await;
    });
}
