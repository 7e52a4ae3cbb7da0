//! `+k8s:customValidation` and the hand-written functions it calls, held against each other.

use std::collections::HashMap;

use kindsmith_schema::{Facet, Function, Owner, Package, Part, Rule as SchemaRule, Schema};

use super::Rule;
use crate::Report;
use crate::reach::{Reach, owner_path};

pub(super) const RULE: Rule = Rule {
    code: "custom-validation",
    docs: include_str!("custom_validation.md"),
    check,
};

const PREFIX: &str = "ValidateCustom_";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    let mut wanted: HashMap<(&str, String), (Owner, u32)> = HashMap::new();
    for (owner, rules) in crate::linted::declarations(schema, &reach.types) {
        let Some(index) = rules.iter().position(calls_function) else {
            continue;
        };
        let (package, name) = function_name(schema, owner);
        wanted.insert((package, name), (owner, index as u32));
    }
    let mut missing: Vec<_> = wanted
        .iter()
        .filter(|((package, name), _)| {
            schema
                .package(package)
                .is_none_or(|package| find(package, name).is_none())
        })
        .collect();
    missing.sort_by_key(|(_, place)| **place);
    for ((package, name), (owner, index)) in missing {
        tell_missing(schema, report, package, name, *owner, *index);
    }
}

fn calls_function(rule: &SchemaRule) -> bool {
    rule.facet == Facet::CustomValidation
}

fn find<'a>(package: &'a Package, name: &str) -> Option<&'a Function> {
    package.functions.iter().find(|function| &*function.name == name)
}

/// The package and name of the function a declaration's tag calls.
fn function_name(schema: &Schema, owner: Owner) -> (&str, String) {
    let (ty, suffix) = match owner {
        Owner::Field(id) => (schema.ty(id.owner), format!("_{}", schema.field(id).name)),
        Owner::Type(id) | Owner::Constant(id, _) => (schema.ty(id), String::new()),
        Owner::Package(_) => return ("", String::new()),
    };
    (&ty.name.package, format!("{PREFIX}{}{suffix}", ty.name.name))
}

fn tell_missing(
    schema: &Schema,
    report: &mut Report<'_>,
    package: &str,
    name: &str,
    owner: Owner,
    index: u32,
) {
    let text =
        format!("+k8s:customValidation: expected hand-written function {package}.{name} was not found");
    let path = owner_path(schema, owner);
    let place = if matches!(owner, Owner::Field(_)) {
        format!("field {path}")
    } else {
        path
    };
    report.error(&[owner.part(Part::Rule(index)), owner.part(Part::Name)], text.clone(), |finding| {
        finding
            .help(format!("write `func {name}(ctx, op, fldPath, value, oldValue) field.ErrorList` beside the generated code"))
            .upstream(format!("failed to generate validations: {place}: tag \"k8s:customValidation\": {text}"))
    });
}
