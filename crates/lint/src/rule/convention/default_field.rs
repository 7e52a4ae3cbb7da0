//! Fields with a default that are not written as optional.

use kindsmith_source::{Finding, Fix, Span, Tool};

use crate::Report;
use crate::declared::{Declared, Form, Member, add_option, remove_line, remove_option, replace_text};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "default-field",
        Tool::KubeApiLinter,
        include_str!("default_field.md"),
    ),
    check,
)
.alias("defaults")
.settings(&[
    Setting::choice(
        "preferredDefaultMarker",
        &["default", "kubebuilder:default"],
        "the marker to write where both mean the same",
    ),
    Setting::choice(
        "omitempty",
        &["SuggestFix", "Warn", "Ignore"],
        "whether fields that are not structs need `omitempty`",
    ),
    Setting::choice(
        "omitzero",
        &["SuggestFix", "Warn", "Forbid"],
        "whether structs need `omitzero`; `Forbid` for Go before 1.24",
    ),
])
.off();

const NATIVE: &str = "k8s:default";

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let preferred = report.text("preferredDefaultMarker");
    let other = match preferred {
        "default" => "kubebuilder:default",
        _ => "default",
    };
    for member in report.fields(&declared.types) {
        let has_default = [preferred, other, NATIVE].iter().any(|name| member.has(name));
        if member.field.embedded || !has_default {
            continue;
        }
        spelling(declared, report, member, preferred, other);
        requiredness(report, member);
        options(declared, report, member);
    }
}

fn spelling(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    preferred: &str,
    other: &str,
) {
    let path = &member.path;
    if !member.has(preferred) && !member.has(other) {
        let text = format!("field `{path}` has `+{NATIVE}` without `+{preferred}`, which other tools read");
        for marker in member.markers_named(NATIVE) {
            let line = format!("// +{preferred}={}\n\t", marker.value);
            let at = Span::new(marker.span.file, marker.span.start, marker.span.start);
            let fix = Fix::risky(format!("add `+{preferred}`")).edit(at, line);
            report.warn(member.name, text.clone(), |finding| finding.fix_with(fix));
        }
    }
    let mut others = member.markers_named(other).peekable();
    let Some(first) = others.peek().copied() else {
        return;
    };
    if member.has(preferred) {
        let fix = others.fold(Fix::risky(format!("remove `+{other}`")), |fix, marker| {
            remove_line(declared, fix, marker)
        });
        let text = format!("field `{path}` has both `+{preferred}` and `+{other}`");
        report.warn(member.name, text, |finding| finding.fix_with(fix));
        return;
    }
    let text = format!("field `{path}` has `+{other}` instead of `+{preferred}`");
    let fix = Fix::risky(format!("write `+{preferred}`"));
    let fix = replace_text(fix, first, &format!("{preferred}={}", first.value));
    let fix = others
        .skip(1)
        .fold(fix, |fix, marker| remove_line(declared, fix, marker));
    report.warn(member.name, text, |finding| finding.fix_with(fix));
}

fn requiredness(report: &mut Report<'_>, member: &Member<'_>) {
    if member.is_required() {
        let text = format!("field `{}` has a default but is marked as required", member.path);
        report.warn(member.name, text, |finding| finding);
    } else if !member.is_optional() {
        let text = format!(
            "field `{}` has a default but is not marked as optional",
            member.path
        );
        report.warn(member.name, text, |finding| finding.help("add `// +optional`"));
    }
}

fn options(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>) {
    let tag = &member.field.json;
    if member.is_inline() {
        return;
    }
    let form = Form::of(declared.schema, member.package, &member.field.ty);
    let is_struct = !member.is_pointer() && form == Form::Struct;
    let (option, policy) = match report.text("omitzero") {
        "Forbid" => ("omitempty", report.text("omitempty")),
        policy if is_struct => ("omitzero", policy),
        _ => ("omitempty", report.text("omitempty")),
    };
    let is_set = if option == "omitzero" {
        tag.omitzero
    } else {
        tag.omitempty
    };
    if is_set || policy == "Ignore" {
        return;
    }
    let text = format!("field `{}` has a default but no `{option}`", member.path);
    report.warn(member.name, text, |finding| {
        let fix = Fix::risky(format!("add `{option}`"));
        let fix = if option == "omitzero" && tag.omitempty {
            remove_option(declared, fix, member, "omitempty", "omitzero")
        } else {
            add_option(declared, fix, member, option)
        };
        match fix.filter(|_| policy == "SuggestFix") {
            Some(fix) => finding.fix_with(fix),
            None => finding,
        }
    });
}
