//! Conditions that are not written like those of the rest of Kubernetes.

use kindsmith_schema::TypeRef;
use kindsmith_source::{Finding, Fix, Tool};

use crate::declared::{Declared, Member, add_marker, remove_line};
use crate::rule::{Rule, Setting};
use crate::{PackageKind, Report};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "condition-field",
        Tool::KubeApiLinter,
        include_str!("condition_field.md"),
    ),
    check,
)
.alias("conditions")
.settings(&[
    Setting::choice(
        "isFirstField",
        &["Warn", "Ignore"],
        "whether conditions must be the first field",
    ),
    Setting::choice(
        "useProtobuf",
        &["Auto", "SuggestFix", "Warn", "Ignore", "Forbid"],
        "whether the protobuf tag is demanded; `Auto`: in native APIs",
    ),
    Setting::choice(
        "usePatchStrategy",
        &["Auto", "SuggestFix", "Warn", "Ignore", "Forbid"],
        "whether the patch strategy is demanded; `Auto`: in native APIs",
    ),
])
.off();

/// Tags of strategic merge patch.
const PATCH_TAG: &str = "patchStrategy:\"merge\" patchMergeKey:\"type\"";
const PATCH_MARKERS: [&str; 2] = ["patchStrategy=merge", "patchMergeKey=type"];

/// What the settings say about one package.
struct Wanted<'a> {
    patch: &'a str,
    protobuf: &'a str,
    first: bool,
}

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for named in report.types(&declared.types) {
        for (index, member) in named.fields.iter().enumerate() {
            if &*member.field.name == "Conditions" && !member.field.embedded {
                field(declared, report, member, index);
            }
        }
    }
}

fn field(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>, index: usize) {
    if !is_conditions(declared, member) {
        let text = format!("`{}` is not a list of `metav1.Condition`", member.path);
        report.warn(member.name, text, |finding| finding);
        return;
    }
    let is_native = report.kind(member.package) == PackageKind::Native;
    let policy = |policy: &'static str| policy;
    let of = |name: &str| match report.text(name) {
        "Auto" if is_native => policy("SuggestFix"),
        "Auto" => policy("Ignore"),
        set => set,
    };
    let wanted = Wanted {
        patch: of("usePatchStrategy"),
        protobuf: of("useProtobuf"),
        first: report.text("isFirstField") == "Warn",
    };
    markers(declared, report, member, &wanted);
    tag(declared, report, member, &wanted, index);
    if wanted.first && index != 0 {
        let text = format!("`{}` is not the first field", member.path);
        report.warn(member.name, text, |finding| finding);
    }
}

fn is_conditions(declared: &Declared<'_>, member: &Member<'_>) -> bool {
    let TypeRef::List(item) = &member.field.ty else {
        return false;
    };
    let TypeRef::Named(id) = &**item else {
        return false;
    };
    let name = &declared.schema.ty(*id).name;
    &*name.name == "Condition" && &*name.package == "k8s.io/apimachinery/pkg/apis/meta/v1"
}

fn markers(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>, wanted: &Wanted<'_>) {
    let says = |text: &&&str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        member
            .markers_named(name)
            .any(|marker| value.is_empty() || marker.value == value)
    };
    let mut needed = vec!["listType=map", "listMapKey=type"];
    if matches!(wanted.patch, "SuggestFix" | "Warn") {
        needed.extend(PATCH_MARKERS);
    }
    needed.push("optional");
    let missing: Vec<&str> = needed.iter().filter(|text| !says(text)).copied().collect();
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| format!("`+{name}`")).collect();
        let text = format!("`{}` lacks {}", member.path, names.join(", "));
        let fix = add_marker(
            declared,
            Fix::risky("add the markers"),
            member,
            &missing.join("\n\t// +"),
        );
        report.warn(member.name, text, |finding| finding.fix_with(fix));
    }
    let extra: Vec<_> = member
        .markers
        .iter()
        .filter(|marker| wanted.patch == "Forbid" && PATCH_MARKERS.contains(&marker.text))
        .collect();
    if !extra.is_empty() {
        let text = format!("`{}` has markers of strategic merge patch", member.path);
        let fix = extra.into_iter().fold(Fix::risky("remove them"), |fix, marker| {
            remove_line(declared, fix, marker)
        });
        report.warn(member.name, text, |finding| finding.fix_with(fix));
    }
}

fn tag(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    wanted: &Wanted<'_>,
    index: usize,
) {
    let number = if wanted.first { 1 } else { index + 1 };
    let protobuf = format!("protobuf:\"bytes,{number},rep,name=conditions\"");
    let is_wanted = |policy: &str| matches!(policy, "SuggestFix" | "Warn");
    let mut expected = "json:\"conditions,omitempty\"".to_owned();
    for (policy, part) in [(wanted.patch, PATCH_TAG), (wanted.protobuf, &protobuf)] {
        if is_wanted(policy) {
            expected.push(' ');
            expected.push_str(part);
        }
    }
    let text = format!("the tag of `{}` is not `{expected}`", member.path);
    let Some(place) = member.tag else {
        let end = member
            .span
            .part(member.span.len() as usize, member.span.len() as usize);
        let fix = Fix::risky("add the tag").edit(end, format!(" `{expected}`"));
        report.warn(member.name, text, |finding| finding.fix_with(fix));
        return;
    };
    let written = declared.text(place);
    let is_right = |policy: &str, part: &str| match policy {
        "Ignore" => true,
        "Forbid" => !written.contains(part),
        _ => written.contains(part),
    };
    if is_right(wanted.patch, PATCH_TAG) && is_right(wanted.protobuf, &protobuf) {
        return;
    }
    let can_fix = [wanted.patch, wanted.protobuf]
        .iter()
        .any(|policy| matches!(*policy, "SuggestFix" | "Forbid"));
    report.warn(place, text, |finding| {
        if can_fix {
            finding.fix_with(Fix::risky("write it").edit(place, format!("`{expected}`")))
        } else {
            finding
        }
    });
}
