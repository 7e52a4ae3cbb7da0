//! Persistent volume claims (pkg/registry/core/persistentvolumeclaim/strategy.go, `ValidatePersistentVolumeClaim` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use super::described::Described;
use crate::field::{Errors, Field};
use crate::resource_name::is_fraction;
use crate::rule::{as_json, forbidden, immutable, invalid, invalid_text, not_supported};
use crate::{Change, DecodedObject, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct PersistentVolumeClaim;

const MODES: [&str; 4] = [
    "ReadOnlyMany",
    "ReadWriteMany",
    "ReadWriteOnce",
    "ReadWriteOncePod",
];
const CLASS: &str = "volume.beta.kubernetes.io/storage-class";

const FACTS: Described = Described {
    starts_at_one: false,
    watched: &[],
    protection: Some("kubernetes.io/pvc-protection"),
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
        if change.subresource == "status" {
            return;
        }
        if change.old.is_some() {
            change.validate_new_metadata(errors);
        }
        let spec = Field::root(change, "spec");
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
        let resources = spec.child("resources");
        for key in ["requests", "limits"] {
            let amounts = resources.child(key);
            let amount = Field {
                path: amounts.path.key("storage"),
                value: amounts.child("storage").value,
            };
            if is_fraction(&amount) {
                warnings.push(format!(
                    "{}: fractional byte value {} is invalid, must be an integer",
                    amount.path,
                    quote(amount.text())
                ));
            }
        }
        warnings
    }
}

/// Drops a `dataSource` that is neither a claim nor a snapshot, and copies `dataSource` to `dataSourceRef` and back.
fn join_sources<'a>(preparation: &Preparation<'_, 'a>, object: &mut Value<'a>) {
    let arena = preparation.arena;
    let (old_form, new_form) = (["spec", "dataSource"], ["spec", "dataSourceRef"]);
    let found = |object: &Value<'a>, path: &[&str]| object.lookup(path).filter(|value| !value.is_null());
    // Sources in other namespaces need a feature gate that is off.
    let namespace = ["spec", "dataSourceRef", "namespace"];
    if found(object, &namespace).is_some() {
        object.unset(arena, &new_form);
    }
    let was_used = preparation.old.is_some_and(|old| old.get(&old_form).is_some());
    if let Some(source) = found(object, &old_form).filter(|_| !was_used) {
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
        (None, Some(source)) => {
            object.set(arena, &old_form, source);
        }
        _ => {}
    }
}

/// Validates the spec of a claim.
pub(crate) fn validate_claim(spec: &Field<'_, '_>, errors: &mut Errors) {
    let modes = spec.child("accessModes");
    if modes.len() == 0 {
        modes.required("at least 1 access mode is required", errors);
    }
    spec.child("selector").selector(errors);
    for mode in modes.items() {
        if !MODES.contains(&mode.text()) {
            errors.push(not_supported(&modes.path, mode.text(), &MODES));
        }
    }
    let is_alone = |mode: &Field<'_, '_>| mode.text() == "ReadWriteOncePod";
    let has_other = modes
        .items()
        .any(|mode| MODES.contains(&mode.text()) && !is_alone(&mode));
    if has_other && modes.items().any(|mode| is_alone(&mode)) {
        modes.forbidden("may not use ReadWriteOncePod with other access modes", errors);
    }
    let resources = spec.child("resources");
    let requests = resources.child("requests");
    let size = Field {
        path: resources.path.key("storage"),
        value: requests.child("storage").value,
    };
    match size.quantity() {
        None => size.required("", errors),
        Some(amount) if amount.sign() <= 0 => size.invalid("must be greater than zero", errors),
        Some(_) => {}
    }
    for key in ["storageClassName", "volumeAttributesClassName"] {
        let class = spec.child(key);
        if !class.text().is_empty() {
            class.name(NameRule::Subdomain, errors);
        }
    }
    let mode = spec.child("volumeMode");
    if mode.is_set() {
        mode.one_of(&["Block", "Filesystem"], errors);
    }
    validate_sources(spec, errors);
}

fn validate_sources(spec: &Field<'_, '_>, errors: &mut Errors) {
    let (source, reference) = (spec.child("dataSource"), spec.child("dataSourceRef"));
    for from in [source, reference] {
        if !from.is_set() {
            continue;
        }
        for key in ["name", "kind"] {
            if from.child(key).text().is_empty() {
                from.child(key).required("", errors);
            }
        }
        let (kind, group) = (from.child("kind").text(), from.child("apiGroup"));
        if group.text().is_empty() && kind != "PersistentVolumeClaim" {
            let detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
            errors.push(invalid_text(&from.path, kind, detail));
        }
        if !group.text().is_empty() {
            group.name(NameRule::Subdomain, errors);
        }
    }
    let is_same = ["apiGroup", "kind", "name"]
        .iter()
        .all(|key| source.child(key).text() == reference.child(key).text());
    if source.is_set() && reference.is_set() && !is_same {
        let bad = BadValue::Text(source.path.to_string().into());
        errors.push(invalid(&spec.path, bad, "must match dataSourceRef"));
    }
}

/// A bound claim may request more; everything else is immutable. Kubernetes' message also shows a diff.
fn validate_update(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let old = Field::old_root(change, "spec");
    let is_bound = change
        .get(&["status", "phase"])
        .is_some_and(|phase| phase == Value::Str("Bound"));
    let show = |field: &Field<'_, '_>, key: &str| as_json(field.child(key).value);
    let free: &[&str] = match is_bound {
        true => &["resources", "volumeAttributesClassName"],
        false => &[],
    };
    let can_bind = old.child("volumeName").text().is_empty();
    let keys = crate::rule::entries(spec.value).iter();
    let keys = keys.chain(crate::rule::entries(old.value).iter());
    let has_changed = keys
        .map(|(key, _)| key)
        .filter(|key| !(free.contains(key) || can_bind && *key == "volumeName"))
        .any(|key| show(spec, key) != show(&old, key));
    if has_changed {
        let detail = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound \
                      claims\n";
        errors.push(forbidden(&spec.path, detail));
    }
    let size = |field: &Field<'_, '_>| {
        let resources = field.child("resources");
        resources.child("requests").child("storage").quantity()
    };
    let (new_size, old_size) = (size(spec), size(&old));
    let status = Field::old_root(change, "status");
    let capacity = status.child("capacity").child("storage").quantity();
    let zero = kindsmith_formats::quantity::Quantity::parse("0").ok();
    if new_size < old_size && new_size.or(zero.clone()) <= capacity.or(zero) {
        let resources = spec.child("resources");
        let requests = resources.child("requests");
        let path = requests.path.child("storage");
        errors.push(forbidden(&path, "field can not be less than status.capacity"));
    }
    let (mode, old_mode) = (spec.child("volumeMode"), old.child("volumeMode"));
    if mode.value != old_mode.value {
        immutable(&kindsmith_json::Path::root("volumeMode"), mode.shown(), errors);
    }
}
