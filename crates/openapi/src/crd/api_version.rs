//! The versions of `apiextensions.k8s.io`.

/// The API versions of CRDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiVersion {
    /// `apiextensions.k8s.io/v1`.
    #[default]
    V1,
    /// `apiextensions.k8s.io/v1beta1`, no longer served.
    V1beta1,
}

impl ApiVersion {
    /// The text of `apiVersion`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ApiVersion::V1 => "apiextensions.k8s.io/v1",
            ApiVersion::V1beta1 => "apiextensions.k8s.io/v1beta1",
        }
    }
}
