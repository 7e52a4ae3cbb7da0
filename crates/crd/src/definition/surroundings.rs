//! The object around a default: from its resource down to where it stands.

use kindsmith_json::{Arena, Object, Value};

/// The way from a resource to a place in it.
#[derive(Clone, Copy)]
pub(super) enum Surroundings<'p> {
    /// The resource itself.
    Resource,
    /// A member of what is around.
    Member(&'p Surroundings<'p>, &'p str),
    /// An element of what is around.
    Element(&'p Surroundings<'p>),
}

impl Surroundings<'_> {
    /// The whole resource that holds nothing but a value in its place.
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

/// Adds the kind that every resource has.
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
