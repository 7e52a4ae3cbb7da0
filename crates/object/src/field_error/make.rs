//! The constructors of field errors, one for each kind (apimachinery's pkg/util/validation/field/errors.go).
//!
//! Paths are given as they are at hand, borrowed or owned; texts become values and details by themselves.

use kindsmith_json::path::PathBuf;
use kindsmith_schema::Str;

use super::{About, BadValue, Detail, ErrorKind, FieldError};

impl FieldError {
    /// A missing value.
    #[must_use]
    pub fn required(path: impl Into<PathBuf>, detail: impl Into<Detail>) -> Self {
        Self::new(ErrorKind::Required, path.into(), "".into(), detail.into())
    }

    /// A malformed value.
    #[must_use]
    pub fn invalid(path: impl Into<PathBuf>, bad: impl Into<BadValue>, detail: impl Into<Detail>) -> Self {
        Self::new(ErrorKind::Invalid, path.into(), bad.into(), detail.into())
    }

    /// A value of the wrong type.
    #[must_use]
    pub fn type_invalid(
        path: impl Into<PathBuf>,
        bad: impl Into<BadValue>,
        detail: impl Into<Detail>,
    ) -> Self {
        Self::new(ErrorKind::TypeInvalid, path.into(), bad.into(), detail.into())
    }

    /// A value that is not one of those supported, which are shown in the order given.
    ///
    /// A string of a Go type of its own is shown as JSON: give it as [`BadValue::json_text`].
    #[must_use]
    pub fn not_supported(path: impl Into<PathBuf>, bad: impl Into<BadValue>, supported: &[&str]) -> Self {
        let detail = Detail::Supported(supported.iter().map(|&value| value.into()).collect());
        Self::new(ErrorKind::NotSupported, path.into(), bad.into(), detail)
    }

    /// A value that is not allowed here.
    #[must_use]
    pub fn forbidden(path: impl Into<PathBuf>, detail: impl Into<Detail>) -> Self {
        Self::new(ErrorKind::Forbidden, path.into(), "".into(), detail.into())
    }

    /// A value that occurs twice.
    #[must_use]
    pub fn duplicate(path: impl Into<PathBuf>, bad: impl Into<BadValue>) -> Self {
        Self::new(ErrorKind::Duplicate, path.into(), bad.into(), Detail::None)
    }

    /// A reference without a target.
    #[must_use]
    pub fn not_found(path: impl Into<PathBuf>, bad: impl Into<BadValue>) -> Self {
        Self::new(ErrorKind::NotFound, path.into(), bad.into(), Detail::None)
    }

    /// A text of more than `limit` bytes.
    #[must_use]
    pub fn too_long(path: impl Into<PathBuf>, limit: usize) -> Self {
        let detail = Detail::AtMostBytes(limit as i64);
        Self::new(ErrorKind::TooLong, path.into(), BadValue::Omitted, detail)
    }

    /// A list or map of more than `limit` elements.
    #[must_use]
    pub fn too_many(path: impl Into<PathBuf>, actual: usize, limit: usize) -> Self {
        let detail = Detail::AtMostItems(limit as i64);
        Self::new(ErrorKind::TooMany, path.into(), actual.into(), detail)
    }

    /// Rules that could not be applied.
    #[must_use]
    pub fn internal(path: impl Into<PathBuf>, detail: impl Into<Detail>) -> Self {
        Self::new(ErrorKind::Internal, path.into(), BadValue::Failure, detail.into())
    }

    /// The same error, marked for code that treats it specially.
    #[must_use]
    pub fn about(mut self, about: About) -> Self {
        self.about = Some(about);
        self
    }

    /// The same error of a rule with a machine-readable name.
    #[must_use]
    pub fn with_origin(mut self, origin: &'static str) -> Self {
        self.origin = origin.into();
        self
    }
}

macro_rules! detail_from {
    ($($text:ty),*) => {$(
        impl From<$text> for Detail {
            fn from(text: $text) -> Self {
                if text.is_empty() {
                    return Self::None;
                }
                Self::Text(text.into())
            }
        }
    )*};
}

detail_from!(&str, String, Str);

impl From<&str> for BadValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for BadValue {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<bool> for BadValue {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<i64> for BadValue {
    fn from(number: i64) -> Self {
        Self::Integer(number.into())
    }
}

impl From<usize> for BadValue {
    fn from(number: usize) -> Self {
        Self::Integer(number as i128)
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::Path;

    use super::*;

    #[test]
    fn each_kind_has_its_words() {
        let path = &Path::root("f");
        for (error, text) in [
            (FieldError::required(path, ""), "f: Required value"),
            (
                FieldError::required(path, "must be set"),
                "f: Required value: must be set",
            ),
            (FieldError::invalid(path, "a", "b"), r#"f: Invalid value: "a": b"#),
            (FieldError::invalid(path, -1_i64, "b"), "f: Invalid value: -1: b"),
            (
                FieldError::type_invalid(path, true, "b"),
                "f: Invalid value: true: b",
            ),
            (
                FieldError::not_supported(path, BadValue::json_text("<"), &["a", "b"]),
                r#"f: Unsupported value: "\u003c": supported values: "a", "b""#,
            ),
            (FieldError::forbidden(path, "b"), "f: Forbidden: b"),
            (FieldError::duplicate(path, "a"), r#"f: Duplicate value: "a""#),
            (FieldError::not_found(path, "a"), r#"f: Not found: "a""#),
            (
                FieldError::too_long(path, 1),
                "f: Too long: may not be more than 1 byte",
            ),
            (
                FieldError::too_many(path, 3, 2),
                "f: Too many: 3: must have at most 2 items",
            ),
            (FieldError::internal(path, "b"), "f: Internal error: b"),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }
}
