//! Extensions from markers, and unions (kube-openapi `pkg/generators/extension.go`, `union.go`).

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Docs, Field, Json, TypeRef};

use super::comment;
use super::node::{Node, array, object, text};
use super::select::Selection;

/// Markers and their extensions; the keys of list maps are always lists.
const MARKERS: [(&str, &str); 6] = [
    ("listType", "x-kubernetes-list-type"),
    ("mapType", "x-kubernetes-map-type"),
    ("patchMergeKey", "x-kubernetes-patch-merge-key"),
    ("patchStrategy", "x-kubernetes-patch-strategy"),
    ("structType", "x-kubernetes-map-type"),
    ("validations", "x-kubernetes-validations"),
];

/// Longer chains of embedded structs are circular.
const MAX_DEPTH: usize = 32;

/// Adds the extensions of a comment's markers. Values are not checked: openapi-gen only logs invalid ones.
pub(super) fn apply(docs: &Docs, node: &mut Node) {
    for value in comment::tags(docs, "k8s:openapi-gen") {
        let extension = value.split_once(':');
        if let Some((name, value)) = extension.filter(|(name, _)| name.starts_with("x-kubernetes-")) {
            node.extend(name, Json::from(value));
        }
    }
    let keys: Vec<&str> = comment::tags(docs, "listMapKey").collect();
    if !keys.is_empty() {
        node.extend("x-kubernetes-list-map-keys", texts(&keys));
    }
    for (marker, extension) in MARKERS {
        let values: Vec<&str> = comment::tags(docs, marker).collect();
        match values[..] {
            [] => {}
            [only] => node.extend(extension, Json::from(only)),
            _ => node.extend(extension, texts(&values)),
        }
    }
}

fn texts(values: &[&str]) -> Json {
    let arena = Arena::new();
    Json::from(array(&arena, values.iter().map(|value| Value::Str(value))))
}

/// A union: its discriminator and the Go names of its members by their JSON names.
#[derive(Default)]
struct Union<'a> {
    discriminator: Option<&'a str>,
    members: BTreeMap<&'a str, &'a str>,
}

/// Adds the unions of a struct.
pub(super) fn unions(selection: &Selection<'_>, of: &TypeRef, node: &mut Node) {
    let mut found = Vec::new();
    collect(selection, of, &mut found, 0);
    if found.is_empty() {
        return;
    }
    let arena = Arena::new();
    let unions = found.iter().map(|union| union.write(&arena));
    node.extend("x-kubernetes-unions", Json::from(array(&arena, unions)));
}

/// Collects the unions of a struct: its own, those of embedded structs, and those of single members.
fn collect<'a>(selection: &Selection<'a>, of: &'a TypeRef, found: &mut Vec<Union<'a>>, depth: usize) {
    let Some((_, fields)) = selection.view.members(of) else {
        return;
    };
    if depth > MAX_DEPTH {
        return;
    }
    if selection
        .docs_of(of)
        .is_some_and(|docs| comment::has(docs, "union"))
    {
        found.push(of_struct(fields));
    }
    for field in fields {
        // Not through pointers: openapi-gen finds no members behind one here.
        if field.is_openapi_inline() && !field.is_openapi_hidden() {
            collect(selection, &field.ty, found, depth + 1);
        }
    }
    let members = of_members(fields);
    if !members.members.is_empty() {
        found.push(members);
    }
}

fn of_struct(fields: &[Field]) -> Union<'_> {
    let mut union = Union::default();
    for field in fields.iter().filter(|field| !field.is_openapi_inline()) {
        let Some(name) = field.openapi_name() else {
            continue;
        };
        if comment::has(&field.docs, "unionDeprecated") {
            continue;
        }
        if comment::has(&field.docs, "unionDiscriminator") {
            union.discriminator = Some(name);
        } else {
            union.members.insert(name, &field.name);
        }
    }
    union
}

fn of_members(fields: &[Field]) -> Union<'_> {
    let mut union = Union::default();
    for field in fields.iter().filter(|field| !field.is_openapi_inline()) {
        let Some(name) = field.openapi_name() else {
            continue;
        };
        let has = |marker: &str| comment::has(&field.docs, marker);
        if has("unionDiscriminator") {
            union.discriminator = Some(name);
        }
        if has("unionDeprecated") && !has("union") {
            union.members.insert(name, &field.name);
        }
    }
    union
}

impl Union<'_> {
    fn write<'v>(&self, arena: &'v Arena) -> Value<'v> {
        let members = self.members.iter().map(|(name, go)| (*name, text(arena, go)));
        let mut union = vec![("fields-to-discriminateBy", object(arena, members.collect()))];
        union.extend(
            self.discriminator
                .map(|name| ("discriminator", text(arena, name))),
        );
        object(arena, union)
    }
}
