//! The published default of a field (kube-openapi `generateDefault`).

use kindsmith_json::Arena;
use kindsmith_schema::{Default, Docs, Field, GoKind, Json, Scalar, Str, TypeRef, View, WellKnown};

use super::comment;
use super::select::Selection;
use crate::go_floats::through_floats;

/// Longer chains of types are circular.
const MAX_DEPTH: usize = 32;

/// The published default of a field.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// Its value, if it is known.
    pub(super) value: Option<Json>,
    /// The constant that it refers to: import path and name.
    pub(super) symbol: Option<(Str, Str)>,
}

/// The default of a field: its own, that of its type, or the zero value of a field that is always present.
pub(super) fn of(selection: &Selection<'_>, field: &Field) -> Published {
    let plain = |value| Published { value, symbol: None };
    // A reference does not count where a zero value is enforced, so it is lost.
    let enforced = || enforced(selection.view, &field.ty, field.json.omitempty, 0);
    match written(selection, field) {
        Some(Written::Value(value)) => plain(Some(value)),
        Some(Written::Reference(reference)) => match enforced() {
            Some(value) => plain(Some(value)),
            None => reference,
        },
        None => plain(enforced()),
    }
}

/// The default of an element's type, also behind a pointer.
pub(super) fn of_element(selection: &Selection<'_>, of: &TypeRef) -> Option<Json> {
    let TypeRef::Named(id) = selection.view.unalias(selection.view.deref(of)) else {
        return None;
    };
    let found = kindsmith_checks::type_default(selection.schema, *id)?;
    found.default.value().map(through_floats)
}

/// The same, or the zero value of an element that is always present: kube-openapi published it before it left the defaults of
/// elements out.
pub(super) fn of_present_element(selection: &Selection<'_>, of: &TypeRef) -> Option<Json> {
    of_element(selection, of).or_else(|| enforced(selection.view, of, false, 0))
}

enum Written {
    Value(Json),
    Reference(Published),
}

/// The first default found: on the field, then on its type and through pointers and typedefs.
fn written(selection: &Selection<'_>, field: &Field) -> Option<Written> {
    if let Some(text) = marker(&field.docs) {
        return read(text, field.default.as_ref());
    }
    let view = selection.view;
    let mut of = &field.ty;
    for _ in 0..MAX_DEPTH {
        of = view.unalias(of);
        if let Some(text) = selection.docs_of(of).and_then(marker) {
            let default = match of {
                TypeRef::Named(id) => selection.schema.ty(*id).default.as_ref(),
                _ => None,
            };
            return read(text, default);
        }
        of = match (view.kind(of), view.underlying(of)) {
            (GoKind::Pointer, TypeRef::Pointer(inner)) => inner,
            (GoKind::Alias, behind) => behind,
            _ => return None,
        };
    }
    None
}

fn marker(docs: &Docs) -> Option<&str> {
    comment::tags(docs, "default")
        .next()
        .filter(|text| !text.is_empty())
}

fn read(text: &str, known: Option<&Default>) -> Option<Written> {
    if text.starts_with("ref(") && text.ends_with(')') {
        let symbol = match known {
            Some(Default::Ref { package, name, .. }) => Some((package.clone(), name.clone())),
            _ => None,
        };
        let value = known.and_then(Default::value).cloned();
        return Some(Written::Reference(Published { value, symbol }));
    }
    let value = Json::parse(text).ok()?;
    (value.as_str() != "null").then(|| Written::Value(through_floats(&value)))
}

/// The only possible value of a field that is not set (kube-openapi `mustEnforceDefault`).
fn enforced(view: View<'_>, of: &TypeRef, omitempty: bool, depth: usize) -> Option<Json> {
    if depth > MAX_DEPTH || unmarshals_itself(view, of) {
        return None;
    }
    match view.kind(of) {
        GoKind::Struct => match view.members(of) {
            Some((id, _)) if view.ty(id).well_known.is_some_and(wraps_time) => None,
            Some((id, _)) if view.ty(id).well_known == Some(WellKnown::Duration) => {
                if omitempty {
                    None
                } else {
                    zero(Scalar::Int64)
                }
            }
            Some((_, [only])) if only.embedded => enforced(view, &only.ty, omitempty, depth + 1),
            _ => Some(empty_object()),
        },
        GoKind::Unknown => Some(empty_object()),
        GoKind::Builtin | GoKind::Alias if !omitempty => zero(view.scalar(of)?),
        _ => None,
    }
}

/// Whether a struct only embeds `time.Time`, which decodes itself.
pub(super) fn wraps_time(known: WellKnown) -> bool {
    matches!(known, WellKnown::Time | WellKnown::MicroTime)
}

fn empty_object() -> Json {
    let arena = Arena::new();
    Json::from(super::node::object(&arena, Vec::new()))
}

fn zero(scalar: Scalar) -> Option<Json> {
    Some(match scalar {
        Scalar::Bool => Json::from(false),
        Scalar::String => Json::from(""),
        Scalar::Rune | Scalar::Uintptr => return None,
        _ => Json::int(0),
    })
}

/// Whether a struct has its own decoder. Named types over it do not have its methods.
fn unmarshals_itself(view: View<'_>, of: &TypeRef) -> bool {
    let TypeRef::Named(id) = view.unalias(of) else {
        return false;
    };
    let ty = view.ty(*id);
    view.kind(of) == GoKind::Struct
        && (ty.has_method("UnmarshalJSON") || ty.well_known.is_some_and(WellKnown::is_opaque))
}
