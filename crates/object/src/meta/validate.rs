//! Validation of metadata on create and on update, with upstream's order and messages
//! (`ValidateObjectMetaAccessor`, `ValidateObjectMetaAccessorUpdate` in apimachinery's
//! pkg/api/validation/objectmeta.go).

use kindsmith_json::Path;

use super::{NameRule, ObjectMeta, finalizers, keys, managed, owners};
use crate::field_error::{BadValue, Detail, FieldError};

/// Whether objects of a kind live in namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// They do.
    Namespaced,
    /// They do not.
    Cluster,
}

/// Validates the metadata of a new object; `path` is the path of the metadata. Names must be generated
/// before.
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
        "" => errors.push(FieldError::required(&name, "name or generateName is required")),
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

/// Validates the metadata of an updated object against the old metadata.
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
        errors.push(FieldError::invalid(
            &path.child("resourceVersion"),
            "",
            "must be specified for an update",
        ));
    }
    let generation = path.child("generation");
    validate_generation(new.generation, &generation, errors);
    if new.generation < old.generation {
        errors.push(FieldError::invalid(
            &generation,
            new.generation,
            "must not be decremented",
        ));
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
    let mut refuse =
        |field: &str, bad| errors.push(FieldError::invalid(&path.child(field), bad, "field is immutable"));
    for (field, new, old) in [
        ("name", new.name, old.name),
        ("namespace", new.namespace, old.namespace),
        ("uid", new.uid, old.uid),
    ] {
        if new != old {
            refuse(field, new.into());
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
            .map_or(BadValue::Nil, BadValue::from);
        refuse("deletionGracePeriodSeconds", bad);
    }
}

fn time(text: Option<&str>) -> BadValue {
    text.map_or(BadValue::Nil, |text| BadValue::Json(format!("\"{text}\"").into()))
}

fn validate_namespace(namespace: &str, scope: Scope, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match (scope, namespace) {
        (Scope::Cluster, "") => {}
        (Scope::Cluster, _) => errors.push(FieldError::forbidden(path, "not allowed on this type")),
        (Scope::Namespaced, "") => errors.push(FieldError::required(path, "")),
        (Scope::Namespaced, text) => NameRule::Label.validate(text, path, errors),
    }
}

fn validate_generation(generation: i64, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if generation < 0 {
        let detail = Detail::AtLeast("0".into());
        errors.push(FieldError::invalid(path, generation, detail).with_origin("minimum"));
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::super::{Malformed, UnknownFields, decode, finalizer_warnings, validate_embedded};
    use super::*;

    const NAME_PART: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    fn meta<'a>(arena: &'a Arena, text: &'a str) -> ObjectMeta<'a> {
        let value = parse_str(arena, text).expect("JSON");
        decode(arena, value, Malformed::Refuse, UnknownFields::Ignore)
            .expect("types fit")
            .meta
    }

    fn texts(errors: &[FieldError]) -> Vec<String> {
        errors.iter().map(ToString::to_string).collect()
    }

    fn created(text: &str, expected: &[&str]) {
        let arena = Arena::new();
        let mut errors = Vec::new();
        let path = Path::root("metadata");
        validate_create(
            &meta(&arena, text),
            Scope::Cluster,
            NameRule::Subdomain,
            &path,
            &mut errors,
        );
        assert_eq!(texts(&errors), expected, "{text}");
    }

    fn updated(old: &str, new: &str, expected: &[&str]) {
        let arena = Arena::new();
        let mut errors = Vec::new();
        let path = Path::root("metadata");
        validate_update(&meta(&arena, new), &meta(&arena, old), &path, &mut errors);
        assert_eq!(texts(&errors), expected, "{old} -> {new}");
    }

    #[test]
    fn new_metadata() {
        created(r#"{"name":"a.b"}"#, &[]);
        created(
            "{}",
            &["metadata.name: Required value: name or generateName is required"],
        );
        created(
            r#"{"name":"A"}"#,
            &[&format!("metadata.name: Invalid value: \"A\": {SUBDOMAIN}")],
        );
        created(r#"{"name":"a","generateName":"A-"}"#, &[]);
        created(
            r#"{"name":"a","generateName":"_x"}"#,
            &[&format!(
                "metadata.generateName: Invalid value: \"_x\": {SUBDOMAIN}"
            )],
        );
        created(
            r#"{"name":"a","namespace":"n"}"#,
            &["metadata.namespace: Forbidden: not allowed on this type"],
        );
        created(
            r#"{"name":"a","generation":-1}"#,
            &["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
        );
        created(
            r#"{"name":"a","annotations":{"A.COM/B":"x","a b":"c"}}"#,
            &[&format!(
                "metadata.annotations: Invalid value: \"a b\": {NAME_PART}"
            )],
        );
        created(
            r#"{"name":"a","managedFields":[{"manager":"a\u0001","operation":"X","fieldsType":"V2"},{}]}"#,
            &[
                r#"metadata.managedFields[0].operation: Unsupported value: "X": supported values: "Apply", "Update""#,
                "metadata.managedFields[0].fieldsType: Invalid value: \"V2\": must be `FieldsV1`",
                r#"metadata.managedFields[0].manager: Invalid value: "a\x01": invalid character U+0001 (at position 1)"#,
                "metadata.managedFields[1].operation: Required value: must not be empty",
            ],
        );
    }

    #[test]
    fn changed_metadata() {
        let base = r#"{"name":"a","resourceVersion":"1","uid":"u","generation":2,"deletionTimestamp":"2020-01-01T00:00:00Z","finalizers":["a.b/c"]}"#;
        updated(base, base, &[]);
        updated(
            base,
            r#"{"name":"b","generation":1,"deletionGracePeriodSeconds":5,"finalizers":["z","a.b/c","y"]}"#,
            &[
                r#"metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"y", "z"}"#,
                r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#,
                "metadata.generation: Invalid value: 1: must not be decremented",
                r#"metadata.name: Invalid value: "b": field is immutable"#,
                r#"metadata.uid: Invalid value: "": field is immutable"#,
                "metadata.deletionTimestamp: Invalid value: null: field is immutable",
                "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable",
            ],
        );
    }

    #[test]
    fn embedded_resources_need_only_a_type() {
        let arena = Arena::new();
        let check = |text: &'static str, expected: &[&str]| {
            let object = parse_str(&arena, text)
                .expect("JSON")
                .as_object()
                .expect("an object");
            let mut errors = Vec::new();
            validate_embedded(object, &Path::root("e"), &mut errors);
            assert_eq!(texts(&errors), expected, "{text}");
        };
        check(r#"{"apiVersion":"v1","kind":"K","metadata":{"name":"A_b"}}"#, &[]);
        check("{}", &["e.apiVersion: Required value", "e.kind: Required value"]);
        check(
            r#"{"apiVersion":"a/b/c","kind":5,"metadata":{"name":"a/b","namespace":"N"}}"#,
            &[
                r#"e.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c"#,
                "e.kind: Invalid value: 5: must be a string",
                "e.metadata.name: Invalid value: \"a/b\": may not contain '/'",
                "e.metadata.namespace: Invalid value: \"N\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            ],
        );
        check(
            r#"{"apiVersion":"","kind":"K","metadata":{"name":5}}"#,
            &[
                r#"e.apiVersion: Invalid value: "": must not be empty"#,
                r#"e.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"#,
            ],
        );
    }

    #[test]
    fn finalizers_that_cause_warnings() {
        let arena = Arena::new();
        let new = meta(&arena, r#"{"finalizers":["z.y","orphan","plain","a.b/c","old"]}"#);
        let old = meta(&arena, r#"{"finalizers":["old"]}"#);
        let because = "to avoid accidental conflicts with other finalizer writers";
        assert_eq!(
            finalizer_warnings(&new, Some(&old)),
            [
                format!(
                    r#"metadata.finalizers: "plain": prefer a domain-qualified finalizer name {because}"#
                ),
                format!(
                    r#"metadata.finalizers: "z.y": prefer a domain-qualified finalizer name including a path (/) {because}"#
                ),
            ]
        );
    }
}
