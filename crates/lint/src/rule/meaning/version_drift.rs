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
        // The first of its versions stands for all.
        if types[..index]
            .iter()
            .any(|older| are_versions(declared, older, named))
        {
            continue;
        }
        let later = types[index + 1..].iter();
        let versions: Vec<&Named<'_>> = std::iter::once(*named)
            .chain(
                later
                    .copied()
                    .filter(|later| are_versions(declared, named, later)),
            )
            .collect();
        for members in fields(&versions) {
            judge(report, &members, &exceptions);
        }
    }
}

/// The members of all versions, by field.
fn fields<'v, 'd>(versions: &[&'v Named<'d>]) -> Vec<Vec<&'v Member<'d>>> {
    let mut found: Vec<Vec<&Member<'_>>> = Vec::new();
    for member in versions.iter().flat_map(|version| &version.fields) {
        let Some(name) = member.field.json_name() else {
            continue;
        };
        match found
            .iter_mut()
            .find(|members| members[0].field.json_name() == Some(name))
        {
            Some(members) => members.push(member),
            None => found.push(vec![member]),
        }
    }
    found
}

/// Reports the versions of a field that differ from most others; without a majority, each that differs from an older one.
fn judge(report: &mut Report<'_>, members: &[&Member<'_>], exceptions: &[&str]) {
    let is_told = |member: &Member<'_>| !exceptions.contains(&member.path.as_str());
    let alike = |member: &Member<'_>| {
        let own = rules(member);
        members.iter().filter(|other| rules(other) == own).count()
    };
    let usual = members.iter().find(|member| alike(member) * 2 > members.len());
    if let Some(usual) = usual {
        for member in members.iter().filter(|member| is_told(member)) {
            compare(report, member, usual, "the other versions");
        }
        return;
    }
    for (index, member) in members.iter().enumerate().filter(|(_, member)| is_told(member)) {
        for older in &members[..index] {
            compare(report, member, older, "the other version");
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

fn compare(report: &mut Report<'_>, member: &Member<'_>, other: &Member<'_>, others: &str) {
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
        "field `{}` {word} {}, unlike {others}",
        member.path,
        names.join(", ")
    );
    report.warn(member.name, text, |finding| {
        finding
            .related(other.name, others)
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
