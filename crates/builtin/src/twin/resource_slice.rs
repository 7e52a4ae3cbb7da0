//! Slices of devices.

use kindsmith_object::FieldError;

use super::device::EFFECTS;
use super::place::Spot;
use super::{Rule, Twin, at};
use crate::field::Errors;
use crate::rule::{as_go, invalid, items};

pub(super) const SLICE: &[Twin] = &[
    at(
        "spec.sharedCounters",
        &[Rule::MostItems(8), Rule::Distinct(&["name"])],
    ),
    at("spec.sharedCounters[*].name", COUNTER),
    at(
        "spec.sharedCounters[*].counters",
        &[Rule::Required, Rule::Keys("k8s-short-name")],
    ),
    at(
        "spec.devices[*].consumesCounters",
        &[Rule::MostItems(2), Rule::Distinct(&["counterSet"])],
    ),
    at("spec.devices[*].consumesCounters[*].counterSet", COUNTER),
    at(
        "spec.devices[*].consumesCounters[*].counters",
        &[Rule::Required, Rule::Keys("k8s-short-name")],
    ),
    at(
        "spec.devices[*].taints[*].effect",
        &[Rule::Required, Rule::OneOf(EFFECTS)],
    ),
    at("spec.devices[*].attributes{*}", &[Rule::Code(check_attribute)]),
    at("spec.devices[*].bindingConditions", &[Rule::MostItems(4)]),
    at("spec.devices[*].bindingFailureConditions", &[Rule::MostItems(4)]),
];

const COUNTER: &[Rule] = &[Rule::Required, Rule::Named("k8s-short-name")];

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
