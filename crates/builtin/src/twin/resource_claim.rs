//! Claims of devices, their templates and status.

use super::device::{DRIVER, EFFECTS};
use super::{Rule, Twin, at};

macro_rules! claim {
    ($at:literal) => {
        &[
            at(
                concat!($at, ".devices.requests"),
                &[Rule::MostItems(32), Rule::Distinct(&["name"])],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.selectors"),
                &[Rule::MostItems(32)],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.allocationMode"),
                &[Rule::OneOf(MODES)],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].key"),
                &[Rule::Named("k8s-label-key")],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].operator"),
                &[Rule::OneOf(OPERATORS)],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].effect"),
                &[Rule::OneOf(EFFECTS)],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable"),
                &[Rule::MostItems(8), Rule::Distinct(&["name"])],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].deviceClassName"),
                &[Rule::Required, Rule::Named("k8s-long-name")],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].selectors"),
                &[Rule::MostItems(32)],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].allocationMode"),
                &[Rule::OneOf(MODES)],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].tolerations[*].key"),
                &[Rule::Named("k8s-label-key")],
            ),
            at(
                concat!(
                    $at,
                    ".devices.requests[*].firstAvailable[*].tolerations[*].operator"
                ),
                &[Rule::OneOf(OPERATORS)],
            ),
            at(
                concat!(
                    $at,
                    ".devices.requests[*].firstAvailable[*].tolerations[*].effect"
                ),
                &[Rule::OneOf(EFFECTS)],
            ),
            at(concat!($at, ".devices.constraints"), &[Rule::MostItems(32)]),
            at(
                concat!($at, ".devices.constraints[*].requests"),
                &[Rule::MostItems(32), Rule::Distinct(&[])],
            ),
            at(
                concat!($at, ".devices.constraints[*].matchAttribute"),
                &[Rule::NamedPointer(QUALIFIED)],
            ),
            at(
                concat!($at, ".devices.constraints[*].distinctAttribute"),
                &[Rule::NamedPointer(QUALIFIED)],
            ),
            at(concat!($at, ".devices.config"), &[Rule::MostItems(32)]),
            at(
                concat!($at, ".devices.config[*].requests"),
                &[Rule::MostItems(32), Rule::Distinct(&[])],
            ),
            at(concat!($at, ".devices.config[*].opaque?.driver"), DRIVER),
        ]
    };
}

const QUALIFIED: &str = "k8s-resource-fully-qualified-name";
const MODES: &[&str] = &["All", "ExactCount"];
const OPERATORS: &[&str] = &["Equal", "Exists"];

pub(super) const CLAIM: &[Twin] = claim!("spec");
pub(super) const TEMPLATE: &[Twin] = claim!("spec.spec");

/// A claim's spec does not change; this comes first, because it stops the others.
pub(super) const FIXED: &[Twin] = &[at("spec", &[Rule::Fixed])];

pub(super) const STATUS: &[Twin] = &[
    at("status.allocation", &[Rule::Settled]),
    at("status.allocation?.devices.results", &[Rule::MostItems(32)]),
    at("status.allocation?.devices.results[*].driver", DRIVER),
    at(
        "status.allocation?.devices.results[*].pool",
        &[Rule::Required, Rule::Named("k8s-resource-pool-name")],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].key",
        &[Rule::Named("k8s-label-key")],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].operator",
        &[Rule::OneOf(OPERATORS)],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].effect",
        &[Rule::OneOf(EFFECTS)],
    ),
    at(
        "status.allocation?.devices.results[*].bindingConditions",
        &[Rule::MostItems(4)],
    ),
    at(
        "status.allocation?.devices.results[*].bindingFailureConditions",
        &[Rule::MostItems(4)],
    ),
    at(
        "status.allocation?.devices.results[*].shareID",
        &[Rule::NamedPointer("k8s-uuid")],
    ),
    at("status.allocation?.devices.config", &[Rule::MostItems(64)]),
    at(
        "status.allocation?.devices.config[*].source",
        &[Rule::Required, Rule::OneOf(&["FromClaim", "FromClass"])],
    ),
    at(
        "status.allocation?.devices.config[*].requests",
        &[Rule::MostItems(32), Rule::Distinct(&[])],
    ),
    at("status.allocation?.devices.config[*].opaque?.driver", DRIVER),
    at(
        "status.reservedFor",
        &[Rule::MostItems(256), Rule::Distinct(&["uid"])],
    ),
    at(
        "status.devices",
        &[Rule::Distinct(&["driver", "device", "pool", "shareID"])],
    ),
    at("status.devices[*].shareID", &[Rule::NamedPointer("k8s-uuid")]),
    at(
        "status.devices[*].networkData?.interfaceName",
        &[Rule::MostBytes(256)],
    ),
    at(
        "status.devices[*].networkData?.ips",
        &[Rule::MostItems(16), Rule::Distinct(&[])],
    ),
    at(
        "status.devices[*].networkData?.hardwareAddress",
        &[Rule::MostBytes(128)],
    ),
];
