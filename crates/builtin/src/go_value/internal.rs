//! Values as the server's internal Go types print them: the reference shows these in messages about whole structs. Internal
//! types have the members of the versioned ones under their Go names, without leaving out empty ones.

use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::BadValue;
use kindsmith_schema::{Field, Scalar, Schema, Shape, TypeId, TypeName, TypeRef, WellKnown};

use crate::go_value::empty::without_empty;
use crate::go_value::unified_diff::unified_diff;
use crate::types::own_schema;

/// The package of the core types.
pub(crate) const CORE: &str = "core/v1";

/// Internal structs that differ from those of a version: package and type, and the Go names of the members. Those that the
/// version does not have are null.
const OTHERWISE: &[(&str, &str, &[&str])] = &[
    (
        "k8s.io/api/autoscaling/v2",
        "ContainerResourceMetricSource",
        &["Name", "Container", "Target"],
    ),
    (
        "k8s.io/api/autoscaling/v2",
        "ContainerResourceMetricStatus",
        &["Name", "Container", "Current"],
    ),
    (
        "k8s.io/api/certificates/v1",
        "PodCertificateRequestSpec",
        &[
            "SignerName",
            "PodName",
            "PodUID",
            "ServiceAccountName",
            "ServiceAccountUID",
            "NodeName",
            "NodeUID",
            "MaxExpirationSeconds",
            "PKIXPublicKey",
            "ProofOfPossession",
            "StubPKCS10Request",
            "UnverifiedUserAnnotations",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "NodeSpec",
        &[
            "PodCIDRs",
            "ProviderID",
            "Unschedulable",
            "Taints",
            "ConfigSource",
            "DoNotUseExternalID",
            "PodPreemptionPolicy",
        ],
    ),
];

/// A value of a type such as `core/v1` `PersistentVolumeSpec`, as an error shows it.
pub(crate) fn shown(package: &str, name: &str, value: Option<Value<'_>>) -> BadValue {
    let arena = Arena::new();
    match internal(&arena, package, name, value) {
        None | Some(Value::Null) => BadValue::Nil,
        Some(value) => BadValue::Json(text(value, None).into()),
    }
}

/// A list of values of a type, as an error shows it.
pub(crate) fn shown_list(package: &str, name: &str, values: Option<Value<'_>>) -> BadValue {
    let arena = Arena::new();
    let Some(Value::Array(values)) = values else {
        return BadValue::Nil;
    };
    let list: Vec<Value<'_>> = values
        .iter()
        .filter_map(|value| internal(&arena, package, name, Some(*value)))
        .collect();
    BadValue::Json(text(Value::Array(&list), None).into())
}

/// Whether two values of a type are equal as Go values, where an empty list or map is the same as an absent one.
pub(crate) fn is_same(package: &str, name: &str, left: Value<'_>, right: Value<'_>) -> bool {
    let arena = Arena::new();
    let text = |value| match shown(package, name, Some(without_empty(&arena, value))) {
        BadValue::Json(text) => text.to_string(),
        _ => String::new(),
    };
    text(left) == text(right)
}

/// What changed from one value of a type to another, line by line.
pub(crate) fn difference(
    package: &str,
    name: &str,
    old: Option<Value<'_>>,
    new: Option<Value<'_>>,
) -> String {
    let arena = Arena::new();
    let pretty = |value| {
        let value = internal(&arena, package, name, value).unwrap_or_default();
        text(value, Some(" "))
    };
    unified_diff(&pretty(old), &pretty(new))
}

fn text(value: Value<'_>, indent: Option<&str>) -> String {
    let format = Format::default().escape(Escape::Html);
    match indent {
        Some(indent) => format.indent(indent).to_string(value),
        None => format.to_string(value),
    }
}

fn internal<'a>(arena: &'a Arena, package: &str, name: &str, value: Option<Value<'a>>) -> Option<Value<'a>> {
    let writer = Writer {
        arena,
        schema: own_schema(),
    };
    let id = writer
        .schema
        .find(&TypeName::new(format!("k8s.io/api/{package}"), name))?;
    Some(writer.named(id, value))
}

struct Writer<'a> {
    arena: &'a Arena,
    schema: &'static Schema,
}

