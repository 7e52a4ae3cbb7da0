//! An object for a live resource: its fields as a spec, without what the schema does not have.

use kindsmith_schema::JsonSchema;
use serde_json::{Map, json};

use crate::Json;
use crate::cluster::PROJECT;
use crate::kind::Kind;

/// The object that adopts a resource as it is: applying it changes nothing. Secrets are not part of it, since services do not
/// return them.
#[must_use]
pub fn export(kind: &Kind, identity: &str, live: &Json) -> Json {
    let schema = kind.schema.property("spec");
    let fields = kind.to_spec(live);
    let mut spec = schema
        .and_then(|schema| known(schema, &fields, 0))
        .unwrap_or_else(|| json!({}));
    let name = identity.rsplit('/').next().unwrap_or_default();
    if schema.is_some_and(|schema| schema.property("resourceID").is_some()) {
        spec["resourceID"] = name.into();
    }
    let mut metadata = json!({ "name": object_name(name) });
    let mut parts = identity.split('/');
    if let (Some("projects"), Some(project)) = (parts.next(), parts.next()) {
        metadata["annotations"] = json!({ PROJECT: project });
    }
    if let Some(path) = kind.rest.labels.filter(|_| kind.labels_field().is_none()) {
        let labels = path.iter().fold(live, |value, key| &value[*key]);
        if labels.as_object().is_some_and(|labels| !labels.is_empty()) {
            metadata["labels"] = labels.clone();
        }
    }
    json!({ "apiVersion": kind.api_version(), "kind": kind.kind, "metadata": metadata, "spec": spec })
}

/// The part of a value that a schema has; `None` for an empty object or list.
fn known(schema: &JsonSchema, value: &Json, depth: usize) -> Option<Json> {
    if depth > kindsmith_merge::MAX_DEPTH {
        return None;
    }
    match value {
        Json::Null => None,
        Json::Object(members) if !schema.properties.is_empty() => {
            let members: Map<String, Json> = schema
                .properties
                .iter()
                .filter_map(|(name, member)| {
                    let value = known(member, members.get(&**name)?, depth + 1)?;
                    Some((name.to_string(), value))
                })
                .collect();
            (!members.is_empty()).then_some(Json::Object(members))
        }
        Json::Array(items) => {
            let item = schema.item();
            let items: Vec<Json> = items
                .iter()
                .filter_map(|value| match item {
                    Some(schema) => known(schema, value, depth + 1),
                    None => Some(value.clone()),
                })
                .collect();
            (!items.is_empty()).then_some(Json::Array(items))
        }
        value => Some(value.clone()),
    }
}

/// A name that an object may have.
fn object_name(name: &str) -> String {
    let name = name
        .to_lowercase()
        .replace(|sign: char| !sign.is_ascii_alphanumeric(), "-");
    name.trim_matches('-').to_owned()
}
