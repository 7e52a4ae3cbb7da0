//! Defaults as KEP-1929 publishes them: `{}` for structs, zero for scalars that are always written, and a
//! type's default wherever the type is used.

use kindsmith_schema::{Default, Field, Json, JsonSchema, Shape, TypeId, TypeRef};

use super::marks::IMPLIED;
use super::presence::{Member, Zero, is_demanded};
use super::reading::Reading;
use crate::go_floats::through_floats;

/// The struct of a field that is `{}` by default, if that is valid.
pub(super) fn structure(
    reading: &Reading<'_>,
    field: &Field,
    member: &Member,
    node: &JsonSchema,
) -> Option<TypeId> {
    let has_default = is_set(field, node) || of_type(reading, &field.ty).is_some();
    if member.zero != Zero::Never || has_default || is_demanded(field) {
        return None;
    }
    let TypeRef::Named(id) = reading.view.unalias(&field.ty) else {
        return None;
    };
    let is_own = reading.schema.ty(*id).well_known.is_none();
    (is_own && reading.view.members(&field.ty).is_some()).then_some(*id)
}

/// Whether a marker sets the default of a field.
fn is_set(field: &Field, node: &JsonSchema) -> bool {
    node.default.is_some() || field.default.is_some() || field.crd_default.is_some()
}

/// Sets the default that a field has without a marker of its own.
pub(super) fn on_field(
    reading: &Reading<'_>,
    field: &Field,
    member: &Member,
    (zero_fails, is_empty_valid): (bool, bool),
    node: &mut JsonSchema,
) {
    if is_set(field, node) {
        // Only where absent and zero differ does a tag say more than Go does.
        if member.zero != Zero::Absent {
            node.schema = IMPLIED.into();
        }
        return;
    }
    if let Some(value) = of_type(reading, &field.ty) {
        node.default = Some(value);
        return;
    }
    // Absent is not zero then.
    if is_demanded(field) {
        return;
    }
    let always_written = !field.json.omitempty && !field.json.omitzero && !member.required && !zero_fails;
    node.schema = IMPLIED.into();
    node.default = match member.zero {
        Zero::Text if always_written => Some(Json::from("")),
        Zero::Number if always_written => Some(Json::int(0)),
        Zero::Float if always_written => Some(Json::int(0)),
        Zero::Truth if always_written => Some(Json::from(false)),
        Zero::Never if is_empty_valid => Json::parse("{}").ok(),
        _ => None,
    };
}

/// The default on a type, or on one that it is defined by.
pub(crate) fn of_type(reading: &Reading<'_>, of: &TypeRef) -> Option<Json> {
    let mut at = of;
    // A chain with a repeated type never ends.
    for _ in 0..64 {
        match at {
            TypeRef::Pointer(inner) => at = inner,
            TypeRef::Named(id) => {
                let ty = reading.schema.ty(*id);
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
