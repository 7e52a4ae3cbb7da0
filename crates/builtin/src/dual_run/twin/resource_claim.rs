//! Claims of devices, their templates and status.

use super::device::{DRIVER, EFFECTS};
use super::{Requirement, Twin, at};

macro_rules! claim {
    ($at:literal) => {
        &[
            at(
                concat!($at, ".devices.requests"),
                &[Requirement::MostItems(32), Requirement::Distinct(&["name"])],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.selectors"),
                &[Requirement::MostItems(32)],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.allocationMode"),
                &[Requirement::OneOf("resource/v1.DeviceAllocationMode")],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].key"),
                &[Requirement::Named("k8s-label-key")],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].operator"),
                &[Requirement::OneOf("resource/v1.DeviceTolerationOperator")],
            ),
            at(
                concat!($at, ".devices.requests[*].exactly?.tolerations[*].effect"),
                &[Requirement::OneOf(EFFECTS)],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable"),
                &[Requirement::MostItems(8), Requirement::Distinct(&["name"])],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].deviceClassName"),
                &[Requirement::Required, Requirement::Named("k8s-long-name")],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].selectors"),
                &[Requirement::MostItems(32)],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].allocationMode"),
                &[Requirement::OneOf("resource/v1.DeviceAllocationMode")],
            ),
            at(
                concat!($at, ".devices.requests[*].firstAvailable[*].tolerations[*].key"),
                &[Requirement::Named("k8s-label-key")],
            ),
            at(
                concat!(
                    $at,
                    ".devices.requests[*].firstAvailable[*].tolerations[*].operator"
                ),
                &[Requirement::OneOf("resource/v1.DeviceTolerationOperator")],
            ),
            at(
                concat!(
                    $at,
                    ".devices.requests[*].firstAvailable[*].tolerations[*].effect"
                ),
                &[Requirement::OneOf(EFFECTS)],
            ),
            at(
                concat!($at, ".devices.constraints"),
                &[Requirement::MostItems(32)],
            ),
            at(
                concat!($at, ".devices.constraints[*].requests"),
                &[Requirement::MostItems(32), Requirement::Distinct(&[])],
            ),
            at(
                concat!($at, ".devices.constraints[*].matchAttribute"),
                &[Requirement::NamedPointer(QUALIFIED)],
            ),
            at(
                concat!($at, ".devices.constraints[*].distinctAttribute"),
                &[Requirement::NamedPointer(QUALIFIED)],
            ),
            at(concat!($at, ".devices.config"), &[Requirement::MostItems(32)]),
            at(
                concat!($at, ".devices.config[*].requests"),
                &[Requirement::MostItems(32), Requirement::Distinct(&[])],
            ),
            at(concat!($at, ".devices.config[*].opaque?.driver"), DRIVER),
        ]
    };
}

const QUALIFIED: &str = "k8s-resource-fully-qualified-name";

pub(super) const CLAIM: &[Twin] = claim!("spec");
pub(super) const TEMPLATE: &[Twin] = claim!("spec.spec");

/// A claim's spec does not change; this comes first, because it stops the others.
pub(super) const FIXED: &[Twin] = &[at("spec", &[Requirement::Fixed])];

pub(super) const STATUS: &[Twin] = &[
    at("status.allocation", &[Requirement::Settled]),
    at(
        "status.allocation?.devices.results",
        &[Requirement::MostItems(32)],
    ),
    at("status.allocation?.devices.results[*].driver", DRIVER),
    at(
        "status.allocation?.devices.results[*].pool",
        &[
            Requirement::Required,
            Requirement::Named("k8s-resource-pool-name"),
        ],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].key",
        &[Requirement::Named("k8s-label-key")],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].operator",
        &[Requirement::OneOf("resource/v1.DeviceTolerationOperator")],
    ),
    at(
        "status.allocation?.devices.results[*].tolerations[*].effect",
        &[Requirement::OneOf(EFFECTS)],
    ),
    at(
        "status.allocation?.devices.results[*].bindingConditions",
        &[Requirement::MostItems(4)],
    ),
    at(
        "status.allocation?.devices.results[*].bindingFailureConditions",
        &[Requirement::MostItems(4)],
    ),
    at(
        "status.allocation?.devices.results[*].shareID",
        &[Requirement::NamedPointer("k8s-uuid")],
    ),
    at("status.allocation?.devices.config", &[Requirement::MostItems(64)]),
    at(
        "status.allocation?.devices.config[*].source",
        &[
            Requirement::Required,
            Requirement::OneOf("resource/v1.AllocationConfigSource"),
        ],
    ),
    at(
        "status.allocation?.devices.config[*].requests",
        &[Requirement::MostItems(32), Requirement::Distinct(&[])],
    ),
    at("status.allocation?.devices.config[*].opaque?.driver", DRIVER),
    at(
        "status.reservedFor",
        &[Requirement::MostItems(256), Requirement::Distinct(&["uid"])],
    ),
    at(
        "status.devices",
        &[Requirement::Distinct(&["driver", "device", "pool", "shareID"])],
    ),
    at(
        "status.devices[*].shareID",
        &[Requirement::NamedPointer("k8s-uuid")],
    ),
    at(
        "status.devices[*].networkData?.interfaceName",
        &[Requirement::MostBytes(256)],
    ),
    at(
        "status.devices[*].networkData?.ips",
        &[Requirement::MostItems(16), Requirement::Distinct(&[])],
    ),
    at(
        "status.devices[*].networkData?.hardwareAddress",
        &[Requirement::MostBytes(128)],
    ),
];
