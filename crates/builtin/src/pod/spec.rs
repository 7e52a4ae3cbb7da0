//! The rules of a pod's spec, in the order of the reference (`ValidatePodSpec` in
//! pkg/apis/core/validation/validation.go).

use std::collections::{BTreeSet, HashMap};

use kindsmith_json::{Path, Value};
use kindsmith_object::meta::{NameRule, ObjectMeta};

use super::{
    affinity, annotation, claim, container, dns, ephemeral, image, mount, operating_system, port, resource,
    security, topology, volume, windows,
};
use crate::Change;
use crate::address::check_address;
use crate::field::{Errors, Field};
use crate::kind::volume_source::source_key;
use crate::rule::{invalid_text, text, too_long};
use crate::toleration::check_tolerations;

/// A pod's spec with the values that many of its rules need.
pub(super) struct Spec<'s, 'v> {
    pub(super) field: Field<'s, 'v>,
    /// The pod's metadata; templates have none.
    pub(super) pod: Option<&'s ObjectMeta<'v>>,
    /// Valid volumes: name and source.
    pub(super) volumes: HashMap<&'v str, Option<&'static str>>,
    /// The names of resource claims.
    pub(super) claims: BTreeSet<&'v str>,
}

impl<'v> Spec<'_, 'v> {
    pub(super) fn child<'c>(&'c self, key: &'c str) -> Field<'c, 'v> {
        self.field.child(key)
    }

    /// Whether the pod shares the node's user namespace.
    pub(super) fn shares_users(&self) -> bool {
        let users = self.child("hostUsers");
        !users.is_set() || users.truth()
    }

    pub(super) fn system(&self) -> &'v str {
        self.child("os").child("name").text()
    }
}

/// Calls `visit` for each container: init containers first, ephemeral containers last.
pub(super) fn each_container<'v>(spec: &Field<'_, 'v>, mut visit: impl FnMut(&Field<'_, 'v>)) {
    for key in ["initContainers", "containers", "ephemeralContainers"] {
        for container in spec.child(key).items() {
            visit(&container);
        }
    }
}

type Rule = fn(&Spec<'_, '_>, &mut Errors);

