//! TLS with a certificate made on the spot.

use crate::{letter, settings, transport};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use sixgate_engine::mail::{Outcome, Security, SmtpSettings, freeze};
use std::sync::Arc;
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// A relay for one connection, with its certificate in a file.
struct Relay {
    port: u16,
    certificate: NamedTempFile,
    task: JoinHandle<()>,
}

impl Relay {
    async fn start(host: &str, security: Security) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([host.to_owned()]).unwrap();
        let certificate = NamedTempFile::new().unwrap();
        std::fs::write(certificate.path(), cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(serve(listener, TlsAcceptor::from(Arc::new(config)), security));
        Self { port, certificate, task }
    }

    fn settings(&self, security: Security) -> SmtpSettings {
        SmtpSettings {
            security,
            certificate_authority_file: Some(self.certificate.path().to_owned()),
            ..settings(self.port)
        }
    }
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, security: Security) {
    let (socket, _) = listener.accept().await.unwrap();
    let mut stream = BufStream::new(socket);
    if security == Security::StartTls {
        converse(&mut stream, "220 relay\r\n", "STARTTLS").await;
        stream.write_all(b"220 go\r\n").await.unwrap();
        stream.flush().await.unwrap();
    }
    // A client that does not trust the certificate ends the handshake.
    if let Ok(protected) = acceptor.accept(stream.into_inner()).await {
        let greeting = if security == Security::Tls { "220 relay\r\n" } else { "" };
        converse(&mut BufStream::new(protected), greeting, "QUIT").await;
    }
}

/// Says yes to everything up to the given verb.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut BufStream<S>,
    greeting: &str,
    last: &str,
) {
    let mut reply = greeting;
    let mut is_content = false;
    loop {
        stream.write_all(reply.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 || line.starts_with(last) {
            return;
        }
        reply = match line.trim_end() {
            "." => "250 queued\r\n",
            _ if is_content => "",
            "DATA" => "354 go\r\n",
            line if line.starts_with("EHLO") => "250-relay\r\n250 STARTTLS\r\n",
            _ => "250 ok\r\n",
        };
        is_content = reply.is_empty() || reply.starts_with("354");
    }
}

async fn send(settings: SmtpSettings) -> Outcome {
    transport(settings).send(&letter().envelope(), &freeze(&letter()).unwrap()).await
}

#[tokio::test]
async fn a_trusted_certificate_lets_the_letter_pass() {
    for security in [Security::Tls, Security::StartTls] {
        let relay = Relay::start("127.0.0.1", security).await;
        let outcome = send(relay.settings(security)).await;
        assert_eq!(outcome, Outcome::Sent { reply: "250 queued".into() }, "{security:?}");
        relay.task.await.unwrap();
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_misconfigured() {
    for security in [Security::Tls, Security::StartTls] {
        let relay = Relay::start("127.0.0.1", security).await;
        let settings =
            SmtpSettings { certificate_authority_file: None, ..relay.settings(security) };
        let outcome = send(settings).await;
        assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{security:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_certificate_for_another_host_is_misconfigured() {
    let relay = Relay::start("relay.buyer.example", Security::Tls).await;
    let outcome = send(relay.settings(Security::Tls)).await;
    assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{outcome:?}");
}

#[tokio::test]
async fn a_handshake_that_breaks_off_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let settings = SmtpSettings { security: Security::Tls, ..settings(port) };
    let (outcome, ()) = tokio::join!(send(settings), async {
        let (mut socket, _) = listener.accept().await.unwrap();
        // The hello is read first, so that the close is an end and not a reset.
        socket.read_u8().await.unwrap();
    });
    assert!(matches!(outcome, Outcome::Unavailable { .. }), "{outcome:?}");
}
