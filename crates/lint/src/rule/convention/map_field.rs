//! Maps, other than from text to text.

use kindsmith_schema::{Scalar, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::uses;
use crate::Report;
use crate::declared::{Declared, Form};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("map-field", Tool::KubeApiLinter, include_str!("map_field.md")),
    check,
)
.alias("nomaps")
.settings(&[Setting::choice(
    "policy",
    &["AllowStringToStringMaps", "Enforce", "Ignore"],
    "which maps are allowed: from text to text, none, or those of plain Go types",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let policy = report.text("policy");
    let is_text = |package: &str, of: &TypeRef| Form::of(declared.schema, package, of) == Form::String;
    let is_plain = |of: &TypeRef| matches!(of, TypeRef::Scalar(scalar) if *scalar != Scalar::Uintptr);
    let help = "use a list of structs with a name, and `+listType=map`";
    uses::report(declared, report, help, |package, part| {
        let TypeRef::Map(key, value) = part else {
            return None;
        };
        let is_allowed = match policy {
            "Enforce" => false,
            "Ignore" => is_plain(key) && is_plain(value),
            _ => is_text(package, key) && is_text(package, value),
        };
        (!is_allowed).then_some("is a map")
    });
}
