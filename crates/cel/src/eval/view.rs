//! Results for callers, one level of a value at a time.

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::{base64, duration};

use super::context::Context;
use super::list;
use super::scratch::Scratch;
use super::time;
use super::value::{Ext, Time, Value};

/// A value in a form that can be printed.
#[derive(Clone, Debug)]
pub enum View<'a> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A finite double.
    Double(f64),
    /// Anything else that has a text: strings, base64 of bytes, times in UTC, durations, types, library types.
    Text(String),
    /// The elements of a list.
    List(Vec<Value<'a>>),
    /// The entries of a map.
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// The value of an optional.
    Optional(Option<Value<'a>>),
    /// The message of an error.
    Error(&'a str),
}

/// Converts a value; elements of containers are values again.
pub fn view<'a>(value: Value<'a>, scratch: &'a Scratch) -> View<'a> {
    let mut cx = Context::new(scratch, 0, u64::MAX);
    match value {
        Value::Null => View::Null,
        Value::Bool(b) => View::Bool(b),
        Value::Int(i) => View::Int(i),
        Value::Uint(u) => View::Uint(u),
        Value::Double(d) if d.is_finite() => View::Double(d),
        Value::Double(f64::INFINITY) => View::Text("Infinity".to_owned()),
        Value::Double(f64::NEG_INFINITY) => View::Text("-Infinity".to_owned()),
        Value::Double(d) => View::Text(format_f64(d)),
        Value::String(s) | Value::Type(s) => View::Text(s.to_owned()),
        Value::Bytes(b) => View::Text(base64::encode(b)),
        Value::Duration(d) => View::Text(duration::Duration(d).to_string()),
        Value::Timestamp(t) => View::Text(time::rfc3339(Time { offset: 0, ..t })),
        Value::Optional(inner) => View::Optional(inner.copied()),
        Value::Ext(Ext::Format(format)) => View::Text(format.title.to_owned()),
        Value::Ext(ext) => View::Text(ext.to_string()),
        Value::Opaque(json) => View::Text(kindsmith_json::to_string(*json)),
        Value::Error(message) => View::Error(message),
        Value::Map(map) => View::Map(map.entries.to_vec()),
        Value::Record(record) => {
            let fields = record.fields.iter();
            View::Map(
                fields
                    .map(|&(name, value)| (Value::String(name), value))
                    .collect(),
            )
        }
        Value::Variables => View::Text(value.type_name().to_owned()),
        _ if value.is_map() => {
            // Hidden fields have no name.
            let keys = list::keys(&mut cx, value);
            View::Map(
                keys.into_iter()
                    .filter(|key| !matches!(key, Value::Null))
                    .map(|key| (key, list::map_get(&mut cx, value, key)))
                    .collect(),
            )
        }
        _ => View::List(list::elements(&mut cx, value)),
    }
}
