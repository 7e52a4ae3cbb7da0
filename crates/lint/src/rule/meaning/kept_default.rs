//! Defaults on fields that a controller may keep.

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
    let is_kept = |named: &Named<'_>| {
        let package = declared.schema.package(&named.ty.name.package);
        let group = package.and_then(|package| package.group.as_deref());
        group.is_some_and(|group| group.ends_with(KEEPING) || groups.contains(&group))
    };
    for named in report.types(&declared.types) {
        if !named.ty.name.name.ends_with("Spec") || !is_kept(named) {
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
