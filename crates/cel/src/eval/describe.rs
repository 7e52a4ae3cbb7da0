//! Values in error texts, as Go's `%v` and `%T` print cel-go's types.

use kindsmith_gostd::float::format_f64;

use crate::types::patch_types;

use super::time;
use super::value::{Const, Ext, Value};

/// How long a description is at most: values that share parts would take exponential space.
const LONGEST: usize = 1 << 20;

/// How deep values are looked into.
const DEEPEST: usize = 1_000;

/// A value as `%v` prints it.
pub(crate) fn describe(value: Value<'_>) -> String {
    let mut text = String::new();
    append(&mut text, value, 0);
    text
}

fn append(text: &mut String, value: Value<'_>, depth: usize) {
    if text.len() >= LONGEST || depth >= DEEPEST {
        return;
    }
    match value {
        Value::List(elements) | Value::SetList(elements) => append_list(text, elements, depth),
        Value::MapList(list) => append_list(text, list.elements, depth),
        Value::Optional(Some(inner)) => {
            text.push_str("optional(");
            append(text, *inner, depth + 1);
            text.push(')');
        }
        Value::String(value) => text.push_str(value),
        other => text.push_str(&describe_scalar(other)),
    }
}

fn append_list(text: &mut String, elements: &[Value<'_>], depth: usize) {
    text.push('[');
    for (at, element) in elements.iter().enumerate() {
        if text.len() >= LONGEST {
            break;
        }
        if at > 0 {
            text.push_str(", ");
        }
        append(text, *element, depth + 1);
    }
    text.push(']');
}

fn describe_scalar(value: Value<'_>) -> String {
    match value {
        // Null is an enum value without a text form.
        Value::Null => "0".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Uint(u) => u.to_string(),
        Value::Double(d) => format_f64(d),
        Value::Bytes(b) => {
            let bytes: Vec<String> = b.iter().map(u8::to_string).collect();
            format!("[{}]", bytes.join(" "))
        }
        Value::Duration(d) => kindsmith_gostd::duration::Duration(d).to_string(),
        Value::Timestamp(t) => time::go_string(t),
        Value::Type(name) => name.to_owned(),
        Value::ConstList(elements) => {
            let shown: Vec<String> = elements.iter().map(describe_const).collect();
            format!("[{}]", shown.join(", "))
        }
        Value::Optional(None) => "optional.none()".to_owned(),
        Value::Ext(ext) => ext.to_string(),
        Value::Error(message) => message.to_owned(),
        other => other.type_name().to_owned(),
    }
}

fn describe_const(constant: &Const) -> String {
    match constant {
        Const::Null => "0".to_owned(),
        Const::Bool(b) => b.to_string(),
        Const::Int(i) => i.to_string(),
        Const::Uint(u) => u.to_string(),
        Const::Double(d) => format_f64(*d),
        Const::String(s) | Const::Type(s) => s.to_string(),
        Const::Duration(d) => kindsmith_gostd::duration::Duration(*d).to_string(),
        Const::List(elements) => {
            let shown: Vec<String> = elements.iter().map(describe_const).collect();
            format!("[{}]", shown.join(", "))
        }
        other => format!("{other:?}"),
    }
}

/// The Go type of a value as `%T` prints it.
pub(super) fn go_type(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "types.Null",
        Value::Bool(_) => "types.Bool",
        Value::Int(_) => "types.Int",
        Value::Uint(_) => "types.Uint",
        Value::Double(_) => "types.Double",
        Value::String(_) => "types.String",
        Value::Bytes(_) => "types.Bytes",
        Value::Duration(_) => "types.Duration",
        Value::Timestamp(_) => "types.Timestamp",
        Value::Type(_) => "*types.Type",
        Value::List(_) | Value::ConstList(_) => "*types.baseList",
        Value::Concat(_) => "*types.concatList",
        Value::SetList(_) => "*common.refValSetList",
        Value::MapList(_) => "*common.refValMapList",
        Value::JsonList(..) => "*common.unstructuredList",
        Value::Map(_) => "*types.baseMap",
        Value::JsonMap(..) => "*common.unstructuredMap",
        Value::Optional(_) => "*types.Optional",
        Value::Ext(ext) => match ext {
            Ext::Ip(_) => "cel.IP",
            Ext::Cidr(_) => "cel.CIDR",
            Ext::Quantity(_, false) => "cel.Quantity",
            Ext::Quantity(_, true) => "*cel.Quantity",
            Ext::Url(_) => "cel.URL",
            Ext::Semver(_) => "cel.Semver",
            Ext::Format(_) => "cel.Format",
            Ext::Empty => "*types.protoObj",
            Ext::Access(question) => question.go_type(),
            Ext::Decision(_) => "library.decisionVal",
        },
        Value::Opaque(_) => "*common.unknownPreserved",
        Value::Record(record) if record.name == patch_types::JSON_PATCH => "*mutation.JSONPatchVal",
        Value::Record(_) => "*dynamic.ObjectVal",
        Value::Variables => "*lazy.MapValue",
        Value::ListAccumulator(_) => "*types.mutableList",
        Value::MapAccumulator(_) => "*types.mutableMap",
        Value::Error(_) => "*types.Err",
    }
}
