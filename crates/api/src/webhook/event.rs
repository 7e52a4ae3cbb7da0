//! Events, which two groups show with different names of fields (`Convert_core_Event_To_v1_Event` in pkg/apis/events/v1).

use kindsmith_json::{Arena, Entry, Object, Value};

/// The group with the newer names.
const NEW_GROUP: &str = "events.k8s.io";

/// The fields of `events.k8s.io/v1` in their order, each with its name in `v1`.
const NEW: [(&str, &str); 15] = [
    ("metadata", "metadata"),
    ("eventTime", "eventTime"),
    ("series", "series"),
    ("reportingController", "reportingComponent"),
    ("reportingInstance", "reportingInstance"),
    ("action", "action"),
    ("reason", "reason"),
    ("regarding", "involvedObject"),
    ("related", "related"),
    ("note", "message"),
    ("type", "type"),
    ("deprecatedSource", "source"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
];

/// The fields of `v1` in their order, each with its name in `events.k8s.io/v1`.
const OLD: [(&str, &str); 15] = [
    ("metadata", "metadata"),
    ("involvedObject", "regarding"),
    ("reason", "reason"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("type", "type"),
    ("eventTime", "eventTime"),
    ("series", "series"),
    ("action", "action"),
    ("related", "related"),
    ("reportingComponent", "reportingController"),
    ("reportingInstance", "reportingInstance"),
];

/// An event as a group shows it; one that is of that group already stays as it is.
pub(super) fn shown<'a>(arena: &'a Arena, event: Value<'a>, group: &str) -> Value<'a> {
    let is_new = group == NEW_GROUP;
    let was_new = event
        .get("apiVersion")
        .and_then(Value::as_str)
        .is_some_and(|version| version.starts_with(NEW_GROUP));
    if is_new == was_new {
        return event;
    }
    let (api_version, fields) = if is_new {
        ("events.k8s.io/v1", &NEW)
    } else {
        ("v1", &OLD)
    };
    let mut entries = vec![
        Entry {
            key: "kind",
            value: "Event".into(),
        },
        Entry {
            key: "apiVersion",
            value: api_version.into(),
        },
    ];
    for &(key, before) in fields {
        let value = event
            .get(before)
            .filter(|value| !(is_new && is_left_out(key, *value)));
        let value = value.or_else(|| always(key));
        entries.extend(value.map(|value| Entry { key, value }));
    }
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

/// Whether an empty field is not shown in `events.k8s.io/v1`, though it is in `v1`.
fn is_left_out(key: &str, value: Value<'_>) -> bool {
    matches!(key, "reportingController" | "reportingInstance") && value == Value::Str("")
}

/// The value of a field that is always written, set or not.
fn always(key: &str) -> Option<Value<'static>> {
    match key {
        "reportingComponent" => Some("".into()),
        "involvedObject" | "source" | "regarding" | "deprecatedSource" => {
            Some(Value::Object(Object::default()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_change_their_names_and_come_back() {
        let arena = Arena::new();
        let old = r#"{"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"involvedObject":{"kind":"Pod"},"reason":"R","message":"m","source":{},"firstTimestamp":null,"lastTimestamp":null,"count":2,"eventTime":null,"reportingComponent":"","reportingInstance":"i"}"#;
        let new = r#"{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e"},"eventTime":null,"reportingInstance":"i","reason":"R","regarding":{"kind":"Pod"},"note":"m","deprecatedSource":{},"deprecatedFirstTimestamp":null,"deprecatedLastTimestamp":null,"deprecatedCount":2}"#;
        let event = kindsmith_json::parse_str(&arena, old).expect("JSON");
        let there = shown(&arena, event, "events.k8s.io");
        assert_eq!(kindsmith_json::to_string(there), new);
        assert_eq!(kindsmith_json::to_string(shown(&arena, there, "")), old);
        assert_eq!(shown(&arena, event, ""), event);
    }
}
