//! Checks that run after all tags are read (validation-gen's deferred callbacks).

use kindsmith_gostd::quote::quote;
use kindsmith_schema::{Facet, Field, GoKind, Literal, Owner, Scalar, Selector, TypeRef};

use super::at::At;
use super::context::Cx;
use super::groups::UnionKind;
use super::later::{Inherit, Later};
use super::lists::Semantic;
use super::misuse::Misuse;
use super::site::chains;
use crate::go_type;

const LIST_TYPE: &str = "k8s:listType";

impl<'a> Cx<'a> {
    /// Runs all deferred checks.
    pub(crate) fn run_later(&mut self) {
        let mut waiting = std::mem::take(&mut self.later);
        for later in &waiting {
            if let Later::Inherit(inherit) = later {
                self.inherit(inherit);
            }
        }
        // Tags that are read again defer checks too, under paths of their own.
        waiting.append(&mut self.later);
        for later in waiting {
            match later {
                Later::List(at) => self.check_list(&at),
                Later::Item(at, selector) => self.check_item(&at, &selector),
                Later::Update(at) => self.check_update(&at),
                Later::Union(at, kind) => self.check_union(&at, kind),
                Later::Modes(at) => self.check_modes(&at),
                Later::Inherit(..) => {}
            }
        }
        self.check_virtual_groups();
    }

    /// KEP-5073: a union has members, and a member has a union.
    fn check_virtual_groups(&mut self) {
        for ((_, name), group) in std::mem::take(&mut self.groups.virtual_groups) {
            let (at, text, help) = match (group.declared, group.member) {
                (Some(at), None) => (
                    at,
                    format!("the union {name:?} has no members"),
                    format!("mark them with +k8s:memberOf(group: {name})"),
                ),
                (None, Some(at)) => (
                    at,
                    format!("no +k8s:union declares the group {name:?}"),
                    format!("add +k8s:union(union: {name}) to the struct or list around the members"),
                ),
                _ => continue,
            };
            self.report_deferred(&at, Misuse::ours(text).help(help));
        }
    }

    fn check_item(&mut self, at: &At<'a>, selector: &Selector) {
        if let Err(misuse) = self.item_matches(at, selector) {
            self.report_deferred(at, misuse);
        }
    }

    fn item_matches(&self, at: &At<'a>, Selector(pairs): &Selector) -> Result<(), Misuse> {
        let meta = self.list_meta(at);
        if meta.is_some_and(|meta| meta.broken) {
            return Ok(());
        }
        let Some(meta) = meta.filter(|meta| meta.semantic == Some(Semantic::Map) && !meta.keys.is_empty())
        else {
            let text = "found items with no list metadata - item tags require listType=map or unique=map with listMapKey";
            return Err(Misuse::new(text).help("add +k8s:listType=map and +k8s:listMapKey=<JSON name>"));
        };
        if pairs.len() != meta.keys.len() {
            return Err(Misuse::new(format!(
                "number of arguments ({}) does not match number of listMapKey fields ({})",
                pairs.len(),
                meta.keys.len()
            )));
        }
        let value = |key: &str| pairs.iter().find(|(name, _)| &**name == key);
        let missing = meta.keys.iter().filter(|(key, _)| value(key).is_none());
        let missing: Vec<&str> = missing.map(|(key, _)| key.as_str()).collect();
        if !missing.is_empty() {
            let text = format!("missing required listMapKey fields: [{}]", missing.join(" "));
            return Err(Misuse::new(text));
        }
        for (key, field) in &meta.keys {
            if let Some((_, literal)) = value(key) {
                self.check_key_value(field, literal)?;
            }
        }
        Ok(())
    }

