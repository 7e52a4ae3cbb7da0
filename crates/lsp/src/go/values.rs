//! The values that tags accept, for completion.

use kindsmith_schema::{Owner, Schema};
use kindsmith_tags::Tag;
use kindsmith_tags::grammar::marker::{ArgumentType, Arguments};
use kindsmith_tags::tag::{Apply, Kind};

use super::resolve::{Lookup, fields, structs};

/// Tags whose values are of a fixed list.
const CHOICES: &[(&str, &[&str])] = &[
    ("k8s:listType", &["atomic", "map", "set"]),
    ("listType", &["atomic", "map", "set"]),
    ("k8s:unique", &["map", "set"]),
    ("mapType", &["atomic", "granular"]),
    ("structType", &["atomic", "granular"]),
    ("k8s:update", &["NoModify", "NoSet", "NoUnset"]),
    ("kubebuilder:resource:scope", &["Cluster", "Namespaced"]),
    (
        "k8s:format",
        &[
            "k8s-extended-resource-name",
            "k8s-ip",
            "k8s-label-key",
            "k8s-label-value",
            "k8s-long-name",
            "k8s-long-name-caseless",
            "k8s-path-segment-name",
            "k8s-resource-fully-qualified-name",
            "k8s-resource-pool-name",
            "k8s-short-name",
            "k8s-uuid",
        ],
    ),
    (
        "kubebuilder:validation:Format",
        &[
            "byte",
            "cidr",
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uri",
            "uuid",
        ],
    ),
    (
        "kubebuilder:validation:Type",
        &["array", "boolean", "integer", "number", "object", "string"],
    ),
];

/// The values that a tag accepts, if they are known.
pub(super) fn choices(tag: &Tag) -> Vec<&'static str> {
    let mut known = CHOICES.iter();
    if let Some((_, values)) = known.find(|(name, _)| *name == tag.name) {
        return values.to_vec();
    }
    let is_bool = match arguments(tag) {
        Some(arguments) => matches!(
            arguments,
            Arguments::One(ArgumentType::Bool) | Arguments::OneOptional(ArgumentType::Bool)
        ),
        None => tag.payload.kind() == Some(Kind::Bool),
    };
    if is_bool {
        vec!["true", "false"]
    } else {
        Vec::new()
    }
}

/// The arguments of a marker that controller-gen or openapi-gen reads; `None` for `+k8s:` tags.
pub(super) fn arguments(tag: &Tag) -> Option<Arguments> {
    match &tag.apply {
        Apply::Marker(marker) => Some(marker.arguments),
        _ => None,
    }
}

/// The JSON names of the fields that a tag may name.
pub(super) fn names(schema: &Schema, owner: Owner, lookup: Lookup) -> Vec<String> {
    let Some(ty) = structs(schema, owner, lookup) else {
        return Vec::new();
    };
    let fields = fields(schema, ty).into_iter();
    fields
        .filter_map(|id| schema.field(id).json_name().map(str::to_owned))
        .collect()
}
