//! When two Go values count as equal: `equality.Semantic.DeepEqual` of apimachinery.
//!
//! Generated code also compares with `==` where types allow it; for values decoded from JSON the two agree.

use std::borrow::Cow;

use kindsmith_gostd::budget::Batch;
use kindsmith_json::{Object, Value};
use kindsmith_schema::Scalar;

use super::{Val, entries, get_near, items, text, well_known};
use crate::plan::{MAX_DEPTH, NodeId, NodeShape, Plan, Slot, StructPlan};

/// Are two values in nilable form equal?
#[inline]
pub(crate) fn equal(plan: &Plan, slot: Slot, left: Val<'_>, right: Val<'_>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => values_equal(plan, slot.node, left, right),
        (None, None) => true,
        (Some(value), None) | (None, Some(value)) => !slot.pointer && plan.is_zero(slot.node, value),
    }
}

/// Are two values of a type equal?
#[inline]
pub(crate) fn values_equal(plan: &Plan, node: NodeId, left: Value<'_>, right: Value<'_>) -> bool {
    if same(left, right, 0) {
        return true;
    }
    let mut walk = Walk {
        plan,
        depth: 0,
        batch: Batch::default(),
    };
    walk.values(node, left, right)
}

/// Do two values have the same JSON? Then they are equal whatever their type, and most are.
fn same(left: Value<'_>, right: Value<'_>, depth: usize) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Uint(left), Value::Uint(right)) => left == right,
        (Value::Float(left), Value::Float(right)) => left == right,
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && depth < MAX_DEPTH
                && left
                    .iter()
                    .zip(right)
                    .all(|(&left, &right)| same(left, right, depth + 1))
        }
        (Value::Object(left), Value::Object(right)) => same_objects(left, right, depth),
        _ => false,
    }
}

fn same_objects(left: Object<'_>, right: Object<'_>, depth: usize) -> bool {
    let (entries, others) = (left.entries(), right.entries());
    if entries.len() != others.len() || depth >= MAX_DEPTH {
        return false;
    }
    entries.iter().zip(others).all(|(entry, other)| {
        let other = if entry.key == other.key {
            Some(other.value)
        } else {
            right.get(entry.key)
        };
        other.is_some_and(|other| same(entry.value, other, depth + 1))
    })
}

struct Walk<'p> {
    plan: &'p Plan,
    depth: usize,
    batch: Batch,
}

impl Walk<'_> {
    fn slots(&mut self, slot: Slot, left: Val<'_>, right: Val<'_>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => self.values(slot.node, left, right),
            (None, None) => true,
            (Some(value), None) | (None, Some(value)) => !slot.pointer && self.plan.is_zero(slot.node, value),
        }
    }

    fn values(&mut self, node: NodeId, left: Value<'_>, right: Value<'_>) -> bool {
        self.batch.spend(1);
        match &self.plan.node(node).shape {
            NodeShape::Scalar(scalar) => scalars(*scalar, left, right),
            NodeShape::Bytes => bytes(left) == bytes(right),
            NodeShape::WellKnown(known) => well_known::equal(*known, left, right),
            NodeShape::Any | NodeShape::Unknown => left == right,
            NodeShape::List(_) | NodeShape::Array { .. } | NodeShape::Map { .. } | NodeShape::Struct(_) => {
                // Deeper than this, values are compared as JSON.
                if self.depth >= MAX_DEPTH {
                    return left == right;
                }
                self.depth += 1;
                let answer = self.containers(node, left, right);
                self.depth -= 1;
                answer
            }
        }
    }

    fn containers(&mut self, node: NodeId, left: Value<'_>, right: Value<'_>) -> bool {
        let plan = self.plan;
        match &plan.node(node).shape {
            NodeShape::List(element) => {
                let (left, right) = (items(Some(left)), items(Some(right)));
                left.len() == right.len()
                    && left.iter().zip(right).all(|(&left, &right)| {
                        self.slots(
                            *element,
                            plan.element(*element, left),
                            plan.element(*element, right),
                        )
                    })
            }
            NodeShape::Array { len, element } => {
                let (left, right) = (items(Some(left)), items(Some(right)));
                // Missing elements are zero, so beyond the longer list all are equal.
                (0..left.len().max(right.len()).min(*len as usize)).all(|index| {
                    let left = left.get(index).copied().unwrap_or_default();
                    let right = right.get(index).copied().unwrap_or_default();
                    self.slots(
                        *element,
                        plan.element(*element, left),
                        plan.element(*element, right),
                    )
                })
            }
            NodeShape::Map { value, .. } => {
                let (left, right) = (entries(Some(left)), entries(Some(right)));
                let mut near = 0;
                left.len() == right.len()
                    && left.iter().all(|(key, entry)| {
                        get_near(right, key, &mut near).is_some_and(|other| {
                            self.slots(*value, plan.element(*value, entry), plan.element(*value, other))
                        })
                    })
            }
            NodeShape::Struct(members) => self.members(members, left, right),
            _ => false,
        }
    }

    fn members(&mut self, members: &StructPlan, left: Value<'_>, right: Value<'_>) -> bool {
        let plan = self.plan;
        let (mut near_left, mut near_right) = (0, 0);
        plan.struct_fields(members).iter().all(|field| {
            if field.key.is_none() && !field.inline {
                return true;
            }
            let left = plan.member_near(field, left, &mut near_left);
            let right = plan.member_near(field, right, &mut near_right);
            match (left, right) {
                (Some(left), Some(right)) if same(left, right, self.depth) && !field.inline => true,
                (left, right) => self.slots(field.slot, left, right),
            }
        })
    }
}

fn scalars(scalar: Scalar, left: Value<'_>, right: Value<'_>) -> bool {
    match scalar {
        Scalar::String => text(left) == text(right),
        Scalar::Bool => left.as_bool().unwrap_or(false) == right.as_bool().unwrap_or(false),
        Scalar::Float32 => float(left) as f32 == float(right) as f32,
        Scalar::Float64 => float(left) == float(right),
        _ => super::integer(left) == super::integer(right),
    }
}

fn float(value: Value<'_>) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

/// The bytes that a value encodes.
pub(super) fn bytes(value: Value<'_>) -> Cow<'static, [u8]> {
    match value {
        Value::Str(text) => kindsmith_gostd::base64::decode(text.as_bytes())
            .unwrap_or_default()
            .into(),
        Value::Array(items) => items.iter().map(|&item| super::integer(item) as u8).collect(),
        _ => Cow::Borrowed(&[]),
    }
}
