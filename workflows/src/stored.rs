//! The wire form of events: a kind that is never renamed or reused, a schema number, and JSON.
//!
//! Events are for ever. A field that is added gets a default; anything else raises the schema
//! number and adds one step to `upcast`. The golden files of every kind and schema number hold this
//! in place.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    budget,
    budget::price_index,
    needs, negotiation, notice, operation, person, poc, policy,
    procurement::{CourseEvent, Event},
    shortlist, supplier,
};

/// The schema number that new events are written with.
pub const SCHEMA: u16 = 1;

/// An event that this version of the program cannot read: written by a newer one, or not by ours.
#[derive(Debug, thiserror::Error)]
#[error("an event of kind `{kind}`, schema {schema}, cannot be read: {why}")]
pub struct Unreadable {
    pub kind: String,
    pub schema: u16,
    pub why: String,
}

pub trait StoredEvent: Sized {
    /// `<room>.<fact>`.
    fn kind(&self) -> String;

    fn data(&self) -> Value;

    fn read(kind: &str, schema: u16, data: Value) -> Result<Self, Unreadable>;

    /// The same from JSON text, without a tree of values in between.
    fn read_text(kind: &str, schema: u16, data: &[u8]) -> Result<Self, Unreadable>;
}

/// Old schema numbers are brought up to the present one, step by step, before they are decoded.
fn upcast(kind: &str, schema: u16, data: Value) -> Result<Value, Unreadable> {
    match schema {
        SCHEMA => Ok(data),
        _ => Err(Unreadable {
            kind: kind.to_owned(),
            schema,
            why: format!("this program knows schema numbers up to {SCHEMA}"),
        }),
    }
}

/// Every event enum is written by serde as `{"kind": …, "data": …}`.
fn taken_apart<E: Serialize>(room: &str, event: &E) -> (String, Value) {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(event) else {
        unreachable!("an event is written as an object")
    };
    let Some(Value::String(fact)) = fields.remove("kind") else {
        unreachable!("an event is written with its kind")
    };
    (format!("{room}.{fact}"), fields.remove("data").unwrap_or(Value::Null))
}

fn put_together<E: DeserializeOwned>(
    room: &str,
    kind: &str,
    schema: u16,
    data: Value,
) -> Result<E, Unreadable> {
    let unreadable = |why: String| Unreadable { kind: kind.to_owned(), schema, why };
    let fact = kind
        .strip_prefix(room)
        .and_then(|rest| rest.strip_prefix('.'))
        .ok_or_else(|| unreadable(format!("it does not belong to `{room}`")))?;
    let data = upcast(kind, schema, data)?;
    // Put together by hand, because `json!` would copy the data.
    let fields = [("kind".to_owned(), fact.into()), ("data".to_owned(), data)];
    serde_json::from_value(Value::Object(fields.into_iter().collect()))
        .map_err(|error| unreadable(error.to_string()))
}

/// The same as `put_together`, from text: most of a replay is this.
fn put_together_text<E: DeserializeOwned>(
    room: &str,
    kind: &str,
    schema: u16,
    data: &[u8],
) -> Result<E, Unreadable> {
    let unreadable = |why: String| Unreadable { kind: kind.to_owned(), schema, why };
    let fact = kind.strip_prefix(room).and_then(|rest| rest.strip_prefix('.'));
    let is_plain = |fact: &&str| fact.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let (Some(fact), SCHEMA) = (fact.filter(is_plain), schema) else {
        let data = serde_json::from_slice(data).map_err(|error| unreadable(error.to_string()))?;
        return put_together(room, kind, schema, data);
    };
    let text = [br#"{"kind":""#, fact.as_bytes(), br#"","data":"#, data, b"}"].concat();
    serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))
}

