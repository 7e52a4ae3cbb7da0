//! Types that declarative validation does not reach into, such as lists of lists.

use kindsmith_schema::{GoKind, Owner, Part, Scalar, TypeRef, View};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "unsupported-shape",
        Tool::ValidationGen,
        include_str!("unsupported_shape.md"),
    ),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    check_roots(reach, report);
    check_generics(reach, report);
    let view = reach.view();
    for used in &reach.uses {
        let Some((text, help)) = problem(view, used.ty) else {
            continue;
        };
        let path = reach.path(used);
        let ty = view.text(used.ty);
        report.error(&type_then_name(used.owner), text.clone(), |finding| {
            finding.label(format!("`{ty}`")).help(help).upstream(format!(
                "failed to generate validations: field {path} ({ty}): {text}"
            ))
        });
    }
}

/// Typedefs of pointers, which upstream does not support.
fn check_roots(reach: &Reach<'_>, report: &mut Report<'_>) {
    for (id, _) in &reach.roots {
        let name = &reach.schema.ty(*id).name;
        if reach.view().kind(&TypeRef::Named(*id)) != GoKind::Pointer {
            continue;
        }
        let text = "pointer root-types are not supported";
        report.error(&[Owner::Type(*id).part(Part::Name)], text, |finding| {
            finding
                .help("write the pointer where the type is used, or add `// +k8s:validation-gen=false`")
                .upstream(format!("failed to generate validations: type {name}: {text}"))
        });
    }
}

/// Generic types, where upstream sees the parameters instead of the arguments.
fn check_generics(reach: &Reach<'_>, report: &mut Report<'_>) {
    for id in &reach.types {
        let name = &reach.schema.ty(*id).name;
        if !name.name.contains('[') {
            continue;
        }
        let text = "kind TypeParam is not supported";
        report.error(&[Owner::Type(*id).part(Part::Name)], text, |finding| {
            finding
                .label(format!("`{}`", name.name))
                .help("write a type of its own for each use")
                .upstream(format!("failed to generate validations: field {name}: {text}"))
        });
    }
}

/// The problem with a type, and its fix (upstream's `verifySupportedType`).
fn problem(view: View<'_>, ty: &TypeRef) -> Option<(String, &'static str)> {
    let wrap = "give the inner type a name of its own inside a struct, and use a list or map of that struct";
    let (text, help) = match view.kind(ty) {
        GoKind::Array => (
            "fixed-size arrays are not supported",
            "use a list with `+k8s:maxItems`",
        ),
        GoKind::Pointer => match view.underlying(ty) {
            TypeRef::Pointer(target) => pointer_problem(view, target)?,
            _ => return None,
        },
        GoKind::Slice => match view.underlying(ty) {
            TypeRef::List(element) => (list_problem(view, element)?, wrap),
            _ => return None,
        },
        GoKind::Map => match view.underlying(ty) {
            TypeRef::Map(key, value) => (map_problem(view, key, value)?, wrap),
            _ => return None,
        },
        kind @ (GoKind::Chan | GoKind::Func | GoKind::Unsupported) => {
            return Some((
                format!("kind {} is not supported", kind.name()),
                "API types hold data that JSON can carry",
            ));
        }
        // gengo does not treat `rune` as a builtin type.
        GoKind::Builtin if view.scalar(ty) == Some(Scalar::Rune) => {
            ("kind Unsupported is not supported", "write `int32`")
        }
        _ => return None,
    };
    Some((text.to_owned(), help))
}

fn pointer_problem(view: View<'_>, target: &TypeRef) -> Option<(&'static str, &'static str)> {
    match native(view, target)? {
        (true, _) => Some(("pointers to pointers are not supported", "use one pointer")),
        (false, TypeRef::List(_) | TypeRef::Array(..)) => Some((
            "pointers to lists are not supported",
            "a list is unset when it is empty: remove the pointer",
        )),
        (false, TypeRef::Map(..)) => Some((
            "pointers to maps are not supported",
            "a map is unset when it is empty: remove the pointer",
        )),
        _ => None,
    }
}

fn list_problem(view: View<'_>, element: &TypeRef) -> Option<&'static str> {
    match native(view, element)? {
        (false, TypeRef::List(inner)) if !is_byte(view, inner) => Some("lists of lists are not supported"),
        (false, TypeRef::Map(..)) => Some("lists of maps are not supported"),
        _ => None,
    }
}

fn map_problem(view: View<'_>, key: &TypeRef, value: &TypeRef) -> Option<&'static str> {
    if native(view, key)? != (false, &TypeRef::Scalar(Scalar::String)) {
        return Some("maps with non-string keys are not supported");
    }
    match native(view, value)? {
        (true, _) => Some("maps of pointers are not supported"),
        (false, TypeRef::Map(..)) => Some("maps of maps are not supported"),
        _ => None,
    }
}

fn is_byte(view: View<'_>, ty: &TypeRef) -> bool {
    matches!(view.scalar(ty), Some(Scalar::Byte | Scalar::Uint8 | Scalar::Int8))
}

/// Whether there is a pointer in the chain, and the type at its end.
fn native<'a>(view: View<'a>, mut ty: &'a TypeRef) -> Option<(bool, &'a TypeRef)> {
    let mut pointer = false;
    loop {
        match view.underlying(ty) {
            TypeRef::Pointer(target) => (pointer, ty) = (true, target),
            end => return Some((pointer, end)),
        }
    }
}
