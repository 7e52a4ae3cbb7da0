//! A fast path for simple rules: comparisons of scalars, combined by `&&` and `||`, also for all elements of a list.
//!
//! Most rules of CRDs are like that, and most objects satisfy them. Anything unusual (an absent field, a null, an error, a
//! value of another type, the cost limit) ends the attempt, and the full evaluation starts from the beginning. Values and
//! costs are the same; a property test compares them.
//!
//! In instructions, without it: 1.7 times as many for `containers.all(c, c.name.startsWith(…) && size(c.image) < 256)` over
//! 120 containers and for a comparison of two bounds, 1.4 times for all rules of `fixtures/route` on an object of 10 KB.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use kindsmith_json::Value as Json;

use crate::cost::price::Term;
use crate::types::decl::{Format, Node as Schema, NodeShape};

use super::context::{Inputs, Outcome};
use super::cost::{charge_scalars, comparison};
use super::exec::contains;
use super::program::{Attribute, Base, Call, Field, Fold, Node, Program, Qualifier, QualifierKind, Simple};
use super::value::{Const, Value, rune_count};

/// The slots of `self` and `oldSelf`.
const OBJECT: usize = 0;
const OLD: usize = 1;

impl Simple {
    /// The result for two values; `None` for types it does not support.
    fn holds(self, a: Value<'_>, b: Value<'_>) -> Option<bool> {
        let order = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(&b),
            (Value::String(a), Value::String(b)) => match self {
                Simple::StartsWith => return Some(a.starts_with(b)),
                Simple::EndsWith => return Some(a.ends_with(b)),
                Simple::Contains => return Some(a.contains(b)),
                _ => a.cmp(b),
            },
            _ => return None,
        };
        self.orders(order)
    }

    fn orders(self, order: Ordering) -> Option<bool> {
        match self {
            Simple::Less => Some(order.is_lt()),
            Simple::LessEquals => Some(order.is_le()),
            Simple::Greater => Some(order.is_gt()),
            Simple::GreaterEquals => Some(order.is_ge()),
            _ => None,
        }
    }
}

/// Whether the fast path supports all of an expression.
pub(super) fn is_simple(node: &Node) -> bool {
    match node {
        Node::Const(_, constant) => matches!(constant, Const::Bool(_) | Const::Int(_) | Const::String(_)),
        Node::Attribute(attribute) | Node::Test(_, attribute) => is_path(attribute),
        Node::And(_, terms) | Node::Or(_, terms) | Node::Equal(_, terms) | Node::NotEqual(_, terms) => {
            terms.iter().all(is_simple)
        }
        Node::InSet(_, element, _) | Node::NotFalse(_, element) => is_simple(element),
        Node::Fold(fold) => {
            let parts = [&fold.range, &fold.condition, &fold.step, &fold.result];
            fold.iter2_slot.is_none() && parts.into_iter().all(is_simple)
        }
        Node::Call(call) => call.simple.is_some() && call.args.len() <= 2 && call.args.iter().all(is_simple),
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
    let is_plain = match &attribute.base {
        Base::Variable(..) => true,
        Base::Accumulator(_, accumulator) => {
            matches!(accumulator.init, Node::Const(_, Const::Bool(_))) && attribute.qualifiers.is_empty()
        }
        _ => false,
    };
    is_plain && attribute.qualifiers.iter().all(|qualifier| known(qualifier))
}

/// The variables in scope: the inputs, and those of enclosing loops.
#[derive(Clone, Copy)]
struct Env<'e, 'a> {
    inputs: &'e Inputs<'a>,
    round: Option<&'e Round<'e, 'a>>,
}

/// One iteration of a loop.
struct Round<'e, 'a> {
    fold: &'a Fold,
    element: Option<(&'a Json<'a>, &'a Schema)>,
    /// The result of the previous iteration, at first the initial accumulator.
    accumulated: Option<bool>,
    outer: Option<&'e Round<'e, 'a>>,
}

impl<'a> Env<'_, 'a> {
    fn variable(&self, slot: usize) -> Option<(&'a Json<'a>, &'a Schema)> {
        match slot {
            OBJECT => self.inputs.object,
            OLD if self.inputs.optional_old => None,
            OLD => self.inputs.old,
            _ => self.round_of(|fold| fold.iter_slot == slot)?.element,
        }
    }

    fn round_of(&self, is_it: impl Fn(&Fold) -> bool) -> Option<&Round<'_, 'a>> {
        let mut round = self.round;
        while let Some(here) = round.filter(|here| !is_it(here.fold)) {
            round = here.outer;
        }
        round
    }
}

/// A loop over a list with a bool as result.
fn fold<'a>(fold: &'a Fold, env: Env<'_, 'a>, cost: &mut u64) -> Option<Value<'a>> {
    let Node::Attribute(range) = &fold.range else {
        return None;
    };
    let (json, schema) = follow(range, &range.qualifiers, env)?;
    let (
        Json::Array(items),
        NodeShape::Array {
            items: Some(item), ..
        },
    ) = (json, &schema.shape)
    else {
        return None;
    };
    if schema.int_or_string {
        return None;
    }
    *cost += range.qualifiers.len() as u64 + 1;
    let mut round = Round {
        fold,
        element: None,
        accumulated: None,
        outer: env.round,
    };
    for element in *items {
        round.element = Some((element, item));
        let inner = Env {
            round: Some(&round),
            ..env
        };
        // Long lists in long lists may reach the cost limit; the full evaluation stops there.
        if *cost >= env.inputs.limit {
            return None;
        }
        if !truth(&fold.condition, inner, cost)? {
            break;
        }
        round.accumulated = Some(truth(&fold.step, inner, cost)?);
    }
    round.element = None;
    let inner = Env {
        round: Some(&round),
        ..env
    };
    value(&fold.result, inner, cost)
}

