//! A fast path for simple rules: comparisons of scalars, combined by `&&` and `||`, also for all elements of a list.
//!
//! Most rules of CRDs and policies are like that, and most objects satisfy them. Anything unusual (an absent field, an error, a
//! value of another type, the cost limit) ends the attempt, and the full evaluation starts from the beginning. Values and
//! costs are the same; property tests compare them.
//!
//! The data of a rule has a schema, that of a policy has none: its values have the types that they have in JSON.
//!
//! In instructions, without it: 1.7 times as many for `containers.all(c, c.name.startsWith(…) && size(c.image) < 256)` over
//! 120 containers and for a comparison of two bounds, 1.4 times for all rules of `fixtures/route` on an object of 10 KB.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use kindsmith_gostd::budget;
use kindsmith_json::Value as Json;

use crate::cost::price::Term;
use crate::types::decl::{Format, Node as Schema, NodeShape};

use super::activation::{Activation, VARIABLES};
use super::context::{Inputs, Outcome, Policy};
use super::cost::{charge_scalars, comparison};
use super::exec::contains;
use super::program::{
    Accumulator, Attribute, Base, Call, Field, Fold, Node, Program, Qualifier, QualifierKind, Simple,
};
use super::value::{Const, Value};

/// The slots of `self` and `oldSelf`.
const OBJECT: usize = 0;
const OLD: usize = 1;

/// How many bytes of a text are looked at for each unit of work.
const AT_ONCE: usize = 64;

/// Pays for looking at items or texts, however little that costs in Kubernetes. `None` if nobody waits any more: the full
/// evaluation, which notices that too, says so.
#[inline]
fn pay(units: usize) -> Option<()> {
    budget::work(units as u64).ok()
}

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

/// What the variables of an expression are, those of loops apart.
#[derive(Clone, Copy)]
pub(super) enum Roots<'e, 'a> {
    /// `self` and `oldSelf`.
    Rule(&'e Inputs<'a>),
    /// The objects of a request, and variables.
    Policy(&'a Activation<'a>),
}

/// A part of the data with its schema, if it has one.
type Part<'a> = (&'a Json<'a>, Option<&'a Schema>);

/// The variables in scope: the roots, and those of enclosing loops.
#[derive(Clone, Copy)]
struct Env<'e, 'a> {
    roots: Roots<'e, 'a>,
    round: Option<&'e Round<'e, 'a>>,
    limit: u64,
}

/// One iteration of a loop.
struct Round<'e, 'a> {
    fold: &'a Fold,
    element: Option<Part<'a>>,
    /// The result of the previous iteration, at first the initial accumulator.
    accumulated: Option<bool>,
    outer: Option<&'e Round<'e, 'a>>,
}

impl<'a> Env<'_, 'a> {
    fn variable(&self, slot: usize) -> Option<Part<'a>> {
        let typed = |(json, schema)| (json, Some(schema));
        match (self.roots, slot) {
            (Roots::Rule(inputs), OBJECT) => inputs.object.map(typed),
            (Roots::Rule(inputs), OLD) if inputs.optional_old => None,
            (Roots::Rule(inputs), OLD) => inputs.old.map(typed),
            (Roots::Policy(policy), slot) if let Some(data) = policy.data(slot) => Some((data, None)),
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
    let Json::Array(items) = json else { return None };
    let item = match schema {
        None => None,
        Some(schema) => Some(item_of(schema)?),
    };
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
        if *cost >= env.limit {
            return None;
        }
        pay(1)?;
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

/// The schema of the elements of a list.
fn item_of(schema: &Schema) -> Option<&Schema> {
    match &schema.shape {
        NodeShape::Array { items, .. } if !schema.int_or_string => items.as_deref(),
        _ => None,
    }
}

fn accumulated(slot: usize, accumulator: &Accumulator, env: Env<'_, '_>) -> Option<bool> {
    let round = env.round_of(|fold| fold.accu_slot == slot)?;
    match accumulator.init {
        Node::Const(_, Const::Bool(first)) => Some(round.accumulated.unwrap_or(first)),
        _ => None,
    }
}

/// The outcome of a simple program; `None` if it needs the full evaluation.
pub(super) fn eval<'a>(program: &'a Program, roots: Roots<'_, 'a>, limit: u64) -> Option<Outcome<'a>> {
    let mut cost = 0;
    let env = Env {
        roots,
        round: None,
        limit,
    };
    let value = value(&program.root, env, &mut cost)?;
    // The full evaluation charges a test and gives it back, so it may exceed the limit for a moment.
    (cost < limit).then_some(Outcome {
        value,
        cost,
        cancelled: false,
    })
}

