//! The passes over custom resources, implemented directly on the schema: slow, in place, one at a time. The
//! compiled passes are compared with these.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_schema::{JsonSchema, SchemaOrBool};

/// A JSON value that can be changed in place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    /// Any other scalar, as text.
    Scalar(String),
    List(Vec<Tree>),
    Object(BTreeMap<String, Tree>),
}

impl Tree {
    pub(crate) fn new(value: Value<'_>) -> Tree {
        match value {
            Value::Null => Tree::Null,
            Value::Array(items) => Tree::List(items.iter().map(|&item| Tree::new(item)).collect()),
            Value::Object(object) => Tree::Object(
                object
                    .iter()
                    .map(|(key, value)| (key.to_owned(), Tree::new(value)))
                    .collect(),
            ),
            scalar => Tree::Scalar(to_string(scalar)),
        }
    }
}

/// The value of `additionalProperties`: absent, a boolean, or a schema.
fn additional(schema: &JsonSchema) -> Option<Option<&JsonSchema>> {
    match schema.additional_properties.as_deref()? {
        SchemaOrBool::Allowed(_) => Some(None),
        SchemaOrBool::Schema(schema) => Some(Some(schema)),
    }
}

/// The schema of a member.
fn member<'s>(schema: &'s JsonSchema, key: &str) -> Option<&'s JsonSchema> {
    schema.property(key).or_else(|| additional(schema).flatten())
}

const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Prunes at the top; returns the sorted paths of dropped members.
pub(crate) fn prune(tree: &mut Tree, schema: &JsonSchema, resource: bool) -> Vec<String> {
    let mut schema = schema.clone();
    schema.embedded_resource |= resource;
    let mut gone = Vec::new();
    prune_value(tree, Some(&schema), false, "", &mut gone);
    gone.sort();
    gone
}

/// `keep` says that the value's unknown members stay whatever its own schema says.
fn prune_value(tree: &mut Tree, schema: Option<&JsonSchema>, keep: bool, path: &str, gone: &mut Vec<String>) {
    let keep = keep || schema.is_some_and(|schema| schema.preserves_unknown_fields());
    match (tree, schema) {
        (Tree::Object(_) | Tree::List(_), None) if keep => {}
        (Tree::Object(members), None) => {
            gone.extend(members.keys().map(|key| join(path, key)));
            members.clear();
        }
        (Tree::Object(members), Some(schema)) => {
            for key in members.keys().cloned().collect::<Vec<_>>() {
                if schema.embedded_resource && META.contains(&&*key) {
                    continue;
                }
                let value = members.get_mut(&key).expect("it is there");
                if let Some(property) = schema.property(&key) {
                    prune_value(value, Some(property), false, &join(path, &key), gone);
                } else if let Some(additional) = additional(schema) {
                    prune_value(value, additional, false, &join(path, &key), gone);
                } else if !keep {
                    if !(path.is_empty() && META.contains(&&*key)) {
                        gone.push(join(path, &key));
                    }
                    members.remove(&key);
                }
            }
        }
        (Tree::List(items), schema) => {
            for (index, item) in items.iter_mut().enumerate() {
                let path = format!("{path}[{index}]");
                prune_value(item, schema.and_then(JsonSchema::item), keep, &path, gone);
            }
        }
        (Tree::Null | Tree::Scalar(_), _) => {}
    }
}

fn join(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// Removes nulls.
pub(crate) fn remove_nulls(tree: &mut Tree, schema: Option<&JsonSchema>) {
    match tree {
        Tree::Object(members) => {
            members.retain(|key, value| {
                let child = schema.and_then(|schema| member(schema, key));
                let wants_a_value = child.is_some_and(|child| !child.nullable && child.default.is_none());
                !(*value == Tree::Null && wants_a_value)
            });
            for (key, value) in members {
                remove_nulls(value, schema.and_then(|schema| member(schema, key)));
            }
        }
        Tree::List(items) => {
            for item in items {
                remove_nulls(item, schema.and_then(JsonSchema::item));
            }
        }
        Tree::Null | Tree::Scalar(_) => {}
    }
}

fn default_of(schema: &JsonSchema) -> Tree {
    let arena = Arena::new();
    let json = schema.default.as_ref();
    json.map_or(Tree::Null, |json| {
        Tree::new(parse_str(&arena, json.as_str()).expect("JSON"))
    })
}

/// Fills in defaults.
pub(crate) fn default(tree: &mut Tree, schema: &JsonSchema) {
    match tree {
        Tree::Object(members) => {
            for (name, property) in &schema.properties {
                let open = match members.get(&**name) {
                    None => true,
                    Some(value) => *value == Tree::Null && !property.nullable,
                };
                if property.default.is_some() && open {
                    members.insert(name.to_string(), default_of(property));
                }
            }
            for (key, value) in members {
                if let Some(property) = schema.property(key) {
                    default(value, property);
                } else if let Some(additional) = additional(schema).flatten() {
                    element(value, additional);
                }
            }
        }
        Tree::List(items) => {
            for item in items {
                if let Some(schema) = schema.item() {
                    element(item, schema);
                }
            }
        }
        Tree::Null | Tree::Scalar(_) => {}
    }
}

fn element(value: &mut Tree, schema: &JsonSchema) {
    if *value == Tree::Null && !schema.nullable {
        *value = default_of(schema);
    }
    default(value, schema);
}
