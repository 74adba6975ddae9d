//! Why a letter cannot become a message.
//!
//! The rule: every variant names the field that is wrong and never quotes its content, because the
//! content is what cannot be trusted. It deliberately knows nothing of servers: an [`Unsendable`]
//! letter was never offered to one.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unsendable {
    #[error("the {field} contains a line break or another control character")]
    ControlCharacter { field: &'static str },
    #[error("the {field} is empty")]
    Empty { field: &'static str },
    #[error("the {field} is longer than {limit_characters} characters")]
    TooLong { field: &'static str, limit_characters: usize },
    #[error("the {field} is not an e-mail address")]
    NotAnAddress { field: &'static str },
    #[error("the {field} is not the address of a web page")]
    NotAPage { field: &'static str },
    #[error("the message id is not of the form word@domain")]
    MessageId,
    #[error("the date lies outside the years 1970 to 9999")]
    Date,
    #[error("the calendar part is not one VCALENDAR with METHOD:REQUEST or METHOD:CANCEL")]
    Calendar,
    #[error("the parts of the letter are together larger than {limit_bytes} bytes")]
    TooLarge { limit_bytes: usize },
    #[error("the message could not be built: {why}")]
    NotBuilt { why: String },
}

impl Unsendable {
    /// The stable name of the variant, for events and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ControlCharacter { .. } => "mail_control_character",
            Self::Empty { .. } => "mail_empty",
            Self::TooLong { .. } => "mail_too_long",
            Self::NotAnAddress { .. } => "mail_not_an_address",
            Self::NotAPage { .. } => "mail_not_a_page",
            Self::MessageId => "mail_message_id",
            Self::Date => "mail_date",
            Self::Calendar => "mail_calendar",
            Self::TooLarge { .. } => "mail_too_large",
            Self::NotBuilt { .. } => "mail_not_built",
        }
    }
}