fn value<'a>(node: &'a Node, env: Env<'_, 'a>, cost: &mut u64) -> Option<Value<'a>> {
    Some(match node {
        Node::Const(_, Const::Null) => Value::Null,
        Node::Const(_, Const::Bool(flag)) => Value::Bool(*flag),
        Node::Const(_, Const::Int(number)) => Value::Int(*number),
        Node::Const(_, Const::String(text)) => Value::String(text),
        Node::Attribute(attribute) => {
            // A conditional itself is free.
            *cost += u64::from(!matches!(attribute.base, Base::Conditional(_)));
            resolved(attribute, env, cost)?
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

/// A scalar that a variable of a policy has.
fn variable<'a>(
    attribute: &'a Attribute,
    policy: &'a Activation<'a>,
    limit: u64,
    cost: &mut u64,
) -> Option<Value<'a>> {
    let [qualifier] = &attribute.qualifiers[..] else {
        return None;
    };
    let QualifierKind::Field(field) = &qualifier.kind else {
        return None;
    };
    // The full evaluation might end before it reads the variable, whose evaluation costs too.
    if *cost >= limit {
        return None;
    }
    *cost += 1;
    let value = policy.variable(&field.name)?;
    let is_scalar = matches!(
        value,
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::String(_)
    );
    is_scalar.then_some(value)
}

/// The value of an attribute without the charge for itself.
fn resolved<'a>(attribute: &'a Attribute, env: Env<'_, 'a>, cost: &mut u64) -> Option<Value<'a>> {
    match &attribute.base {
        Base::Variable(VARIABLES, _) if let Roots::Policy(policy) = env.roots => {
            variable(attribute, policy, env.limit, cost)
        }
        Base::Variable(..) => {
            let (json, schema) = follow(attribute, &attribute.qualifiers, env)?;
            *cost += attribute.qualifiers.len() as u64;
            plain(json, schema)
        }
        Base::Accumulator(slot, accumulator) => accumulated(*slot, accumulator, env).map(Value::Bool),
        Base::Value(node) => value(node, env, cost),
        Base::Conditional(conditional) if truth(&conditional.condition, env, cost)? => {
            resolved(&conditional.then, env, cost)
        }
        Base::Conditional(conditional) => resolved(&conditional.otherwise, env, cost),
    }
}

#[inline]
fn truth<'a>(node: &'a Node, env: Env<'_, 'a>, cost: &mut u64) -> Option<bool> {
    match value(node, env, cost)? {
        Value::Bool(flag) => Some(flag),
        _ => None,
    }
}

fn are_equal<'a>(operands: &'a [Node; 2], env: Env<'_, 'a>, cost: &mut u64) -> Option<bool> {
    let a = value(&operands[0], env, cost)?;
    let b = value(&operands[1], env, cost)?;
    *cost += comparison(a, b);
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::String(a), Value::String(b)) => Some(a == b),
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        (Value::Null, Value::Null) => Some(true),
        (Value::Null, _) | (_, Value::Null) => Some(false),
        _ => None,
    }
}

fn called<'a>(call: &'a Call, env: Env<'_, 'a>, cost: &mut u64) -> Option<bool> {
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
    if simple == Simple::In {
        return is_in(call, env, cost);
    }
    let [a, b] = &*call.args else { return None };
    let (a, b) = (value(a, env, cost)?, value(b, env, cost)?);
    let holds = simple.holds(a, b)?;
    *cost += charge_scalars(&call.cost, &[a, b])?;
    Some(holds)
}

