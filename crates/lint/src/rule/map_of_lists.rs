//! Rules on maps whose values are lists, which declarative validation cannot run.

use kindsmith_schema::{Facet, Family, Owner, Part, Rule as SchemaRule, TypeRef, View};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::{Reach, owner_path};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "map-of-lists",
        Tool::ValidationGen,
        include_str!("map_of_lists.md"),
    ),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in reach.fields() {
        let field = schema.field(id);
        check_owner(reach, report, Owner::Field(id), &field.ty, &field.rules);
    }
    for id in &reach.types {
        check_owner(
            reach,
            report,
            Owner::Type(*id),
            &TypeRef::Named(*id),
            &schema.ty(*id).rules,
        );
    }
}

fn check_owner(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, ty: &TypeRef, rules: &[SchemaRule]) {
    let Some(rule) = rules.iter().position(is_check) else {
        return;
    };
    if !is_map_of_lists(reach.view(), ty) {
        return;
    }
    let text = "validation for map of slices is not supported";
    let path = owner_path(reach.schema, owner);
    let places = [owner.part(Part::Rule(rule as u32)), owner.part(Part::Name)];
    report.error(&places, text, |finding| {
        finding
            .help("give the list a named type and put the rules there, or use a map of structs")
            .upstream(format!("failed to generate validations: field {path}: {text}"))
    });
}

fn is_check(rule: &SchemaRule) -> bool {
    rule.family == Family::Declarative && rule.facet != Facet::OpaqueType
}

fn is_map_of_lists(view: View<'_>, ty: &TypeRef) -> bool {
    let ty = view.underlying(view.deref(ty));
    // A named list type is a type of its own and may have rules.
    matches!(ty, TypeRef::Map(_, value) if matches!(view.unalias(value), TypeRef::List(_)))
}
