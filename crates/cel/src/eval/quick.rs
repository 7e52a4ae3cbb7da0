//! Simple rules without the state of an evaluation: comparisons of scalars of the object, joined by logic.
//!
//! Most rules of a definition are like that, and most objects keep them. Anything that is not plain (an absent field, a
//! null, an error, a value of another type, the cost limit) ends the attempt without a trace, and the evaluation proper
//! starts from the beginning. Values and costs are the same; a property test holds them together.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use kindsmith_json::Value as Json;

use crate::types::decl::{Format, Node as Schema, NodeShape};

use super::context::{Inputs, Outcome};
use super::cost::{CostRule, comparison};
use super::exec::contains;
use super::program::{Attribute, Base, Call, Field, Node, Program, Qualifier, QualifierKind};
use super::value::{Const, Value};

/// The slots of `self` and `oldSelf`.
const OBJECT: usize = 0;
const OLD: usize = 1;

/// What a call does, if it is one of the few done here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Simple {
    Less,
    LessEquals,
    Greater,
    GreaterEquals,
    Not,
}

impl Simple {
    pub(super) fn of(function: &str) -> Option<Simple> {
        Some(match function {
            "_<_" => Simple::Less,
            "_<=_" => Simple::LessEquals,
            "_>_" => Simple::Greater,
            "_>=_" => Simple::GreaterEquals,
            "!_" => Simple::Not,
            _ => return None,
        })
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            Simple::Less => order.is_lt(),
            Simple::LessEquals => order.is_le(),
            Simple::Greater => order.is_gt(),
            Simple::GreaterEquals => order.is_ge(),
            Simple::Not => false,
        }
    }
}

/// Whether an attempt can come to an end.
pub(super) fn is_simple(node: &Node) -> bool {
    match node {
        Node::Const(_, constant) => matches!(constant, Const::Bool(_) | Const::Int(_) | Const::String(_)),
        Node::Attribute(attribute) | Node::Test(_, attribute) => is_path(attribute),
        Node::And(_, terms) | Node::Or(_, terms) | Node::Equal(_, terms) | Node::NotEqual(_, terms) => {
            terms.iter().all(is_simple)
        }
        Node::InSet(_, element, _) => is_simple(element),
        Node::Call(call) => call.simple.is_some() && call.args.iter().all(is_simple),
        _ => false,
    }
}

fn is_path(attribute: &Attribute) -> bool {
    let known = |qualifier: &Qualifier| {
        !qualifier.optional
            && matches!(
                &qualifier.kind,
                QualifierKind::Field(Field {
                    hint: Some(_),
                    property: Some(_),
                    ..
                }) | QualifierKind::Test(Field {
                    hint: Some(_),
                    property: Some(_),
                    ..
                })
            )
    };
    matches!(attribute.base, Base::Variable(OBJECT | OLD, _))
        && attribute.qualifiers.iter().all(|qualifier| known(qualifier))
}

/// The outcome of a simple program over plain values.
pub(super) fn eval<'a>(program: &'a Program, inputs: &Inputs<'a>) -> Option<Outcome<'a>> {
    let mut cost = 0;
    let value = value(&program.root, inputs, &mut cost)?;
    // A test is charged and given back, so that the evaluation proper may pass the limit for a moment.
    (cost < inputs.limit).then_some(Outcome {
        value,
        cost,
        cancelled: false,
    })
}

fn value<'a>(node: &'a Node, inputs: &Inputs<'a>, cost: &mut u64) -> Option<Value<'a>> {
    Some(match node {
        Node::Const(_, Const::Bool(flag)) => Value::Bool(*flag),
        Node::Const(_, Const::Int(number)) => Value::Int(*number),
        Node::Const(_, Const::String(text)) => Value::String(text),
        Node::Attribute(attribute) => {
            let (json, schema) = follow(attribute, &attribute.qualifiers, inputs)?;
            *cost += attribute.qualifiers.len() as u64 + 1;
            plain(json, schema)?
        }
        Node::Test(_, attribute) => {
            // The test itself is free, the way to it is not.
            *cost += attribute.qualifiers.len() as u64;
            Value::Bool(is_there(attribute, inputs)?)
        }
        Node::And(_, terms) => {
            Value::Bool(truth(&terms[0], inputs, cost)? && truth(&terms[1], inputs, cost)?)
        }
        Node::Or(_, terms) => Value::Bool(truth(&terms[0], inputs, cost)? || truth(&terms[1], inputs, cost)?),
        Node::Equal(_, operands) => Value::Bool(are_equal(operands, inputs, cost)?),
        Node::NotEqual(_, operands) => Value::Bool(!are_equal(operands, inputs, cost)?),
        Node::InSet(_, element, members) => Value::Bool(contains(members, value(element, inputs, cost)?)),
        Node::Call(call) => Value::Bool(called(call, inputs, cost)?),
        _ => return None,
    })
}

