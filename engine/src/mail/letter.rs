//! A letter and the bytes it becomes.
//!
//! The rule: [`freeze`] is a pure function, the same letter gives the same bytes on every machine
//! and on every day, and no letter makes it panic. MIME boundaries come from a hash of the whole
//! letter, so they are neither random nor something that a writer could put into his own text.
//! It deliberately renders no templates, adds no attachments and signs nothing (DKIM is the
//! relay's work).

use super::{Envelope, Unsendable, text, wire};
use chrono::{DateTime, Datelike, Utc};
use lettre::Message;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

const PARTS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Who writes. The name may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub name: String,
    pub address: String,
}

/// Who reads. The name may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    pub name: String,
    pub address: String,
}

/// Everything that a message to one reader says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Without angle brackets, as [`message_id`] makes it.
    pub message_id: String,
    pub from: Sender,
    pub to: Recipient,
    pub date: DateTime<Utc>,
    pub subject: String,
    pub text: String,
    pub html: Option<String>,
    /// An iCalendar REQUEST or CANCEL, as [`invitation`](super::invitation) writes it.
    pub calendar: Option<String>,
    /// The address of a page on which the reader may decline such letters. Opening it changes
    /// nothing, since programs that look for harmful links open all of them.
    pub preferences: Option<String>,
}

impl Letter {
    pub fn envelope(&self) -> Envelope {
        Envelope { from: self.from.address.clone(), to: self.to.address.clone() }
    }
}

/// A stable id from what the letter is about: the same key gives the same id.
pub fn message_id(key: &str, domain: &str) -> String {
    format!("{}@{domain}", hexadecimal(&Sha256::digest(key.as_bytes())[..16]))
}

/// The RFC 5322 bytes of a letter.
pub fn freeze(letter: &Letter) -> Result<Vec<u8>, Unsendable> {
    if !wire::is_plain_message_id(&letter.message_id) {
        return Err(Unsendable::MessageId);
    }
    if !(1970..=9999).contains(&letter.date.year()) {
        return Err(Unsendable::Date);
    }
    let optional_bytes = |part: &Option<String>| part.as_ref().map_or(0, String::len);
    let bytes = letter.text.len() + optional_bytes(&letter.html) + optional_bytes(&letter.calendar);
    if bytes > PARTS_BYTES_MAX {
        return Err(Unsendable::TooLarge { limit_bytes: PARTS_BYTES_MAX });
    }

    // The checks above and in `build` leave nothing known that lettre panics on. The net stays,
    // because one letter must not stop the thread that sends all the others.
    let message = catch_unwind(AssertUnwindSafe(|| build(letter))).unwrap_or_else(|_| {
        Err(Unsendable::NotBuilt { why: "the message builder panicked".to_owned() })
    })?;
    match wire::fault(&message) {
        Some(why) => Err(Unsendable::NotBuilt { why: why.to_owned() }),
        None => Ok(message),
    }
}

fn build(letter: &Letter) -> Result<Vec<u8>, Unsendable> {
    let from = Mailbox::new(
        text::name("sender name", &letter.from.name)?,
        text::address("sender address", &letter.from.address)?,
    );
    let to = Mailbox::new(
        text::name("recipient name", &letter.to.name)?,
        text::address("recipient address", &letter.to.address)?,
    );
    let builder = Message::builder()
        .from(from)
        .to(to)
        .subject(text::subject(&letter.subject)?)
        .date(SystemTime::from(letter.date))
        .message_id(Some(format!("<{}>", letter.message_id)))
        .header(AutoSubmitted)
        .header(SuppressAutomaticReplies);
    let builder = match &letter.preferences {
        Some(page) => builder.header(ListUnsubscribe(text::page("preferences page", page)?)),
        None => builder,
    };

    let plain = part(ContentType::TEXT_PLAIN, &letter.text);
    let message = if letter.html.is_none() && letter.calendar.is_none() {
        builder.singlepart(plain)
    } else {
        let mut parts = MultiPart::alternative().boundary(boundary(letter)).singlepart(plain);
        if let Some(html) = &letter.html {
            parts = parts.singlepart(part(ContentType::TEXT_HTML, html));
        }
        if let Some(calendar) = &letter.calendar {
            parts = parts.singlepart(calendar_part(calendar)?);
        }
        builder.multipart(parts)
    };
    message
        .map(|message| message.formatted())
        .map_err(|error| Unsendable::NotBuilt { why: error.to_string() })
}

fn part(kind: ContentType, content: &str) -> SinglePart {
    SinglePart::builder().header(kind).body(text::body(content))
}

/// The `method` of the part must equal the METHOD of the body, otherwise mail programs show a
/// file instead of an invitation.
fn calendar_part(calendar: &str) -> Result<SinglePart, Unsendable> {
    let calendar = text::body(calendar);
    let lines = || calendar.lines().map(str::trim_end);
    let is_whole =
        lines().next() == Some("BEGIN:VCALENDAR") && lines().next_back() == Some("END:VCALENDAR");
    let methods: Vec<&str> = lines().filter(|line| line.starts_with("METHOD")).collect();
    let kind = match methods[..] {
        ["METHOD:REQUEST"] if is_whole => "text/calendar; method=REQUEST; charset=UTF-8",
        ["METHOD:CANCEL"] if is_whole => "text/calendar; method=CANCEL; charset=UTF-8",
        _ => return Err(Unsendable::Calendar),
    };
    let kind = ContentType::parse(kind).expect("the content types are constants that parse");
    Ok(part(kind, &calendar))
}

fn boundary(letter: &Letter) -> String {
    let mut hash = Sha256::new();
    let parts = [
        Some(&letter.message_id),
        Some(&letter.subject),
        Some(&letter.text),
        letter.html.as_ref(),
        letter.calendar.as_ref(),
    ];
    for part in parts {
        let part = part.map_or("", String::as_str);
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    format!("sixgate-{}", hexadecimal(&hash.finalize()[..16]))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// RFC 3834: nobody wrote this by hand, so no vacation notice should answer it.
#[derive(Clone)]
struct AutoSubmitted;

/// The same request in the words that Exchange understands.
#[derive(Clone)]
struct SuppressAutomaticReplies;

/// A header whose value never changes.
macro_rules! constant_header {
    ($header:ident, $name:literal, $value:literal) => {
        impl Header for $header {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(_: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
                Ok(Self)
            }

            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), $value.to_owned())
            }
        }
    };
}

constant_header!(AutoSubmitted, "Auto-Submitted", "auto-generated");
constant_header!(SuppressAutomaticReplies, "X-Auto-Response-Suppress", "All");

/// RFC 2369: where to go to hear no more of it.
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(value: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self(value.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), format!("<{}>", self.0))
    }
}
