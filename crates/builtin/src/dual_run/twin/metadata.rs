//! Metadata, which all kinds have, and conditions, which many have: code checks them, and these tags find the same.

use kindsmith_object::ErrorKind::{Duplicate, Invalid, NotSupported, Required, TooLong};

use super::{Requirement, Twin, at};

const FIXED: &[Requirement] = &[Requirement::Found(Invalid, "immutable", "field is immutable")];
const SET: &[Requirement] = &[Requirement::Found(Required, "", "")];

pub(super) const METADATA: &[Twin] = &[
    at("metadata.uid", FIXED),
    at("metadata.creationTimestamp", FIXED),
    at("metadata.deletionTimestamp", FIXED),
    at("metadata.deletionGracePeriodSeconds", FIXED),
    at(
        "metadata.generation",
        &[Requirement::Found(Invalid, "minimum", "must be greater")],
    ),
    at("metadata.ownerReferences[*].apiVersion", SET),
    at("metadata.ownerReferences[*].kind", SET),
    at("metadata.ownerReferences[*].name", SET),
    at("metadata.ownerReferences[*].uid", SET),
];

macro_rules! conditions {
    ($at:literal) => {
        &[
            at(concat!($at, "[*]"), &[Requirement::Found(Duplicate, "", "")]),
            at(concat!($at, "[*].type"), SET),
            at(
                concat!($at, "[*].status"),
                &[
                    Requirement::Found(Required, "", ""),
                    Requirement::Found(NotSupported, "", ""),
                ],
            ),
            at(
                concat!($at, "[*].observedGeneration"),
                &[Requirement::Found(Invalid, "minimum", "")],
            ),
            at(
                concat!($at, "[*].reason"),
                &[
                    Requirement::Found(Required, "", ""),
                    Requirement::Found(TooLong, "maxBytes", ""),
                ],
            ),
        ]
    };
}

pub(super) const CONDITIONS: &[Twin] = conditions!("status.conditions");
pub(super) const DEVICE_CONDITIONS: &[Twin] = conditions!("status.devices[*].conditions");
