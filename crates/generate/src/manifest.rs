//! Manifests as controller-gen writes them: documents with sorted keys behind a header.

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Entry, Object, Value};

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the file.
    pub file_name: String,
    /// Its text.
    pub text: String,
}

/// An object of the members that have a value.
pub(crate) fn object<'a>(arena: &'a Arena, members: &[(&'a str, Option<Value<'a>>)]) -> Value<'a> {
    let set = members
        .iter()
        .filter_map(|(key, value)| value.map(|value| Entry { key, value }));
    let entries: Vec<Entry<'a>> = set.collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

/// A list of text; nothing if it is empty, as Go's `omitempty` has it.
pub(crate) fn texts<'a, T: AsRef<str>>(
    arena: &'a Arena,
    items: impl IntoIterator<Item = T>,
) -> Option<Value<'a>> {
    let items: Vec<Value<'a>> = items
        .into_iter()
        .map(|item| Value::Str(arena.alloc_str(item.as_ref())))
        .collect();
    (!items.is_empty()).then(|| list(arena, &items))
}

/// A list.
pub(crate) fn list<'a>(arena: &'a Arena, items: &[Value<'a>]) -> Value<'a> {
    Value::Array(arena.alloc_slice_copy(items))
}

/// The text of a file with these documents.
pub(crate) fn write(header: &str, documents: &[Value<'_>]) -> String {
    let mut text = header.to_owned();
    for document in documents {
        text.push_str("---\n");
        text.push_str(&to_yaml(*document, Order::Sorted));
    }
    text
}
