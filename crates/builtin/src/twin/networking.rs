//! Addresses, classes of ingress, network policies and slices of endpoints.

use super::{Rule, Twin, at};

pub(super) const IP_ADDRESS: &[Twin] = &[
    at("spec.parentRef", &[Rule::Present, Rule::Fixed]),
    at("spec.parentRef?.resource", &[Rule::Required]),
    at("spec.parentRef?.name", &[Rule::Required]),
];

pub(super) const INGRESS_CLASS: &[Twin] = &[
    at("spec.parameters?.kind", &[Rule::Required]),
    at("spec.parameters?.name", &[Rule::Required]),
];

pub(super) const NETWORK_POLICY: &[Twin] = &[
    at("spec.ingress[*].from[*].ipBlock?.cidr", &[Rule::Required]),
    at("spec.egress[*].to[*].ipBlock?.cidr", &[Rule::Required]),
];

pub(super) const ENDPOINT_SLICE: &[Twin] = &[
    at(
        "addressType",
        &[
            Rule::Required,
            Rule::Fixed,
            Rule::OneOf(&["FQDN", "IPv4", "IPv6"]),
        ],
    ),
    at("endpoints[*].addresses", &[Rule::Required, Rule::MostItems(100)]),
];
