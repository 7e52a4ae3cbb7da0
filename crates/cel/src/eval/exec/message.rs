//! Literals of the well-known protobuf messages.

use crate::cost::price::STRUCT_COST;
use crate::types::patch_types;

use crate::eval::context::{Context, Eval, MapBuilder};
use crate::eval::describe::describe;
use crate::eval::exec;
use crate::eval::program::Message;
use crate::eval::value::{Ext, Time, Value};
use crate::eval::{convert, list};
use kindsmith_gostd::base64;

/// The value of a message literal: wrappers and JSON messages become plain values.
pub(super) fn eval<'a, const EXACT: bool>(cx: &mut Context<'a>, literal: &'a Message) -> Eval<'a> {
    let mut fields: Vec<(&'a str, Value<'a>)> = Vec::with_capacity(literal.fields.len());
    let mut failed = None;
    for (name, node, optional) in &literal.fields {
        let value = exec::eval::<EXACT>(cx, node)?;
        match (value, optional) {
            (Value::Error(_), _) => failed = Some(value),
            (_, false) => fields.push((name, value)),
            (Value::Optional(Some(inner)), true) => fields.push((name, *inner)),
            (Value::Optional(None), true) => fields.retain(|(field, _)| *field != &**name),
            (other, true) => {
                let text = format!(
                    "cannot initialize optional entry '{name}' from non-optional value {}",
                    describe(other)
                );
                failed = Some(cx.error(&text));
            }
        }
        if failed.is_some() {
            break;
        }
    }
    if EXACT {
        let mut unused = vec![Value::Null; literal.fields.len()];
        cx.stack
            .take(literal.fields.iter().map(|(_, node, _)| node.id()), &mut unused);
    }
    let result = match failed {
        Some(error) => error,
        None if patch_types::is_one(&literal.name) => record(cx, &literal.name, &fields),
        None => build(cx, &literal.name, &fields),
    };
    cx.charge(STRUCT_COST)?;
    Ok(result)
}

/// A message of a mutation. Texts of a patch must be texts; the rest is looked at when it is used.
fn record<'a>(cx: &mut Context<'a>, name: &'a str, fields: &[(&'a str, Value<'a>)]) -> Value<'a> {
    if name == patch_types::JSON_PATCH {
        let is_text = |field: &str| matches!(field, "op" | "path" | "from");
        let wrong = fields
            .iter()
            .find(|(field, value)| is_text(field) && !matches!(value, Value::String(_)));
        if let Some((field, value)) = wrong {
            let text = format!(
                "unexpected type {} for JSONPatchType '{field}' field",
                native_type(*value)
            );
            return cx.error(&text);
        }
    }
    cx.record(name, fields)
}

/// The Go type behind a value as `%T` prints it.
fn native_type(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "structpb.NullValue",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Uint(_) => "uint64",
        Value::Double(_) => "float64",
        Value::Bytes(_) => "[]uint8",
        Value::Duration(_) => "time.Duration",
        Value::Timestamp(_) => "time.Time",
        _ if value.is_list() => "[]ref.Val",
        _ if value.is_map() => "map[ref.Val]ref.Val",
        _ => "interface {}",
    }
}

