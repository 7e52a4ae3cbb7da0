//! Merges schemas that apply together: a type and the field that uses it, a struct and its embedded structs.

use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared, SharedVec, Str};

use super::Release;
use super::changed::{Changed, Members};
use super::children::each_but_members;
use super::merge_keywords::merge_keywords;
use super::tighten::tighten;
use crate::k8s_tags::ADDITION;

/// Merges every `allOf` of a schema into the schema itself, if possible (controller-tools
/// `pkg/crd/flatten.go`, `FlattenEmbedded`). Members shared by many schemas are merged once.
pub(crate) struct Merge {
    release: Release,
    done: Changed,
    conflicts: Vec<String>,
}

impl Merge {
    pub(crate) fn new(release: Release) -> Self {
        Self {
            release,
            done: Changed::default(),
            conflicts: Vec::new(),
        }
    }

    /// Merges a schema and all schemas below. Returns errors: types that exclude each other.
    pub(crate) fn all(&mut self, schema: &mut JsonSchema) -> Vec<String> {
        self.node(schema);
        std::mem::take(&mut self.conflicts)
    }

    fn node(&mut self, node: &mut JsonSchema) {
        for part in std::mem::take(&mut node.all_of) {
            merge(node, part, self.release, &mut |message| {
                self.conflicts.push(message);
            });
        }
        if &*node.id == ADDITION {
            node.id = Str::default();
        }
        each_but_members(node, &mut |child| self.node(child));
        self.members(&mut node.properties);
    }

    fn members(&mut self, members: &mut Members) {
        if members.is_empty() {
            return;
        }
        if let Some(merged) = self.done.get(members) {
            *members = merged.clone();
            return;
        }
        let (before, conflicts) = (members.clone(), self.conflicts.len());
        for (_, member) in members.iter_mut() {
            self.node(member);
        }
        // Conflicts are reported at every occurrence.
        if self.conflicts.len() == conflicts {
            self.done.keep(before, members);
        }
    }
}

/// Moves the keywords of `from` into `into` (`flattenAllOfInto` there). Descriptions and titles are merged before.
fn merge(into: &mut JsonSchema, mut from: JsonSchema, release: Release, conflict: &mut dyn FnMut(String)) {
    if &*into.id == ADDITION && &*from.id != ADDITION {
        std::mem::swap(into, &mut from);
    }
    for part in std::mem::take(&mut from.all_of) {
        merge(into, part, release, conflict);
    }
    if &*from.id == ADDITION {
        addition(into, &mut from, release, conflict);
    }
    types(into, &from.ty, conflict);
    properties(
        &mut into.properties,
        std::mem::take(&mut from.properties),
        release,
        conflict,
    );
    additional(into, from.additional_properties.take(), release, conflict);
    merge_keywords(into, from, release);
}

/// A tag's addition narrows bounds and applies to the items of a list, where keywords would be beside them.
fn addition(
    into: &mut JsonSchema,
    from: &mut JsonSchema,
    release: Release,
    conflict: &mut dyn FnMut(String),
) {
    from.id = Str::default();
    tighten(into, from);
    if let (Some(Items::Each(known)), Some(Items::Each(_))) =
        (into.items.as_deref_mut(), from.items.as_deref())
        && let Some(Items::Each(item)) = from.items.take().map(Shared::into_inner)
    {
        merge(known, item, release, conflict);
    }
}

fn types(into: &mut JsonSchema, from: &Str, conflict: &mut dyn FnMut(String)) {
    if into.ty.is_empty() {
        into.ty = from.clone();
    } else if !from.is_empty() && into.ty != *from {
        conflict(format!(
            "conflicting types in allOf branches in schema: {} vs {from}",
            into.ty
        ));
    }
}

fn properties(
    into: &mut SharedVec<(Str, JsonSchema)>,
    from: SharedVec<(Str, JsonSchema)>,
    release: Release,
    conflict: &mut dyn FnMut(String),
) {
    if into.is_empty() {
        *into = from;
        return;
    }
    for (name, schema) in from {
        match into.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => merge(known, schema, release, conflict),
            None => into.push((name, schema)),
        }
    }
}

fn additional(
    into: &mut JsonSchema,
    from: Option<Shared<SchemaOrBool>>,
    release: Release,
    conflict: &mut dyn FnMut(String),
) {
    let Some(from) = from else {
        return;
    };
    match (into.additional_properties.as_deref_mut(), from.into_inner()) {
        (None, from) => into.additional_properties = Some(Shared::new(from)),
        (Some(SchemaOrBool::Schema(known)), SchemaOrBool::Schema(schema)) => {
            merge(known, schema, release, conflict);
        }
        (Some(allowed), from @ SchemaOrBool::Schema(_)) => *allowed = from,
        (Some(_), SchemaOrBool::Allowed(_)) => {}
    }
}
