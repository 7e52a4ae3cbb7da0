//! Persistent volumes (pkg/registry/core/persistentvolume/strategy.go, `ValidatePersistentVolume` in
//! pkg/apis/core/validation/validation.go).

mod source;

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use super::described::Described;
use crate::field::{Errors, Field};
use crate::field_check::{forbidden, invalid, items, text};
use crate::go_value::internal;
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::part::node_selector::{
    LabelValues, has_wrong_value, node_selector_warnings, validate_node_selector,
};
use crate::part::resource_name::check_basic;
use crate::part::volume_claim::{access_modes, validate_modes};
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct PersistentVolume;

const FACTS: Described = Described {
    starts_at_one: false,
    watched: &[],
    ..Described::STATUS
};

const MOUNT_OPTIONS: &str = "volume.beta.kubernetes.io/mount-options";

/// Annotations with newer fields.
const ANNOTATIONS: [(&str, &str); 2] = [
    (
        "volume.beta.kubernetes.io/storage-class",
        r#"deprecated since v1.8; use "storageClassName" attribute instead"#,
    ),
    (
        MOUNT_OPTIONS,
        r#"deprecated since v1.31; use "mountOptions" attribute instead"#,
    ),
];

impl Strategy for PersistentVolume {
    fn short_names(&self) -> &'static [&'static str] {
        &["pv"]
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

    /// Not by tags: the spec is part of a VolumeAttachment too, where nothing is set.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        for (field, value) in [
            ("persistentVolumeReclaimPolicy", "Retain"),
            ("volumeMode", "Filesystem"),
        ] {
            let there = object.lookup(&["spec", field]);
            let is_blank = field == "persistentVolumeReclaimPolicy" && text(there).is_empty();
            if there.is_none_or(Value::is_null) || is_blank {
                object.set(arena, &["spec", field], Value::Str(value));
            }
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        FACTS.prepare(preparation, draft);
        let arena = preparation.arena;
        let (phase, time) = (["status", "phase"], ["status", "lastPhaseTransitionTime"]);
        let now = Value::Str(preparation.now);
        let Some(old) = preparation.old else {
            draft.set(arena, &phase, Value::Str("Pending"));
            return draft.set(arena, &time, now);
        };
        if preparation.subresource != "status" {
            return;
        }
        let (given, before) = (draft.get(&time), old.get(&time));
        let is_same = text(draft.get(&phase)) == text(old.get(&phase));
        match (is_same, given, before) {
            (true, None, Some(before)) => draft.set(arena, &time, before),
            (false, given, before) if given.is_none() || given == before => draft.set(arena, &time, now),
            _ => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        if change.subresource == "status" {
            return;
        }
        if change.old.is_some() {
            change.validate_new_metadata(errors);
        }
        let spec = Field::root(change, "spec");
        let old = Field::old_root(change, "spec");
        let values = if has_wrong_value(&old.child("nodeAffinity").child("required")) {
            LabelValues::Any
        } else {
            LabelValues::Checked
        };
        validate_volume(&spec, change.new.meta.name, values, errors);
        let options = change.get(&["metadata", "annotations", MOUNT_OPTIONS]);
        if options.is_some() && !source::takes_mount_options(&spec) {
            let path = Path::root("metadata");
            let path = path.child("annotations");
            let detail = "may not specify mount options for this volume type";
            errors.push(forbidden(&path.child(MOUNT_OPTIONS), detail));
        }
        if change.old.is_some() {
            validate_update(&spec, &old, errors);
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        if !change.subresource.is_empty() {
            return Vec::new();
        }
        let spec = Field::root(change, "spec");
        let mut warnings: Vec<String> = ANNOTATIONS
            .iter()
            .filter(|(key, _)| change.get(&["metadata", "annotations", key]).is_some())
            .map(|(key, text)| format!("metadata.annotations[{key}]: {text}"))
            .collect();
        if spec.child("persistentVolumeReclaimPolicy").text() == "Recycle" {
            let text = "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the \
                        recommended approach is to use dynamic provisioning.";
            warnings.push(text.to_owned());
        }
        let affinity = spec.child("nodeAffinity");
        warnings.extend(node_selector_warnings(&affinity.child("required")));
        warnings.extend(source::source_warnings(&spec));
        warnings
    }
}

fn validate_volume(spec: &Field<'_, '_>, name: &str, values: LabelValues, errors: &mut Errors) {
    let modes = spec.child("accessModes");
    if modes.len() == 0 {
        modes.required("", errors);
    }
    validate_modes(&modes, errors);
    validate_capacity(&spec.child("capacity"), errors);
    let policy = spec.child("persistentVolumeReclaimPolicy");
    if !policy.text().is_empty() {
        policy.one_of(words("core/v1.PersistentVolumeReclaimPolicy"), errors);
    }
    let affinity = spec.child("nodeAffinity");
    validate_affinity(&affinity, values, errors);
    let needs_affinity = |errors: &mut Errors| {
        if !affinity.is_set() {
            affinity.required("Local volume requires node affinity", errors);
        }
    };
    source::validate_sources(spec, name, needs_affinity, errors);
    let host = spec.child("hostPath");
    if host.is_set() && is_root(host.child("path").text()) && policy.text() == "Recycle" {
        policy.forbidden("may not be 'recycle' for a hostPath mount of '/'", errors);
    }
    let class = spec.child("storageClassName");
    if !class.text().is_empty() {
        class.name(NameRule::Subdomain, errors);
    }
    let mode = spec.child("volumeMode");
    if mode.is_set() {
        mode.one_of(words("core/v1.PersistentVolumeMode"), errors);
    }
    validate_attributes_class(spec, errors);
}

fn validate_attributes_class(spec: &Field<'_, '_>, errors: &mut Errors) {
    let class = spec.child("volumeAttributesClassName");
    if !class.is_set() {
        return;
    }
    match class.text() {
        "" => class.required("an empty string is disallowed", errors),
        _ => class.name(NameRule::Subdomain, errors),
    }
    if !spec.child("csi").is_set() {
        let detail = "has to be specified when using volumeAttributesClassName";
        spec.child("csi").required(detail, errors);
    }
}

/// The only capacity is storage.
fn validate_capacity(capacity: &Field<'_, '_>, errors: &mut Errors) {
    let number = capacity.entries().count();
    if number == 0 {
        capacity.required("", errors);
    }
    if !capacity.child("storage").is_set() || number > 1 {
        errors.push(FieldError::new(
            ErrorKind::NotSupported,
            capacity.path.to_owned(),
            as_json(capacity.value),
            Detail::Supported(vec!["storage".into()]),
        ));
    }
    for (_, amount) in capacity.entries() {
        check_basic(&amount, errors);
        if amount.quantity().is_some_and(|quantity| quantity.sign() <= 0) {
            amount.invalid("must be greater than zero", errors);
        }
    }
}

fn validate_affinity(affinity: &Field<'_, '_>, values: LabelValues, errors: &mut Errors) {
    let required = affinity.child("required");
    match (affinity.is_set(), required.is_set()) {
        (false, _) => {}
        (true, false) => required.required("must specify required node constraints", errors),
        (true, true) => validate_node_selector(&required, values, errors),
    }
}

/// Does a path lead to the root of the file system?
fn is_root(path: &str) -> bool {
    let is_inside = |depth: usize, part: &str| match part {
        "" | "." => depth,
        ".." => depth.saturating_sub(1),
        _ => depth + 1,
    };
    path.starts_with('/') && path.split('/').fold(0, is_inside) == 0
}

/// Checks the volume of an inline specification of an attachment.
pub(crate) fn validate_inline(spec: &Field<'_, '_>, errors: &mut Errors) {
    const INLINE: &str = "may not be specified in the context of inline volumes";
    let refuse = |key: &str, errors: &mut Errors| {
        if spec.child(key).is_set() {
            spec.child(key).forbidden(INLINE, errors);
        }
    };
    refuse("claimRef", errors);
    refuse("capacity", errors);
    if !spec.child("csi").is_set() {
        let detail = "has to be specified in the context of inline volumes";
        spec.child("csi").required(detail, errors);
    }
    let modes = spec.child("accessModes");
    if modes.len() == 0 {
        modes.required("", errors);
    }
    validate_modes(&modes, errors);
    let policy = spec.child("persistentVolumeReclaimPolicy");
    if !matches!(policy.text(), "" | "Retain") {
        policy.forbidden("may only be Retain in the context of inline volumes", errors);
    }
    refuse("nodeAffinity", errors);
    let needs_affinity = |errors: &mut Errors| {
        let affinity = spec.child("nodeAffinity");
        affinity.required("Local volume requires node affinity", errors);
    };
    source::validate_sources(spec, "", needs_affinity, errors);
    if !spec.child("storageClassName").text().is_empty() {
        refuse("storageClassName", errors);
    }
    let mode = spec.child("volumeMode");
    if mode.is_set() && mode.text() != "Filesystem" {
        let detail = "may not specify volumeMode other than Filesystem in the context of inline volumes";
        mode.forbidden(detail, errors);
    }
    validate_attributes_class(spec, errors);
}

/// Where the data is does not change, nor does the mode; nodes only get newer labels.
fn validate_update(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let arena = Arena::new();
    let mut new_source = source::of_spec(&arena, spec.value);
    let old_source = source::of_spec(&arena, old.value);
    let secret = ["csi", "controllerExpandSecretRef"];
    let is_new_secret = old_source.get("csi").is_some_and(|csi| !csi.is_null())
        && old_source.lookup(&secret).is_none_or(Value::is_null);
    if is_new_secret {
        new_source.unset(&arena, &secret);
    }
    if !is_same(Some(new_source), Some(old_source)) {
        let difference = internal::difference(
            spec.release,
            "core/v1",
            "PersistentVolumeSource",
            Some(old_source),
            Some(new_source),
        );
        let detail = format!("spec.persistentvolumesource is immutable after creation\n{difference}");
        errors.push(forbidden(&spec.path.child("persistentvolumesource"), detail));
    }
    let (mode, old_mode) = (spec.child("volumeMode"), old.child("volumeMode"));
    let mode = Field {
        path: Path::root("volumeMode"),
        value: mode.value,
        release: spec.release,
    };
    mode.unchanged(&old_mode, errors);
    let (affinity, old_affinity) = (spec.child("nodeAffinity"), old.child("nodeAffinity"));
    if old_affinity.is_set() && !is_same_affinity(&affinity, &old_affinity) {
        let bad = match affinity.value {
            None => BadValue::Nil,
            value => internal::shown(spec.release, "core/v1", "VolumeNodeAffinity", value),
        };
        let detail = "field is immutable, except for updating from beta label to GA";
        errors.push(invalid(&Path::root("nodeAffinity"), bad, detail));
    }
    let class = spec.child("volumeAttributesClassName");
    if old.child("volumeAttributesClassName").is_set() && !class.is_set() {
        class.forbidden("update from non-nil value to nil is forbidden", errors);
    }
}

/// Labels of nodes and what they are called today.
const RENAMED: [(&str, &str); 5] = [
    (
        "failure-domain.beta.kubernetes.io/zone",
        "topology.kubernetes.io/zone",
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/region",
    ),
    ("beta.kubernetes.io/os", "kubernetes.io/os"),
    ("beta.kubernetes.io/arch", "kubernetes.io/arch"),
    (
        "beta.kubernetes.io/instance-type",
        "node.kubernetes.io/instance-type",
    ),
];

fn is_same_affinity(new: &Field<'_, '_>, old: &Field<'_, '_>) -> bool {
    let arena = Arena::new();
    is_same(renamed(&arena, new.value, old.value), new.value)
}

/// The old affinity, with the newer names of labels where the new affinity has them.
fn renamed<'a>(arena: &'a Arena, new: Option<Value<'a>>, old: Option<Value<'a>>) -> Option<Value<'a>> {
    let old = old?;
    let new = new.unwrap_or_default();
    Some(match old {
        Value::Array(parts) => {
            let others = items(Some(new));
            let parts: Vec<Value<'a>> = parts
                .iter()
                .enumerate()
                .map(|(index, part)| {
                    renamed(arena, others.get(index).copied(), Some(*part)).unwrap_or_default()
                })
                .collect();
            Value::Array(arena.alloc_slice_copy(&parts))
        }
        Value::Object(members) => {
            let mut result = members;
            for (key, value) in members {
                let other = new.get(key);
                let names = (text(Some(value)), text(other));
                let value = match other {
                    Some(other) if key == "key" && RENAMED.contains(&names) => other,
                    other => renamed(arena, other, Some(value)).unwrap_or_default(),
                };
                result.insert(arena, key, value);
            }
            Value::Object(result)
        }
        scalar => scalar,
    })
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Capacity", "core/v1.PersistentVolumeSpec.capacity"),
    column::text("Access Modes", "core/v1.PersistentVolumeSpec.accessModes"),
    column::text(
        "Reclaim Policy",
        "core/v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy",
    ),
    column::text("Status", "core/v1.PersistentVolumeStatus.phase"),
    column::text("Claim", "core/v1.PersistentVolumeSpec.claimRef"),
    column::text("StorageClass", "core/v1.PersistentVolumeSpec.storageClassName"),
    column::text(
        "VolumeAttributesClass",
        "core/v1.PersistentVolumeSpec.volumeAttributesClassName",
    ),
    column::text("Reason", "core/v1.PersistentVolumeStatus.reason"),
    column::AGE,
    column::wide("VolumeMode", "core/v1.PersistentVolumeSpec.volumeMode"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let claim = match row.at("spec.claimRef") {
        Value::Null => String::new(),
        _ => format!(
            "{}/{}",
            row.text("spec.claimRef.namespace"),
            row.text("spec.claimRef.name")
        ),
    };
    let annotations = row.at("metadata.annotations");
    let class = annotations.get(ANNOTATIONS[0].0).and_then(Value::as_str);
    let size = match row.text("spec.capacity.storage") {
        "" => "0",
        size => size,
    };
    vec![
        row.name(),
        Value::Str(size),
        row.cell(&access_modes(row.items("spec.accessModes"))),
        Value::Str(row.text("spec.persistentVolumeReclaimPolicy")),
        row.phase(),
        row.cell(&claim),
        Value::Str(class.unwrap_or(row.text("spec.storageClassName"))),
        row.or_unset("spec.volumeAttributesClassName"),
        Value::Str(row.text("status.reason")),
        row.age(),
        row.or_unset("spec.volumeMode"),
    ]
}

#[cfg(test)]
mod tests {
    use super::is_root;

    #[test]
    fn paths_to_the_root_are_found() {
        assert!(is_root("/") && is_root("//") && is_root("/a/.."));
        assert!(!is_root("/a") && !is_root("") && !is_root("a/.."));
    }
}
