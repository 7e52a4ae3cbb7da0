//! Probes and lifecycle hooks of containers.

use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::types::words;

/// Checks an action; the second field is the pod's termination grace period.
type Check = fn(&Field<'_, '_>, &Field<'_, '_>, &mut Errors);

/// The actions of a handler, in the order of the reference.
const ACTIONS: [(&str, Check); 5] = [
    ("exec", |action, _, errors| {
        action.required_members(&["command"], errors);
    }),
    ("httpGet", |action, _, errors| check_get(action, errors)),
    ("tcpSocket", |action, _, errors| action.child("port").port(errors)),
    ("grpc", |action, _, errors| action.child("port").port(errors)),
    ("sleep", check_sleep),
];

/// Checks the probes and hooks of a container.
pub(super) fn check_hooks(container: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    let grace = spec.child("terminationGracePeriodSeconds");
    let lifecycle = container.child("lifecycle");
    for key in ["postStart", "preStop"] {
        let handler = lifecycle.child(key);
        if handler.is_set() {
            check_handler(&handler, &grace, errors);
        }
    }
    for key in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.child(key);
        if !probe.is_set() {
            continue;
        }
        check_probe(&probe, &grace, errors);
        if key == "readinessProbe" {
            let own_grace = probe.child("terminationGracePeriodSeconds");
            if own_grace.is_set() {
                own_grace.invalid("must not be set for readinessProbes", errors);
            }
        } else if probe.child("successThreshold").number() != 1 {
            probe.child("successThreshold").invalid("must be 1", errors);
        }
    }
}

fn check_probe(probe: &Field<'_, '_>, grace: &Field<'_, '_>, errors: &mut Errors) {
    const NUMBERS: [&str; 5] = [
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold",
    ];
    check_handler(probe, grace, errors);
    for key in NUMBERS {
        probe.child(key).not_negative(errors);
    }
    let own_grace = probe.child("terminationGracePeriodSeconds");
    if own_grace.is_set() {
        own_grace.positive(errors);
    }
}

/// A handler has exactly one action; only the first is checked.
fn check_handler(handler: &Field<'_, '_>, grace: &Field<'_, '_>, errors: &mut Errors) {
    let used = ACTIONS.iter().filter(|(key, _)| handler.child(key).is_set());
    for (number, (key, check)) in used.clone().enumerate() {
        let action = handler.child(key);
        match number {
            0 => check(&action, grace, errors),
            _ => action.forbidden("may not specify more than 1 handler type", errors),
        }
    }
    if used.count() == 0 {
        handler.required("must specify a handler type", errors);
    }
}

fn check_get(get: &Field<'_, '_>, errors: &mut Errors) {
    get.required_members(&["path"], errors);
    get.child("port").port(errors);
    get.child("scheme").one_of(words("core/v1.URIScheme"), errors);
    let headers = get.child("httpHeaders");
    for header in headers.items() {
        let name = header.child("name").or_empty();
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if name.is_blank() || !name.text().bytes().all(is_part) {
            let detail = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. \
                          'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
            name.at(headers.path).invalid(detail, errors);
        }
    }
}

fn check_sleep(sleep: &Field<'_, '_>, grace: &Field<'_, '_>, errors: &mut Errors) {
    let seconds = sleep.child("seconds").number();
    if grace.is_set() && !(0..=grace.number()).contains(&seconds) {
        let detail = format!(
            "must be non-negative and less than terminationGracePeriodSeconds ({})",
            grace.number()
        );
        let bad = kindsmith_object::BadValue::Integer(seconds.into());
        errors.push(crate::field_check::invalid(&sleep.path, bad, detail));
    }
}
