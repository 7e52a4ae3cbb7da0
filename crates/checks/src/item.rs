//! `item`: a rule on one item of a list map.

use kindsmith_schema::{Facet, FieldId, Literal, Rule, Selector, TypeRef, UpdateConstraint};

use super::context::{Context, On};
use super::deferred::{Deferred, Scope, Validations};
use super::ir::Call;
use super::{Body, Lowerer, Types};

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
        if let Some(transitions) = item_transitions(rule, depth) {
            let fields = criteria(self.types, &element, selector);
            let mut call = Call::new(
                Body::ItemUpdate {
                    selector: fields,
                    constraints: transitions,
                },
                context.rule,
            )
            .short_circuiting();
            call.cohort = Some(selector_text(selector).into());
            return Validations::one(call);
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
            // What concerns all items already takes the list, so it is not wrapped.
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

/// The constraints of `item(..)=update=..` that only the KEP has: an item that comes or goes.
fn item_transitions(rule: &Rule, depth: usize) -> Option<Vec<UpdateConstraint>> {
    match &rule.facet {
        Facet::Update(constraints)
            if rule.wraps.len() == depth + 1 && *constraints != [UpdateConstraint::NoModify] =>
        {
            Some(constraints.clone())
        }
        _ => None,
    }
}

/// The key members of an element with the values that select it; what has no such member selects nothing.
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
