//! The spec of a claim of a volume, which claims, pods and StatefulSets have (`ValidatePersistentVolumeClaimSpec` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use super::resource_name::is_fraction;
use crate::field::{Errors, Field};
use crate::field_check::{invalid, invalid_text, not_supported};
use crate::types::words;

/// Validates the spec of a claim.
pub(crate) fn validate_claim(spec: &Field<'_, '_>, errors: &mut Errors) {
    let modes = spec.child("accessModes");
    if modes.len() == 0 {
        modes.required("at least 1 access mode is required", errors);
    }
    spec.child("selector").selector(errors);
    validate_modes(&modes, errors);
    let resources = spec.child("resources");
    let requests = resources.child("requests");
    let size = Field {
        path: resources.path.key("storage"),
        value: requests.child("storage").value,
        release: spec.release,
    };
    match size.quantity() {
        None => size.required("", errors),
        Some(amount) if amount.sign() <= 0 => size.invalid("must be greater than zero", errors),
        Some(_) => {}
    }
    check_class(&spec.child("storageClassName"), errors);
    let mode = spec.child("volumeMode");
    if mode.is_set() {
        mode.one_of(words("core/v1.PersistentVolumeMode"), errors);
    }
    validate_sources(spec, errors);
    check_class(&spec.child("volumeAttributesClassName"), errors);
}

fn check_class(class: &Field<'_, '_>, errors: &mut Errors) {
    if !class.text().is_empty() {
        class.name(NameRule::Subdomain, errors);
    }
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
        let namespace = from.child("namespace");
        if !namespace.text().is_empty() {
            namespace.name(NameRule::Label, errors);
        }
    }
    let is_same = ["apiGroup", "kind", "name"]
        .iter()
        .all(|key| source.child(key).text() == reference.child(key).text());
    let detail = if reference.child("namespace").text().is_empty() {
        (!is_same).then_some("must match dataSourceRef")
    } else {
        Some("may not be specified when dataSourceRef.namespace is specified")
    };
    if let Some(detail) = detail.filter(|_| source.is_set() && reference.is_set()) {
        // The reference shows a path, which has no exported members.
        let bad = BadValue::Json("{}".into());
        errors.push(invalid(&spec.path, bad, detail));
    }
}

/// Checks the modes of a claim or a volume.
pub(crate) fn validate_modes(modes: &Field<'_, '_>, errors: &mut Errors) {
    for mode in modes.items() {
        if !words("core/v1.PersistentVolumeAccessMode").contains(&mode.text()) {
            errors.push(not_supported(
                &modes.path,
                mode.text(),
                words("core/v1.PersistentVolumeAccessMode"),
            ));
        }
    }
    let is_alone = |mode: &Field<'_, '_>| mode.text() == "ReadWriteOncePod";
    let has_other = modes
        .items()
        .any(|mode| words("core/v1.PersistentVolumeAccessMode").contains(&mode.text()) && !is_alone(&mode));
    if has_other && modes.items().any(|mode| is_alone(&mode)) {
        modes.forbidden("may not use ReadWriteOncePod with other access modes", errors);
    }
}

/// Modes as tables show them.
pub(crate) fn access_modes(modes: &[Value<'_>]) -> String {
    let known = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let is_there = |mode: &str| modes.contains(&Value::Str(mode));
    let found = known.iter().filter(|(mode, _)| is_there(mode));
    found.map(|(_, short)| *short).collect::<Vec<_>>().join(",")
}

/// What is said about fractions of bytes.
pub(crate) fn size_warnings(resources: &Field<'_, '_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for key in ["requests", "limits"] {
        let amounts = resources.child(key);
        let amount = Field {
            path: amounts.path.key("storage"),
            value: amounts.child("storage").value,
            release: resources.release,
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
