//! Descriptors of markers outside the grammar of `+k8s:` tags: how controller-gen and openapi-gen read them.
//!
//! The descriptors hold the checks and meanings; `crate::marker` decides which tool sees which line, and when.

use kindsmith_schema::{self as schema, Facet, Package};

use super::{Apply, Family, Scope, Tag};
use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::site::BlockKind;

/// A marker of controller-gen, openapi-gen or another generator.
#[derive(Clone, Copy)]
pub struct Marker {
    /// The arguments that controller-gen accepts; `Raw` for markers that it does not know.
    pub arguments: Arguments,
    /// The order in which controller-gen applies it; smaller is earlier.
    pub priority: u8,
    /// Whether it also exists for list items, under `kubebuilder:validation:items:`.
    pub items: bool,
    /// Whether controller-gen knows it.
    pub crd: bool,
    /// Its effect on the schema of a field or type.
    pub schema: Option<SchemaEffect>,
    /// Its effect on a resource.
    pub kind: Option<KindEffect>,
    /// Its effect on a package.
    pub package: Option<PackageEffect>,
    /// How openapi-gen reads its value.
    pub openapi: Option<OpenApiEffect>,
}

/// Checks the schema and returns the rule that the marker adds; the error is controller-gen's.
pub type SchemaEffect = fn(&mut Node, &MarkerValues) -> Result<Option<Facet>, Unfit>;
/// Changes a resource; the error is controller-gen's.
pub type KindEffect = fn(&mut schema::Kind, &MarkerValues) -> Result<(), String>;
/// Changes a package.
pub type PackageEffect = fn(&mut Package, &MarkerValues);
/// Reads a value like openapi-gen.
pub type OpenApiEffect = fn(&str) -> Option<Facet>;

impl std::fmt::Debug for Marker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Marker")
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// The default order of controller-gen's markers.
const PRIORITY: u8 = 10;

/// Comments that controller-gen reads.
const CRD_BLOCKS: &[BlockKind] = &[
    BlockKind::Closest,
    BlockKind::Godoc,
    BlockKind::Second,
    BlockKind::Loose,
    BlockKind::DocFile,
    BlockKind::Package,
];

/// Comments that gengo's tools read.
const GENGO_BLOCKS: &[BlockKind] = &[BlockKind::Closest, BlockKind::DocFile];

/// Fields and types.
const NODES: &[Scope] = &[Scope::Field, Scope::Type];

const UNKNOWN: Marker = Marker {
    arguments: Arguments::Raw,
    priority: PRIORITY,
    items: false,
    crd: false,
    schema: None,
    kind: None,
    package: None,
    openapi: None,
};

const fn known(arguments: Arguments) -> Marker {
    Marker {
        arguments,
        crd: true,
        ..UNKNOWN
    }
}

impl Tag {
    const fn marker(name: &'static str, family: Family, scopes: &'static [Scope], marker: Marker) -> Self {
        Self {
            family,
            scopes,
            blocks: CRD_BLOCKS,
            apply: Apply::Marker(marker),
            ..Self::declarative(name, super::unreachable_declarative)
        }
    }

    /// A validation of controller-gen, for fields, types and list items; to be completed.
    pub(crate) const fn validation(name: &'static str, arguments: Arguments, schema: SchemaEffect) -> Self {
        let marker = Marker {
            items: true,
            schema: Some(schema),
            ..known(arguments)
        };
        Self::marker(name, Family::Kubebuilder, NODES, marker)
    }

    /// A marker of controller-gen for the schema of fields or types; to be completed.
    pub(crate) const fn schema(
        name: &'static str,
        scopes: &'static [Scope],
        arguments: Arguments,
        schema: SchemaEffect,
    ) -> Self {
        let marker = Marker {
            schema: Some(schema),
            ..known(arguments)
        };
        Self::marker(name, Family::Kubebuilder, scopes, marker)
    }

    /// A marker of controller-gen for resources; to be completed.
    pub(crate) const fn resource(name: &'static str, arguments: Arguments, kind: KindEffect) -> Self {
        let marker = Marker {
            kind: Some(kind),
            ..known(arguments)
        };
        Self::marker(name, Family::Kubebuilder, &[Scope::Type], marker)
    }

    /// A marker of controller-gen for packages; to be completed.
    pub(crate) const fn package(name: &'static str, arguments: Arguments, package: PackageEffect) -> Self {
        Self::checked(name, &[Scope::Package], arguments).on_packages(package)
    }

    /// A marker that controller-gen checks and another of its generators uses; to be completed.
    pub(crate) const fn checked(name: &'static str, scopes: &'static [Scope], arguments: Arguments) -> Self {
        Self::marker(name, Family::Kubebuilder, scopes, known(arguments))
    }

    /// A marker that both controller-gen and openapi-gen read; to be completed.
    pub(crate) const fn shared(
        name: &'static str,
        scopes: &'static [Scope],
        arguments: Arguments,
        schema: SchemaEffect,
        openapi: OpenApiEffect,
    ) -> Self {
        let marker = Marker {
            schema: Some(schema),
            openapi: Some(openapi),
            ..known(arguments)
        };
        Self::marker(name, Family::OpenApi, scopes, marker)
    }

    /// A marker that only openapi-gen reads; to be completed.
    pub(crate) const fn openapi(
        name: &'static str,
        scopes: &'static [Scope],
        openapi: OpenApiEffect,
    ) -> Self {
        let marker = Marker {
            openapi: Some(openapi),
            ..UNKNOWN
        };
        Self {
            blocks: GENGO_BLOCKS,
            ..Self::marker(name, Family::OpenApi, scopes, marker)
        }
    }

    /// A marker of another generator, which is only stored; to be completed.
    pub(crate) const fn kept(name: &'static str, scopes: &'static [Scope]) -> Self {
        Self::marker(name, Family::Other, scopes, UNKNOWN)
    }

    /// Sets the order in which controller-gen applies the marker.
    pub(crate) const fn priority(self, priority: u8) -> Self {
        match self.apply {
            Apply::Marker(marker) => Self {
                apply: Apply::Marker(Marker { priority, ..marker }),
                ..self
            },
            _ => self,
        }
    }

    /// Adds a meaning on packages.
    pub(crate) const fn on_packages(self, package: PackageEffect) -> Self {
        match self.apply {
            Apply::Marker(marker) => Self {
                apply: Apply::Marker(Marker {
                    package: Some(package),
                    ..marker
                }),
                ..self
            },
            _ => self,
        }
    }

    /// How controller-gen and openapi-gen read it, if they do.
    #[must_use]
    pub(crate) fn as_marker(&self) -> Option<&Marker> {
        match &self.apply {
            Apply::Marker(marker) => Some(marker),
            _ => None,
        }
    }
}
