//! Lists of type `set` or `map` (`x-kubernetes-list-type`): no two elements are the same.
//!
//! Knows uniqueness only; the caller decides whether the old object excuses duplicates.

use std::collections::HashMap;

use kindsmith_json::{Arena, Entry, Object, Path, Value};

use super::find::Print;
use super::layout::{Additional, Below, List, Node, NodeId, Range, StructuralSchema, Ways};
use kindsmith_json::is_same_key;
use kindsmith_object::go_value::{bad_value, json};
use kindsmith_object::{BadValue, FieldError};

impl StructuralSchema {
    /// Reports duplicate elements of sets and maps (`ValidateListSetsAndMaps` in apiextensions-apiserver's
    /// pkg/apiserver/schema/listtype/validation.go).
    pub(super) fn validate_list_types(&self, object: Value<'_>, errors: &mut Vec<FieldError>) {
        // The root must be an object; upstream ignores a list here.
        if object.as_object().is_some() {
            walk(self, self.root, object, &Path::NIL, errors);
        }
    }

    /// Like `validate_list_types`, for a value at a node.
    pub(super) fn validate_list_types_at(
        &self,
        id: NodeId,
        value: Value<'_>,
        path: &Path<'_>,
        errors: &mut Vec<FieldError>,
    ) {
        walk(self, id, value, path, errors);
    }

    /// Is a list of a node free of the duplicates that its list type forbids?
    pub(super) fn is_without_repetition(&self, node: &Node, items: &[Value<'_>]) -> bool {
        match node.list {
            List::Atomic => true,
            List::Set if differ(items.iter().map(|&item| Some(item))) => true,
            List::Map(keys) if self.differ_by_key(keys, items) => true,
            List::Set | List::Map(_) => {
                let mut errors = Vec::new();
                check_list(self, node, items, &Path::NIL, &mut errors);
                errors.is_empty()
            }
        }
    }

    /// Are all elements objects that differ in their first key?
    fn differ_by_key(&self, keys: Range, items: &[Value<'_>]) -> bool {
        let Some(key) = self.list_keys(keys).next() else {
            return false;
        };
        let mut at = 0;
        differ(items.iter().map(|item| member_at(*item, key, &mut at)))
    }
}

/// A member, searched first at its position in the last object.
fn member_at<'v>(item: Value<'v>, key: &str, at: &mut usize) -> Option<Value<'v>> {
    let object = item.as_object()?;
    match object.entries().get(*at) {
        Some(entry) if is_same_key(entry.key, key) => Some(entry.value),
        _ => {
            *at = object.position(key)?;
            Some(object.entries()[*at].value)
        }
    }
}

/// Are they all strings that certainly differ? If not, they may still differ.
fn differ<'v>(values: impl ExactSizeIterator<Item = Option<Value<'v>>>) -> bool {
    let mut known = [0; FEW];
    if values.len() > FEW {
        return false;
    }
    for (position, value) in values.enumerate() {
        let Some(Value::Str(text)) = value else {
            return false;
        };
        // Different fingerprints mean different strings.
        let print = Print::of(text).number();
        if known[..position].contains(&print) {
            return false;
        }
        known[position] = print;
    }
    true
}

