//! `internal.go`: the schema of the types for server-side apply, in structured-merge-diff's form.
//!
//! Types are published as in CRDs, except that references stay and that metadata has all its members.

use std::collections::BTreeMap;

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, TypeId, TypeName};

use super::Output;
use super::graph::Graph;
use super::imports::Imports;
use super::select::Selected;
use crate::controller_gen::lower::{Link, Lower, target};
use crate::controller_gen::merge::Merge;
use crate::controller_gen::{Options, Problem};
use crate::manifest::{list, object, texts};

const RAW_EXTENSION: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";
const UNTYPED: &str = "__untyped_atomic_";
const DEDUCED: &str = "__untyped_deduced_";

/// The file, and fields that cannot be published.
pub(super) fn file(graph: &Graph<'_>, selected: &Selected, output: &Output<'_>) -> (String, Vec<Problem>) {
    let options = Options {
        allow_dangerous_types: true,
        ignore_unexported_fields: true,
        ..Options::default()
    };
    let mut models = Models {
        lower: Lower::new(graph.schema, &options).with_whole_metadata(),
        by_name: BTreeMap::new(),
    };
    let has_schema = selected.clients.values().any(|client| client.published);
    for (name, client) in selected.clients.iter().filter(|_| has_schema) {
        match graph.schema.find(&TypeName::new(graph.package, &**name)) {
            Some(id) if client.published => models.add(id),
            // Types that controller-gen does not publish are unknown.
            _ => {
                let name = model_name(graph.package, name);
                models.by_name.entry(name).or_default();
            }
        }
    }
    let mut imports = Imports::new(&format!("{}/internal", output.base));
    let typed = "sigs.k8s.io/structured-merge-diff/v6/typed";
    let parser = imports.qualified(typed, "Parser");
    let new_parser = imports.qualified(typed, "NewParser");
    let sprintf = imports.qualified("fmt", "Sprintf");
    let once = imports.qualified("sync", "Once");
    let yaml = imports.qualified(typed, "YAMLObject");
    let schema = models.yaml();
    let code = format!(
        "
func Parser() *{parser} {{
\tparserOnce.Do(func() {{
\t\tvar err error
\t\tparser, err = {new_parser}(schemaYAML)
\t\tif err != nil {{
\t\t\tpanic({sprintf}(\"Failed to parse schema: %v\", err))
\t\t}}
\t}})
\treturn parser
}}

var parserOnce {once}
var parser *{parser}
var schemaYAML = {yaml}(`{schema}`)
"
    );
    (output.file("internal", &imports, &code), models.lower.problems)
}

/// The name of a type in the schema: its path, the host reversed.
pub(super) fn model_name(package: &str, name: &str) -> String {
    let whole = format!("{package}.{name}");
    let (host, rest) = whole
        .split_once('/')
        .map_or((&*whole, None), |(host, rest)| (host, Some(rest)));
    let mut names: Vec<&str> = host.split('.').collect();
    names.reverse();
    let path = rest.into_iter().flat_map(|rest| rest.split('/'));
    names.into_iter().chain(path).collect::<Vec<_>>().join(".")
}

/// The schemas of types by model name.
struct Models<'a> {
    lower: Lower<'a>,
    by_name: BTreeMap<String, JsonSchema>,
}

impl Models<'_> {
    /// Adds a type and all that it refers to.
    fn add(&mut self, id: TypeId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let name = self.name(id);
            if self.by_name.contains_key(&name) {
                continue;
            }
            let schema = self.schema(id);
            self.referred(&schema, &mut open);
            self.by_name.insert(name, schema);
        }
    }

    fn name(&self, id: TypeId) -> String {
        let name = &self.lower.schema.ty(id).name;
        model_name(&name.package, &name.name)
    }

    /// The schema of a type: embedded structs are part of it, and so is a type that it is defined by.
    fn schema(&mut self, id: TypeId) -> JsonSchema {
        let mut schema = self.lower.declared(Link { id, opaque: false }).clone();
        self.resolve_embedded(&mut schema, &mut Vec::new());
        Merge::new(self.lower.options.release).all(&mut schema);
        let of = schema.reference.take();
        let Some(link) = of
            .and_then(|text| target(&self.lower, &text))
            .filter(|link| link.id != id)
        else {
            return schema;
        };
        let mut whole = self.schema(link.id);
        whole.map_type = schema.map_type.or(whole.map_type);
        whole.list_type = schema.list_type.or(whole.list_type);
        if !schema.list_map_keys.is_empty() {
            whole.list_map_keys = schema.list_map_keys;
        }
        whole
    }

    /// Inside itself an embedded type is empty, as it is in a CRD. `passed` has those on the way.
    fn resolve_embedded(&mut self, schema: &mut JsonSchema, passed: &mut Vec<Link>) {
        for part in &mut schema.all_of {
            let link = part.reference.take().and_then(|text| target(&self.lower, &text));
            match link {
                Some(link) if passed.contains(&link) => {}
                Some(link) => {
                    *part = self.lower.declared(link).clone();
                    passed.push(link);
                    self.resolve_embedded(part, passed);
                    passed.pop();
                }
                None => self.resolve_embedded(part, passed),
            }
        }
    }

    fn referred(&self, schema: &JsonSchema, open: &mut Vec<TypeId>) {
        let reference = schema.reference.as_deref();
        open.extend(
            reference
                .and_then(|text| target(&self.lower, text))
                .map(|link| link.id),
        );
        for (_, member) in &schema.properties {
            self.referred(member, open);
        }
        if let Some(Items::Each(item)) = schema.items.as_deref() {
            self.referred(item, open);
        }
        if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref() {
            self.referred(value, open);
        }
    }

    fn yaml(&self) -> String {
        let arena = Arena::new();
        let write = Write {
            models: self,
            arena: &arena,
        };
        let mut types: Vec<Value<'_>> = Vec::new();
        for (name, schema) in &self.by_name {
            types.push(write.named(name, write.atom(schema, false)));
        }
        types.push(write.named(UNTYPED, write.anything(UNTYPED, "atomic")));
        types.push(write.named(DEDUCED, write.anything(DEDUCED, "separable")));
        let document = object(&arena, &[("types", Some(list(&arena, &types)))]);
        to_yaml(document, Order::Kept)
    }
}

