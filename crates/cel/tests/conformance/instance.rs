//! The values in an object that belong to a schema node, each with its previous value.

use kindsmith_json::Value;

/// A value with its path and its previous value.
pub(crate) struct Instance<'a> {
    pub(crate) at: String,
    pub(crate) value: &'a Value<'a>,
    pub(crate) old: Option<&'a Value<'a>>,
}

/// Walks from the root of the object along a pointer into its schema.
pub(crate) fn find<'a>(
    schema: Value<'a>,
    pointer: &str,
    object: &'a Value<'a>,
    old: Option<&'a Value<'a>>,
) -> (Vec<Instance<'a>>, bool) {
    let steps: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect();
    let mut found = vec![Instance {
        at: String::new(),
        value: object,
        old,
    }];
    let (mut node, mut several) = (schema, false);
    let mut at = 0;
    while at < steps.len() {
        let mut next = Vec::new();
        match steps[at].as_str() {
            "properties" => {
                at += 1;
                for instance in found {
                    next.extend(property(&instance, &steps[at], false));
                }
                node = node
                    .get("properties")
                    .and_then(|p| p.get(&steps[at]))
                    .expect("a property of the schema");
            }
            "additionalProperties" => {
                several = true;
                for instance in found {
                    let keys = instance
                        .value
                        .as_object()
                        .into_iter()
                        .flat_map(|object| object.keys());
                    for key in keys {
                        next.extend(property(&instance, key, true));
                    }
                }
                node = node.get("additionalProperties").expect("values of the schema");
            }
            "items" => {
                several = true;
                for instance in found {
                    next.extend(items(&instance, node));
                }
                node = node.get("items").expect("items of the schema");
            }
            other => panic!("unexpected step {other}"),
        }
        found = next;
        at += 1;
    }
    found.retain(|instance| !instance.value.is_null());
    for instance in &mut found {
        instance.old = instance.old.filter(|old| !old.is_null());
    }
    (found, several)
}

fn entry<'a>(value: &'a Value<'a>, key: &str) -> Option<&'a Value<'a>> {
    let object = value.as_object()?;
    Some(&object.entries()[object.position(key)?].value)
}

fn property<'a>(instance: &Instance<'a>, key: &str, bracket: bool) -> Option<Instance<'a>> {
    let value = entry(instance.value, key)?;
    let at = if bracket {
        format!("{}[{key}]", instance.at)
    } else if instance.at.is_empty() {
        key.to_owned()
    } else {
        format!("{}.{key}", instance.at)
    };
    Some(Instance {
        at,
        value,
        old: instance.old.and_then(|old| entry(old, key)),
    })
}

fn items<'a>(instance: &Instance<'a>, schema: Value<'a>) -> Vec<Instance<'a>> {
    let keys: Vec<&str> = match schema.get("x-kubernetes-list-type").and_then(Value::as_str) {
        Some("map") => {
            let keys = schema
                .get("x-kubernetes-list-map-keys")
                .and_then(Value::as_array)
                .unwrap_or_default();
            keys.iter().filter_map(|key| key.as_str()).collect()
        }
        _ => Vec::new(),
    };
    let key_of = |value: &Value<'a>| -> Option<Vec<Value<'a>>> {
        keys.iter()
            .map(|key| {
                value
                    .get(key)
                    .filter(|v| v.as_array().is_none() && v.as_object().is_none() && !v.is_null())
            })
            .collect()
    };
    let elements = instance.value.as_array().unwrap_or_default();
    let old_elements = instance.old.and_then(|old| old.as_array()).unwrap_or_default();
    elements
        .iter()
        .enumerate()
        .map(|(position, value)| {
            let key = if keys.is_empty() { None } else { key_of(value) };
            let old = key.and_then(|key| old_elements.iter().find(|old| key_of(old).as_ref() == Some(&key)));
            Instance {
                at: format!("{}[{position}]", instance.at),
                value,
                old,
            }
        })
        .collect()
}