fn accumulated(attribute: &Attribute, env: Env<'_, '_>) -> Option<bool> {
    let Base::Accumulator(slot, accumulator) = &attribute.base else {
        return None;
    };
    let round = env.round_of(|fold| fold.accu_slot == *slot)?;
    match accumulator.init {
        Node::Const(_, Const::Bool(first)) => Some(round.accumulated.unwrap_or(first)),
        _ => None,
    }
}

/// The outcome of a simple program; `None` if it needs the full evaluation.
pub(super) fn eval<'a>(program: &'a Program, inputs: &Inputs<'a>) -> Option<Outcome<'a>> {
    let mut cost = 0;
    let env = Env { inputs, round: None };
    let value = value(&program.root, env, &mut cost)?;
    // The full evaluation charges a test and gives it back, so it may exceed the limit for a moment.
    (cost < inputs.limit).then_some(Outcome {
        value,
        cost,
        cancelled: false,
    })
}

fn value<'a>(node: &'a Node, env: Env<'_, 'a>, cost: &mut u64) -> Option<Value<'a>> {
    Some(match node {
        Node::Const(_, Const::Bool(flag)) => Value::Bool(*flag),
        Node::Const(_, Const::Int(number)) => Value::Int(*number),
        Node::Const(_, Const::String(text)) => Value::String(text),
        Node::Attribute(attribute) if matches!(attribute.base, Base::Accumulator(..)) => {
            *cost += 1;
            Value::Bool(accumulated(attribute, env)?)
        }
        Node::Attribute(attribute) => {
            let (json, schema) = follow(attribute, &attribute.qualifiers, env)?;
            *cost += attribute.qualifiers.len() as u64 + 1;
            plain(json, schema)?
        }
        Node::Test(_, attribute) => {
            // The test itself is free, the selections before it are not.
            *cost += attribute.qualifiers.len() as u64;
            Value::Bool(is_there(attribute, env)?)
        }
        Node::And(_, terms) => Value::Bool(truth(&terms[0], env, cost)? && truth(&terms[1], env, cost)?),
        Node::Or(_, terms) => Value::Bool(truth(&terms[0], env, cost)? || truth(&terms[1], env, cost)?),
        Node::Equal(_, operands) => Value::Bool(are_equal(operands, env, cost)?),
        Node::NotEqual(_, operands) => Value::Bool(!are_equal(operands, env, cost)?),
        Node::NotFalse(_, operand) => {
            *cost += 1;
            Value::Bool(truth(operand, env, cost)?)
        }
        Node::Fold(of) => fold(of, env, cost)?,
        Node::InSet(_, element, members) => Value::Bool(contains(members, value(element, env, cost)?)),
        Node::Call(call) if call.simple == Some(Simple::Size) => Value::Int(size(call, env, cost)?),
        Node::Call(call) => Value::Bool(called(call, env, cost)?),
        _ => return None,
    })
}

