//! The object of one table row.

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::Release;

use super::age::{age, human};

/// The object of one table row.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The arena of the cells.
    pub arena: &'a Arena,
    /// The object.
    pub object: Value<'a>,
    /// The current time, in nanoseconds since 1970.
    pub now: i128,
    /// The release whose tables are shown.
    pub release: Release,
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

    /// When the object was created.
    pub(crate) fn created(&self) -> Value<'a> {
        match self.text("metadata.creationTimestamp") {
            "" => Value::Str("0001-01-01T00:00:00Z"),
            created => Value::Str(created),
        }
    }

    /// The age of the object.
    pub(crate) fn age(&self) -> Value<'a> {
        self.cell(&self.since("metadata.creationTimestamp"))
    }

    /// The phase under `status`; objects that are being deleted are terminating.
    pub(crate) fn phase(&self) -> Value<'a> {
        match self.text("metadata.deletionTimestamp") {
            "" => Value::Str(self.text("status.phase")),
            _ => Value::Str("Terminating"),
        }
    }

    /// The text under a path of keys, or `<unset>`.
    pub(crate) fn or_unset(&self, path: &str) -> Value<'a> {
        Value::Str(self.at(path).as_str().unwrap_or("<unset>"))
    }

    /// The truth under a path of keys.
    pub(crate) fn truth(&self, path: &str, default: bool) -> Value<'a> {
        Value::Bool(self.at(path).as_bool().unwrap_or(default))
    }

    /// A label selector as text.
    pub(crate) fn selector(&self, path: &str) -> Value<'a> {
        match self.at(path) {
            Value::Null => Value::Str("<none>"),
            selector => match crate::part::selector::to_text(selector) {
                text if text.is_empty() => Value::Str("<none>"),
                text => self.cell(&text),
            },
        }
    }

    /// The first texts of a list, and how many more there are.
    pub(crate) fn first_of(&self, texts: &[String]) -> Value<'a> {
        const FIRST: usize = 3;
        let shown = texts[..FIRST.min(texts.len())].join(",");
        match texts.len() {
            all if all > FIRST => self.cell(&format!("{shown} + {} more...", all - FIRST)),
            _ => self.cell(&shown),
        }
    }

    /// How long ago the time under a path of keys was.
    pub(crate) fn since(&self, path: &str) -> String {
        age(self.text(path), self.now)
    }

    /// How long it took from one time to another, or until now; empty if it has not begun.
    pub(crate) fn span(&self, from: &str, to: &str) -> String {
        let moment = |path: &str| {
            let time = Time::parse(Layout::Rfc3339, self.text(path)).ok()?;
            Some(i128::from(time.unix_seconds()) * 1_000_000_000 + i128::from(time.nanos()))
        };
        match moment(from) {
            None => String::new(),
            Some(from) => human(moment(to).unwrap_or(self.now) - from),
        }
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
