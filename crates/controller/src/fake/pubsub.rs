//! Pub/Sub topics.

use serde_json::json;

use super::{Reply, State, refuse};
use crate::Json;

pub(super) fn handle(state: &mut State, method: &str, path: &str, body: &Json) -> Reply {
    match (method, state.resources.get(path)) {
        ("PUT", Some(_)) => refuse(409, "Resource already exists in the project", "alreadyExists"),
        ("PUT", None) => {
            *state.creations.entry(path.to_owned()).or_default() += 1;
            let mut topic = body.clone();
            topic["name"] = path.into();
            fill(&mut topic);
            state.resources.insert(path.to_owned(), topic.clone());
            (200, topic)
        }
        (_, None) => refuse(404, "Resource not found", "notFound"),
        ("GET", Some(topic)) => (200, topic.clone()),
        ("DELETE", Some(_)) => {
            state.resources.remove(path);
            (200, json!({}))
        }
        ("PATCH", Some(topic)) => {
            let mut topic = topic.clone();
            if let Err(message) = patch(&mut topic, body) {
                return refuse(400, &message, "badRequest");
            }
            fill(&mut topic);
            state.resources.insert(path.to_owned(), topic.clone());
            (200, topic)
        }
        _ => refuse(405, "method not allowed", "notAllowed"),
    }
}

fn patch(topic: &mut Json, body: &Json) -> Result<(), String> {
    let mask = body["updateMask"].as_str().unwrap_or_default();
    if mask.is_empty() {
        return Err("The update_mask must be specified and not empty".to_owned());
    }
    for field in mask.split(',') {
        match field {
            "name" | "kmsKeyName" | "state" => {
                return Err(format!("Invalid update_mask: {field} is not mutable"));
            }
            _ => {}
        }
        match body["topic"].get(field) {
            Some(value) => topic[field] = value.clone(),
            None => drop(topic.as_object_mut().and_then(|topic| topic.remove(field))),
        }
    }
    Ok(())
}

/// Adds what the service adds by itself.
fn fill(topic: &mut Json) {
    topic["state"] = "ACTIVE".into();
    if topic.get("messageStoragePolicy").is_none() {
        topic["messageStoragePolicy"] = json!({ "allowedPersistenceRegions": ["us-central1", "us-east1"] });
    }
    if topic["messageStoragePolicy"]["enforceInTransit"] == false
        && let Some(policy) = topic["messageStoragePolicy"].as_object_mut()
    {
        policy.remove("enforceInTransit");
    }
}
