//! Equality. Values of different types are unequal, but lists, maps and library types of the object give an error
//! instead; set and map lists ignore order.

use std::collections::{HashMap, HashSet};

use kindsmith_json::Value as Json;

use crate::dialect::Feature;
use crate::escape::escape;
use crate::types::decl::{ListType, NodeShape};

use super::compared::Place;
use super::context::Context;
use super::json;
use super::list::{self, element_key, elements, get, len, set_key};
use super::number::compare_numbers;
use super::value::{Ext, RawKey, Record, Value};

const FALSE: Value<'static> = Value::Bool(false);
const TRUE: Value<'static> = Value::Bool(true);

/// `a == b`: null equals only null; for other values the left operand decides.
#[inline]
pub(crate) fn equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Value::Bool(a == b),
        (Value::Int(a), Value::Int(b)) => Value::Bool(a == b),
        (Value::Null, Value::Null) => TRUE,
        (Value::Null, _) | (_, Value::Null) => FALSE,
        _ => method_equal(cx, a, b),
    }
}

/// Whether two values are equal; an error counts as unequal.
pub(crate) fn is_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> bool {
    matches!(method_equal(cx, a, b), Value::Bool(true))
}

/// Equality as the left operand defines it.
pub(crate) fn method_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    match (a, b) {
        (Value::Error(_), _) => a,
        (Value::Null, Value::Null) => TRUE,
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(a == b),
        (Value::String(a), Value::String(b)) => Value::Bool(a == b),
        (Value::Bytes(a), Value::Bytes(b)) => Value::Bool(a == b),
        (Value::Duration(a), Value::Duration(b)) => Value::Bool(a == b),
        (Value::Timestamp(a), Value::Timestamp(b)) => Value::Bool(a.same(b)),
        (Value::Type(a), Value::Type(b)) => Value::Bool(a == b),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => {
            Value::Bool(compare_numbers(a, b).is_some_and(|order| order.is_eq()))
        }
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (None, None) => TRUE,
            (Some(a), Some(b)) => cx.within(|cx| method_equal(cx, *a, *b)).unwrap_or(FALSE),
            _ => FALSE,
        },
        (Value::Ext(a), _) => ext_equal(cx, a, b),
        (Value::Record(a), Value::Record(b)) => record_equal(cx, a, b),
        (Value::Opaque(a), _) => Value::Bool(match b {
            Value::Opaque(b) | Value::JsonMap(b, _) | Value::JsonList(b, _) => a == b,
            Value::String(b) => *a == Json::Str(b),
            Value::Int(b) => *a == Json::Int(b),
            Value::Bool(b) => *a == Json::Bool(b),
            Value::Double(b) => *a == Json::Float(b),
            _ => false,
        }),
        _ if a.is_list() || a.is_map() => container_equal(cx, a, b),
        _ => FALSE,
    }
}

/// How many visits make a comparison long.
const LONG: u64 = 64;

fn container_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    let places = place(a).zip(place(b));
    if let Some(known) = places.and_then(|places| cx.compared.0.get(&places)) {
        return *known;
    }
    let before = cx.visits();
    let compare = |cx: &mut Context<'a>| {
        if a.is_list() {
            list_equal(cx, a, b)
        } else {
            map_equal(cx, a, b)
        }
    };
    let result = cx.within(compare).unwrap_or(FALSE);
    if let Some(places) = places
        && cx.visits() - before >= LONG
        && cx.spend(size_of::<((Place, Place), Value<'_>)>())
    {
        cx.compared.0.insert(places, result);
    }
    result
}

fn place(value: Value<'_>) -> Option<Place> {
    fn at<T: ?Sized>(part: &T) -> usize {
        std::ptr::from_ref(part).cast::<()>() as usize
    }
    Some(match value {
        Value::List(elements) | Value::SetList(elements) if !elements.is_empty() => (at(elements), 0),
        Value::ConstList(elements) if !elements.is_empty() => (at(elements), 0),
        Value::MapList(list) => (at(list), 0),
        Value::Concat(pair) => (at(pair), 0),
        Value::Map(map) => (at(map), 0),
        Value::JsonList(json, node) | Value::JsonMap(json, node) => (at(json), at(node)),
        _ => return None,
    })
}

fn ext_equal<'a>(cx: &mut Context<'a>, a: &Ext, b: Value<'a>) -> Value<'a> {
    let Value::Ext(other) = b else {
        return cx.no_overload_for(b);
    };
    Value::Bool(match (a, other) {
        (Ext::Ip(a), Ext::Ip(b)) => a == b,
        (Ext::Cidr(a), Ext::Cidr(b)) => a == b,
        (Ext::Quantity(a, _), Ext::Quantity(b, false)) => a.cmp(b).is_eq(),
        (Ext::Url(a), Ext::Url(b)) => a.to_string() == b.to_string(),
        (Ext::Semver(a), Ext::Semver(b)) => a.cmp(b).is_eq(),
        (Ext::Format(a), Ext::Format(b)) => a.title == b.title,
        (Ext::Empty, other) => matches!(other, Ext::Empty),
        _ => return cx.no_overload(),
    })
}

fn record_equal<'a>(cx: &mut Context<'a>, a: &Record<'a>, b: &Record<'a>) -> Value<'a> {
    let is_same = a.name == b.name && a.fields.len() == b.fields.len();
    let compare = |cx: &mut Context<'a>| {
        let mut fields = a.fields.iter();
        fields.all(|(name, value)| b.field(name).is_some_and(|other| is_equal(cx, *value, other)))
    };
    Value::Bool(is_same && cx.within(compare).unwrap_or(false))
}

