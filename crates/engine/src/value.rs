//! JSON values viewed as Go values of a plan's types: presence, length, equality, and Go's own encoding.
//!
//! Knows shapes, not rules. A value that does not fit its type counts as the zero value, so nothing here can
//! fail; `decode` checks once whether values fit.

mod decode;
mod encode;
mod equal;
mod fields;
mod prune;
mod restore;
mod stored;
mod well_known;

use kindsmith_json::{Object, Value, is_same_key};
use kindsmith_schema::Scalar;

pub use decode::{DecodeError, Wanted};
pub(crate) use encode::bad_value;
pub(crate) use equal::{equal, values_equal};

use crate::plan::{FieldPlan, NodeId, NodeShape, Plan, Slot};

/// A Go value in nilable form: `None` is nil, `null` the zero value of what is pointed to.
pub(crate) type Val<'a> = Option<Value<'a>>;

impl Plan {
    /// The value of a field in the object that holds it.
    #[inline]
    pub(crate) fn member<'a>(&self, field: &FieldPlan, holder: Value<'a>) -> Val<'a> {
        if field.inline {
            let present = !field.slot.pointer || self.has_any_key(field.slot.node, holder);
            return present.then_some(holder);
        }
        let found = match (&field.key, holder) {
            (Some(key), Value::Object(object)) => get_near(object, key, &mut 0),
            _ => None,
        };
        self.nilable(field, found)
    }

    /// Like `field`, starting where the last field was found: most objects list members in the order of their
    /// type.
    #[inline]
    pub(crate) fn member_near<'a>(&self, field: &FieldPlan, holder: Value<'a>, near: &mut usize) -> Val<'a> {
        let (Some(key), Value::Object(object)) = (&field.key, holder) else {
            return self.member(field, holder);
        };
        self.nilable(field, get_near(object, key, near))
    }

    #[inline]
    pub(crate) fn nilable<'a>(&self, field: &FieldPlan, found: Val<'a>) -> Val<'a> {
        match found {
            None | Some(Value::Null) => (!field.slot.pointer).then_some(Value::Null),
            Some(value) if field.as_text => Some(self.untexted(field, value)),
            found => found,
        }
    }

    /// Undoes the `string` option of a `json` tag.
    #[cold]
    fn untexted<'a>(&self, field: &FieldPlan, value: Value<'a>) -> Value<'a> {
        let (NodeShape::Scalar(scalar), Value::Str(text)) = (&self.node(field.slot.node).shape, value) else {
            return value;
        };
        match scalar {
            Scalar::String => text
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
                .map_or(value, Value::Str),
            Scalar::Bool => text.parse().map_or(Value::Null, Value::Bool),
            Scalar::Float32 | Scalar::Float64 => text.parse().map_or(Value::Null, Value::Float),
            _ => match (text.parse(), text.parse()) {
                (Ok(int), _) => Value::Int(int),
                (_, Ok(uint)) => Value::Uint(uint),
                _ => Value::Null,
            },
        }
    }

    fn has_any_key(&self, node: NodeId, holder: Value<'_>) -> bool {
        let (NodeShape::Struct(members), Value::Object(object)) = (&self.node(node).shape, holder) else {
            return false;
        };
        members.keys.iter().any(|(key, _)| object.contains_key(key))
    }

    /// An element of a list or map in nilable form.
    #[inline]
    pub(crate) fn element<'a>(&self, slot: Slot, value: Value<'a>) -> Val<'a> {
        match value {
            Value::Null if slot.pointer => None,
            value => Some(value),
        }
    }

    /// Is a field of this type set: non-nil, non-empty, non-zero?
    pub(crate) fn is_set(&self, slot: Slot, value: Val<'_>) -> bool {
        let Some(value) = value else { return false };
        if slot.pointer {
            return true;
        }
        match &self.node(slot.node).shape {
            NodeShape::Scalar(scalar) => !is_zero_scalar(*scalar, value),
            NodeShape::Bytes | NodeShape::List(_) | NodeShape::Map { .. } => self.len(slot.node, value) > 0,
            NodeShape::Any | NodeShape::Unknown => !value.is_null(),
            NodeShape::Array { len, .. } => *len > 0,
            NodeShape::Struct(_) | NodeShape::WellKnown(_) => true,
        }
    }

    /// Is it the zero value of its Go type?
    pub(crate) fn is_zero(&self, node: NodeId, value: Value<'_>) -> bool {
        match &self.node(node).shape {
            NodeShape::Scalar(scalar) => is_zero_scalar(*scalar, value),
            NodeShape::Struct(_) | NodeShape::Array { .. } => values_equal(self, node, value, Value::Null),
            NodeShape::WellKnown(known) => well_known::is_zero(*known, value),
            _ => value.is_null(),
        }
    }

    /// The number of elements or entries.
    pub(crate) fn len(&self, node: NodeId, value: Value<'_>) -> usize {
        match (&self.node(node).shape, value) {
            (NodeShape::Bytes, Value::Str(text)) => decoded_len(text),
            (NodeShape::List(_) | NodeShape::Bytes, Value::Array(items)) => items.len(),
            (NodeShape::Map { .. }, Value::Object(object)) => object.len(),
            _ => 0,
        }
    }
}

