//! Validation of custom resources, with errors in the order of the API server
//! (`customResourceStrategy.Validate`, `ValidateUpdate` and those of the status in apiextensions-apiserver's
//! pkg/registry/customresource, and `ValidateCreate`, `ValidateUpdate` of apiserver's pkg/registry/rest).

use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::meta::{self, KeyOrder, NameRule};
use kindsmith_object::{Behavior, FieldError, Release};
use kindsmith_structural::{NUMERIC_RANGE, Part, StructuralChange, Validation};

use super::coerce::Custom;
use super::{Resource, Version};

const METADATA: Path<'static> = Path::root("metadata");

impl Resource {
    /// Validates a new object.
    pub(super) fn validate_create(&self, version: &Version, new: &Custom<'_>) -> Validation {
        let mut errors = self.validate_type(version, new);
        let right_kind = errors.is_empty();
        if right_kind && !is_malformed(version.release(), new, &mut errors) {
            meta::validate_create(&new.meta, self.scope, NameRule::Subdomain, &METADATA, &mut errors);
        }
        let change = StructuralChange {
            checked: new.extra.valid.as_ref(),
            ..StructuralChange::create(Value::Object(new.object))
        };
        let mut verdict = judge(version, errors, right_kind, change);
        if verdict.errors.is_empty() {
            // Checks shared by all kinds come last, so the kind's own messages are listed first.
            meta::validate_create(
                &new.meta,
                self.scope,
                NameRule::PathSegment,
                &METADATA,
                &mut verdict.errors,
            );
        }
        meta::as_in(version.release(), &mut verdict.errors);
        verdict
    }

    /// Validates an update of an object, or with [`Part::Status`] of its status.
    ///
    /// Checks shared by all kinds come first, and rules run even if they fail. The kind's own checks of the metadata
    /// follow, so one mistake can be listed two or three times.
    pub(super) fn validate_update(
        &self,
        version: &Version,
        new: &Custom<'_>,
        old: &Custom<'_>,
        part: Part,
    ) -> Validation {
        let mut all = Vec::new();
        meta::validate_create(&new.meta, self.scope, NameRule::PathSegment, &METADATA, &mut all);
        meta::validate_update(&new.meta, &old.meta, &METADATA, &mut all);
        let mut errors = self.validate_type(version, new);
        let right_kind = errors.is_empty();
        if right_kind && !is_malformed(version.release(), new, &mut errors) {
            meta::validate_update(&new.meta, &old.meta, &METADATA, &mut errors);
        }
        let change = StructuralChange {
            part,
            checked: new.extra.valid.as_ref(),
            ..StructuralChange::update(Value::Object(new.object), Value::Object(old.object))
        };
        let mut verdict = judge(version, errors, right_kind, change);
        all.append(&mut verdict.errors);
        meta::as_in(version.release(), &mut all);
        Validation {
            errors: all,
            warnings: verdict.warnings,
        }
    }

    /// Checks `kind` and `apiVersion` (`ValidateTypeMeta`).
    fn validate_type(&self, version: &Version, new: &Custom<'_>) -> Vec<FieldError> {
        let api_version = format!("{}/{}", self.group, version.name);
        let mut errors = Vec::new();
        for (field, given, expected) in [
            ("kind", new.kind(), &*self.kind),
            ("apiVersion", new.api_version(), &*api_version),
        ] {
            if given != expected {
                let detail = format!("must be {expected}");
                errors.push(FieldError::invalid(&Path::root(field), given, detail));
            }
        }
        errors
    }
}

/// Whether admission left malformed metadata (`getObjectMeta` in validator.go). It is shown with what the server set.
fn is_malformed(release: Release, new: &Custom<'_>, errors: &mut Vec<FieldError>) -> bool {
    let is_invalid = release.has(Behavior::MalformedMetadataInvalid);
    let Some(given) = new.extra.malformed.filter(|_| is_invalid) else {
        return false;
    };
    let Some(why) = meta::restore_error(given) else {
        return false;
    };
    let arena = Arena::new();
    let shown = meta::shown(Value::Object(with_malformed(&arena, new, given)));
    errors.push(FieldError::invalid(&METADATA, shown, why));
    true
}

/// The metadata of an object, with what was malformed.
pub(super) fn with_malformed<'a>(arena: &'a Arena, object: &Custom<'a>, given: Object<'a>) -> Object<'a> {
    let mut metadata = object.meta.encode_in(arena, KeyOrder::Sorted);
    for (key, value) in given {
        if metadata.get(key).is_none() {
            metadata.insert(arena, key, value);
        }
    }
    metadata
}

/// Adds the errors of the schema and its rules.
fn judge(
    version: &Version,
    errors: Vec<FieldError>,
    right_kind: bool,
    change: StructuralChange<'_>,
) -> Validation {
    let mut verdict = Validation::default();
    if let Some(structure) = version.structure() {
        verdict = structure.validate(&StructuralChange {
            scale: version.scale.as_ref(),
            earlier: &errors,
            right_kind,
            ..change
        });
    }
    if !version.release().has(Behavior::NumericRanges) {
        verdict.errors.retain(|error| error.origin != NUMERIC_RANGE);
    }
    let mut all = errors;
    all.append(&mut verdict.errors);
    Validation {
        errors: all,
        warnings: verdict.warnings,
    }
}
