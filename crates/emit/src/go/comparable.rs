//! Types that Go compares with `==`, by validation-gen's rule (VG/util, `IsDirectComparable`).

use kindsmith_checks::Types;
use kindsmith_schema::{Shape, TypeRef};

/// The depth limit of types.
const MAX_DEPTH: usize = 100;

/// Whether values of a type, without its pointers, are compared directly.
pub(super) fn is_comparable(types: Types<'_>, ty: &TypeRef) -> bool {
    is_direct(types, &types.resolved(ty).base, 0)
}

fn is_direct(types: Types<'_>, ty: &TypeRef, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match types.underlying(ty) {
        TypeRef::Scalar(_) => true,
        TypeRef::Array(_, element) => is_direct(types, &element, depth + 1),
        TypeRef::Named(id) => match &types.schema.ty(id).shape {
            Shape::Struct(members) => members
                .fields
                .iter()
                .all(|field| is_direct(types, &field.ty, depth + 1)),
            _ => false,
        },
        _ => false,
    }
}
