//! Fields of objects that a kind does not know. CRDs of a cluster may have more fields than the description.

use kindsmith_merge::effective::Ignored;
use kindsmith_schema::JsonSchema;

use crate::Json;
use crate::kind::Kind;

/// What the spec sets and the kind does not know.
pub(crate) fn strangers(kind: &Kind, object: &Json) -> Vec<Ignored> {
    let mut found = Vec::new();
    if let Some(spec) = kind.schema.property("spec") {
        walk(spec, &object["spec"], "spec", 0, &mut found);
    }
    found.dedup();
    let reason = "not in the description of the kind: sent on creation only, and changes are not noticed";
    let note = |path| Ignored {
        path,
        reason: reason.to_owned(),
    };
    found.into_iter().map(note).collect()
}

fn walk(schema: &JsonSchema, value: &Json, path: &str, depth: usize, found: &mut Vec<String>) {
    if depth > kindsmith_merge::MAX_DEPTH || schema.preserves_unknown_fields() {
        return;
    }
    match value {
        Json::Object(members) => {
            for (key, value) in members {
                match schema.property(key).or_else(|| schema.additional()) {
                    Some(below) => walk(below, value, &format!("{path}.{key}"), depth + 1, found),
                    None => found.push(format!("{path}.{key}")),
                }
            }
        }
        Json::Array(items) => {
            for value in items {
                if let Some(item) = schema.item() {
                    walk(item, value, &format!("{path}[*]"), depth + 1, found);
                }
            }
        }
        _ => {}
    }
}
