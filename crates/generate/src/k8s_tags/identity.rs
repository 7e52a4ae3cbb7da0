//! How the items of a list are identified in declarative validation.

use kindsmith_schema::{Facet, Family, Level, ListType, Rule, Str, TypeRef, UniqueKind, View, Wrap};

/// How items of two lists are matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Identity {
    /// They are not matched.
    #[default]
    Atomic,
    /// By equality.
    Set,
    /// By equal keys.
    Map {
        keys: Vec<Str>,
        /// Whether keys are always present, as in the list maps of a CRD.
        present: bool,
    },
}

impl Identity {
    /// The identity in a list with these rules, otherwise that of its named type. Levels and options do not
    /// matter.
    pub(crate) fn of(view: View<'_>, rules: &[Rule], ty: &TypeRef) -> Self {
        match Self::said(rules, &[]) {
            Some(identity) => identity,
            None => match view.unalias(view.deref(ty)) {
                TypeRef::Named(id) => Self::said(&view.ty(*id).rules, &[]).unwrap_or_default(),
                _ => Self::Atomic,
            },
        }
    }

    /// The identity by the rules of a scope.
    pub(crate) fn said(rules: &[Rule], scope: &[Wrap]) -> Option<Self> {
        let has = |facet: Facet| {
            rules.iter().any(|rule| {
                rule.facet == facet && rule.family == Family::Declarative && rule.scope().eq(scope)
            })
        };
        let keys = || keys(rules, scope).into_iter().cloned().collect();
        if has(Facet::Unique(UniqueKind::Map)) {
            return Some(Self::Map {
                keys: keys(),
                present: false,
            });
        }
        if has(Facet::ListType(ListType::Map)) {
            // A list map that is hidden or conditional may not be published as one.
            let is_published = |rule: &Rule| {
                rule.facet == Facet::ListType(ListType::Map)
                    && rule.conditions().next().is_none()
                    && rule.level() != Level::Alpha
            };
            return Some(Self::Map {
                keys: keys(),
                present: rules.iter().any(is_published),
            });
        }
        if has(Facet::Unique(UniqueKind::Set)) || has(Facet::ListType(ListType::Set)) {
            return Some(Self::Set);
        }
        has(Facet::ListType(ListType::Atomic)).then_some(Self::Atomic)
    }
}

/// The key members of a list, from the rules of a scope.
pub(crate) fn keys<'r>(rules: &'r [Rule], scope: &[Wrap]) -> Vec<&'r Str> {
    let key = |rule: &'r Rule| match &rule.facet {
        Facet::ListMapKey(key) if rule.family == Family::Declarative && rule.scope().eq(scope) => Some(key),
        _ => None,
    };
    rules.iter().filter_map(key).collect()
}
