//! Reads all tags of all declarations into a schema.
//!
//! Lines of one declaration are evaluated in the order of their tag names, and in source order for equal
//! names: upstream uses that order, and rules are stored in it. Checks that need more than one line run after
//! everything is read; then the builder is changed.

mod asked;
mod at;
mod check;
mod context;
mod deferred;
mod endless_default;
mod evaluate;
mod groups;
mod kep_spelling;
mod lists;
mod member;
mod misuse;
mod report;
mod site;

use std::collections::{BTreeMap, HashSet};

use kindsmith_schema::{Builder, Json, Owner, Part, Place, Profile, Shape, TypeRef};
use kindsmith_source::{Diagnostic, Span};

pub use at::At;
pub use context::Cx;
pub use misuse::{Answer, Misuse, Yield, nothing, something};

pub(crate) use deferred::{Inherit, Later};
pub(crate) use groups::{UnionKind, group_key};
pub(crate) use lists::Semantic;
use site::chains;

use crate::site::Site;

/// Options for reading tags.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether KEP-5073 or upstream decides where they differ.
    pub profile: Profile,
    /// Whether the packages are for controller-gen: whatever it rejects is an error, even if they are for
    /// other tools too.
    pub controller_gen: bool,
    /// Whether CRDs are generated: then whatever controller-gen rejects is an error in every package
    /// reachable from resources, including imported ones.
    pub definitions: bool,
    /// Whether markers on fields do not see that a named type is a list or map, as in controller-gen before v0.23.
    pub opaque_containers: bool,
}

/// Constants that tags may refer to, of any type.
pub trait Constants {
    /// Whether all constants of the package can be looked up, so that a missing one is an error.
    fn is_complete(&self, package: &str) -> bool;

    /// The constant of a package: whether it is declared, and its value if known.
    fn get(&self, package: &str, name: &str) -> Option<Option<Json>>;
}

/// No constants.
impl Constants for () {
    fn is_complete(&self, _: &str) -> bool {
        false
    }

    fn get(&self, _: &str, _: &str) -> Option<Option<Json>> {
        None
    }
}

/// The results of reading tags.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Errors and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Places of rules and defaults.
    pub origins: Vec<(Place, Span)>,
}

/// Reads all markers of all sites into the builder. All types must be declared and have their shapes.
pub fn read(builder: &mut Builder, sites: &[Site<'_>], options: &Options) -> Outcome {
    read_with(builder, sites, options, &())
}

/// Like `read`, with constants that `+default=ref(...)` may refer to.
pub fn read_with(
    builder: &mut Builder,
    sites: &[Site<'_>],
    options: &Options,
    constants: &dyn Constants,
) -> Outcome {
    let (mut outcome, changes) = evaluate(builder, sites, options, constants);
    changes.apply(builder, &mut outcome.origins);
    outcome
}

/// Changes of the builder.
struct Changes {
    rules: BTreeMap<Owner, Vec<(kindsmith_schema::Rule, Span)>>,
    defaults: BTreeMap<Owner, (kindsmith_schema::Default, Span)>,
    edits: Vec<context::Edit>,
}

fn evaluate(
    builder: &Builder,
    sites: &[Site<'_>],
    options: &Options,
    constants: &dyn Constants,
) -> (Outcome, Changes) {
    let selves: Vec<TypeRef> = builder.ids().map(TypeRef::Named).collect();
    let mut cx = Cx {
        view: builder.view(),
        builder,
        options,
        selves: &selves,
        sites: sites.iter().map(|site| (site.owner, site)).collect(),
        attached: site::attached(sites),
        asked: asked::packages(builder, sites),
        lists: lists::Lists::default(),
        groups: groups::Groups::default(),
        inherited: HashSet::new(),
        later: Vec::new(),
        diagnostics: Vec::new(),
        rules: BTreeMap::new(),
        defaults: BTreeMap::new(),
        edits: Vec::new(),
    };
    for site in sites {
        cx.read_site(site);
    }
    cx.run_later();
    let gathered = crate::marker::read(builder, sites, constants, options);
    for (owner, rule, span) in gathered.rules {
        cx.rules.entry(owner).or_default().push((rule, span));
    }
    for (owner, default, span) in gathered.defaults {
        cx.defaults.insert(owner, (default, span));
    }
    cx.edits.extend(gathered.edits);
    cx.diagnostics.extend(gathered.diagnostics);
    let endless = endless_default::endless_defaults(cx.view, &cx.defaults, options.profile);
    cx.diagnostics.extend(endless);
    let mut diagnostics = cx.diagnostics;
    diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    // Two fields declared on one line share their comment, and so its errors.
    diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    let outcome = Outcome {
        diagnostics,
        origins: Vec::new(),
    };
    let changes = Changes {
        rules: cx.rules,
        defaults: cx.defaults,
        edits: cx.edits,
    };
    (outcome, changes)
}

/// Go's `slices.SortFunc` keeps equal elements in order up to this many.
const STABLE: usize = 12;

impl Changes {
    fn apply(self, builder: &mut Builder, origins: &mut Vec<(Place, Span)>) {
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

fn rules_of(builder: &mut Builder, owner: Owner) -> Option<&mut Vec<kindsmith_schema::Rule>> {
    match owner {
        Owner::Type(id) => Some(&mut builder.ty_mut(id).rules),
        Owner::Field(_) => field_of(builder, owner).map(|field| &mut field.rules),
        Owner::Package(_) | Owner::Constant(..) => None,
    }
}

fn default_of(builder: &mut Builder, owner: Owner) -> Option<&mut Option<kindsmith_schema::Default>> {
    match owner {
        Owner::Type(id) => Some(&mut builder.ty_mut(id).default),
        Owner::Field(_) => field_of(builder, owner).map(|field| &mut field.default),
        Owner::Package(_) | Owner::Constant(..) => None,
    }
}

/// The field of an owner, mutable.
pub fn field_of(builder: &mut Builder, owner: Owner) -> Option<&mut kindsmith_schema::Field> {
    let Owner::Field(id) = owner else {
        return None;
    };
    match &mut builder.ty_mut(id.owner).shape {
        Shape::Struct(members) => members.fields.get_mut(id.index as usize),
        _ => None,
    }
}
