//! Evaluates program nodes.
//!
//! With `EXACT`, charges are taken from a replay of cel-go's cost stack. Without, they follow directly from the nodes,
//! which gives the same cost unless an error occurs.

mod attribute;
mod fold;
mod message;

use crate::cost::price::{LIST_COST, MAP_COST, Observation, Term};
use crate::dialect::Feature;
use crate::types::{Kind, Type};

use super::context::{Context, Eval, MapBuilder};
use super::cost::{charge_call, comparison};
use super::describe::describe;
use super::equal::equal;
use super::list;
use super::program::{Call, Members, Mode, Node, Pattern, Target};
use super::value::{Key, Value};

/// The value of a node, with its cost charged.
#[inline]
pub(super) fn eval<'a, const EXACT: bool>(cx: &mut Context<'a>, node: &'a Node) -> Eval<'a> {
    if !EXACT {
        return value_of::<false>(cx, node);
    }
    let value = value_of::<true>(cx, node)?;
    // Attributes are pushed where they are evaluated.
    if !matches!(node, Node::Attribute(_) | Node::Test(..)) {
        cx.stack.push(node.id(), value);
    }
    Ok(value)
}

fn value_of<'a, const EXACT: bool>(cx: &mut Context<'a>, node: &'a Node) -> Eval<'a> {
    match node {
        Node::Const(_, constant) => Ok(list::constant(cx, constant)),
        Node::Attribute(attribute) => attribute::eval::<EXACT>(cx, attribute),
        Node::Test(id, attribute) => attribute::test::<EXACT>(cx, *id, attribute),
        Node::And(_, terms) => logic::<EXACT, false>(cx, terms),
        Node::Or(_, terms) => logic::<EXACT, true>(cx, terms),
        Node::Equal(_, operands) => compare::<EXACT, true>(cx, operands),
        Node::NotEqual(_, operands) => compare::<EXACT, false>(cx, operands),
        Node::Call(call) => call_value::<EXACT>(cx, call),
        Node::NotFalse(_, operand) => {
            let value = eval::<EXACT>(cx, operand)?;
            let found = !EXACT || cx.stack.drop_to(operand.id()).is_some();
            if found {
                cx.charge(1)?;
            }
            Ok(Value::Bool(!matches!(value, Value::Bool(false))))
        }
        Node::InSet(_, element, members) => match eval::<EXACT>(cx, element)? {
            error @ Value::Error(_) => Ok(error),
            value => Ok(Value::Bool(contains(members, value))),
        },
        Node::OptionalOr(_, operands) => match eval::<EXACT>(cx, &operands[0])? {
            found @ (Value::Error(_) | Value::Optional(Some(_))) => Ok(found),
            Value::Optional(None) => eval::<EXACT>(cx, &operands[1]),
            other => Ok(not_optional(cx, other)),
        },
        Node::OptionalOrValue(_, operands) => match eval::<EXACT>(cx, &operands[0])? {
            error @ Value::Error(_) => Ok(error),
            Value::Optional(Some(value)) => Ok(*value),
            Value::Optional(None) => eval::<EXACT>(cx, &operands[1]),
            other => Ok(not_optional(cx, other)),
        },
        Node::List(_, elements) => list_value::<EXACT>(cx, elements),
        Node::Map(_, entries) => map_value::<EXACT>(cx, entries),
        Node::Struct(_, literal) => message::eval::<EXACT>(cx, literal),
        Node::Fold(fold) => fold::eval::<EXACT>(cx, fold),
    }
}

/// What `or` and `orValue` make of a value that is not an optional.
fn not_optional<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    if cx.dialect.has(Feature::OptionalsOnly) {
        cx.no_overload()
    } else {
        value
    }
}

/// `==` if `WANTED`, else `!=`.
#[inline(never)]
fn compare<'a, const EXACT: bool, const WANTED: bool>(
    cx: &mut Context<'a>,
    operands: &'a [Node; 2],
) -> Eval<'a> {
    let a = eval::<EXACT>(cx, &operands[0])?;
    let b = eval::<EXACT>(cx, &operands[1])?;
    let result = match strict(a, b) {
        Some(error) => error,
        None if WANTED => equal(cx, a, b),
        None => Value::Bool(!matches!(equal(cx, a, b), Value::Bool(true))),
    };
    charge_comparison::<EXACT, WANTED>(cx, operands, a, b)?;
    Ok(result)
}

/// The first operand that is an error.
#[inline]
fn strict<'a>(a: Value<'a>, b: Value<'a>) -> Option<Value<'a>> {
    if a.is_error() {
        Some(a)
    } else {
        b.is_error().then_some(b)
    }
}

/// Charges a comparison by the operands on the stack.
fn charge_comparison<'a, const EXACT: bool, const EQUALITY: bool>(
    cx: &mut Context<'a>,
    operands: &'a [Node; 2],
    a: Value<'a>,
    b: Value<'a>,
) -> Result<(), super::context::Stop> {
    if !EXACT && !matches!(a, Value::Ext(_)) {
        return cx.charge(comparison(a, b));
    }
    let mut args = [a, b];
    if EXACT && !cx.stack.take(operands.iter().map(Node::id), &mut args) {
        return Ok(());
    }
    let what = if EQUALITY {
        Observation::Equality
    } else {
        Observation::Comparison
    };
    let cost = charge_call(&Term::Observed(what), cx, &args, Value::Null)?;
    cx.charge(cost)
}

