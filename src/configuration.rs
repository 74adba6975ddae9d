//! The configuration file: typed, with a default for everything.
//!
//! The rule: a file is taken whole or refused with the line that is wrong; a setting that nobody
//! knows is refused, because a misspelt one would otherwise silently be the default. It deliberately
//! never shows the refused line itself, which may hold a password.

use std::fmt;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::{Context, anyhow};
use chrono_tz::Tz;
use serde::Deserialize;
use sixgate_engine::mail::SmtpSettings;
use sixgate_workflows::{person::MailAddress, text::Name};

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Configuration {
    pub(crate) organisation: Organisation,
    pub(crate) mail: Mail,
    pub(crate) http: Http,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Organisation {
    /// What "today" and nine o'clock mean.
    pub(crate) zone: Tz,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mail {
    pub(crate) sender_name: Name,
    pub(crate) sender_address: MailAddress,
    /// The relay; without one, letters are written into the folder `mail` of the data directory.
    pub(crate) smtp: Option<SmtpSettings>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Http {
    pub(crate) listen: SocketAddr,
    /// Public origins of this house, for when a proxy changes the name that browsers ask for.
    pub(crate) allowed_origins: Vec<Origin>,
    /// Where people reach the pages; the links in mails begin with it.
    pub(crate) public_url: Option<Origin>,
}

/// What a browser says of the page that sends a request: scheme, host and perhaps port.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Origin(String);

impl Default for Organisation {
    fn default() -> Self {
        Self { zone: Tz::Asia__Shanghai }
    }
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            sender_name: Name::new("sixgate").expect("one short word is a name"),
            sender_address: MailAddress::new("sixgate@localhost").expect("it has the form a@b"),
            smtp: None,
        }
    }
}

impl Default for Http {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            allowed_origins: Vec::new(),
            public_url: None,
        }
    }
}

impl Configuration {
    /// Reads a file; without one, everything is as by default.
    pub(crate) fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let file = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| format!("could not read the configuration {file}"))?;
        Self::parse(&text, &file)
    }

    fn parse(text: &str, file: &dyn fmt::Display) -> anyhow::Result<Self> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                let before = text.get(..span.start).unwrap_or(text);
                before.matches('\n').count() + 1
            });
            anyhow!("{file}, line {line}: {}", error.message())
        })
    }
}

impl Origin {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match host {
            Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ', '*']) => {
                Ok(Self(text))
            }
            Some(_) | None => {
                Err(format!("`{text}` is not an origin such as https://sixgate.example"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Configuration::parse(text, &"sixgate.toml").unwrap_err().to_string()
    }

    #[test]
    fn an_empty_file_is_the_default() {
        let configuration = Configuration::parse("", &"").unwrap();
        assert_eq!(configuration, Configuration::default());
        assert_eq!(configuration.http.listen.to_string(), "127.0.0.1:8080");
    }

    #[test]
    fn everything_can_be_set() {
        let text = "
            [organisation]
            zone = 'Europe/Berlin'
            [mail]
            sender_name = '采购 Procurement'
            sender_address = 'procurement@example.com'
            [mail.smtp]
            host = 'relay.example.com'
            port = 587
            security = 'starttls'
            user = 'sixgate'
            password = 'hidden'
            deadlines = { connect_seconds = 5 }
            [http]
            listen = '0.0.0.0:9000'
            allowed_origins = ['https://sixgate.example']
            public_url = 'https://sixgate.example'
        ";
        let configuration = Configuration::parse(text, &"").unwrap();
        assert_eq!(configuration.organisation.zone, Tz::Europe__Berlin);
        assert_eq!(configuration.mail.sender_address.as_str(), "procurement@example.com");
        assert_eq!(configuration.mail.smtp.unwrap().port, 587);
        assert_eq!(configuration.http.listen.port(), 9000);
        assert_eq!(configuration.http.allowed_origins[0].as_str(), "https://sixgate.example");
        assert_eq!(configuration.http.public_url.unwrap().as_str(), "https://sixgate.example");
    }

    #[test]
    fn a_bad_value_is_named_with_its_file_and_line() {
        let cases = [
            ("[organisation]\nzone = 'Mars/Base'\n", 2),
            ("[http]\n\nlisten = 'here'\n", 3),
            ("[http]\nallowed_origins = ['https://a.example', 'example']\n", 2),
            ("[mail]\nsender_name = 'a'\nsender_address = 'nobody'\n", 3),
            ("[mail]\n[mail.smtp]\nhost = 'h'\nport = 70000\nsecurity = 'none'\n", 4),
            ("[http]\npublic_url = 'sixgate.example'\n", 2),
            ("[http]\nlisten = \n", 2),
        ];
        for (text, line) in cases {
            let refusal = refusal(text);
            assert!(refusal.starts_with(&format!("sixgate.toml, line {line}: ")), "{refusal}");
        }
    }

    #[test]
    fn a_setting_that_nobody_knows_is_refused() {
        for (text, line, word) in [
            ("[organisation]\nzones = 'Asia/Shanghai'\n", 2, "zones"),
            ("[http]\n[htpp]\n", 2, "htpp"),
            (
                "[mail.smtp]\nhost = 'h'\nport = 25\nsecurity = 'none'\npasswort = 'x'\n",
                5,
                "passwort",
            ),
        ] {
            let refusal = refusal(text);
            assert!(refusal.contains(&format!("line {line}: ")), "{refusal}");
            assert!(refusal.contains(&format!("unknown field `{word}`")), "{refusal}");
        }
    }

    #[test]
    fn a_refusal_does_not_show_a_password() {
        let text = "[mail.smtp]\nhost = 'h'\nport = 'x'\nsecurity = 'tls'\npassword = 'hidden'\n";
        assert!(!refusal(text).contains("hidden"));
        assert!(!refusal("[mail.smtp]\npassword = 'hidden' user\n").contains("hidden"));
    }
}