/// Searches for a key, starting where the last one was found.
#[inline]
pub(crate) fn get_near<'a>(object: Object<'a>, key: &str, near: &mut usize) -> Val<'a> {
    if let Some(entry) = object.entries().get(*near)
        && is_same_key(entry.key, key)
    {
        *near += 1;
        return Some(entry.value);
    }
    get_far(object, key, near)
}

/// Searches forwards, then backwards.
fn get_far<'a>(object: Object<'a>, key: &str, near: &mut usize) -> Val<'a> {
    let entries = object.entries();
    let start = (*near).min(entries.len());
    let ahead = || {
        entries[start..]
            .iter()
            .position(|entry| is_same_key(entry.key, key))
    };
    let behind = || {
        entries[..start]
            .iter()
            .position(|entry| is_same_key(entry.key, key))
    };
    let position = if entries.len() > FEW {
        object.position(key)?
    } else {
        ahead().map(|position| position + start).or_else(behind)?
    };
    *near = position + 1;
    Some(entries[position].value)
}

/// Up to this many entries are searched linearly.
const FEW: usize = 32;

/// How many elements or entries a value has: a walk pays for them together before it looks at them.
#[inline]
pub(crate) fn content(value: Value<'_>) -> u64 {
    match value {
        Value::Array(items) => items.len() as u64,
        Value::Object(object) => object.len() as u64,
        _ => 0,
    }
}

/// The elements of a list.
#[inline]
pub(crate) fn items(value: Val<'_>) -> &[Value<'_>] {
    match value {
        Some(Value::Array(items)) => items,
        _ => &[],
    }
}

/// The entries of a map.
#[inline]
pub(crate) fn entries(value: Val<'_>) -> Object<'_> {
    match value {
        Some(Value::Object(object)) => object,
        _ => Object::EMPTY,
    }
}

/// The string; empty when the value is not one.
#[inline]
pub(crate) fn text(value: Value<'_>) -> &str {
    match value {
        Value::Str(text) => text,
        _ => "",
    }
}

/// The integer; zero when the value is not one.
#[inline]
pub(crate) fn integer(value: Value<'_>) -> i128 {
    match value {
        Value::Int(number) => number.into(),
        Value::Uint(number) => number.into(),
        _ => 0,
    }
}

fn is_zero_scalar(scalar: Scalar, value: Value<'_>) -> bool {
    match (scalar, value) {
        (Scalar::String, Value::Str(text)) => text.is_empty(),
        (Scalar::Bool, Value::Bool(truth)) => !truth,
        (Scalar::String | Scalar::Bool, _) => true,
        // A float too small for its type is zero in Go as well.
        (Scalar::Float32, value) => value.as_f64().unwrap_or(0.0) as f32 == 0.0,
        (_, value) => value.as_f64().unwrap_or(0.0) == 0.0,
    }
}

/// The number of bytes that base64 text encodes.
fn decoded_len(text: &str) -> usize {
    let digits = text
        .bytes()
        .filter(|byte| !matches!(byte, b'\r' | b'\n' | b'='))
        .count();
    digits / 4 * 3 + [0, 0, 1, 2][digits % 4]
}
