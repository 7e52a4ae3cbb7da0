//! Roles and their bindings.

use super::{Requirement, Twin, at};

pub(super) const ROLE: &[Twin] = &[at("rules[*].verbs", &[Requirement::Required])];

pub(super) const BINDING: &[Twin] = &[
    at("subjects[*].name", &[Requirement::Required]),
    at("roleRef", &[Requirement::Fixed]),
    at("roleRef.name", &[Requirement::Required]),
];
