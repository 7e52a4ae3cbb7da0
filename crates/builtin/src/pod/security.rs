//! Security contexts of pods and containers.

use kindsmith_object::{BadValue, Gate};

use super::privileged::by_policy;
use super::spec::Spec;
use super::{sysctl, windows};
use crate::field::{Errors, Field};
use crate::field_check::{invalid, too_long};
use crate::go_value::internal::{self, CORE};
use crate::part::file_path::check_relative;
use crate::types::words;

/// Checks the security context of a pod.
pub(super) fn check_pod_context(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let context = spec.child("securityContext");
    for key in ["fsGroup", "runAsUser", "runAsGroup"] {
        context.child(key).user_id(errors);
    }
    for group in context.child("supplementalGroups").items() {
        group.user_id(errors);
    }
    sysctl::check_sysctls(&context.child("sysctls"), spec, errors);
    let policy = |key: &str, known: &str, errors: &mut Errors| {
        context.child(key).optional_word(words(known), errors);
    };
    policy("fsGroupChangePolicy", "core/v1.PodFSGroupChangePolicy", errors);
    check_seccomp(&context.child("seccompProfile"), errors);
    windows::check_options(&context.child("windowsOptions"), errors);
    check_armor(&context.child("appArmorProfile"), errors);
    policy(
        "supplementalGroupsPolicy",
        "core/v1.SupplementalGroupsPolicy",
        errors,
    );
    let known = if context.release.enables(Gate::SELinuxMount) {
        words("core/v1.PodSELinuxChangePolicy")
    } else {
        &["Recursive"]
    };
    context.child("seLinuxChangePolicy").optional_word(known, errors);
}

/// Checks the security context of a container.
pub(super) fn check_container_context(container: &Field<'_, '_>, shares_users: bool, errors: &mut Errors) {
    let context = container.child("securityContext");
    if !context.is_set() {
        return;
    }
    let privileged = context.child("privileged");
    if privileged.truth() {
        errors.push(by_policy(&privileged, "disallowed by cluster policy"));
    }
    for key in ["runAsUser", "runAsGroup"] {
        context.child(key).user_id(errors);
    }
    let mount = context.child("procMount");
    mount.optional_word(words("core/v1.ProcMountType"), errors);
    if shares_users && mount.text() == "Unmasked" {
        mount.invalid("`hostUsers` must be false to use `Unmasked`", errors);
    }
    check_seccomp(&context.child("seccompProfile"), errors);
    check_escalation(&context, errors);
    windows::check_options(&context.child("windowsOptions"), errors);
    check_armor(&context.child("appArmorProfile"), errors);
}

/// `allowPrivilegeEscalation: false` contradicts `privileged: true` and the capability `CAP_SYS_ADMIN`.
fn check_escalation(context: &Field<'_, '_>, errors: &mut Errors) {
    let escalation = context.child("allowPrivilegeEscalation");
    if !escalation.is_set() || escalation.truth() {
        return;
    }
    let refuse = |what: &str, errors: &mut Errors| {
        let bad = internal::shown(context.release, CORE, "SecurityContext", context.value);
        let detail = format!("cannot set `allowPrivilegeEscalation` to false and {what}");
        errors.push(invalid(&context.path, bad, detail));
    };
    if context.child("privileged").truth() {
        refuse("`privileged` to true", errors);
    }
    let capabilities = context.child("capabilities");
    for added in capabilities.child("add").items() {
        if added.text() == "CAP_SYS_ADMIN" {
            refuse("`capabilities.Add` CAP_SYS_ADMIN", errors);
        }
    }
}

fn check_seccomp(profile: &Field<'_, '_>, errors: &mut Errors) {
    if !profile.is_set() {
        return;
    }
    let (kind, file) = (profile.child("type"), profile.child("localhostProfile"));
    match kind.text() {
        "" => kind.required("type is required when seccompProfile is set", errors),
        _ => kind.one_of(words("core/v1.SeccompProfileType"), errors),
    }
    match (kind.text() == "Localhost", file.is_set()) {
        (true, false) => file.required("must be set when seccomp type is Localhost", errors),
        (true, true) => check_relative(&file, errors),
        (false, true) => {
            let bad: BadValue = internal::shown(profile.release, CORE, "SeccompProfile", profile.value);
            let detail = "can only be set when seccomp type is Localhost";
            errors.push(invalid(&file.path, bad, detail));
        }
        (false, false) => {}
    }
}

/// Checks an AppArmor profile.
pub(super) fn check_armor(profile: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 4095;
    if !profile.is_set() {
        return;
    }
    let (kind, file) = (profile.child("type"), profile.child("localhostProfile"));
    match kind.text() {
        "" => kind.required("type is required when appArmorProfile is set", errors),
        "Localhost" => {
            let text = file.text();
            if text.trim() != text {
                file.invalid("must not be padded with whitespace", errors);
            } else if text.is_empty() {
                file.required("must be set when AppArmor type is Localhost", errors);
            }
            if text.len() > LIMIT {
                errors.push(too_long(&file.path, LIMIT as i64));
            }
        }
        word if words("core/v1.AppArmorProfileType").contains(&word) => {
            if file.is_set() {
                file.invalid("can only be set when AppArmor type is Localhost", errors);
            }
        }
        _ => kind.one_of(words("core/v1.AppArmorProfileType"), errors),
    }
}
