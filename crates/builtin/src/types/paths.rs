//! Paths of fields below a type, as the schema has them.

use kindsmith_schema::{Field, Schema, TypeId, TypeRef};

/// A step of a path: every element of a list.
pub(crate) const EACH: &str = "[]";

/// The path of a field: names of members, and [`EACH`].
pub(crate) type Steps = Vec<&'static str>;

/// The paths of fields that are wanted, with what they are wanted for. Nothing below such a field is visited.
pub(crate) fn paths<W>(
    schema: &'static Schema,
    root: TypeId,
    wanted: impl Fn(&'static Field) -> Option<W>,
) -> Vec<(W, Steps)> {
    let mut walk = Walk {
        schema,
        wanted,
        open: Vec::new(),
        found: Vec::new(),
    };
    walk.visit(root, &mut Vec::new());
    walk.found
}

struct Walk<W, F> {
    schema: &'static Schema,
    wanted: F,
    /// The types that contain the visited one; a type inside itself is not visited again.
    open: Vec<TypeId>,
    found: Vec<(W, Steps)>,
}

impl<W, F: Fn(&'static Field) -> Option<W>> Walk<W, F> {
    fn visit(&mut self, ty: TypeId, path: &mut Steps) {
        if self.open.contains(&ty) {
            return;
        }
        self.open.push(ty);
        for field in self.schema.ty(ty).fields() {
            let before = path.len();
            path.extend(field.json_name().filter(|_| !field.embedded));
            if let Some(wanted) = (self.wanted)(field) {
                self.found.push((wanted, path.clone()));
            } else if let Some(inner) = element(&field.ty, path) {
                self.visit(inner, path);
            }
            path.truncate(before);
        }
        self.open.pop();
    }
}

/// The named type behind pointers and lists; a list is one more step.
fn element(ty: &TypeRef, path: &mut Steps) -> Option<TypeId> {
    match ty {
        TypeRef::Named(id) => Some(*id),
        TypeRef::Pointer(of) => element(of, path),
        TypeRef::List(of) => {
            path.push(EACH);
            element(of, path)
        }
        _ => None,
    }
}
