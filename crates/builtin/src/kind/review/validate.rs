//! Validation of access reviews (pkg/apis/authorization/validation/validation.go).

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::write::{Escape, Format, append_string};
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Release};

use crate::field_check::text;
use crate::part::selector::{check_count, check_label};

/// Validates a review of an access, without the metadata that the server sets.
#[must_use]
pub fn validate_access_review(release: Release, kind: &str, review: Value<'_>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let spec = review.get("spec").unwrap_or_default();
    let present = |key| spec.get(key).filter(|value| !value.is_null());
    let (resource, path) = (present("resourceAttributes"), present("nonResourceAttributes"));
    if resource.is_some() == path.is_some() {
        let one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
        let (place, detail) = if release.has(Behavior::ReviewWithoutAttributes) {
            ("spec", one)
        } else if path.is_some() {
            (
                "spec.nonResourceAttributes",
                "cannot be specified in combination with resourceAttributes",
            )
        } else {
            ("spec.resourceAttributes", one)
        };
        errors.push(invalid(place, as_go(path), detail));
    }
    let is_list = |key| {
        spec.get(key)
            .and_then(Value::as_array)
            .is_some_and(|list| !list.is_empty())
    };
    if kind != "SelfSubjectAccessReview" && text(spec.get("user")).is_empty() && !is_list("groups") {
        let detail = "at least one of user or group must be specified";
        errors.push(invalid("spec.user", BadValue::Text("".into()), detail));
    }
    for key in ["fieldSelector", "labelSelector"] {
        let selector = resource.and_then(|resource| resource.get(key));
        if let Some(selector) = selector.filter(|selector| !selector.is_null()) {
            validate_selector(key, selector, &mut errors);
        }
    }
    validate_metadata(kind, review, &mut errors);
    if kind == "LocalSubjectAccessReview" {
        validate_local(review, resource, path, &mut errors);
    }
    errors
}

fn validate_selector(key: &str, selector: Value<'_>, errors: &mut Vec<FieldError>) {
    let raw = text(selector.get("rawSelector"));
    let requirements = selector.get("requirements").and_then(Value::as_array);
    let has_requirements = requirements.is_some_and(|list| !list.is_empty());
    let path = format!("spec.resourceAttributes.{key}");
    if !raw.is_empty() && has_requirements {
        let detail = "may not specified at the same time as requirements";
        errors.push(invalid(
            &format!("{path}.rawSelector"),
            BadValue::Text(raw.into()),
            detail,
        ));
    }
    if raw.is_empty() && !has_requirements {
        let detail = format!("when {path} is specified, requirements or rawSelector is required");
        errors.push(FieldError {
            kind: ErrorKind::Required,
            ..invalid(
                &format!("{path}.requirements"),
                BadValue::Text("".into()),
                &detail,
            )
        });
    }
    validate_requirements(key, requirements.unwrap_or_default(), errors);
}

/// Checks requirements. Operators may be unknown, so that newer clients can ask.
fn validate_requirements(key: &str, requirements: &[Value<'_>], errors: &mut Vec<FieldError>) {
    let spec = Path::root("spec");
    let attributes = spec.child("resourceAttributes");
    let selector = attributes.child(key);
    let list = selector.child("requirements");
    for (index, &requirement) in requirements.iter().enumerate() {
        let path = list.index(index);
        if key == "labelSelector" {
            check_count(requirement, &path, errors);
            check_label(requirement, &path, errors);
            continue;
        }
        if text(requirement.get("key")).is_empty() {
            let bad = BadValue::Text("".into());
            let detail = Detail::Text("must be specified".into());
            let path = path.child("key").to_owned();
            errors.push(FieldError::new(ErrorKind::Required, path, bad, detail));
        }
        check_count(requirement, &path, errors);
    }
}

/// Rejects metadata, except what the server itself sets.
fn validate_metadata(kind: &str, review: Value<'_>, errors: &mut Vec<FieldError>) {
    let is_local = kind == "LocalSubjectAccessReview";
    let metadata = review.get("metadata").unwrap_or_default();
    let object = metadata.as_object().unwrap_or_default();
    let is_empty = object
        .keys()
        .all(|key| key == "managedFields" || (is_local && key == "namespace"));
    if !is_empty {
        let mut json = String::new();
        Format::default().escape(Escape::Html).append(&mut json, metadata);
        let detail = if is_local {
            "must be empty except for namespace"
        } else {
            "must be empty"
        };
        errors.push(invalid("metadata", BadValue::Json(json.into()), detail));
    }
}

fn validate_local(
    review: Value<'_>,
    resource: Option<Value<'_>>,
    path: Option<Value<'_>>,
    errors: &mut Vec<FieldError>,
) {
    let namespace = text(review.lookup(&["metadata", "namespace"]));
    if let Some(resource) = resource
        && text(resource.get("namespace")) != namespace
    {
        let bad = BadValue::Text(text(resource.get("namespace")).into());
        let field = "spec.resourceAttributes.namespace";
        errors.push(invalid(field, bad, "must match metadata.namespace"));
    }
    if path.is_some() {
        let detail = "disallowed on this kind of request";
        errors.push(invalid("spec.nonResourceAttributes", as_go(path), detail));
    }
}

/// A path and its verb as Go prints the internal type, which has no JSON names.
fn as_go(path: Option<Value<'_>>) -> BadValue {
    let Some(path) = path else { return BadValue::Nil };
    let quoted = |key| {
        let mut out = String::new();
        append_string(&mut out, text(path.get(key)), Escape::Html);
        out
    };
    BadValue::Json(format!("{{\"Path\":{},\"Verb\":{}}}", quoted("path"), quoted("verb")).into())
}

fn invalid(path: &str, bad: BadValue, detail: &str) -> FieldError {
    let path: PathBuf = path.split('.').map(|name| Step::Field(name.into())).collect();
    FieldError::new(ErrorKind::Invalid, path, bad, Detail::Text(detail.into()))
}
