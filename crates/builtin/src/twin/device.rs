//! Device classes and taints of devices.

use super::{Rule, Twin, at};

pub(super) const CLASS: &[Twin] = &[
    at("metadata.name", &[Rule::Named("k8s-long-name")]),
    at("spec.selectors", &[Rule::MostItems(32)]),
    at("spec.config", &[Rule::MostItems(32)]),
    at("spec.config[*].opaque?.driver", DRIVER),
    at(
        "spec.extendedResourceName",
        &[Rule::NamedPointer("k8s-extended-resource-name")],
    ),
];

/// The name of a driver.
pub(super) const DRIVER: &[Rule] = &[
    Rule::Required,
    Rule::Named("k8s-long-name-caseless"),
    Rule::MostCharacters(63),
];

pub(super) const EFFECTS: &[&str] = &["NoExecute", "NoSchedule", "None"];

pub(super) const TAINT_RULE: &[Twin] = &[at("spec.taint.effect", &[Rule::Required, Rule::OneOf(EFFECTS)])];
