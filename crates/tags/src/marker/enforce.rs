//! The default that openapi-gen enforces for a field that cannot be absent (kube-openapi
//! `mustEnforceDefault`).

use std::fmt::Write as _;

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Field, GoKind, Json, Scalar, TypeRef, View, WellKnown};

/// Longer chains of types are circular.
const MAX_DEPTH: usize = 32;

/// The only value that openapi-gen accepts, as JSON; `None` if any will do.
pub(super) fn enforced(view: View<'_>, of: &TypeRef, omitempty: bool) -> Option<&'static str> {
    enforce(view, of, omitempty, MAX_DEPTH)
}

fn enforce(view: View<'_>, of: &TypeRef, omitempty: bool, depth: usize) -> Option<&'static str> {
    if depth == 0 || unmarshals_itself(view, of) {
        return None;
    }
    match view.kind(of) {
        GoKind::Struct => match view.members(of) {
            Some((_, [only])) if only.embedded => enforce(view, &only.ty, omitempty, depth - 1),
            _ => Some("{}"),
        },
        GoKind::Builtin | GoKind::Alias if !omitempty => match view.scalar(of)? {
            Scalar::Bool => Some("false"),
            Scalar::String => Some("\"\""),
            _ => Some("0"),
        },
        _ => None,
    }
}

/// Whether a struct has its own decoder. A typedef of one does not: it has no methods.
fn unmarshals_itself(view: View<'_>, of: &TypeRef) -> bool {
    let TypeRef::Named(id) = view.unalias(of) else {
        return false;
    };
    let ty = view.ty(*id);
    let has_own = ty.has_method("UnmarshalJSON") || ty.well_known.is_some_and(WellKnown::is_opaque);
    has_own && view.kind(of) == GoKind::Struct
}

/// Whether openapi-gen publishes a default for the field at all.
pub(super) fn publishes_default(field: &Field) -> bool {
    field.openapi_name().is_some() && !field.json.string_first
}

/// Whether two JSON texts mean the same to Go. The zero value of bytes is an integer there, which no JSON
/// number equals (kube-openapi `schemaTypeFormatMap`).
pub(super) fn is_same(view: View<'_>, of: &TypeRef, value: &Json, enforced: &str) -> bool {
    let arena = Arena::new();
    let value = value.value(&arena);
    let is_byte = matches!(view.scalar(of), Some(Scalar::Byte | Scalar::Uint8 | Scalar::Int8));
    match enforced {
        "0" => value.as_f64() == Some(0.0) && !is_byte,
        "{}" => value.as_object().is_some_and(|object| object.is_empty()),
        _ => value == kindsmith_json::parse_str(&arena, enforced).unwrap_or(Value::Null),
    }
}

/// The value in Go syntax (`%#v` of the decoded value).
pub(super) fn go_syntax(value: Value<'_>) -> String {
    let mut out = String::new();
    write_go(value, &mut out);
    out
}

fn write_go(value: Value<'_>, out: &mut String) {
    match value {
        Value::Null => out.push_str("interface {}(nil)"),
        Value::Bool(truth) => _ = write!(out, "{truth}"),
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
            out.push_str(&format_f64(value.as_f64().unwrap_or_default()));
        }
        Value::Str(text) => out.push_str(&quote(text)),
        Value::Array(items) => {
            out.push_str("[]interface {}{");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_go(*item, out);
            }
            out.push('}');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push_str("map[string]interface {}{");
            for (index, (key, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                _ = write!(out, "{}:", quote(key));
                write_go(value, out);
            }
            out.push('}');
        }
    }
}
