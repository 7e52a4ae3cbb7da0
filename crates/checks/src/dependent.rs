//! `dependentRequired` and `dependentForbidden`: whether one field is set decides about a sibling.

use kindsmith_schema::Str;

use super::context::Context;
use super::deferred::{Scope, Validations};
use super::wrap::unquoted;
use super::{Body, Call, Lowerer};

impl<'s> Lowerer<'s> {
    pub(super) fn dependent(&mut self, context: &Context, name: &Str, required: bool) -> Validations<'s> {
        let (Some(trigger), Some(parent)) = (context.member, &context.parent) else {
            return Validations::default();
        };
        let Some((dependent, _)) = self.types.member(parent, name) else {
            return Validations::default();
        };
        let trigger_name: Str = self.types.schema.field(trigger).display_name().into();
        let call = Call::new(
            Body::Dependent {
                trigger,
                trigger_name: unquoted(&trigger_name),
                dependent,
                dependent_name: unquoted(name),
                required,
            },
            context.rule,
        );
        Validations::later(Scope::Parent, move |_| Validations::one(call))
    }
}
