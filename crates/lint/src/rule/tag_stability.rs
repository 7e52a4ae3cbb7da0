//! Tags that are less stable than the API they are used in.

use kindsmith_schema::{Condition, Facet, Family, Level, Owner, Part, Rule as SchemaRule, Schema, Wrap};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::reach::Reach;
use crate::{Report, linted};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "tag-stability",
        Tool::ValidationGen,
        include_str!("tag_stability.md"),
    ),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let types = linted::types(reach);
    for (owner, rules) in linted::declarations(reach.schema, &types) {
        let package = package_level(reach.schema, owner);
        // KEP-5073, "Exception for Alpha and Beta APIs": those may have tags of every level.
        let wanted = match package {
            Level::Beta if report.is_kep() => Level::Alpha,
            level => level,
        };
        let mut native = rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rule.family == Family::Declarative);
        // Upstream reports one finding per comment.
        let is_marked = rules.iter().any(|rule| {
            rule.facet == Facet::DeclarativeValidationNative && rule.family == Family::Declarative
        });
        let found = native.find_map(|(index, rule)| {
            let beside = is_marked.then(|| beside_mark(rule, package)).flatten();
            Some((index, beside.or_else(|| unstable(rule, wanted))?))
        });
        if let Some((index, text)) = found {
            tell(reach, report, owner, index as u32, &text);
        }
    }
}

/// The stability in the name of the package.
fn package_level(schema: &Schema, owner: Owner) -> Level {
    let path = match owner {
        Owner::Field(id) => &schema.ty(id.owner).name.package,
        Owner::Type(id) | Owner::Constant(id, _) => &schema.ty(id).name.package,
        Owner::Package(index) => &schema.packages()[index as usize].path,
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    match () {
        () if last.contains("alpha") => Level::Alpha,
        () if last.contains("beta") => Level::Beta,
        () => Level::Stable,
    }
}

/// Upstream's message for the first tag of a chain that is not stable enough.
fn unstable(rule: &SchemaRule, package: Level) -> Option<String> {
    let wanted = match rule.wraps.first() {
        Some(Wrap::Level { level, .. }) => *level,
        Some(Wrap::If(Condition::Option { .. })) if package == Level::Stable => Level::Beta,
        _ => package,
    };
    let wraps = rule.wraps.iter().map(Wrap::name);
    wraps.chain([rule.facet.name()]).find_map(|name| {
        let tag = kindsmith_tags::find(&format!("k8s:{name}"))?;
        (tag.stability < wanted).then(|| {
            let (is, wanted) = (word(tag.stability), word(wanted));
            format!(
                "tag \"{}\" with stability level \"{is}\" cannot be used in {wanted} validation",
                tag.name
            )
        })
    })
}

/// KEP-5073: beside `declarativeValidationNative` all tags are stable; in alpha and beta APIs they may be beta.
fn beside_mark(rule: &SchemaRule, package: Level) -> Option<String> {
    let wanted = match package {
        Level::Stable => Level::Stable,
        _ => Level::Beta,
    };
    let wraps = rule.wraps.iter().map(Wrap::name);
    wraps.chain([rule.facet.name()]).find_map(|name| {
        let tag = kindsmith_tags::find(&format!("k8s:{name}"))?;
        (tag.stability < wanted).then(|| {
            format!(
                "tag \"{}\" with stability level \"{}\" cannot stand beside \"k8s:declarativeValidationNative\"",
                tag.name,
                word(tag.stability)
            )
        })
    })
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Alpha => "Alpha",
        Level::Beta => "Beta",
        Level::Stable => "Stable",
    }
}

fn tell(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, index: u32, text: &str) {
    report.error(
        &[owner.part(Part::Rule(index)), owner.part(Part::Name)],
        text,
        |finding| {
            finding
                .help("put it behind `+k8s:alpha=` or `+k8s:beta=` while you try it out, or use a stable tag")
                .upstream(linted::upstream_text(reach.schema, owner, text))
        },
    );
}
