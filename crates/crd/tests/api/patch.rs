//! Patches, as far as the recordings need them.

use kindsmith_json::{Arena, Draft, Value};

/// RFC 7396.
pub(crate) fn merge<'a>(arena: &'a Arena, target: Value<'a>, patch: Value<'a>) -> Value<'a> {
    let Value::Object(patch) = patch else {
        return patch;
    };
    let mut merged = target.as_object().unwrap_or_default();
    for (key, value) in patch {
        if value.is_null() {
            merged.remove(arena, key);
        } else {
            let before = merged.get(key).unwrap_or_default();
            let after = merge(arena, before, value);
            merged.insert(arena, key, after);
        }
    }
    Value::Object(merged)
}

/// The operations `add`, `replace` and `remove` of RFC 6902; `None` for others, or if a path is missing.
pub(crate) fn operations<'a>(arena: &'a Arena, target: Value<'a>, patch: Value<'a>) -> Option<Value<'a>> {
    let mut draft = Draft::new(target);
    for operation in patch.as_array()? {
        let path = operation.get("path")?.as_str()?;
        let steps: Vec<String> = path
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"))
            .collect();
        let (last, parents) = steps.split_last()?;
        let mut here = &mut draft;
        for step in parents {
            here = if here.is_array() {
                here.at_mut(step.parse().ok()?)?
            } else {
                here.get_mut(step)?
            };
        }
        change(here, last, operation.get("op")?.as_str()?, operation.get("value"))?;
    }
    Some(draft.freeze(arena))
}

fn change<'a>(parent: &mut Draft<'a>, last: &str, kind: &str, value: Option<Value<'a>>) -> Option<()> {
    if let Some(items) = parent.as_array_mut() {
        let end = items.len();
        let index = if last == "-" { end } else { last.parse().ok()? };
        match kind {
            "add" if index <= end => items.insert(index, Draft::new(value?)),
            "replace" if index < end => items[index] = Draft::new(value?),
            "remove" if index < end => drop(items.remove(index)),
            _ => return None,
        }
        return Some(());
    }
    match kind {
        "add" => drop(parent.insert(last.to_owned(), Draft::new(value?))),
        "replace" if parent.contains_key(last) => drop(parent.insert(last.to_owned(), Draft::new(value?))),
        "remove" => drop(parent.remove(last)?),
        _ => return None,
    }
    Some(())
}
