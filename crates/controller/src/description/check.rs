//! What cannot be right in a description, although it can be read: paths that the CRD does not have, parameters without a
//! value, values of the wrong type.

use kindsmith_schema::JsonSchema;

use super::reader::{Mistake, Node, path_of};
use crate::Json;
use crate::kind::{Ids, Kind, Update};

pub(super) fn check(root: &Node<'_>, kind: &Kind, mistakes: &mut Vec<Mistake>) {
    let Some(spec) = kind.schema.property("spec") else {
        mistakes.push(root.mistake("the CRD has no `spec`"));
        return;
    };
    for (path, node) in root.member("fields").entries() {
        if let Err(message) = find(spec, path_of(&path)) {
            mistakes.push(node.mistake(&message));
        }
    }
    for node in root.member("defaults").items() {
        let Some(path) = node.member("field").json.as_str().map(path_of) else {
            continue;
        };
        match find(spec, path) {
            Err(message) => mistakes.push(node.mistake(&message)),
            Ok(schema) => {
                let value = &node.member("value").json;
                if !fits(schema, value) {
                    let text = format!("`{}` is not of type {}: {value}", path.join("."), schema.ty);
                    mistakes.push(node.mistake(&text));
                }
            }
        }
    }
    for item in root.member("presence").items() {
        if let Some(Err(message)) = item.json.as_str().map(|path| find(spec, path_of(path)).map(drop)) {
            mistakes.push(item.mistake(&message));
        }
    }
    parameters(root, kind, spec, mistakes);
    outputs(root, kind, mistakes);
    if let Update::Mask { member } = kind.rest.update
        && member.is_empty()
    {
        mistakes.push(
            root.member("update")
                .mistake("`maskInBody` names the member with the resource"),
        );
    }
    let example = root.member("example");
    if !example.json.is_null() && !fits(spec, &example.json) {
        mistakes.push(example.mistake("the example does not fit the CRD"));
    }
}

/// Every parameter of the path has a value, and every value a parameter.
fn parameters(root: &Node<'_>, kind: &Kind, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let rest = kind.rest;
    let node = root.member("collection");
    let mut names: Vec<&str> = Vec::new();
    let mut left = rest.collection;
    while let Some((_, after)) = left.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            mistakes.push(node.mistake("`{` is never closed"));
            return;
        };
        names.push(name);
        left = after;
    }
    for name in &names {
        if *name != "project" && !rest.parameters.iter().any(|(known, _)| known == name) {
            mistakes.push(node.mistake(&format!(
                "nothing says what `{{{name}}}` is; add it to `parameters`"
            )));
        }
    }
    for (name, path) in rest.parameters {
        let node = root.member("parameters").member(name);
        if !names.contains(name) {
            mistakes.push(node.mistake(&format!("`collection` has no `{{{name}}}`")));
        }
        if let Err(message) = find(spec, path) {
            mistakes.push(node.mistake(&message));
        }
    }
    if rest.collection.starts_with('/') || rest.collection.ends_with('/') {
        mistakes
            .push(node.mistake("a collection neither begins nor ends with `/`; the prefix is in `service`"));
    }
    if matches!(rest.ids, Ids::Query(_)) && rest.create == crate::kind::Create::Put {
        mistakes.push(
            root.member("id")
                .mistake("with PUT the name is in the path, not in the query"),
        );
    }
}

/// Every output has a place in the status.
fn outputs(root: &Node<'_>, kind: &Kind, mistakes: &mut Vec<Mistake>) {
    let Some(status) = kind.schema.property("status") else {
        mistakes.push(root.mistake("the CRD has no `status`"));
        return;
    };
    if status.preserves_unknown_fields() {
        return;
    }
    for (_, path) in kind.rest.outputs {
        if let Err(message) = find(status, path_of(path)) {
            let node = root.member("outputs").member(path);
            mistakes.push(node.mistake(&message.replace("`spec", "`status")));
        }
    }
}

/// The schema at a path, or what is missing.
fn find<'s>(spec: &'s JsonSchema, path: &[&str]) -> Result<&'s JsonSchema, String> {
    let mut here = spec;
    let mut done = String::from("spec");
    for part in path {
        let below = match *part {
            "[*]" => here.item(),
            name => here.property(name).or_else(|| here.additional()),
        };
        match below {
            Some(schema) => here = schema,
            None if here.preserves_unknown_fields() => return Ok(here),
            None => return Err(format!("the CRD has no field `{part}` in `{done}`")),
        }
        done = format!("{done}.{part}").replace(".[*]", "[*]");
    }
    Ok(here)
}

/// Whether a value has the type of the schema.
pub(crate) fn fits(schema: &JsonSchema, value: &Json) -> bool {
    match (&*schema.ty, value) {
        (_, Json::Null) | ("", _) => true,
        ("object", Json::Object(members)) => members.iter().all(|(key, value)| {
            let below = schema.property(key).or_else(|| schema.additional());
            below.map_or(schema.preserves_unknown_fields(), |below| fits(below, value))
        }),
        ("array", Json::Array(items)) => {
            let item = schema.item();
            items
                .iter()
                .all(|value| item.is_none_or(|item| fits(item, value)))
        }
        ("string", Json::String(_)) | ("boolean", Json::Bool(_)) | ("number", Json::Number(_)) => true,
        ("integer", Json::Number(number)) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}
