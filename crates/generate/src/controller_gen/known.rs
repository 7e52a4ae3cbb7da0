//! Types whose wire form is built into controller-gen (controller-tools `pkg/crd/known_types.go`).

use kindsmith_schema::{JsonSchema, SchemaOrBool, Shared, Str, Type, WellKnown};

const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// The schema of a known type, before references.
pub(crate) fn schema(ty: &Type, embedded_object_meta: bool) -> Option<JsonSchema> {
    if &*ty.name.name == "JSON" && &*ty.name.package == APIEXTENSIONS_BETA {
        return Some(anything());
    }
    let Some(known) = ty.well_known else {
        return standard(ty);
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
            description: GO_DURATION.into(),
            ..typed("integer")
        },
        WellKnown::RawMessage => JsonSchema {
            format: "byte".into(),
            description: RAW_MESSAGE.into(),
            ..typed("string")
        },
        WellKnown::FieldsV1 | WellKnown::ListMeta | WellKnown::TypeMeta | WellKnown::GoTime => return None,
    })
}

const APIEXTENSIONS_BETA: &str = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1";

/// Types of the standard library that are encoded as strings and numbers.
fn standard(ty: &Type) -> Option<JsonSchema> {
    let described = |schema: JsonSchema, text: &str| JsonSchema {
        description: text.into(),
        ..schema
    };
    Some(match (&*ty.name.package, &*ty.name.name) {
        // Types that marshal themselves as text are published without keywords.
        ("net", "IP") | ("net/netip", "Addr" | "AddrPort" | "Prefix") | ("regexp", "Regexp") => {
            typed("string")
        }
        ("net", "HardwareAddr") => {
            let bytes = JsonSchema {
                format: "byte".into(),
                ..typed("string")
            };
            described(bytes, "A HardwareAddr represents a physical hardware address.")
        }
        ("encoding/json", "Number") => {
            described(typed("string"), "A Number represents a JSON number literal.")
        }
        ("time", "Month") => described(
            typed("integer"),
            "A Month specifies a month of the year (January = 1, ...).",
        ),
        ("time", "Weekday") => described(
            typed("integer"),
            "A Weekday specifies a day of the week (Sunday = 0, ...).",
        ),
        _ => return None,
    })
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

/// The standard library's comments are published with its types.
const GO_DURATION: &str = "A Duration represents the elapsed time between two instants\n\
    as an int64 nanosecond count. The representation limits the\n\
    largest representable duration to approximately 290 years.";
const RAW_MESSAGE: &str = "RawMessage is a raw encoded JSON value.\n\
    It implements [Marshaler] and [Unmarshaler] and can\n\
    be used to delay JSON decoding or precompute a JSON encoding.";

/// A schema that consists of a type.
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
