//! Rules that make a field both required and optional, or required with a default.

use kindsmith_schema::Facet;
use kindsmith_source::{Finding, Tool};

use super::facts::{has_default, native};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "required-and-optional",
        Tool::Kindsmith,
        include_str!("required_and_optional.md"),
    ),
    check,
)
.about(About::All);

/// Markers that controller-gen reads.
const REQUIRED: [&str; 2] = ["kubebuilder:validation:Required", "required"];
const OPTIONAL: [&str; 2] = ["kubebuilder:validation:Optional", "optional"];

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let markers = |names: &[&str]| {
            let mut all = member.markers.iter();
            all.find(|marker| names.contains(&marker.name))
        };
        if let Some((required, optional)) = markers(&REQUIRED).zip(markers(&OPTIONAL)) {
            let text = format!(
                "field `{}` is both `+{}` and `+{}`",
                member.path, required.name, optional.name
            );
            report.warn(member.name, text, |finding| {
                finding.help("keep the one that is meant; controller-gen takes the one that begins with `kubebuilder:`")
            });
        }
        let says = |wanted: &Facet| native(member.field).any(|rule| rule.is_plain() && rule.facet == *wanted);
        if !says(&Facet::Required) {
            continue;
        }
        if says(&Facet::Optional) {
            let text = format!(
                "field `{}` is both `+k8s:required` and `+k8s:optional`",
                member.path
            );
            report.warn(member.name, text, |finding| {
                finding.help("keep the one that is meant")
            });
        }
        if has_default(member.field) {
            let text = format!(
                "field `{}` is `+k8s:required` and has a default, so it is never missing",
                member.path
            );
            report.warn(member.name, text, |finding| finding.help("use `+k8s:optional`"));
        }
    }
}
