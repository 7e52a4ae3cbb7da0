//! `item`: a rule on one item of a list map.

use kindsmith_schema::{Facet, FieldId, Literal, Owner, Rule, Selector, TypeRef, UpdateConstraint};

use super::context::{Context, On};
use super::deferred::{Deferred, Scope, Validations};
use super::ir::Call;
use super::{Body, Lowerer, Types};
use crate::Profile;

impl<'s> Lowerer<'s> {
    pub(super) fn item(
        &mut self,
        context: &Context,
        rule: &'s Rule,
        depth: usize,
        selector: &'s Selector,
    ) -> Validations<'s> {
        let Some(element) = self.types.list_element(&context.ty) else {
            return Validations::default();
        };
        let element = self.types.non_pointer(&element);
        if rule.wraps.len() == depth + 1
            && let Some(constraints) = item_constraints(self.rules_beside(context), rule, self.profile)
        {
            let body = Body::ItemUpdate {
                selector: criteria(self.types, &element, selector),
                constraints,
            };
            // In the first cohort, so that an optional list that becomes empty does not hide a lost item.
            return Validations::one(Call::new(body, context.rule).short_circuiting());
        }
        let key = selector_text(selector);
        let mut below = context.below(On::ListVal, element.clone(), context.key_path(&key));
        below.selector = Some(selector.clone());
        let inner = self.extract(&below, rule, depth + 1);
        let fields = criteria(self.types, &element, selector);
        let wrap = move |call: Call| {
            let mut outer = call.wrapped(|inner| Body::Item {
                selector: fields.clone(),
                inner,
            });
            outer.cohort = Some(key.as_str().into());
            outer
        };
        let mut result = Validations {
            comment: inner.comment,
            opaque: inner.opaque,
            ..Validations::default()
        };
        if !inner.calls.is_empty() {
            let (calls, wrap) = (inner.calls, wrap.clone());
            result.add(Validations::later(Scope::This, move |_| Validations {
                calls: calls.into_iter().map(wrap).collect(),
                ..Validations::default()
            }));
        }
        for Deferred { scope, work } in inner.deferred {
            let wrap = wrap.clone();
            // Checks on all items already take the list, so they are not wrapped.
            result.add(Validations::later(Scope::This, move |lowerer| {
                work(lowerer).map_in(scope, move |call, scope| match scope {
                    Scope::Parent => call,
                    Scope::This => wrap(call),
                })
            }));
        }
        result
    }
}

impl<'s> Lowerer<'s> {
    /// All rules of the declaration whose rule is being lowered.
    fn rules_beside(&self, context: &Context) -> &'s [Rule] {
        match context.rule.map(|place| place.owner) {
            Some(Owner::Field(id)) => &self.types.schema.field(id).rules,
            Some(Owner::Type(id)) => &self.types.schema.ty(id).rules,
            _ => &[],
        }
    }
}

/// What an update may not do to an item, if only the KEP has a rule for it: adding and removing an item. `rules` are all
/// rules of the list. The KEP's table of list items reads `NoModify` with `NoRemoveItem` as `immutable`: the item comes
/// with the list or not at all.
#[must_use]
pub fn item_constraints(rules: &[Rule], rule: &Rule, profile: Profile) -> Option<Vec<UpdateConstraint>> {
    use UpdateConstraint::{NoAddItem, NoModify, NoRemoveItem};
    let is_kep = profile == Profile::Kep;
    match &rule.facet {
        Facet::Immutable if is_kep => Some(vec![NoModify, NoAddItem, NoRemoveItem]),
        Facet::Update(constraints) if *constraints == [NoModify] => None,
        Facet::Update(constraints) => {
            let no_modify = Facet::Update(vec![NoModify]);
            let is_frozen = |other: &Rule| other.facet == no_modify && other.wraps == rule.wraps;
            let mut all = constraints.clone();
            if is_kep && all.contains(&NoRemoveItem) && rules.iter().any(is_frozen) {
                all.push(NoAddItem);
            }
            Some(all)
        }
        _ => None,
    }
}

/// The key members of an element with the selected values; names without a member are skipped.
pub(super) fn criteria(types: Types<'_>, element: &TypeRef, selector: &Selector) -> Vec<(FieldId, Literal)> {
    selector
        .0
        .iter()
        .filter_map(|(name, value)| Some((types.member(element, name)?.0, value.clone())))
        .collect()
}

/// The selector as paths and messages show it: `{"k1": "v", "k2": 42}`.
pub(super) fn selector_text(selector: &Selector) -> String {
    let pairs: Vec<String> = selector
        .0
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Literal::Str(text) => kindsmith_gostd::quote::quote(text),
                other => other.to_string(),
            };
            format!("{}: {value}", kindsmith_gostd::quote::quote(key))
        })
        .collect();
    format!("{{{}}}", pairs.join(", "))
}
