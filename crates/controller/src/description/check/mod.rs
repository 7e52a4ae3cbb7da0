//! What cannot be right in a description, although it can be read: paths that the CRD does not have, parameters without a
//! value, values of the wrong type, properties that contradict each other, references to unknown kinds.

mod calls;
mod defaults;
mod flags;
mod names;
mod references;

use kindsmith_schema::JsonSchema;

use super::reader::{Mistake, Node, Weight, meant, path_of};
use crate::Json;
use crate::kind::{Kind, template};
pub use references::{Other, Others};

pub(super) fn check(root: &Node<'_>, kind: &Kind, others: &Others, mistakes: &mut Vec<Mistake>) {
    let Some(spec) = kind.schema.property("spec") else {
        let mistake = root.mistake("the CRD has no `spec`");
        mistakes.push(mistake.cure("describe the fields of `spec` in the CRD's schema"));
        return;
    };
    for (path, node) in root.member("fields").entries() {
        match find(spec, "spec", path_of(&path)) {
            Err(missing) => mistakes.push(missing.at(&node)),
            Ok(schema) => flags::check(&node, schema, mistakes),
        }
    }
    names::check(root, spec, mistakes);
    defaults::check(root, spec, mistakes);
    references::check(root, others, mistakes);
    for item in root.member("presence").items() {
        exists(&item, spec, mistakes);
    }
    for item in root.member("notOnCreate").items() {
        let path = item.json.as_str().unwrap_or_default();
        match path.strip_prefix("spec.") {
            Some(path) => found(&item, find(spec, "spec", path_of(path)), mistakes),
            None => mistakes.push(
                item.mistake(&format!("`{path}` does not begin with `spec.`"))
                    .cure(format!("write `spec.{path}`")),
            ),
        }
    }
    exists(&root.member("copy").member("source"), spec, mistakes);
    for (path, node) in root.member("copy").member("fields").entries() {
        found(&node, find(spec, "spec", path_of(&path)), mistakes);
    }
    calls::check(root, kind, spec, mistakes);
    outputs(root, kind, mistakes);
    example(root, kind, spec, mistakes);
    for item in root.member("todo").items() {
        if let Some(text) = item.text(mistakes) {
            let mistake = item.mistake(&format!("to decide: {text}"));
            let cure = "decide it, then remove it from `todo`";
            mistakes.push(mistake.cure(cure).weight(Weight::Todo));
        }
    }
}

/// A path below `spec` in the text of a node must be in the CRD.
fn exists(node: &Node<'_>, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    if let Some(path) = node.json.as_str() {
        found(node, find(spec, "spec", path_of(path)), mistakes);
    }
}

fn found(node: &Node<'_>, found: Result<&JsonSchema, Missing>, mistakes: &mut Vec<Mistake>) {
    if let Err(missing) = found {
        mistakes.push(missing.at(node));
    }
}

/// Every output has a place in the status.
fn outputs(root: &Node<'_>, kind: &Kind, mistakes: &mut Vec<Mistake>) {
    let Some(status) = kind.schema.property("status") else {
        let mistake = root.mistake("the CRD has no `status`");
        mistakes
            .push(mistake.cure("add `status: {type: object, x-kubernetes-preserve-unknown-fields: true}`"));
        return;
    };
    if status.preserves_unknown_fields() {
        return;
    }
    for (_, path) in kind.rest.outputs {
        let node = root.member("outputs").member(path);
        found(&node, find(status, "status", path_of(path)), mistakes);
    }
    if status.property("conditions").is_none() {
        let mistake =
            root.mistake("the CRD has no `status.conditions`, so nobody sees whether objects are ready");
        mistakes.push(mistake.cure("add the list `conditions` to the status"));
    }
}

