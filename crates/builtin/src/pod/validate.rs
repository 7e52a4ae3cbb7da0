//! The rules of a pod's spec, in the order of the reference (`ValidatePodSpec` in
//! pkg/apis/core/validation/validation.go).

use std::collections::{BTreeSet, HashMap};

use kindsmith_object::meta::ObjectMeta;

use super::spec::{Spec, annotations};
use super::{
    affinity, annotation, claim, container, dns, ephemeral, image, member, mount, operating_system, port,
    resource, security, topology, volume, windows,
};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::text;
use crate::part::volume_source::source_key;

type Rule = fn(&Spec<'_, '_>, &mut Errors);

/// The rules that run after volumes were checked.
const RULES: [Rule; 27] = [
    claim::check_claims,
    container::check_containers,
    container::check_init_containers,
    ephemeral::check_containers,
    resource::check_pod_resources,
    port::check_host_network,
    member::check_words,
    member::check_node_selector,
    security::check_pod_context,
    member::check_process_namespace,
    affinity::check_affinity,
    dns::check_config,
    member::check_gates,
    topology::check_constraints,
    windows::check_host_processes,
    member::check_users,
    member::check_host_name,
    member::check_accounts,
    member::check_node_name,
    member::check_deadline,
    member::check_host_labels,
    member::check_scheduling,
    member::check_aliases,
    member::check_classes,
    member::check_overhead,
    operating_system::check_system,
    mount::check_file_references,
];

/// Checks a spec. `pod` is the metadata of the pod that has it.
pub(super) fn validate_spec(field: &Field<'_, '_>, pod: Option<&ObjectMeta<'_>>, errors: &mut Errors) {
    let grace = field.child("terminationGracePeriodSeconds");
    if !grace.is_set() {
        grace.required("", errors);
    }
    let mut spec = Spec {
        field: *field,
        pod,
        volumes: HashMap::new(),
        claims: BTreeSet::new(),
    };
    spec.volumes = volume::check_volumes(&spec, errors)
        .into_iter()
        .map(|volume| (text(volume.get("name")), source_key(volume)))
        .collect();
    spec.claims = claim::names(field.child("resourceClaims"));
    for rule in RULES {
        rule(&spec, errors);
    }
}

/// Checks a pod that is created.
pub(crate) fn validate_new_pod(change: &Change<'_>, errors: &mut Errors) {
    validate_pod(change, errors);
    let spec = Field::root(change, "spec");
    let ephemeral = spec.child("ephemeralContainers");
    if ephemeral.len() > 0 {
        ephemeral.forbidden("cannot be set on create", errors);
    }
    let node = spec.child("nodeName");
    if !node.is_blank() && spec.child("schedulingGates").len() > 0 {
        node.forbidden(
            "cannot be set until all schedulingGates have been cleared",
            errors,
        );
    }
    annotation::check_profiles(&annotations(change), &spec, errors);
}

/// The rules for both create and update (`validatePodMetadataAndSpec`).
pub(crate) fn validate_pod(change: &Change<'_>, errors: &mut Errors) {
    change.validate_new_metadata(errors);
    let spec = Field::root(change, "spec");
    annotation::check_annotations(&annotations(change), &spec, errors);
    validate_spec(&spec, Some(&change.new.meta), errors);
    if spec.child("serviceAccountName").is_blank() {
        check_tokens(&spec, errors);
    }
    let grace = spec.child("terminationGracePeriodSeconds");
    grace.not_negative(errors);
    for key in ["containers", "initContainers"] {
        for container in spec.child(key).items() {
            image::check_spaces(&container, errors);
        }
    }
}

/// Projected service account tokens need a service account.
fn check_tokens(spec: &Field<'_, '_>, errors: &mut Errors) {
    for volume in spec.child("volumes").items() {
        let projected = volume.child("projected");
        for source in projected.child("sources").items() {
            let token = source.child("serviceAccountToken");
            if token.is_set() {
                token.forbidden("must not be specified when serviceAccountName is not set", errors);
            }
        }
    }
}
