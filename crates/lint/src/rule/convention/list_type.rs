//! Lists without a marker that says how they are merged, or with the wrong one.

use kindsmith_schema::{Scalar, Shape, TypeRef};
use kindsmith_source::{Finding, Fix, Tool};

use crate::Report;
use crate::declared::{Declared, Marker, Member, Named, remove_line};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("list-type", Tool::KubeApiLinter, include_str!("list_type.md")),
    check,
)
.alias("ssatags")
.settings(&[Setting::choice(
    "listTypeSetUsage",
    &["Warn", "Ignore"],
    "whether `set` on lists of structs is reported",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let TypeRef::List(item) = declared.schema.view().underlying(&member.field.ty) else {
            continue;
        };
        if member.is_pointer() {
            continue;
        }
        let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
        let types: Vec<&Marker<'_>> = markers
            .iter()
            .filter(|marker| marker.name == "listType")
            .copied()
            .collect();
        if **item == TypeRef::Scalar(Scalar::Byte) {
            bytes(declared, report, member, &types);
        } else if types.is_empty() {
            let text = format!("`{}` has no `+listType`", member.path);
            report.warn(member.name, text, |finding| {
                finding.help("add `// +listType=atomic`, `set` or `map`, so that server-side apply knows how to merge it")
            });
        }
        if **item != TypeRef::Scalar(Scalar::Byte) {
            for marker in types {
                list(declared, report, member, item, &markers, marker.value);
            }
        }
    }
}

fn bytes(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>, types: &[&Marker<'_>]) {
    for marker in types {
        let text = format!("`{}` is text in JSON, and has a `+listType`", member.path);
        let fix = remove_line(declared, Fix::safe("remove the marker"), marker);
        report.warn(member.name, text, |finding| finding.fix_with(fix));
    }
}

fn list(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    item: &TypeRef,
    markers: &[&Marker<'_>],
    value: &str,
) {
    let path = &member.path;
    let is_object = is_object(declared, item);
    let keys: Vec<&str> = markers
        .iter()
        .filter(|marker| marker.name == "listMapKey")
        .map(|marker| marker.plain_value())
        .collect();
    let sets = report.text("listTypeSetUsage");
    let mut tell = |text: String, help: &str| {
        report.warn(member.name, text, |finding| match help {
            "" => finding,
            help => finding.help(help),
        });
    };
    match value {
        "map" if !is_object => tell(
            format!("`{path}` has `+listType=map`, but its items are not structs"),
            "",
        ),
        "map" if keys.is_empty() => tell(format!("`{path}` has `+listType=map` without `+listMapKey`"), ""),
        "map" => {
            let Some(fields) = fields(declared, member, item) else {
                return;
            };
            for key in keys.iter().filter(|key| !key.is_empty() && !fields.contains(key)) {
                tell(
                    format!("`{path}` has `+listMapKey={key}`, but its items have no such field"),
                    "",
                );
            }
        }
        "set" if is_object && sets == "Warn" => tell(
            format!("`{path}` has `+listType=set` on structs"),
            "use `atomic` or `map`: two appliers cannot change the same struct of a set",
        ),
        "atomic" | "set" => {}
        _ => tell(
            format!("`{path}` has `+listType={value}`, which is not `atomic`, `set` or `map`"),
            "",
        ),
    }
}

/// Whether items are more than one value.
fn is_object(declared: &Declared<'_>, item: &TypeRef) -> bool {
    match declared.schema.view().underlying(item) {
        TypeRef::Scalar(_) => false,
        TypeRef::Pointer(inner) | TypeRef::List(inner) => is_object(declared, inner),
        _ => true,
    }
}

/// The names of an item's fields, if its package declares it; those of embedded structs among them.
fn fields<'d>(declared: &'d Declared<'_>, member: &Member<'_>, item: &TypeRef) -> Option<Vec<&'d str>> {
    let item = match item {
        TypeRef::Pointer(inner) => inner,
        other => other,
    };
    let named = declared.local_struct(member.package, item)?;
    let mut names = Vec::new();
    collect(declared, named, &mut names, 0);
    Some(names)
}

fn collect<'d>(declared: &'d Declared<'_>, named: &'d Named<'_>, names: &mut Vec<&'d str>, depth: usize) {
    for member in &named.fields {
        let name = &*member.field.json.name;
        let inner = declared.local_struct(&named.ty.name.package, &member.field.ty);
        match inner.filter(|inner| matches!(inner.ty.shape, Shape::Struct(_))) {
            Some(inner) if member.field.embedded && name.is_empty() && depth < 8 => {
                collect(declared, inner, names, depth + 1);
            }
            _ => names.push(name),
        }
    }
}
