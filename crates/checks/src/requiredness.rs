//! `required`, `optional` and `forbidden`.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, GoKind, Scalar, TypeRef};

use super::context::{Context, On};
use super::deferred::Validations;
use super::ir::Leaf;
use super::{Body, Call, Lowerer, Types};

impl<'s> Lowerer<'s> {
    pub(super) fn required(&self, context: &Context) -> Validations<'s> {
        if self.is_struct_value(context) {
            return Validations::default();
        }
        Validations::one(Call::new(Body::Leaf(Leaf::Required), context.rule).short_circuiting())
    }

    /// An optional field with a default counts as required: defaulting has already run.
    pub(super) fn optional(&self, context: &Context) -> Validations<'s> {
        if self.is_struct_value(context) {
            return Validations::default();
        }
        let default = context
            .member
            .and_then(|member| self.types.schema.field(member).default.as_ref());
        match default.map(|default| is_zero_default(self.types, &context.ty, default)) {
            None => {
                let call = Call::new(Body::Leaf(Leaf::Optional), context.rule);
                Validations::one(call.short_circuiting().silent())
            }
            Some(false) => self.required(context),
            Some(true) => Validations {
                comment: true,
                ..Validations::default()
            },
        }
    }

    /// A forbidden field that is unset is not checked any further.
    pub(super) fn forbidden(&self, context: &Context) -> Validations<'s> {
        if context.on == On::Field && self.is_struct_value(context) {
            return Validations::default();
        }
        let forbidden = Call::new(Body::Leaf(Leaf::Forbidden), context.rule).short_circuiting();
        let unset = Call::new(Body::Leaf(Leaf::Optional), context.rule);
        Validations {
            calls: vec![forbidden, unset.short_circuiting().silent()],
            ..Validations::default()
        }
    }

    fn is_struct_value(&self, context: &Context) -> bool {
        self.types.kind(&context.ty) == GoKind::Struct
    }
}

/// Whether the default of a value is what the value is anyway.
#[must_use]
pub fn is_zero_default(types: Types<'_>, of: &TypeRef, default: &Default) -> bool {
    let resolved = types.resolved(of);
    let TypeRef::Scalar(scalar) = resolved.base else {
        return false;
    };
    if resolved.pointers > 0 {
        return false;
    }
    let arena = Arena::new();
    let Some(value) = default.value().map(|json| json.value(&arena)) else {
        return false;
    };
    match (scalar, value) {
        (Scalar::String, Value::Str(text)) => text.is_empty(),
        (Scalar::Bool, Value::Bool(truth)) => !truth,
        (Scalar::String | Scalar::Bool, _) => false,
        (_, number) => number.as_f64() == Some(0.0),
    }
}
