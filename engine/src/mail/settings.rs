//! The settings of an SMTP relay, as a configuration file states them.
//!
//! The rule: an unknown key is an error, and a password is never printed. Each phase of the
//! conversation has its own deadline, because a relay that is slow to accept a large message is
//! healthy while one that is slow to greet is not. Whether the values make sense together is
//! checked where they are used, in [`Smtp::new`](super::Smtp::new).

use serde::{Deserialize, Deserializer};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpSettings {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// Present together with the password, or not at all.
    pub user: Option<String>,
    pub password: Option<Password>,
    /// The name for EHLO; the name of the machine if absent.
    pub hello_name: Option<String>,
    /// Certificates (PEM) to trust besides those of the system, for a relay inside the house.
    pub certificate_authority_file: Option<PathBuf>,
    #[serde(default)]
    pub deadlines: Deadlines,
}

/// How the connection is protected. There is no "if available": whoever sits between could make
/// it unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    None,
    StartTls,
    Tls,
}

/// A password that shows itself only to the server.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Password(…)")
    }
}

/// How long each phase may take. In a file these are `connect_seconds` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deadlines {
    /// Until one address of the host has accepted the connection.
    #[serde(rename = "connect_seconds", deserialize_with = "seconds")]
    pub connect: Duration,
    /// Greeting, EHLO and TLS together; once more for signing in.
    #[serde(rename = "session_seconds", deserialize_with = "seconds")]
    pub session: Duration,
    /// MAIL and RCPT, each.
    #[serde(rename = "envelope_seconds", deserialize_with = "seconds")]
    pub envelope: Duration,
    /// From DATA to the reply to the final dot. Too short a time here delivers twice.
    #[serde(rename = "content_seconds", deserialize_with = "seconds")]
    pub content: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            session: Duration::from_secs(30),
            envelope: Duration::from_secs(60),
            content: Duration::from_secs(300),
        }
    }
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u32::deserialize(deserializer).map(|seconds| Duration::from_secs(seconds.into()))
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{setting}: {why}")]
pub struct SettingsInvalid {
    pub setting: &'static str,
    pub why: String,
}