/// Whether a text is a key or an element of data without a schema.
fn is_in<'a>(call: &'a Call, env: Env<'_, 'a>, cost: &mut u64) -> Option<bool> {
    let ([text, Node::Attribute(attribute)], Term::Units(charge)) = (&*call.args, call.cost) else {
        return None;
    };
    let Value::String(text) = value(text, env, cost)? else {
        return None;
    };
    let (json, None) = follow(attribute, &attribute.qualifiers, env)? else {
        return None;
    };
    *cost += attribute.qualifiers.len() as u64 + 1 + charge;
    match json {
        Json::Object(members) => Some(members.contains_key(text)),
        Json::Array(items) => {
            pay(items.len())?;
            Some(items.contains(&Json::Str(text)))
        }
        _ => None,
    }
}

/// The size of a list or string in the object.
fn size<'a>(call: &'a Call, env: Env<'_, 'a>, cost: &mut u64) -> Option<i64> {
    let ([Node::Attribute(attribute)], Term::Units(charge)) = (&*call.args, call.cost) else {
        return None;
    };
    let (json, schema) = follow(attribute, &attribute.qualifiers, env)?;
    let size = match (json, schema) {
        (Json::Str(_), schema) => plain(json, schema)?.size()?,
        (Json::Array(items), None) => items.len() as u64,
        (Json::Array(items), Some(schema)) => item_of(schema).map(|_| items.len() as u64)?,
        (Json::Object(members), None) => members.len() as u64,
        _ => return None,
    };
    *cost += attribute.qualifiers.len() as u64 + 1 + charge;
    i64::try_from(size).ok()
}

/// The value that the qualifiers select, if all of them exist.
#[inline]
fn follow<'a>(
    attribute: &'a Attribute,
    qualifiers: &'a [std::sync::Arc<Qualifier>],
    env: Env<'_, 'a>,
) -> Option<Part<'a>> {
    let Base::Variable(slot, _) = attribute.base else {
        return None;
    };
    let mut part = env.variable(slot)?;
    for qualifier in qualifiers {
        let QualifierKind::Field(field) = &qualifier.kind else {
            return None;
        };
        part = member(part, field)?;
        // A property that is null is absent if there is a schema.
        if part.0.is_null() && part.1.is_some() {
            return None;
        }
    }
    Some(part)
}

/// A member of an object, which may be `null`.
#[inline]
fn member<'a>((json, schema): Part<'a>, field: &'a Field) -> Option<Part<'a>> {
    let Json::Object(object) = json else { return None };
    let (property, child) = match schema {
        None => (&*field.name, None),
        Some(schema) => {
            let (parent, child) = field.hint.as_ref()?;
            if schema.int_or_string || !std::ptr::eq(schema, &raw const **parent) {
                return None;
            }
            (field.property.as_deref()?, Some(&**child))
        }
    };
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

fn is_there<'a>(attribute: &'a Attribute, env: Env<'_, 'a>) -> Option<bool> {
    let (last, before) = attribute.qualifiers.split_last()?;
    let QualifierKind::Test(field) = &last.kind else {
        return None;
    };
    let part = follow(attribute, before, env)?;
    let Some(schema) = part.1 else {
        return Some(part.0.as_object()?.contains_key(&field.name));
    };
    match member(part, field) {
        Some((Json::Null, _)) => Some(false),
        // `has` reports an error for a value that does not match its schema.
        Some((json, Some(child))) => {
            let fits = matches!(
                (&child.shape, json),
                (NodeShape::Object(_), Json::Object(_))
                    | (NodeShape::Array { items: Some(_), .. }, Json::Array(_))
            ) && !child.int_or_string;
            (fits || plain(json, Some(child)).is_some()).then_some(true)
        }
        // Absent, or not supported here.
        _ => match (part.0, &field.hint) {
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
fn plain<'a>(json: &'a Json<'a>, schema: Option<&Schema>) -> Option<Value<'a>> {
    if let Json::Str(text) = json
        && text.len() >= AT_ONCE
    {
        pay(text.len() / AT_ONCE)?;
    }
    let Some(schema) = schema else {
        return match json {
            Json::Null => Some(Value::Null),
            Json::Bool(flag) => Some(Value::Bool(*flag)),
            Json::Int(number) => Some(Value::Int(*number)),
            Json::Str(text) => Some(Value::String(text)),
            _ => None,
        };
    };
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
