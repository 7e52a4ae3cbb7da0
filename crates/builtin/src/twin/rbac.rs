//! Roles and their bindings.

use super::{Rule, Twin, at};

pub(super) const ROLE: &[Twin] = &[at("rules[*].verbs", &[Rule::Required])];

pub(super) const BINDING: &[Twin] = &[
    at("subjects[*].name", &[Rule::Required]),
    at("roleRef", &[Rule::Fixed]),
    at("roleRef.name", &[Rule::Required]),
];
