//! Walks types as the generator discovers them (VG/validation.go, `discoverType`), because a tag's result may depend on
//! tags seen before it.

use kindsmith_schema::{FieldId, GoKind, Owner, Part, Place, Rule, TypeId, TypeRef};

use crate::context::{Context, On};
use crate::deferred::{Deferred, Scope, Validations};
use crate::lowered::{LoweredField, LoweredType};
use crate::lowerer::Lowerer;
use crate::{Body, Call, in_order};

/// Deferred work may defer more work, but not forever.
const MAX_ROUNDS: usize = 10;

/// Types repeat after a limited depth; a longer chain of unnamed types is not followed.
const MAX_DEPTH: usize = 200;

impl<'s> Lowerer<'s> {
    /// Lowers a type and everything below it, once.
    pub(crate) fn discover(&mut self, ty: &TypeRef, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let ty = self.types.non_pointer(ty);
        match (self.types.kind(&ty), &ty) {
            (GoKind::Struct | GoKind::Alias, TypeRef::Named(id)) => self.discover_named(*id, depth),
            (_, TypeRef::List(element) | TypeRef::Array(_, element)) => self.discover(element, depth + 1),
            (_, TypeRef::Map(key, value)) => {
                self.discover(key, depth + 1);
                self.discover(value, depth + 1);
            }
            _ => {}
        }
    }

    fn discover_named(&mut self, id: TypeId, depth: usize) {
        if self.done.contains_key(&id) || !self.under_way.insert(id) {
            return;
        }
        let ty = TypeRef::Named(id);
        let path = self.types.text(&ty);
        let mut lowered = LoweredType::default();
        let mut hoisted = Vec::new();
        if self.types.kind(&ty) == GoKind::Struct {
            self.discover_struct(id, &path, depth, &mut lowered, &mut hoisted);
        } else {
            self.discover(&self.types.underlying(&ty), depth + 1);
        }
        let context = Context {
            on: On::Type,
            ty: ty.clone(),
            path,
            member: None,
            parent_path: String::new(),
            parent: None,
            selector: None,
            level: None,
            rule: None,
        };
        let rules = &self.types.schema.ty(id).rules;
        let mut validations = self.extract_all(&context, rules, Owner::Type(id));
        lowered.opaque = validations.opaque;
        if self.types.kind(&ty) == GoKind::Alias {
            let opaque = (validations.opaque_keys, validations.opaque_values);
            (lowered.keys, lowered.values) = self.iterations(&context, opaque);
        }
        let own = std::mem::take(&mut validations.deferred);
        lowered.calls = hoisted;
        lowered.calls.append(&mut validations.calls);
        lowered.comment |= validations.comment;
        let mut result = Validations::default();
        self.run_deferred(own, &mut result, None);
        lowered.calls.append(&mut result.calls);
        lowered.comment |= result.comment;
        self.done.insert(id, lowered);
    }

    fn discover_struct(
        &mut self,
        id: TypeId,
        path: &str,
        depth: usize,
        lowered: &mut LoweredType,
        hoisted: &mut Vec<Call>,
    ) {
        let parent = TypeRef::Named(id);
        let Some((owner, fields)) = self.types.members(&parent) else {
            return;
        };
        let mut pending = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            if !field.is_exported() {
                pending.push(Validations::default());
                lowered.fields.push(LoweredField::default());
                continue;
            }
            let member = FieldId {
                owner,
                index: index as u32,
            };
            self.discover(&field.ty, depth + 1);
            let context = Context {
                on: On::Field,
                ty: self.types.unalias(&field.ty),
                path: format!("{path}.{}", field.display_name()),
                member: Some(member),
                parent_path: path.to_owned(),
                parent: Some(parent.clone()),
                selector: None,
                level: None,
                rule: None,
            };
            let validations = self.extract_all(&context, &field.rules, Owner::Field(member));
            let mut one = LoweredField::default();
            let named = matches!(
                self.types.kind(&self.types.non_pointer(&field.ty)),
                GoKind::Struct | GoKind::Alias
            );
            one.opaque = named && validations.opaque;
            if matches!(context.ty, TypeRef::List(_) | TypeRef::Map(..)) {
                let opaque = (validations.opaque_keys, validations.opaque_values);
                (one.keys, one.values) = self.iterations(&context, opaque);
            }
            lowered.fields.push(one);
            pending.push(validations);
        }
        for (one, mut validations) in lowered.fields.iter_mut().zip(pending) {
            let deferred = std::mem::take(&mut validations.deferred);
            let mut parent = Validations::default();
            self.run_deferred(deferred, &mut validations, Some(&mut parent));
            one.calls = validations.calls;
            one.comment = validations.comment;
            hoisted.append(&mut parent.calls);
            lowered.comment |= parent.comment;
        }
    }

    /// Calls of the functions of named key and element types.
    fn iterations(&mut self, context: &Context, opaque: (bool, bool)) -> (Option<Call>, Option<Call>) {
        let (mut keys, mut values) = (None, None);
        let element = if let Some((key, value)) = self.types.map_parts(&context.ty) {
            if let Some(id) = self.types.function_type(&key).filter(|_| !opaque.0) {
                let call = Call::new(Body::TypeFunction(id), None);
                keys = Some(call.wrapped(Body::EachKey));
            }
            Some(value)
        } else {
            self.types.list_element(&context.ty)
        };
        let element = element.and_then(|element| self.types.function_type(&element));
        if let Some(id) = element.filter(|_| !opaque.1) {
            let matching = self.matching(&context.path, &context.ty);
            let call = Call::new(Body::TypeFunction(id), None);
            values = Some(call.wrapped(|inner| Body::EachVal { matching, inner }));
        }
        (keys, values)
    }

    /// Runs deferred work round by round. Without a `parent`, all results go to `this`.
    fn run_deferred(
        &mut self,
        mut deferred: Vec<Deferred<'s>>,
        this: &mut Validations<'s>,
        mut parent: Option<&mut Validations<'s>>,
    ) {
        for _ in 0..MAX_ROUNDS {
            if deferred.is_empty() {
                return;
            }
            let mut next = Vec::new();
            for one in deferred {
                let mut result = (one.work)(self);
                next.append(&mut result.deferred);
                match (&mut parent, one.scope) {
                    (Some(parent), Scope::Parent) => parent.add(result),
                    _ => this.add(result),
                }
            }
            deferred = next;
        }
    }

    /// Lowers the declarative rules of one declaration.
    pub(crate) fn extract_all(
        &mut self,
        context: &Context,
        rules: &'s [Rule],
        owner: Owner,
    ) -> Validations<'s> {
        let mut all = Validations::default();
        for (index, rule) in in_order(rules) {
            let mut context = context.clone();
            context.rule = Some(Place {
                owner,
                part: Part::Rule(index),
            });
            all.add(self.extract(&context, rule, 0));
        }
        all
    }
}
