//! Sysctls of a pod.

use std::collections::HashSet;

use super::spec::Spec;
use crate::field::{Errors, Field};

const LIMIT: usize = 253;

/// Sysctls of the IPC namespace.
const MESSAGES: [&str; 10] = [
    "kernel.sem",
    "kernel.shmall",
    "kernel.shmmax",
    "kernel.shmmni",
    "kernel.shm_rmid_forced",
    "kernel.shm",
    "kernel.msgmax",
    "kernel.msgmnb",
    "kernel.msgmni",
    "kernel.msg",
];

/// The member of a spec that shares a sysctl's namespace with the node.
fn sharing(name: &str) -> Option<&'static str> {
    let name = dotted(name);
    if name.starts_with("net.") {
        Some("hostNetwork")
    } else if name.starts_with("fs.mqueue.") || MESSAGES.contains(&&*name) {
        Some("hostIPC")
    } else {
        None
    }
}

/// Checks the sysctls of a pod.
pub(super) fn check_sysctls(sysctls: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for sysctl in sysctls.items() {
        let name = sysctl.child("name").or_empty();
        if name.is_blank() {
            name.required("", errors);
        } else if !is_name(name.text()) {
            let detail = format!(
                "must have at most {LIMIT} characters and match regex \
                 ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
            );
            name.invalid(detail, errors);
        } else if seen.contains(name.text()) {
            name.duplicate(errors);
        }
        if let Some(key) = sharing(name.text()).filter(|key| spec.child(key).truth()) {
            name.invalid(format!("may not be specified when '{key}' is true"), errors);
        }
        seen.insert(name.text());
    }
}

/// Parts of lower case letters and digits, with dashes and underscores inside, between dots or slashes.
fn is_name(text: &str) -> bool {
    let is_edge =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_inner = |byte: u8| is_edge(Some(byte)) || matches!(byte, b'-' | b'_');
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        part.bytes().all(is_inner) && is_edge(bytes.next()) && is_edge(part.bytes().last())
    };
    text.len() <= LIMIT && text.split(['.', '/']).all(is_part)
}

/// The dotted form of a name: in a name with slashes, slashes become dots and dots become slashes.
fn dotted(name: &str) -> String {
    match name.find(['.', '/']) {
        Some(first) if name[first..].starts_with('/') => name
            .chars()
            .map(|letter| match letter {
                '/' => '.',
                '.' => '/',
                other => other,
            })
            .collect(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts() {
        for (name, expected) in [
            ("kernel.shm_rmid_forced", true),
            ("net/ipv4/ip_forward", true),
            ("a..b", false),
            ("A.b", false),
            ("a.b-", false),
        ] {
            assert_eq!(is_name(name), expected, "{name}");
        }
    }
}
