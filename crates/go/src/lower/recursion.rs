//! Types that contain themselves by value, and aliases and definitions that refer to themselves without a struct between.
//! Go refuses most of them, and generators do not end on the others, such as `type Tree []Tree`. Later stages may follow
//! definitions and values to their end.

use kindsmith_schema::{FieldId, Owner, Part, Shape, TypeId, TypeRef};
use kindsmith_source::Diagnostic;

use super::Lower;
use crate::finding;

/// A use of another type: the field, or the type itself for what an alias or a definition stands for.
type Use = (Option<u32>, TypeId);

impl Lower<'_, '_> {
    /// Reports such types, and makes the use that closes the circle unsupported.
    pub(super) fn bound_recursion(&mut self) {
        let mut refused = self.circles(Self::definitions);
        refused.extend(self.circles(Self::values));
        if refused.is_empty() {
            return;
        }
        let places = self.places();
        for (owner, field) in refused {
            let place = match field {
                Some(index) => Owner::Field(FieldId { owner, index }),
                None => Owner::Type(owner),
            };
            let name = &self.builder.ty(owner).name.name;
            let message = format!("invalid recursive type {name}");
            let span = places[&place.part(Part::Type)];
            // Each instance of a generic type has the place of its declaration.
            if self.diagnostics.last().is_some_and(|last| last.span == span) {
                continue;
            }
            self.diagnostics.push(
                Diagnostic::error(&finding::GO_SYNTAX, span, message)
                    .label("contains itself")
                    .help("refer to it from a struct, by a pointer, in a list or in a map"),
            );
        }
    }

    /// The aliases and definitions that one is made of.
    fn definitions(&self, id: TypeId) -> Vec<Use> {
        let mut uses = Vec::new();
        if let Shape::Alias(target) | Shape::Def(target) = &self.builder.ty(id).shape {
            target.clone().for_each_named(&mut |part| {
                let is_struct = matches!(self.builder.ty(*part).shape, Shape::Struct(_));
                uses.extend((!is_struct).then_some((None, *part)));
            });
        }
        uses
    }

    /// The types that a value of a type contains.
    fn values(&self, id: TypeId) -> Vec<Use> {
        match &self.builder.ty(id).shape {
            Shape::Alias(target) | Shape::Def(target) => {
                value(target).map(|inner| (None, inner)).into_iter().collect()
            }
            Shape::Struct(members) => {
                let numbered = (0..).zip(&members.fields);
                let inner = |(index, field): (u32, &kindsmith_schema::Field)| {
                    value(&field.ty).map(|inner| (Some(index), inner))
                };
                numbered.filter_map(inner).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Cuts every circle of uses at the use that closes it. Chains of uses may be longer than the stack is deep.
    fn circles(&mut self, uses: fn(&Self, TypeId) -> Vec<Use>) -> Vec<(TypeId, Option<u32>)> {
        let mut refused = Vec::new();
        let mut open = vec![false; self.builder.types().len()];
        let mut seen = open.clone();
        for start in self.builder.ids() {
            if seen[start.index()] {
                continue;
            }
            let mut way = vec![(start, uses(self, start).into_iter())];
            seen[start.index()] = true;
            open[start.index()] = true;
            while let Some((user, rest)) = way.last_mut() {
                let user = *user;
                match rest.next() {
                    Some((field, used)) if open[used.index()] => {
                        self.cut(user, field);
                        refused.push((user, field));
                    }
                    Some((_, used)) if seen[used.index()] => {}
                    Some((_, used)) => {
                        seen[used.index()] = true;
                        open[used.index()] = true;
                        way.push((used, uses(self, used).into_iter()));
                    }
                    None => {
                        open[user.index()] = false;
                        way.pop();
                    }
                }
            }
        }
        refused
    }

    /// Makes the type of a field, or what a type stands for, one that nothing follows.
    pub(super) fn cut(&mut self, owner: TypeId, field: Option<u32>) {
        let ty = self.builder.ty_mut(owner);
        let nothing = TypeRef::Unsupported {
            kind: "Endless",
            text: ty.name.name.clone(),
        };
        match (&mut ty.shape, field) {
            (Shape::Struct(members), Some(index)) => members.fields[index as usize].ty = nothing,
            (Shape::Alias(target) | Shape::Def(target), None) => *target = nothing,
            _ => {}
        }
    }
}

/// The type that a value of this type contains.
fn value(of: &TypeRef) -> Option<TypeId> {
    match of {
        TypeRef::Named(id) => Some(*id),
        TypeRef::Array(_, inner) => value(inner),
        _ => None,
    }
}
