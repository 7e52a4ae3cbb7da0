//! Errors and checks shared by the rules of several kinds, with the messages of `field.Error`.

use kindsmith_formats::format::message;
use kindsmith_json::{Object, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_schema::Str;

/// An invalid value.
pub(crate) fn invalid(path: &Path<'_>, bad: BadValue, detail: impl Into<Str>) -> FieldError {
    FieldError::new(
        ErrorKind::Invalid,
        path.to_owned(),
        bad,
        Detail::Text(detail.into()),
    )
}

/// An invalid string.
pub(crate) fn invalid_text(path: &Path<'_>, bad: &str, detail: impl Into<Str>) -> FieldError {
    invalid(path, BadValue::Text(bad.into()), detail)
}

/// A missing value.
pub(crate) fn required(path: &Path<'_>, detail: &str) -> FieldError {
    let bad = BadValue::Text("".into());
    FieldError::new(
        ErrorKind::Required,
        path.to_owned(),
        bad,
        Detail::Text(detail.into()),
    )
}

/// A forbidden value.
pub(crate) fn forbidden(path: &Path<'_>, detail: impl Into<Str>) -> FieldError {
    let bad = BadValue::Text("".into());
    FieldError::new(
        ErrorKind::Forbidden,
        path.to_owned(),
        bad,
        Detail::Text(detail.into()),
    )
}

/// A duplicate string.
pub(crate) fn duplicate(path: &Path<'_>, bad: &str) -> FieldError {
    let bad = BadValue::Text(bad.into());
    FieldError::new(ErrorKind::Duplicate, path.to_owned(), bad, Detail::None)
}

/// A reference to something that does not exist.
pub(crate) fn not_found(path: &Path<'_>, bad: &str) -> FieldError {
    let bad = BadValue::Text(bad.into());
    FieldError::new(ErrorKind::NotFound, path.to_owned(), bad, Detail::None)
}

/// A string that is not one of the supported values. Such strings have types of their own in Go, so they are shown as JSON
/// (apimachinery `field.Error.ErrorBody`).
pub(crate) fn not_supported(path: &Path<'_>, bad: &str, known: &[&str]) -> FieldError {
    let known = known.iter().map(|&word| word.into()).collect();
    let bad = BadValue::Json(BadValue::Text(bad.into()).to_json().into());
    FieldError::new(
        ErrorKind::NotSupported,
        path.to_owned(),
        bad,
        Detail::Supported(known),
    )
}

/// A value with too many bytes.
pub(crate) fn too_long(path: &Path<'_>, limit: i64) -> FieldError {
    let bad = BadValue::Omitted;
    FieldError::new(
        ErrorKind::TooLong,
        path.to_owned(),
        bad,
        Detail::AtMostBytes(limit),
    )
}

/// Rejects negative numbers (`ValidateNonnegativeField`).
pub(crate) fn not_negative(path: &Path<'_>, value: Option<Value<'_>>, errors: &mut Vec<FieldError>) {
    let number = number(value);
    if number < 0 {
        let bad = BadValue::Integer(number.into());
        errors.push(FieldError {
            origin: "minimum".into(),
            ..FieldError::new(
                ErrorKind::Invalid,
                path.to_owned(),
                bad,
                Detail::AtLeast("0".into()),
            )
        });
    }
}

/// Rejects changes (`ValidateImmutableField`).
pub(crate) fn immutable(path: &Path<'_>, new: BadValue, errors: &mut Vec<FieldError>) {
    errors.push(FieldError {
        origin: "immutable".into(),
        ..invalid(path, new, "field is immutable")
    });
}

/// Checks a key of a ConfigMap or Secret (`IsConfigMapKey` in apimachinery's pkg/util/validation/validation.go).
pub(crate) fn check_key(path: &Path<'_>, key: &str, errors: &mut Vec<FieldError>) {
    const LIMIT: usize = 253;
    let path = path.key(key);
    let mut refuse = |detail: String| errors.push(invalid_text(&path, key, detail));
    if key.len() > LIMIT {
        refuse(format!("must be no more than {LIMIT} characters"));
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if key.is_empty() || !key.bytes().all(is_part) {
        refuse(message::regex(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            &["key.name", "KEY_NAME", "key-name"],
        ));
    }
    match key {
        "." | ".." => refuse(format!("must not be '{key}'")),
        key if key.starts_with("..") => refuse("must not start with '..'".to_owned()),
        _ => {}
    }
}

/// Rejects a finalizer that is neither known nor has a domain (`validateKubeFinalizerName` in
/// pkg/apis/core/validation/validation.go).
pub(crate) fn check_finalizer(path: &Path<'_>, name: &str, errors: &mut Vec<FieldError>) {
    let is_standard = matches!(name, "kubernetes" | "orphan" | "foregroundDeletion");
    if !name.contains('/') && !is_standard {
        let detail = "name is neither a standard finalizer name nor is it fully qualified";
        errors.push(invalid_text(path, name, detail));
    }
}

/// The errors in a name.
pub(crate) fn name_problems(rule: NameRule, name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    rule.validate(name, &Path::NIL, &mut errors);
    errors.into_iter().map(|error| error.detail.to_string()).collect()
}

/// The elements of a list.
pub(crate) fn items(value: Option<Value<'_>>) -> &[Value<'_>] {
    value.and_then(Value::as_array).unwrap_or_default()
}

/// The entries of a map.
pub(crate) fn entries(value: Option<Value<'_>>) -> Object<'_> {
    value.and_then(Value::as_object).unwrap_or_default()
}

/// A string; empty if absent.
pub(crate) fn text(value: Option<Value<'_>>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// A number; zero if absent.
pub(crate) fn number(value: Option<Value<'_>>) -> i64 {
    value.and_then(Value::as_i64).unwrap_or_default()
}

/// A boolean; false if absent.
pub(crate) fn truth(value: Option<Value<'_>>) -> bool {
    value.and_then(Value::as_bool).unwrap_or_default()
}

/// The bytes of base64 text.
pub(crate) fn decoded(value: Value<'_>) -> Vec<u8> {
    kindsmith_gostd::base64::decode(value.as_str().unwrap_or_default().as_bytes()).unwrap_or_default()
}
