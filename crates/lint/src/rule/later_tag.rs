//! Tags that the chosen release of Kubernetes does not know yet.

use kindsmith_schema::{Owner, Part, Rule as SchemaRule, Wrap};
use kindsmith_source::{Finding, Tool};
use kindsmith_tags::Tag;

use super::Rule;
use crate::reach::Reach;
use crate::{Report, linted};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new("later-tag", Tool::ValidationGen, include_str!("later_tag.md")),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let Some(release) = report.release() else {
        return;
    };
    let types = linted::types(reach);
    for (owner, rules) in linted::declarations(reach.schema, &types) {
        for (rule, index) in rules.iter().zip(0..) {
            let mut names = names(rule);
            if let Some(tag) = names.find_map(|name| later(name, release)) {
                tell(report, owner, index, tag, release);
            }
        }
    }
}

/// The tags of a chain, outermost first.
fn names(rule: &SchemaRule) -> impl Iterator<Item = &'static str> {
    rule.wraps.iter().map(Wrap::name).chain([rule.facet.name()])
}

fn later(name: &str, release: u8) -> Option<&'static Tag> {
    kindsmith_tags::find(&format!("k8s:{name}")).filter(|tag| tag.since > release)
}

fn tell(report: &mut Report<'_>, owner: Owner, index: u32, tag: &Tag, release: u8) {
    let text = format!(
        "`+{}` came with Kubernetes 1.{}; 1.{release} does not know it",
        tag.name, tag.since
    );
    let places = [owner.part(Part::Rule(index)), owner.part(Part::Name)];
    report.error(&places, text, |finding| {
        finding.help(format!(
            "remove it, or generate with the tools of Kubernetes 1.{}",
            tag.since
        ))
    });
}
