//! The types that mutations of admission policies make: `Object`, `Object.spec` and so on, whose fields may have any
//! name, and `JSONPatch` (apiserver's pkg/cel/mutation).

use super::Type;

/// The root of an apply configuration; the types below it start with its name and a dot.
pub const OBJECT: &str = "Object";
/// One operation of a JSON patch.
pub(crate) const JSON_PATCH: &str = "JSONPatch";

/// Whether a name is that of a type of mutations.
pub(crate) fn is_one(name: &str) -> bool {
    name == JSON_PATCH || is_object(name)
}

/// Whether a name is `Object` or a type below it.
pub fn is_object(name: &str) -> bool {
    let below = name.strip_prefix(OBJECT);
    below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
}

/// The type of a field. Every name is a field; the reference gives those that `JSONPatch` does not know a type without
/// a name, which no value has.
pub(crate) fn field(object: &str, field: &str) -> Type {
    match field {
        _ if object != JSON_PATCH => Type::Dyn,
        "op" | "path" | "from" => Type::String,
        "value" => Type::Dyn,
        _ => Type::object(""),
    }
}
