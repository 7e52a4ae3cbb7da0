//! Storage classes, drivers and attachments.

use super::{Rule, Twin, at};

pub(super) const STORAGE_CLASS: &[Twin] = &[
    at("provisioner", &[Rule::Required, Rule::Fixed]),
    at("parameters", &[Rule::Fixed]),
    at("reclaimPolicy", &[Rule::Fixed]),
    at("volumeBindingMode", &[Rule::Fixed]),
];

pub(super) const VOLUME_ATTACHMENT: &[Twin] = &[
    at("spec", &[Rule::Fixed]),
    at(
        "spec.attacher",
        &[
            Rule::Required,
            Rule::Named("k8s-long-name-caseless"),
            Rule::MostCharacters(63),
        ],
    ),
];
