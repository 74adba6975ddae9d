//! What must be true of the settings before the first connection.
//!
//! The rule: a mistake that can be seen without a server is found at the start of the program, not
//! at the first letter, and nothing in the settings can add a command to the conversation.
//! It deliberately asks no server anything, not even whether the host exists.

use crate::mail::settings::{Deadlines, Security, SettingsInvalid, SmtpSettings};
use lettre::transport::smtp::client::{Certificate, TlsParameters, TlsParametersBuilder};
use lettre::transport::smtp::extension::ClientId;
use std::fs;
use std::net::IpAddr;
use std::time::Duration;

pub(super) fn check(settings: &SmtpSettings) -> Result<(), SettingsInvalid> {
    let SmtpSettings { host, user, password, deadlines, .. } = settings;
    if host.is_empty() || host.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(invalid("host", "must be a host name or an IP address"));
    }
    if user.is_some() != password.is_some() {
        return Err(invalid("user", "user and password must be given together"));
    }
    let is_local =
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if user.is_some() && settings.security == Security::None && !is_local {
        return Err(invalid("security", "a password may not cross the network without TLS"));
    }
    let Deadlines { connect, session, envelope, content } = deadlines;
    if [connect, session, envelope, content].into_iter().any(Duration::is_zero) {
        return Err(invalid("deadlines", "must be longer than nothing"));
    }
    Ok(())
}

/// The name goes into a command line, so it may hold nothing but the letters of a name.
pub(super) fn hello(name: Option<&str>) -> Result<ClientId, SettingsInvalid> {
    let Some(name) = name else {
        return Ok(ClientId::default());
    };
    match name.parse() {
        Ok(IpAddr::V4(address)) => Ok(ClientId::Ipv4(address)),
        Ok(IpAddr::V6(address)) => Ok(ClientId::Ipv6(address)),
        Err(_) if is_host_name(name) => Ok(ClientId::Domain(name.to_owned())),
        Err(_) => Err(invalid("hello_name", "must be a host name or an IP address")),
    }
}

fn is_host_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c))
}

pub(super) fn tls_parameters(settings: &SmtpSettings) -> Result<TlsParameters, SettingsInvalid> {
    const SETTING: &str = "certificate_authority_file";
    let mut builder = TlsParametersBuilder::new(settings.host.clone());
    if let Some(path) = &settings.certificate_authority_file {
        let why = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let pem = fs::read(path).map_err(|error| invalid(SETTING, why(&error)))?;
        // A file without certificates would parse as an empty list and trust nobody new.
        if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
            return Err(invalid(SETTING, why(&"holds no PEM certificate")));
        }
        let certificate =
            Certificate::from_pem(&pem).map_err(|error| invalid(SETTING, why(&error)))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|error| invalid("security", error.to_string()))
}

fn invalid(setting: &'static str, why: impl Into<String>) -> SettingsInvalid {
    SettingsInvalid { setting, why: why.into() }
}
