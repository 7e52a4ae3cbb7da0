//! Struct bodies of an outline, parsed when their fields are needed. A program uses few of the types that its
//! imports declare, and those packages are large.

use std::sync::OnceLock;

use super::ast::{File, Type, TypeId, TypeKind};
use super::parser::parse_body;

/// How much of a file to parse at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    Whole,
    /// Declarations; fields of structs are parsed on demand, and comments in function bodies are dropped.
    Outline,
}

/// A struct body that was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyId(pub(super) u32);

/// The place of a skipped body, and its content once parsed.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Offset of the word `struct`.
    pub(super) start: u32,
    /// Offset after the closing brace.
    pub(super) end: u32,
    /// The line of the word.
    pub(super) line: u32,
    pub(super) read: OnceLock<Box<File>>,
}

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
