//! The types that openapi-gen publishes.

use kindsmith_schema::{Schema, TypeId};

/// Like `types`, without those whose members openapi-gen ignores.
pub(crate) fn with_members(schema: &Schema) -> impl Iterator<Item = TypeId> {
    types(schema).filter(|id| !schema.ty(*id).describes_itself())
}

/// Types of input packages for which openapi-gen is enabled.
pub(crate) fn types(schema: &Schema) -> impl Iterator<Item = TypeId> {
    let published = schema.types().filter(|(_, ty)| {
        let package = schema.package(&ty.name.package).filter(|package| package.input);
        let wanted =
            package.is_some_and(|package| ty.options.openapi.or(package.options.openapi) == Some(true));
        // openapi-gen skips types that other packages cannot use.
        wanted && ty.name.is_exported() && !ty.anonymous
    });
    published.map(|(id, _)| id)
}
