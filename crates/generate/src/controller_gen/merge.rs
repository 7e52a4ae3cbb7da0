//! Merges schemas that apply together: a type and the field that uses it, a struct and its embedded structs.

use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Shared, SharedVec, Str};

use super::Release;
use super::changed::{Changed, Members};
use super::children::each_but_members;
use super::release::Change;
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

/// Moves the keywords of `from` into `into`. Keywords that differ go into a pair in `allOf`, earlier first
/// (`flattenAllOfInto` there). Descriptions and titles are merged before.
fn merge(into: &mut JsonSchema, mut from: JsonSchema, release: Release, conflict: &mut dyn FnMut(String)) {
    if &*into.id == ADDITION && &*from.id != ADDITION {
        std::mem::swap(into, &mut from);
    }
    for part in std::mem::take(&mut from.all_of) {
        merge(into, part, release, conflict);
    }
    // A tag's addition to a list applies to its items, not beside them.
    let is_addition = &*from.id == ADDITION;
    if is_addition {
        from.id = Str::default();
        tighten(into, &mut from);
        if let (Some(Items::Each(known)), Some(Items::Each(_))) =
            (into.items.as_deref_mut(), from.items.as_deref())
            && let Some(Items::Each(item)) = from.items.take().map(Shared::into_inner)
        {
            merge(known, item, release, conflict);
        }
    }
    let mut apart = Apart::default();

    // Go compares these by value.
    text(&mut into.id, from.id, &mut apart, |schema| &mut schema.id);
    text(&mut into.schema, from.schema, &mut apart, |schema| {
        &mut schema.schema
    });
    text(&mut into.format, from.format, &mut apart, |schema| {
        &mut schema.format
    });
    text(&mut into.pattern, from.pattern, &mut apart, |schema| {
        &mut schema.pattern
    });
    into.exclusive_maximum |= from.exclusive_maximum;
    into.exclusive_minimum |= from.exclusive_minimum;
    into.unique_items |= from.unique_items;
    into.nullable |= from.nullable;
    into.embedded_resource |= from.embedded_resource;
    into.int_or_string |= from.int_or_string;

    // Go compares these by pointer, and no two pointers are equal.
    macro_rules! pointers {
        ($($field:ident),*) => {
            $(pointer(&mut into.$field, from.$field, &mut apart, |schema| &mut schema.$field);)*
        };
    }
    pointers!(
        reference,
        maximum,
        minimum,
        max_length,
        min_length,
        max_items,
        min_items,
        multiple_of,
        items,
        not
    );
    list(&mut into.one_of, from.one_of, &mut apart, |schema| {
        &mut schema.one_of
    });
    list(&mut into.any_of, from.any_of, &mut apart, |schema| {
        &mut schema.any_of
    });
    if release.has(Change::ReplacedListTypes) {
        into.list_type = from.list_type.take().or(into.list_type.take());
        if !from.list_map_keys.is_empty() {
            into.list_map_keys = std::mem::take(&mut from.list_map_keys);
        }
    }
    list(
        &mut into.list_map_keys,
        from.list_map_keys,
        &mut apart,
        |schema| &mut schema.list_map_keys,
    );

    // Clones of one schema share these, so a part that comes from one place appears once.
    if !same(
        into.default.as_ref().map(Json::as_str),
        from.default.as_ref().map(Json::as_str),
    ) {
        pointers!(default);
    }
    if !same(into.list_type.as_deref(), from.list_type.as_deref()) {
        pointers!(list_type);
    }

    // Equal limits are kept once.
    if into.max_properties != from.max_properties {
        pointers!(max_properties);
    }
    if into.min_properties != from.min_properties {
        pointers!(min_properties);
    }

    if into.enum_values.is_empty() {
        into.enum_values = from.enum_values;
    } else if !release.has(Change::FirstEnum) {
        list(&mut into.enum_values, from.enum_values, &mut apart, |schema| {
            &mut schema.enum_values
        });
    }
    if into.ty.is_empty() {
        into.ty = from.ty;
    } else if !from.ty.is_empty() && into.ty != from.ty {
        conflict(format!(
            "conflicting types in allOf branches in schema: {} vs {}",
            into.ty, from.ty
        ));
    }
    into.preserve_unknown_fields = from.preserve_unknown_fields.or(into.preserve_unknown_fields);
    into.map_type = from.map_type.or(into.map_type.take());
    if !into.validations.is_empty() {
        from.validations.append(&mut into.validations);
    }
    if !from.validations.is_empty() {
        into.validations = from.validations;
    }
    properties(&mut into.properties, from.properties, release, conflict);
    additional(into, from.additional_properties, release, conflict);
    if into.required.is_empty() {
        into.required = from.required;
    } else {
        into.required.append(&mut from.required);
    }
    if !into.required.is_sorted_by(|one, other| one < other) {
        into.required.sort();
        into.required.dedup();
    }
    if let Some([earlier, later]) = apart.map(|apart| *apart) {
        into.all_of.extend([earlier, later]);
    }
}

