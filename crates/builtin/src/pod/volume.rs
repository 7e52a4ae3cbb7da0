//! Volumes of pods: names, sources and duplicates.

use std::collections::HashSet;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::field_check::name_problems;
use crate::part::volume_source::check_source;

/// Checks volumes and returns the valid ones.
pub(super) fn check_volumes<'v>(spec: &Spec<'_, 'v>, errors: &mut Errors) -> Vec<Value<'v>> {
    let volumes = spec.child("volumes");
    let pod = spec.pod.map_or("", |pod| pod.name);
    let made = claims_to_make(&volumes, pod);
    let mut names = HashSet::new();
    let mut right = Vec::new();
    for volume in volumes.items() {
        let before = errors.len();
        check_source(&volume, errors);
        check_claim_name(&volume, pod, errors);
        let name = volume.child("name");
        name.required_name(NameRule::Label, errors);
        if names.contains(name.text()) {
            name.duplicate(errors);
        }
        if errors.len() == before {
            names.insert(name.text());
            right.extend(volume.value);
        }
        let claim = volume.child("persistentVolumeClaim");
        let claim = claim.child("claimName");
        if made.contains(claim.text()) {
            claim.invalid(
                "must not reference a PVC that gets created for an ephemeral volume",
                errors,
            );
        }
    }
    right
}

/// Names of the PersistentVolumeClaims created for ephemeral volumes.
fn claims_to_make(volumes: &Field<'_, '_>, pod: &str) -> HashSet<String> {
    let ephemeral = volumes
        .items()
        .filter(|volume| volume.child("ephemeral").is_set());
    ephemeral
        .filter(|_| !pod.is_empty())
        .map(|volume| format!("{pod}-{}", volume.child("name").text()))
        .collect()
}

/// The generated name of a claim must be valid.
fn check_claim_name(volume: &Field<'_, '_>, pod: &str, errors: &mut Errors) {
    let name = volume.child("name");
    let is_first =
        crate::part::volume_source::source_key(volume.value.unwrap_or_default()) == Some("ephemeral");
    if !is_first || pod.is_empty() || name.is_blank() {
        return;
    }
    let claim = format!("{pod}-{}", name.text());
    for problem in name_problems(NameRule::Subdomain, &claim) {
        name.invalid(format!("PVC name {}: {problem}", quote(&claim)), errors);
    }
}
