//! Where a tag may stand. Knows no tag.

use kindsmith_schema::Owner;

/// A place for a tag, directly or through a prefix tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A package.
    Package,
    /// A type definition.
    Type,
    /// A struct field.
    Field,
    /// Elements of a list.
    ListValue,
    /// Keys of a map.
    MapKey,
    /// Values of a map.
    MapValue,
    /// A constant.
    Constant,
}

/// All places with a value.
pub const VALUES: &[Scope] = &[
    Scope::Type,
    Scope::Field,
    Scope::ListValue,
    Scope::MapKey,
    Scope::MapValue,
];

impl Scope {
    /// The place of tags in the comment of a declaration.
    #[must_use]
    pub fn of(owner: Owner) -> Self {
        match owner {
            Owner::Package(_) => Self::Package,
            Owner::Type(_) => Self::Type,
            Owner::Field(_) => Self::Field,
            Owner::Constant(..) => Self::Constant,
        }
    }

    /// The name in upstream's messages.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Package => "packages",
            Self::Type => "type definitions",
            Self::Field => "struct fields",
            Self::ListValue => "list values",
            Self::MapKey => "map keys",
            Self::MapValue => "map values",
            Self::Constant => "constant values",
        }
    }
}
