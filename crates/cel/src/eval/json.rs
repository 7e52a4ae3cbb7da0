//! JSON data with its schema (`apiserver/pkg/cel/common/valuesunstructured.go`).
//!
//! Nothing is converted in advance: a field becomes a value when it is read.

use kindsmith_gostd::{base64, duration, time};
use kindsmith_json::{Object, Value as Json};

use crate::escape::unescape;
use crate::types::decl::{Format, Node, NodeShape};

use super::context::{Context, map_in};
use super::scratch::Scratch;
use super::value::{Map, Time, Value};

/// The value of a piece of JSON under its schema node.
#[inline]
pub(crate) fn wrap<'a>(cx: &mut Context<'a>, json: &'a Json<'a>, node: &'a Node) -> Value<'a> {
    match (&node.shape, json) {
        _ if node.int_or_string => wrap_any(cx, json, node),
        (NodeShape::Object(_), Json::Object(_)) => Value::JsonMap(json, node),
        (NodeShape::String(Format::Plain), Json::Str(text)) => Value::String(text),
        (NodeShape::Integer, Json::Int(number)) => Value::Int(*number),
        _ => wrap_any(cx, json, node),
    }
}

/// A value without a schema, as CEL's own adapter makes it of plain data. Each list and map is paid for before it is made; without
/// room for it there is null instead, and whoever asked ends the evaluation.
pub(crate) fn dynamic<'a>(scratch: &'a Scratch, json: Json<'a>) -> Value<'a> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(truth),
        Json::Int(number) => Value::Int(number),
        Json::Uint(number) => Value::Double(number as f64),
        Json::Float(number) => Value::Double(number),
        Json::Str(text) => Value::String(text),
        Json::Array(items) => {
            if !scratch.pay(size_of::<Value<'_>>() as u64 * items.len() as u64) {
                return Value::Null;
            }
            let items: Vec<Value<'a>> = items.iter().map(|&item| dynamic(scratch, item)).collect();
            Value::List(scratch.arena().alloc_slice_copy(&items))
        }
        Json::Object(members) => {
            let each = size_of::<(Value<'_>, Value<'_>)>() + size_of::<u32>();
            if !scratch.pay((size_of::<Map<'_>>() + each * members.len()) as u64) {
                return Value::Null;
            }
            let entries: Vec<(Value<'a>, Value<'a>)> = members
                .iter()
                .map(|(key, value)| (Value::String(key), dynamic(scratch, value)))
                .collect();
            map_in(scratch.arena(), &entries)
        }
    }
}

fn wrap_any<'a>(cx: &mut Context<'a>, json: &'a Json<'a>, node: &'a Node) -> Value<'a> {
    if json.is_null() {
        return if node.nullable {
            Value::Null
        } else {
            cx.error("invalid data, got null for schema with nullable=false")
        };
    }
    if node.int_or_string {
        return match *json {
            Json::Str(text) => Value::String(text),
            Json::Int(number) => Value::Int(number),
            _ => cx.error("invalid data, expected XIntOrString value to be either a string or integer"),
        };
    }
    match (&node.shape, *json) {
        (NodeShape::Object(_), Json::Object(_)) => Value::JsonMap(json, node),
        (NodeShape::Object(_), _) => cx.error("invalid data, expected a map for the provided schema with type=object"),
        (NodeShape::Array { items: Some(_), .. }, Json::Array(_)) => Value::JsonList(json, node),
        (NodeShape::Array { items: None, .. }, Json::Array(_)) => {
            cx.error("invalid array type, expected Items with a non-empty Schema")
        }
        (NodeShape::Array { .. }, _) => cx.error("invalid data, expected an array for the provided schema with type=array"),
        (NodeShape::String(Format::Plain), Json::Str(text)) => Value::String(text),
        (NodeShape::String(format), Json::Str(text)) => formatted(cx, *format, text),
        (NodeShape::String(_), other) => mismatch(cx, "string", other),
        (NodeShape::Number, Json::Int(number)) => Value::Double(number as f64),
        (NodeShape::Number, Json::Uint(number)) => Value::Double(number as f64),
        (NodeShape::Number, Json::Float(number)) => Value::Double(number),
        (NodeShape::Number, other) => mismatch(cx, "float", other),
        (NodeShape::Integer, Json::Int(number)) => Value::Int(number),
        (NodeShape::Integer, other) => mismatch(cx, "int", other),
        (NodeShape::Boolean, Json::Bool(truth)) => Value::Bool(truth),
        (NodeShape::Boolean, other) => mismatch(cx, "bool", other),
        (NodeShape::Untyped, _) if node.preserve_unknown => Value::Opaque(json),
        (NodeShape::Untyped, _) => cx.error(
            "invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ",
        ),
    }
}

