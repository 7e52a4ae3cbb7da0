//! Changes to an object: a few places get values at the edge of what rules allow, or parts of a random object of the type.

use kindsmith_builtin::own_kinds;
use serde_json::{Value, json};

use crate::sample::{self, Random};

/// A body with a few changes.
pub(crate) fn edited(body: &str, random: &mut Random) -> String {
    let Ok(mut object) = serde_json::from_str::<Value>(body) else {
        return body.to_owned();
    };
    for _ in 0..=random.below(3) {
        match random.below(5) {
            0 => graft(&mut object, random),
            _ => change(&mut object, random),
        }
    }
    object.to_string()
}

/// Puts a part of a random object of the same type at its place.
fn graft(object: &mut Value, random: &mut Random) {
    let Some(kind) = object.get("kind").and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let version = object["apiVersion"].as_str().unwrap_or_default().to_owned();
    let found = own_kinds(kindsmith_object::Release::NEWEST)
        .iter()
        .find(|known| *known.names.kind == *kind && known.names.api_version() == version);
    let Some(found) = found else { return };
    let text = sample::object(&found.schema, found.ty, random);
    let Ok(sample) = serde_json::from_str::<Value>(&text) else {
        return;
    };
    merge(object, &sample, random, true);
}

fn merge(object: &mut Value, sample: &Value, random: &mut Random, is_root: bool) {
    let (Value::Object(members), Value::Object(others)) = (object, sample) else {
        return;
    };
    for (key, other) in others {
        if is_root && matches!(&**key, "kind" | "apiVersion" | "metadata") {
            continue;
        }
        match members.get_mut(key) {
            Some(member) if member.is_object() => merge(member, other, random, false),
            Some(member) if random.below(4) == 0 => member.clone_from(other),
            None if random.below(3) == 0 => drop(members.insert(key.clone(), other.clone())),
            _ => {}
        }
    }
}

/// What a write of the object is about; these change seldom, so that most objects reach validation.
const IDENTITY: &[&str] = &["kind", "apiVersion", "name", "namespace", "resourceVersion"];

/// Changes one place below the root.
fn change(at: &mut Value, random: &mut Random) {
    let goes_on = random.below(8) > 0;
    match at {
        Value::Object(members) if !members.is_empty() => {
            let skip = random.below(members.len() as u64) as usize;
            let Some(key) = members.keys().nth(skip).cloned() else {
                return;
            };
            if IDENTITY.contains(&&*key) && random.below(6) > 0 {
                return;
            }
            let is_leaf = !members[&key].is_object() && !members[&key].is_array();
            if !goes_on || (is_leaf && random.below(4) == 0) {
                members.remove(&key);
            } else if let Some(member) = members.get_mut(&key) {
                change(member, random);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            if !goes_on {
                return resize(items, random);
            }
            let index = random.below(items.len() as u64) as usize;
            change(&mut items[index], random);
        }
        leaf => *leaf = other(leaf, random),
    }
}

/// Removes items, or repeats them up to a limit and beyond.
fn resize(items: &mut Vec<Value>, random: &mut Random) {
    let count = pick(random, &[0, 1, 2, 3, 5, 9, 17, 33, 65, 101, 257]);
    let first = items.clone();
    items.truncate(count);
    while items.len() < count {
        let mut item = first[items.len() % first.len()].clone();
        // Half of the new items differ from the others.
        if let (Value::Object(members), 0) = (&mut item, random.below(2)) {
            for key in ["name", "type", "uid", "key", "device"] {
                if let Some(Value::String(text)) = members.get_mut(key) {
                    text.push_str(&items.len().to_string());
                }
            }
        }
        items.push(item);
    }
}

fn pick<T: Copy>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len() as u64) as usize]
}

const WORDS: &[&str] = &[
    "",
    "a",
    "A",
    "a.b",
    "A.b",
    "a_b",
    "-a",
    "example.com/a",
    "example.com/a/b",
    "Bad!",
    "NoSchedule",
    "True",
    "Approved",
    "Denied",
    "f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
    "F81D4FAE-7dec-41d0-a765-00a0c91e6bf6",
    "10.0.0.1",
    "2026-01-01T00:00:00Z",
];

fn other(leaf: &Value, random: &mut Random) -> Value {
    match leaf {
        Value::Bool(is) => json!(!is),
        Value::Number(_) => json!(pick(random, &[-1, 0, 1, 2, 3, 100, 101, 65_536, 2_147_483_647])),
        Value::String(text) => match random.below(4) {
            0 => {
                let length = pick(random, &[63, 64, 65, 128, 129, 253, 254, 256, 257]);
                json!("a".repeat(length))
            }
            1 => json!(format!("{text}x")),
            _ => json!(pick(random, WORDS)),
        },
        Value::Array(_) => json!([]),
        _ => json!({}),
    }
}
