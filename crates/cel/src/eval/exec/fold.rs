//! Loops over lists and maps.

use crate::eval::context::{Context, Eval, MapBuilder};
use crate::eval::describe::go_type;
use crate::eval::exec;
use crate::eval::list;
use crate::eval::program::Fold;
use crate::eval::value::Value;

/// The result of a loop. Its variables live in slots of their own; the accumulator starts when first read.
pub(super) fn eval<'a, const EXACT: bool>(cx: &mut Context<'a>, fold: &'a Fold) -> Eval<'a> {
    let saved = cx.slots[fold.accu_slot].take();
    let result = run::<EXACT>(cx, fold);
    cx.slots[fold.accu_slot] = saved;
    let result = result?;
    if EXACT {
        cx.stack.drop_to(fold.range.id());
    }
    Ok(result)
}

fn run<'a, const EXACT: bool>(cx: &mut Context<'a>, fold: &'a Fold) -> Eval<'a> {
    let range = exec::eval::<EXACT>(cx, &fold.range)?;
    if range.is_error() {
        return Ok(range);
    }
    if range.is_list() {
        for at in 0..list::len(range) {
            let element = list::get(cx, range, at);
            match fold.iter2_slot {
                Some(second) => {
                    cx.slots[fold.iter_slot] = Some(Value::Int(at as i64));
                    cx.slots[second] = Some(element);
                }
                None => cx.slots[fold.iter_slot] = Some(element),
            }
            if !step::<EXACT>(cx, fold)? {
                break;
            }
        }
    } else if range.is_map() {
        for key in list::keys(cx, range) {
            cx.slots[fold.iter_slot] = Some(key);
            if let Some(second) = fold.iter2_slot {
                let value = list::map_get(cx, range, key);
                cx.slots[second] = Some(value);
            }
            if !step::<EXACT>(cx, fold)? {
                break;
            }
        }
    } else {
        let text = match fold.iter2_slot {
            Some(_) => format!("unsupported comprehension range type: {}", go_type(range)),
            None => format!("got '{}', expected iterable type", go_type(range)),
        };
        return Ok(cx.error(&text));
    }
    let result = exec::eval::<EXACT>(cx, &fold.result)?;
    Ok(freeze(cx, result))
}

/// One round; `false` when the loop is done.
#[inline]
fn step<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    fold: &'a Fold,
) -> Result<bool, crate::eval::context::Stop> {
    if let Value::Bool(false) = exec::eval::<EXACT>(cx, &fold.condition)? {
        return Ok(false);
    }
    let accu = exec::eval::<EXACT>(cx, &fold.step)?;
    cx.slots[fold.accu_slot] = Some(accu);
    Ok(true)
}

/// A container under construction becomes a value.
fn freeze<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::ListAccumulator(slot) => {
            let elements = std::mem::take(&mut cx.lists[slot as usize]);
            let list = cx.list(&elements);
            // The buffer is kept for the next round of an outer loop.
            cx.lists[slot as usize] = elements;
            list
        }
        Value::MapAccumulator(slot) => {
            let builder: MapBuilder<'a> = std::mem::take(&mut cx.maps[slot as usize]);
            cx.map(&builder)
        }
        other => other,
    }
}
