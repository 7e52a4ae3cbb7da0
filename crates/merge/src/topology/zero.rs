//! The JSON of a Go type's zero value: the members an object has before any is set.

use kindsmith_schema::{Field, Scalar, Shape, TypeId, TypeRef, View, WellKnown};

/// Structs are never nested deeper, because Go rejects types that contain themselves.
const MAX_DEPTH: usize = 64;

/// The zero value of a struct as compact JSON, without the members of `TypeMeta`.
pub(super) fn object(view: View<'_>, id: TypeId) -> String {
    let mut text = String::new();
    push_struct(view, &TypeRef::Named(id), &mut text, 0);
    text
}

fn push_struct(view: View<'_>, of: &TypeRef, text: &mut String, depth: usize) {
    text.push('{');
    push_members(view, of, text, depth);
    text.push('}');
}

fn push_members(view: View<'_>, of: &TypeRef, text: &mut String, depth: usize) {
    let Some((_, fields)) = view.members(of) else {
        return;
    };
    if depth > MAX_DEPTH {
        return;
    }
    for field in fields
        .iter()
        .filter(|field| field.is_exported() || field.embedded)
    {
        if field.is_inline() {
            if !is(view, &field.ty, WellKnown::TypeMeta) {
                push_members(view, &field.ty, text, depth + 1);
            }
        } else if let Some(name) = field.json_name() {
            push_member(view, field, name, text, depth);
        }
    }
}

fn push_member(view: View<'_>, field: &Field, name: &str, text: &mut String, depth: usize) {
    let leaves_out = field.json.omitzero || (field.json.omitempty && !is_struct(view, &field.ty));
    if leaves_out {
        return;
    }
    if !text.ends_with('{') {
        text.push(',');
    }
    text.push_str(&kindsmith_json::to_string(name.into()));
    text.push(':');
    push_zero(view, &field.ty, text, depth + 1);
}

/// `omitempty` never leaves out a struct.
fn is_struct(view: View<'_>, of: &TypeRef) -> bool {
    matches!(view.underlying(of), TypeRef::Named(_))
}

fn push_zero(view: View<'_>, of: &TypeRef, text: &mut String, depth: usize) {
    match view.underlying(of) {
        TypeRef::Scalar(Scalar::Bool) => text.push_str("false"),
        TypeRef::Scalar(Scalar::String) => text.push_str("\"\""),
        TypeRef::Scalar(_) => text.push('0'),
        TypeRef::Named(id) => match (view.ty(*id).well_known, &view.ty(*id).shape) {
            (Some(WellKnown::ObjectMeta | WellKnown::ListMeta), _) => text.push_str("{}"),
            (Some(WellKnown::Quantity), _) => text.push_str("\"0\""),
            (Some(WellKnown::IntOrString | WellKnown::GoDuration), _) => text.push('0'),
            (Some(WellKnown::Duration), _) => text.push_str("\"0s\""),
            (Some(_), _) => text.push_str("null"),
            (None, Shape::Struct(_)) => push_struct(view, &TypeRef::Named(*id), text, depth),
            (None, _) => text.push_str("null"),
        },
        _ => text.push_str("null"),
    }
}

fn is(view: View<'_>, of: &TypeRef, known: WellKnown) -> bool {
    matches!(view.underlying(of), TypeRef::Named(id) if view.ty(*id).well_known == Some(known))
}
