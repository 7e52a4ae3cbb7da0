//! The descriptor of a tag, shared by grammar checks, documentation and completion.

use kindsmith_schema::Level;

use crate::grammar::Marker as MarkerLine;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::site::BlockKind;

pub mod client;
pub mod control;
pub mod declarative;
pub mod default;
pub mod kep;
pub mod kubebuilder;
mod marker;
pub mod openapi;
mod page;
mod scope;

pub use marker::{KindEffect, Marker, OpenApiEffect, PackageEffect, SchemaEffect};
pub use scope::{Scope, VALUES};

/// A tag of the catalogue.
#[derive(Debug)]
pub struct Tag {
    /// Name without the `+`.
    pub name: &'static str,
    /// Other names with the same meaning.
    pub aliases: &'static [&'static str],
    /// The tools that read it.
    pub family: Family,
    /// The stability of the tag itself. Linting compares it with the stability of the API.
    pub stability: Level,
    /// The first release of Kubernetes whose generators read it, by its second number; 0 if all known ones do.
    pub since: u8,
    /// Where it is allowed.
    pub scopes: &'static [Scope],
    /// Where only KEP-5073 allows it.
    pub kep_scopes: &'static [Scope],
    /// The comments it is read from.
    pub blocks: &'static [BlockKind],
    /// The types it applies to, in words.
    pub types: &'static str,
    /// Arguments.
    pub args: &'static [Arg],
    /// Whether arguments with any other name are accepted too.
    pub open_args: bool,
    /// Value.
    pub payload: Payload,
    /// Whether upstream describes the tag, or this form of it, but does not implement it.
    pub kep_only: bool,
    /// The user documentation: Markdown, first line a summary.
    pub docs: &'static str,
    /// What the tag does.
    pub apply: Apply,
}

/// The tools that read a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// validation-gen.
    Declarative,
    /// None yet: KEP-5073 describes the tag.
    Kep,
    /// Generators, as their switches.
    Control,
    /// openapi-gen and defaulter-gen.
    OpenApi,
    /// controller-gen.
    Kubebuilder,
    /// Other generators, such as client-gen.
    Other,
}

/// An argument a tag takes.
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// Name; empty for the positional one.
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// Whether it is required.
    pub required: bool,
    /// Whether only KEP-5073 knows it.
    pub kep_only: bool,
    /// One line of documentation.
    pub docs: &'static str,
}

/// The value a tag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// None.
    None,
    /// Optional.
    Optional(Kind),
    /// Required.
    Required(Kind),
}

/// Kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    String,
    /// An integer.
    Int,
    /// `true` or `false`.
    Bool,
    /// Another tag.
    Tag,
    /// Anything.
    Raw,
}

/// What a tag does.
#[derive(Clone, Copy)]
pub enum Apply {
    /// Parsed by the grammar of `+k8s:` tags, checked against the descriptor, and evaluated in place; the
    /// slice starts with the tag itself.
    Declarative(for<'a> fn(&mut Cx<'a>, &At<'a>, &[Link]) -> Answer),
    /// Parsed by the same grammar with a verbatim value.
    Raw(for<'a> fn(&mut Cx<'a>, &At<'a>, &Link) -> Answer),
    /// Parses the line itself.
    Line(for<'a> fn(&mut Cx<'a>, &At<'a>, MarkerLine<'a>) -> Answer),
    /// Read by other tools, each in its own way.
    Marker(Marker),
}

impl Tag {
    /// A `+k8s:` tag without arguments and payload, to be completed.
    #[must_use]
    pub const fn declarative(
        name: &'static str,
        apply: for<'a> fn(&mut Cx<'a>, &At<'a>, &[Link]) -> Answer,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            family: Family::Declarative,
            stability: Level::Stable,
            since: 0,
            scopes: VALUES,
            kep_scopes: &[],
            blocks: &[BlockKind::Closest],
            types: "any type",
            args: &[],
            open_args: false,
            payload: Payload::None,
            kep_only: false,
            docs: "",
            apply: Apply::Declarative(apply),
        }
    }

    /// A tag that only KEP-5073 has, to be completed.
    #[must_use]
    pub const fn kep(name: &'static str, apply: for<'a> fn(&mut Cx<'a>, &At<'a>, &[Link]) -> Answer) -> Self {
        Self {
            family: Family::Kep,
            stability: Level::Alpha,
            kep_only: true,
            ..Self::declarative(name, apply)
        }
    }

    /// A switch of a generator, to be completed.
    #[must_use]
    pub const fn control(
        name: &'static str,
        apply: for<'a> fn(&mut Cx<'a>, &At<'a>, &Link) -> Answer,
    ) -> Self {
        Self {
            family: Family::Control,
            scopes: &[Scope::Package, Scope::Type],
            blocks: &[
                BlockKind::Closest,
                BlockKind::Second,
                BlockKind::Godoc,
                BlockKind::Loose,
                BlockKind::DocFile,
            ],
            payload: Payload::Optional(Kind::Raw),
            apply: Apply::Raw(apply),
            ..Self::declarative(name, unreachable_declarative)
        }
    }

    /// A marker with a grammar of its own, to be completed.
    #[must_use]
    pub const fn line(
        name: &'static str,
        family: Family,
        apply: for<'a> fn(&mut Cx<'a>, &At<'a>, MarkerLine<'a>) -> Answer,
    ) -> Self {
        Self {
            family,
            apply: Apply::Line(apply),
            ..Self::control(name, unreachable_control)
        }
    }

    /// The first line of the documentation.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.docs.lines().next().unwrap_or_default()
    }

    /// Whether the tag is allowed in the place.
    #[must_use]
    pub fn fits(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

fn unreachable_declarative(_: &mut Cx<'_>, _: &At<'_>, _: &[Link]) -> Answer {
    crate::read::nothing()
}

fn unreachable_control(_: &mut Cx<'_>, _: &At<'_>, _: &Link) -> Answer {
    crate::read::nothing()
}

impl Arg {
    /// An optional argument.
    #[must_use]
    pub const fn optional(name: &'static str, kind: Kind, docs: &'static str) -> Self {
        Self {
            name,
            kind,
            required: false,
            kep_only: false,
            docs,
        }
    }

    /// A required argument.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind, docs: &'static str) -> Self {
        Self {
            name,
            kind,
            required: true,
            kep_only: false,
            docs,
        }
    }
}

impl Payload {
    /// The kind of the value, if there is one.
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::None => None,
            Self::Optional(kind) | Self::Required(kind) => Some(kind),
        }
    }
}

impl Kind {
    /// The name in upstream's messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Bool => "bool",
            Self::Tag => "tag",
            Self::Raw => "raw",
        }
    }
}

impl std::fmt::Debug for Apply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Declarative(_) => "Declarative",
            Self::Raw(_) => "Raw",
            Self::Line(_) => "Line",
            Self::Marker(_) => "Marker",
        })
    }
}
