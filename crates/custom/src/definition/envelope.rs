//! The text around errors: the message of a 422 and how several errors become one.

use kindsmith_engine::{BadValue, FieldError};
use kindsmith_json::Path;
use kindsmith_scalar::quote::quote;

use super::faults::Faults;

/// The message of the Status for an invalid object: `Kind.group "name" is invalid: …` (`errors.NewInvalid`).
#[must_use]
pub fn invalid_message(kind: &str, group: &str, name: &str, errors: &[FieldError]) -> String {
    let dot = if group.is_empty() { "" } else { "." };
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let subject = format!("{kind}{dot}{group} {} is invalid", quote(name));
    if texts.is_empty() {
        return subject;
    }
    format!("{subject}: {}", aggregate(&texts))
}

/// Why an update without `metadata.resourceVersion` is refused. The store says it before anything is validated, and its
/// message names the resource where others name the kind: `customresourcedefinitions.apiextensions.k8s.io "x"`.
#[must_use]
pub fn unconditional_update() -> FieldError {
    let mut faults = Faults::default();
    faults.invalid(
        &Path::root("metadata").child("resourceVersion"),
        BadValue::Integer(0),
        "must be specified for an update",
    );
    faults.into_errors().swap_remove(0)
}

/// Several errors as one text: a single one as it is, more in brackets, equal ones once (`utilerrors.Aggregate`).
#[must_use]
pub fn aggregate(texts: &[String]) -> String {
    let mut distinct: Vec<&str> = Vec::with_capacity(texts.len());
    for text in texts {
        if !distinct.contains(&text.as_str()) {
            distinct.push(text);
        }
    }
    match distinct[..] {
        [single] => single.to_owned(),
        _ => format!("[{}]", distinct.join(", ")),
    }
}
