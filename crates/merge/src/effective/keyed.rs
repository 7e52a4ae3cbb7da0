//! Items of a list map, identified by their keys. Knows no specs and no live objects.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::Str;

use super::path::{FieldPath, ItemKeys, Step};
use crate::element::KeyField;

/// Items of a list map with their keys.
pub(super) struct Keyed<'a>(pub(super) Vec<Item<'a>>);

pub(super) struct Item<'a> {
    pub(super) value: Value<'a>,
    pub(super) keys: &'a [KeyField<'a>],
    pub(super) texts: ItemKeys,
}

impl<'a> Keyed<'a> {
    /// `None` if an item lacks a key or two items have the same, since they cannot be identified then.
    pub(super) fn of(arena: &'a Arena, items: &'a [Value<'a>], keys: &[Str]) -> Option<Self> {
        let mut names: Vec<&Str> = keys.iter().collect();
        names.sort();
        let mut known = std::collections::BTreeSet::new();
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let fields = names.iter().map(|name| {
                let value = item.get(name)?;
                Some(KeyField {
                    name: arena.alloc_str(name),
                    value,
                })
            });
            let fields: Vec<KeyField<'a>> = fields.collect::<Option<_>>()?;
            let texts = fields
                .iter()
                .map(|field| Some((field.name.into(), key_text(field.value)?)));
            let texts: ItemKeys = texts.collect::<Option<_>>()?;
            if !known.insert(texts.clone()) {
                return None;
            }
            keyed.push(Item {
                value: *item,
                keys: arena.alloc_slice_copy(&fields),
                texts,
            });
        }
        Some(Keyed(keyed))
    }
}

/// A key as paths show it. Only scalars are keys.
fn key_text(value: Value<'_>) -> Option<Box<str>> {
    match value {
        Value::Str(text) => Some(text.into()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        scalar => Some(kindsmith_json::to_string(scalar).into()),
    }
}

/// Whether an item has these keys.
pub(super) fn has_keys(item: Value<'_>, keys: &[(Box<str>, Box<str>)]) -> bool {
    keys.iter().all(|(name, text)| {
        item.get(name)
            .and_then(key_text)
            .is_some_and(|value| value == *text)
    })
}

/// The value at a path.
#[must_use]
pub fn at<'a>(object: Value<'a>, path: &FieldPath) -> Option<Value<'a>> {
    path.steps().iter().try_fold(object, |here, step| match step {
        Step::Field(name) => here.get(name),
        Step::Item(keys) => here
            .as_array()?
            .iter()
            .copied()
            .find(|item| has_keys(*item, keys)),
        Step::Each => None,
    })
}