/// What a type may be: a scalar, a list, a map, or all of them.
type Atom<'a> = [(&'a str, Option<Value<'a>>); 3];

/// Writes schemas in structured-merge-diff's form.
struct Write<'a, 'm> {
    models: &'m Models<'m>,
    arena: &'a Arena,
}

impl<'a> Write<'a, '_> {
    fn named(&self, name: &str, atom: Atom<'a>) -> Value<'a> {
        let name = Value::Str(self.arena.alloc_str(name));
        let members: Vec<_> = std::iter::once(("name", Some(name))).chain(atom).collect();
        object(self.arena, &members)
    }

    fn reference(&self, name: &str) -> Value<'a> {
        let name = Value::Str(self.arena.alloc_str(name));
        object(self.arena, &[("namedType", Some(name))])
    }

    fn anything(&self, inside: &'static str, relationship: &'static str) -> Atom<'a> {
        let items = [
            ("elementType", Some(self.reference(UNTYPED))),
            ("elementRelationship", Some(Value::Str("atomic"))),
        ];
        let values = [
            ("elementType", Some(self.reference(inside))),
            ("elementRelationship", Some(Value::Str(relationship))),
        ];
        [
            ("scalar", Some(Value::Str("untyped"))),
            ("list", Some(object(self.arena, &items))),
            ("map", Some(object(self.arena, &values))),
        ]
    }

    /// The type of a member or item: a reference, or written out. `preserve` is whether unknown fields are kept around it.
    fn type_ref(&self, schema: &JsonSchema, preserve: bool) -> Value<'a> {
        let reference = schema.reference.as_deref();
        let Some(link) = reference.and_then(|text| target(&self.models.lower, text)) else {
            return object(self.arena, &self.atom(schema, preserve));
        };
        let name = self.models.name(link.id);
        if name == RAW_EXTENSION {
            return self.reference(UNTYPED);
        }
        let name = Value::Str(self.arena.alloc_str(&name));
        let members = [
            ("namedType", Some(name)),
            ("elementRelationship", relationship(schema)),
        ];
        object(self.arena, &members)
    }

    fn atom(&self, schema: &JsonSchema, preserve: bool) -> Atom<'a> {
        let mut atom = [("scalar", None), ("list", None), ("map", None)];
        match &*schema.ty {
            "" | "object" if !schema.properties.is_empty() => {
                atom[2].1 = Some(self.structure(schema, preserve));
            }
            "" => return self.anything(DEDUCED, "separable"),
            "object" => atom[2].1 = Some(self.map(schema, preserve)),
            "array" => atom[1].1 = Some(self.list(schema, preserve)),
            ty => atom[0].1 = Some(Value::Str(scalar(ty, &schema.format))),
        }
        atom
    }

    fn structure(&self, schema: &JsonSchema, preserve: bool) -> Value<'a> {
        let preserve = preserve || schema.preserve_unknown_fields == Some(true);
        let mut members: Vec<_> = schema.properties.iter().collect();
        members.sort_by(|one, other| one.0.cmp(&other.0));
        let fields: Vec<Value<'a>> = members
            .into_iter()
            .map(|(name, member)| {
                let default = member.default.as_ref().map(|default| default.value(self.arena));
                let parts = [
                    ("name", Some(Value::Str(self.arena.alloc_str(name)))),
                    ("type", Some(self.type_ref(member, preserve))),
                    ("default", default),
                ];
                object(self.arena, &parts)
            })
            .collect();
        let parts = [
            ("fields", Some(list(self.arena, &fields))),
            ("elementType", preserve.then(|| self.reference(DEDUCED))),
            ("elementRelationship", relationship(schema)),
        ];
        object(self.arena, &parts)
    }

    fn map(&self, schema: &JsonSchema, preserve: bool) -> Value<'a> {
        let value = match schema.additional_properties.as_deref() {
            Some(SchemaOrBool::Schema(value)) => self.type_ref(value, preserve),
            _ => object(self.arena, &self.anything(DEDUCED, "separable")),
        };
        let parts = [
            ("elementType", Some(value)),
            ("elementRelationship", relationship(schema)),
        ];
        object(self.arena, &parts)
    }

    fn list(&self, schema: &JsonSchema, preserve: bool) -> Value<'a> {
        let item = match schema.items.as_deref() {
            Some(Items::Each(item)) => self.type_ref(item, preserve),
            _ => self.reference(UNTYPED),
        };
        let relationship = match schema.list_type.as_deref() {
            Some("set" | "map") => "associative",
            _ => "atomic",
        };
        let keys = (schema.list_type.as_deref() == Some("map"))
            .then(|| texts(self.arena, schema.list_map_keys.iter()))
            .flatten();
        let parts = [
            ("elementType", Some(item)),
            ("elementRelationship", Some(Value::Str(relationship))),
            ("keys", keys),
        ];
        object(self.arena, &parts)
    }
}

fn relationship<'a>(schema: &JsonSchema) -> Option<Value<'a>> {
    match schema.map_type.as_deref()? {
        "atomic" => Some(Value::Str("atomic")),
        _ => Some(Value::Str("separable")),
    }
}

fn scalar(ty: &str, format: &str) -> &'static str {
    match (ty, format) {
        ("integer" | "number", _) => "numeric",
        ("string", "" | "byte") => "string",
        ("boolean", _) => "boolean",
        _ => "untyped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_reversed_in_model_names() {
        assert_eq!(model_name("k8s.io/api/core/v1", "Pod"), "io.k8s.api.core.v1.Pod");
        // A package without a host is taken for one, together with the type.
        assert_eq!(model_name("time", "Duration"), "Duration.time");
    }
}
