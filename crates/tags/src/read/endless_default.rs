//! Defaults that never end: a default sets a value whose own members take the same default again.
//!
//! defaulter-gen's functions stop at the second visit of a type, except at types with functions of their own.

use std::collections::{BTreeMap, HashSet};

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, Field, FieldId, Owner, Profile, Shape, TypeId, TypeRef, View};
use kindsmith_source::{Diagnostic, Span};

use crate::finding;

/// A step on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    /// A default is set.
    Default(Owner),
    /// A struct that is not a pointer is always there.
    Struct(TypeId),
}

/// Deeper values are not followed.
const MAX_DEPTH: usize = 64;

/// Reports defaults that never end in a profile.
pub(super) fn endless_defaults(
    view: View<'_>,
    defaults: &BTreeMap<Owner, (Default, Span)>,
    profile: Profile,
) -> Vec<Diagnostic> {
    let arena = Arena::new();
    let mut walk = Walk {
        view,
        defaults,
        arena: &arena,
        profile,
        around: Vec::new(),
        depth: 0,
        budget: 100_000,
        done: HashSet::new(),
        found: Vec::new(),
    };
    for owner in defaults.keys() {
        walk.default(*owner);
    }
    walk.found
}

struct Walk<'a> {
    view: View<'a>,
    defaults: &'a BTreeMap<Owner, (Default, Span)>,
    arena: &'a Arena,
    profile: Profile,
    around: Vec<Step>,
    /// How many structs are around, and how many more may be visited.
    depth: usize,
    budget: usize,
    done: HashSet<Step>,
    found: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    fn default(&mut self, owner: Owner) {
        let defaults = self.defaults;
        let Some(value) = defaults.get(&owner).and_then(|(default, _)| default.value()) else {
            return;
        };
        let value = value.value(self.arena);
        match owner {
            Owner::Field(id) => {
                if let Some(field) = self.view.ty(id.owner).fields().get(id.index as usize) {
                    self.step(Step::Default(owner), &field.ty, value);
                }
            }
            Owner::Type(id) => self.step_into(Step::Default(owner), |walk| match &walk.view.ty(id).shape {
                Shape::Def(target) | Shape::Alias(target) => walk.value(target, value),
                Shape::Struct(_) | Shape::Hole => walk.named(id, value),
            }),
            Owner::Package(_) | Owner::Constant(..) => {}
        }
    }

    fn step(&mut self, step: Step, ty: &'a TypeRef, value: Value<'a>) {
        self.step_into(step, |walk| walk.value(ty, value));
    }

    fn step_into(&mut self, step: Step, inside: impl FnOnce(&mut Self)) {
        if let Some(at) = self.around.iter().position(|outer| *outer == step) {
            return self.report(at);
        }
        if self.done.insert(step) {
            self.around.push(step);
            inside(self);
            self.around.pop();
        }
    }

    /// The steps from this one on lead back to it.
    fn report(&mut self, at: usize) {
        let steps = &self.around[at..];
        let has_function = |step: &Step| match step {
            Step::Default(Owner::Field(id)) => {
                let fields = self.view.ty(id.owner).fields();
                fields.iter().any(|field| &*field.name == "TypeMeta")
            }
            _ => false,
        };
        if self.profile == Profile::Upstream && !steps.iter().any(has_function) {
            return;
        }
        let owner = steps.iter().rev().find_map(|step| match step {
            Step::Default(owner) => Some(owner),
            Step::Struct(_) => None,
        });
        if let Some((_, span)) = owner.and_then(|owner| self.defaults.get(owner)) {
            let message = "the default never ends: the value it sets takes the same default inside";
            let diagnostic = Diagnostic::error(&finding::DEFAULT_TYPE, *span, message);
            self.found
                .push(diagnostic.help("leave it out, so that the innermost value has none"));
        }
    }

    fn value(&mut self, ty: &'a TypeRef, value: Value<'a>) {
        match (self.view.underlying(ty), value) {
            (_, Value::Null) => {}
            (TypeRef::Pointer(inner), value) => self.value(inner, value),
            (TypeRef::List(inner) | TypeRef::Array(_, inner), Value::Array(items)) => {
                items.iter().for_each(|item| self.element(inner, *item));
            }
            (TypeRef::Map(_, inner), Value::Object(object)) => {
                object
                    .entries()
                    .iter()
                    .for_each(|entry| self.element(inner, entry.value));
            }
            (TypeRef::Named(id), value) => self.named(*id, value),
            _ => {}
        }
    }

    fn element(&mut self, ty: &'a TypeRef, value: Value<'a>) {
        match (value, self.type_default(ty)) {
            (Value::Null, Some(owner)) => self.default(owner),
            _ => self.value(ty, value),
        }
    }

    fn named(&mut self, id: TypeId, value: Value<'a>) {
        let fields = self.view.ty(id).fields();
        let Value::Object(object) = value else {
            return;
        };
        // Go refuses a struct that contains itself, but it can be written.
        if self.depth > MAX_DEPTH || self.budget == 0 {
            return;
        }
        self.budget -= 1;
        self.depth += 1;
        for (index, field) in fields.iter().enumerate() {
            let owner = Owner::Field(FieldId {
                owner: id,
                index: index as u32,
            });
            let given = field.json_name().and_then(|name| object.get(name));
            match given.filter(|value| !value.is_null()) {
                _ if field.is_inline() => self.value(&field.ty, value),
                Some(value) => self.value(&field.ty, value),
                None if self.defaults.contains_key(&owner) => self.default(owner),
                None => self.absent(field),
            }
        }
        self.depth -= 1;
    }

    /// A member without a value and without a default of its own.
    fn absent(&mut self, field: &'a Field) {
        if let Some(owner) = self.type_default(&field.ty) {
            return self.default(owner);
        }
        if let Some((id, _)) = self.view.members(&field.ty) {
            let nothing = Value::Object(kindsmith_json::Object::EMPTY);
            self.step(Step::Struct(id), &field.ty, nothing);
        }
    }

    /// A default that a type has, as KEP-1929 reads it.
    fn type_default(&self, ty: &'a TypeRef) -> Option<Owner> {
        match self.view.unalias(self.view.deref(ty)) {
            TypeRef::Named(id) if self.profile == Profile::Kep => Some(Owner::Type(*id)),
            _ => None,
        }
        .filter(|owner| self.defaults.contains_key(owner))
    }
}
