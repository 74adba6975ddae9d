//! Between the plain data of an event and what is stored: marked fields are sealed and opened.
//!
//! A marked string becomes `{"key": id, "sealed": base64}` and is bound to its stream, the kind of
//! its event and its place in it, so that it reads nowhere else. An unsealed string is read as it
//! is: events from before there were seals stay readable.
//!
//! The rule: what belongs to somebody who was erased reads as a pseudonym, sealed or not. What does
//! not open for any other reason is an error that says where.
//!
//! Which fields are marked is the table in `workflows::personal`.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sixgate_storage::{Position, StreamId};
use sixgate_workflows::personal::{self, Form, Mark, Whose};

use crate::keys::{DataSubject, Found, KeyId, Keys};

/// What stands in the place of a sealed string.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed {
    key: KeyId,
    sealed: String,
}

/// Where a piece of data stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) stream: &'a StreamId,
    pub(crate) kind: &'a str,
}

impl Place<'_> {
    /// Neither streams nor kinds nor pointers hold the separator.
    fn bound(&self, pointer: &str) -> Vec<u8> {
        [self.stream.as_str(), self.kind, pointer].join("\0").into_bytes()
    }

    fn subject(&self, mark: &Mark, data: &Value) -> Option<DataSubject> {
        match mark.whose {
            Whose::OfTheStream => Some(DataSubject::of_stream(self.stream.as_str())),
            Whose::OfThePersonAt(place) => {
                data.pointer(place).and_then(Value::as_str).map(DataSubject::person)
            }
        }
    }

    /// Whose key will be needed to seal this.
    pub(crate) fn needs_key_of(&self, data: &Value) -> Option<DataSubject> {
        self.subject(personal::mark(self.kind)?, data)
    }

    /// Keys have been provided before.
    pub(crate) fn seal(&self, keys: &Keys, data: &mut Value) {
        let Some(mark) = personal::mark(self.kind) else { return };
        let Some(subject) = self.subject(mark, data) else { return };
        let key = keys.current(&subject);
        let sealing = |pointer: &str, form: Form, leaf: &mut Value| -> Result<(), String> {
            let Value::String(plain) = &*leaf else { return Ok(()) };
            *leaf = match &key {
                Some(key) => {
                    let bytes = key.seal(&self.bound(pointer), plain.as_bytes());
                    let sealed = Sealed { key: key.id().clone(), sealed: BASE64.encode(bytes) };
                    serde_json::to_value(sealed).expect("two strings are JSON")
                }
                // Erased since the command was decided: not a word of it is stored any more.
                None => personal::pseudonym(form, subject.tag()).into(),
            };
            Ok(())
        };
        each_leaf(mark, data, sealing).expect("sealing refuses nothing");
    }

    pub(crate) fn open(
        &self,
        keys: &Keys,
        position: Position,
        data: &mut Value,
    ) -> Result<(), String> {
        let Some(mark) = personal::mark(self.kind) else { return Ok(()) };
        let Some(subject) = self.subject(mark, data) else { return Ok(()) };
        let erased = keys.erased_at(&subject).is_some_and(|at| position < at);
        each_leaf(mark, data, |pointer, form, leaf| {
            let plain = if leaf.is_string() {
                (!erased).then(|| leaf.take())
            } else {
                self.unsealed(keys, pointer, leaf)
                    .map_err(|why| format!("`{pointer}` at position {position} {why}"))?
            };
            *leaf = plain.unwrap_or_else(|| personal::pseudonym(form, subject.tag()).into());
            Ok(())
        })
    }

    /// Nothing when its key was destroyed.
    fn unsealed(&self, keys: &Keys, pointer: &str, leaf: &Value) -> Result<Option<Value>, String> {
        let Sealed { key, sealed } = Sealed::deserialize(leaf)
            .map_err(|error| format!("is neither plain nor sealed: {error}"))?;
        let key = match keys.find(&key) {
            Found::Key(key) => key,
            Found::Destroyed => return Ok(None),
            Found::Unknown => {
                return Err(format!(
                    "is sealed under the key {key}, which is not in the key file; \
                     restore the key file that belongs to this log"
                ));
            }
        };
        let bytes = BASE64.decode(&sealed).map_err(|error| format!("is damaged: {error}"))?;
        let plain = key
            .open(&self.bound(pointer), &bytes)
            .map_err(|broken| format!("does not open: {broken}"))?;
        let plain = String::from_utf8(plain).map_err(|error| format!("is no text: {error}"))?;
        Ok(Some(plain.into()))
    }
}

/// Every string, plain or sealed, at or below the places of a mark.
fn each_leaf(
    mark: &Mark,
    data: &mut Value,
    mut change: impl FnMut(&str, Form, &mut Value) -> Result<(), String>,
) -> Result<(), String> {
    for (place, form) in mark.places {
        if let Some(value) = data.pointer_mut(place) {
            below(place.to_string(), value, &mut |pointer, leaf| change(pointer, *form, leaf))?;
        }
    }
    Ok(())
}

fn below(
    pointer: String,
    value: &mut Value,
    change: &mut impl FnMut(&str, &mut Value) -> Result<(), String>,
) -> Result<(), String> {
    match value {
        Value::String(_) => change(&pointer, value),
        Value::Object(fields) if fields.contains_key("sealed") => change(&pointer, value),
        Value::Object(fields) => fields
            .iter_mut()
            .try_for_each(|(name, value)| below(format!("{pointer}/{name}"), value, change)),
        Value::Array(items) => items
            .iter_mut()
            .enumerate()
            .try_for_each(|(index, value)| below(format!("{pointer}/{index}"), value, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}