/// The example is a spec that the service could accept.
fn example(root: &Node<'_>, kind: &Kind, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let node = root.member("example");
    if !node.is_set() {
        return;
    }
    let mut wrong = Vec::new();
    misfits(spec, &node.json, "spec", &mut wrong);
    for (name, path) in kind.rest.parameters {
        let of_name = || kind.rest.parameters.iter().filter(|(other, _)| other == name);
        let is_set = |path: &[&'static str]| {
            let value = path.iter().fold(&node.json, |value, key| &value[*key]);
            !value.is_null() || template(path).is_some()
        };
        let full = format!("spec.{}", path.join("."));
        let is_told = wrong.iter().any(|text| text.starts_with(&format!("`{full}` ")));
        // Without a field, the project is that of the namespace.
        let is_first = *name != "project" && of_name().next().is_some_and(|(_, first)| first == path);
        if is_first && !is_told && !of_name().any(|(_, path)| is_set(path)) {
            wrong.push(format!("`{full}` is missing, and the path needs it"));
        }
    }
    for text in wrong {
        let mistake = node.mistake(&format!("the example does not fit the CRD: {text}"));
        mistakes.push(mistake.cure("write a spec that the service accepts"));
    }
}

/// A field that the CRD does not have.
struct Missing {
    message: String,
    cure: String,
}

impl Missing {
    fn at(self, node: &Node<'_>) -> Mistake {
        node.mistake(&self.message).cure(self.cure)
    }
}

/// The schema at a path, or what is missing.
fn find<'s>(schema: &'s JsonSchema, top: &str, path: &[&str]) -> Result<&'s JsonSchema, Missing> {
    let mut here = schema;
    let mut done = top.to_owned();
    for part in path {
        let below = match *part {
            "[*]" => here.item(),
            name => here.property(name).or_else(|| here.additional()),
        };
        match below {
            Some(schema) => here = schema,
            None if here.preserves_unknown_fields() => return Ok(here),
            None if *part == "[*]" => {
                return Err(Missing {
                    message: format!("`{done}` is not a list"),
                    cure: "write the path without `[*]`".to_owned(),
                });
            }
            None => {
                let names = here.properties.iter().map(|(name, _)| &**name);
                return Err(Missing {
                    message: format!("the CRD has no field `{part}` in `{done}`"),
                    cure: match (here.item(), here.properties.is_empty()) {
                        (Some(_), _) => format!("`{done}` is a list: write `{done}[*].{part}`"),
                        (None, true) => "add it to the CRD, or remove it here".to_owned(),
                        (None, false) => meant(part, names),
                    },
                });
            }
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
        _ => is_scalar(schema, value),
    }
}

fn is_scalar(schema: &JsonSchema, value: &Json) -> bool {
    match (&*schema.ty, value) {
        ("string", Json::String(_)) | ("boolean", Json::Bool(_)) | ("number", Json::Number(_)) => true,
        ("integer", Json::Number(number)) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

/// What in a value does not fit the schema.
fn misfits(schema: &JsonSchema, value: &Json, path: &str, wrong: &mut Vec<String>) {
    match (&*schema.ty, value) {
        (_, Json::Null) | ("", _) => {}
        ("object", Json::Object(members)) => {
            for name in schema
                .required
                .iter()
                .filter(|name| !members.contains_key(&***name))
            {
                wrong.push(format!("`{path}.{name}` is missing"));
            }
            for (key, value) in members {
                match schema.property(key).or_else(|| schema.additional()) {
                    Some(below) => misfits(below, value, &format!("{path}.{key}"), wrong),
                    None if schema.preserves_unknown_fields() => {}
                    None => wrong.push(format!("there is no field `{path}.{key}`")),
                }
            }
        }
        ("array", Json::Array(items)) => {
            let item = schema.item();
            for (index, value) in items.iter().enumerate() {
                if let Some(item) = item {
                    misfits(item, value, &format!("{path}[{index}]"), wrong);
                }
            }
        }
        _ if is_scalar(schema, value) => {}
        _ => wrong.push(format!("`{path}` is not of type {}: {value}", schema.ty)),
    }
}
