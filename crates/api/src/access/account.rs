//! What tokens of service accounts share: names, groups, and the objects that they name.

use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::well_known::group;
use kindsmith_store::Store;

pub(super) fn quoted(text: &str) -> String {
    to_string(Value::Str(text))
}

/// The groups of a service account that authenticated.
pub(crate) fn groups(namespace: &str) -> Vec<String> {
    let mut groups = group::of_service_accounts(namespace).to_vec();
    groups.push(group::AUTHENTICATED.to_owned());
    groups
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
    items
        .iter()
        .map(|item| item.as_str().unwrap_or_default().to_owned())
        .collect()
}