/// The narrower of two bounds wins.
fn tighten(into: &mut JsonSchema, from: &mut JsonSchema) {
    fn narrower<T: PartialOrd + Copy>(
        into: &mut Option<T>,
        from: &mut Option<T>,
        is_narrower: fn(&T, &T) -> bool,
    ) {
        if let (Some(known), Some(other)) = (*into, *from) {
            *into = Some(if is_narrower(&other, &known) { other } else { known });
            *from = None;
        }
    }
    narrower(&mut into.max_length, &mut from.max_length, i64::lt);
    narrower(&mut into.min_length, &mut from.min_length, i64::gt);
    narrower(&mut into.max_items, &mut from.max_items, i64::lt);
    narrower(&mut into.min_items, &mut from.min_items, i64::gt);
    narrower(&mut into.max_properties, &mut from.max_properties, i64::lt);
    narrower(&mut into.min_properties, &mut from.min_properties, i64::gt);
    bound(
        (&mut into.maximum, &mut into.exclusive_maximum),
        (&mut from.maximum, &mut from.exclusive_maximum),
        f64::lt,
    );
    bound(
        (&mut into.minimum, &mut into.exclusive_minimum),
        (&mut from.minimum, &mut from.exclusive_minimum),
        f64::gt,
    );
}

/// A bound and whether it is exclusive.
type BoundMut<'b> = (&'b mut Option<f64>, &'b mut bool);

/// Of two equal bounds the exclusive one is narrower.
fn bound(
    (into, is_exclusive): BoundMut<'_>,
    (from, from_exclusive): BoundMut<'_>,
    is_narrower: fn(&f64, &f64) -> bool,
) {
    let (Some(known), Some(other)) = (*into, *from) else {
        return;
    };
    let is_equal = !is_narrower(&known, &other) && !is_narrower(&other, &known);
    if is_narrower(&other, &known) || is_equal && *from_exclusive {
        (*into, *is_exclusive) = (Some(other), *from_exclusive);
    }
    (*from, *from_exclusive) = (None, false);
}

/// Whether two texts are the same in memory.
fn same(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| std::ptr::eq(one, other))
}

/// The differences of two schemas, earlier first; rarely present.
type Apart = Option<Box<[JsonSchema; 2]>>;

/// Separates the values of a field that differ.
fn part<T>(apart: &mut Apart, field: fn(&mut JsonSchema) -> &mut T, earlier: T, later: T) {
    let [one, other] = &mut **apart.get_or_insert_default();
    *field(one) = earlier;
    *field(other) = later;
}

fn text(into: &mut Str, from: Str, apart: &mut Apart, field: fn(&mut JsonSchema) -> &mut Str) {
    if from.is_empty() || *into == from {
        return;
    }
    if into.is_empty() {
        *into = from;
        return;
    }
    part(apart, field, std::mem::take(into), from);
}

fn pointer<T>(
    into: &mut Option<T>,
    from: Option<T>,
    apart: &mut Apart,
    field: fn(&mut JsonSchema) -> &mut Option<T>,
) {
    if from.is_none() {
        return;
    }
    if into.is_none() {
        *into = from;
        return;
    }
    part(apart, field, into.take(), from);
}

fn list<T>(
    into: &mut SharedVec<T>,
    from: SharedVec<T>,
    apart: &mut Apart,
    field: fn(&mut JsonSchema) -> &mut SharedVec<T>,
) {
    if from.is_empty() {
        return;
    }
    if into.is_empty() {
        *into = from;
        return;
    }
    part(apart, field, std::mem::take(into), from);
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
