//! Container ports and host ports.

use std::collections::HashSet;

use kindsmith_object::BadValue;

use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid};
use crate::types::words;

/// Checks the ports of a container.
pub(super) fn check_ports(ports: &Field<'_, '_>, errors: &mut Errors) {
    let mut names = HashSet::new();
    for port in ports.items() {
        let name = port.child("name");
        if !name.is_blank() {
            let before = errors.len();
            name.port_name(errors);
            if errors.len() == before && !names.insert(name.text()) {
                name.duplicate(errors);
            }
        }
        let (inside, outside) = (port.child("containerPort"), port.child("hostPort"));
        match inside.number() {
            0 => inside.required("", errors),
            _ => inside.port_number(errors),
        }
        if outside.number() != 0 {
            outside.port_number(errors);
        }
        port.child("protocol")
            .required_word(words("core/v1.Protocol"), errors);
    }
}

/// A host port can only be used once.
pub(super) fn check_host_ports<'p, 'v: 'p>(
    containers: impl Iterator<Item = Field<'p, 'v>>,
    errors: &mut Errors,
) {
    let mut used = HashSet::new();
    for container in containers {
        for port in container.child("ports").items() {
            let outside = port.child("hostPort");
            if outside.number() == 0 {
                continue;
            }
            let (protocol, address) = (port.child("protocol").text(), port.child("hostIP").text());
            let key = format!("{protocol}/{address}/{}", outside.number());
            if used.contains(&key) {
                errors.push(duplicate(&outside.path, &key));
            }
            used.insert(key);
        }
    }
}

/// With `hostNetwork`, a container port must equal its host port.
pub(super) fn check_host_network(spec: &Spec<'_, '_>, errors: &mut Errors) {
    if !spec.child("hostNetwork").truth() {
        return;
    }
    for container in spec.child("containers").items() {
        for port in container.child("ports").items() {
            let (inside, outside) = (port.child("containerPort").number(), port.child("hostPort"));
            let number = outside.number();
            // Templates may omit it; it is defaulted when the pod is created.
            let counts = spec.pod.is_some() || number != 0;
            if counts && number != inside {
                let detail = "must match `containerPort` when `hostNetwork` is true";
                let bad = BadValue::Integer(number.into());
                errors.push(invalid(&outside.path, bad, detail));
            }
        }
    }
}
