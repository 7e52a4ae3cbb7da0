//! `cel.@mapInsert`: how the map macros collect entries. Keys must be new.

use crate::eval::context::{Context, Eval, MapBuilder};
use crate::eval::describe_value;
use crate::eval::list;
use crate::eval::value::Value;

use super::{Definition, Op, function, global};

pub(super) const FUNCTIONS: &[Definition] = &[function(
    "cel.@mapInsert",
    &[
        global(
            "@mapInsert_map_key_value",
            "(map(K, V), K, V) -> map(K, V)",
            Op::Sequential(insert),
        ),
        global(
            "@mapInsert_map_map",
            "(map(K, V), map(K, V)) -> map(K, V)",
            Op::Eager(merge),
        ),
    ],
)];

fn insert<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    add(cx, args[0], args[1], args[2])
}

fn merge<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let mut map = args[0];
    for key in list::keys(cx, args[1]) {
        let value = list::map_get(cx, args[1], key);
        map = add(cx, map, key, value)?;
        if map.is_error() {
            break;
        }
    }
    Ok(map)
}

fn add<'a>(cx: &mut Context<'a>, map: Value<'a>, key: Value<'a>, value: Value<'a>) -> Eval<'a> {
    if let Value::Bytes(_) = key {
        return Err(cx.crash("runtime error: hash of unhashable type types.Bytes"));
    }
    let Value::MapAccumulator(slot) = map else {
        return copy_with(cx, map, key, value);
    };
    if cx.maps[slot as usize].contains(key) {
        return Ok(exists(cx, key));
    }
    cx.pay(size_of_val(&(key, value)))?;
    cx.maps[slot as usize].set(key, value);
    Ok(map)
}

fn copy_with<'a>(cx: &mut Context<'a>, map: Value<'a>, key: Value<'a>, value: Value<'a>) -> Eval<'a> {
    if !matches!(list::find(cx, map, key), Ok(None)) {
        return Ok(exists(cx, key));
    }
    cx.room_for(list::len(map) * size_of::<(Value<'_>, Value<'_>)>())?;
    let mut builder = MapBuilder::default();
    for old in list::keys(cx, map) {
        let old_value = list::map_get(cx, map, old);
        builder.set(old, old_value);
    }
    builder.set(key, value);
    Ok(cx.map(&builder))
}

fn exists<'a>(cx: &mut Context<'a>, key: Value<'a>) -> Value<'a> {
    cx.error(&format!(
        "insert failed: key {} already exists",
        describe_value(key)
    ))
}