/// Reports duplicate elements of one list.
fn check_list(
    structure: &StructuralSchema,
    node: &Node,
    items: &[Value<'_>],
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    match node.list {
        List::Atomic => {}
        List::Set => check_set(items, path, errors),
        List::Map(keys) => {
            // A single element needs no keys.
            let keys = structure.list_keys(keys).filter(|_| items.len() > 1);
            check_map(&keys.collect::<Vec<_>>(), items, path, errors);
        }
    }
}

fn walk(
    structure: &StructuralSchema,
    id: NodeId,
    value: Value<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let node = structure.node(id);
    if !node.below.has(Below::LIST_TYPES) {
        return;
    }
    match value {
        Value::Object(object) => members(structure, id, object, path, errors),
        Value::Array(items) => {
            check_list(structure, node, items, path, errors);
            if let Some(item) = node.items {
                for (index, &value) in items.iter().enumerate() {
                    walk(structure, item, value, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

/// Where a schema has both, `additionalProperties` applies to every member, in addition to `properties`.
fn members(
    structure: &StructuralSchema,
    id: NodeId,
    object: Object<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let node = structure.node(id);
    if let Additional::Schema(additional) = node.additional {
        for (key, value) in object {
            walk(structure, additional, value, &path.key(key), errors);
        }
    }
    match structure.ways(node, Below::LIST_TYPES) {
        Ways::None => return,
        Ways::One(property) => {
            let key = structure.name(property.name);
            if let Some(value) = object.get(key) {
                walk(structure, property.node, value, &path.child(key), errors);
            }
            return;
        }
        Ways::Several => {}
    }
    let mut near = 0;
    for (key, value) in object {
        if let Some(position) = structure.position_near(node, key, &mut near) {
            let property = structure.properties(node)[position].node;
            walk(structure, property, value, &path.child(key), errors);
        }
    }
}

pub(super) fn check_set(items: &[Value<'_>], path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let repeated = if items.len() <= FEW {
        repeated_pairwise(items.len(), |left, right| same(items[left], items[right]))
    } else {
        repeated(items.iter().map(|&item| Identity::of(item)))
    };
    for index in repeated {
        errors.push(FieldError::duplicate(&path.index(index), bad_value(items[index])));
    }
}

pub(super) fn check_map(keys: &[&str], items: &[Value<'_>], path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let misfit = |item: &Value<'_>| !matches!(item, Value::Null | Value::Object(_));
    if let Some(index) = items.iter().position(misfit) {
        let detail = "must be an object for an array of list-type map";
        errors.push(FieldError::invalid(
            &path.index(index),
            bad_value(items[index]),
            detail,
        ));
        return;
    }
    for index in repeated_keys(keys, items) {
        let arena = Arena::new();
        let shown = json(key_object(&arena, keys, items[index]));
        errors.push(FieldError::duplicate(
            &path.index(index),
            BadValue::Json(shown.into()),
        ));
    }
}

/// Indices of elements whose keys occurred exactly once before. A single key is compared by type and value,
/// several as JSON, where `1.0` is `1`.
fn repeated_keys(keys: &[&str], items: &[Value<'_>]) -> Vec<usize> {
    let few = items.len() <= FEW;
    let arena = Arena::new();
    match keys {
        [key] if few => repeated_pairwise(items.len(), |left, right| {
            both(items[left].get(key), items[right].get(key), same)
        }),
        [key] => repeated(
            items
                .iter()
                .map(|item| item.get(key).map_or(Identity::None, Identity::of)),
        ),
        _ if few => repeated_pairwise(items.len(), |left, right| {
            keys.iter()
                .all(|key| both(items[left].get(key), items[right].get(key), same_json))
        }),
        _ => repeated(
            items
                .iter()
                .map(|&item| Identity::of(key_object(&arena, keys, item))),
        ),
    }
}

fn both<'v>(
    left: Option<Value<'v>>,
    right: Option<Value<'v>>,
    same: fn(Value<'v>, Value<'v>) -> bool,
) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

fn same(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => same_json(left, right),
        _ => left == right,
    }
}

fn same_json(left: Value<'_>, right: Value<'_>) -> bool {
    left == right || (left.kind() == right.kind() && !is_plain(left) && json(left) == json(right))
}

/// Whether the value's JSON is unique to it.
fn is_plain(value: Value<'_>) -> bool {
    matches!(value, Value::Null | Value::Bool(_) | Value::Str(_))
}

fn key_object<'a>(arena: &'a Arena, keys: &[&'a str], item: Value<'a>) -> Value<'a> {
    let mut entries: Vec<Entry<'a>> = Vec::with_capacity(keys.len());
    for &key in keys {
        if let Some(value) = item.get(key)
            && entries.iter().all(|entry| entry.key != key)
        {
            entries.push(Entry { key, value });
        }
    }
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

/// The identity of an element: scalars by type and value, everything else by canonical JSON.
#[derive(PartialEq, Eq, Hash)]
enum Identity<'v> {
    /// Absent, which differs from `null`.
    None,
    Null,
    Bool(bool),
    Int(i64),
    Float(u64),
    Text(&'v str),
    Json(String),
}

impl<'v> Identity<'v> {
    fn of(value: Value<'v>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(truth),
            Value::Int(int) => Self::Int(int),
            Value::Uint(int) => Self::Float((int as f64).to_bits()),
            // Both zeros are equal.
            Value::Float(float) => Self::Float((float + 0.0).to_bits()),
            Value::Str(text) => Self::Text(text),
            Value::Array(_) | Value::Object(_) => Self::Json(json(value)),
        }
    }
}

/// Up to this many elements, pairwise comparison is faster and needs no memory.
const FEW: usize = 16;

/// Indices of second occurrences; upstream does not report third ones.
fn repeated_pairwise(count: usize, same: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let is_second = |right: &usize| (0..*right).filter(|&left| same(left, *right)).count() == 1;
    (1..count).filter(is_second).collect()
}

/// Like `repeated_pairwise`, for many elements.
fn repeated<'v>(identities: impl ExactSizeIterator<Item = Identity<'v>>) -> Vec<usize> {
    let mut times: HashMap<Identity<'v>, usize> = HashMap::with_capacity(identities.len());
    let mut found = Vec::new();
    for (index, identity) in identities.enumerate() {
        let seen = times.entry(identity).or_insert(0);
        *seen += 1;
        if *seen == 2 {
            found.push(index);
        }
    }
    found
}
