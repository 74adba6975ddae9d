//! The settings as a configuration file states them, and what is refused before connecting.

use crate::settings;
use sixgate_engine::mail::{Deadlines, Password, Security, Smtp, SmtpSettings};
use std::time::Duration;

const COMPLETE: &str = r#"
host = "relay.buyer.example"
port = 587
security = "starttls"
user = "gates"
password = "correct horse"
hello_name = "sixgate.buyer.example"
deadlines.content_seconds = 600
"#;

#[test]
fn a_file_states_what_differs_from_the_defaults() {
    let settings: SmtpSettings = toml::from_str(COMPLETE).unwrap();
    assert_eq!(settings.security, Security::StartTls);
    let content = Duration::from_secs(600);
    assert_eq!(settings.deadlines, Deadlines { content, ..Deadlines::default() });
    let smtp = sixgate_engine::mail::Transport::Smtp(Smtp::new(settings.clone()).unwrap());
    let expected = "SMTP relay relay.buyer.example:587, STARTTLS, signed in as gates";
    assert_eq!(smtp.describe(), expected);
    assert!(!format!("{settings:?}").contains("horse"));
}

#[test]
fn an_unknown_key_is_an_error() {
    for extra in ["timeout = 3", "deadlines.data_seconds = 3"] {
        let error = toml::from_str::<SmtpSettings>(&format!("{COMPLETE}{extra}\n")).unwrap_err();
        assert!(error.to_string().contains("unknown field"), "{error}");
    }
}

#[test]
fn settings_that_cannot_work_are_refused_before_connecting() {
    let user = |settings: SmtpSettings| SmtpSettings {
        user: Some("gates".into()),
        password: Some(Password::new("secret")),
        ..settings
    };
    let zero = Deadlines { envelope: Duration::ZERO, ..Deadlines::default() };
    let cases = [
        (SmtpSettings { host: "a b".into(), ..settings(25) }, "host"),
        (SmtpSettings { password: None, ..user(settings(25)) }, "user"),
        (SmtpSettings { host: "relay.buyer.example".into(), ..user(settings(25)) }, "security"),
        (SmtpSettings { hello_name: Some("a\r\nMAIL".into()), ..settings(25) }, "hello_name"),
        (SmtpSettings { deadlines: zero, ..settings(25) }, "deadlines"),
        (
            SmtpSettings {
                security: Security::Tls,
                certificate_authority_file: Some("/dev/null".into()),
                ..settings(25)
            },
            "certificate_authority_file",
        ),
    ];
    for (settings, setting) in cases {
        let invalid = Smtp::new(settings).err().unwrap();
        assert_eq!(invalid.setting, setting, "{invalid}");
    }
}
