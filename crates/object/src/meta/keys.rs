//! Labels and annotations: their keys, values and size.

use kindsmith_formats::format::{self, Format};
use kindsmith_formats::limit;
use kindsmith_json::{Object, Path, Value};

use crate::field_error::{BadValue, FieldError};

/// Checks labels (`ValidateLabels` in apimachinery's pkg/apis/meta/v1/validation/validation.go).
pub fn validate_labels(labels: Object<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    for (key, value) in labels {
        check("k8s-label-key", key, key, path, errors);
        let value = value.as_str().unwrap_or_default();
        check("k8s-label-value", value, value, path, errors);
    }
}

/// Checks annotations (`ValidateAnnotations` in apimachinery's pkg/api/validation/objectmeta.go).
pub fn validate_annotations(annotations: Object<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let mut size = 0;
    for (key, value) in annotations {
        let value = value.as_str().unwrap_or_default();
        size += key.len() + value.len();
        if key
            .bytes()
            .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
        {
            check("k8s-label-key", key, key, path, errors);
        } else {
            check("k8s-label-key", &key.to_lowercase(), key, path, errors);
        }
    }
    if size > limit::ANNOTATIONS_BYTES {
        errors.push(FieldError::too_long(path, limit::ANNOTATIONS_BYTES));
    }
}

/// Checks `text` against a format of names; the errors show `shown`.
pub(super) fn check(name: &str, text: &str, shown: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let format: &Format = format::find(name).expect("the formats used here exist");
    (format.check)(text, &mut |violation| {
        errors.push(FieldError::invalid(path, shown, violation.detail));
    });
}

/// A list of names as encoding/json writes it.
pub(super) fn names_as_json(names: &[Value<'_>]) -> BadValue {
    let mut text = String::new();
    kindsmith_json::write::Format::default()
        .escape(kindsmith_json::write::Escape::Html)
        .append(&mut text, Value::Array(names));
    BadValue::Json(text.into())
}
