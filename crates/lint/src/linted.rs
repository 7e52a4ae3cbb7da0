//! The declarations that upstream's own linter checks: everything below root types that do not opt out, in
//! libraries too (code-generator `cmd/validation-gen/lint.go`).

use std::collections::HashSet;

use kindsmith_schema::{Owner, Rule, Schema, Shape, TypeId, TypeRef};

use crate::reach::Reach;

/// Types in the order found, each once.
pub(crate) fn types(reach: &Reach<'_>) -> Vec<TypeId> {
    let mut walk = Walk {
        reach,
        seen: HashSet::new(),
        found: Vec::new(),
    };
    for (id, linted) in &reach.roots {
        if *linted {
            walk.named(*id);
        }
    }
    walk.found
}

/// Declarations of the given types that can have tags, with their rules.
pub(crate) fn declarations<'a>(
    schema: &'a Schema,
    types: &[TypeId],
) -> impl Iterator<Item = (Owner, &'a [Rule])> {
    types.iter().flat_map(move |id| {
        let fields = schema
            .fields(*id)
            .map(|(id, field)| (Owner::Field(id), &*field.rules));
        std::iter::once((Owner::Type(*id), &*schema.ty(*id).rules)).chain(fields)
    })
}

/// Upstream's message for one finding: it lists findings per type.
pub(crate) fn upstream_text(schema: &Schema, owner: Owner, message: &str) -> String {
    let (ty, line) = match owner {
        Owner::Field(id) => (id.owner, format!("field {}: {message}", schema.field(id).name)),
        Owner::Type(id) | Owner::Constant(id, _) => (id, message.to_owned()),
        Owner::Package(_) => return message.to_owned(),
    };
    format!("lint failed:\n  type {}:\n    {line}", schema.ty(ty).name)
}

struct Walk<'a> {
    reach: &'a Reach<'a>,
    seen: HashSet<TypeId>,
    found: Vec<TypeId>,
}

impl Walk<'_> {
    fn named(&mut self, id: TypeId) {
        let schema = self.reach.schema;
        let ty = schema.ty(id);
        if ty.options.no_lint || !self.seen.insert(id) {
            return;
        }
        self.found.push(id);
        match &ty.shape {
            Shape::Struct(members) => members.fields.iter().for_each(|field| self.used(&field.ty)),
            Shape::Def(target) | Shape::Alias(target) => self.used(target),
            Shape::Hole => {}
        }
    }

    fn used(&mut self, ty: &TypeRef) {
        match ty {
            TypeRef::Named(id) => self.named(*id),
            TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => self.used(inner),
            TypeRef::Map(key, value) => {
                self.used(key);
                self.used(value);
            }
            _ => {}
        }
    }
}
