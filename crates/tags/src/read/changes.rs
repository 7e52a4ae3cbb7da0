//! What reading tags changes in the builder, once everything is read.

use std::collections::BTreeMap;

use kindsmith_schema::{Builder, Default, Field, Owner, Part, Place, Rule, Shape};
use kindsmith_source::Span;

/// A change of the builder that is applied after everything is read.
pub(crate) type Edit = Box<dyn FnOnce(&mut Builder)>;

/// Changes of the builder.
pub(super) struct Changes {
    pub(super) rules: BTreeMap<Owner, Vec<(Rule, Span)>>,
    pub(super) defaults: BTreeMap<Owner, (Default, Span)>,
    pub(super) edits: Vec<Edit>,
}

/// Go's `slices.SortFunc` keeps equal elements in order up to this many.
const STABLE: usize = 12;

impl Changes {
    pub(super) fn apply(self, builder: &mut Builder, origins: &mut Vec<(Place, Span)>) {
        for (owner, mut rules) in self.rules {
            // Up to twelve tags upstream's sort is stable. Code that imitates the order beyond that needs
            // them as written.
            if rules.len() > STABLE {
                rules.sort_by_key(|(_, span)| *span);
            }
            let Some(slot) = rules_of(builder, owner) else {
                continue;
            };
            for (rule, span) in rules {
                origins.push((owner.part(Part::Rule(slot.len() as u32)), span));
                slot.push(rule);
            }
        }
        for (owner, (default, span)) in self.defaults {
            if let Some(slot) = default_of(builder, owner) {
                *slot = Some(default);
                origins.push((owner.part(Part::Default), span));
            }
        }
        for edit in self.edits {
            edit(builder);
        }
    }
}

fn rules_of(builder: &mut Builder, owner: Owner) -> Option<&mut Vec<Rule>> {
    match owner {
        Owner::Type(id) => Some(&mut builder.ty_mut(id).rules),
        Owner::Field(_) => field_of(builder, owner).map(|field| &mut field.rules),
        Owner::Package(_) | Owner::Constant(..) => None,
    }
}

fn default_of(builder: &mut Builder, owner: Owner) -> Option<&mut Option<Default>> {
    match owner {
        Owner::Type(id) => Some(&mut builder.ty_mut(id).default),
        Owner::Field(_) => field_of(builder, owner).map(|field| &mut field.default),
        Owner::Package(_) | Owner::Constant(..) => None,
    }
}

/// The field of an owner, mutable.
pub(crate) fn field_of(builder: &mut Builder, owner: Owner) -> Option<&mut Field> {
    let Owner::Field(id) = owner else {
        return None;
    };
    match &mut builder.ty_mut(id.owner).shape {
        Shape::Struct(members) => members.fields.get_mut(id.index as usize),
        _ => None,
    }
}
