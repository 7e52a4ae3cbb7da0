//! State of evaluating tags.

use std::collections::{BTreeMap, HashSet};

use kindsmith_schema::{Builder, Default, Facet, Family, GoKind, Owner, Profile, Rule, Str, TypeRef, View};
use kindsmith_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::at::At;
use super::changes::Edit;
use super::later::Later;
use super::lists::Lists;
use super::misuse::{Answer, something};
use super::options::Options;
use crate::go_type::{self, Resolved};
use crate::grammar::marker;
use crate::site::{BlockKind, Site};

/// State of one [`read`](super::read).
pub struct Cx<'a> {
    /// The types known so far.
    pub view: View<'a>,
    /// The shapes; changes are applied after everything is read.
    pub builder: &'a Builder,
    /// The caller's options.
    pub options: &'a Options,
    /// A reference to each type.
    pub(crate) selves: &'a [TypeRef],
    /// The sites by declaration.
    pub(crate) sites: FxHashMap<Owner, &'a Site<'a>>,
    /// Places of comment lines, and whether they touch their declaration.
    pub(crate) attached: FxHashMap<Span, bool>,
    /// Import paths of packages that use declarative validation.
    pub(crate) asked: FxHashSet<Str>,
    /// Facts about lists, from their tags.
    pub(crate) lists: Lists<'a>,
    /// State of update constraints, unions, groups and modes.
    pub(crate) groups: super::groups::Groups<'a>,
    /// Members whose tags were read again for `subfield`, by path.
    pub(crate) inherited: HashSet<String>,
    /// Checks that run after everything is read.
    pub(crate) later: Vec<Later<'a>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) rules: BTreeMap<Owner, Vec<(Rule, Span)>>,
    pub(crate) defaults: BTreeMap<Owner, (Default, Span)>,
    pub(crate) edits: Vec<Edit>,
}

impl<'a> Cx<'a> {
    /// Adds a rule of validation-gen at this place.
    pub fn add(&mut self, at: &At<'_>, facet: Facet) -> Answer {
        self.add_of(at, Family::Declarative, facet);
        something()
    }

    /// Adds a rule of any family at this place.
    pub(crate) fn add_of(&mut self, at: &At<'_>, family: Family, facet: Facet) {
        if at.mute || at.dropped {
            return;
        }
        let rule = Rule {
            family,
            wraps: at.wraps.clone(),
            facet,
        };
        self.rules.entry(at.owner).or_default().push((rule, at.span));
    }

    /// Sets the default of the declaration unless it has one.
    pub(crate) fn default_if_none(&mut self, at: &At<'_>, default: Default) {
        if at.dropped {
            return;
        }
        self.defaults.entry(at.owner).or_insert((default, at.span));
    }

    /// Whether the comment of the declaration has a marker of this name.
    pub(crate) fn has_marker(&self, at: &At<'_>, name: &str) -> bool {
        self.sites.get(&at.owner).is_some_and(|site| {
            site.lines(BlockKind::Closest)
                .filter_map(|line| marker(line.text))
                .any(|marker| marker.name == name)
        })
    }

    /// Changes the builder after everything is read.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Builder) + 'static) {
        self.edits.push(Box::new(edit));
    }

    /// The type here with typedefs and pointers resolved. Only for places with a type.
    #[must_use]
    pub fn resolved(&self, at: &At<'a>) -> Resolved<'a> {
        const NONE: &TypeRef = &TypeRef::Interface;
        go_type::resolved(self.view, at.ty.unwrap_or(NONE))
    }

    /// Whether the type here is unknown, so that no tag on it can be rejected.
    #[must_use]
    pub(crate) fn is_unknown(&self, at: &At<'a>) -> bool {
        at.ty.is_none() || self.view.kind(self.resolved(at).base) == GoKind::Unknown
    }

    /// The type here and the type that it resolves to, for messages.
    #[must_use]
    pub(crate) fn root_text(&self, at: &At<'a>) -> String {
        match at.ty {
            Some(ty) => go_type::root_text(self.view, ty, self.resolved(at).base),
            None => String::new(),
        }
    }

    /// Like `resolved`, with pointers kept, as upstream shows lists and maps.
    #[must_use]
    pub(crate) fn pointer_text(&self, at: &At<'a>) -> String {
        let Some(ty) = at.ty else {
            return String::new();
        };
        let resolved = self.resolved(at);
        let from = go_type::text(self.view, ty);
        let to = format!(
            "{}{}",
            "*".repeat(resolved.pointers),
            go_type::text(self.view, resolved.base)
        );
        // Upstream builds pointer types anew, so they never equal the original.
        if from == to && resolved.pointers == 0 {
            from
        } else {
            format!("{from} -> {to}")
        }
    }

    /// Whether constructs that upstream does not implement are reported.
    #[must_use]
    pub(crate) fn is_upstream(&self) -> bool {
        self.options.profile == Profile::Upstream
    }
}
