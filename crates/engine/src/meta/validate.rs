//! What makes metadata invalid on create and on update, in upstream's order and words
//! (`ValidateObjectMetaAccessor`, `ValidateObjectMetaAccessorUpdate` in apimachinery's
//! pkg/api/validation/objectmeta.go).

use kindsmith_json::Path;
use kindsmith_schema::Str;

use super::{NameRule, ObjectMeta, finalizers, keys, managed, owners};
use crate::error::{BadValue, Detail, ErrorKind, FieldError};

/// Whether objects of a kind live in namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// They do.
    Namespaced,
    /// They do not.
    Cluster,
}

/// Checks the metadata of a new object; `path` is where the metadata is. Names are generated before.
pub fn validate_create(
    meta: &ObjectMeta<'_>,
    scope: Scope,
    names: NameRule,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    if !meta.generate_name.is_empty() {
        names.validate_prefix(meta.generate_name, &path.child("generateName"), errors);
    }
    let name = path.child("name");
    match meta.name {
        "" => errors.push(required(&name, "name or generateName is required")),
        text => names.validate(text, &name, errors),
    }
    validate_namespace(meta.namespace, scope, &path.child("namespace"), errors);
    validate_generation(meta.generation, &path.child("generation"), errors);
    keys::validate_labels(meta.labels, &path.child("labels"), errors);
    keys::validate_annotations(meta.annotations, &path.child("annotations"), errors);
    owners::validate(meta, &path.child("ownerReferences"), errors);
    finalizers::validate(meta, &path.child("finalizers"), errors);
    managed::validate(meta.managers(), &path.child("managedFields"), errors);
}

/// Checks the metadata of a changed object against that of the old one.
pub fn validate_update(
    new: &ObjectMeta<'_>,
    old: &ObjectMeta<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    if old.deletion_timestamp.is_some() {
        finalizers::validate_no_new(new, old, &path.child("finalizers"), errors);
    }
    if new.resource_version.is_empty() {
        errors.push(invalid(
            &path.child("resourceVersion"),
            BadValue::Text("".into()),
            "must be specified for an update",
        ));
    }
    let generation = path.child("generation");
    validate_generation(new.generation, &generation, errors);
    if new.generation < old.generation {
        let bad = BadValue::Integer(new.generation.into());
        errors.push(invalid(&generation, bad, "must not be decremented"));
    }
    validate_immutable(new, old, path, errors);
    keys::validate_labels(new.labels, &path.child("labels"), errors);
    keys::validate_annotations(new.annotations, &path.child("annotations"), errors);
    owners::validate(new, &path.child("ownerReferences"), errors);
    managed::validate(new.managers(), &path.child("managedFields"), errors);
}

fn validate_immutable(
    new: &ObjectMeta<'_>,
    old: &ObjectMeta<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let mut refuse = |field: &str, bad| errors.push(invalid(&path.child(field), bad, "field is immutable"));
    for (field, new, old) in [
        ("name", new.name, old.name),
        ("namespace", new.namespace, old.namespace),
        ("uid", new.uid, old.uid),
    ] {
        if new != old {
            refuse(field, BadValue::Text(new.into()));
        }
    }
    for (field, new, old) in [
        (
            "creationTimestamp",
            new.creation_timestamp,
            old.creation_timestamp,
        ),
        (
            "deletionTimestamp",
            new.deletion_timestamp,
            old.deletion_timestamp,
        ),
    ] {
        if new != old {
            refuse(field, time(new));
        }
    }
    if new.deletion_grace_period_seconds != old.deletion_grace_period_seconds {
        let bad = new
            .deletion_grace_period_seconds
            .map_or(BadValue::Nil, |seconds| BadValue::Integer(seconds.into()));
        refuse("deletionGracePeriodSeconds", bad);
    }
}

fn time(text: Option<&str>) -> BadValue {
    text.map_or(BadValue::Nil, |text| BadValue::Json(format!("\"{text}\"").into()))
}

fn validate_namespace(namespace: &str, scope: Scope, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match (scope, namespace) {
        (Scope::Cluster, "") => {}
        (Scope::Cluster, _) => errors.push(FieldError {
            kind: ErrorKind::Forbidden,
            ..invalid(path, BadValue::Omitted, "not allowed on this type")
        }),
        (Scope::Namespaced, "") => errors.push(required(path, "")),
        (Scope::Namespaced, text) => NameRule::Label.validate(text, path, errors),
    }
}

fn validate_generation(generation: i64, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if generation < 0 {
        let bad = BadValue::Integer(generation.into());
        errors.push(FieldError {
            detail: Detail::AtLeast("0".into()),
            origin: "minimum".into(),
            ..invalid(path, bad, "")
        });
    }
}

pub(crate) fn invalid(path: &Path<'_>, bad: BadValue, detail: impl Into<Str>) -> FieldError {
    FieldError {
        kind: ErrorKind::Invalid,
        path: path.to_owned(),
        bad,
        detail: Detail::Text(detail.into()),
        origin: "".into(),
        level: None,
        short_circuit: false,
        rule: None,
    }
}

pub(super) fn required(path: &Path<'_>, detail: &str) -> FieldError {
    FieldError {
        kind: ErrorKind::Required,
        ..invalid(path, BadValue::Text("".into()), detail)
    }
}
