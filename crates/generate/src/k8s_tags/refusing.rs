//! Which types contain a rule that rejects new values.

use kindsmith_schema::{Facet, Rule, Schema, Shape, TypeRef, UpdateConstraint};

/// Types that contain, at some depth, a rule that rejects new values.
pub(crate) fn refusing(schema: &Schema) -> Vec<bool> {
    let view = schema.view();
    let refuses = |rules: &[Rule]| {
        rules.iter().any(|rule| match &rule.facet {
            Facet::Immutable => true,
            Facet::Update(constraints) => constraints.iter().any(|one| from_nothing(*one).is_some()),
            _ => false,
        })
    };
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); schema.types().len()];
    let (mut found, mut queue) = (vec![false; users.len()], Vec::new());
    for (id, ty) in schema.types() {
        if let Some((_, fields)) = view.members(&TypeRef::Named(id)) {
            fields
                .iter()
                .for_each(|field| used(&field.ty, id.index(), &mut users));
            if fields.iter().any(|field| refuses(&field.rules)) {
                queue.push(id.index());
            }
        }
        if let Shape::Def(of) | Shape::Alias(of) = &ty.shape {
            used(of, id.index(), &mut users);
        }
        if refuses(&ty.rules) {
            queue.push(id.index());
        }
    }
    while let Some(at) = queue.pop() {
        if !std::mem::replace(&mut found[at], true) {
            queue.extend(&users[at]);
        }
    }
    found
}

/// Records which types use the types inside a type expression.
fn used(mut of: &TypeRef, by: usize, users: &mut [Vec<usize>]) {
    loop {
        match of {
            TypeRef::Pointer(inner)
            | TypeRef::List(inner)
            | TypeRef::Array(_, inner)
            | TypeRef::Map(_, inner) => {
                of = inner;
            }
            TypeRef::Named(id) => return users[id.index()].push(by),
            _ => return,
        }
    }
}

/// The message of a constraint that forbids setting an unset value.
pub(super) fn from_nothing(constraint: UpdateConstraint) -> Option<&'static str> {
    match constraint {
        UpdateConstraint::NoSet => Some("field cannot be set once created"),
        UpdateConstraint::NoAddItem => Some("item may not be added"),
        _ => None,
    }
}