fn list_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    let list_type = match a {
        Value::JsonList(_, node) => match &node.shape {
            NodeShape::Array { list_type, .. } => Some(list_type),
            _ => None,
        },
        _ => None,
    };
    let strict = list_type.is_some() || matches!(a, Value::SetList(_) | Value::MapList(_));
    if !b.is_list() {
        return if strict { cx.no_overload_for(b) } else { FALSE };
    }
    if len(a) != len(b) {
        return FALSE;
    }
    match (a, list_type) {
        (Value::SetList(_), _) | (_, Some(ListType::Set)) => set_equal(cx, a, b),
        (Value::MapList(own), _) => merged_equal(cx, own.elements, own.keys, b),
        (Value::JsonList(own, node), Some(ListType::Map(keys))) => {
            let Some(items) = json::items(node) else {
                return FALSE;
            };
            map_list_equal(cx, json::elements(own), items, keys, b)
        }
        (_, Some(ListType::Atomic)) => {
            for at in 0..len(a) {
                if !cx.visit() {
                    return FALSE;
                }
                let (left, right) = (get(cx, a, at), get(cx, b, at));
                match method_equal(cx, left, right) {
                    Value::Bool(true) => {}
                    other => return other,
                }
            }
            TRUE
        }
        _ => plain_equal(cx, a, b),
    }
}

/// Lists made by expressions: errors in elements are ignored, except that a concatenation returns the first one if no
/// element differs.
fn plain_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    let mut error = None;
    for at in 0..len(a) {
        if !cx.visit() {
            return FALSE;
        }
        let (left, right) = (get(cx, a, at), get(cx, b, at));
        match equal(cx, left, right) {
            Value::Bool(false) => return FALSE,
            Value::Bool(_) => {}
            other => error = error.or(Some(other)),
        }
    }
    match (a, error) {
        (Value::Concat(_), Some(error)) => error,
        _ => TRUE,
    }
}

fn set_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    if !cx.dialect.has(Feature::ElementsByValue) {
        return sent_equal(cx, a, b);
    }
    let mut own = HashSet::new();
    for element in elements(cx, a) {
        match set_key(cx, element) {
            Ok(key) => own.extend(key),
            Err(error) => return error,
        }
    }
    let mut seen = HashSet::new();
    for element in elements(cx, b) {
        match set_key(cx, element) {
            Ok(Some(key)) if own.contains(&key) => seen.insert(key),
            Ok(_) => return FALSE,
            Err(error) => return error,
        };
    }
    Value::Bool(seen.len() == own.len())
}

/// The same as older releases have it: elements are looked up among those of the object as they were sent.
fn sent_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    let own = match list::sent_keys(cx, a) {
        Ok(own) => own,
        Err(error) => return error,
    };
    let is_there = |element: Value<'a>| RawKey::of(element).is_some_and(|key| own.contains(&key));
    Value::Bool(elements(cx, b).into_iter().all(is_there))
}

fn merged_equal<'a>(cx: &mut Context<'a>, own: &[Value<'a>], keys: &'a [&'a str], b: Value<'a>) -> Value<'a> {
    let mut by_key = HashMap::new();
    for element in own {
        by_key.insert(element_key(cx, *element, keys), *element);
    }
    let mut seen = HashSet::new();
    for element in elements(cx, b) {
        let key = element_key(cx, element, keys);
        let Some(mine) = by_key.get(&key) else {
            return FALSE;
        };
        match method_equal(cx, *mine, element) {
            Value::Bool(true) => seen.insert(key),
            other => return other,
        };
    }
    Value::Bool(seen.len() == by_key.len())
}

