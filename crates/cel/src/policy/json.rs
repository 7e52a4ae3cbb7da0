//! JSON patches that expressions make, and values as JSON (cel-go's conversion to `structpb.Value`).

use kindsmith_gostd::base64;
use kindsmith_json::{Entry, Object, Value as Json};

use crate::eval::Scratch;
use crate::eval::time;
use crate::eval::value::{Ext, Record, Value};

use super::configuration::check_names;
use super::unusable::{NoJson, Unusable};
use super::walk::{elements, pay};

/// The largest integer a JSON number holds exactly; larger ones become texts.
const MAX_JSON_INT: u64 = (1 << 53) - 1;

/// One operation of a JSON patch.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// What is done.
    pub op: &'a str,
    /// Where.
    pub path: &'a str,
    /// Where a value comes from; empty for none.
    pub from: &'a str,
    /// The value.
    pub value: Option<Json<'a>>,
}

/// The operations of a patch that an expression made.
///
/// # Errors
///
/// If it is not a list of operations, or a value has no JSON form.
pub fn operations<'a>(scratch: &'a Scratch, value: Value<'a>) -> Result<Vec<Operation<'a>>, Unusable> {
    if !value.is_list() {
        return Err(Unusable::NotAList);
    }
    let mut operations = Vec::new();
    for element in elements(scratch, value) {
        let Value::Record(patch) = element else {
            return Err(Unusable::NotAnOperation(element.type_name().to_owned()));
        };
        let text = |name: &str| match patch.field(name) {
            Some(Value::String(text)) => text,
            _ => "",
        };
        let value = patch
            .field("value")
            .map(|value| operand(scratch, value))
            .transpose()?;
        operations.push(Operation {
            op: text("op"),
            path: text("path"),
            from: text("from"),
            value,
        });
    }
    Ok(operations)
}

fn operand<'a>(scratch: &'a Scratch, value: Value<'a>) -> Result<Json<'a>, Unusable> {
    if let Value::Record(record) = value {
        check_names(scratch, value, record.name)?;
    }
    Ok(to_json(scratch, value, 0)?)
}

fn to_json<'a>(scratch: &'a Scratch, value: Value<'a>, depth: usize) -> Result<Json<'a>, NoJson> {
    if !pay(scratch, depth) {
        return Err(NoJson::Cancelled);
    }
    let text = |text: &str| Json::Str(scratch.arena().alloc_str(text));
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(truth),
        Value::Int(number) if number.unsigned_abs() > MAX_JSON_INT => text(&number.to_string()),
        Value::Int(number) => Json::Int(number),
        Value::Uint(number) if number > MAX_JSON_INT => text(&number.to_string()),
        Value::Uint(number) => Json::Int(number as i64),
        Value::Double(number) if number.is_finite() => whole(number),
        Value::Double(number) => {
            let name = if number.is_nan() { "NaN" } else { "Infinity" };
            let sign = if number < 0.0 { "-" } else { "" };
            return Err(NoJson::NotFinite(format!("{sign}{name}")));
        }
        Value::String(given) => Json::Str(given),
        Value::Bytes(bytes) => text(&base64::encode(bytes)),
        Value::Duration(nanos) => text(&seconds(nanos)),
        Value::Timestamp(moment) => text(&time::rfc3339(moment)),
        Value::Optional(Some(inner)) => to_json(scratch, *inner, depth + 1)?,
        Value::Optional(None) => return Err(NoJson::Absent),
        Value::Record(record) => members(scratch, record, depth + 1)?,
        Value::Map(map) => {
            let mut entries = Vec::with_capacity(map.entries.len());
            for (key, value) in map.entries {
                let Value::String(key) = key else {
                    return Err(NoJson::Key(key.type_name().to_owned()));
                };
                let value = to_json(scratch, *value, depth + 1)?;
                entries.push(Entry { key, value });
            }
            object(scratch, &entries)
        }
        _ if value.is_list() => {
            let mut items = Vec::new();
            for element in elements(scratch, value) {
                items.push(to_json(scratch, element, depth + 1)?);
            }
            Json::Array(scratch.arena().alloc_slice_copy(&items))
        }
        Value::Type(_) => return Err(NoJson::Type),
        Value::Ext(ext) => return Err(NoJson::Library(short_name(ext))),
        other => return Err(NoJson::Go(other.type_name().to_owned())),
    })
}

fn members<'a>(scratch: &'a Scratch, record: &Record<'a>, depth: usize) -> Result<Json<'a>, NoJson> {
    let mut entries = Vec::with_capacity(record.fields.len());
    for &(key, value) in record.fields {
        let value = match value {
            // Within objects numbers stay numbers, and some values have no JSON form.
            Value::Int(number) => Json::Int(number),
            Value::Null => return Err(NoJson::Go("structpb.NullValue".to_owned())),
            Value::Duration(_) => return Err(NoJson::Go("time.Duration".to_owned())),
            Value::Timestamp(_) => return Err(NoJson::Go("time.Time".to_owned())),
            value => to_json(scratch, value, depth)?,
        };
        entries.push(Entry { key, value });
    }
    Ok(object(scratch, &entries))
}

fn object<'a>(scratch: &'a Scratch, entries: &[Entry<'a>]) -> Json<'a> {
    Json::Object(Object::from_entries(
        scratch.arena(),
        scratch.arena().alloc_slice_copy(entries),
    ))
}

/// Whole numbers lose their point on the way through JSON.
fn whole<'a>(number: f64) -> Json<'a> {
    let is_whole = number.fract() == 0.0 && number.abs() <= MAX_JSON_INT as f64;
    if is_whole {
        Json::Int(number as i64)
    } else {
        Json::Float(number)
    }
}

/// A duration as a text: seconds, with as many digits as needed.
fn seconds(nanos: i64) -> String {
    let (sign, nanos) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
    let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    match rest {
        0 => format!("{sign}{whole}s"),
        _ => format!("{sign}{whole}.{}s", format!("{rest:09}").trim_end_matches('0')),
    }
}

fn short_name(ext: &Ext) -> &'static str {
    let name = ext.type_name();
    match name.strip_prefix("kubernetes.").or(name.strip_prefix("net.")) {
        Some("NamedFormat") => "Format",
        Some(name) => name,
        None => name,
    }
}
