//! Nodes, secrets and replication controllers.

use kindsmith_object::ErrorKind::Invalid;

use super::{Requirement, Twin, at};

pub(super) const REPLICATION_CONTROLLER: &[Twin] = &[
    at("metadata.name", &[Requirement::Named("k8s-long-name")]),
    at("spec.replicas", &[Requirement::Least(0)]),
    at("spec.minReadySeconds", &[Requirement::Least(0)]),
];

pub(super) const SECRET: &[Twin] = &[at(
    "type",
    &[Requirement::Found(Invalid, "immutable", "field is immutable")],
)];

pub(super) const NODE: &[Twin] = &[at("spec.providerID", &[Requirement::Settled, Requirement::Kept])];
