//! The object around a default: the path from its resource to the default.

use kindsmith_json::{Arena, Object, Value};

/// The path from a resource to a place in it.
#[derive(Clone, Copy)]
pub(super) enum Surroundings<'p> {
    /// The resource itself.
    Resource,
    /// A member of the parent.
    Member(&'p Surroundings<'p>, &'p str),
    /// An element of the parent.
    Element(&'p Surroundings<'p>),
}

impl Surroundings<'_> {
    /// A resource that contains only this value at its place.
    pub(super) fn around<'a>(&self, value: Value<'a>, arena: &'a Arena) -> Value<'a> {
        match self {
            Surroundings::Resource => resource(value, arena),
            Surroundings::Member(around, name) => {
                let mut object = Object::default();
                object.insert(arena, arena.alloc_str(name), value);
                around.around(Value::Object(object), arena)
            }
            Surroundings::Element(around) => {
                around.around(Value::Array(arena.alloc_slice_copy(&[value])), arena)
            }
        }
    }
}

/// Adds an `apiVersion` and a `kind`.
fn resource<'a>(value: Value<'a>, arena: &'a Arena) -> Value<'a> {
    let Value::Object(mut object) = value else {
        return value;
    };
    for (key, text) in [("apiVersion", "validation/v1"), ("kind", "Validation")] {
        if !object.contains_key(key) {
            object.insert(arena, key, Value::Str(text));
        }
    }
    Value::Object(object)
}
