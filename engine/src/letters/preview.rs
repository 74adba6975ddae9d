//! What a letter of some kind looks like, without an organisation, a log or a mail server.

use chrono_tz::Tz;
use sixgate_workflows::{content::sample::Sample, deadline::NoticeKind, locale::Locale};

use crate::{
    engine::Settings,
    error::Error,
    mail::{self, Letter},
};

/// A letter with made-up figures, written as any other.
///
/// # Errors
///
/// [`Error::Setup`] when the sample has nothing that such a letter would tell of.
pub fn preview(kind: NoticeKind, locale: Locale) -> Result<Letter, Error> {
    let sample = Sample::of(kind, locale)
        .ok_or_else(|| Error::Setup(format!("there is no sample of {}", kind.id())))?;
    let settings = Settings {
        zone: Tz::Asia__Shanghai,
        sender_name: "sixgate".to_owned(),
        sender_address: "sixgate@buyer.example".to_owned(),
        public_url: Some("https://sixgate.buyer.example".to_owned()),
        instance: "preview".to_owned(),
        checkpoints: None,
    };
    let id = mail::message_id(&format!("preview|{}|{}", kind.id(), locale.tag()), "buyer.example");
    let (source, reader) = (sample.source(), sample.reader());
    Ok(super::letter(&settings, &source, &reader, "reader@buyer.example", id).0)
}
