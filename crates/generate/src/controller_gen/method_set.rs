//! Go's method sets: which types write themselves.

use kindsmith_schema::{Method, Shape, Type, TypeId, TypeRef, View, WellKnown};

/// Longer chains of typedefs are circular.
pub(super) const MAX_CHAIN: usize = 64;

/// Whether the type or its pointer has a method, its own or one promoted from an embedded field (Go's method
/// sets).
pub(crate) fn implements(view: View<'_>, id: TypeId, method: &str) -> bool {
    let mut level = vec![id];
    let mut seen: Vec<TypeId> = Vec::new();
    while !level.is_empty() {
        let mut found = 0;
        let mut below = Vec::new();
        for id in &level {
            // An alias has the methods of its target; a typedef has none of them.
            let Some((ty, owner)) = resolve(view, *id) else {
                continue;
            };
            if seen.contains(&owner) {
                continue;
            }
            seen.push(owner);
            found += usize::from(has_own(ty, method));
            let named = TypeRef::Named(owner);
            let own_or_behind = view.members(&named).map_or(&[][..], |(_, fields)| fields);
            for field in own_or_behind.iter().filter(|field| field.embedded) {
                if let TypeRef::Named(embedded) = view.deref(&field.ty) {
                    below.push(*embedded);
                }
            }
            // A field of that name hides methods below it.
            found += usize::from(own_or_behind.iter().any(|field| &*field.name == method)) * 2;
        }
        // Two at the same depth hide each other.
        if found > 0 {
            return found == 1;
        }
        level = below;
    }
    false
}

fn resolve(view: View<'_>, id: TypeId) -> Option<(&Type, TypeId)> {
    let mut at = id;
    for _ in 0..MAX_CHAIN {
        match &view.ty(at).shape {
            Shape::Alias(TypeRef::Named(target)) => at = *target,
            _ => return Some((view.ty(at), at)),
        }
    }
    None
}

fn has_own(ty: &Type, method: &str) -> bool {
    let library = match ty.well_known {
        Some(WellKnown::GoTime) => matches!(method, "MarshalJSON" | "MarshalText"),
        Some(WellKnown::RawMessage) => method == "MarshalJSON",
        _ => false,
    };
    library || ty.methods.iter().any(|own: &Method| &*own.name == method)
}
