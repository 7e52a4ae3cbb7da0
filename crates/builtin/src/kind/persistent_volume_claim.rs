//! Persistent volume claims (pkg/registry/core/persistentvolumeclaim/strategy.go, `ValidatePersistentVolumeClaim` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_formats::quantity::Quantity;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::BadValue;

use super::described::Described;
use crate::field::{Errors, Field};
use crate::field_check::{forbidden, immutable, not_supported, required, text};
use crate::go_value::internal;
use crate::go_value::json::is_same;
use crate::part::resource_name::{check_basic, is_native};
use crate::part::volume_claim::{access_modes, size_warnings, validate_claim};
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct PersistentVolumeClaim;

const CLASS: &str = "volume.beta.kubernetes.io/storage-class";

const FACTS: Described = Described {
    starts_at_one: false,
    watched: &[],
    ..Described::STATUS
};

impl Strategy for PersistentVolumeClaim {
    fn short_names(&self) -> &'static [&'static str] {
        &["pvc"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        FACTS.reset_fields(part)
    }

    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        FACTS.prepare(preparation, draft);
        let mut object = draft.value();
        if preparation.old.is_none() {
            object.set(preparation.arena, &["status", "phase"], Value::Str("Pending"));
        }
        if preparation.subresource.is_empty() {
            join_sources(preparation, &mut object);
        }
        draft.object = object.as_object().unwrap_or(draft.object);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        let spec = Field::root(change, "spec");
        if change.subresource == "status" {
            return validate_status(&spec, &Field::root(change, "status"), errors);
        }
        if change.old.is_some() {
            change.validate_new_metadata(errors);
        }
        validate_claim(&spec, errors);
        if change.old.is_some() {
            validate_update(change, &spec, errors);
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let mut warnings = Vec::new();
        if !change.subresource.is_empty() {
            return warnings;
        }
        if change.get(&["metadata", "annotations", CLASS]).is_some() {
            warnings.push(format!(
                "metadata.annotations[{CLASS}]: deprecated since v1.8; use \"storageClassName\" attribute instead"
            ));
        }
        let spec = Field::root(change, "spec");
        warnings.extend(size_warnings(&spec.child("resources")));
        warnings
    }
}

/// Drops old sources that are neither claims nor snapshots, and copies the old form of a source to the new one and back.
fn join_sources<'a>(preparation: &Preparation<'_, 'a>, object: &mut Value<'a>) {
    let arena = preparation.arena;
    let (old_form, new_form) = (["spec", "dataSource"], ["spec", "dataSourceRef"]);
    let found = |object: &Value<'a>, path: &[&str]| object.lookup(path).filter(|value| !value.is_null());
    let was_used = |path: &[&str]| preparation.old.is_some_and(|old| old.get(path).is_some());
    // Sources in other namespaces need a feature gate that is off.
    let namespace = ["spec", "dataSourceRef", "namespace"];
    let is_elsewhere =
        |object: &Value<'a>| found(object, &namespace).is_some_and(|namespace| namespace != Value::Str(""));
    if is_elsewhere(object) && !was_used(&new_form) {
        object.unset(arena, &new_form);
    }
    let is_checked = !was_used(&old_form) && found(object, &new_form).is_none();
    if let Some(source) = found(object, &old_form).filter(|_| is_checked) {
        let text = |key| source.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_known = matches!(
            (text("kind"), text("apiGroup")),
            ("PersistentVolumeClaim", "") | ("VolumeSnapshot", "snapshot.storage.k8s.io")
        );
        if !is_known {
            object.unset(arena, &old_form);
        }
    }
    match (found(object, &old_form), found(object, &new_form)) {
        (Some(source), None) => {
            object.set(arena, &new_form, source);
        }
        (None, Some(source)) if !is_elsewhere(object) => {
            object.set(arena, &old_form, source);
        }
        _ => {}
    }
}

/// A claim gets its volume once, and its class if it had none. A bound one may ask for more storage and for another class of
/// attributes. Everything else stays.
fn validate_update(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let arena = Arena::new();
    let old = Field::old_root(change, "spec");
    let (mut after, mut before) = (spec.value.unwrap_or_default(), old.value.unwrap_or_default());
    if old.child("volumeName").text().is_empty() {
        copy(&arena, &mut before, after, &["volumeName"]);
    }
    if !check_class(change, spec, &old, errors) {
        copy(&arena, &mut after, before, &["storageClassName"]);
    }
    if text(change.get(&["status", "phase"])) == "Bound" {
        copy(&arena, &mut after, before, &["volumeAttributesClassName"]);
        if after.lookup(&["resources", "requests"]).is_some() {
            copy(&arena, &mut after, before, &["resources", "requests", "storage"]);
        }
    }
    if !is_same(Some(after), Some(before)) {
        let difference = internal::difference(
            change.release,
            "core/v1",
            "PersistentVolumeClaimSpec",
            Some(before),
            Some(after),
        );
        let detail = format!(
            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound \
             claims\n{difference}"
        );
        errors.push(forbidden(&spec.path, detail));
    }
    validate_size(change, spec, &old, errors);
    let (mode, old_mode) = (spec.child("volumeMode"), old.child("volumeMode"));
    if mode.value != old_mode.value {
        immutable(&Path::root("volumeMode"), mode.shown(), errors);
    }
    let class = spec.child("volumeAttributesClassName");
    let has_class = change
        .get_old(&["status", "currentVolumeAttributesClassName"])
        .is_some();
    if has_class && class.value != old.child("volumeAttributesClassName").value {
        let word = match (class.is_set(), class.text()) {
            (false, _) => "nil",
            (true, "") => "empty string",
            _ => return,
        };
        let detail =
            format!("update to {word} is forbidden when status.currentVolumeAttributesClassName is not nil");
        class.forbidden(&detail, errors);
    }
}

