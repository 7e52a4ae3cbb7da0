//! Types whose wire form controller-gen knows by heart (controller-tools `pkg/crd/known_types.go`). Their descriptions are
//! the comments on their declarations, wherever those were read.

use kindsmith_schema::{JsonSchema, SchemaOrBool, Shared, Str, Type, WellKnown};

use super::describe::description;
use super::release::{Change, Release};

const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// The schema of a known type, before references.
pub(crate) fn schema(ty: &Type, embedded_object_meta: bool, release: Release) -> Option<JsonSchema> {
    if &*ty.name.name == "JSON" && &*ty.name.package == APIEXTENSIONS_BETA {
        return Some(anything());
    }
    let Some(known) = ty.well_known else {
        return standard(ty, release);
    };
    Some(match known {
        WellKnown::ObjectMeta if embedded_object_meta => object_meta(),
        WellKnown::ObjectMeta | WellKnown::Unstructured => typed("object"),
        WellKnown::Time | WellKnown::MicroTime => JsonSchema {
            format: "date-time".into(),
            ..typed("string")
        },
        WellKnown::Duration => typed("string"),
        WellKnown::Quantity => JsonSchema {
            pattern: QUANTITY.into(),
            ..int_or_string()
        },
        WellKnown::IntOrString => int_or_string(),
        WellKnown::RawExtension => JsonSchema {
            ty: "object".into(),
            ..anything()
        },
        WellKnown::Json => anything(),
        WellKnown::GoDuration => JsonSchema {
            format: "int64".into(),
            description: description(&ty.docs),
            ..typed("integer")
        },
        WellKnown::RawMessage => JsonSchema {
            format: "byte".into(),
            description: description(&ty.docs),
            ..typed("string")
        },
        WellKnown::FieldsV1 | WellKnown::ListMeta | WellKnown::TypeMeta | WellKnown::GoTime => return None,
    })
}

const APIEXTENSIONS_BETA: &str = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1";

/// Types of the standard library that are encoded as strings and numbers.
fn standard(ty: &Type, release: Release) -> Option<JsonSchema> {
    let described = |schema: JsonSchema| JsonSchema {
        description: description(&ty.docs),
        ..schema
    };
    Some(match (&*ty.name.package, &*ty.name.name) {
        ("net", "IP") if release.has(Change::TextMarshalers) => typed("string"),
        // Types that marshal themselves as text are published without keywords.
        ("net/netip", "Addr" | "AddrPort" | "Prefix") | ("regexp", "Regexp") => typed("string"),
        ("net", "HardwareAddr" | "IP") => {
            let bytes = JsonSchema {
                format: "byte".into(),
                ..typed("string")
            };
            described(bytes)
        }
        ("encoding/json", "Number") => described(typed("string")),
        ("time", "Month" | "Weekday") => described(typed("integer")),
        _ => return None,
    })
}

/// Whether a known type of the standard library is a list in Go.
pub(crate) fn is_list(ty: &Type) -> bool {
    let name = (&*ty.name.package, &*ty.name.name);
    matches!(
        name,
        ("encoding/json", "RawMessage") | ("net", "IP" | "HardwareAddr" | "IPMask")
    )
}

/// Packages from which controller-gen knows one type and reads no other.
pub(crate) fn is_unread(ty: &Type) -> bool {
    let package = &*ty.name.package;
    let only_one = [
        "k8s.io/apimachinery/pkg/api/resource",
        "k8s.io/apimachinery/pkg/util/intstr",
    ];
    ty.well_known.is_none() && only_one.contains(&package)
}

/// A schema that says nothing but a type.
pub(crate) fn typed(ty: &str) -> JsonSchema {
    JsonSchema {
        ty: ty.into(),
        ..JsonSchema::default()
    }
}

fn anything() -> JsonSchema {
    JsonSchema {
        preserve_unknown_fields: Some(true),
        ..JsonSchema::default()
    }
}

fn int_or_string() -> JsonSchema {
    JsonSchema {
        int_or_string: true,
        any_of: vec![typed("integer"), typed("string")].into(),
        ..JsonSchema::default()
    }
}

/// The fields of embedded metadata that authors may set.
fn object_meta() -> JsonSchema {
    let texts = || JsonSchema {
        additional_properties: Some(Shared::new(SchemaOrBool::Schema(typed("string")))),
        ..typed("object")
    };
    let list = JsonSchema {
        items: Some(Shared::new(kindsmith_schema::Items::Each(typed("string")))),
        ..typed("array")
    };
    let members = [
        ("annotations", texts()),
        ("finalizers", list),
        ("labels", texts()),
        ("name", typed("string")),
        ("namespace", typed("string")),
    ];
    JsonSchema {
        properties: members
            .into_iter()
            .map(|(name, schema)| (Str::from(name), schema))
            .collect(),
        ..typed("object")
    }
}
