//! What the macros say about a type.

use crate::{GoType, Text};

/// A Rust type, in the words of an API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The doc comment: its lines, without comment marks.
    pub docs: Text,
    /// Tags, without their `+`.
    pub tags: Vec<Text>,
    /// The structure.
    pub body: Body,
}

/// The structure of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A struct with named fields, or an enum whose variants have content: a union of fields.
    Struct(Vec<Field>),
    /// A struct with one unnamed field: another name for a type, with rules of its own.
    Wrapper(GoType),
    /// An enum of names.
    Enum(Vec<Variant>),
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name in Rust, for messages.
    pub rust_name: Text,
    /// The name in JSON; empty for a field whose members are those of the struct around it (`serde(flatten)`).
    pub name: Text,
    /// The doc comment.
    pub docs: Text,
    /// Tags, without their `+`.
    pub tags: Vec<Text>,
    /// The type.
    pub ty: GoType,
    /// Whether it may be absent.
    pub presence: Presence,
}

/// Whether a field may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be absent.
    Optional,
}

/// A variant of an enum of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The name in Rust.
    pub rust_name: Text,
    /// The value in JSON.
    pub value: Text,
    /// The doc comment.
    pub docs: Text,
    /// Tags, without their `+`.
    pub tags: Vec<Text>,
}

impl Declaration {
    /// A type without documentation and tags.
    #[must_use]
    pub fn new(body: Body) -> Self {
        Self {
            docs: Text::default(),
            tags: Vec::new(),
            body,
        }
    }

    /// Whether the type has members.
    #[must_use]
    pub fn is_struct(&self) -> bool {
        matches!(self.body, Body::Struct(_))
    }
}
