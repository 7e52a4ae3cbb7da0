//! What the page sends.

use kindsmith_checks::Profile;
use kindsmith_object::Release;
use serde::Deserialize;

/// Everything that is typed, and what is shown of the answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Request {
    #[serde(flatten)]
    pub(crate) api: Texts,
    /// The object, as YAML or JSON.
    pub(crate) object: String,
    /// The object before the update; empty for a create.
    pub(crate) old: String,
    /// The subresource to write, such as `status`.
    pub(crate) subresource: String,
    /// What is shown beside the findings and the stored object.
    pub(crate) panel: Panel,
    /// The field manager of an apply.
    pub(crate) manager: String,
    /// Whether an apply takes fields over.
    pub(crate) force: bool,
}

/// The API, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Texts {
    /// A Go file with types.
    pub(crate) go: String,
    /// CRDs.
    pub(crate) crds: String,
    /// Admission policies and bindings, and parameters they need.
    pub(crate) policies: String,
    /// Which rules apply where the KEPs and Kubernetes differ.
    pub(crate) profile: ProfileName,
    /// The release of Kubernetes, such as `1.36`.
    release: String,
}

impl Texts {
    /// The release of Kubernetes to answer as; by default, or if it is unknown, the newest that is out.
    pub(crate) fn release(&self) -> Release {
        self.release.parse().unwrap_or_default()
    }
}

/// Part of the answer that is worked out only while it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Panel {
    #[default]
    Stored,
    Crd,
    Openapi,
    Docs,
    Rules,
    Apply,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProfileName {
    #[default]
    Upstream,
    Kep,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Upstream => Self::Upstream,
            ProfileName::Kep => Self::Kep,
        }
    }
}