#[inline]
fn truth(node: &Node, inputs: &Inputs<'_>, cost: &mut u64) -> Option<bool> {
    match value(node, inputs, cost)? {
        Value::Bool(flag) => Some(flag),
        _ => None,
    }
}

fn are_equal(operands: &[Node; 2], inputs: &Inputs<'_>, cost: &mut u64) -> Option<bool> {
    let a = value(&operands[0], inputs, cost)?;
    let b = value(&operands[1], inputs, cost)?;
    *cost += comparison(a, b);
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::String(a), Value::String(b)) => Some(a == b),
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        _ => None,
    }
}

fn called(call: &Call, inputs: &Inputs<'_>, cost: &mut u64) -> Option<bool> {
    let simple = call.simple?;
    if simple == Simple::Not {
        let [operand] = &*call.args else { return None };
        let CostRule::Fixed(charge) = call.cost else {
            return None;
        };
        let flag = truth(operand, inputs, cost)?;
        *cost += charge;
        return Some(!flag);
    }
    let [a, b] = &*call.args else { return None };
    let (a, b) = (value(a, inputs, cost)?, value(b, inputs, cost)?);
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        _ => return None,
    };
    *cost += match call.cost {
        CostRule::Fixed(charge) => charge,
        CostRule::CompareText => comparison(a, b),
        _ => return None,
    };
    Some(simple.holds(order))
}

/// Where the qualifiers lead, if everything on the way is there.
#[inline]
fn follow<'a>(
    attribute: &'a Attribute,
    qualifiers: &'a [std::sync::Arc<Qualifier>],
    inputs: &Inputs<'a>,
) -> Option<(&'a Json<'a>, &'a Schema)> {
    let (mut json, mut schema) = match attribute.base {
        Base::Variable(OBJECT, _) => inputs.object?,
        Base::Variable(OLD, _) if !inputs.optional_old => inputs.old?,
        _ => return None,
    };
    for qualifier in qualifiers {
        let QualifierKind::Field(field) = &qualifier.kind else {
            return None;
        };
        (json, schema) = member(json, schema, field)?;
        if json.is_null() {
            return None;
        }
    }
    Some((json, schema))
}

/// A member that is there, `null` or not.
#[inline]
fn member<'a>(json: &'a Json<'a>, schema: &Schema, field: &'a Field) -> Option<(&'a Json<'a>, &'a Schema)> {
    let (parent, child) = field.hint.as_ref()?;
    let property = field.property.as_deref()?;
    let Json::Object(object) = json else { return None };
    if schema.int_or_string || !std::ptr::eq(schema, &**parent) {
        return None;
    }
    let last = field.position.load(Relaxed);
    if let Some(entry) = object.entries().get(last)
        && entry.key == property
    {
        return Some((&entry.value, child));
    }
    let at = object.position(property)?;
    field.position.store(at, Relaxed);
    Some((&object.entries()[at].value, child))
}

fn is_there(attribute: &Attribute, inputs: &Inputs<'_>) -> Option<bool> {
    let (last, before) = attribute.qualifiers.split_last()?;
    let QualifierKind::Test(field) = &last.kind else {
        return None;
    };
    let (json, schema) = follow(attribute, before, inputs)?;
    match member(json, schema, field) {
        Some((Json::Null, _)) => Some(false),
        // A value that is not what its schema says is an error, which a test shows.
        Some((json, child)) => {
            let fits = matches!(
                (&child.shape, json),
                (NodeShape::Object(_), Json::Object(_))
                    | (NodeShape::Array { items: Some(_), .. }, Json::Array(_))
            ) && !child.int_or_string;
            (fits || plain(json, child).is_some()).then_some(true)
        }
        // Absent, or not to be had here.
        None => match (json, &field.hint) {
            (Json::Object(object), Some((parent, _)))
                if !schema.int_or_string && std::ptr::eq(schema, &**parent) =>
            {
                (!object.contains_key(field.property.as_deref()?)).then_some(false)
            }
            _ => None,
        },
    }
}

/// A scalar that is what its schema says.
#[inline]
fn plain<'a>(json: &'a Json<'a>, schema: &Schema) -> Option<Value<'a>> {
    if schema.int_or_string {
        return None;
    }
    match (&schema.shape, json) {
        (NodeShape::String(Format::Plain), Json::Str(text)) => Some(Value::String(text)),
        (NodeShape::Integer, Json::Int(number)) => Some(Value::Int(*number)),
        (NodeShape::Boolean, Json::Bool(flag)) => Some(Value::Bool(*flag)),
        _ => None,
    }
}
