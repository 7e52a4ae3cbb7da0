//! Defaults as KEP-1929 publishes them: `{}` for structs, zero for scalars that are always written, and a
//! type's default wherever the type is used.

use kindsmith_schema::{Default, Field, Json, JsonSchema, Shape, TypeId, TypeRef};

use super::empty;
use super::presence::{Member, Zero};
use super::settle::IMPLIED;
use crate::controller_gen::lower::{Link, Lower};
use crate::controller_gen::markers::through_floats;

/// Sets the default that a field has without a marker of its own.
pub(crate) fn on_field(
    lower: &mut Lower<'_>,
    field: &Field,
    member: &Member,
    zero_fails: bool,
    node: &mut JsonSchema,
) {
    if node.default.is_some() || field.default.is_some() || field.crd_default.is_some() {
        // Only where absent and zero differ does a tag say more than Go does.
        if member.zero != Zero::Absent {
            node.schema = IMPLIED.into();
        }
        return;
    }
    if let Some(value) = of_type(lower, &field.ty) {
        node.default = Some(value);
        return;
    }
    let always_written = !field.json.omitempty && !field.json.omitzero && !member.required && !zero_fails;
    node.schema = IMPLIED.into();
    node.default = match member.zero {
        Zero::Text if always_written => Some(Json::from("")),
        Zero::Number if always_written => Some(Json::int(0)),
        Zero::Float if always_written => Some(Json::int(0)),
        Zero::Truth if always_written => Some(Json::from(false)),
        Zero::Never if may_be_empty(lower, &field.ty) => Json::parse("{}").ok(),
        _ => None,
    };
}

/// The default on a type, or on one that it is defined by.
pub(crate) fn of_type(lower: &Lower<'_>, of: &TypeRef) -> Option<Json> {
    let mut at = of;
    // A chain with a repeated type never ends.
    for _ in 0..64 {
        match at {
            TypeRef::Pointer(inner) => at = inner,
            TypeRef::Named(id) => {
                let ty = lower.schema.ty(*id);
                if let Some(Default::Value(value)) = &ty.default {
                    return Some(through_floats(value));
                }
                match &ty.shape {
                    Shape::Def(target) | Shape::Alias(target) => at = target,
                    Shape::Struct(_) | Shape::Hole => return None,
                }
            }
            _ => return None,
        }
    }
    None
}

/// Whether an object without members is valid after its own defaulting.
fn may_be_empty(lower: &mut Lower<'_>, of: &TypeRef) -> bool {
    let Some(id) = structure(lower, of) else {
        return false;
    };
    let Some(declared) = lower.declared_within(Link { id, opaque: false }) else {
        return false;
    };
    let has_default = |name: &str| {
        declared
            .property(name)
            .is_some_and(|property| property.default.is_some())
    };
    declared.all_of.is_empty()
        && empty::is_taken(declared)
        && declared.required.iter().all(|name| has_default(name))
}

fn structure(lower: &Lower<'_>, of: &TypeRef) -> Option<TypeId> {
    match lower.view.unalias(of) {
        TypeRef::Named(id) if lower.schema.ty(*id).well_known.is_none() => {
            lower.view.members(of).is_some().then_some(*id)
        }
        _ => None,
    }
}
