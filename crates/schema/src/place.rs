//! Keys under which a front end stores facts about parts of a schema, such as their position in the source.

use crate::{FieldId, TypeId};

/// A part of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The declaration.
    pub owner: Owner,
    /// The part of it.
    pub part: Part,
}

/// A declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// A package, by its index.
    Package(u32),
    /// A type.
    Type(TypeId),
    /// A field.
    Field(FieldId),
    /// A constant, by its index in its type.
    Constant(TypeId, u32),
}

/// A part of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The declared name.
    Name,
    /// The type expression.
    Type,
    /// The default.
    Default,
    /// A rule, by its index.
    Rule(u32),
    /// A hand-written function of a package, by its index.
    Function(u32),
}

impl Owner {
    /// A part of this declaration.
    #[must_use]
    pub fn part(self, part: Part) -> Place {
        Place { owner: self, part }
    }
}
