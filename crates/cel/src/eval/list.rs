//! Reading, iterating and joining all sorts of lists and maps.

use std::collections::HashSet;

use kindsmith_json::Value as Json;

use crate::dialect::Feature;
use crate::escape::escape;
use crate::types::decl::{ListType, NodeShape};

use super::context::{Context, Eval};
use super::describe::describe;
use super::json;
use super::value::{Const, Key, MapList, RawKey, Value};

/// The number of elements of a list or entries of a map.
pub(crate) fn len(value: Value<'_>) -> usize {
    value.size().unwrap_or(0) as usize
}

/// The element at a position within bounds.
pub(crate) fn get<'a>(cx: &mut Context<'a>, list: Value<'a>, at: usize) -> Value<'a> {
    match list {
        Value::List(elements) | Value::SetList(elements) => elements[at],
        Value::MapList(list) => list.elements[at],
        Value::ConstList(elements) => constant(cx, &elements[at]),
        Value::Concat(pair) => {
            let first = len(pair.0);
            if at < first {
                get(cx, pair.0, at)
            } else {
                get(cx, pair.1, at - first)
            }
        }
        Value::JsonList(list, node) => match (json::elements(list).get(at), json::items(node)) {
            (Some(element), Some(items)) => json::wrap(cx, element, items),
            _ => Value::Null,
        },
        _ => Value::Null,
    }
}

/// The value of a constant.
pub(crate) fn constant<'a>(cx: &mut Context<'a>, constant: &'a Const) -> Value<'a> {
    match constant {
        Const::Null => Value::Null,
        Const::Bool(b) => Value::Bool(*b),
        Const::Int(i) => Value::Int(*i),
        Const::Uint(u) => Value::Uint(*u),
        Const::Double(d) => Value::Double(*d),
        Const::String(s) => Value::String(s),
        Const::Bytes(b) => Value::Bytes(b),
        Const::Duration(d) => Value::Duration(*d),
        Const::Timestamp(t) => Value::Timestamp(*t),
        Const::Type(name) => Value::Type(name),
        Const::List(elements) => Value::ConstList(elements),
        Const::Map(entries) => {
            let mut builder = super::context::MapBuilder::default();
            for (key, value) in entries {
                let (key, value) = (self::constant(cx, key), self::constant(cx, value));
                builder.set(key, value);
            }
            cx.map(&builder)
        }
        Const::Error(error) => {
            cx.saw_error = true;
            Value::Error(error)
        }
    }
}

/// All elements of a list; `None` if they do not fit the budget, which ends the evaluation.
pub(crate) fn elements<'a>(cx: &mut Context<'a>, list: Value<'a>) -> Vec<Value<'a>> {
    let length = len(list);
    if cx.has_room(length.saturating_mul(size_of::<Value<'_>>())) {
        (0..length).map(|at| get(cx, list, at)).collect()
    } else {
        Vec::new()
    }
}

/// The keys of a map in iteration order. Hidden fields of an object become nulls at the end.
pub(crate) fn keys<'a>(cx: &mut Context<'a>, map: Value<'a>) -> Vec<Value<'a>> {
    match map {
        Value::Map(map) => map.entries.iter().map(|(key, _)| *key).collect(),
        Value::JsonMap(map, node) => {
            let NodeShape::Object(shape) = &node.shape else {
                return Vec::new();
            };
            let object = json::object(map);
            let mut keys: Vec<Value<'a>> = Vec::with_capacity(object.len());
            for key in object.keys().filter(|key| shape.property(key).is_some()) {
                let escaped = if shape.named {
                    escape(key).filter(|escaped| escaped != key)
                } else {
                    None
                };
                keys.push(escaped.map_or(Value::String(key), |escaped| cx.string(&escaped)));
            }
            keys.resize(object.len(), Value::Null);
            keys
        }
        _ => Vec::new(),
    }
}

/// The value under a key, if there is one; `Err` for a key the map cannot have.
pub(crate) fn find<'a>(
    cx: &mut Context<'a>,
    map: Value<'a>,
    key: Value<'a>,
) -> Result<Option<Value<'a>>, Value<'a>> {
    match map {
        Value::Map(map) => Ok(map.find(key)),
        Value::JsonMap(map, node) => json::find(cx, map, node, key),
        _ => Ok(None),
    }
}

/// The value under a key, or an error if there is none.
pub(crate) fn map_get<'a>(cx: &mut Context<'a>, map: Value<'a>, key: Value<'a>) -> Value<'a> {
    match find(cx, map, key) {
        Ok(Some(value)) => value,
        Ok(None) => {
            let text = format!("no such key: {}", describe(key));
            cx.error(&text)
        }
        Err(error) => error,
    }
}

/// `key in map`.
pub(crate) fn map_contains<'a>(cx: &mut Context<'a>, map: Value<'a>, key: Value<'a>) -> Value<'a> {
    match find(cx, map, key) {
        Ok(Some(error @ Value::Error(_))) | Err(error) => error,
        Ok(found) => Value::Bool(found.is_some()),
    }
}