macro_rules! one_room {
    ($($event:ty, $room:literal;)+) => {$(
        impl StoredEvent for $event {
            fn kind(&self) -> String {
                taken_apart($room, self).0
            }

            fn data(&self) -> Value {
                taken_apart($room, self).1
            }

            fn read(kind: &str, schema: u16, data: Value) -> Result<Self, Unreadable> {
                put_together($room, kind, schema, data)
            }

            fn read_text(kind: &str, schema: u16, data: &[u8]) -> Result<Self, Unreadable> {
                put_together_text($room, kind, schema, data)
            }
        }
    )+};
}

one_room! {
    CourseEvent, "procurement";
    needs::Event, "needs";
    budget::Event, "budget";
    shortlist::Event, "shortlist";
    poc::Event, "poc";
    negotiation::Event, "negotiation";
    operation::Event, "operation";
    supplier::Event, "supplier";
    person::Event, "person";
    policy::Event, "policy";
    notice::Event, "notice";
    price_index::Event, "prices";
}

impl StoredEvent for Event {
    fn kind(&self) -> String {
        match self {
            Self::Course(event) => event.kind(),
            Self::Needs(event) => event.kind(),
            Self::Budget(event) => event.kind(),
            Self::Shortlist(event) => event.kind(),
            Self::Poc(event) => event.kind(),
            Self::Negotiation(event) => event.kind(),
            Self::Operation(event) => event.kind(),
        }
    }

    fn data(&self) -> Value {
        match self {
            Self::Course(event) => event.data(),
            Self::Needs(event) => event.data(),
            Self::Budget(event) => event.data(),
            Self::Shortlist(event) => event.data(),
            Self::Poc(event) => event.data(),
            Self::Negotiation(event) => event.data(),
            Self::Operation(event) => event.data(),
        }
    }

    fn read(kind: &str, schema: u16, data: Value) -> Result<Self, Unreadable> {
        match of_a_stage(kind, schema)? {
            Room::Course => StoredEvent::read(kind, schema, data).map(Self::Course),
            Room::Needs => StoredEvent::read(kind, schema, data).map(Self::Needs),
            Room::Budget => StoredEvent::read(kind, schema, data).map(Self::Budget),
            Room::Shortlist => StoredEvent::read(kind, schema, data).map(Self::Shortlist),
            Room::Poc => StoredEvent::read(kind, schema, data).map(Self::Poc),
            Room::Negotiation => StoredEvent::read(kind, schema, data).map(Self::Negotiation),
            Room::Operation => StoredEvent::read(kind, schema, data).map(Self::Operation),
        }
    }

    fn read_text(kind: &str, schema: u16, data: &[u8]) -> Result<Self, Unreadable> {
        match of_a_stage(kind, schema)? {
            Room::Course => StoredEvent::read_text(kind, schema, data).map(Self::Course),
            Room::Needs => StoredEvent::read_text(kind, schema, data).map(Self::Needs),
            Room::Budget => StoredEvent::read_text(kind, schema, data).map(Self::Budget),
            Room::Shortlist => StoredEvent::read_text(kind, schema, data).map(Self::Shortlist),
            Room::Poc => StoredEvent::read_text(kind, schema, data).map(Self::Poc),
            Room::Negotiation => StoredEvent::read_text(kind, schema, data).map(Self::Negotiation),
            Room::Operation => StoredEvent::read_text(kind, schema, data).map(Self::Operation),
        }
    }
}

/// Where an event of a procurement belongs.
enum Room {
    Course,
    Needs,
    Budget,
    Shortlist,
    Poc,
    Negotiation,
    Operation,
}

fn of_a_stage(kind: &str, schema: u16) -> Result<Room, Unreadable> {
    match kind.split_once('.').map(|(room, _)| room) {
        Some("procurement") => Ok(Room::Course),
        Some("needs") => Ok(Room::Needs),
        Some("budget") => Ok(Room::Budget),
        Some("shortlist") => Ok(Room::Shortlist),
        Some("poc") => Ok(Room::Poc),
        Some("negotiation") => Ok(Room::Negotiation),
        Some("operation") => Ok(Room::Operation),
        Some(_) | None => Err(Unreadable {
            kind: kind.to_owned(),
            schema,
            why: "no stage of a procurement has it".to_owned(),
        }),
    }
}
