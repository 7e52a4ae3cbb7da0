//! One pass over metadata: each value is kept, dropped or rewritten. The tables in `fields` say which field has which
//! type.

use std::borrow::Cow;

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, ArrayEdit, Entry, Object, Value, to_string};

use super::DecodeError;
use super::decode::{Decoded, Malformed, UnknownFields};

/// The order in which the decoder reads the fields of metadata, which decides which error comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As written in the object: JSON.
    AsWritten,
    /// By key: YAML, and everything that was a map before.
    Sorted,
}

/// The position of a value: the Go struct, and the names of the fields leading to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) owner: &'static str,
    pub(super) parent: Option<&'static str>,
    pub(super) field: &'static str,
    /// Whether the metadata is itself a field of a struct.
    pub(super) within: bool,
}

/// The maximum number of unknown fields listed (sigs.k8s.io/json `saveStrictError`).
const UNKNOWN_LIMIT: usize = 100;

pub(super) struct Decoder<'a> {
    pub(super) arena: &'a Arena,
    order: Order,
    pub(super) malformed: Malformed,
    listing: UnknownFields,
    /// Whether the metadata is itself a field of a struct, so that errors name it.
    pub(super) within: bool,
    pub(super) unknown: Vec<PathBuf>,
    /// The first value of a wrong type; decoding continues after it.
    pub(super) first: Option<DecodeError>,
    /// An error of a type that decodes itself; it ends the decoding and takes precedence over `first`.
    pub(super) last: Option<DecodeError>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(arena: &'a Arena, order: Order, malformed: Malformed, listing: UnknownFields) -> Self {
        Decoder {
            arena,
            order,
            malformed,
            listing,
            within: false,
            unknown: Vec::new(),
            first: None,
            last: None,
        }
    }

    /// Decodes metadata that is a field of a struct.
    pub(super) fn within(self) -> Self {
        Decoder { within: true, ..self }
    }

    /// Whether there is no error and nothing to list.
    pub(super) fn is_clean(&self) -> bool {
        !self.failed() && self.unknown.is_empty()
    }

    pub(super) fn finish(self, decoded: &Decoded<'a>) -> Result<Decoded<'a>, DecodeError> {
        match self.last.or(self.first) {
            Some(error) => Err(error),
            None => Ok(Decoded {
                meta: decoded.meta,
                object: decoded.object,
                unknown: self.unknown,
            }),
        }
    }

    pub(super) fn failed(&self) -> bool {
        self.first.is_some() || self.last.is_some()
    }

    /// An element that must be an object; null is an empty struct.
    pub(super) fn structure(
        &mut self,
        item: Value<'a>,
        at: At,
        expected: &'static str,
    ) -> Option<Object<'a>> {
        match item {
            Value::Object(object) => Some(object),
            Value::Null => Some(Object::EMPTY),
            other => self.mismatch(other.go_json_name(), at, expected),
        }
    }

    pub(super) fn list(
        &mut self,
        value: Value<'a>,
        at: At,
        expected: &'static str,
        mut element: impl FnMut(&mut Self, Value<'a>, At, usize) -> Option<Value<'a>>,
    ) -> Option<&'a [Value<'a>]> {
        let items = match value {
            Value::Array(items) => items,
            Value::Null => &[],
            other => return self.mismatch(other.go_json_name(), at, expected),
        };
        let mut edit = ArrayEdit::new(self.arena, items);
        let mut complete = true;
        for (index, &item) in items.iter().enumerate() {
            match element(self, item, at, index) {
                Some(new) if same(item, new) => {}
                Some(new) => edit.set(index, new),
                None if self.last.is_some() => return None,
                // A later element may still hold an error that takes precedence.
                None => complete = false,
            }
        }
        complete.then(|| edit.finish())
    }

    /// Strings by key; `None` if there are none.
    pub(super) fn map(&mut self, value: Value<'a>, at: At) -> Option<Value<'a>> {
        let object = match value {
            Value::Object(object) => object,
            Value::Null => Object::EMPTY,
            other => return self.mismatch(other.go_json_name(), at, "map[string]string"),
        };
        let mut edit = object.edit(self.arena);
        for entry in self.entries(object).iter() {
            if entry.value.as_str().is_none() {
                let text = self.text(entry.value, at, "string")?;
                edit.insert(entry.key, Value::Str(text));
            }
        }
        let map = edit.finish();
        (!map.is_empty()).then_some(Value::Object(map))
    }

    pub(super) fn nonempty(&mut self, value: Value<'a>, at: At, expected: &'static str) -> Option<Value<'a>> {
        self.text(value, at, expected)
            .filter(|text| !text.is_empty())
            .map(Value::Str)
    }

    pub(super) fn text(&mut self, value: Value<'a>, at: At, expected: &'static str) -> Option<&'a str> {
        match value {
            Value::Str(text) => Some(text),
            Value::Null => Some(""),
            other => self.mismatch(other.go_json_name(), at, expected),
        }
    }

    pub(super) fn truth(&mut self, value: Value<'a>, at: At) -> Option<Value<'a>> {
        match value {
            Value::Bool(_) => Some(value),
            Value::Null => None,
            other => self.mismatch(other.go_json_name(), at, "bool"),
        }
    }

    /// An integer, or `Some(None)` for null; `None` if it is neither.
    pub(super) fn integer(&mut self, value: Value<'a>, at: At) -> Option<Option<i64>> {
        match value {
            Value::Int(number) => Some(Some(number)),
            Value::Null => Some(None),
            Value::Uint(_) | Value::Float(_) => {
                // The number is encoded as text, where a whole float is an integer.
                let text = to_string(Value::Float(value.as_f64().unwrap_or_default()));
                match text.parse() {
                    Ok(number) => Some(Some(number)),
                    Err(_) => self.mismatch(format!("number {text}"), at, "int64"),
                }
            }
            other => self.mismatch(other.go_json_name(), at, "int64"),
        }
    }

    /// A time as the server writes it: a string, or null for the zero time.
    pub(super) fn time(&mut self, value: Value<'a>, at: At) -> Option<Value<'a>> {
        let text = match value {
            Value::Str(text) => text,
            Value::Null => return Some(Value::Null),
            // Times decode themselves, so this error ends the decoding; the enclosing field is still added to
            // it.
            other => {
                self.last = Some(at.mismatch(other.go_json_name(), "string"));
                return None;
            }
        };
        match Time::parse(Layout::Rfc3339, text) {
            Ok(time) if is_zero(&time) => Some(Value::Null),
            // Twenty bytes mean a time in UTC without a fraction.
            Ok(_) if text.len() == 20 && text.ends_with('Z') => Some(value),
            Ok(time) => Some(Value::Str(
                self.arena.alloc_str(&time.utc().format(Layout::Rfc3339)),
            )),
            Err(error) => {
                self.last = Some(DecodeError::Time(error));
                None
            }
        }
    }

    fn mismatch<T>(
        &mut self,
        found: impl Into<Cow<'static, str>>,
        at: At,
        expected: &'static str,
    ) -> Option<T> {
        self.first.get_or_insert_with(|| at.mismatch(found, expected));
        None
    }

    pub(super) fn note_unknown(&mut self, path: impl FnOnce() -> PathBuf) {
        if self.listing == UnknownFields::Ignore || self.unknown.len() >= UNKNOWN_LIMIT {
            return;
        }
        self.unknown.push(path());
    }

    pub(super) fn entries(&self, object: Object<'a>) -> Cow<'a, [Entry<'a>]> {
        match self.order {
            Order::AsWritten => Cow::Borrowed(object.entries()),
            Order::Sorted => Cow::Owned(object.sorted()),
        }
    }
}

impl At {
    fn mismatch(self, found: impl Into<Cow<'static, str>>, expected: &'static str) -> DecodeError {
        let metadata = if self.within { "metadata." } else { "" };
        let path = match self.parent {
            None if !self.within => Cow::Borrowed(self.field),
            None => Cow::Owned(format!("{metadata}{}", self.field)),
            Some(parent) => Cow::Owned(format!("{metadata}{parent}.{}", self.field)),
        };
        DecodeError::Type {
            found: found.into(),
            field: Some((self.owner, path)),
            expected,
        }
    }
}

/// Writes a field back; does nothing if it is unchanged.
pub(super) fn put<'a>(edit: &mut kindsmith_json::ObjectEdit<'a>, entry: &Entry<'a>, new: Option<Value<'a>>) {
    match new {
        None => {
            edit.remove(entry.key);
        }
        Some(new) if !same(entry.value, new) => {
            edit.insert(entry.key, new);
        }
        Some(_) => {}
    }
}

/// Whether it is the very same value, without comparing containers.
fn same(old: Value<'_>, new: Value<'_>) -> bool {
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => std::ptr::eq(old, new),
        (Value::Object(old), Value::Object(new)) => std::ptr::eq(old.entries(), new.entries()),
        (Value::Str(old), Value::Str(new)) => std::ptr::eq(old, new),
        (Value::Int(old), Value::Int(new)) => old == new,
        (Value::Bool(old), Value::Bool(new)) => old == new,
        (Value::Null, Value::Null) => true,
        _ => false,
    }
}

/// Go's zero time: the first second of year one.
fn is_zero(time: &Time) -> bool {
    time.unix_seconds() == -62_135_596_800 && time.nanos() == 0
}