/// Sets or removes a member as another value has it.
fn copy<'a>(arena: &'a Arena, to: &mut Value<'a>, from: Value<'a>, path: &[&'a str]) {
    match from.lookup(path) {
        Some(value) => to.set(arena, path, value),
        None => {
            to.unset(arena, path);
        }
    }
}

/// Checks the annotation with the class. Returns whether the class of the spec must stay.
fn check_class(change: &Change<'_>, spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) -> bool {
    let annotation = ["metadata", "annotations", CLASS];
    let (noted, was_noted) = (change.get(&annotation), change.get_old(&annotation));
    let class = spec.child("storageClassName");
    let gets_class = class.is_set() && !old.child("storageClassName").is_set();
    let is_noted = was_noted.is_some_and(|was| text(Some(was)) == class.text());
    if gets_class && is_noted && noted.is_none_or(|noted| Some(noted) == was_noted) {
        return false;
    }
    if text(noted) != text(was_noted) {
        let metadata = Path::root("metadata");
        let path = metadata.child("annotations");
        immutable(&path.child(CLASS), BadValue::Text(text(noted).into()), errors);
    }
    !(gets_class && (was_noted.is_none() || is_noted))
}

fn validate_size(change: &Change<'_>, spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let zero = Quantity::from_int(0, kindsmith_formats::quantity::Format::DecimalSi);
    let size = |field: &Field<'_, '_>| {
        let resources = field.child("resources");
        let size = resources.child("requests").child("storage").quantity();
        size.unwrap_or_else(|| zero.clone())
    };
    let status = Field::old_root(change, "status");
    let capacity = status.child("capacity").child("storage").quantity();
    let (new_size, capacity) = (size(spec), capacity.unwrap_or_else(|| zero.clone()));
    if new_size < size(old) && new_size <= capacity {
        let resources = spec.child("resources");
        let requests = resources.child("requests");
        let path = requests.path.child("storage");
        errors.push(forbidden(&path, "field can not be less than status.capacity"));
    }
}

fn validate_status(spec: &Field<'_, '_>, status: &Field<'_, '_>, errors: &mut Errors) {
    if spec.child("accessModes").len() == 0 {
        errors.push(required(&Path::root("Spec").child("accessModes"), ""));
    }
    for (_, amount) in status.child("capacity").entries() {
        check_basic(&amount, errors);
    }
    let resizes = status.child("allocatedResourceStatuses");
    for (name, resize) in resizes.entries() {
        check_resource(name, &resizes, errors);
        if !words("core/v1.ClaimResourceStatus").contains(&resize.text()) {
            errors.push(not_supported(
                &resizes.path,
                name,
                words("core/v1.ClaimResourceStatus"),
            ));
        }
    }
    let amounts = status.child("allocatedResources");
    for (name, amount) in amounts.entries() {
        if check_resource(name, &amounts, errors) {
            check_basic(&amount, errors);
        }
    }
}

/// Checks the name of a resource of claims: storage, or somebody else's.
fn check_resource(name: &str, amounts: &Field<'_, '_>, errors: &mut Errors) -> bool {
    let before = errors.len();
    let named = Field {
        path: amounts.path,
        value: Some(Value::Str(name)),
        release: amounts.release,
    };
    named.label_key(errors);
    if errors.len() == before && is_native(name) && name != "storage" {
        errors.push(not_supported(&amounts.path, name, &["storage"]));
    }
    errors.len() == before
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Status", "core/v1.PersistentVolumeClaimStatus.phase"),
    column::text("Volume", "core/v1.PersistentVolumeClaimSpec.volumeName"),
    column::text("Capacity", "core/v1.PersistentVolumeClaimStatus.capacity"),
    column::text("Access Modes", "core/v1.PersistentVolumeClaimStatus.accessModes"),
    column::text(
        "StorageClass",
        "core/v1.PersistentVolumeClaimSpec.storageClassName",
    ),
    column::text(
        "VolumeAttributesClass",
        "core/v1.PersistentVolumeClaimSpec.volumeAttributesClassName",
    ),
    column::AGE,
    column::wide("VolumeMode", "core/v1.PersistentVolumeClaimSpec.volumeMode"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let volume = row.text("spec.volumeName");
    let (capacity, modes) = match volume {
        "" => ("", String::new()),
        _ => (
            match row.text("status.capacity.storage") {
                "" => "0",
                size => size,
            },
            access_modes(row.items("status.accessModes")),
        ),
    };
    let noted = row.at("metadata.annotations").get(CLASS).and_then(Value::as_str);
    vec![
        row.name(),
        row.phase(),
        Value::Str(volume),
        Value::Str(capacity),
        row.cell(&modes),
        Value::Str(noted.unwrap_or(row.text("spec.storageClassName"))),
        row.or_unset("spec.volumeAttributesClassName"),
        row.age(),
        row.or_unset("spec.volumeMode"),
    ]
}
