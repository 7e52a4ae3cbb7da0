//! Priority levels.

use super::place::Spot;
use super::{Requirement, Twin, at};
use crate::field::Errors;
use crate::field_check::{forbidden, required, text};

pub(super) const PRIORITY_LEVEL: &[Twin] = &[
    at("spec.type", &[Requirement::Required]),
    at("spec", &[Requirement::Code(check_spec)]),
    at("spec.limited?.limitResponse.type", &[Requirement::Required]),
    at(
        "spec.limited?.limitResponse",
        &[Requirement::Code(check_response)],
    ),
];

/// Only the member that the type names may be set.
fn check_spec(spec: &Spot<'_, '_>, errors: &mut Errors) {
    let kind = text(spec.member("type"));
    let is_set = |key: &str| spec.member(key).is_some();
    match (kind == "Limited", is_set("limited")) {
        (true, false) => errors.push(required(&spec.path.child("limited"), "")),
        (false, true) => errors.push(forbidden(&spec.path.child("limited"), "")),
        _ => {}
    }
    if kind != "Exempt" && is_set("exempt") {
        errors.push(forbidden(&spec.path.child("exempt"), ""));
    }
}

/// Queues are for the type that queues.
fn check_response(response: &Spot<'_, '_>, errors: &mut Errors) {
    let path = response.path.child("queuing");
    let kind = text(response.member("type"));
    match (kind == "Queue", response.member("queuing").is_some()) {
        (true, false) => errors.push(required(&path, "")),
        (false, true) => errors.push(forbidden(&path, "")),
        _ => {}
    }
}
