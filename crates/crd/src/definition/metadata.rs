//! Metadata of a CRD: defaults and validation.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::{
    Malformed, NameRule, ObjectMeta, Scope, UnknownFields, decode, validate_create, validate_update,
};
use kindsmith_object::{BadValue, FieldError};
use kindsmith_openapi::crd::{InternalDefinition, InternalSpec};
use kindsmith_schema::Json;

use super::faults::Faults;

/// Calls a function with the decoded metadata; drops fields of the wrong type, which no decoded document has.
pub(super) fn with<T>(metadata: &Json, use_it: impl FnOnce(&ObjectMeta<'_>) -> T) -> T {
    let arena = Arena::new();
    let value = metadata.value(&arena);
    let decoded = decode(&arena, value, Malformed::Drop, UnknownFields::Ignore);
    use_it(&decoded.map(|decoded| decoded.meta).unwrap_or_default())
}

/// The value of an annotation; empty if it is absent.
pub(super) fn annotation(metadata: &Json, name: &str) -> String {
    with(metadata, |meta| {
        let value = meta.annotations.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    })
}

/// Sets the generation.
pub(super) fn set_generation(metadata: &mut Json, generation: i64) {
    *metadata = with(metadata, |meta| {
        let arena = Arena::new();
        let meta = ObjectMeta { generation, ..*meta };
        Json::exact(Value::Object(meta.encode_built_in(&arena)))
    });
}

/// Removes the namespace: CRDs have none, and one that is sent is ignored
/// (`EnsureObjectNamespaceMatchesRequestNamespace`).
pub(super) fn leave_namespace(metadata: &mut Json) {
    let arena = Arena::new();
    let mut value = metadata.value(&arena);
    if value.unset(&arena, &["namespace"]).is_some() {
        *metadata = Json::exact(value);
    }
}

/// The generation.
pub(crate) fn generation(metadata: &Json) -> i64 {
    with(metadata, |meta| meta.generation)
}

/// Copies the fields that clients cannot change from the old object (`rest.BeforeUpdate`).
pub(super) fn keep(metadata: &mut Json, old: &Json) {
    let arena = Arena::new();
    let (mut value, old) = (metadata.value(&arena), old.value(&arena));
    let mut carry = |key| {
        if let Some(old) = old.get(key).filter(|old| !old.is_null()) {
            value.set(&arena, &[key], old);
        }
    };
    carry("creationTimestamp");
    carry("deletionTimestamp");
    let text = |value: Option<Value<'_>>| value.and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    if !text(metadata.value(&arena).get("uid")) {
        carry("uid");
    }
    let grace = "deletionGracePeriodSeconds";
    if metadata.value(&arena).get(grace).is_none_or(Value::is_null) {
        carry(grace);
    }
    *metadata = Json::exact(value);
}

/// Validates the metadata of a new CRD, whose name is derived from its spec.
pub(super) fn check_create(definition: &InternalDefinition, faults: &mut Faults) {
    let path = Path::root("metadata");
    with(&definition.metadata, |meta| {
        let mut errors = Vec::new();
        validate_create(meta, Scope::Cluster, NameRule::Subdomain, &path, &mut errors);
        // Upstream applies this check to `generateName` too, so a prefix is never valid.
        for (field, text) in [("generateName", meta.generate_name), ("name", meta.name)] {
            if !text.is_empty() && !is_expected(text, &definition.spec) {
                insert_behind(&mut errors, &path.child(field), text);
            }
        }
        faults.extend(errors);
    });
}

fn is_expected(name: &str, spec: &InternalSpec) -> bool {
    name.strip_prefix(&*spec.names.plural)
        .and_then(|rest| rest.strip_prefix('.'))
        .is_some_and(|group| group == &*spec.group)
}

/// Inserts the error about the name after other errors about the same field, or at the front.
fn insert_behind(errors: &mut Vec<FieldError>, path: &Path<'_>, text: &str) {
    let at = path.to_owned();
    let prefix: PathBuf = Path::root("metadata").child("generateName").to_owned();
    let position = errors
        .iter()
        .rposition(|error| error.path == at || error.path == prefix)
        .map_or(0, |position| position + 1);
    let mut own = Faults::default();
    own.invalid(
        path,
        BadValue::Text(text.into()),
        "must be spec.names.plural+\".\"+spec.group",
    );
    errors.splice(position..position, own.into_errors());
}

/// Validates the metadata of a changed CRD: first the checks of all objects, then those of CRDs, so one error can be
/// listed two or three times (`rest.ValidateUpdate`).
pub(super) fn check_update(new: &InternalDefinition, old: &InternalDefinition, faults: &mut Faults) {
    let path = Path::root("metadata");
    with(&new.metadata, |new| {
        with(&old.metadata, |old| {
            let mut errors = Vec::new();
            validate_create(new, Scope::Cluster, NameRule::PathSegment, &path, &mut errors);
            validate_update(new, old, &path, &mut errors);
            validate_update(new, old, &path, &mut errors);
            faults.extend(errors);
        });
    });
}
