//! `update` and `immutable`: what an update may not do.

use kindsmith_schema::{Level, UpdateConstraint};

use super::context::{Context, On};
use super::deferred::{Scope, Validations};
use super::ir::Leaf;
use super::{Body, Call, Lowerer, Matching};
use crate::Profile;

impl<'s> Lowerer<'s> {
    pub(super) fn update(&mut self, context: &Context, constraints: &[UpdateConstraint]) -> Validations<'s> {
        if matches!(context.on, On::ListVal | On::MapVal) {
            let call = update_call(
                context,
                constraints.iter().copied(),
                Matching::None,
                context.level,
            );
            return Validations::one(call);
        }
        let collected = self.updates.entry(context.path.clone()).or_default();
        collected.level = context.level;
        collected.constraints.extend(constraints);
        let context = context.clone();
        Validations::later(Scope::This, move |lowerer| lowerer.update_calls(&context))
    }

    /// All constraints of the field as one check, returned to the first tag that calls this.
    fn update_calls(&mut self, context: &Context) -> Validations<'s> {
        let Some(collected) = self.updates.remove(&context.path) else {
            return Validations::default();
        };
        let matching = self.matching(&context.path, &context.ty);
        let level = context.level.or(collected.level);
        let call = update_call(context, collected.constraints.into_iter(), matching, level);
        Validations::one(call)
    }

    pub(super) fn immutable(&mut self, context: &Context) -> Validations<'s> {
        let rule = context.rule;
        let is_collection =
            self.types.list_element(&context.ty).is_some() || self.types.map_parts(&context.ty).is_some();
        match (self.profile, is_collection) {
            (Profile::Upstream, _) => {
                let call = Call::new(Body::Leaf(Leaf::Immutable), rule);
                Validations::one(call.short_circuiting())
            }
            (Profile::Kep, false) => {
                let call = Call::new(Body::Leaf(Leaf::SetOnce), rule);
                Validations::one(call.short_circuiting())
            }
            (Profile::Kep, true) => {
                let context = context.clone();
                Validations::later(Scope::This, move |lowerer| {
                    let matching = lowerer.matching(&context.path, &context.ty);
                    let call = Call::new(Body::ImmutableItems(matching), rule);
                    Validations::one(call.short_circuiting())
                })
            }
        }
    }
}

fn update_call(
    context: &Context,
    constraints: impl Iterator<Item = UpdateConstraint>,
    matching: Matching,
    level: Option<Level>,
) -> Call {
    let mut constraints: Vec<_> = constraints.collect();
    constraints.sort_unstable();
    let body = Body::Update {
        constraints,
        matching,
    };
    let mut call = Call::new(body, context.rule).short_circuiting();
    call.level = level;
    call
}
