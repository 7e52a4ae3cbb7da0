//! The fields beside the one that a rule is on: needed for rules about several members.

use kindsmith_schema::{Condition, Facet, Field, Rule, Str, Wrap};

/// The fields of a struct, including those of inlined structs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Siblings<'s> {
    fields: &'s [&'s Field],
    own: Option<&'s Field>,
}

impl<'s> Siblings<'s> {
    /// The fields beside `own`, including itself.
    #[must_use]
    pub fn of(fields: &'s [&'s Field], own: &'s Field) -> Self {
        Self {
            fields,
            own: Some(own),
        }
    }

    /// Members of a union, in the order of declaration.
    pub(super) fn union(self, wanted: &Option<Str>) -> Vec<&'s str> {
        self.with(|facet| matches!(facet, Facet::UnionMember { union, .. } if union == wanted))
    }

    /// Members of a group in which at most one is set.
    pub(super) fn group(self, wanted: &Option<Str>) -> Vec<&'s str> {
        self.with(|facet| matches!(facet, Facet::ZeroOrOneOfMember { union, .. } if union == wanted))
    }

    /// The field that selects the member of a union. The last one counts (validation-gen `union.go`).
    pub(super) fn discriminator(self, wanted: &Option<Str>) -> Option<&'s str> {
        let found =
            self.with(|facet| matches!(facet, Facet::UnionDiscriminator { union } if union == wanted));
        found.last().copied()
    }

    /// The field that selects the mode of a group.
    pub(super) fn mode(self, wanted: &Option<Str>) -> Option<&'s str> {
        let is_it =
            |facet: &Facet| matches!(facet, Facet::ModeDiscriminator { modality } if modality == wanted);
        self.with(is_it).first().copied()
    }

    /// Fields with rules for the modes of a group.
    pub(super) fn moded(self, wanted: &Option<Str>) -> Vec<&'s str> {
        let in_group =
            |wrap: &Wrap| matches!(wrap, Wrap::If(Condition::Mode { modality, .. }) if modality == wanted);
        self.names(|rule| rule.wraps.iter().any(in_group))
    }

    /// The discriminator's value for this member: by default the Go name of the field.
    pub(super) fn member_name(self, facet: &Facet) -> String {
        let written = match facet {
            Facet::UnionMember { member_name, .. } => member_name.as_deref(),
            _ => None,
        };
        let own = self.own.map(|field| &*field.name);
        format!("{:?}", written.or(own).unwrap_or_default())
    }

    /// Names of the fields that have such a rule themselves, not on a nested value.
    fn with(self, wanted: impl Fn(&Facet) -> bool) -> Vec<&'s str> {
        self.names(|rule| rule.scope().next().is_none() && wanted(&rule.facet))
    }

    fn names(self, wanted: impl Fn(&Rule) -> bool) -> Vec<&'s str> {
        let named = self.fields.iter().filter(|field| field.rules.iter().any(&wanted));
        named.filter_map(|field| field.json_name()).collect()
    }
}
