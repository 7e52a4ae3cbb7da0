//! Fields of a status that are not optional.

use kindsmith_source::{Finding, Fix, Tool};

use crate::Report;
use crate::declared::{Declared, Named, OPTIONAL, REQUIRED, add_marker, remove_line};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "status-required",
        Tool::KubeApiLinter,
        include_str!("status_required.md"),
    ),
    check,
)
.alias("statusoptional")
.settings(&[Setting::choice(
    "preferredOptionalMarker",
    &OPTIONAL,
    "the marker that fixes add",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if &*member.field.json.name != "status" || member.is_pointer() {
            continue;
        }
        if let Some(status) = declared.local_struct(member.package, &member.field.ty) {
            fields(declared, report, status, 0);
        }
    }
}

fn fields(declared: &Declared<'_>, report: &mut Report<'_>, status: &Named<'_>, depth: usize) {
    for member in &status.fields {
        if member.is_inline() {
            let inner = declared.local_struct(member.package, &member.field.ty);
            if let Some(inner) = inner.filter(|_| member.field.embedded && depth < 8) {
                fields(declared, report, inner, depth + 1);
            }
            continue;
        }
        // Without a local name an embedded field has none in messages of other tools either.
        let is_foreign = member.field.embedded && declared.local(member).is_none();
        if member.field.json.skip || is_foreign || member.is_optional() {
            continue;
        }
        let text = if member.is_required() {
            format!("status field `{}` is marked as required", member.path)
        } else {
            format!("status field `{}` is not marked as optional", member.path)
        };
        let wrong = member
            .markers
            .iter()
            .filter(|marker| REQUIRED.contains(&marker.name));
        let fix = Fix::risky("mark it as optional");
        let fix = wrong.fold(fix, |fix, marker| remove_line(declared, fix, marker));
        let fix = add_marker(declared, fix, member, report.text("preferredOptionalMarker"));
        report.warn(member.name, text, |finding| finding.fix_with(fix));
    }
}
