//! What calls cost when they run: the operands of cost rules are values here.

use crate::cost::amount::Amount;
use crate::cost::charge::{Operands, charge};
use crate::cost::price::{LIST_COST, Observation, REGEX_FACTOR, STRING_FACTOR, Term};

use super::context::{Context, Stop};
use super::list;
use super::value::{Ext, Value};

/// The charge for a call with these arguments and this result.
pub(super) fn charge_call<'a>(
    term: &Term,
    cx: &mut Context<'a>,
    args: &[Value<'a>],
    result: Value<'a>,
) -> Result<u64, Stop> {
    charge(term, &mut Values { cx, args, result })
}

/// The charge for a call with scalars, if it depends only on them.
#[inline]
pub(super) fn charge_scalars(term: &Term, args: &[Value<'_>; 2]) -> Option<u64> {
    charge(term, &mut Scalars(args)).ok()
}

/// The charge for comparing two values by size. Short strings, the common case, are not counted exactly.
#[inline]
pub(super) fn comparison(a: Value<'_>, b: Value<'_>) -> u64 {
    if let (Value::String(a), Value::String(b)) = (a, b) {
        let shorter = a.len().min(b.len());
        if shorter <= 10 {
            return u64::from(shorter > 0);
        }
    }
    size(a).min(size(b)).scaled(STRING_FACTOR)
}

/// The arguments and the result of a call.
struct Values<'c, 'v, 'a> {
    cx: &'c mut Context<'a>,
    args: &'v [Value<'a>],
    result: Value<'a>,
}

impl Operands for Values<'_, '_, '_> {
    type Amount = u64;
    type Halt = Stop;

    fn size(&self, operand: usize) -> u64 {
        self.args.get(operand).map_or(1, |value| size(*value))
    }

    fn elements(&self, operand: usize) -> u64 {
        self.args.get(operand).map_or(1, |value| own_size(*value))
    }

    fn address(&self, operand: usize) -> u64 {
        self.elements(operand)
    }

    fn result(&self) -> Result<u64, Stop> {
        Ok(own_size(self.result))
    }

    fn depth(&mut self) -> Result<f64, Stop> {
        match self.args.get(1) {
            // A negative depth is an error, charged like a depth of one.
            Some(Value::Int(depth)) if *depth < 0 => Ok(1.0),
            Some(Value::Int(depth)) => Ok(*depth as f64),
            _ => Err(self
                .cx
                .crash("interface conversion: ref.Val is *types.Err, not types.Int")),
        }
    }

    fn observe(&mut self, what: Observation) -> Result<u64, Stop> {
        Ok(match (what, self.args) {
            (Observation::Equality, [Value::Ext(ext), _]) if !matches!(ext, Ext::Empty) => 1,
            (Observation::Equality | Observation::Comparison, [a, b]) => comparison(*a, *b),
            (Observation::Traversal(_), [value, ..]) => traversal(self.cx, *value),
            (Observation::SelfComparison(operand), args) if operand < args.len() => {
                self_comparison(self.cx, args[operand])?
            }
            (Observation::NamedFormat, [Value::Ext(Ext::Format(format)), text]) => {
                let text = own_size(*text).plus(1).scaled(STRING_FACTOR);
                text.times(format.regex_size.scaled(REGEX_FACTOR))
            }
            _ => 1,
        })
    }
}

/// The arguments of a call whose charge depends only on them.
struct Scalars<'v, 'a>(&'v [Value<'a>; 2]);

impl Operands for Scalars<'_, '_> {
    type Amount = u64;
    type Halt = ();

    #[inline]
    fn size(&self, operand: usize) -> u64 {
        self.0.get(operand).map_or(1, |value| size(*value))
    }

    fn elements(&self, operand: usize) -> u64 {
        self.0.get(operand).map_or(1, |value| own_size(*value))
    }

    fn address(&self, operand: usize) -> u64 {
        self.elements(operand)
    }

    fn result(&self) -> Result<u64, ()> {
        Err(())
    }

    fn depth(&mut self) -> Result<f64, ()> {
        Err(())
    }

    #[inline]
    fn observe(&mut self, what: Observation) -> Result<u64, ()> {
        match what {
            Observation::Comparison => Ok(comparison(self.0[0], self.0[1])),
            _ => Err(()),
        }
    }
}

/// The size of a value; of an optional, that of what it holds.
fn size(value: Value<'_>) -> u64 {
    match value {
        Value::Optional(Some(inner)) => size(*inner),
        other => own_size(other),
    }
}

/// The size of a value itself: one for what has no size, optionals included.
fn own_size(value: Value<'_>) -> u64 {
    match value {
        Value::Ext(Ext::Ip(ip)) => {
            if ip.is_ipv4() {
                4
            } else {
                16
            }
        }
        Value::Ext(Ext::Cidr(prefix)) => u64::from(prefix.bits()).div_ceil(8),
        _ => value.size().unwrap_or(1),
    }
}

/// Compares every element of a list with every other and makes a list; texts cost a little more. Rounded down, unlike
/// the estimate.
fn self_comparison<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<u64, Stop> {
    if !value.is_list() {
        return Err(cx.crash("interface conversion: *types.Err is not traits.Lister: missing method Add"));
    }
    let length = own_size(value);
    let is_text = length > 0 && matches!(list::get(cx, value, 0), Value::String(_) | Value::Bytes(_));
    let factor = if is_text { 2.0 + STRING_FACTOR } else { 2.0 };
    let comparing = (length.times(length) as f64 * factor) as u64;
    Ok(comparing.plus(1 + LIST_COST))
}

/// One unit per scalar, a tenth per byte of text, rounded down.
fn traversal<'a>(cx: &mut Context<'a>, value: Value<'a>) -> u64 {
    match value {
        Value::String(s) => (s.len() as f64 * STRING_FACTOR) as u64,
        Value::Bytes(b) => (b.len() as f64 * STRING_FACTOR) as u64,
        _ if value.is_list() || value.is_map() => {
            cx.within(|cx| members_traversal(cx, value)).unwrap_or_default()
        }
        _ => 1,
    }
}

/// Shared parts count each time, so it ends once the cost is too much.
fn members_traversal<'a>(cx: &mut Context<'a>, value: Value<'a>) -> u64 {
    let mut sum = 0_u64;
    if value.is_map() {
        for key in list::keys(cx, value) {
            if cx.is_over() || sum > cx.limit() {
                break;
            }
            let entry = list::map_get(cx, value, key);
            sum = sum.plus(traversal(cx, key)).plus(traversal(cx, entry));
        }
        return sum;
    }
    for at in 0..list::len(value) {
        if cx.is_over() || sum > cx.limit() {
            break;
        }
        let element = list::get(cx, value, at);
        sum = sum.plus(traversal(cx, element));
    }
    sum
}
