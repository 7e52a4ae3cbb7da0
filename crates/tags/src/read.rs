//! Reads all tags of all declarations into a schema.
//!
//! Lines of one declaration are evaluated in the order of their tag names, and in source order for equal
//! names: upstream uses that order, and rules are stored in it. Checks that need more than one line run after
//! everything is read; then the builder is changed.

mod asked;
mod at;
mod changes;
mod check;
mod context;
mod deferred;
mod endless_default;
mod evaluate;
mod groups;
mod kep_spelling;
mod later;
mod list_check;
mod lists;
mod member;
mod misuse;
mod options;
mod report;
mod site;

use std::collections::{BTreeMap, HashSet};

use kindsmith_schema::{Builder, Place, TypeRef};
use kindsmith_source::{Diagnostic, Span};

pub use at::At;
pub use context::Cx;
pub use misuse::{Answer, Misuse, Yield, nothing, something};
pub use options::{Constants, Options};

use changes::Changes;
pub(crate) use changes::field_of;
pub(crate) use groups::{UnionKind, group_key};
pub(crate) use kep_spelling::without_comment;
pub(crate) use later::{Inherit, Later};
pub(crate) use lists::Semantic;

use crate::site::Site;

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
