//! Defaults on fields that a controller may keep.

use std::collections::HashSet;

use kindsmith_schema::{Schema, Shape, TypeId};
use kindsmith_source::{Finding, Tool};
use serde_json::Value;

use super::facts::{default_place, has_default};
use crate::Report;
use crate::declared::{Declared, Named};
use crate::rule::{About, Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("kept-default", Tool::Kindsmith, include_str!("kept_default.md")),
    check,
)
.settings(&[Setting::texts(
    "groups",
    "groups whose controllers keep live values, besides Config Connector's",
)])
.about(About::Custom);

/// Config Connector's groups: its controllers keep the live values of fields that are not set.
const KEEPING: &str = ".cnrm.cloud.google.com";

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let groups: Vec<&str> = report.list("groups").iter().filter_map(Value::as_str).collect();
    let schema = declared.schema;
    let is_spec = |named: &&Named<'_>| {
        let package = schema.package(&named.ty.name.package);
        let group = package.and_then(|package| package.group.as_deref());
        let is_kept = group.is_some_and(|group| group.ends_with(KEEPING) || groups.contains(&group));
        is_kept && named.ty.name.name.ends_with("Spec")
    };
    let mut kept = HashSet::new();
    for named in declared.types.iter().filter(is_spec) {
        reach(schema, named.id, &mut kept);
    }
    for named in report.types(&declared.types) {
        if !kept.contains(&named.id) {
            continue;
        }
        for member in named.fields.iter().filter(|member| has_default(member.field)) {
            let text = format!(
                "field `{}` has a default, so its live value is never kept",
                member.path
            );
            let place = default_place(report, member);
            report.warn(place, text, |finding| {
                finding.help("remove the default; the controller sets it where the user wants no other")
            });
        }
    }
}

/// Adds a type and all types of the fields below it.
fn reach(schema: &Schema, id: TypeId, found: &mut HashSet<TypeId>) {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        match &schema.ty(id).shape {
            Shape::Struct(_) => schema
                .fields(id)
                .for_each(|(_, field)| open.extend(field.ty.innermost())),
            Shape::Def(target) | Shape::Alias(target) => open.extend(target.innermost()),
            Shape::Hole => {}
        }
    }
}
