//! Nodes, secrets and replication controllers.

use kindsmith_object::ErrorKind::Invalid;

use super::{Rule, Twin, at};

pub(super) const REPLICATION_CONTROLLER: &[Twin] = &[
    at("metadata.name", &[Rule::Named("k8s-long-name")]),
    at("spec.replicas", &[Rule::Least(0)]),
    at("spec.minReadySeconds", &[Rule::Least(0)]),
];

pub(super) const SECRET: &[Twin] = &[at(
    "type",
    &[Rule::Found(Invalid, "immutable", "field is immutable")],
)];

pub(super) const NODE: &[Twin] = &[at("spec.providerID", &[Rule::Settled, Rule::Kept])];
