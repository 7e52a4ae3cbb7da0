//! How the items of a list are identified in declarative validation.

use kindsmith_schema::{Facet, Family, Level, ListType, Rule, Str, TypeRef, UniqueKind, View, Wrap};

use super::presence::Member;
use super::unique;
use crate::controller_gen::lower::Lower;

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
            rules
                .iter()
                .any(|rule| rule.facet == facet && rule.family == Family::Native && rule.scope().eq(scope))
        };
        let keys = || unique::keys(rules, scope).into_iter().cloned().collect();
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

    /// Whether the list `of` has an item that matches `item`; `None` if items cannot be matched.
    pub(crate) fn is_known(&self, lower: &Lower<'_>, list: &Member, item: &str, of: &str) -> Option<String> {
        match self {
            Self::Atomic => None,
            Self::Set => Some(format!("{item} in {of}")),
            Self::Map { keys, present } => {
                let same = if *present {
                    plain_keys(keys, item, "known")?
                } else {
                    let keys: Vec<&Str> = keys.iter().collect();
                    unique::same_keys(lower, &list.inner(lower.view)?, &keys, item, "known")?
                };
                Some(format!("{of}.exists(known, {same})"))
            }
        }
    }
}

fn plain_keys(keys: &[Str], one: &str, other: &str) -> Option<String> {
    let same = |key: &Str| {
        let key = kindsmith_cel::escape::escape(key)?;
        Some(format!("{one}.{key} == {other}.{key}"))
    };
    let terms: Option<Vec<String>> = keys.iter().map(same).collect();
    terms
        .filter(|terms| !terms.is_empty())
        .map(|terms| terms.join(" && "))
}
