//! Containers and init containers.

use std::collections::HashSet;

use kindsmith_object::meta::NameRule;

use super::spec::Spec;
use super::{environment, handler, image, mount, port, resource, restart, security};
use crate::field::{Errors, Field};
use crate::types::{declared, words};

/// The checks that containers, init containers and ephemeral containers share.
pub(super) fn check_container(container: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    container.child("name").required_name(NameRule::Label, errors);
    image::check_image(container, errors);
    container
        .child("terminationMessagePolicy")
        .required_word(declared("core/v1.TerminationMessagePolicy"), errors);
    port::check_ports(&container.child("ports"), errors);
    environment::check_variables(container, errors);
    mount::check_mounts(container, spec, errors);
    mount::check_devices(container, spec, errors);
    container
        .child("imagePullPolicy")
        .required_word(words("core/v1.PullPolicy"), errors);
    resource::check_container(&container.child("resources"), &spec.claims, errors);
    let policy = spec.child("restartPolicy").text();
    restart::check_resizing(&container.child("resizePolicy"), policy, errors);
    security::check_container_context(container, spec.shares_users(), errors);
}

/// Checks the regular containers.
pub(super) fn check_containers(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let containers = spec.child("containers");
    if containers.len() == 0 {
        return containers.required("", errors);
    }
    let mut names = HashSet::new();
    for container in containers.items() {
        check_container(&container, spec, errors);
        let name = container.child("name").or_empty();
        if !names.insert(name.text()) {
            name.duplicate(errors);
        }
        handler::check_hooks(&container, spec, errors);
        restart::check_policy(&container, errors);
    }
    port::check_host_ports(containers.items(), errors);
}

/// Checks the init containers. Those with `restartPolicy: Always` follow the rules of regular containers.
pub(super) fn check_init_containers(spec: &Spec<'_, '_>, errors: &mut Errors) {
    const ONLY_SIDECARS: &str = "may not be set for init containers without restartPolicy=Always";
    let others = spec.child("containers");
    let mut names: HashSet<&str> = others.items().map(|other| other.child("name").text()).collect();
    for container in spec.child("initContainers").items() {
        check_container(&container, spec, errors);
        let policy = container.child("restartPolicy");
        let is_sidecar = policy.text() == "Always";
        restart::check_policy_before(&container, errors);
        let name = container.child("name").or_empty();
        if names.contains(name.text()) {
            name.duplicate(errors);
        } else if !name.is_blank() {
            names.insert(name.text());
        }
        check_own_host_ports(&container, spec, errors);
        if is_sidecar {
            handler::check_hooks(&container, spec, errors);
            continue;
        }
        for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            let hook = container.child(key);
            if hook.is_set() {
                hook.forbidden(ONLY_SIDECARS, errors);
            }
        }
        restart::check_resizing_before(&container.child("resizePolicy"), errors);
    }
}

/// Init containers run one after the other, so host ports only have to be unique within each. As in the reference,
/// errors name index 0.
fn check_own_host_ports(container: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    let list = spec.child("initContainers");
    let first = container.at(list.path.index(0));
    port::check_host_ports(std::iter::once(first), errors);
}
