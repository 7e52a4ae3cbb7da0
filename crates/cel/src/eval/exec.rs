//! Evaluates program nodes.
//!
//! With `EXACT` the reference's cost stack is replayed; without, charges follow directly from the nodes, which gives the
//! same cost as long as no error occurs.

use crate::types::{Kind, Type};

use super::context::{Context, Eval, MapBuilder};
use super::cost;
use super::describe::describe;
use super::equal::equal;
use super::program::{Call, Members, Mode, Node, Pattern, Target};
use super::value::{Key, Value};
use super::{attribute, fold, list, message};

/// The largest number of arguments a library function takes.
const MAX_ARGS: usize = 4;

/// The value of a node, with its cost charged.
pub(super) fn eval<'a, const EXACT: bool>(cx: &mut Context<'a>, node: &'a Node) -> Eval<'a> {
    let value = match node {
        Node::Const(_, constant) => list::constant(cx, constant),
        Node::Attribute(attribute) => return attribute::eval::<EXACT>(cx, attribute),
        Node::Test(id, attribute) => return attribute::test::<EXACT>(cx, *id, attribute),
        Node::And(_, terms) => logic::<EXACT>(cx, terms, false)?,
        Node::Or(_, terms) => logic::<EXACT>(cx, terms, true)?,
        Node::Equal(_, operands) => {
            let (a, b) = (eval::<EXACT>(cx, &operands[0])?, eval::<EXACT>(cx, &operands[1])?);
            let result = strict(a, b).unwrap_or_else(|| equal(cx, a, b));
            charge_binary::<EXACT>(cx, operands, cost::CostRule::Compare, a, b)?;
            result
        }
        Node::NotEqual(_, operands) => {
            let (a, b) = (eval::<EXACT>(cx, &operands[0])?, eval::<EXACT>(cx, &operands[1])?);
            let result =
                strict(a, b).unwrap_or_else(|| Value::Bool(!matches!(equal(cx, a, b), Value::Bool(true))));
            charge_binary::<EXACT>(cx, operands, cost::CostRule::CompareText, a, b)?;
            result
        }
        Node::Call(call) => call_value::<EXACT>(cx, call)?,
        Node::InSet(_, element, members) => match eval::<EXACT>(cx, element)? {
            error @ Value::Error(_) => error,
            value => Value::Bool(contains(members, value)),
        },
        Node::OptionalOr(_, operands) => match eval::<EXACT>(cx, &operands[0])? {
            found @ (Value::Error(_) | Value::Optional(Some(_))) => found,
            Value::Optional(None) => eval::<EXACT>(cx, &operands[1])?,
            _ => cx.no_overload(),
        },
        Node::OptionalOrValue(_, operands) => match eval::<EXACT>(cx, &operands[0])? {
            error @ Value::Error(_) => error,
            Value::Optional(Some(value)) => *value,
            Value::Optional(None) => eval::<EXACT>(cx, &operands[1])?,
            _ => cx.no_overload(),
        },
        Node::List(_, elements) => list_value::<EXACT>(cx, elements)?,
        Node::Map(_, entries) => map_value::<EXACT>(cx, entries)?,
        Node::Struct(_, literal) => message::eval::<EXACT>(cx, literal)?,
        Node::Fold(fold) => fold::eval::<EXACT>(cx, fold)?,
    };
    if EXACT {
        cx.stack.push(node.id(), value);
    }
    Ok(value)
}

/// The first operand that is an error.
fn strict<'a>(a: Value<'a>, b: Value<'a>) -> Option<Value<'a>> {
    [a, b].into_iter().find(|value| value.is_error())
}

/// A comparison is charged with the operands found on the stack.
fn charge_binary<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    operands: &'a [Node; 2],
    rule: cost::CostRule,
    a: Value<'a>,
    b: Value<'a>,
) -> Result<(), super::context::Stop> {
    let mut args = [a, b];
    if EXACT && !cx.stack.take(operands.iter().map(Node::id), &mut args) {
        return Ok(());
    }
    let cost = rule.charge(cx, &args, Value::Null)?;
    cx.charge(cost)
}

/// `&&` and `||`: `deciding` is the operand value that settles the result whatever the other is.
fn logic<'a, const EXACT: bool>(cx: &mut Context<'a>, terms: &'a [Node; 2], deciding: bool) -> Eval<'a> {
    let mut error = None;
    let mut result = Value::Bool(!deciding);
    for term in terms {
        match eval::<EXACT>(cx, term)? {
            Value::Bool(b) if b == deciding => {
                result = Value::Bool(deciding);
                error = None;
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
    Ok(error.unwrap_or(result))
}

fn contains(members: &Members, value: Value<'_>) -> bool {
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
    cx.charge(crate::cost::LIST_COST)?;
    Ok(result)
}

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
    cx.charge(crate::cost::MAP_COST)?;
    Ok(result)
}

fn call_value<'a, const EXACT: bool>(cx: &mut Context<'a>, call: &'a Call) -> Eval<'a> {
    let mut buffer = [Value::Null; MAX_ARGS];
    let count = call.args.len().min(MAX_ARGS);
    let mut error = None;
    for (at, arg) in call.args.iter().enumerate().take(count) {
        buffer[at] = eval::<EXACT>(cx, arg)?;
        if buffer[at].is_error() && call.mode != Mode::NonStrict {
            error = error.or(Some(buffer[at]));
            if call.mode == Mode::Sequential {
                break;
            }
        }
    }
    let args = &buffer[..count];
    let result = match error {
        Some(error) => error,
        None => dispatch(cx, call, args)?,
    };
    let mut charged = [Value::Null; MAX_ARGS];
    charged[..count].copy_from_slice(args);
    if EXACT
        && !cx
            .stack
            .take(call.args.iter().map(Node::id), &mut charged[..count])
    {
        return Ok(result);
    }
    let cost = call.cost.charge(cx, &charged[..count], result)?;
    cx.charge(cost)?;
    Ok(result)
}

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

/// The error for a first argument that cannot do what the function needs.
#[cold]
fn without_trait<'a>(cx: &mut Context<'a>, call: &Call, first: Value<'a>) -> Value<'a> {
    // These types receive calls of any name and know none of these.
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

/// Whether a value may be passed where a type is declared; containers are judged by their first element.
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
            assignable(cx, &pair.0, key) && assignable(cx, &pair.1, entry)
        }
        _ => true,
    }
}
