//! Types of packages outside validation, used without being marked as opaque.

use kindsmith_schema::{Facet, Family, GoKind, Owner, Part, Rule as SchemaRule, Shape, TypeRef, Wrap};
use kindsmith_source::{Finding, Severity, Tool};

use super::Rule;
use crate::Report;
use crate::reach::{Reach, owner_path};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "foreign-type",
        Tool::ValidationGen,
        include_str!("foreign_type.md"),
    ),
    check,
);

/// Packages that Kubernetes' own script for generators passes as read-only (code-generator
/// `kube_codegen.sh`). validation-gen alone rejects their types, but most authors never see that.
const USUALLY_READ_ONLY: &[&str] = &[
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/types",
    "k8s.io/apimachinery/pkg/util/intstr",
    "k8s.io/apimachinery/pkg/version",
    "time",
];

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    for id in reach.fields() {
        let field = reach.schema.field(id);
        check_owner(reach, report, Owner::Field(id), &field.ty, &field.rules);
    }
    for id in &reach.types {
        let ty = reach.schema.ty(*id);
        // For a named list or map, upstream checks its parts; a struct has none, and any other type was
        // checked itself.
        if let Shape::Def(target) = &ty.shape {
            check_parts(
                reach,
                report,
                Owner::Type(*id),
                reach.view().underlying(target),
                &ty.rules,
            );
        }
    }
}

fn check_owner(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, ty: &TypeRef, rules: &[SchemaRule]) {
    let view = reach.view();
    let named = Used {
        what: "type",
        tag: "+k8s:opaqueType",
        scope: &[],
        shown: ty,
    };
    if !check_part(reach, report, owner, ty, &named, rules) {
        check_parts(reach, report, owner, view.unalias(ty), rules);
    }
}

fn check_parts(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, ty: &TypeRef, rules: &[SchemaRule]) {
    let (key, value) = match ty {
        TypeRef::List(element) => (None, element),
        TypeRef::Map(key, value) => (Some(key), value),
        _ => return,
    };
    if let Some(key) = key {
        let part = Used {
            what: "key type",
            tag: "+k8s:eachKey=+k8s:opaqueType",
            scope: &[Wrap::EachKey],
            shown: key,
        };
        check_part(reach, report, owner, key, &part, rules);
    }
    let part = Used {
        what: "value type",
        tag: "+k8s:eachVal=+k8s:opaqueType",
        scope: &[Wrap::EachVal],
        shown: value,
    };
    check_part(reach, report, owner, value, &part, rules);
}

/// A part of a declaration whose type may be foreign.
struct Used<'a> {
    what: &'static str,
    tag: &'static str,
    scope: &'static [Wrap],
    shown: &'a TypeRef,
}

/// Whether the type is foreign; reports it unless a tag handles it.
fn check_part(
    reach: &Reach<'_>,
    report: &mut Report<'_>,
    owner: Owner,
    ty: &TypeRef,
    used: &Used<'_>,
    rules: &[SchemaRule],
) -> bool {
    let Some(package) = foreign_package(reach, ty, used) else {
        return false;
    };
    if !is_opaque(rules, used.scope) && !report.is_read_only(package) {
        tell(reach, report, owner, used, package);
    }
    true
}

/// The excluded package of a type or its target. For fields, only structs and typedefs are checked.
fn foreign_package<'a>(reach: &Reach<'a>, mut ty: &'a TypeRef, used: &Used<'_>) -> Option<&'a str> {
    let view = reach.view();
    let mut package = None;
    loop {
        ty = view.unalias(ty);
        if let TypeRef::Named(id) = ty
            && !reach.is_included(*id)
        {
            package.get_or_insert(&*reach.schema.ty(*id).name.package);
        }
        let TypeRef::Pointer(target) = view.underlying(ty) else {
            break;
        };
        ty = target;
    }
    let has_rules = || matches!(view.kind(ty), GoKind::Struct | GoKind::Alias | GoKind::Unknown);
    package.filter(|_| !used.scope.is_empty() || has_rules())
}

/// Whether a tag turns off the rules of the type, at any stability level.
fn is_opaque(rules: &[SchemaRule], scope: &[Wrap]) -> bool {
    rules.iter().any(|rule| {
        rule.family == Family::Declarative && rule.facet == Facet::OpaqueType && rule.scope().eq(scope.iter())
    })
}

fn tell(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, used: &Used<'_>, package: &str) {
    let Used { what, tag, shown, .. } = used;
    let text = format!(
        "{what} {} is in a non-included package; either add this package to validation-gen's --readonly-pkg flag, \
         or add {tag} to the field to skip validation",
        reach.view().text(shown)
    );
    let path = owner_path(reach.schema, owner);
    report.error(
        &[owner.part(Part::Type), owner.part(Part::Name)],
        text.clone(),
        |mut finding| {
            if USUALLY_READ_ONLY.contains(&package) {
                finding.severity = Severity::Warning;
            }
            finding
                .help(format!(
                    "add `// {tag}` above it: its own rules then do not run here"
                ))
                .help(format!(
                    "or pass `--readonly-pkg {package}`, as you do to validation-gen"
                ))
                .upstream(format!("failed to generate validations: {path}: {text}"))
        },
    );
}
