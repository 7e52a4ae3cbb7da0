//! Device classes and taints of devices.

use super::{Requirement, Twin, at};

pub(super) const CLASS: &[Twin] = &[
    at("metadata.name", &[Requirement::Named("k8s-long-name")]),
    at("spec.selectors", &[Requirement::MostItems(32)]),
    at("spec.config", &[Requirement::MostItems(32)]),
    at("spec.config[*].opaque?.driver", DRIVER),
    at(
        "spec.extendedResourceName",
        &[Requirement::NamedPointer("k8s-extended-resource-name")],
    ),
];

/// The name of a driver.
pub(super) const DRIVER: &[Requirement] = &[
    Requirement::Required,
    Requirement::Named("k8s-long-name-caseless"),
    Requirement::MostCharacters(63),
];

pub(super) const EFFECTS: &str = "resource/v1.DeviceTaintEffect";

pub(super) const TAINT_RULE: &[Twin] = &[at(
    "spec.taint.effect",
    &[Requirement::Required, Requirement::OneOf(EFFECTS)],
)];
