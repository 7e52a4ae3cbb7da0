//! Paths and operations of version 3, in the form of version 2: bodies are parameters, and media types are listed once.

use kindsmith_json::{Arena, Value};

use super::super::shared::KINDS;
use super::definition;
use kindsmith_json::object_of;

/// A path with its operations.
pub(super) fn item<'a>(arena: &'a Arena, item: Value<'a>) -> Value<'a> {
    let members = item.as_object().unwrap_or_default();
    let members: Vec<(&str, Value<'a>)> = members
        .iter()
        .map(|(key, value)| match key {
            "parameters" => (key, parameters(arena, value, None)),
            method => (method, operation(arena, value)),
        })
        .collect();
    object_of(arena, &members)
}

fn operation<'a>(arena: &'a Arena, operation: Value<'a>) -> Value<'a> {
    let body = operation.get("requestBody");
    let accepts = body.and_then(|body| media(arena, body));
    let answers = operation
        .lookup(&["responses", "200"])
        .and_then(|response| media(arena, response));
    let mut out = Vec::new();
    out.extend(operation.get("description").map(|value| ("description", value)));
    let answers = answers.unwrap_or_else(|| list(arena, &["application/json"]));
    if operation.get("x-kubernetes-action").is_some() {
        out.push(("consumes", accepts.unwrap_or_else(|| list(arena, &["*/*"]))));
    } else if !answers_text(operation) {
        out.push(("consumes", answers));
    }
    out.push(("produces", answers));
    out.push(("schemes", list(arena, &["https"])));
    for key in ["tags", "operationId"] {
        out.extend(operation.get(key).map(|value| (key, value)));
    }
    let given = operation.get("parameters").unwrap_or(Value::Array(&[]));
    let all = parameters(arena, given, body);
    if all.as_array().is_some_and(|all| !all.is_empty()) {
        out.push(("parameters", all));
    }
    let responses = operation.get("responses").unwrap_or_default();
    out.push(("responses", self::responses(arena, responses)));
    for key in ["x-kubernetes-action", KINDS] {
        out.extend(operation.get(key).map(|value| (key, value)));
    }
    object_of(arena, &out)
}

fn list<'a>(arena: &'a Arena, texts: &[&'static str]) -> Value<'a> {
    let texts: Vec<Value<'a>> = texts.iter().map(|&text| Value::Str(text)).collect();
    Value::Array(arena.alloc_slice_copy(&texts))
}

/// Whether an operation answers text, not an object.
fn answers_text(operation: Value<'_>) -> bool {
    let content = operation.lookup(&["responses", "200", "content"]);
    let first = content.and_then(|content| content.as_object()?.values().next());
    first.is_some_and(|media| media.lookup(&["schema", "$ref"]).is_none())
}

/// The order of media types; version 3 has them by name.
const ORDER: [&str; 10] = [
    "text/plain",
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/json;stream=watch",
    "application/vnd.kubernetes.protobuf;stream=watch",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
];

/// The media types of a body or an answer.
fn media<'a>(arena: &'a Arena, with_content: Value<'a>) -> Option<Value<'a>> {
    let content = with_content.get("content")?.as_object()?;
    let mut types: Vec<Value<'a>> = content.keys().map(Value::Str).collect();
    types.sort_by_key(|media| ORDER.iter().position(|known| media.as_str() == Some(known)));
    Some(Value::Array(arena.alloc_slice_copy(&types)))
}

/// The schema of a body or an answer, which is the same for all media types.
fn schema<'a>(arena: &'a Arena, with_content: Value<'a>) -> Option<Value<'a>> {
    let content = with_content.get("content")?.as_object()?;
    let first = content.values().next()?.get("schema")?;
    Some(definition::of_v3(arena, first))
}

fn parameters<'a>(arena: &'a Arena, given: Value<'a>, body: Option<Value<'a>>) -> Value<'a> {
    let mut out = Vec::new();
    if let Some(body) = body {
        let mut members = vec![("name", "body".into()), ("in", "body".into())];
        members.extend(body.get("required").map(|required| ("required", required)));
        members.extend(schema(arena, body).map(|schema| ("schema", schema)));
        out.push(object_of(arena, &members));
    }
    for parameter in given.as_array().unwrap_or_default() {
        let mut members = Vec::new();
        for (key, value) in parameter.as_object().unwrap_or_default() {
            match key {
                "schema" => members.extend(value.as_object().unwrap_or_default().iter()),
                key => members.push((key, value)),
            }
        }
        out.push(object_of(arena, &members));
    }
    Value::Array(arena.alloc_slice_copy(&out))
}

fn responses<'a>(arena: &'a Arena, responses: Value<'a>) -> Value<'a> {
    let members = responses.as_object().unwrap_or_default();
    let members: Vec<(&str, Value<'a>)> = members
        .iter()
        .map(|(code, response)| {
            let mut members = vec![("description", response.get("description").unwrap_or_default())];
            members.extend(schema(arena, response).map(|schema| ("schema", schema)));
            (code, object_of(arena, &members))
        })
        .collect();
    object_of(arena, &members)
}
