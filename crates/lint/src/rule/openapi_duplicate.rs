//! Properties that openapi-gen writes twice: it does not check whether a merged struct has one of the same
//! name (kube-openapi `pkg/generators/openapi.go`, `generateMembers`).

use std::collections::HashSet;

use kindsmith_schema::{Field, Owner, Schema, TypeId};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "openapi-duplicate",
        Tool::OpenApiGen,
        include_str!("openapi_duplicate.md"),
    ),
    check,
);

/// Deeper embedding is circular.
const MAX_DEPTH: usize = 32;

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in crate::published::with_members(schema) {
        let mut seen = HashSet::new();
        for (field_id, field) in schema.fields(id) {
            let (mut names, mut told) = (Vec::new(), HashSet::new());
            properties(schema, field, MAX_DEPTH, &mut names);
            for name in names {
                // Embedded structs can bring one name along many ways.
                if seen.insert(name) || !told.insert(name) {
                    continue;
                }
                let text = format!("duplicate key {name:?} in map literal");
                report.error(&type_then_name(Owner::Field(field_id)), text.clone(), |finding| {
                    finding
                        .label(format!("brings a second property `{name}`"))
                        .help("rename one of them: openapi-gen writes Go code that does not compile")
                        .upstream(text)
                });
            }
        }
    }
}

/// The names of the properties that a field adds.
fn properties<'a>(schema: &'a Schema, field: &'a Field, depth: usize, names: &mut Vec<&'a str>) {
    if field.is_openapi_hidden() {
        return;
    }
    if let Some(name) = field.openapi_name() {
        names.push(name);
    } else if field.is_openapi_inline()
        && let Some(id) = merged(schema, field).filter(|_| depth > 0)
    {
        for (_, inner) in schema.fields(id) {
            properties(schema, inner, depth - 1, names);
        }
    }
}

fn merged(schema: &Schema, field: &Field) -> Option<TypeId> {
    let view = schema.view();
    view.members(view.deref(&field.ty)).map(|(id, _)| id)
}
