//! Custom resources with a status but without the subresource, or the reverse.

use kindsmith_schema::Shape;
use kindsmith_source::{Finding, Fix, Span, Tool};

use crate::Report;
use crate::declared::{Declared, Named};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "status-subresource",
        Tool::KubeApiLinter,
        include_str!("status_subresource.md"),
    ),
    check,
)
.alias("statussubresource")
.about(About::Custom);

const MARKER: &str = "kubebuilder:subresource:status";

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for named in report.types(&declared.types) {
        let is_root = named
            .markers
            .iter()
            .any(|marker| marker.name == "kubebuilder:object:root" && marker.value == "true");
        let has_status = named
            .fields
            .iter()
            .any(|member| &*member.field.json.name == "status");
        // A kind declared over that of another version has its fields there.
        let is_struct = matches!(named.ty.shape, Shape::Struct(_)) && !named.is_list();
        // Of a version that is left out no CRD is made.
        let is_struct = is_struct && !named.has("kubebuilder:skipversion");
        let (Some(name), true, true) = (named.name, is_root, is_struct) else {
            continue;
        };
        let kind = &named.ty.name.name;
        match (named.has(MARKER), has_status) {
            (true, false) => {
                let text = format!("`{kind}` has the status subresource but no field `status`");
                report.warn(name, text, |finding| finding);
            }
            (false, true) => {
                let text = format!("`{kind}` has a field `status` but not the status subresource");
                let fix = marker(declared, named);
                report.warn(name, text, |finding| {
                    let finding = finding.help(format!("add `// +{MARKER}`"));
                    match fix {
                        Some(fix) => finding.fix_with(fix),
                        None => finding,
                    }
                });
            }
            _ => {}
        }
    }
}

/// Adds the marker below that of the root.
fn marker(declared: &Declared<'_>, named: &Named<'_>) -> Option<Fix> {
    let root = named
        .markers
        .iter()
        .find(|marker| marker.name == "kubebuilder:object:root")?;
    let place = Span::new(root.span.file, root.span.end, root.span.end);
    debug_assert!(declared.text(root.span).contains(root.name));
    Some(Fix::risky("add the subresource").edit(place, format!("\n// +{MARKER}")))
}
