//! Lists of structs in which nothing must be set.

use kindsmith_schema::{Shape, TypeRef};
use kindsmith_source::{Finding, Tool};

use crate::Report;
use crate::declared::{Declared, Member, Named};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "list-item-without-required",
        Tool::KubeApiLinter,
        include_str!("list_item_without_required.md"),
    ),
    check,
)
.alias("arrayofstruct")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let Some(item) = item(declared, member) else {
            continue;
        };
        if item.has_required_field() || item.has("kubebuilder:validation:ExactlyOneOf") {
            continue;
        }
        let text = format!("`{}` is a list of structs without a required field", member.path);
        report.warn(member.name, text, |finding| {
            finding.help(format!(
                "mark at least one field of `{}` as required",
                item.ty.name.name
            ))
        });
    }
}

/// The struct in a list, if the package declares it.
fn item<'d, 'a>(declared: &'d Declared<'a>, member: &Member<'a>) -> Option<&'d Named<'a>> {
    let list = match &member.field.ty {
        TypeRef::Named(id) => match &declared.named(*id)?.ty.shape {
            Shape::Def(target) | Shape::Alias(target) => target,
            _ => return None,
        },
        other => other,
    };
    let (TypeRef::List(item) | TypeRef::Array(_, item)) = list else {
        return None;
    };
    let item = match &**item {
        TypeRef::Pointer(inner) => inner,
        _ => item,
    };
    declared.local_struct(member.package, item)
}