    /// Whether a literal has the kind of a key (validation-gen `generateComparisonRHS`).
    fn check_key_value(&self, field: &'a Field, literal: &Literal) -> Result<(), Misuse> {
        let resolved = go_type::resolved(self.view, &field.ty);
        let (word, fits) = match resolved.scalar() {
            Some(Scalar::String) => ("string", matches!(literal, Literal::Str(_))),
            Some(Scalar::Bool) => ("bool", matches!(literal, Literal::Bool(_))),
            _ if resolved.integer().is_some() => ("int", matches!(literal, Literal::Int(_))),
            _ if self.view.kind(resolved.base) == GoKind::Unknown => return Ok(()),
            _ => {
                let ty = go_type::text(self.view, resolved.base);
                return Err(Misuse::new(format!(
                    "unsupported type {ty} for field {}",
                    field.name
                )));
            }
        };
        if fits {
            return Ok(());
        }
        let shown = match literal {
            Literal::Str(text) => text.to_string(),
            Literal::Int(value) => value.to_string(),
            Literal::Bool(value) => value.to_string(),
        };
        Err(Misuse::new(format!(
            "type mismatch, field is {word} but value is not: {shown}"
        )))
    }

    fn check_update(&mut self, at: &At<'a>) {
        // All constraints of a field are one check.
        if self.groups.item_updates.remove(&at.path).is_none() {
            return;
        }
        if self.resolved(at).kind(self.view) != GoKind::Slice {
            return;
        }
        const WHAT: &str = "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require";
        let of_type = || self.lists.get(&go_type::text(self.view, at.ty?));
        let meta = self.lists.get(&at.path).or_else(of_type);
        let rest = match meta {
            None => {
                "list metadata (+k8s:listType with listMapKey, or +k8s:unique) to determine item identity"
            }
            Some(meta) => match meta.semantic {
                Some(Semantic::Set) => return,
                Some(Semantic::Map) if meta.broken => return,
                Some(Semantic::Map) if !meta.keys.is_empty() => return,
                Some(Semantic::Map) => "listMapKey to be set for listType=map",
                _ => "listType=set, listType=map, unique=set, or unique=map to define item identity",
            },
        };
        self.report_deferred(at, Misuse::new(format!("{WHAT} {rest}")));
    }

    fn check_union(&mut self, at: &At<'a>, kind: UnionKind) {
        let by_path = match kind {
            UnionKind::Union => &mut self.groups.unions,
            UnionKind::ZeroOrOne => &mut self.groups.at_most_one,
        };
        // The first member's check covers all unions of the struct.
        let Some(unions) = by_path.remove(&at.parent_path) else {
            return;
        };
        for union in unions.values() {
            let mixed = union.fields > 0 && !union.items.is_empty();
            if mixed {
                let misuse = Misuse::new("cannot have both field members and item members");
                self.report_deferred(at, misuse);
                continue;
            }
            for (_, selector, member_at) in &union.items {
                if let Err(misuse) = self.check_item_member(member_at, selector) {
                    self.report_deferred(member_at, misuse);
                }
            }
        }
    }

    /// Union members are compared as text, whatever the type of the key (validation-gen
    /// `createItemExtractor`).
    fn check_item_member(&self, at: &At<'a>, Selector(pairs): &Selector) -> Result<(), Misuse> {
        let Some(fields) = at
            .ty
            .and_then(|ty| go_type::resolved(self.view, ty).fields(self.view))
        else {
            return Ok(());
        };
        let mut pairs: Vec<_> = pairs.iter().collect();
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        for (key, literal) in pairs {
            let Some(field) = go_type::member(fields, key) else {
                return Err(Misuse::new(format!("no field with JSON name {}", quote(key))));
            };
            let text = match literal {
                Literal::Str(text) => text.to_string(),
                Literal::Int(value) => value.to_string(),
                Literal::Bool(value) => value.to_string(),
            };
            self.check_key_value(field, &Literal::Str(text.into()))?;
        }
        Ok(())
    }

    fn check_modes(&mut self, at: &At<'a>) {
        let Some(groups) = self.groups.modes.remove(&at.modes_path()) else {
            return;
        };
        for (name, group) in groups {
            let members = group.members.into_values();
            let left_over = || self.left_over_discriminator(at, &name);
            let Some(discriminator) = group.discriminator.or_else(left_over) else {
                if let Some((_, first)) = members.flatten().next()
                    && !group.broken
                {
                    let text = match name.as_str() {
                        "default" => "missing discriminator".to_owned(),
                        name => format!("missing discriminator for group {}", quote(name)),
                    };
                    let help = "mark the field that chooses the mode with +k8s:modeDiscriminator";
                    self.report_deferred_for(at, &first, Misuse::new(text).help(help).again());
                }
                continue;
            };
            for rules in members {
                self.check_mode_member(at, discriminator, &rules);
            }
        }
    }

