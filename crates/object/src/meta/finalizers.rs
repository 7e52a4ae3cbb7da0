//! Finalizers: what makes them invalid, and what the server warns about.

use std::collections::BTreeSet;

use kindsmith_formats::format;
use kindsmith_gostd::quote::quote;
use kindsmith_json::Path;

use super::ObjectMeta;
use super::keys::{check, names_as_json};
use crate::field_error::FieldError;

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";
/// Finalizers that Kubernetes itself uses without a domain.
const STANDARD: [&str; 3] = [ORPHAN, FOREGROUND, "kubernetes"];

/// Checks finalizers (`ValidateFinalizers` in apimachinery's pkg/api/validation/objectmeta.go).
pub(super) fn validate(meta: &ObjectMeta<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    for name in meta.finalizer_names() {
        check("k8s-label-key", name, name, path, errors);
    }
    let has = |wanted| meta.finalizer_names().any(|name| name == wanted);
    if has(ORPHAN) && has(FOREGROUND) {
        let detail = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
        errors.push(FieldError::invalid(path, names_as_json(meta.finalizers), detail));
    }
}

/// Rejects new finalizers on an object that is being deleted (`ValidateNoNewFinalizers`).
pub(super) fn validate_no_new(
    new: &ObjectMeta<'_>,
    old: &ObjectMeta<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let added = added(new, Some(old));
    if added.is_empty() {
        return;
    }
    let added: Vec<String> = added.into_iter().map(quote).collect();
    let detail = format!(
        "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
        added.join(", ")
    );
    errors.push(FieldError::forbidden(path, detail));
}

/// Warnings about finalizers that a write adds (`generateWarningsFromObj` in apiextensions-apiserver's
/// pkg/registry/customresource/strategy.go).
#[must_use]
pub fn finalizer_warnings(new: &ObjectMeta<'_>, old: Option<&ObjectMeta<'_>>) -> Vec<String> {
    let mut warnings = Vec::new();
    if new.finalizers.is_empty() {
        return warnings;
    }
    for name in added(new, old) {
        warn(name, &mut warnings);
    }
    warnings
}

fn warn(name: &str, warnings: &mut Vec<String>) {
    let shown = quote(name);
    let mut say = |text: &str| warnings.push(format!("metadata.finalizers: {shown}: {text}"));
    if let Some(format) = format::find("k8s-label-key") {
        (format.check)(name, &mut |violation| say(&violation.detail));
    }
    if name.contains('/') || STANDARD.contains(&name) {
        return;
    }
    let including = if name.contains('.') {
        " including a path (/)"
    } else {
        ""
    };
    say(&format!(
        "prefer a domain-qualified finalizer name{including} to avoid accidental conflicts with other finalizer writers"
    ));
}

fn added<'a>(new: &ObjectMeta<'a>, old: Option<&ObjectMeta<'_>>) -> BTreeSet<&'a str> {
    let had = |name: &str| old.is_some_and(|old| old.finalizer_names().any(|known| known == name));
    new.finalizer_names().filter(|name| !had(name)).collect()
}
