//! Values of built-in kinds that no published schema lists: the constants of their Go types.

use kindsmith::Release;
use kindsmith_builtin::own_kinds;
use kindsmith_schema::{Json, Schema, Shape, TypeId, TypeRef};

use super::place::Step;
use super::version_text;

/// The constants of the type of a field, as JSON.
pub(super) fn of_field(api_version: &str, kind: &str, parent: &[Step], key: &str) -> Vec<Json> {
    let known = own_kinds(Release::default()).iter().find(|known| {
        let names = &known.names;
        &*names.kind == kind && version_text(&names.group, &names.version) == api_version
    });
    let found = known.and_then(|known| {
        let mut ty = TypeRef::Named(known.ty);
        for step in parent {
            ty = match step {
                Step::Key(key) => member(&known.schema, &ty, key)?,
                Step::Item => item(&known.schema, &ty)?,
            };
        }
        constants(&known.schema, &member(&known.schema, &ty, key)?)
    });
    found.unwrap_or_default()
}

/// The type without pointers and other names.
fn bare(schema: &Schema, ty: &TypeRef) -> TypeRef {
    match ty {
        TypeRef::Pointer(ty) => bare(schema, ty),
        TypeRef::Named(id) => match &schema.ty(*id).shape {
            Shape::Def(of) | Shape::Alias(of) => bare(schema, of),
            _ => ty.clone(),
        },
        _ => ty.clone(),
    }
}

fn item(schema: &Schema, ty: &TypeRef) -> Option<TypeRef> {
    match bare(schema, ty) {
        TypeRef::List(item) | TypeRef::Array(_, item) => Some(*item),
        _ => None,
    }
}

fn member(schema: &Schema, ty: &TypeRef, key: &str) -> Option<TypeRef> {
    match bare(schema, ty) {
        TypeRef::Map(_, value) => Some(*value),
        TypeRef::Named(id) => field(schema, id, key),
        _ => None,
    }
}

/// The type of the field with a JSON name, of a struct or of those embedded in it.
fn field(schema: &Schema, owner: TypeId, key: &str) -> Option<TypeRef> {
    let fields = schema.ty(owner).fields();
    let own = fields
        .iter()
        .find(|field| *field.json.name == *key && !field.json.skip);
    own.map(|field| field.ty.clone()).or_else(|| {
        let mut embedded = fields.iter().filter(|field| field.json.name.is_empty());
        embedded.find_map(|inner| match inner.ty {
            TypeRef::Named(id) => field(schema, id, key),
            _ => None,
        })
    })
}

/// The constants of a type.
fn constants(schema: &Schema, ty: &TypeRef) -> Option<Vec<Json>> {
    match ty {
        TypeRef::Pointer(ty) => constants(schema, ty),
        TypeRef::Named(id) => {
            let values = schema
                .ty(*id)
                .constants
                .iter()
                .filter_map(|constant| constant.value.clone());
            Some(values.collect())
        }
        _ => None,
    }
}
