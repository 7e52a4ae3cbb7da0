//! Fields nobody owns, because the server does (apimachinery `stripmeta.go`).

use kindsmith_json::Arena;

use crate::element::Element;
use crate::set::FieldSet;

const METADATA: &[&str] = &[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// The set without type, name and what else belongs to the server.
pub(super) fn strip<'a>(arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
    let metadata = Element::Field("metadata");
    let mut paths = vec![
        vec![Element::Field("apiVersion")],
        vec![Element::Field("kind")],
        vec![metadata],
    ];
    paths.extend(METADATA.iter().map(|name| vec![metadata, Element::Field(name)]));
    let paths: Vec<&[Element<'a>]> = paths.iter().map(Vec::as_slice).collect();
    set.difference(arena, FieldSet::from_paths(arena, &paths))
}
