//! Conversions between types (cel-go `ConvertToType`).

use kindsmith_gostd::float::{format_f64, format_f64_plain};
use kindsmith_gostd::{duration, strconv, time as scalar_time};

use super::context::Context;
use super::time::{self, MAX_SECONDS, MIN_SECONDS};
use super::value::{Time, Value, double_to_int, double_to_uint};

const INT_OVERFLOW: &str = "integer overflow";
const UINT_OVERFLOW: &str = "unsigned integer overflow";
const TIMESTAMP_OVERFLOW: &str = "timestamp overflow";

#[cold]
fn failed<'a>(cx: &mut Context<'a>, value: Value<'a>, to: &str) -> Value<'a> {
    if value.is_error() {
        return value;
    }
    let text = format!("type conversion error from '{}' to '{to}'", value.type_name());
    cx.error(&text)
}

pub(crate) fn to_bool<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Bool(_) => value,
        Value::String(s) => match strconv::parse_bool(s) {
            Ok(b) => Value::Bool(b),
            Err(_) => failed(cx, value, "bool"),
        },
        _ => failed(cx, value, "bool"),
    }
}

pub(crate) fn to_bytes<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Bytes(_) => value,
        Value::String(s) => Value::Bytes(s.as_bytes()),
        _ => failed(cx, value, "bytes"),
    }
}

pub(crate) fn to_double<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Double(_) => value,
        Value::Int(i) => Value::Double(i as f64),
        Value::Uint(u) => Value::Double(u as f64),
        Value::String(s) => match strconv::parse_f64(s) {
            Ok(d) => Value::Double(d),
            Err(_) => failed(cx, value, "double"),
        },
        _ => failed(cx, value, "double"),
    }
}

pub(crate) fn to_int<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    let converted = match value {
        Value::Int(_) => return value,
        Value::Uint(u) => i64::try_from(u).ok(),
        Value::Double(d) => double_to_int(d),
        Value::Duration(d) => Some(d),
        Value::Timestamp(t) => Some(t.seconds),
        Value::String(s) => match strconv::parse_int(s, 10, 64) {
            Ok(i) => Some(i),
            Err(_) => return failed(cx, value, "int"),
        },
        _ => return failed(cx, value, "int"),
    };
    converted.map_or_else(|| cx.error(INT_OVERFLOW), Value::Int)
}

pub(crate) fn to_uint<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    let converted = match value {
        Value::Uint(_) => return value,
        Value::Int(i) => u64::try_from(i).ok(),
        Value::Double(d) => double_to_uint(d),
        Value::String(s) => match strconv::parse_uint(s, 10, 64) {
            Ok(u) => Some(u),
            Err(_) => return failed(cx, value, "uint"),
        },
        _ => return failed(cx, value, "uint"),
    };
    converted.map_or_else(|| cx.error(UINT_OVERFLOW), Value::Uint)
}

pub(crate) fn to_duration<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Duration(_) => value,
        Value::String(s) => match duration::Duration::parse(s) {
            Ok(duration) => Value::Duration(duration.0),
            Err(_) => failed(cx, value, "google.protobuf.Duration"),
        },
        _ => failed(cx, value, "google.protobuf.Duration"),
    }
}

pub(crate) fn to_timestamp<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    let time = match value {
        Value::Timestamp(_) => return value,
        Value::Int(seconds) => Time {
            seconds,
            nanos: 0,
            offset: 0,
        },
        Value::String(s) => match scalar_time::Time::parse(scalar_time::Layout::Rfc3339, s) {
            Ok(time) => Time::from(time),
            Err(_) => return failed(cx, value, "google.protobuf.Timestamp"),
        },
        _ => return failed(cx, value, "google.protobuf.Timestamp"),
    };
    if (MIN_SECONDS..=MAX_SECONDS).contains(&time.seconds) {
        Value::Timestamp(time)
    } else {
        cx.error(TIMESTAMP_OVERFLOW)
    }
}

/// The text of a scalar; `None` if it has none.
pub(crate) fn text(value: Value<'_>) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Uint(u) => u.to_string(),
        Value::Double(d) => format_f64(d),
        Value::String(s) => s.to_owned(),
        Value::Duration(d) => format!("{}s", format_f64_plain(time::seconds(d))),
        Value::Timestamp(t) => time::rfc3339(t),
        Value::Type(name) => name.to_owned(),
        _ => return None,
    })
}

pub(crate) fn to_string<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::String(_) => value,
        Value::Bytes(b) => match std::str::from_utf8(b) {
            Ok(s) => Value::String(s),
            Err(_) => cx.error("invalid UTF-8 in bytes, cannot convert to string"),
        },
        _ => match text(value) {
            Some(text) => cx.string(&text),
            None => failed(cx, value, "string"),
        },
    }
}