/// `left + right` for lists: sets unite, map lists merge by key, a loop's list grows in place.
pub(crate) fn concat<'a>(cx: &mut Context<'a>, left: Value<'a>, right: Value<'a>) -> Eval<'a> {
    match left {
        Value::ListAccumulator(slot) => {
            for at in 0..len(right) {
                let element = get(cx, right, at);
                cx.pay(size_of_val(&element))?;
                cx.lists[slot as usize].push(element);
            }
            Ok(left)
        }
        Value::JsonList(_, node) => {
            let NodeShape::Array { list_type, .. } = &node.shape else {
                return Ok(left);
            };
            let own = elements(cx, left);
            match list_type {
                ListType::Atomic => {
                    let mut joined = own;
                    joined.extend(elements(cx, right));
                    Ok(cx.list(&joined))
                }
                ListType::Set if cx.dialect.has(Feature::ElementsByValue) => Ok(unite(cx, own, right)),
                ListType::Set => Ok(match sent_keys(cx, left) {
                    Ok(keys) => unite_sent(cx, keys, own, right),
                    Err(error) => error,
                }),
                ListType::Map(keys) => Ok(merge(cx, own, right, escaped_keys(cx, keys))),
            }
        }
        Value::SetList(own) => Ok(unite(cx, own.to_vec(), right)),
        Value::MapList(list) => Ok(merge(cx, list.elements.to_vec(), right, list.keys)),
        _ if len(left) == 0 => Ok(right),
        _ if len(right) == 0 => Ok(left),
        _ => {
            let length = left.size().unwrap_or(0) + right.size().unwrap_or(0);
            cx.room(length)?;
            cx.spend(size_of_val(&(left, right, length)));
            Ok(Value::Concat(cx.arena.alloc((left, right, length))))
        }
    }
}

/// The key properties as CEL names them.
pub(crate) fn escaped_keys<'a>(cx: &Context<'a>, keys: &'a [String]) -> &'a [&'a str] {
    let escaped: Vec<&'a str> = keys
        .iter()
        .map(|key| escape(key).map_or(&**key, |escaped| cx.arena.alloc_str(&escaped)))
        .collect();
    cx.arena.alloc_slice_copy(&escaped)
}

fn unite<'a>(cx: &mut Context<'a>, mut own: Vec<Value<'a>>, right: Value<'a>) -> Value<'a> {
    let mut seen = HashSet::new();
    for element in &own {
        match set_key(cx, *element) {
            Ok(key) => seen.extend(key),
            Err(error) => return error,
        }
    }
    for element in elements(cx, right) {
        match set_key(cx, element) {
            Ok(Some(key)) if !seen.insert(key) => {}
            Ok(_) => own.push(element),
            Err(error) => return error,
        }
    }
    cx.spend(size_of_val(&*own));
    Value::SetList(cx.arena.alloc_slice_copy(&own))
}

/// The elements of a set of the object as they were sent; of other sets by their values.
pub(crate) fn sent_keys<'a>(cx: &mut Context<'a>, set: Value<'a>) -> Result<HashSet<RawKey<'a>>, Value<'a>> {
    let Value::JsonList(own, _) = set else {
        return Ok(elements(cx, set).into_iter().filter_map(RawKey::of).collect());
    };
    let mut keys = HashSet::new();
    for element in json::elements(own) {
        // Go panics, which the evaluation makes an error of.
        let ty = match element {
            Json::Array(_) => "[]interface {}",
            Json::Object(_) => "map[string]interface {}",
            element => {
                keys.extend(RawKey::new(*element));
                continue;
            }
        };
        let text = format!("internal error: runtime error: hash of unhashable type {ty}");
        return Err(cx.error(&text));
    }
    Ok(keys)
}

/// A union as older releases make it: elements are compared as they were sent.
fn unite_sent<'a>(
    cx: &mut Context<'a>,
    mut seen: HashSet<RawKey<'a>>,
    mut own: Vec<Value<'a>>,
    right: Value<'a>,
) -> Value<'a> {
    for element in elements(cx, right) {
        if RawKey::of(element).is_none_or(|key| seen.insert(key)) {
            own.push(element);
        }
    }
    cx.spend(size_of_val(&*own));
    Value::SetList(cx.arena.alloc_slice_copy(&own))
}

/// Identifies an element of a set; containers cannot be in sets, and errors equal nothing.
pub(crate) fn set_key<'a>(cx: &mut Context<'a>, element: Value<'a>) -> Result<Option<Key<'a>>, Value<'a>> {
    if element.is_list() || element.is_map() {
        return Err(cx.error("listSet operations are only supported on lists of scalar values"));
    }
    Ok(Key::new(element))
}

/// The values of the key properties of a map list's element.
pub(crate) type ElementKey<'a> = Vec<Option<Key<'a>>>;

/// The key of a map list's element, read with CEL's types.
pub(crate) fn element_key<'a>(
    cx: &mut Context<'a>,
    element: Value<'a>,
    keys: &'a [&'a str],
) -> ElementKey<'a> {
    keys.iter()
        .map(|key| match find(cx, element, Value::String(key)) {
            Ok(Some(value)) => Key::new(value),
            _ => None,
        })
        .collect()
}

fn merge<'a>(
    cx: &mut Context<'a>,
    mut own: Vec<Value<'a>>,
    right: Value<'a>,
    keys: &'a [&'a str],
) -> Value<'a> {
    let mut positions = std::collections::HashMap::new();
    for (at, element) in own.iter().enumerate() {
        positions.insert(element_key(cx, *element, keys), at);
    }
    for element in elements(cx, right) {
        match positions.get(&element_key(cx, element, keys)) {
            Some(at) => own[*at] = element,
            None => own.push(element),
        }
    }
    cx.spend(size_of_val(&*own));
    let elements = cx.arena.alloc_slice_copy(&own);
    Value::MapList(cx.arena.alloc(MapList { elements, keys }))
}
