//! A type as its attributes describe it: names, tags and Rust types, with places for messages.

use proc_macro2::Span;
use syn::Type;

/// A tag and the attribute it comes from.
#[derive(Debug, Clone)]
pub(crate) struct TagLine {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A type.
#[derive(Debug, Clone)]
pub(crate) struct Described {
    /// The name in the API.
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) docs: String,
    pub(crate) tags: Vec<TagLine>,
    pub(crate) shape: Shape,
}

#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Struct(Vec<Member>),
    Wrapper(Use),
    Enum(Vec<Choice>),
}

/// A field, or a variant with content of an enum.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) rust_name: String,
    pub(crate) span: Span,
    /// The name in JSON; empty if it is flattened.
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) tags: Vec<TagLine>,
    pub(crate) ty: Use,
    pub(crate) is_optional: bool,
    /// The function that says whether serde leaves a value out.
    pub(crate) left_out_if: Option<String>,
}

/// A variant without content.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) rust_name: String,
    pub(crate) span: Span,
    pub(crate) value: String,
    pub(crate) docs: String,
    pub(crate) tags: Vec<TagLine>,
}

/// The type of a member.
#[derive(Debug, Clone)]
pub(crate) enum Use {
    /// A Rust type, optional if it is the content of a variant.
    Rust {
        ty: Box<Type>,
        is_optional: bool,
        /// The Go type of what lies inside lists, maps and options, where the attribute names it.
        go: Option<String>,
    },
    /// A type of Go by its full name.
    Go(&'static str),
    /// A type that has no name in Rust: the struct of a variant, or the tag of an enum.
    Inline { of: Box<Described>, is_optional: bool },
    /// The type of this name in the same module; for the status of a kind.
    Path { ty: Box<Type>, is_optional: bool },
}
