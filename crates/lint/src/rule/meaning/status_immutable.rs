//! Immutable fields in a status.

use kindsmith_schema::{Facet, TypeId};
use kindsmith_source::{Finding, Tool};

use crate::Report;
use crate::declared::{Declared, Named};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "status-immutable",
        Tool::Kindsmith,
        include_str!("status_immutable.md"),
    ),
    check,
);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let mut seen: Vec<TypeId> = Vec::new();
    let mut open: Vec<&Named<'_>> = Vec::new();
    for named in report.types(&declared.types) {
        let status = named
            .fields
            .iter()
            .filter(|member| &*member.field.json.name == "status");
        open.extend(status.filter_map(|member| declared.local_struct(member.package, member.pointee())));
    }
    while let Some(named) = open.pop() {
        if seen.contains(&named.id) {
            continue;
        }
        seen.push(named.id);
        for member in &named.fields {
            let rules = member.field.rules.iter();
            let is_immutable = rules
                .filter(|rule| rule.wraps.is_empty())
                .any(|rule| matches!(rule.facet, Facet::Immutable));
            if is_immutable {
                let text = format!("status field `{}` is immutable", member.path);
                report.warn(member.name, text, |finding| {
                    finding.help("a controller must be able to correct what it observed; use `+k8s:update=NoUnset` if it may only grow")
                });
            }
            open.extend(declared.local_struct(member.package, member.pointee()));
        }
    }
}
