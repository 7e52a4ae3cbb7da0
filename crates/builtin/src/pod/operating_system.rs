//! Fields that a pod for one operating system must not set.

use super::spec::{Spec, each_container};
use crate::field::{Errors, Field};
use crate::field_check::not_supported;

/// Fields that Windows pods must not set: in the pod's security context, in a container's, in the spec.
const NOT_WINDOWS_POD: [&str; 11] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
];
const NOT_WINDOWS_CONTAINER: [&str; 10] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];
const NOT_WINDOWS_SPEC: [&str; 4] = ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"];

/// Checks the operating system, and that the pod sets no field of another one.
pub(super) fn check_system(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let system = spec.child("os");
    if !system.is_set() {
        return;
    }
    let context = spec.child("securityContext");
    match spec.system() {
        "" => system.child("name").required("", errors),
        "linux" => {
            forbid(&context, &["windowsOptions"], LINUX, errors);
            each_container(&spec.field, |container| {
                let context = container.child("securityContext");
                forbid(&context, &["windowsOptions"], LINUX, errors);
            });
        }
        "windows" => {
            forbid(&context, &NOT_WINDOWS_POD, WINDOWS, errors);
            forbid(&spec.field, &NOT_WINDOWS_SPEC, WINDOWS, errors);
            each_container(&spec.field, |container| {
                let context = container.child("securityContext");
                forbid(&context, &NOT_WINDOWS_CONTAINER, WINDOWS, errors);
            });
        }
        name => errors.push(not_supported(&system.path, name, &["linux", "windows"])),
    }
}

const LINUX: &str = "windows options cannot be set for a linux pod";
const WINDOWS: &str = "cannot be set for a windows pod";

fn forbid(holder: &Field<'_, '_>, keys: &[&str], detail: &str, errors: &mut Errors) {
    for key in keys {
        let member = holder.child(key);
        // These two are not pointers, so `false` equals unset.
        let is_off = matches!(*key, "hostPID" | "hostIPC") && !member.truth();
        if member.is_set() && !is_off {
            member.forbidden(detail, errors);
        }
    }
}