#[cold]
fn mismatch<'a>(cx: &mut Context<'a>, wanted: &str, got: Json<'_>) -> Value<'a> {
    let got = match got {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Int(_) => "int64",
        Json::Uint(_) | Json::Float(_) => "float64",
        Json::Str(_) => "string",
        Json::Array(_) => "[]interface {}",
        Json::Object(_) => "map[string]interface {}",
    };
    cx.error(&format!("invalid data, expected {wanted}, got {got}"))
}

fn formatted<'a>(cx: &mut Context<'a>, format: Format, text: &'a str) -> Value<'a> {
    match format {
        Format::Plain => Value::String(text),
        Format::Duration => match duration::parse_extended(text) {
            Ok(duration) => Value::Duration(duration.0),
            Err(error) => cx.error(&format!("Invalid duration {text}: {error}")),
        },
        Format::Date => match time::Time::parse(time::Layout::Date, text) {
            Ok(time) => Value::Timestamp(Time::from(time)),
            Err(error) => cx.error(&format!("Invalid date formatted string {text}: {error}")),
        },
        Format::DateTime => match time::parse_date_time(text) {
            Ok(time) => Value::Timestamp(Time::from(time)),
            Err(error) => cx.error(&format!("Invalid date-time formatted string {text}: {error}")),
        },
        Format::Byte => match decode_url(text) {
            // Each time that it is read.
            Ok(bytes) if cx.spend(bytes.len()) => Value::Bytes(cx.arena.alloc_slice_copy(&bytes)),
            Ok(_) => Value::Null,
            Err(error) => cx.error(&format!("Invalid byte formatted string {text}: {error}")),
        },
    }
}

impl From<time::Time> for Time {
    fn from(time: time::Time) -> Time {
        Time {
            seconds: time.unix_seconds(),
            nanos: time.nanos(),
            offset: time.offset(),
        }
    }
}

/// Base64 in the URL alphabet, which Kubernetes decodes whatever the schema allows.
fn decode_url(text: &str) -> Result<Vec<u8>, base64::CorruptInput> {
    let standard: Vec<u8> = text
        .bytes()
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            // Not in the alphabet, so decoding fails here.
            b'+' | b'/' => b'*',
            other => other,
        })
        .collect();
    base64::decode(&standard)
}

/// The value under a CEL key in a map or object.
///
/// `Err` is the error for a key of the wrong type; `Ok(None)` means absent, which includes null properties.
pub(crate) fn find<'a>(
    cx: &mut Context<'a>,
    json: &'a Json<'a>,
    node: &'a Node,
    key: Value<'a>,
) -> Result<Option<Value<'a>>, Value<'a>> {
    let Value::String(key) = key else {
        return Err(cx.no_overload_for(key));
    };
    Ok(if is_named(node) {
        unescape(key).and_then(|property| member(cx, json, node, &property))
    } else {
        member(cx, json, node, key)
    })
}

/// Whether keys are escaped property names.
pub(crate) fn is_named(node: &Node) -> bool {
    matches!(&node.shape, NodeShape::Object(object) if object.named)
}

/// The value of a property by its JSON name.
pub(crate) fn member<'a>(
    cx: &mut Context<'a>,
    json: &'a Json<'a>,
    node: &'a Node,
    property: &str,
) -> Option<Value<'a>> {
    let NodeShape::Object(object) = &node.shape else {
        return None;
    };
    let value = entry(json, property)?;
    if object.named && value.is_null() {
        return None;
    }
    let child = object.property(property)?;
    Some(wrap(cx, value, child))
}

/// A reference to the value of a key, which lives as long as the object.
pub(crate) fn entry<'a>(json: &'a Json<'a>, key: &str) -> Option<&'a Json<'a>> {
    let object = json.as_object()?;
    let at = object.position(key)?;
    Some(&object.entries()[at].value)
}

/// The elements of an array.
pub(crate) fn elements<'a>(json: &'a Json<'a>) -> &'a [Json<'a>] {
    json.as_array().unwrap_or_default()
}

/// The entries of an object.
pub(crate) fn object<'a>(json: &'a Json<'a>) -> Object<'a> {
    json.as_object().unwrap_or_default()
}

/// The node of an array's elements.
pub(crate) fn items(node: &Node) -> Option<&Node> {
    match &node.shape {
        NodeShape::Array { items, .. } => items.as_deref(),
        _ => None,
    }
}
