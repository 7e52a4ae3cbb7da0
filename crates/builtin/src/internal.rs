//! Values as the server's own types print them. Those types have the members of the published ones under their Go names,
//! all of them, with Go's zero values where nothing is set. Some errors show them.

use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::BadValue;
use kindsmith_schema::{Field, Scalar, TypeName, TypeRef, View, WellKnown};

use crate::text_diff;
use crate::types::own_schema;

const CORE: &str = "k8s.io/api/core/v1";
const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// A value of a type of the core group, as errors show it.
pub(crate) fn show(ty: &str, value: Option<Value<'_>>) -> BadValue {
    let arena = Arena::new();
    let internal = converted(&arena, ty, value.unwrap_or_default());
    BadValue::Json(format().to_string(internal).into())
}

/// A list of values of a type of the core group, as errors show it.
pub(crate) fn show_list(ty: &str, values: &[Value<'_>]) -> BadValue {
    let arena = Arena::new();
    let values = values.iter().map(|value| converted(&arena, ty, *value));
    let values: Vec<Value<'_>> = values.collect();
    BadValue::Json(format().to_string(Value::Array(&values)).into())
}

/// What changed between two values of a type of the core group: a unified diff of their indented JSON.
pub(crate) fn diff(ty: &str, old: Option<Value<'_>>, new: Option<Value<'_>>) -> String {
    let arena = Arena::new();
    let lines = |value: Option<Value<'_>>| {
        let internal = converted(&arena, ty, value.unwrap_or_default());
        format().indent(" ").to_string(internal)
    };
    text_diff::unified(&lines(old), &lines(new))
}

fn format() -> Format<'static> {
    Format::default().escape(Escape::Html)
}

fn converted<'a>(arena: &'a Arena, ty: &str, value: Value<'_>) -> Value<'a> {
    let schema = own_schema();
    let Some(id) = schema.find(&TypeName::new(CORE, ty)) else {
        return Value::Null;
    };
    let printer = Printer {
        arena,
        view: schema.view(),
    };
    printer.value(&TypeRef::Named(id), Some(value))
}

struct Printer<'a, 's> {
    arena: &'a Arena,
    view: View<'s>,
}

impl<'a> Printer<'a, '_> {
    fn value(&self, of: &TypeRef, value: Option<Value<'_>>) -> Value<'a> {
        let value = value.filter(|value| !value.is_null());
        let of = self.view.unalias(of);
        if let TypeRef::Named(id) = of {
            let named = self.view.ty(*id);
            if let Some(known) = named.well_known.filter(|known| known.is_opaque()) {
                return value.map_or_else(|| zero(known), |value| self.copy(value));
            }
            // Metadata and selectors have published names here, too.
            if *named.name.package == *META {
                return value.map_or(Value::Object(Object::EMPTY), |value| self.copy(value));
            }
        }
        match (self.view.underlying(of), value) {
            (TypeRef::Pointer(_) | TypeRef::List(_) | TypeRef::Map(..), None) => Value::Null,
            (TypeRef::Pointer(inner), value) => self.value(inner, value),
            (TypeRef::List(element), Some(Value::Array(items))) => {
                let items: Vec<Value<'a>> = items
                    .iter()
                    .map(|item| self.value(element, Some(*item)))
                    .collect();
                Value::Array(self.arena.alloc_slice_copy(&items))
            }
            (TypeRef::Map(_, entry), Some(Value::Object(object))) => {
                let mut members = Object::EMPTY;
                for member in object.sorted() {
                    let key = self.arena.alloc_str(member.key);
                    members.insert(self.arena, key, self.value(entry, Some(member.value)));
                }
                Value::Object(members)
            }
            (TypeRef::Scalar(scalar), None) => match scalar {
                Scalar::Bool => Value::Bool(false),
                Scalar::String => Value::Str(""),
                _ => Value::from(0),
            },
            (underlying, value) => match self.view.members(underlying) {
                Some((_, fields)) => {
                    let mut members = Object::EMPTY;
                    self.members(fields, value.unwrap_or_default(), &mut members);
                    Value::Object(members)
                }
                None => value.map_or(Value::Null, |value| self.copy(value)),
            },
        }
    }

    /// Adds the members of a struct; those of embedded ones stand among them.
    fn members(&self, fields: &[Field], value: Value<'_>, out: &mut Object<'a>) {
        for field in fields {
            let found = match field.json_name() {
                Some(name) if !name.is_empty() => value.get(name),
                _ => Some(value),
            };
            if !field.embedded {
                let key = self.arena.alloc_str(&field.name);
                out.insert(self.arena, key, self.value(&field.ty, found));
                continue;
            }
            let Some((owner, inner)) = self.view.members(self.view.underlying(&field.ty)) else {
                continue;
            };
            match self.view.ty(owner).well_known {
                Some(WellKnown::TypeMeta) => {}
                Some(WellKnown::ObjectMeta) => {
                    for (key, value) in crate::rule::entries(found) {
                        out.insert(self.arena, self.arena.alloc_str(key), self.copy(value));
                    }
                }
                _ => self.members(inner, found.unwrap_or_default(), out),
            }
        }
    }

    /// The value itself, in the arena of the printer.
    fn copy(&self, value: Value<'_>) -> Value<'a> {
        let text = kindsmith_json::to_string(value);
        kindsmith_json::parse_str(self.arena, self.arena.alloc_str(&text)).unwrap_or_default()
    }
}

fn zero(known: WellKnown) -> Value<'static> {
    match known {
        WellKnown::Quantity => Value::Str("0"),
        WellKnown::IntOrString => Value::from(0),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn shows_go_names_and_zero_values() {
        let arena = Arena::new();
        let value = parse_str(&arena, r#"{"type":"Localhost"}"#).expect("it is JSON");
        let shown = show("SeccompProfile", Some(value)).to_json();
        assert_eq!(shown, r#"{"Type":"Localhost","LocalhostProfile":null}"#);
    }

    #[test]
    fn embedded_members_stand_among_their_parents() {
        let arena = Arena::new();
        let value = parse_str(&arena, r#"{"name":"v","hostPath":{"path":"/a"}}"#).expect("it is JSON");
        let shown = show("Volume", Some(value)).to_json();
        assert!(shown.starts_with(r#"{"Name":"v","HostPath":{"Path":"/a","Type":null},"EmptyDir":null"#));
    }
}
