//! Types as Go writes them in a file, and the form in which values are passed to a check.

use kindsmith_checks::Types;
use kindsmith_schema::{Package, Schema, TypeId, TypeRef};

use super::import::Imports;

/// Writes types for one file.
#[derive(Debug)]
pub(super) struct TypeNames<'s> {
    pub(super) types: Types<'s>,
    pub(super) imports: Imports,
    own: String,
    /// Anonymous structs that would have to be written.
    pub(super) nameless: Vec<TypeId>,
}

impl<'s> TypeNames<'s> {
    pub(super) fn new(schema: &'s Schema, own: &Package) -> Self {
        Self {
            types: Types::new(schema),
            imports: Imports::of_package(own),
            own: own.path.to_string(),
            nameless: Vec::new(),
        }
    }

    /// The package of the file.
    pub(super) fn own(&self) -> &str {
        &self.own
    }

    /// The type as written.
    pub(super) fn text(&mut self, ty: &TypeRef) -> String {
        match self.types.unalias(ty) {
            TypeRef::Named(id) => self.named(id),
            TypeRef::Scalar(scalar) => scalar.name().to_owned(),
            TypeRef::Pointer(inner) => format!("*{}", self.text(&inner)),
            TypeRef::List(element) => format!("[]{}", self.text(&element)),
            TypeRef::Array(len, element) => format!("[{len}]{}", self.text(&element)),
            TypeRef::Map(key, value) => {
                let key = self.text(&key);
                format!("map[{key}]{}", self.text(&value))
            }
            other => self.types.text(&other),
        }
    }

    /// A named type as written.
    pub(super) fn named(&mut self, id: TypeId) -> String {
        let schema = self.types.schema;
        let ty = schema.ty(id);
        if ty.anonymous {
            self.nameless.push(id);
        }
        if *ty.name.package == *self.own {
            return ty.name.name.to_string();
        }
        self.imports.of(&ty.name.package, &ty.name.name)
    }

    /// Whether a value of the type can be nil, and so is passed as it is.
    pub(super) fn is_nilable(&self, ty: &TypeRef) -> bool {
        let resolved = self.types.resolved(ty);
        resolved.pointers > 0
            || matches!(
                resolved.base,
                TypeRef::List(_) | TypeRef::Map(..) | TypeRef::Any { .. } | TypeRef::Interface
            )
    }

    /// The type in which checks receive its values: nilable types as they are, everything else by pointer.
    pub(super) fn nilable(&mut self, ty: &TypeRef) -> String {
        if self.is_nilable(ty) {
            self.text(ty)
        } else {
            format!("*{}", self.text(ty))
        }
    }

    /// An expression of the type in that form.
    pub(super) fn reference(&self, ty: &TypeRef, expression: &str) -> String {
        if self.is_nilable(ty) {
            expression.to_owned()
        } else {
            format!("&{expression}")
        }
    }
}
