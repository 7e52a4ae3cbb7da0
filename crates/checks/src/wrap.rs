//! Tags around other tags: levels, conditions, elements and keys.

use kindsmith_schema::{Condition, Level, Rule, Wrap};

use super::context::{Context, On};
use super::deferred::{Scope, Validations};
use super::{Body, Lowerer};

impl<'s> Lowerer<'s> {
    /// Lowers a rule, from its wrapper number `depth` inwards.
    pub(super) fn extract(&mut self, context: &Context, rule: &'s Rule, depth: usize) -> Validations<'s> {
        if let Some(hoisted) = self.compare(context, rule, depth) {
            return hoisted;
        }
        match rule.wraps.get(depth) {
            None => self.facet(context, rule),
            Some(Wrap::Level { level, .. }) => self.level(context, rule, depth, *level),
            Some(Wrap::If(condition)) => self.condition(context, rule, depth, condition),
            Some(Wrap::EachVal) => self.each_val(context, rule, depth),
            Some(Wrap::EachKey) => self.each_key(context, rule, depth),
            Some(Wrap::Subfield(name)) => self.subfield(context, rule, depth, name),
            Some(Wrap::Item(selector)) => self.item(context, rule, depth, selector),
        }
    }

    fn level(&mut self, context: &Context, rule: &'s Rule, depth: usize, level: Level) -> Validations<'s> {
        let mut context = context.clone();
        context.level = Some(level);
        self.extract(&context, rule, depth + 1).map(move |mut call, _| {
            if !call.self_managed {
                call.level = Some(level);
            }
            call
        })
    }

    fn condition(
        &mut self,
        context: &Context,
        rule: &'s Rule,
        depth: usize,
        condition: &'s Condition,
    ) -> Validations<'s> {
        match condition {
            Condition::Option { name, enabled } => {
                let inner = self.extract(context, rule, depth + 1);
                inner.map(move |call, _| {
                    call.wrapped(|inner| Body::IfOption {
                        option: unquoted(name),
                        enabled: *enabled,
                        inner,
                    })
                })
            }
            Condition::Subresource { path, matches } => {
                let inner = self.extract(context, rule, depth + 1);
                inner.map(move |call, _| {
                    call.wrapped(|inner| Body::IfSubresource {
                        path: path.clone(),
                        matches: *matches,
                        inner,
                    })
                })
            }
            Condition::Mode { modality, mode } => self.if_mode(
                context,
                rule,
                depth,
                modality.as_deref().unwrap_or_default(),
                mode,
            ),
        }
    }

    fn each_val(&mut self, context: &Context, rule: &'s Rule, depth: usize) -> Validations<'s> {
        let (on, element) = match (
            self.types.list_element(&context.ty),
            self.types.map_parts(&context.ty),
        ) {
            (Some(element), _) => (On::ListVal, element),
            (_, Some((_, value))) => (On::MapVal, value),
            _ => return Validations::default(),
        };
        let below = context.below(on, self.types.unalias(&element), context.key_path("(vals)"));
        let inner = self.extract(&below, rule, depth + 1);
        let mut result = Validations {
            opaque_values: inner.opaque,
            comment: inner.comment,
            ..Validations::default()
        };
        if !inner.calls.is_empty() {
            let (context, calls) = (context.clone(), inner.calls);
            result.add(Validations::later(Scope::This, move |lowerer| {
                let calls = Validations {
                    calls,
                    ..Validations::default()
                };
                lowerer.wrap_each_val(&context, calls)
            }));
        }
        if !inner.deferred.is_empty() {
            let (context, deferred) = (context.clone(), inner.deferred);
            result.add(Validations::later(Scope::This, move |lowerer| {
                let resolved = Validations::resolved(deferred, lowerer);
                lowerer.wrap_each_val(&context, resolved)
            }));
        }
        result
    }

    fn wrap_each_val(&mut self, context: &Context, inner: Validations<'s>) -> Validations<'s> {
        let matching = self.matching(&context.path, &context.ty);
        let wrapped = inner.map(move |call, _| {
            let matching = matching.clone();
            call.wrapped(|inner| Body::EachVal { matching, inner })
        });
        Validations {
            calls: wrapped.calls,
            deferred: wrapped.deferred,
            ..Validations::default()
        }
    }

    fn each_key(&mut self, context: &Context, rule: &'s Rule, depth: usize) -> Validations<'s> {
        let Some((key, _)) = self.types.map_parts(&context.ty) else {
            return Validations::default();
        };
        let below = context.below(On::MapKey, self.types.unalias(&key), context.key_path("(keys)"));
        let inner = self.extract(&below, rule, depth + 1);
        let mut result = Validations {
            opaque_keys: inner.opaque,
            comment: inner.comment,
            ..Validations::default()
        };
        result.calls = inner
            .calls
            .into_iter()
            .map(|call| call.wrapped(Body::EachKey))
            .collect();
        if !inner.deferred.is_empty() {
            let deferred = inner.deferred;
            result.add(Validations::later(Scope::This, move |lowerer| {
                let resolved = Validations::resolved(deferred, lowerer);
                resolved.map(|call, _| call.wrapped(Body::EachKey))
            }));
        }
        result
    }
}

/// Text as it ends up in generated Go: upstream quotes it again, and reads text that is a Go literal as its
/// value (VG/validation.go, `toGolangSourceDataLiteral`).
pub(super) fn unquoted(text: &kindsmith_schema::Str) -> kindsmith_schema::Str {
    match kindsmith_gostd::quote::unquote(text) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).as_ref().into(),
        Err(_) => text.clone(),
    }
}
