//! Conversion webhooks of recordings: what their scripts make of objects, and how their calls are compared.
//!
//! How often and when a server converts is its own affair. What is compared: the form of reviews, and that reads ask for
//! nothing that the reference did not ask for.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The members of a response that an entry of a script makes.
pub(crate) fn response(script: &Value, request: &Value) -> Map<String, Value> {
    let mut response = Map::new();
    if let Some(message) = script.get("fail") {
        response.insert("result".into(), json!({"status": "Failed", "message": message}));
        return response;
    }
    let objects = script.get("objects").cloned();
    let objects = objects.unwrap_or_else(|| Value::Array(converted(script, request)));
    response.insert("convertedObjects".into(), objects);
    let result = script.get("result").cloned();
    let result = result.unwrap_or_else(|| json!({"status": "Success"}));
    response.insert("result".into(), result);
    response
}

fn converted(script: &Value, request: &Value) -> Vec<Value> {
    let mut objects = request["objects"].as_array().cloned().unwrap_or_default();
    for object in &mut objects {
        object["apiVersion"] = request["desiredAPIVersion"].clone();
        for op in script["ops"].as_array().into_iter().flatten() {
            operate(object, op);
        }
    }
    if script["reverse"] == true {
        objects.reverse();
    }
    if script["dropLast"] == true {
        objects.pop();
    }
    if script["extra"] == true {
        objects.extend(objects.last().cloned());
    }
    objects
}

fn operate(object: &mut Value, op: &Value) {
    if let Some(path) = op.get("remove") {
        take(object, &parts(path));
    } else if let Some([path, value]) = op["set"].as_array().map(Vec::as_slice) {
        put(object, &parts(path), value.clone());
    } else if let Some([from, to]) = op["copy"].as_array().map(Vec::as_slice) {
        let pointer: String = parts(from).iter().map(|part| format!("/{part}")).collect();
        if let Some(value) = object.pointer(&pointer).cloned() {
            put(object, &parts(to), value);
        }
    } else if let Some([from, to]) = op["rename"].as_array().map(Vec::as_slice)
        && let Some(value) = take(object, &parts(from))
    {
        put(object, &parts(to), value);
    }
}

/// The keys of a path: a list, or a text with dots.
fn parts(path: &Value) -> Vec<String> {
    match path {
        Value::String(path) => path.split('.').map(str::to_owned).collect(),
        path => path
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|part| part.as_str().map(str::to_owned))
            .collect(),
    }
}

fn take(object: &mut Value, path: &[String]) -> Option<Value> {
    let (last, above) = path.split_last()?;
    let mut here = object;
    for key in above {
        here = here.get_mut(key)?;
    }
    here.as_object_mut()?.remove(last)
}

fn put(object: &mut Value, path: &[String], value: Value) {
    let mut here = object;
    for key in path {
        if !here.is_object() {
            *here = json!({});
        }
        here = &mut here[key];
    }
    *here = value;
}

/// Whether a call is one of a conversion webhook.
pub(crate) fn is_one(call: &Value) -> bool {
    call["review"]["kind"] == "ConversionReview"
}

/// Calls of conversion webhooks, and all others.
pub(crate) fn split(calls: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    calls.into_iter().partition(is_one)
}

/// What is wrong with the calls of a step.
pub(crate) fn difference(step: &Value, calls: &[Value], recorded: &[Value]) -> Option<String> {
    for call in calls {
        let (review, request) = (&call["review"], &call["review"]["request"]);
        let keys = |value: &Value| -> BTreeSet<String> {
            value
                .as_object()
                .into_iter()
                .flat_map(Map::keys)
                .cloned()
                .collect()
        };
        let is_review = ["apiVersion", "kind", "request", "response"].map(str::to_owned);
        let is_request = ["desiredAPIVersion", "objects", "uid"].map(str::to_owned);
        let has_form = keys(review) == is_review.into() && keys(request) == is_request.into();
        let mut objects = request["objects"].as_array().into_iter().flatten();
        let is_needed = objects.all(|object| object["apiVersion"] != request["desiredAPIVersion"]);
        if !has_form || !is_needed || call["query"] != "timeout=30s" {
            return Some(format!("asked for a conversion of another form: {call}"));
        }
    }
    let path = step["path"].as_str().unwrap_or_default();
    if step["method"] != "GET" || path.contains("watch=") {
        return None;
    }
    let recorded = asked(recorded);
    let more: Vec<String> = asked(calls).difference(&recorded).cloned().collect();
    (!more.is_empty()).then(|| format!("asked for conversions nobody needed: {}", more.join("\n    ")))
}

/// What reviews ask for, whatever the batches.
fn asked(calls: &[Value]) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    for call in calls {
        let request = &call["review"]["request"];
        for object in request["objects"].as_array().into_iter().flatten() {
            let mut object = object.clone();
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove("resourceVersion");
                metadata.remove("managedFields");
            }
            asked.insert(format!("{} {object}", request["desiredAPIVersion"]));
        }
    }
    asked
}

/// Whether an object that could not be read was reported alike: the words around the converter's own are the storage's.
pub(crate) fn is_same_failure(mine: &Value, theirs: &Value) -> bool {
    let message = |answer: &Value| answer["body"]["message"].as_str().unwrap_or_default().to_owned();
    let (own, recorded) = (message(mine), message(theirs));
    if !recorded.contains("StorageError: corrupt object") || mine["status"] != theirs["status"] {
        return false;
    }
    let core = recorded
        .split("object not decodable revision=<n>: ")
        .nth(1)
        .unwrap_or_default();
    let core = core.split(" (and ").next().unwrap_or_default();
    !core.is_empty() && own.contains(core)
}
