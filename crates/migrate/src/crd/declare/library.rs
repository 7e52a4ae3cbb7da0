//! Types of libraries for schemas, and scalars.

use kindsmith_schema::JsonSchema;

use super::{GoShape, Use};
use crate::crd::markers::{self, On};

const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

pub(super) const JSON: &str = "apiextensionsv1.JSON";

/// Library types whose published schema this is, at least in part.
pub(super) fn library(schema: &JsonSchema) -> Option<Use> {
    let alternatives = |types: [&str; 2]| {
        let is = |one: &JsonSchema, ty: &str| *one == typed(ty);
        matches!(&schema.any_of[..], [one, other] if is(one, types[0]) && is(other, types[1]))
    };
    if schema.int_or_string && alternatives(["integer", "string"]) {
        let is_quantity = &*schema.pattern == QUANTITY;
        let rest = JsonSchema {
            int_or_string: false,
            pattern: if is_quantity {
                "".into()
            } else {
                schema.pattern.clone()
            },
            ..schema.clone()
        };
        let go = if is_quantity {
            "resource.Quantity"
        } else {
            "intstr.IntOrString"
        };
        let mut markers = markers::of_value(&rest, On::Field);
        if !markers.is_empty() {
            // Markers for text are rejected unless it is said here that the value may be text.
            markers.insert(0, "+kubebuilder:validation:XIntOrString".to_owned());
        }
        return Some(Use {
            go: go.to_owned(),
            markers,
            shape: GoShape::Plain,
        });
    }
    if &*schema.ty == "string" && &*schema.format == "date-time" {
        return only(schema, "metav1.Time", GoShape::Plain);
    }
    if &*schema.ty == "string" && &*schema.format == "byte" {
        return only(schema, "[]byte", GoShape::Nilable);
    }
    let is_open = schema.preserves_unknown_fields() && schema.properties.is_empty();
    let is_map = schema.additional_properties.is_some();
    if &*schema.ty == "object" && is_open && !is_map {
        let rest = JsonSchema {
            preserve_unknown_fields: None,
            ..schema.clone()
        };
        return Some(Use {
            go: "runtime.RawExtension".to_owned(),
            markers: markers::of_value(&rest, On::Field),
            shape: GoShape::Plain,
        });
    }
    if schema.ty.is_empty() && is_open && !schema.int_or_string {
        let rest = JsonSchema {
            preserve_unknown_fields: None,
            ..schema.clone()
        };
        return Some(Use {
            go: JSON.to_owned(),
            markers: markers::of_value(&rest, On::Field),
            shape: GoShape::Plain,
        });
    }
    None
}

/// A library type, if its schema says nothing but type and format: controller-gen rejects most markers on it.
fn only(schema: &JsonSchema, go: &str, shape: GoShape) -> Option<Use> {
    let rest = JsonSchema {
        format: "".into(),
        ..schema.clone()
    };
    let markers = markers::of_value(&rest, On::Field);
    markers.is_empty().then(|| Use {
        go: go.to_owned(),
        markers,
        shape,
    })
}

/// A schema without a type: markers say what there is.
pub(super) fn anything(schema: &JsonSchema) -> Use {
    let ty = (!schema.ty.is_empty()).then(|| format!("+kubebuilder:validation:Type={}", schema.ty));
    let schemaless = ["+kubebuilder:validation:Schemaless".to_owned()];
    Use {
        go: if schema.int_or_string {
            "intstr.IntOrString"
        } else {
            JSON
        }
        .to_owned(),
        markers: schemaless
            .into_iter()
            .chain(ty)
            .chain(markers::of_value(schema, On::Field))
            .collect(),
        shape: GoShape::Plain,
    }
}

/// A scalar; `format` is what the Go type implies.
pub(super) fn scalar(go: &str, shape: GoShape, schema: &JsonSchema, format: &str) -> Use {
    let rest = JsonSchema {
        format: if &*schema.format == format {
            "".into()
        } else {
            schema.format.clone()
        },
        ..schema.clone()
    };
    Use {
        go: go.to_owned(),
        markers: markers::of_value(&rest, On::Field),
        shape,
    }
}

fn typed(ty: &str) -> JsonSchema {
    JsonSchema {
        ty: ty.into(),
        ..JsonSchema::default()
    }
}
