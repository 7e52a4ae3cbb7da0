//! Slices of devices.

use kindsmith_object::FieldError;

use super::device::EFFECTS;
use super::place::Spot;
use super::{Requirement, Twin, at};
use crate::field::Errors;
use crate::field_check::{invalid, items};
use crate::go_value::json::as_go;

pub(super) const SLICE: &[Twin] = &[
    at(
        "spec.sharedCounters",
        &[Requirement::MostItems(8), Requirement::Distinct(&["name"])],
    ),
    at("spec.sharedCounters[*].name", COUNTER),
    at(
        "spec.sharedCounters[*].counters",
        &[Requirement::Required, Requirement::Keys("k8s-short-name")],
    ),
    at(
        "spec.devices[*].consumesCounters",
        &[Requirement::MostItems(2), Requirement::Distinct(&["counterSet"])],
    ),
    at("spec.devices[*].consumesCounters[*].counterSet", COUNTER),
    at(
        "spec.devices[*].consumesCounters[*].counters",
        &[Requirement::Required, Requirement::Keys("k8s-short-name")],
    ),
    at(
        "spec.devices[*].taints[*].effect",
        &[Requirement::Required, Requirement::OneOf(EFFECTS)],
    ),
    at(
        "spec.devices[*].attributes{*}",
        &[Requirement::Code(check_attribute)],
    ),
    at("spec.devices[*].bindingConditions", &[Requirement::MostItems(4)]),
    at(
        "spec.devices[*].bindingFailureConditions",
        &[Requirement::MostItems(4)],
    ),
];

const COUNTER: &[Requirement] = &[Requirement::Required, Requirement::Named("k8s-short-name")];

const VALUES: [&str; 4] = ["int", "bool", "string", "version"];
const LISTS: [&str; 4] = ["ints", "bools", "strings", "versions"];

/// An attribute has exactly one value, or one list of values.
fn check_attribute(attribute: &Spot<'_, '_>, errors: &mut Errors) {
    let values = VALUES.iter().filter(|key| attribute.member(key).is_some());
    let lists = LISTS
        .iter()
        .filter(|key| !items(attribute.member(key)).is_empty());
    if values.count() + lists.count() != 1 {
        errors.push(FieldError {
            origin: "union".into(),
            ..invalid(
                attribute.path,
                as_go(attribute.value),
                "exactly one value must be specified",
            )
        });
    }
}