fn build<'a>(cx: &mut Context<'a>, name: &str, fields: &[(&'a str, Value<'a>)]) -> Value<'a> {
    let field = |name: &str| {
        fields
            .iter()
            .find(|(field, _)| *field == name)
            .map(|(_, value)| *value)
    };
    let value = field("value").filter(|value| !matches!(value, Value::Null));
    let int = |name: &str| match field(name) {
        Some(Value::Int(i)) => i,
        _ => 0,
    };
    match name.strip_prefix("google.protobuf.").unwrap_or(name) {
        "BoolValue" => value.unwrap_or(Value::Bool(false)),
        "BytesValue" => value.unwrap_or(Value::Bytes(&[])),
        "DoubleValue" => value.unwrap_or(Value::Double(0.0)),
        "FloatValue" => match value {
            Some(Value::Double(d)) => Value::Double(f64::from(d as f32)),
            _ => Value::Double(0.0),
        },
        "Int64Value" => value.unwrap_or(Value::Int(0)),
        "UInt64Value" => value.unwrap_or(Value::Uint(0)),
        "StringValue" => value.unwrap_or(Value::String("")),
        "Int32Value" => match value {
            Some(Value::Int(i)) if i32::try_from(i).is_err() => {
                out_of_range(cx, name, "value", "integer overflow")
            }
            other => other.unwrap_or(Value::Int(0)),
        },
        "UInt32Value" => match value {
            Some(Value::Uint(u)) if u32::try_from(u).is_err() => {
                out_of_range(cx, name, "value", "unsigned integer overflow")
            }
            other => other.unwrap_or(Value::Uint(0)),
        },
        "Duration" | "Timestamp" if i32::try_from(int("nanos")).is_err() => {
            out_of_range(cx, name, "nanos", "integer overflow")
        }
        "Duration" => {
            let nanos = int("seconds")
                .saturating_mul(1_000_000_000)
                .saturating_add(int("nanos"));
            Value::Duration(nanos)
        }
        "Timestamp" => {
            let nanos = int("nanos");
            // The usual limit on years does not apply here.
            let seconds = int("seconds").saturating_add(nanos.div_euclid(1_000_000_000));
            Value::Timestamp(Time {
                seconds,
                nanos: nanos.rem_euclid(1_000_000_000) as u32,
                offset: 0,
            })
        }
        "ListValue" => field("values").map_or(Value::List(&[]), |values| to_json(cx, values)),
        "Struct" => match field("fields") {
            Some(fields) => to_json(cx, fields),
            None => cx.map(&MapBuilder::default()),
        },
        "Value" => match fields.last() {
            None | Some(("null_value", _)) => Value::Null,
            Some((_, value)) => to_json(cx, *value),
        },
        "Any" => cx.error("unsupported conversion to ref.Val: (*dynamicpb.Message)"),
        "Empty" => cx.ext(Ext::Empty),
        _ => cx.error(&format!("unknown type '{name}'")),
    }
}

/// The largest integer a JSON number holds exactly.
const MAX_JSON_INT: u64 = (1 << 53) - 1;

/// A value in a JSON message: numbers are doubles, types without a JSON form are text.
fn to_json<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Int(i) if i.unsigned_abs() <= MAX_JSON_INT => Value::Double(i as f64),
        Value::Uint(u) if u <= MAX_JSON_INT => Value::Double(u as f64),
        Value::Int(_) | Value::Uint(_) | Value::Duration(_) | Value::Timestamp(_) => {
            convert::to_string(cx, value)
        }
        Value::Bytes(bytes) if cx.has_room(2 * bytes.len()) => cx.string(&base64::encode(bytes)),
        Value::Bytes(_) => Value::Null,
        _ if value.is_list() || value.is_map() => cx
            .within(|cx| container_to_json(cx, value))
            .unwrap_or(Value::Null),
        other => other,
    }
}

fn container_to_json<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    if value.is_list() {
        let elements = list::elements(cx, value);
        let elements: Vec<Value<'a>> = elements.into_iter().map(|element| to_json(cx, element)).collect();
        return cx.list(&elements);
    }
    let mut builder = MapBuilder::default();
    for key in list::keys(cx, value) {
        let entry = list::map_get(cx, value, key);
        let entry = to_json(cx, entry);
        builder.set(key, entry);
    }
    cx.map(&builder)
}

#[cold]
fn out_of_range<'a>(cx: &mut Context<'a>, message: &str, field: &str, why: &str) -> Value<'a> {
    cx.error(&format!(
        "field type conversion error for {message}.{field} value type: {why}"
    ))
}