impl<'a> Writer<'a> {
    fn value(&self, ty: &TypeRef, value: Option<Value<'a>>) -> Value<'a> {
        let value = value.filter(|value| !value.is_null());
        match (ty, value) {
            (TypeRef::Named(id), value) => self.named(*id, value),
            (TypeRef::Pointer(inner), Some(_)) => self.value(inner, value),
            (TypeRef::List(item) | TypeRef::Array(_, item), Some(Value::Array(items))) => {
                let items: Vec<Value<'a>> =
                    items.iter().map(|value| self.value(item, Some(*value))).collect();
                Value::Array(self.arena.alloc_slice_copy(&items))
            }
            (TypeRef::Map(_, of), Some(Value::Object(object))) => {
                let mut map = Object::EMPTY;
                for entry in object.sorted() {
                    map.insert(self.arena, entry.key, self.value(of, Some(entry.value)));
                }
                Value::Object(map)
            }
            (TypeRef::Scalar(scalar), None) => zero(*scalar),
            (_, None) => Value::Null,
            (_, Some(value)) => value,
        }
    }

    fn named(&self, id: TypeId, value: Option<Value<'a>>) -> Value<'a> {
        let ty = self.schema.ty(id);
        match (ty.well_known, value) {
            (Some(WellKnown::Quantity), None) => return Value::Str("0"),
            (Some(WellKnown::IntOrString), None) => return Value::Int(0),
            (Some(_), None) => return Value::Null,
            (Some(_), Some(value)) => return value,
            (None, _) => {}
        }
        match &ty.shape {
            Shape::Def(of) | Shape::Alias(of) => self.value(of, value),
            // Types of metav1 have no internal form.
            Shape::Struct(_) if is_meta(&ty.name) => match value {
                Some(value) => without_empty(self.arena, value),
                None => Value::Object(Object::EMPTY),
            },
            Shape::Struct(_) => {
                let mut object = Object::EMPTY;
                self.members(id, value, &mut object);
                Value::Object(object)
            }
            Shape::Hole => Value::Null,
        }
    }

    fn members(&self, id: TypeId, value: Option<Value<'a>>, object: &mut Object<'a>) {
        let ty = self.schema.ty(id);
        let fields = ty.fields();
        let other = OTHERWISE
            .iter()
            .find(|(package, name, _)| *ty.name.package == **package && *ty.name.name == **name);
        match other {
            None => fields.iter().for_each(|field| self.member(field, value, object)),
            Some((.., names)) => {
                for name in *names {
                    match fields.iter().find(|field| *field.name == **name) {
                        Some(field) => self.member(field, value, object),
                        None => _ = object.insert(self.arena, name, Value::Null),
                    }
                }
            }
        }
    }

    fn member(&self, field: &'static Field, value: Option<Value<'a>>, object: &mut Object<'a>) {
        if !field.embedded {
            let found = field
                .json_name()
                .and_then(|name| value.and_then(|value| value.get(name)));
            object.insert(self.arena, &field.name, self.value(&field.ty, found));
            return;
        }
        match (&*field.name, &field.ty) {
            ("TypeMeta", _) => {}
            ("ObjectMeta", _) => {
                let meta = value.and_then(|value| value.get("metadata"));
                let meta = meta.map(|meta| without_empty(self.arena, meta));
                for (key, value) in meta.and_then(Value::as_object).unwrap_or_default() {
                    object.insert(self.arena, key, value);
                }
            }
            (_, TypeRef::Named(id)) => self.members(*id, value, object),
            _ => {}
        }
    }
}

fn is_meta(name: &TypeName) -> bool {
    name.package.starts_with("k8s.io/apimachinery/")
}

fn zero(scalar: Scalar) -> Value<'static> {
    match scalar {
        Scalar::Bool => Value::Bool(false),
        Scalar::String => Value::Str(""),
        _ => Value::Int(0),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::{difference, shown};

    #[test]
    fn members_have_go_names_and_empty_ones_stay() {
        let arena = Arena::new();
        let value = parse_str(&arena, r#"{"storage":{"endpoints":"e","path":"p"}}"#).expect("it is JSON");
        let value = value.get("storage");
        assert_eq!(
            shown("core/v1", "GlusterfsPersistentVolumeSource", value).to_json(),
            r#"{"EndpointsName":"e","Path":"p","ReadOnly":false,"EndpointsNamespace":null}"#
        );
    }

    #[test]
    fn differences_are_those_of_indented_text() {
        let arena = Arena::new();
        let [old, new] =
            [r#"{"path":"/a"}"#, r#"{"path":"/b"}"#].map(|text| parse_str(&arena, text).expect("it is JSON"));
        assert_eq!(
            difference("core/v1", "LocalVolumeSource", Some(old), Some(new)),
            "@@ -1,4 +1,4 @@\n {\n- \"Path\": \"/a\",\n+ \"Path\": \"/b\",\n  \"FSType\": null\n }\n"
        );
    }
}
