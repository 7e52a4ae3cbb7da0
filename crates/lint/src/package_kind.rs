//! What a package is for, found from its own code: rules for types compiled into a server differ from those for custom
//! resources.

use std::collections::{HashMap, HashSet};

use kindsmith_schema::{Package, Schema, Type};

/// What a package is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PackageKind {
    /// Types compiled into an API server: validated by Go code, encoded as protobuf.
    Native,
    /// Types of custom resources.
    Custom,
    /// Neither.
    Library,
}

/// Switches of generators that only servers use.
const NATIVE: [&str; 3] = [
    "k8s:protobuf-gen",
    "k8s:prerelease-lifecycle-gen",
    "k8s:openapi-model-package",
];

/// What every package is for, found in one pass over the types.
#[derive(Debug)]
pub struct PackageKinds<'a>(HashMap<&'a str, PackageKind>);

impl<'a> PackageKinds<'a> {
    /// Judges packages by their markers, kinds and struct tags.
    #[must_use]
    pub fn of(schema: &'a Schema) -> Self {
        let is_marked = |ty: &Type| {
            let mut markers = ty.options.markers.iter();
            markers.any(|(name, _)| name.starts_with("kubebuilder:"))
        };
        let types = schema.types().map(|(_, ty)| ty);
        let kubebuilder: HashSet<&str> = types.filter(|ty| is_marked(ty)).map(package_of).collect();
        let kinds = schema.kinds().iter().chain(schema.ungrouped_kinds());
        let with_kinds: HashSet<&str> = kinds.map(|kind| package_of(schema.ty(kind.ty))).collect();
        let judged = schema.packages().iter().map(|package| {
            let path = &*package.path;
            // Projects with custom resources may generate validation code or OpenAPI too; only servers have none of
            // kubebuilder's markers.
            let kind = if is_for_servers(package) && !kubebuilder.contains(path) {
                PackageKind::Native
            } else if package.group.is_some() || with_kinds.contains(path) {
                PackageKind::Custom
            } else {
                PackageKind::Library
            };
            (path, kind)
        });
        Self(judged.collect())
    }

    /// What a package is for.
    #[must_use]
    pub fn kind(&self, path: &str) -> PackageKind {
        self.0.get(path).copied().unwrap_or(PackageKind::Library)
    }
}

fn package_of(ty: &Type) -> &str {
    &ty.name.package
}

/// Whether a package enables generators that only servers use.
fn is_for_servers(package: &Package) -> bool {
    let options = &package.options;
    let mut markers = options.markers.iter();
    options.model_package.is_some()
        || !options.validation.is_empty()
        || markers.any(|(name, _)| NATIVE.contains(&&**name))
}

impl PackageKind {
    /// The name used in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Custom => "crd",
            Self::Library => "library",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Native, Self::Custom, Self::Library]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}
