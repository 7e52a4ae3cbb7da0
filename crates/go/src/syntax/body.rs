//! Struct bodies of an outline, parsed when their fields are needed. A program uses few of the types that its
//! imports declare, and those packages are large.

use super::ast::{BodyId, File, Type, TypeId, TypeKind};
use super::parser::parse_body;

impl File {
    /// A type expression, and the file in which to look up its parts: see [`File::body`].
    #[must_use]
    pub fn opened(&self, id: TypeId) -> (&File, Type) {
        let ty = self.ty(id);
        match ty.kind {
            TypeKind::Unread(body) => self.body(body),
            _ => (self, ty),
        }
    }

    /// A struct that was skipped, and the file in which to look up its parts: one with the same text and
    /// imports and with the comments of the body.
    #[must_use]
    pub fn body(&self, BodyId(id): BodyId) -> (&File, Type) {
        let body = &self.bodies[id as usize];
        let file = body.read.get_or_init(|| Box::new(parse_body(self, body)));
        // A struct is added after its fields.
        let ty = file.type_nodes.last().copied();
        (file, ty.expect("there is a struct, even if its text is broken"))
    }
}
