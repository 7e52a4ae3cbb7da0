//! What [`Profile::Kep`](crate::Profile::Kep) looks up while it fills in defaults.

use std::collections::{HashMap, HashSet};

use kindsmith_checks::Types;
use kindsmith_schema::{Default, Facet, Owner, Part, Place, TypeRef};

use super::DefaultValue;
use crate::plan::{Builder, MAX_DEPTH, NodeId, NodeShape, Slot};

/// Defaults by field, and by type for fields without a default of their own.
#[derive(Debug, Default)]
pub(crate) struct KepDefaults {
    pub(crate) fields: HashMap<u32, DefaultValue>,
    /// Defaults of element types, by the node of the list or map.
    pub(crate) elements: HashMap<u32, DefaultValue>,
    /// Fields whose null is a value of its own.
    pub(crate) nullable: HashSet<u32>,
}

pub(super) fn compile(types: Types<'_>, builder: &mut Builder<'_>) -> KepDefaults {
    let mut defaults = KepDefaults::default();
    for (ix, plan) in builder.fields.iter().enumerate() {
        let field = types.schema.field(plan.id);
        if field
            .rules
            .iter()
            .any(|rule| rule.is_plain() && rule.facet == Facet::Nullable)
        {
            defaults.nullable.insert(ix as u32);
        }
        let source = Place {
            owner: Owner::Field(plan.id),
            part: Part::Default,
        };
        let own = field
            .default
            .as_ref()
            .and_then(|default| value(types, &field.ty, default, source));
        if let Some(value) = own.or_else(|| type_default(types, &field.ty)) {
            defaults.fields.insert(ix as u32, value);
        }
        elements(types, builder, plan.slot.node, &field.ty, &mut defaults.elements);
    }
    defaults
}

/// Defaults of the element types of a list or map, however deep they are nested.
fn elements(
    types: Types<'_>,
    builder: &Builder<'_>,
    mut node: NodeId,
    ty: &TypeRef,
    found: &mut HashMap<u32, DefaultValue>,
) {
    let mut ty = ty.clone();
    for _ in 0..MAX_DEPTH {
        let element = types
            .list_element(&ty)
            .or_else(|| types.map_parts(&ty).map(|(_, value)| value));
        let (Some(element), Some(below)) = (element, element_slot(&builder.nodes[node.0 as usize].shape))
        else {
            return;
        };
        if let Some(value) = type_default(types, &element) {
            found.insert(node.0, value);
        }
        (node, ty) = (below.node, element);
    }
}

fn element_slot(shape: &NodeShape) -> Option<Slot> {
    match shape {
        NodeShape::List(element) | NodeShape::Array { element, .. } => Some(*element),
        NodeShape::Map { value, .. } => Some(*value),
        _ => None,
    }
}

fn type_default(types: Types<'_>, of: &TypeRef) -> Option<DefaultValue> {
    let TypeRef::Named(id) = types.non_pointer(of) else {
        return None;
    };
    let found = kindsmith_checks::type_default(types.schema, id)?;
    value(types, of, found.default, found.source)
}

/// A default of values of a type. Go cannot tell a zero scalar from an absent one, unless there is a pointer to it.
fn value(types: Types<'_>, of: &TypeRef, default: &Default, source: Place) -> Option<DefaultValue> {
    let resolved = types.resolved(of);
    let replaces_zero = resolved.pointers == 0 && matches!(resolved.base, TypeRef::Scalar(_));
    DefaultValue::new(default, types.scalar(of), replaces_zero, Some(source))
}
