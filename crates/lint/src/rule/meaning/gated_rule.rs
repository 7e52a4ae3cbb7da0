//! Rules of feature-gated fields that apply without the feature.

use kindsmith_schema::{Condition, Facet};
use kindsmith_source::{Finding, Tool};

use super::facts::native;
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("gated-rule", Tool::Kindsmith, include_str!("gated_rule.md")),
    check,
)
.about(About::Native)
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let Some(gate) = member.markers_named("featureGate").next() else {
            continue;
        };
        let unguarded = native(member.field).find(|rule| {
            let is_guarded = rule
                .conditions()
                .any(|condition| matches!(condition, Condition::Option { .. }));
            !is_guarded && !matches!(rule.facet, Facet::Optional)
        });
        if let Some(rule) = unguarded {
            let text = format!(
                "field `{}` belongs to the feature `{}`, but `+k8s:{}` applies without it",
                member.path,
                gate.value,
                rule.facet.name()
            );
            let help = format!("put it behind `+k8s:ifEnabled({})=`", gate.value);
            report.warn(member.name, text, |finding| finding.help(help));
        }
    }
}
