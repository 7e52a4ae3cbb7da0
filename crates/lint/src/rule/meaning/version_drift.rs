//! Rules that differ between versions of a type.

use kindsmith_schema::{Facet, Rule as SchemaRule, Wrap};
use kindsmith_source::{Finding, Tool};
use serde_json::Value;

use super::facts::native;
use crate::Report;
use crate::declared::{Declared, Member, Named};
use crate::rule::{About, Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("version-drift", Tool::Kindsmith, include_str!("version_drift.md")),
    check,
)
.settings(&[Setting::texts(
    "exceptions",
    "fields whose versions may differ, as `Type.Field`",
)])
.about(About::Native);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let exceptions: Vec<&str> = report
        .list("exceptions")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let types = report.types(&declared.types);
    for (index, named) in types.iter().enumerate() {
        for older in types[..index]
            .iter()
            .filter(|older| are_versions(declared, older, named))
        {
            for member in &named.fields {
                let name = member.field.json_name();
                let other = older
                    .fields
                    .iter()
                    .find(|other| name.is_some() && other.field.json_name() == name);
                let is_known = exceptions.contains(&member.path.as_str());
                if let Some(other) = other.filter(|_| !is_known) {
                    compare(report, member, other);
                }
            }
        }
    }
}

/// The same name in two versions of one group.
fn are_versions(declared: &Declared<'_>, one: &Named<'_>, other: &Named<'_>) -> bool {
    let (one, other) = (&one.ty.name, &other.ty.name);
    let group = |path: &str| {
        declared
            .schema
            .package(path)
            .and_then(|package| package.group.clone())
    };
    one.name == other.name
        && one.package != other.package
        && group(&one.package).is_some_and(|group_of_one| Some(group_of_one) == group(&other.package))
}

fn compare(report: &mut Report<'_>, member: &Member<'_>, other: &Member<'_>) {
    let (here, there) = (rules(member), rules(other));
    let only = |of: &[String], besides: &[String]| {
        let found: Vec<String> = of
            .iter()
            .filter(|rule| !besides.contains(rule))
            .cloned()
            .collect();
        found
    };
    let (more, less) = (only(&here, &there), only(&there, &here));
    let (word, rules) = match (more.is_empty(), less.is_empty()) {
        (true, true) => return,
        (false, _) => ("has", more),
        (true, false) => ("lacks", less),
    };
    let names: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    let text = format!(
        "field `{}` {word} {}, unlike the other version",
        member.path,
        names.join(", ")
    );
    report.warn(member.name, text, |finding| {
        finding
            .related(other.name, "the other version")
            .help("validate all versions alike, or list the field under `exceptions`")
    });
}

/// The rules of a field as text. Levels may differ: a version may try a rule out.
fn rules(member: &Member<'_>) -> Vec<String> {
    let text = |rule: &SchemaRule| {
        let wraps = rule
            .wraps
            .iter()
            .filter(|wrap| !matches!(wrap, Wrap::Level { .. }));
        let wraps: Vec<&str> = wraps.map(Wrap::name).collect();
        let value = match &rule.facet {
            Facet::MaxLength(limit)
            | Facet::MinLength(limit)
            | Facet::MaxBytes(limit)
            | Facet::MaxItems(limit)
            | Facet::MinItems(limit)
            | Facet::MaxProperties(limit)
            | Facet::MinProperties(limit) => format!("={limit}"),
            Facet::Format(format) => format!("={format}"),
            _ => String::new(),
        };
        let name = wraps
            .into_iter()
            .chain([rule.facet.name()])
            .collect::<Vec<_>>()
            .join("=+k8s:");
        format!("+k8s:{name}{value}")
    };
    let mut rules: Vec<String> = native(member.field).map(text).collect();
    rules.sort();
    rules.dedup();
    rules
}
