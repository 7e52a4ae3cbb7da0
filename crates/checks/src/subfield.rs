//! `subfield`: a rule on a member of a struct, together with the short circuits of that member.

use kindsmith_schema::{Owner, Rule, Str};

use super::context::{Context, On};
use super::deferred::{Deferred, Scope, Validations};
use super::{Body, Lowerer};

impl<'s> Lowerer<'s> {
    pub(super) fn subfield(
        &mut self,
        context: &Context,
        rule: &'s Rule,
        depth: usize,
        name: &'s Str,
    ) -> Validations<'s> {
        let Some((member, field)) = self.types.member(&context.ty, name) else {
            return Validations::default();
        };
        let mut below = context.below(On::Field, self.types.unalias(&field.ty), context.child_path(name));
        below.member = Some(member);
        let inner = self.extract(&below, rule, depth + 1);
        let opaque = (context.member, self.types.function_type(&context.ty));
        Validations::later(Scope::This, move |lowerer| {
            let mut combined = inner;
            let hidden = opaque
                .0
                .is_some_and(|member| lowerer.opaque_members.contains(&member))
                || opaque.1.is_some_and(|ty| lowerer.opaque_types.contains(&ty));
            if !hidden {
                combined.add(lowerer.inherited(&below));
            }
            // A member's level or opacity does not apply to the struct.
            let mut mapped = Validations {
                calls: combined.calls,
                deferred: combined.deferred,
                comment: combined.comment,
                ..Validations::default()
            }
            .map(move |call, scope| {
                if scope == Scope::Parent {
                    return call;
                }
                let mut outer = call.wrapped(|inner| Body::Subfield {
                    field: member,
                    name: name.clone(),
                    inner,
                });
                outer.cohort = Some(name.clone());
                outer
            });
            for deferred in &mut mapped.deferred {
                deferred.scope = Scope::This;
            }
            mapped
        })
    }

    /// The member's own short circuits, made silent because its own validation reports them.
    fn inherited(&mut self, below: &Context) -> Validations<'s> {
        let Some(member) = below.member else {
            return Validations::default();
        };
        if !self.inherited.insert(below.path.clone()) {
            return Validations::default();
        }
        let rules = &self.types.schema.field(member).rules;
        let mut context = below.clone();
        context.level = None;
        let all = self.extract_all(&context, rules, Owner::Field(member));
        silenced(all)
    }
}

fn silenced(all: Validations<'_>) -> Validations<'_> {
    let calls = all
        .calls
        .into_iter()
        .filter(|call| call.short_circuit)
        .map(super::Call::silent)
        .collect();
    let deferred = all
        .deferred
        .into_iter()
        .map(|one| Deferred {
            scope: one.scope,
            work: Box::new(move |lowerer| silenced((one.work)(lowerer))),
        })
        .collect();
    Validations {
        calls,
        deferred,
        ..Validations::default()
    }
}
