//! Fields that are marked neither as optional nor as required, or as both.

use kindsmith_source::{Finding, Fix, Tool};

use crate::Report;
use crate::declared::{Declared, Marker, Member, Named, OPTIONAL, REQUIRED, remove_line, replace_text};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "requiredness-marker",
        Tool::KubeApiLinter,
        include_str!("requiredness_marker.md"),
    ),
    check,
)
.alias("optionalorrequired")
.settings(&[
    Setting::choice(
        "preferredOptionalMarker",
        &["optional", "kubebuilder:validation:Optional"],
        "the marker to write where both mean the same",
    ),
    Setting::choice(
        "preferredRequiredMarker",
        &["required", "kubebuilder:validation:Required"],
        "the marker to write where both mean the same",
    ),
])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if !member.is_inline() {
            field(declared, report, member);
        }
    }
    for named in report.types(&declared.types) {
        of_type(declared, report, named);
    }
}

fn field(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>) {
    let optional = spellings(report.text("preferredOptionalMarker"), &OPTIONAL);
    let required = spellings(report.text("preferredRequiredMarker"), &REQUIRED);
    let has = |names: &[&str]| names.iter().any(|name| member.has(name));
    let (is_optional, is_required) = (has(&optional), has(&required));
    let (native_optional, native_required) = (member.has(OPTIONAL[2]), member.has(REQUIRED[2]));
    let path = &member.path;
    let contradictions = [
        (native_optional && native_required, OPTIONAL[2], REQUIRED[2]),
        (native_optional && is_required, OPTIONAL[2], REQUIRED[0]),
        (native_required && is_optional, OPTIONAL[0], REQUIRED[2]),
        (is_optional && is_required, OPTIONAL[0], REQUIRED[0]),
    ];
    for (_, one, other) in contradictions.iter().filter(|(found, _, _)| *found) {
        let text = format!("field `{path}` is marked as both `{one}` and `{other}`");
        report.warn(member.name, text, |finding| finding);
    }
    if is_optional && is_required {
        return;
    }
    for [preferred, other] in [optional, required] {
        if member.has(other) {
            return spelling(declared, report, member, preferred, other);
        }
    }
    if !is_optional && !is_required {
        let text = format!("field `{path}` is marked neither as optional nor as required");
        let help = format!("add `// +{}` or `// +{}`", optional[0], required[0]);
        report.warn(member.name, text, |finding| finding.help(help));
    }
}

/// The preferred of two spellings, and the other one.
fn spellings<'a>(preferred: &'a str, all: &[&'static str; 3]) -> [&'a str; 2] {
    [preferred, if preferred == all[0] { all[1] } else { all[0] }]
}

fn spelling(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    preferred: &str,
    other: &str,
) {
    let markers: Vec<&Marker<'_>> = member.markers_named(other).collect();
    let both = member.has(preferred);
    let (text, fix) = if both {
        (
            format!("field `{}` has both `+{preferred}` and `+{other}`", member.path),
            Fix::safe(format!("remove `+{other}`")),
        )
    } else {
        (
            format!("field `{}` has `+{other}` instead of `+{preferred}`", member.path),
            replace_text(Fix::safe(format!("write `+{preferred}`")), markers[0], preferred),
        )
    };
    let extra = markers.into_iter().skip(usize::from(!both));
    let fix = extra.fold(fix, |fix, marker| remove_line(declared, fix, marker));
    report.warn(member.name, text, |finding| finding.fix_with(fix));
}

fn of_type(declared: &Declared<'_>, report: &mut Report<'_>, named: &Named<'_>) {
    let Some(place) = named.name else {
        return;
    };
    for marker in &named.markers {
        if OPTIONAL.contains(&marker.name) || REQUIRED.contains(&marker.name) {
            let text = format!("type `{}` is marked as `{}`", named.ty.name.name, marker.text);
            let fix = remove_line(declared, Fix::risky("remove the marker"), marker);
            report.warn(place, text, |finding| {
                finding
                    .help("fields are optional or required, types are not")
                    .fix_with(fix)
            });
        }
    }
}
