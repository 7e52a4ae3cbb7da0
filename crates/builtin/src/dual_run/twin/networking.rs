//! Addresses, classes of ingress, network policies and slices of endpoints.

use super::{Requirement, Twin, at};

pub(super) const IP_ADDRESS: &[Twin] = &[
    at("spec.parentRef", &[Requirement::Present, Requirement::Fixed]),
    at("spec.parentRef?.resource", &[Requirement::Required]),
    at("spec.parentRef?.name", &[Requirement::Required]),
];

pub(super) const INGRESS_CLASS: &[Twin] = &[
    at("spec.parameters?.kind", &[Requirement::Required]),
    at("spec.parameters?.name", &[Requirement::Required]),
];

pub(super) const NETWORK_POLICY: &[Twin] = &[
    at("spec.ingress[*].from[*].ipBlock?.cidr", &[Requirement::Required]),
    at("spec.egress[*].to[*].ipBlock?.cidr", &[Requirement::Required]),
];

pub(super) const ENDPOINT_SLICE: &[Twin] = &[
    at(
        "addressType",
        &[
            Requirement::Required,
            Requirement::Fixed,
            Requirement::OneOf("discovery/v1.AddressType"),
        ],
    ),
    at(
        "endpoints[*].addresses",
        &[Requirement::Required, Requirement::MostItems(100)],
    ),
];