/// A map list of the object: elements are matched by their raw key properties.
fn map_list_equal<'a>(
    cx: &mut Context<'a>,
    own: &'a [Json<'a>],
    items: &'a crate::types::decl::Node,
    keys: &[String],
    b: Value<'a>,
) -> Value<'a> {
    // Kubernetes looks up raw data by escaped names, so it never finds keys that need escaping.
    let names: Vec<String> = keys
        .iter()
        .map(|key| escape(key).unwrap_or_else(|| key.clone()))
        .collect();
    let raw_key = |json: &Json<'a>| -> Vec<Option<RawKey<'a>>> {
        names
            .iter()
            .map(|name| json.get(name).and_then(RawKey::new))
            .collect()
    };
    let mut by_key = HashMap::new();
    for element in own {
        by_key.insert(raw_key(element), element);
    }
    let mut seen = HashSet::new();
    for element in elements(cx, b) {
        let Value::JsonMap(raw, _) = element else {
            return FALSE;
        };
        let key = raw_key(raw);
        let Some(mine) = by_key.get(&key) else {
            return FALSE;
        };
        let mine = json::wrap(cx, mine, items);
        match method_equal(cx, mine, element) {
            Value::Bool(true) => seen.insert(key),
            other => return other,
        };
    }
    Value::Bool(!cx.dialect.has(Feature::ElementsByValue) || seen.len() == by_key.len())
}

fn map_equal<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Value<'a> {
    if let Value::JsonMap(own, node) = a {
        return object_equal(cx, own, node, b);
    }
    if !b.is_map() || len(a) != len(b) {
        return FALSE;
    }
    let Value::Map(map) = a else { return FALSE };
    for (key, value) in map.entries {
        if !cx.visit() {
            return FALSE;
        }
        match list::find(cx, b, *key) {
            Ok(Some(other)) => {
                if matches!(equal(cx, *value, other), Value::Bool(false)) {
                    return FALSE;
                }
            }
            // A key of the wrong type gives an error value, which does not count as a difference.
            Err(_) => {}
            Ok(None) => return FALSE,
        }
    }
    TRUE
}

fn object_equal<'a>(
    cx: &mut Context<'a>,
    own: &'a Json<'a>,
    node: &'a crate::types::decl::Node,
    b: Value<'a>,
) -> Value<'a> {
    if !b.is_map() {
        return cx.no_overload_for(b);
    }
    let object = json::object(own);
    if object.len() != len(b) {
        return FALSE;
    }
    let NodeShape::Object(shape) = &node.shape else {
        return FALSE;
    };
    for entry in object.entries() {
        if !cx.visit() {
            return FALSE;
        }
        if shape.property(entry.key).is_none() {
            // Hidden data is compared only if both sides have it.
            let Value::JsonMap(other, _) = b else {
                return cx.no_overload_for(b);
            };
            if json::entry(other, entry.key).is_some_and(|other| *other != entry.value) {
                return FALSE;
            }
            continue;
        }
        let mine = json::find(cx, own, node, Value::String(entry.key)).unwrap_or_else(Some);
        let theirs = list::find(cx, b, Value::String(entry.key)).unwrap_or_else(Some);
        match (mine, theirs) {
            (None, None) => {}
            (Some(mine), Some(theirs)) => match method_equal(cx, mine, theirs) {
                Value::Bool(true) => {}
                other => return other,
            },
            _ => return FALSE,
        }
    }
    TRUE
}

/// `element in list`.
pub(crate) fn list_contains<'a>(cx: &mut Context<'a>, list: Value<'a>, element: Value<'a>) -> Value<'a> {
    match list {
        Value::Concat(pair) => {
            let first = list_contains(cx, pair.0, element);
            if matches!(first, Value::Bool(true)) {
                return first;
            }
            let second = list_contains(cx, pair.1, element);
            if !matches!(second, Value::Bool(true)) && first.is_error() {
                first
            } else {
                second
            }
        }
        Value::JsonList(..) => {
            let mut error = None;
            for at in 0..len(list) {
                if !cx.visit() {
                    return FALSE;
                }
                let own = get(cx, list, at);
                match method_equal(cx, own, element) {
                    Value::Bool(true) => return TRUE,
                    Value::Bool(_) => {}
                    other => error = error.or(Some(other)),
                }
            }
            error.unwrap_or(FALSE)
        }
        _ => {
            for at in 0..len(list) {
                if !cx.visit() {
                    return FALSE;
                }
                let own = get(cx, list, at);
                if is_equal(cx, element, own) {
                    return TRUE;
                }
            }
            FALSE
        }
    }
}
