//! Owner references: their fields, and what makes them invalid.

use std::fmt::Write as _;

use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Path, Value};

use super::ObjectMeta;
use crate::GroupVersion;
use crate::field_error::{BadValue, FieldError};

/// One owner of an object (`metav1.OwnerReference`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct OwnerReference<'a> {
    /// The owner's group and version.
    pub api_version: &'a str,
    /// The owner's kind.
    pub kind: &'a str,
    /// The owner's name.
    pub name: &'a str,
    /// The owner's uid.
    pub uid: &'a str,
    /// Is the owner the managing controller?
    pub controller: Option<bool>,
    /// Does the object block foreground deletion of its owner?
    pub block_owner_deletion: Option<bool>,
}

impl<'a> OwnerReference<'a> {
    /// Reads the fields of a decoded reference.
    #[must_use]
    pub fn of(value: Value<'a>) -> Self {
        let text = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let truth = |key| value.get(key).and_then(Value::as_bool);
        OwnerReference {
            api_version: text("apiVersion"),
            kind: text("kind"),
            name: text("name"),
            uid: text("uid"),
            controller: truth("controller"),
            block_owner_deletion: truth("blockOwnerDeletion"),
        }
    }

    /// Appends the reference as encoding/json writes the struct.
    fn append_json(&self, out: &mut String) {
        let format = Format::default().escape(Escape::Html);
        for (key, text) in [
            ("{\"apiVersion\":", self.api_version),
            (",\"kind\":", self.kind),
            (",\"name\":", self.name),
            (",\"uid\":", self.uid),
        ] {
            out.push_str(key);
            format.append(out, Value::Str(text));
        }
        for (key, truth) in [
            ("controller", self.controller),
            ("blockOwnerDeletion", self.block_owner_deletion),
        ] {
            if let Some(truth) = truth {
                let _ = write!(out, ",\"{key}\":{truth}");
            }
        }
        out.push('}');
    }
}

/// Checks owner references (`ValidateOwnerReferences` in apimachinery's pkg/api/validation/objectmeta.go).
pub(super) fn validate(meta: &ObjectMeta<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let mut first: Option<OwnerReference<'_>> = None;
    for (index, owner) in meta.owners().enumerate() {
        validate_one(&owner, &path.index(index), errors);
        if owner.controller != Some(true) {
            continue;
        }
        let Some(first) = first else {
            first = Some(owner);
            continue;
        };
        let detail = format!(
            "Only one reference can have Controller set to true. Found \"true\" in references for {}/{} and {}/{}",
            first.kind, first.name, owner.kind, owner.name
        );
        errors.push(FieldError::invalid(path, all_as_json(meta.owners()), detail));
    }
}

fn all_as_json<'a>(owners: impl Iterator<Item = OwnerReference<'a>>) -> BadValue {
    let mut text = String::from("[");
    for (index, owner) in owners.enumerate() {
        if index > 0 {
            text.push(',');
        }
        owner.append_json(&mut text);
    }
    text.push(']');
    BadValue::Json(text.into())
}

fn validate_one(owner: &OwnerReference<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let group_version = GroupVersion::parse(owner.api_version).ok();
    if owner.api_version.is_empty() {
        errors.push(FieldError::required(
            &path.child("apiVersion"),
            "must not be empty",
        ));
    } else if group_version.is_none_or(|found| found.version.is_empty()) {
        errors.push(FieldError::invalid(
            &path.child("apiVersion"),
            owner.api_version,
            "must be <group>/<version> or <version>",
        ));
    }
    for (key, text) in [("kind", owner.kind), ("name", owner.name), ("uid", owner.uid)] {
        if text.is_empty() {
            errors.push(FieldError::required(&path.child(key), "must not be empty"));
        }
    }
    if group_version.map(|found| (found.group, found.version)) == Some(("", "v1")) && owner.kind == "Event" {
        let mut text = String::new();
        owner.append_json(&mut text);
        errors.push(FieldError::invalid(
            path,
            BadValue::Json(text.into()),
            "/v1, Kind=Event is disallowed from being an owner",
        ));
    }
}

/// Splits `group/version` or `version`; `None` if there are more slashes (`schema.ParseGroupVersion`).
#[must_use]
pub fn group_version(text: &str) -> Option<(&str, &str)> {
    let found = GroupVersion::parse(text).ok()?;
    Some((found.group, found.version))
}