/// `&&` and `||`: an operand equal to `DECIDING` decides the result alone.
#[inline(never)]
fn logic<'a, const EXACT: bool, const DECIDING: bool>(
    cx: &mut Context<'a>,
    terms: &'a [Node; 2],
) -> Eval<'a> {
    let mut error = None;
    let mut decided = false;
    for term in terms {
        match eval::<EXACT>(cx, term)? {
            Value::Bool(b) if b == DECIDING => {
                decided = true;
                break;
            }
            Value::Bool(_) => {}
            other => {
                if error.is_none() {
                    error = Some(cx.no_overload_for(other));
                }
            }
        }
    }
    if EXACT {
        for term in terms {
            cx.stack.drop_to(term.id());
        }
    }
    Ok(match error {
        Some(error) if !decided => error,
        _ => Value::Bool(decided == DECIDING),
    })
}

pub(super) fn contains(members: &Members, value: Value<'_>) -> bool {
    match value {
        Value::String(text) => members.strings.contains(text),
        other => match Key::new(other) {
            Some(Key::Bool(b)) => members.scalars.contains(&Key::Bool(b)),
            Some(Key::Int(i)) => members.scalars.contains(&Key::Int(i)),
            Some(Key::Uint(u)) => members.scalars.contains(&Key::Uint(u)),
            Some(Key::Double(d)) => members.scalars.contains(&Key::Double(d)),
            _ => false,
        },
    }
}

#[inline(never)]
fn list_value<'a, const EXACT: bool>(cx: &mut Context<'a>, elements: &'a [(Node, bool)]) -> Eval<'a> {
    let mut values = Vec::with_capacity(elements.len());
    let mut failed = None;
    for (element, optional) in elements {
        let value = eval::<EXACT>(cx, element)?;
        match (value, optional) {
            (Value::Error(_), _) => failed = Some(value),
            (_, false) => values.push(value),
            (Value::Optional(inner), true) => values.extend(inner.copied()),
            (other, true) => {
                let text = format!(
                    "cannot initialize optional list element from non-optional value {}",
                    describe(other)
                );
                failed = Some(cx.error(&text));
            }
        }
        if failed.is_some() {
            break;
        }
    }
    if EXACT {
        let mut unused = vec![Value::Null; elements.len()];
        cx.stack
            .take(elements.iter().map(|(element, _)| element.id()), &mut unused);
    }
    let result = failed.unwrap_or_else(|| cx.list(&values));
    cx.charge(LIST_COST)?;
    Ok(result)
}

#[inline(never)]
fn map_value<'a, const EXACT: bool>(cx: &mut Context<'a>, entries: &'a [(Node, Node, bool)]) -> Eval<'a> {
    let mut builder = MapBuilder::default();
    let mut failed = None;
    for (key, value, optional) in entries {
        let key = eval::<EXACT>(cx, key)?;
        if key.is_error() {
            failed = Some(key);
            break;
        }
        let value = eval::<EXACT>(cx, value)?;
        match (value, optional) {
            (Value::Error(_), _) => failed = Some(value),
            (_, false) => builder.set(key, value),
            (Value::Optional(Some(inner)), true) => builder.set(key, *inner),
            (Value::Optional(None), true) => builder.remove(key),
            (other, true) => {
                let (key, other) = (describe(key), describe(other));
                let text =
                    format!("cannot initialize optional entry '{key}' from non-optional value {other}");
                failed = Some(cx.error(&text));
            }
        }
        if matches!(key, Value::Bytes(_)) {
            return Err(cx.crash("runtime error: hash of unhashable type types.Bytes"));
        }
        if failed.is_some() {
            break;
        }
    }
    if EXACT {
        let mut unused = vec![Value::Null; entries.len() * 2];
        let ids: Vec<u32> = entries
            .iter()
            .flat_map(|(key, value, _)| [key.id(), value.id()])
            .collect();
        cx.stack.take(ids.into_iter(), &mut unused);
    }
    let result = failed.unwrap_or_else(|| cx.map(&builder));
    cx.charge(MAP_COST)?;
    Ok(result)
}

#[inline]
fn call_value<'a, const EXACT: bool>(cx: &mut Context<'a>, call: &'a Call) -> Eval<'a> {
    match call.args.len() {
        0 => call_with::<EXACT, 0>(cx, call),
        1 => call_with::<EXACT, 1>(cx, call),
        2 => call_with::<EXACT, 2>(cx, call),
        3 => call_with::<EXACT, 3>(cx, call),
        // No library function has more than four arguments.
        _ => call_with::<EXACT, 4>(cx, call),
    }
}

