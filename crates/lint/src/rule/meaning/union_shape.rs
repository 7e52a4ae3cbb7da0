//! Unions without members, and members that the discriminator cannot name.

use kindsmith_schema::{Facet, Str, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::facts::native;
use crate::Report;
use crate::declared::{Declared, Member, Named};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("union-shape", Tool::Kindsmith, include_str!("union_shape.md")),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for named in report.types(&declared.types) {
        for member in &named.fields {
            for rule in native(member.field) {
                if let Facet::UnionDiscriminator { union } = &rule.facet {
                    discriminator(declared, report, named, member, union.as_ref());
                }
            }
        }
    }
}

fn discriminator(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    named: &Named<'_>,
    member: &Member<'_>,
    union: Option<&Str>,
) {
    let members: Vec<(&Member<'_>, &str)> = named
        .fields
        .iter()
        .filter_map(|other| Some((other, member_name(other, union)?)))
        .collect();
    if members.is_empty() {
        let text = format!(
            "`{}` is the discriminator of a union without members",
            member.path
        );
        report.warn(member.name, text, |finding| {
            finding.help("mark its members with `+k8s:unionMember`")
        });
        return;
    }
    let values = constants(declared, member);
    if values.is_empty() {
        return;
    }
    for (other, name) in members {
        if !values.iter().any(|value| value.trim_matches('"') == name) {
            let text = format!(
                "`{}` is a member called `{name}`, which is none of the discriminator's values",
                other.path
            );
            report.warn(other.name, text, |finding| {
                finding
                    .related(member.name, "the discriminator")
                    .help("name it with `memberName`, or add a constant")
            });
        }
    }
}

/// The name of a member of the union.
fn member_name<'m>(member: &'m Member<'_>, wanted: Option<&Str>) -> Option<&'m str> {
    native(member.field).find_map(|rule| match &rule.facet {
        Facet::UnionMember { union, member_name } if union.as_ref() == wanted => {
            Some(member_name.as_deref().unwrap_or(&member.field.name))
        }
        _ => None,
    })
}

fn constants<'d>(declared: &'d Declared<'_>, member: &Member<'_>) -> Vec<&'d str> {
    let TypeRef::Named(id) = member.pointee() else {
        return Vec::new();
    };
    let constants = declared.schema.ty(*id).constants.iter();
    constants
        .filter_map(|constant| Some(constant.value.as_ref()?.as_str()))
        .collect()
}
