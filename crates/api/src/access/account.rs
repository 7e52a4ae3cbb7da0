//! What tokens of service accounts share: names, groups, and the objects that they name.

use kindsmith_json::{Arena, Value, to_string};
use kindsmith_store::Store;

pub(super) fn quoted(text: &str) -> String {
    to_string(Value::Str(text))
}

pub(super) fn username(namespace: &str, name: &str) -> String {
    format!("system:serviceaccount:{namespace}:{name}")
}

/// The groups of all service accounts of a namespace.
pub(super) fn groups(namespace: &str) -> Vec<String> {
    vec![
        "system:serviceaccounts".to_owned(),
        format!("system:serviceaccounts:{namespace}"),
        "system:authenticated".to_owned(),
    ]
}

/// The uid of a stored object.
pub(super) fn uid_at(store: &dyn Store, key: &str) -> Option<String> {
    let entry = store.get(key.as_bytes(), None).ok()??;
    let arena = Arena::new();
    let object = kindsmith_json::parse(&arena, &entry.value).ok()?;
    object
        .lookup(&["metadata", "uid"])
        .and_then(Value::as_str)
        .map(str::to_owned)
}

pub(crate) fn texts(list: Option<Value<'_>>) -> Vec<String> {
    let items = list.and_then(Value::as_array).unwrap_or_default();
    items.iter().map(|item| text(Some(*item)).to_owned()).collect()
}

pub(super) fn text(value: Option<Value<'_>>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}