/// A call with `N` arguments, which are kept in an array of that size.
#[inline(never)]
fn call_with<'a, const EXACT: bool, const N: usize>(cx: &mut Context<'a>, call: &'a Call) -> Eval<'a> {
    let mut args = [Value::Null; N];
    let mut error = None;
    for (arg, slot) in call.args.iter().zip(&mut args) {
        *slot = eval::<EXACT>(cx, arg)?;
        if slot.is_error() && call.mode != Mode::NonStrict {
            error = error.or(Some(*slot));
            if call.mode == Mode::Sequential {
                break;
            }
        }
    }
    let result = match error {
        Some(error) => error,
        None => dispatch(cx, call, &args)?,
    };
    if let (false, Term::Units(cost)) = (EXACT, call.cost) {
        cx.charge(cost)?;
        return Ok(result);
    }
    if EXACT && !cx.stack.take(call.args.iter().map(Node::id), &mut args) {
        return Ok(result);
    }
    let cost = charge_call(&call.cost, cx, &args, result)?;
    cx.charge(cost)?;
    Ok(result)
}

#[inline]
fn dispatch<'a>(cx: &mut Context<'a>, call: &'a Call, args: &[Value<'a>]) -> Eval<'a> {
    match &call.target {
        Target::Singleton(implementation, wanted) => {
            if args.is_empty()
                || wanted.is_none_or(|wanted| call.mode == Mode::NonStrict || wanted.holds(args[0]))
            {
                return implementation(cx, args);
            }
            Ok(without_trait(cx, call, args[0]))
        }
        Target::Overload(implementation, guards) => {
            if guards.iter().all(|(at, ty)| assignable(cx, ty, args[*at])) {
                return implementation(cx, args);
            }
            Ok(no_match(cx, call.function, args))
        }
        Target::Dispatch(overloads) => {
            for overload in overloads {
                let wanted = &overload.signature().args;
                let fits = wanted.len() == args.len()
                    && wanted.iter().zip(args).all(|(ty, arg)| assignable(cx, ty, *arg));
                if let (true, Some(implementation)) = (fits, overload.op.implementation()) {
                    return implementation(cx, args);
                }
            }
            Ok(no_match(cx, call.function, args))
        }
        Target::Pattern(pattern, regex) => Ok(match (pattern, args) {
            (Pattern::Matches, [Value::String(text), _]) => Value::Bool(regex.is_match(text)),
            (Pattern::Find, [Value::String(text), _]) => {
                Value::String(regex.find(text).map_or("", |range| &text[range]))
            }
            (Pattern::FindAll, [Value::String(text), _, rest @ ..]) => {
                let limit = match rest {
                    [Value::Int(limit)] => usize::try_from(*limit).ok(),
                    _ => None,
                };
                let found: Vec<Value<'a>> = regex
                    .find_all(text, limit)
                    .into_iter()
                    .map(|range| Value::String(&text[range]))
                    .collect();
                cx.list(&found)
            }
            _ => cx.no_overload(),
        }),
        Target::Missing => Ok(match args.first() {
            Some(first) => without_trait(cx, call, *first),
            None => cx.no_overload(),
        }),
    }
}

/// The error for a first argument whose type lacks the trait that the function needs.
#[cold]
fn without_trait<'a>(cx: &mut Context<'a>, call: &Call, first: Value<'a>) -> Value<'a> {
    // These types accept method calls, but have no such method.
    if matches!(first, Value::String(_) | Value::Timestamp(_) | Value::Duration(_)) {
        return cx.no_overload();
    }
    let text = match call.mode {
        Mode::Sequential => format!("no such overload: {} {}", call.function, call.id),
        _ => format!("no such overload: {}", call.function),
    };
    cx.error(&text)
}

#[cold]
fn no_match<'a>(cx: &mut Context<'a>, function: &str, args: &[Value<'a>]) -> Value<'a> {
    if let Some(error) = args.iter().find(|arg| arg.is_error()) {
        return *error;
    }
    let types: Vec<&str> = args.iter().map(|arg| arg.type_name()).collect();
    cx.error(&format!("no such overload: {function}({})", types.join(", ")))
}

/// Whether a value matches a declared type; only the first entry of a list or map is checked.
pub(crate) fn assignable<'a>(cx: &mut Context<'a>, ty: &Type, value: Value<'a>) -> bool {
    if matches!(ty, Type::Dyn | Type::Any | Type::Var(_)) {
        return !value.is_error();
    }
    let same = match ty.kind() {
        Kind::List => value.is_list(),
        Kind::Map => value.is_map(),
        _ => ty.name() == value.type_name(),
    };
    if !same {
        return false;
    }
    match ty {
        Type::List(element) => {
            if list::len(value) == 0 || matches!(**element, Type::Dyn | Type::Var(_)) {
                return true;
            }
            let first = list::get(cx, value, 0);
            assignable(cx, element, first)
        }
        Type::Map(pair) => {
            let Some(key) = list::keys(cx, value).first().copied() else {
                return true;
            };
            let entry = list::map_get(cx, value, key);
            assignable(cx, &pair[0], key) && assignable(cx, &pair[1], entry)
        }
        _ => true,
    }
}
