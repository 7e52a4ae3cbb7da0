//! When a default has an effect, and its value in Go.

use kindsmith_checks::Types;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, Scalar, TypeRef};

use super::super::text::quote;
use super::super::type_name::TypeNames;

/// Whether a default changes anything: not if it is null or equals the zero value.
pub(super) fn applies(types: Types<'_>, ty: &TypeRef, default: &Default) -> bool {
    let Default::Value(json) = default else {
        return true;
    };
    let arena = Arena::new();
    let value = json.value(&arena);
    let resolved = types.resolved(ty);
    match (resolved.base, value) {
        (_, Value::Null) => false,
        _ if resolved.pointers > 0 => true,
        (TypeRef::Scalar(Scalar::String), Value::Str(text)) => !text.is_empty(),
        (TypeRef::Scalar(Scalar::Bool), Value::Bool(truth)) => truth,
        (TypeRef::Scalar(_), number) => number.as_f64() != Some(0.0),
        // Empty text: the bytes stay nil.
        (TypeRef::List(_), Value::Str(text)) => !text.is_empty(),
        _ => true,
    }
}

/// Whether values of the type can be recognized as unset.
pub(super) fn can_be_unset(types: Types<'_>, ty: &TypeRef) -> bool {
    let resolved = types.resolved(ty);
    resolved.pointers > 0
        || matches!(
            resolved.base,
            TypeRef::Scalar(_)
                | TypeRef::List(_)
                | TypeRef::Map(..)
                | TypeRef::Any { .. }
                | TypeRef::Interface
        )
}

/// The zero of a scalar.
pub(super) fn zero(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String => "\"\"",
        Scalar::Bool => "false",
        _ => "0",
    }
}

/// The default as a Go expression for a scalar, and whether it needs a conversion to its type.
pub(super) fn expression(names: &mut TypeNames<'_>, own: &str, default: &Default) -> (String, bool) {
    match default {
        Default::Ref { package, name, .. } => {
            let text = if **package == *own || package.is_empty() {
                name.to_string()
            } else {
                names.imports.of(package, name)
            };
            (text, true)
        }
        Default::Value(json) => {
            let arena = Arena::new();
            let text = match json.value(&arena) {
                Value::Str(text) => quote(text),
                _ => json.as_str().to_owned(),
            };
            (text, false)
        }
    }
}

/// JSON text as a Go literal, readable if possible.
pub(super) fn json_literal(default: &Default) -> Option<String> {
    let json = default.value()?.as_str();
    let is_plain = json
        .chars()
        .all(|c| c != '`' && !c.is_control() && c != '\u{feff}');
    Some(if is_plain {
        format!("`{json}`")
    } else {
        quote(json)
    })
}