/// The rules that run after volumes were checked.
const RULES: [Rule; 27] = [
    claim::check_claims,
    container::check_containers,
    container::check_init_containers,
    ephemeral::check_containers,
    resource::check_pod_resources,
    port::check_host_network,
    check_words,
    check_node_selector,
    security::check_pod_context,
    check_process_namespace,
    affinity::check_affinity,
    dns::check_config,
    check_gates,
    topology::check_constraints,
    windows::check_host_processes,
    check_users,
    check_host_name,
    check_accounts,
    check_node_name,
    check_deadline,
    check_host_labels,
    check_scheduling,
    check_aliases,
    check_classes,
    check_overhead,
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

/// The annotations of a pod.
pub(super) fn annotations<'c>(change: &Change<'c>) -> Field<'static, 'c> {
    const METADATA: Path<'static> = Path::root("metadata");
    const ANNOTATIONS: Path<'static> = METADATA.child("annotations");
    Field {
        path: ANNOTATIONS,
        value: Some(Value::Object(change.new.meta.annotations)),
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

fn check_words(spec: &Spec<'_, '_>, errors: &mut Errors) {
    const RESTARTS: [&str; 3] = ["Always", "OnFailure", "Never"];
    const DNS: [&str; 4] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    spec.child("restartPolicy").required_word(&RESTARTS, errors);
    spec.child("dnsPolicy").required_word(&DNS, errors);
}

fn check_node_selector(spec: &Spec<'_, '_>, errors: &mut Errors) {
    spec.child("nodeSelector").labels(errors);
}

fn check_process_namespace(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let shared = spec.child("shareProcessNamespace");
    if shared.truth() && spec.child("hostPID").truth() {
        shared.invalid("ShareProcessNamespace and HostPID cannot both be enabled", errors);
    }
}

fn check_gates(spec: &Spec<'_, '_>, errors: &mut Errors) {
    for gate in spec.child("readinessGates").items() {
        gate.child("conditionType").or_empty().label_key(errors);
    }
    let mut seen = BTreeSet::new();
    for gate in spec.child("schedulingGates").items() {
        let name = gate.child("name").or_empty();
        let name = name.at(gate.path);
        name.label_key(errors);
        if !seen.insert(name.text()) {
            name.duplicate(errors);
        }
    }
}

/// A pod with its own user namespace cannot share the node's other namespaces. Like the reference, two members are
/// spelled differently in errors.
fn check_users(spec: &Spec<'_, '_>, errors: &mut Errors) {
    const DETAIL: &str = "when `hostUsers` is false";
    if spec.shares_users() {
        return;
    }
    for (key, shown) in [
        ("hostNetwork", "hostNetwork"),
        ("hostPID", "HostPID"),
        ("hostIPC", "HostIPC"),
    ] {
        if spec.child(key).truth() {
            spec.child(shown).forbidden(DETAIL, errors);
        }
    }
    each_container(&spec.field, |container| {
        let devices = container.child("volumeDevices");
        if devices.len() > 0 {
            devices.forbidden(DETAIL, errors);
        }
    });
}

fn check_host_name(spec: &Spec<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 64;
    let name = spec.child("hostnameOverride");
    if !name.is_set() {
        return;
    }
    for key in ["setHostnameAsFQDN", "hostNetwork"] {
        if spec.child(key).truth() {
            name.forbidden(&format!("may not be specified when {key} is true"), errors);
        }
    }
    if name.text().len() > LIMIT {
        errors.push(too_long(&name.path, LIMIT as i64));
    }
    name.name(NameRule::Subdomain, errors);
}

fn check_accounts(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let (account, old) = (spec.child("serviceAccountName"), spec.child("serviceAccount"));
    if !account.is_blank() {
        account.name(NameRule::Subdomain, errors);
    }
    if account.text() != old.text() {
        let detail = format!(
            "must be the same as serviceAccountName: {}",
            kindsmith_gostd::quote::quote(account.text())
        );
        let path = spec.field.path.child("deprecatedServiceAccount");
        errors.push(invalid_text(&path, old.text(), detail));
    }
}

fn check_node_name(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let name = spec.child("nodeName");
    if !name.is_blank() {
        name.name(NameRule::Subdomain, errors);
    }
}

fn check_host_labels(spec: &Spec<'_, '_>, errors: &mut Errors) {
    for key in ["hostname", "subdomain"] {
        let name = spec.child(key);
        if !name.is_blank() {
            name.name(NameRule::Label, errors);
        }
    }
}

fn check_deadline(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let seconds = spec.child("activeDeadlineSeconds");
    if seconds.is_set() {
        seconds.between(1, i64::from(i32::MAX), errors);
    }
}

fn check_scheduling(spec: &Spec<'_, '_>, errors: &mut Errors) {
    check_tolerations(&spec.child("tolerations"), errors);
}

fn check_aliases(spec: &Spec<'_, '_>, errors: &mut Errors) {
    for alias in spec.child("hostAliases").items() {
        check_address(&alias.child("ip").or_empty(), &[], errors);
        for host in alias.child("hostnames").items() {
            host.name(NameRule::Subdomain, errors);
        }
    }
}

fn check_classes(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let priority = spec.child("priorityClassName");
    if !priority.is_blank() {
        priority.name(NameRule::Subdomain, errors);
    }
    let runtime = spec.child("runtimeClassName");
    if runtime.is_set() {
        runtime.name(NameRule::Subdomain, errors);
    }
    let preemption = spec.child("preemptionPolicy");
    if preemption.is_set() {
        preemption.required_word(&["PreemptLowerPriority", "Never"], errors);
    }
}

fn check_overhead(spec: &Spec<'_, '_>, errors: &mut Errors) {
    resource::check_overhead(&spec.child("overhead"), errors);
}
