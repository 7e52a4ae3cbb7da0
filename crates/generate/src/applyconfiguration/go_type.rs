//! Go types as they are written, with the packages they need.

use kindsmith_schema::{TypeRef, View};

use super::imports::Imports;

/// A type as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GoType {
    Builtin(String),
    Named { package: String, name: String },
    Pointer(Box<GoType>),
    Slice(Box<GoType>),
    Array(u64, Box<GoType>),
    Map(Box<GoType>, Box<GoType>),
}

impl GoType {
    pub(super) fn named(package: &str, name: impl Into<String>) -> Self {
        Self::Named {
            package: package.to_owned(),
            name: name.into(),
        }
    }

    /// A type of the schema; other names of a type are resolved.
    pub(super) fn of(view: View<'_>, of: &TypeRef) -> Self {
        let inner = |of: &TypeRef| Box::new(Self::of(view, of));
        match view.unalias(of) {
            TypeRef::Named(id) => {
                let name = &view.ty(*id).name;
                Self::named(&name.package, &*name.name)
            }
            TypeRef::Scalar(scalar) => Self::Builtin(scalar.name().to_owned()),
            TypeRef::Pointer(of) => Self::Pointer(inner(of)),
            TypeRef::List(of) => Self::Slice(inner(of)),
            TypeRef::Array(length, of) => Self::Array(*length, inner(of)),
            TypeRef::Map(key, value) => Self::Map(inner(key), inner(value)),
            TypeRef::Any { .. } | TypeRef::Interface => Self::Builtin("any".to_owned()),
            TypeRef::Unsupported { text, .. } => Self::Builtin(text.to_string()),
        }
    }

    /// The text of the type. Packages are imported in the order in which types are written.
    pub(super) fn text(&self, imports: &mut Imports) -> String {
        match self {
            Self::Builtin(name) => name.clone(),
            Self::Named { package, name } => imports.qualified(package, name),
            Self::Pointer(of) => format!("*{}", of.text(imports)),
            Self::Slice(of) => format!("[]{}", of.text(imports)),
            Self::Array(length, of) => format!("[{length}]{}", of.text(imports)),
            Self::Map(key, value) => {
                let key = key.text(imports);
                format!("map[{key}]{}", value.text(imports))
            }
        }
    }

    /// The name of a named type.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Named { name, .. } | Self::Builtin(name) => name,
            Self::Pointer(of) | Self::Slice(of) | Self::Array(_, of) | Self::Map(_, of) => of.name(),
        }
    }

    /// What a list has.
    pub(super) fn item(&self) -> &Self {
        match self {
            Self::Slice(of) | Self::Pointer(of) => of,
            other => other,
        }
    }
}
