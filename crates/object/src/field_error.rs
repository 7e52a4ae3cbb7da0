//! Field errors: what is wrong with an object, as data; text only in `Display`.
//!
//! Knows Kubernetes' words for errors, not how they are found.

mod about;
mod bad_value;
mod detail;
mod make;

use std::borrow::Cow;
use std::fmt;

use kindsmith_gostd::budget;
use kindsmith_json::path::PathBuf;
use kindsmith_schema::{Level, Place};

pub use about::{About, Keyword};
pub use bad_value::BadValue;
pub use detail::{Detail, UnionVerdict};

/// One thing that is wrong with an object.
///
/// `Display` is Kubernetes' full text: path, kind, value and detail (`field.Error.Error` of apimachinery).
#[derive(Debug, Clone, PartialEq)]
pub struct FieldError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// Where it is.
    pub path: PathBuf,
    /// The offending value.
    pub bad: BadValue,
    /// What is wrong with it.
    pub detail: Detail,
    /// The machine-readable name of the rule: `maxLength`, `format=k8s-uuid`; sometimes empty.
    pub origin: Cow<'static, str>,
    /// Stability of the rule; `None` is enforced.
    pub level: Option<Level>,
    /// Whether the failure stopped other checks of its field.
    pub short_circuit: bool,
    /// The rule that failed, for finding its source.
    pub rule: Option<Place>,
    /// What it is about, where code asks.
    pub about: Option<About>,
}

/// Kinds of field errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// A value is missing.
    Required,
    /// A value is not allowed here.
    Forbidden,
    /// A value is malformed or out of bounds.
    Invalid,
    /// A value has the wrong type.
    TypeInvalid,
    /// A value is not one of those allowed.
    NotSupported,
    /// A reference without a target.
    NotFound,
    /// A value occurs twice.
    Duplicate,
    /// A text is too long.
    TooLong,
    /// A text is too short.
    TooShort,
    /// A list or map has too many elements.
    TooMany,
    /// A list or map has too few elements.
    TooFew,
    /// The rules themselves could not be applied.
    Internal,
}

impl ErrorKind {
    /// The machine-readable name, as in a Status cause: `FieldValueInvalid`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Forbidden => "FieldValueForbidden",
            Self::Invalid => "FieldValueInvalid",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::NotFound => "FieldValueNotFound",
            Self::Duplicate => "FieldValueDuplicate",
            Self::TooLong => "FieldValueTooLong",
            Self::TooShort => "FieldValueTooShort",
            Self::TooMany => "FieldValueTooMany",
            Self::TooFew => "FieldValueTooFew",
            Self::Internal => "InternalError",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Forbidden => "Forbidden",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::NotFound => "Not found",
            Self::Duplicate => "Duplicate value",
            Self::TooLong => "Too long",
            Self::TooShort => "Too short",
            Self::TooMany => "Too many",
            Self::TooFew => "Too few",
            Self::Internal => "Internal error",
        }
    }

    /// Whether the text shows the offending value.
    fn shows_value(self) -> bool {
        !matches!(
            self,
            Self::Required | Self::Forbidden | Self::TooLong | Self::TooShort | Self::Internal
        )
    }
}

/// Roughly how many bytes an error takes with its path and texts.
const ERROR: usize = 512;

impl FieldError {
    /// An error of a check without a name or stability level, as for all custom resources.
    #[inline]
    #[must_use]
    pub fn new(kind: ErrorKind, path: PathBuf, bad: BadValue, detail: Detail) -> Self {
        budget::keep(ERROR);
        Self {
            kind,
            path,
            bad,
            detail,
            origin: "".into(),
            level: None,
            short_circuit: false,
            rule: None,
            about: None,
        }
    }

    /// Whether the API server rejects the object: for unmarked rules always, for beta rules if enabled, for
    /// alpha rules never.
    #[must_use]
    pub fn is_enforced(&self, beta: bool) -> bool {
        match self.level {
            _ if self.kind == ErrorKind::Internal => true,
            Some(Level::Alpha) => false,
            Some(Level::Beta) => beta,
            Some(Level::Stable) | None => true,
        }
    }

    /// The text without the path, as in a Status cause.
    #[must_use]
    pub fn body(&self) -> impl fmt::Display + '_ {
        Body(self)
    }
}

impl std::error::Error for FieldError {}

impl fmt::Display for FieldError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path, Body(self))
    }
}

struct Body<'e>(&'e FieldError);

impl fmt::Display for Body<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        out.write_str(error.kind.text())?;
        if error.kind.shows_value() && error.bad != BadValue::Omitted {
            write!(out, ": {}", error.bad)?;
        }
        if error.detail.is_empty() {
            return Ok(());
        }
        write!(out, ": {}", error.detail)
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::path::Step;

    use super::*;

    fn check(kind: ErrorKind, bad: BadValue, detail: Detail, text: &str) {
        let path: PathBuf = [Step::Field("spec".into()), Step::Field("f".into())]
            .into_iter()
            .collect();
        assert_eq!(FieldError::new(kind, path, bad, detail).to_string(), text);
    }

    #[test]
    fn texts_are_those_of_kubernetes() {
        use ErrorKind as Kind;
        let json = |text: &str| BadValue::Json(text.into());
        check(
            Kind::Required,
            BadValue::Text("".into()),
            Detail::None,
            "spec.f: Required value",
        );
        check(
            Kind::TooLong,
            BadValue::Omitted,
            Detail::AtMostCharacters(1),
            "spec.f: Too long: may not be more than 1 character",
        );
        check(
            Kind::Invalid,
            BadValue::Omitted,
            Detail::Text("failed rule: self.a".into()),
            "spec.f: Invalid value: failed rule: self.a",
        );
        check(
            Kind::TooMany,
            BadValue::Integer(2),
            Detail::AtMostItems(1),
            "spec.f: Too many: 2: must have at most 1 item",
        );
        check(
            Kind::Invalid,
            BadValue::Nil,
            Detail::Text("field is immutable".into()),
            "spec.f: Invalid value: null: field is immutable",
        );
        check(
            Kind::Duplicate,
            json(r#"{"k":"a","p":3}"#),
            Detail::None,
            r#"spec.f: Duplicate value: {"k":"a","p":3}"#,
        );
        check(
            Kind::NotSupported,
            json(r#""z\u003c""#),
            Detail::Supported(vec!["a".into(), "b".into()]),
            r#"spec.f: Unsupported value: "z\u003c": supported values: "a", "b""#,
        );
    }

    #[test]
    fn an_empty_list_of_supported_values() {
        check(
            ErrorKind::NotSupported,
            BadValue::Text("x".into()),
            Detail::Supported(Vec::new()),
            r#"spec.f: Unsupported value: "x""#,
        );
    }
}
