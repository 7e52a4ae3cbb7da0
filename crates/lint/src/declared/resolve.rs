//! What a type is, seen from the package that uses it: names of its own package are followed, others are not.

use kindsmith_schema::{Scalar, Schema, Shape, TypeRef};

/// The form of a type, through the names of its package and the underlying types of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text.
    String,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// `[]byte`: text in JSON.
    Bytes,
    /// A list.
    List,
    /// A map.
    Map,
    /// A struct whose fields the package declares.
    Struct,
    /// A struct of another package.
    Foreign,
    /// Anything else.
    Other,
}

impl Form {
    /// The form of a type used in a package.
    pub(crate) fn of(schema: &Schema, package: &str, of: &TypeRef) -> Self {
        let view = schema.view();
        let own = match of {
            TypeRef::Named(id) => *schema.ty(*id).name.package == *package,
            _ => true,
        };
        match view.underlying(of) {
            TypeRef::Scalar(Scalar::String) => Self::String,
            TypeRef::Scalar(Scalar::Bool) => Self::Bool,
            TypeRef::Scalar(_) => Self::Number,
            TypeRef::List(inner) if **inner == TypeRef::Scalar(Scalar::Byte) => Self::Bytes,
            TypeRef::List(_) | TypeRef::Array(..) => Self::List,
            TypeRef::Map(..) => Self::Map,
            TypeRef::Named(_) if own => Self::Struct,
            TypeRef::Named(_) => Self::Foreign,
            TypeRef::Pointer(inner) => Self::of(schema, package, inner),
            _ => Self::Other,
        }
    }

    /// Whether a value of the form can be nil.
    pub(crate) fn is_nilable(self) -> bool {
        matches!(self, Self::Bytes | Self::List | Self::Map)
    }
}

/// Calls `visit` on every part of a type expression, outermost first, with words for the way to it: ` pointer`,
/// ` array element`, ` type Name`. Names of the package are followed; `visit` returns whether to go deeper.
pub(crate) fn walk(
    schema: &Schema,
    package: &str,
    of: &TypeRef,
    visit: &mut dyn FnMut(&TypeRef, &str) -> bool,
) {
    step(schema, package, of, "", 0, visit);
}

/// Types may contain themselves.
const DEEPEST: usize = 16;

fn step(
    schema: &Schema,
    package: &str,
    of: &TypeRef,
    way: &str,
    depth: usize,
    visit: &mut dyn FnMut(&TypeRef, &str) -> bool,
) {
    if !visit(of, way) || depth > DEEPEST {
        return;
    }
    let mut go = |inner: &TypeRef, word: &str| {
        step(schema, package, inner, &format!("{way}{word}"), depth + 1, visit);
    };
    match of {
        TypeRef::Pointer(inner) => go(inner, " pointer"),
        TypeRef::List(inner) | TypeRef::Array(_, inner) => go(inner, " array element"),
        TypeRef::Map(key, value) => {
            go(key, " map key");
            go(value, " map value");
        }
        TypeRef::Named(id) => {
            let ty = schema.ty(*id);
            if *ty.name.package != *package {
                return;
            }
            if let Shape::Def(target) | Shape::Alias(target) = &ty.shape {
                go(target, &format!(" type {}", ty.name.name));
            }
        }
        _ => {}
    }
}
