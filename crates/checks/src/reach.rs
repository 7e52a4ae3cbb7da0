//! Which lowered types do anything at all.

use std::collections::HashSet;

use kindsmith_schema::{TypeId, TypeRef};

use super::{Body, Call, Lowered, Types};

/// Whether a type's function does anything (VG/validation.go, `hasValidations`).
#[must_use]
pub fn has_validations(types: Types<'_>, lowered: &Lowered, ty: TypeId) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let Some(lowered) = lowered.get(&ty) else {
            continue;
        };
        if !lowered.calls.is_empty() || lowered.comment {
            return true;
        }
        if lowered.opaque {
            continue;
        }
        pending.extend(iterated(lowered.keys.as_ref()));
        pending.extend(iterated(lowered.values.as_ref()));
        let fields = types
            .members(&TypeRef::Named(ty))
            .map_or(&[][..], |(_, fields)| fields);
        for (field, lowered) in fields.iter().zip(&lowered.fields) {
            if !lowered.calls.is_empty() || lowered.comment {
                return true;
            }
            pending.extend(iterated(lowered.keys.as_ref()));
            pending.extend(iterated(lowered.values.as_ref()));
            if !lowered.opaque && field.is_exported() {
                pending.extend(types.function_type(&field.ty));
            }
        }
    }
    false
}

fn iterated(call: Option<&Call>) -> Option<TypeId> {
    match &call?.body {
        Body::EachVal { inner, .. } | Body::EachKey(inner) => match inner.body {
            Body::TypeFunction(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
