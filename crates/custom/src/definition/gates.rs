//! Feature gates that change what is said to a definition. Both are on in every current Kubernetes.

/// Switches of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gates {
    /// `CustomResourceDefaulting` (the KEP of CRD defaulting). Off: a definition may not gain its first default, and
    /// no default is applied to objects.
    pub custom_resource_defaulting: bool,
    /// `DeclarativeDefaults` (KEP-1929). Off: an explicit null is neither defaulted nor removed, but left for
    /// validation to refuse.
    pub declarative_defaults: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            custom_resource_defaulting: true,
            declarative_defaults: true,
        }
    }
}

impl Gates {
    /// Whether defaults are applied to objects.
    #[must_use]
    pub fn applies_defaults(self) -> bool {
        self.custom_resource_defaulting
    }

    /// Whether nulls that a schema does not allow are replaced by a default or removed.
    #[must_use]
    pub fn normalizes_nulls(self) -> bool {
        self.declarative_defaults
    }
}
