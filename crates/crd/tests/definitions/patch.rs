//! JSON patches and merge patches, as far as the recordings need them.

use kindsmith_json::{Arena, Draft, Value};

/// Applies a merge patch (RFC 7386).
pub(crate) fn merge<'a>(target: Value<'a>, patch: Value<'a>, arena: &'a Arena) -> Value<'a> {
    let Some(changes) = patch.as_object() else {
        return patch;
    };
    let mut result = target.as_object().unwrap_or_default();
    for (key, change) in changes {
        if change.is_null() {
            result.remove(arena, key);
            continue;
        }
        let below = result.get(key).unwrap_or_default();
        result.insert(arena, key, merge(below, change, arena));
    }
    Value::Object(result)
}

/// Applies `add`, `replace` and `remove` of a JSON patch (RFC 6902).
pub(crate) fn operations<'a>(target: Value<'a>, patch: Value<'a>, arena: &'a Arena) -> Value<'a> {
    let mut draft = Draft::new(target);
    for operation in patch.as_array().expect("a list of operations") {
        let text = |key| operation.get(key).and_then(Value::as_str).unwrap_or_default();
        let (parent, last) = text("path").rsplit_once('/').expect("a pointer");
        let mut here = &mut draft;
        for step in parent.split('/').skip(1) {
            let step = unescape(step);
            here = if here.is_array() {
                here.at_mut(step.parse().expect("an index"))
            } else {
                here.get_mut(&step)
            }
            .unwrap_or_else(|| panic!("{} leads nowhere", text("path")));
        }
        let last = unescape(last);
        let value = Draft::new(operation.get("value").unwrap_or_default());
        apply(here, text("op"), &last, value);
    }
    draft.freeze(arena)
}

fn apply<'a>(parent: &mut Draft<'a>, op: &str, last: &str, value: Draft<'a>) {
    let Some(items) = parent.as_array_mut() else {
        match op {
            "add" | "replace" => parent.insert(last.to_owned(), value),
            "remove" => parent.remove(last),
            _ => None,
        };
        return;
    };
    match (op, last.parse::<usize>()) {
        ("add", Err(_)) => items.push(value),
        ("add", Ok(index)) => items.insert(index, value),
        ("replace", Ok(index)) => items[index] = value,
        ("remove", Ok(index)) => {
            items.remove(index);
        }
        _ => {}
    }
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
