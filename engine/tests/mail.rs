//! Mail through its public door: letters, folders, scripted servers, and a real one.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it as the test itself may")]

#[path = "mail/calendar.rs"]
mod calendar;
#[path = "mail/fake_server.rs"]
mod fake_server;
#[path = "mail/folder.rs"]
mod folder;
#[path = "mail/freeze.rs"]
mod freeze;
#[path = "mail/postfix.rs"]
mod postfix;
#[path = "mail/previews.rs"]
mod previews;
#[path = "mail/quarters.rs"]
mod quarters;
#[path = "mail/scripted.rs"]
mod scripted;
#[path = "mail/settings.rs"]
mod settings;
#[path = "mail/sink.rs"]
mod sink;
#[path = "mail/sink_process.rs"]
mod sink_process;
#[path = "mail/tls.rs"]
mod tls;

use chrono::{DateTime, Utc};
use sixgate_engine::mail::{
    Deadlines, Letter, Recipient, Security, Sender, Smtp, SmtpSettings, Transport, message_id,
};
use std::time::Duration;

/// Long enough for a loopback server on a busy machine.
const AMPLE: Duration = Duration::from_secs(20);
/// Short enough to wait for in full.
const BRIEF: Duration = Duration::from_millis(300);

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn letter() -> Letter {
    Letter {
        message_id: message_id("review-2027-q1/li.lei", "procurement.example"),
        from: Sender { name: "Sixgate".into(), address: "gates@procurement.example".into() },
        to: Recipient { name: "Li Lei".into(), address: "li.lei@buyer.example".into() },
        date: moment("2027-03-30T01:02:03Z"),
        subject: "Quarterly review is due".into(),
        text: "The review of contract C-17 is due.\n".into(),
        html: None,
        calendar: None,
        preferences: None,
    }
}

fn settings(port: u16) -> SmtpSettings {
    SmtpSettings {
        host: "127.0.0.1".into(),
        port,
        security: Security::None,
        user: None,
        password: None,
        hello_name: Some("client.example".into()),
        certificate_authority_file: None,
        deadlines: Deadlines { connect: AMPLE, session: AMPLE, envelope: AMPLE, content: AMPLE },
    }
}

fn transport(settings: SmtpSettings) -> Transport {
    Transport::Smtp(Smtp::new(settings).unwrap())
}
