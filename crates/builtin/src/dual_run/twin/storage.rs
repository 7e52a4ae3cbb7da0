//! Storage classes, drivers and attachments.

use super::{Requirement, Twin, at};

pub(super) const STORAGE_CLASS: &[Twin] = &[
    at("provisioner", &[Requirement::Required, Requirement::Fixed]),
    at("parameters", &[Requirement::Fixed]),
    at("reclaimPolicy", &[Requirement::Fixed]),
    at("volumeBindingMode", &[Requirement::Fixed]),
];

pub(super) const VOLUME_ATTACHMENT: &[Twin] = &[
    at("spec", &[Requirement::Fixed]),
    at(
        "spec.attacher",
        &[
            Requirement::Required,
            Requirement::Named("k8s-long-name-caseless"),
            Requirement::MostCharacters(63),
        ],
    ),
];
