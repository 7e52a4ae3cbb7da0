//! The object of one table row.

use kindsmith_json::{Arena, Object, Value};

use super::age::age;

/// The object of one table row.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The arena of the cells.
    pub arena: &'a Arena,
    /// The object.
    pub object: Value<'a>,
    /// The current time, in nanoseconds since 1970.
    pub now: i128,
}

impl<'a> Row<'a> {
    /// The value under a path of keys.
    pub(crate) fn at(&self, path: &str) -> Value<'a> {
        let found = path.split('.').try_fold(self.object, |value, key| value.get(key));
        found.unwrap_or_default()
    }

    /// The text under a path of keys; empty if absent.
    pub(crate) fn text(&self, path: &str) -> &'a str {
        self.at(path).as_str().unwrap_or_default()
    }

    /// The items under a path of keys.
    pub(crate) fn items(&self, path: &str) -> &'a [Value<'a>] {
        self.at(path).as_array().unwrap_or_default()
    }

    /// The number under a path of keys; zero if absent.
    pub(crate) fn number(&self, path: &str) -> Value<'a> {
        Value::Int(self.at(path).as_i64().unwrap_or_default())
    }

    /// How many members or items are under a path of keys.
    pub(crate) fn count(&self, path: &str) -> i64 {
        let count = match self.at(path) {
            Value::Array(items) => items.len(),
            Value::Object(object) => object.len(),
            _ => 0,
        };
        i64::try_from(count).unwrap_or(i64::MAX)
    }

    /// A cell with a computed text.
    pub(crate) fn cell(&self, text: &str) -> Value<'a> {
        Value::Str(self.arena.alloc_str(text))
    }

    /// The name of the object.
    pub(crate) fn name(&self) -> Value<'a> {
        Value::Str(self.text("metadata.name"))
    }

    /// The age of the object.
    pub(crate) fn age(&self) -> Value<'a> {
        self.cell(&self.since("metadata.creationTimestamp"))
    }

    /// How long ago the time under a path of keys was.
    pub(crate) fn since(&self, path: &str) -> String {
        age(self.text(path), self.now)
    }

    /// Names and images of the containers under a path of keys.
    pub(crate) fn containers(&self, path: &str) -> [Value<'a>; 2] {
        ["name", "image"].map(|key| {
            let texts = self.items(path).iter().map(|container| text_of(*container, key));
            self.cell(&texts.collect::<Vec<_>>().join(","))
        })
    }

    /// Labels as `a=b,c=d`.
    pub(crate) fn labels(&self, path: &str) -> Value<'a> {
        let labels = self.at(path).as_object().map(Object::sorted).unwrap_or_default();
        if labels.is_empty() {
            return Value::Str("<none>");
        }
        let labels = labels
            .iter()
            .map(|entry| format!("{}={}", entry.key, entry.value.as_str().unwrap_or_default()));
        self.cell(&labels.collect::<Vec<_>>().join(","))
    }
}

/// The text of a member; empty if absent.
pub(crate) fn text_of<'a>(value: Value<'a>, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
