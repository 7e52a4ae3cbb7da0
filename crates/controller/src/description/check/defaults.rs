//! Declared values that are never used, or of the wrong type.

use kindsmith_schema::JsonSchema;

use super::super::reader::{Mistake, Node, Weight, path_of};
use super::{exists, find, fits, found};
use crate::Json;

pub(super) fn check(root: &Node<'_>, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let fields = root.member("fields");
    let mut always: Vec<String> = Vec::new();
    for node in root.member("defaults").items() {
        let field = node.member("field");
        let Some(path) = field.json.as_str() else {
            continue;
        };
        match find(spec, "spec", path_of(path)) {
            Err(missing) => mistakes.push(missing.at(&field)),
            Ok(schema) => {
                let value = &node.member("value").json;
                if !fits(schema, value) {
                    let text = format!("`{path}` is not of type {}: {value}", schema.ty);
                    mistakes.push(node.member("value").mistake(&text).cure(quoted(schema, value)));
                }
            }
        }
        conditions(&node, spec, mistakes);
        if always.iter().any(|known| known == path) {
            let mistake = node.mistake(&format!(
                "`{path}` already has a value, so this one is never used"
            ));
            mistakes.push(mistake.cure("put it before, with a condition in `when`"));
        }
        let is_always = !node.member("when").is_set();
        if is_always && matches!(node.member("within").json, Json::Null | Json::Bool(false)) {
            always.push(path.to_owned());
        }
        if node.member("within").json == true && !path.contains('.') {
            let mistake = node.mistake(&format!("`within` has no effect: `{path}` is in no other object"));
            mistakes.push(mistake.cure("remove it").weight(Weight::Warning));
        }
        let words = fields.member(path).member("is").items();
        let is_secret = fields.member(path).member("as").json == "secret";
        for word in ["outputOnly", "identity", "writeOnly"] {
            if words.iter().any(|known| known.json == word) || (is_secret && word == "writeOnly") {
                let mistake = node.mistake(&format!("`{path}` is `{word}`, so it has no declared value"));
                mistakes.push(mistake.cure("remove one of both"));
            }
        }
    }
    zeros(root, mistakes);
}

fn conditions(node: &Node<'_>, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    for (path, wanted) in node.member("when").entries() {
        found(&wanted, find(spec, "spec", path_of(&path)), mistakes);
    }
    exists(&node.member("within"), spec, mistakes);
    let from = node.member("from");
    let Some(path) = from.json.as_str() else {
        return;
    };
    if node.member("value").is_set() {
        let mistake = node.mistake("`value` and `from` contradict each other");
        mistakes.push(mistake.cure("remove one of both"));
    }
    match path.strip_prefix("spec.") {
        Some(path) => found(&from, find(spec, "spec", path_of(path)), mistakes),
        None if path == "metadata.name" => {}
        None => {
            let mistake = from.mistake(&format!("`{path}` is no field that a value may come from"));
            mistakes.push(mistake.cure("write `metadata.name`, or a path that begins with `spec.`"));
        }
    }
}

fn quoted(schema: &JsonSchema, value: &Json) -> String {
    if &*schema.ty == "string" && !value.is_object() && !value.is_array() {
        format!("put it in quotes: \"{value}\"")
    } else {
        format!("write a value of type {}", schema.ty)
    }
}

/// Zeros that mean a value and no value at once.
fn zeros(root: &Node<'_>, mistakes: &mut Vec<Mistake>) {
    let presence = root.member("presence");
    if root.member("zero").json == "value" && presence.is_set() {
        let mistake = presence.mistake("with `zero: value`, zero is a value of every field");
        mistakes.push(mistake.cure("remove `presence`").weight(Weight::Warning));
    }
    for item in presence.items() {
        let path = item.json.as_str().unwrap_or_default();
        let words = root.member("fields").member(path).member("is").items();
        if words.iter().any(|word| word.json == "zeroIsAbsent") {
            let mistake = item.mistake(&format!(
                "`{path}` is `zeroIsAbsent`, which contradicts `presence`"
            ));
            mistakes.push(mistake.cure("remove one of both"));
        }
    }
}
