//! What a package is for, found from its own code: rules for types compiled into a server differ from those for custom
//! resources.

use kindsmith_schema::{Package, Schema};

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

impl PackageKind {
    /// The kind of a package, judging by its markers, kinds and struct tags.
    #[must_use]
    pub fn of(schema: &Schema, package: &Package) -> Self {
        if is_native(schema, package) {
            return Self::Native;
        }
        let is_custom = package.group.is_some()
            || schema
                .kinds()
                .iter()
                .chain(schema.ungrouped_kinds())
                .any(|kind| schema.ty(kind.ty).name.package == package.path);
        if is_custom { Self::Custom } else { Self::Library }
    }

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

fn is_native(schema: &Schema, package: &Package) -> bool {
    let options = &package.options;
    let mut markers = options.markers.iter();
    let own = || schema.types().filter(|(_, ty)| ty.name.package == package.path);
    let is_marked = options.model_package.is_some()
        || !options.validation.is_empty()
        || markers.any(|(name, _)| NATIVE.contains(&&**name));
    // Projects with custom resources may generate validation code or OpenAPI too; only servers have none of kubebuilder's
    // markers.
    is_marked
        && !own().any(|(_, ty)| {
            let mut markers = ty.options.markers.iter();
            markers.any(|(name, _)| name.starts_with("kubebuilder:"))
        })
}
