//! Embedded resources (`x-kubernetes-embedded-resource`): the type and metadata that an object inside another
//! must have.

use kindsmith_json::write::{Escape, Format, Order};
use kindsmith_json::{Arena, Object, Path, Value};

use super::name;
use super::{Malformed, NameRule, Scope, UnknownFields, decode, validate_create};
use crate::GroupVersion;
use crate::field_error::{BadValue, FieldError};

/// Checks `apiVersion`, `kind` and `metadata` of an embedded resource at `path`
/// (`validateEmbeddedResource` in apiextensions-apiserver's pkg/apiserver/schema/objectmeta/validation.go).
pub fn validate_embedded(object: Object<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    for key in ["apiVersion", "kind"] {
        if !object.contains_key(key) {
            errors.push(FieldError::required(&path.child(key), ""));
        }
    }
    if let Some(version) = object.get("apiVersion") {
        validate_api_version(version, &path.child("apiVersion"), errors);
    }
    if let Some(kind) = object.get("kind") {
        validate_kind(kind, &path.child("kind"), errors);
    }
    if let Some(metadata) = object.get("metadata") {
        validate_metadata(metadata, &path.child("metadata"), errors);
    }
}

fn validate_api_version(version: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let Some(text) = nonempty_string(version, path, errors) else {
        return;
    };
    if let Err(error) = GroupVersion::parse(text) {
        errors.push(FieldError::invalid(path, text, error.to_string()));
    }
}

fn validate_kind(kind: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let Some(text) = nonempty_string(kind, path, errors) else {
        return;
    };
    let details: Vec<String> = name::label_1035(&text.to_lowercase())
        .into_iter()
        .flatten()
        .collect();
    if !details.is_empty() {
        let detail = format!(
            "may have mixed case, but should otherwise match: {}",
            details.join(",")
        );
        errors.push(FieldError::invalid(path, text, detail));
    }
}

fn nonempty_string<'a>(value: Value<'a>, path: &Path<'_>, errors: &mut Vec<FieldError>) -> Option<&'a str> {
    match value {
        Value::Str("") => {
            errors.push(FieldError::invalid(path, "", "must not be empty"));
            None
        }
        Value::Str(text) => Some(text),
        other => {
            errors.push(FieldError::invalid(path, shown(other), "must be a string"));
            None
        }
    }
}

fn validate_metadata(metadata: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let arena = Arena::new();
    // A copy is made only when something changes, which is never the case for coerced metadata.
    let mut meta = match decode(&arena, metadata, Malformed::Refuse, UnknownFields::Ignore) {
        Ok(decoded) => decoded.meta,
        Err(error) => {
            errors.push(FieldError::invalid(path, shown(metadata), error.to_string()));
            return;
        }
    };
    if meta.name.is_empty() {
        // Embedded resources need no name, but the common checks require one.
        meta.name = "fakename";
    }
    let scope = match meta.namespace {
        "" => Scope::Cluster,
        _ => Scope::Namespaced,
    };
    validate_create(&meta, scope, NameRule::PathSegment, path, errors);
}

/// An untyped value in the form that field errors show.
pub fn shown(value: Value<'_>) -> BadValue {
    match value {
        Value::Null => BadValue::Nil,
        Value::Bool(truth) => BadValue::Bool(truth),
        Value::Int(number) => BadValue::Integer(number.into()),
        Value::Uint(number) => BadValue::Float(number as f64),
        Value::Float(number) => BadValue::Float(number),
        Value::Str(text) => text.into(),
        Value::Array(_) | Value::Object(_) => {
            let mut text = String::new();
            Format::default()
                .escape(Escape::Html)
                .order(Order::Sorted)
                .append(&mut text, value);
            BadValue::Json(text.into())
        }
    }
}