#[inline]
fn truth(node: &Node, env: Env<'_, '_>, cost: &mut u64) -> Option<bool> {
    match value(node, env, cost)? {
        Value::Bool(flag) => Some(flag),
        _ => None,
    }
}

fn are_equal(operands: &[Node; 2], env: Env<'_, '_>, cost: &mut u64) -> Option<bool> {
    let a = value(&operands[0], env, cost)?;
    let b = value(&operands[1], env, cost)?;
    *cost += comparison(a, b);
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::String(a), Value::String(b)) => Some(a == b),
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        _ => None,
    }
}

fn called(call: &Call, env: Env<'_, '_>, cost: &mut u64) -> Option<bool> {
    let simple = call.simple?;
    if simple == Simple::Not {
        let [operand] = &*call.args else { return None };
        let Term::Units(charge) = call.cost else {
            return None;
        };
        let flag = truth(operand, env, cost)?;
        *cost += charge;
        return Some(!flag);
    }
    let [a, b] = &*call.args else { return None };
    let (a, b) = (value(a, env, cost)?, value(b, env, cost)?);
    let holds = simple.holds(a, b)?;
    *cost += charge_scalars(&call.cost, &[a, b])?;
    Some(holds)
}

/// The size of a list or string in the object.
fn size(call: &Call, env: Env<'_, '_>, cost: &mut u64) -> Option<i64> {
    let ([Node::Attribute(attribute)], Term::Units(charge)) = (&*call.args, call.cost) else {
        return None;
    };
    let (json, schema) = follow(attribute, &attribute.qualifiers, env)?;
    let size = match (json, &schema.shape) {
        (Json::Str(text), NodeShape::String(Format::Plain)) => rune_count(text),
        (Json::Array(items), NodeShape::Array { items: Some(_), .. }) => items.len() as u64,
        _ => return None,
    };
    if schema.int_or_string {
        return None;
    }
    *cost += attribute.qualifiers.len() as u64 + 1 + charge;
    i64::try_from(size).ok()
}

/// The value that the qualifiers select, if all of them exist.
#[inline]
fn follow<'a>(
    attribute: &'a Attribute,
    qualifiers: &'a [std::sync::Arc<Qualifier>],
    env: Env<'_, 'a>,
) -> Option<(&'a Json<'a>, &'a Schema)> {
    let Base::Variable(slot, _) = attribute.base else {
        return None;
    };
    let (mut json, mut schema) = env.variable(slot)?;
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

/// A member of an object, which may be `null`.
#[inline]
fn member<'a>(json: &'a Json<'a>, schema: &Schema, field: &'a Field) -> Option<(&'a Json<'a>, &'a Schema)> {
    let (parent, child) = field.hint.as_ref()?;
    let property = field.property.as_deref()?;
    let Json::Object(object) = json else { return None };
    if schema.int_or_string || !std::ptr::eq(schema, &raw const **parent) {
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

fn is_there(attribute: &Attribute, env: Env<'_, '_>) -> Option<bool> {
    let (last, before) = attribute.qualifiers.split_last()?;
    let QualifierKind::Test(field) = &last.kind else {
        return None;
    };
    let (json, schema) = follow(attribute, before, env)?;
    match member(json, schema, field) {
        Some((Json::Null, _)) => Some(false),
        // `has` reports an error for a value that does not match its schema.
        Some((json, child)) => {
            let fits = matches!(
                (&child.shape, json),
                (NodeShape::Object(_), Json::Object(_))
                    | (NodeShape::Array { items: Some(_), .. }, Json::Array(_))
            ) && !child.int_or_string;
            (fits || plain(json, child).is_some()).then_some(true)
        }
        // Absent, or not supported here.
        None => match (json, &field.hint) {
            (Json::Object(object), Some((parent, _)))
                if !schema.int_or_string && std::ptr::eq(schema, &raw const **parent) =>
            {
                (!object.contains_key(field.property.as_deref()?)).then_some(false)
            }
            _ => None,
        },
    }
}

/// A scalar that matches its schema.
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