    /// The discriminator of a struct that no field has used, if the place was reached by `subfield` on the
    /// struct's own declaration.
    pub(crate) fn left_over_discriminator(&self, at: &At<'a>, group: &str) -> Option<&'a Field> {
        let (declares, _) = at
            .parent
            .filter(|_| at.is_member_of_owner())
            .and_then(|ty| self.view.members(ty))?;
        let groups = self.groups.modes.get(&self.view.ty(declares).name.to_string())?;
        let is_used = groups.values().any(|group| !group.members.is_empty());
        groups.get(group)?.discriminator.filter(|_| !is_used)
    }

    fn check_mode_member(&mut self, at: &At<'a>, discriminator: &'a Field, rules: &[(String, At<'a>)]) {
        let Some((_, first)) = rules.first() else {
            return;
        };
        if self.resolved(first).kind(self.view) == GoKind::Struct {
            let misuse = Misuse::new("discriminated member fields of struct type must be pointers");
            self.report_deferred_for(at, first, misuse);
            return;
        }
        let is_bool = go_type::resolved(self.view, &discriminator.ty).scalar() == Some(Scalar::Bool);
        for (mode, rule_at) in rules {
            if is_bool && !matches!(mode.as_str(), "true" | "false") {
                let mode = quote(mode);
                let text = format!(
                    "invalid discriminator value {mode}: cannot parse {mode} as bool: {mode} is not a valid bool value"
                );
                self.report_deferred_for(at, rule_at, Misuse::new(text));
            }
        }
    }

    /// Upstream names the field whose check ran first; we mark the tag that is wrong.
    fn report_deferred_for(&mut self, first: &At<'a>, wrong: &At<'a>, misuse: Misuse) {
        let mut at = first.clone();
        at.span = wrong.span;
        at.name_span = wrong.name_span.clone();
        self.report_deferred(&at, misuse);
    }

    /// Whether the inside of the type here is not validated (validation-gen `isFieldOpaque`).
    pub(crate) fn is_opaque(&self, at: &At<'a>) -> bool {
        let opaque = |owner| {
            self.rules.get(&owner).is_some_and(|rules| {
                rules
                    .iter()
                    .any(|(rule, _)| rule.facet == Facet::OpaqueType && rule.scope().next().is_none())
            })
        };
        let of_type = match self.resolved(at).base {
            TypeRef::Named(id) => opaque(Owner::Type(*id)),
            _ => false,
        };
        of_type || at.wraps.is_empty() && opaque(at.owner)
    }

    /// Reads the tags of a member again for `subfield`; their errors are reported at the member itself.
    fn inherit(&mut self, inherit: &Inherit<'a>) {
        if self.is_opaque(&inherit.outer) || !self.inherited.insert(inherit.inner.path.clone()) {
            return;
        }
        let Some(site) = self.sites.get(&Owner::Field(inherit.field)).copied() else {
            return;
        };
        let chains = chains(site);
        let listed = self
            .lists
            .get(&inherit.inner.path)
            .is_some_and(|meta| meta.shared.is_some());
        if listed && chains.iter().any(|chain| chain.first().name == LIST_TYPE) {
            let text = format!("tag {LIST_TYPE:?}: listType cannot be specified more than once");
            let help = "the member says it already; +k8s:opaqueType on this field makes its tags not count";
            self.report_deferred(&inherit.outer, Misuse::new(text).help(help));
        }
        let mut at = inherit.inner.clone();
        at.mute = true;
        at.chain.clear();
        for chain in chains {
            // Muted: only the collected state matters.
            let _ = self.evaluate(&at, &chain.links);
        }
    }
}
