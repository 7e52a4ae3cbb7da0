//! Members of a pod's spec that one short check covers.

use std::collections::BTreeSet;

use kindsmith_object::Behavior;
use kindsmith_object::meta::NameRule;

use super::resource;
use super::spec::{Spec, each_container};
use crate::field::Errors;
use crate::field_check::{invalid_text, too_long};
use crate::part::address::check_address;
use crate::part::toleration::check_tolerations;
use crate::types::declared;

pub(super) fn check_words(spec: &Spec<'_, '_>, errors: &mut Errors) {
    spec.child("restartPolicy")
        .required_word(declared("core/v1.RestartPolicy"), errors);
    spec.child("dnsPolicy")
        .required_word(declared("core/v1.DNSPolicy"), errors);
}

pub(super) fn check_node_selector(spec: &Spec<'_, '_>, errors: &mut Errors) {
    spec.child("nodeSelector").labels(errors);
}

pub(super) fn check_process_namespace(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let shared = spec.child("shareProcessNamespace");
    if shared.truth() && spec.child("hostPID").truth() {
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        if shared.release.has(Behavior::HostNamespacesInSpec) {
            return shared.invalid(detail, errors);
        }
        let context = spec.child("securityContext");
        shared
            .at(context.path.child("shareProcessNamespace"))
            .invalid(detail, errors);
    }
}

pub(super) fn check_gates(spec: &Spec<'_, '_>, errors: &mut Errors) {
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
pub(super) fn check_users(spec: &Spec<'_, '_>, errors: &mut Errors) {
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

pub(super) fn check_host_name(spec: &Spec<'_, '_>, errors: &mut Errors) {
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

pub(super) fn check_accounts(spec: &Spec<'_, '_>, errors: &mut Errors) {
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

pub(super) fn check_node_name(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let name = spec.child("nodeName");
    if !name.is_blank() {
        name.name(NameRule::Subdomain, errors);
    }
}

pub(super) fn check_host_labels(spec: &Spec<'_, '_>, errors: &mut Errors) {
    for key in ["hostname", "subdomain"] {
        let name = spec.child(key);
        if !name.is_blank() {
            name.name(NameRule::Label, errors);
        }
    }
}

pub(super) fn check_deadline(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let seconds = spec.child("activeDeadlineSeconds");
    if seconds.is_set() {
        seconds.between(1, i64::from(i32::MAX), errors);
    }
}

pub(super) fn check_scheduling(spec: &Spec<'_, '_>, errors: &mut Errors) {
    check_tolerations(&spec.child("tolerations"), errors);
}

pub(super) fn check_aliases(spec: &Spec<'_, '_>, errors: &mut Errors) {
    for alias in spec.child("hostAliases").items() {
        check_address(&alias.child("ip").or_empty(), &[], errors);
        for host in alias.child("hostnames").items() {
            host.name(NameRule::Subdomain, errors);
        }
    }
}

pub(super) fn check_classes(spec: &Spec<'_, '_>, errors: &mut Errors) {
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
        preemption.required_word(declared("core/v1.PreemptionPolicy"), errors);
    }
}

pub(super) fn check_overhead(spec: &Spec<'_, '_>, errors: &mut Errors) {
    resource::check_overhead(&spec.child("overhead"), errors);
}
