//! Values in the form of the recordings (`{"t": "int", "v": 1}`), and in CEL syntax.

use kindsmith_cel::eval::Scratch;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::view::{View, view};
use kindsmith_json::{Arena, Entry, Object, Value};

/// An object under construction.
pub(super) struct Members<'a> {
    arena: &'a Arena,
    entries: Vec<Entry<'a>>,
}

impl<'a> Members<'a> {
    pub(super) fn new(arena: &'a Arena) -> Members<'a> {
        Members {
            arena,
            entries: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, key: &'a str, value: Value<'a>) {
        self.entries.push(Entry { key, value });
    }

    pub(super) fn text(&mut self, key: &'a str, text: &str) {
        let text = self.arena.alloc_str(text);
        self.put(key, Value::Str(text));
    }

    pub(super) fn number(&mut self, key: &'a str, number: u64) {
        self.put(key, self::number(number));
    }

    pub(super) fn finish(self) -> Value<'a> {
        let entries = self.arena.alloc_slice_copy(&self.entries);
        Value::Object(Object::from_entries(self.arena, entries))
    }
}

/// A number that may not fit into `i64`.
pub(super) fn number<'a>(number: u64) -> Value<'a> {
    i64::try_from(number).map_or(Value::Uint(number), Value::Int)
}

/// A list of values.
pub(super) fn list<'a>(arena: &'a Arena, values: &[Value<'a>]) -> Value<'a> {
    Value::Array(arena.alloc_slice_copy(values))
}

/// A value as `{"t": type, "v": content}`; entries of maps are pairs, sorted by key.
pub(super) fn json<'a>(arena: &'a Arena, value: Cel<'_>, scratch: &Scratch) -> Value<'a> {
    let mut members = Members::new(arena);
    members.text("t", value.type_name());
    let content = match view(value, scratch) {
        View::Null | View::Optional(None) => Value::Null,
        View::Bool(truth) => Value::Bool(truth),
        View::Int(number) => Value::Int(number),
        View::Uint(number) => self::number(number),
        View::Double(number) => Value::Float(number),
        View::Text(text) => Value::Str(arena.alloc_str(&text)),
        View::Error(message) => Value::Str(arena.alloc_str(message)),
        View::Optional(Some(inner)) => json(arena, inner, scratch),
        View::List(elements) => {
            let elements: Vec<Value<'a>> = elements
                .into_iter()
                .map(|element| json(arena, element, scratch))
                .collect();
            list(arena, &elements)
        }
        View::Map(entries) => {
            let mut pairs: Vec<[Value<'a>; 2]> = entries
                .into_iter()
                .map(|(key, value)| [json(arena, key, scratch), json(arena, value, scratch)])
                .collect();
            pairs.sort_by(|one, other| order(one[0], other[0]));
            let pairs: Vec<Value<'a>> = pairs.iter().map(|pair| list(arena, pair)).collect();
            list(arena, &pairs)
        }
    };
    members.put("v", content);
    members.finish()
}

/// Keys by type, then by content: numbers by size, texts by bytes.
fn order(one: Value<'_>, other: Value<'_>) -> std::cmp::Ordering {
    let ty = |value: Value<'_>| value.get("t").map(kindsmith_json::to_string).unwrap_or_default();
    let content = |value: Value<'_>| value.get("v").map(kindsmith_json::to_string).unwrap_or_default();
    let number = |value: Value<'_>| value.get("v").and_then(Value::as_i64);
    ty(one)
        .cmp(&ty(other))
        .then_with(|| match (number(one), number(other)) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => content(one).cmp(&content(other)),
        })
}

/// A value in CEL syntax.
pub(super) fn text(value: Cel<'_>, scratch: &Scratch) -> String {
    let ty = value.type_name();
    match view(value, scratch) {
        View::Null => "null".to_owned(),
        View::Bool(truth) => truth.to_string(),
        View::Int(number) => number.to_string(),
        View::Uint(number) => format!("{number}u"),
        View::Double(number) => format!("{number:?}"),
        View::Error(message) => format!("error: {message}"),
        View::Optional(None) => "optional.none()".to_owned(),
        View::Optional(Some(inner)) => format!("optional.of({})", text(inner, scratch)),
        View::Text(content) => written(ty, &content),
        View::List(elements) => {
            let elements: Vec<String> = elements
                .into_iter()
                .map(|element| text(element, scratch))
                .collect();
            format!("[{}]", elements.join(", "))
        }
        View::Map(entries) => {
            let mut entries: Vec<String> = entries
                .into_iter()
                .map(|(key, value)| format!("{}: {}", text(key, scratch), text(value, scratch)))
                .collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn written(ty: &str, content: &str) -> String {
    let quoted = kindsmith_json::to_string(Value::Str(content));
    match ty {
        "string" => quoted,
        "type" | "double" => content.to_owned(),
        "google.protobuf.Timestamp" => format!("timestamp({quoted})"),
        "google.protobuf.Duration" => format!("duration({quoted})"),
        "bytes" => format!("base64 {content}"),
        // Library types are printed as a call of their short name: `kubernetes.Quantity`, `net.IP`.
        _ => {
            let name = ty.rsplit('.').next().unwrap_or(ty);
            format!("{}({quoted})", name.to_lowercase())
        }
    }
}
