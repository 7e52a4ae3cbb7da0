//! How a server treats the kinds of other packages.

use kindsmith_engine::{OptionSet, Profile};

/// How a server treats the kinds of other packages. The server's own kinds are always as in Kubernetes.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which rules apply where the KEPs and Kubernetes differ.
    pub profile: Profile,
    /// Validation options that are on or off.
    pub options: OptionSet,
    /// Whether defaults of tags are left out (feature gate `DeclarativeDefaults`).
    pub has_no_tag_defaults: bool,
}
