//! Formats run-time values and recorded values in the same way, for comparison.

use kindsmith_cel::eval::Scratch;
use kindsmith_cel::eval::value::Value;
use kindsmith_cel::eval::view::{View, view};
use kindsmith_json::Value as Json;

/// A value as `type:content`, entries of maps sorted.
pub(crate) fn value<'a>(value: Value<'a>, scratch: &'a Scratch) -> String {
    let content = match view(value, scratch) {
        View::Null => "null".to_owned(),
        View::Bool(b) => b.to_string(),
        View::Int(i) => i.to_string(),
        View::Uint(u) => u.to_string(),
        View::Double(d) => format!("{d:?}"),
        View::Text(text) => format!("{text:?}"),
        View::List(elements) => {
            let parts: Vec<String> = elements
                .into_iter()
                .map(|element| self::value(element, scratch))
                .collect();
            format!("[{}]", parts.join(", "))
        }
        View::Map(entries) => {
            let entries = entries.into_iter().map(|(key, entry)| {
                format!("{} = {}", self::value(key, scratch), self::value(entry, scratch))
            });
            sorted(entries.collect())
        }
        View::Optional(inner) => inner.map_or("null".to_owned(), |inner| self::value(inner, scratch)),
        View::Error(message) => format!("error {message}"),
    };
    format!("{}:{content}", value.type_name())
}

fn sorted(mut entries: Vec<String>) -> String {
    entries.sort();
    format!("{{{}}}", entries.join(", "))
}

/// A recorded value in the same form.
pub(crate) fn recorded(json: Json<'_>) -> String {
    let ty = json.get("t").and_then(Json::as_str).unwrap_or("?");
    let content = json.get("v").unwrap_or_default();
    let text = match (ty, content) {
        ("double", Json::Int(i)) => format!("{:?}", i as f64),
        ("double", Json::Uint(u)) => format!("{:?}", u as f64),
        ("double", Json::Float(f)) => format!("{f:?}"),
        (_, Json::Null) => "null".to_owned(),
        (_, Json::Bool(b)) => b.to_string(),
        (_, Json::Int(i)) => i.to_string(),
        (_, Json::Uint(u)) => u.to_string(),
        (_, Json::Float(f)) => format!("{f:?}"),
        (_, Json::Str(text)) => format!("{text:?}"),
        ("map", Json::Array(entries)) => {
            let entries = entries.iter().map(|entry| {
                let pair = entry.as_array().unwrap_or_default();
                format!("{} = {}", recorded(pair[0]), recorded(pair[1]))
            });
            sorted(entries.collect())
        }
        (_, Json::Array(elements)) => {
            let parts: Vec<String> = elements.iter().map(|element| recorded(*element)).collect();
            format!("[{}]", parts.join(", "))
        }
        (_, object @ Json::Object(_)) => recorded(object),
    };
    format!("{ty}:{text}")
}
