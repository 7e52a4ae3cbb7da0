//! Numbers without both a minimum and a maximum.

use kindsmith_source::{Finding, Tool};

use crate::Report;
use crate::declared::{Declared, Form, Marker};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "unbounded-number",
        Tool::KubeApiLinter,
        include_str!("unbounded_number.md"),
    ),
    check,
)
.alias("numericbounds")
.about(About::Custom)
.off();

const ENDS: [(&str, [&str; 2]); 2] = [
    ("minimum", ["kubebuilder:validation:Minimum", "k8s:minimum"]),
    ("maximum", ["kubebuilder:validation:Maximum", "k8s:maximum"]),
];

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if Form::of(declared.schema, member.package, member.pointee()) != Form::Number {
            continue;
        }
        let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
        let has = |names: &[&str]| markers.iter().any(|marker| names.contains(&marker.name));
        for (word, names) in ENDS.iter().filter(|(_, names)| !has(names)) {
            let text = format!("field `{}` has no {word}", member.path);
            let help = format!("add `// +{}`", names[0]);
            report.warn(member.name, text, |finding| finding.help(help));
        }
    }
}
