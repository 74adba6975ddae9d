//! People: their functions, language, substitutes and access tokens.
//!
//! A token is known here only by its hash; the secret is shown once, where it is made.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    context::Context,
    delivery::Delivery,
    evidence::ContentHash,
    function::Function,
    ids::{PersonId, TokenId},
    invalid::Invalid,
    locale::Locale,
    recorded::Stamp,
    rejection::Rejection,
    text::Name,
};

/// An address that mail can be sent to: `local@domain`, one line, no blanks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MailAddress(String);

impl MailAddress {
    pub fn new(text: &str) -> Result<Self, Invalid> {
        let refuse = |why| Err(Invalid::new("mail address", format!("`{text}` {why}")));
        let text = text.trim();
        let Some((local, domain)) = text.rsplit_once('@') else {
            return refuse("has no @");
        };
        if local.is_empty() || domain.is_empty() || text.len() > 254 {
            return refuse("is not of the form name@domain");
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || "<>,;:\"()[]\\".contains(c))
        {
            return refuse("contains a character that an address may not have");
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for MailAddress {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::new(&text)
    }
}

impl From<MailAddress> for String {
    fn from(address: MailAddress) -> Self {
        address.0
    }
}

/// Somebody who may sign in one's place from the first to the last day, both included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitute {
    pub person: PersonId,
    pub from: NaiveDate,
    pub until: NaiveDate,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    Register {
        name: Name,
        mail: MailAddress,
        locale: Locale,
        zone: Tz,
        functions: BTreeSet<Function>,
    },
    GrantFunction {
        function: Function,
    },
    RevokeFunction {
        function: Function,
    },
    SetPreferences {
        locale: Locale,
        zone: Tz,
    },
    SetDelivery {
        delivery: Delivery,
    },
    NameSubstitute {
        substitute: Substitute,
    },
    IssueToken {
        token: TokenId,
        hash: ContentHash,
        label: Name,
        expires_at: DateTime<Utc>,
    },
    RevokeToken {
        token: TokenId,
    },
    Deactivate,
    /// Ends all access like deactivating, and takes back who the person was. It is final.
    Erase,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Registered {
        id: PersonId,
        name: Name,
        mail: MailAddress,
        locale: Locale,
        zone: Tz,
        functions: BTreeSet<Function>,
    },
    FunctionGranted {
        function: Function,
    },
    FunctionRevoked {
        function: Function,
    },
    PreferencesSet {
        locale: Locale,
        zone: Tz,
    },
    DeliverySet {
        delivery: Delivery,
    },
    SubstituteNamed {
        substitute: Substitute,
    },
    TokenIssued {
        token: TokenId,
        hash: ContentHash,
        label: Name,
        expires_at: DateTime<Utc>,
    },
    TokenRevoked {
        token: TokenId,
    },
    Deactivated {},
    /// What was said about the person before is not readable any more (`personal`).
    Erased {},
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub hash: ContentHash,
    pub label: Name,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub id: PersonId,
    pub name: Name,
    pub mail: MailAddress,
    pub locale: Locale,
    pub zone: Tz,
    pub delivery: Delivery,
    pub functions: BTreeSet<Function>,
    pub substitute: Option<Substitute>,
    pub tokens: BTreeMap<TokenId, Token>,
    pub active: bool,
    /// Name and address are pseudonyms now.
    pub erased: bool,
}

impl Person {
    /// Who stands in for this person on a day, if anybody.
    pub fn substitute_on(&self, day: NaiveDate) -> Option<PersonId> {
        self.substitute
            .as_ref()
            .filter(|substitute| substitute.from <= day && day <= substitute.until)
            .map(|substitute| substitute.person)
    }
}

pub fn decide(
    state: Option<&Person>,
    id: PersonId,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    if let Command::Register { name, mail, locale, zone, functions } = command {
        return match state {
            Some(_) => Err(Rejection::AlreadyRegistered),
            None => Ok(vec![Event::Registered { id, name, mail, locale, zone, functions }]),
        };
    }
    let person = state.ok_or(Rejection::NoSuchPerson { person: id })?;
    if command == Command::Erase {
        return match person.erased {
            true => Err(Rejection::NothingChanges),
            false => Ok(vec![Event::Erased {}]),
        };
    }
    if !person.active {
        return Err(Rejection::PersonInactive { person: id });
    }
    match command {
        Command::Register { .. } => Err(Rejection::AlreadyRegistered),
        Command::Erase => Err(Rejection::NothingChanges),
        Command::GrantFunction { function } => match person.functions.contains(&function) {
            true => Err(Rejection::NothingChanges),
            false => Ok(vec![Event::FunctionGranted { function }]),
        },
        Command::RevokeFunction { function } => match person.functions.contains(&function) {
            true => Ok(vec![Event::FunctionRevoked { function }]),
            false => Err(Rejection::NothingChanges),
        },
        Command::SetPreferences { locale, zone } => {
            Ok(vec![Event::PreferencesSet { locale, zone }])
        }
        Command::SetDelivery { delivery } => {
            delivery.check()?;
            Ok(vec![Event::DeliverySet { delivery }])
        }
        Command::NameSubstitute { substitute } => name_substitute(id, substitute, context),
        Command::IssueToken { token, hash, label, expires_at } => {
            if expires_at <= context.now {
                return Err(Rejection::AlreadyExpired { expires_on: expires_at.date_naive() });
            }
            Ok(vec![Event::TokenIssued { token, hash, label, expires_at }])
        }
        Command::RevokeToken { token } => match person.tokens.contains_key(&token) {
            true => Ok(vec![Event::TokenRevoked { token }]),
            false => Err(Rejection::NothingChanges),
        },
        Command::Deactivate => Ok(vec![Event::Deactivated {}]),
    }
}

fn name_substitute(
    id: PersonId,
    substitute: Substitute,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    if substitute.person == id || !context.people.contains(&substitute.person) {
        return Err(Rejection::NoSuchPerson { person: substitute.person });
    }
    if substitute.until < substitute.from {
        return Err(Invalid::new("substitute", "the last day is before the first").into());
    }
    Ok(vec![Event::SubstituteNamed { substitute }])
}

pub fn evolve(state: &mut Option<Person>, event: &Event, _stamp: Stamp) {
    if let Event::Registered { id, name, mail, locale, zone, functions } = event {
        *state = Some(Person {
            id: *id,
            name: name.clone(),
            mail: mail.clone(),
            locale: *locale,
            zone: *zone,
            delivery: Delivery::default(),
            functions: functions.clone(),
            substitute: None,
            tokens: BTreeMap::new(),
            active: true,
            erased: false,
        });
        return;
    }
    let Some(person) = state else { return };
    match event {
        Event::Registered { .. } => {}
        Event::FunctionGranted { function } => {
            person.functions.insert(*function);
        }
        Event::FunctionRevoked { function } => {
            person.functions.remove(function);
        }
        Event::PreferencesSet { locale, zone } => {
            person.locale = *locale;
            person.zone = *zone;
        }
        Event::DeliverySet { delivery } => person.delivery = delivery.clone(),
        Event::SubstituteNamed { substitute } => person.substitute = Some(substitute.clone()),
        Event::TokenIssued { token, hash, label, expires_at } => {
            let issued =
                Token { hash: hash.clone(), label: label.clone(), expires_at: *expires_at };
            person.tokens.insert(*token, issued);
        }
        Event::TokenRevoked { token } => {
            person.tokens.remove(token);
        }
        Event::Deactivated {} => {
            person.active = false;
            person.tokens.clear();
        }
        // The name needs no change here: it is read as a pseudonym from now on.
        Event::Erased {} => {
            person.active = false;
            person.erased = true;
            person.substitute = None;
            person.tokens.clear();
        }
    }
}
