//! A JSON document as a tree, without the parts that can be huge and say nothing here.
//!
//! Figures may be written as text; a name that comes twice in an object counts once, with its last value.
//! Nesting is bounded by `serde_json`, size by the text that is held anyway.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reads an object that [`super::objects`] found; members named in `without` are passed over.
pub(crate) fn tree(json: &str, without: &'static [&'static str]) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Pruned { without }.deserialize(&mut deserializer).ok()
}

pub(crate) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

/// A finite number, also one in quotes.
pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.filter(|number| number.is_finite())
}

pub(crate) fn number_at(value: &Value, path: &[&str]) -> Option<f64> {
    number(at(value, path)?)
}

pub(crate) fn count_at(value: &Value, path: &[&str]) -> Option<u64> {
    whole(number_at(value, path)?)
}

pub(crate) fn text_at(value: &Value, path: &[&str]) -> Option<String> {
    at(value, path)?.as_str().map(str::to_owned)
}

/// A count that was written as a figure; `None` where it is none.
pub(crate) fn whole(number: f64) -> Option<u64> {
    if number.fract() != 0.0 || !(0.0..9e15).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 9e15")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let whole = number as u64;
    Some(whole)
}

#[derive(Clone, Copy)]
struct Pruned {
    without: &'static [&'static str],
}

impl<'de> DeserializeSeed<'de> for Pruned {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pruned {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if self.without.contains(&name.as_str()) {
                members.next_value::<IgnoredAny>()?;
            } else {
                let value = members.next_value_seed(self)?;
                map.insert(name, value);
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::{number_at, tree};

    #[test]
    fn heavy_members_are_passed_over_and_figures_in_quotes_are_read() {
        let tree = tree(r#"{"a": {"bins": [1, 2], "b": "2.5", "c": "nan"}, "a2": 1e3}"#, &["bins"]);
        let tree = tree.unwrap();
        assert!(tree["a"].get("bins").is_none());
        assert_eq!(number_at(&tree, &["a", "b"]), Some(2.5));
        assert_eq!(number_at(&tree, &["a", "c"]), None);
        assert_eq!(number_at(&tree, &["a2"]), Some(1000.0));
    }
}
