//! Members read by key or by a chain of keys, with Go's meaning of absence: a member that is missing, null or of another type
//! is the zero value of its type. [`Value::get`] and [`Value::lookup`] tell absence from zero. Knows no schema.

use crate::{Object, Value};

/// A way down to a member: one key, or a chain of keys.
pub trait Keys {
    /// The member of `value`, if it exists.
    fn member(self, value: Value<'_>) -> Option<Value<'_>>;
}

impl Keys for &str {
    #[inline]
    fn member(self, value: Value<'_>) -> Option<Value<'_>> {
        value.get(self)
    }
}

impl Keys for &[&str] {
    #[inline]
    fn member(self, value: Value<'_>) -> Option<Value<'_>> {
        value.lookup(self)
    }
}

impl<const N: usize> Keys for &[&str; N] {
    #[inline]
    fn member(self, value: Value<'_>) -> Option<Value<'_>> {
        value.lookup(self)
    }
}

impl<'a> Value<'a> {
    /// The string under `keys`; empty if there is none.
    ///
    /// ```
    /// # use kindsmith_json::{Arena, parse_str};
    /// let arena = Arena::new();
    /// let pod = parse_str(&arena, r#"{"kind": "Pod", "metadata": {"name": "web"}}"#)?;
    /// assert_eq!(pod.text("kind"), "Pod");
    /// assert_eq!(pod.text(&["metadata", "name"]), "web");
    /// assert_eq!(pod.text("apiVersion"), "");
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn text(self, keys: impl Keys) -> &'a str {
        keys.member(self).and_then(Value::as_str).unwrap_or_default()
    }

    /// The elements of the array under `keys`; empty if there is none.
    #[must_use]
    #[inline]
    pub fn list(self, keys: impl Keys) -> &'a [Value<'a>] {
        keys.member(self).and_then(Value::as_array).unwrap_or_default()
    }

    /// The object under `keys`; empty if there is none.
    #[must_use]
    #[inline]
    pub fn object(self, keys: impl Keys) -> Object<'a> {
        keys.member(self).and_then(Value::as_object).unwrap_or_default()
    }

    /// The integer under `keys`; zero if there is none that fits `i64`.
    #[must_use]
    #[inline]
    pub fn integer(self, keys: impl Keys) -> i64 {
        keys.member(self).and_then(Value::as_i64).unwrap_or_default()
    }

    /// The boolean under `keys`; false if there is none.
    #[must_use]
    #[inline]
    pub fn bool(self, keys: impl Keys) -> bool {
        keys.member(self).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The strings of the array under `keys`; other elements are skipped.
    pub fn texts(self, keys: impl Keys) -> impl Iterator<Item = &'a str> {
        self.list(keys).iter().filter_map(|item| item.as_str())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, parse_str};

    #[test]
    fn what_is_absent_or_of_another_type_is_zero() {
        let arena = Arena::new();
        let text = r#"{"a": {"t": "x", "l": ["y", 1, "z"], "o": {"k": 1}, "i": 7, "b": true}}"#;
        let value = parse_str(&arena, text).expect("JSON");
        let a = value.get("a").expect("a member");
        assert_eq!((a.text("t"), value.text(&["a", "t"])), ("x", "x"));
        assert_eq!((a.integer("i"), a.bool("b")), (7, true));
        assert_eq!((a.object("o").len(), value.list(&["a", "l"]).len()), (1, 3));
        assert_eq!(a.texts("l").collect::<Vec<_>>(), ["y", "z"]);
        for key in ["t", "none"] {
            assert_eq!((a.integer(key), a.bool(key), a.object(key).len()), (0, false, 0));
        }
        assert_eq!((a.text("i"), value.text(&["a", "t", "deeper"])), ("", ""));
    }
}
