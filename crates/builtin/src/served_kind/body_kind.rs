//! Errors for bodies of another kind than the URL's.

use kindsmith_request::body::Native;

use crate::{Kind, own_kinds};

/// The source line of Go's scheme of built-in kinds, which errors quote.
const SCHEME: &str = "pkg/api/legacyscheme/scheme.go:30";

/// Versions that the reference can read but does not serve.
const UNSERVED: [(&str, &[&str]); 1] = [("admissionregistration.k8s.io", &["v1alpha1", "v1beta1"])];

impl Kind {
    /// What is said to a body of a version that could be read, but is not that of the URL.
    pub(crate) fn other_version(&self, parsed: &Native<'_>) -> Option<String> {
        let is_unserved = UNSERVED
            .iter()
            .any(|(group, versions)| **group == *parsed.group && versions.contains(&&*parsed.version));
        let is_ours = *parsed.group == *self.names.group && *parsed.kind == *self.names.kind;
        (is_unserved && is_ours).then(|| {
            format!(
                "the API version in the data ({}/{}) does not match the expected API version ({})",
                parsed.group,
                parsed.version,
                self.names.api_version()
            )
        })
    }

    /// Why a body of another kind is not taken: nobody knows its kind, or it does not fit that one, or it cannot become
    /// one of ours.
    pub(crate) fn why_not(&self, parsed: &Native<'_>) -> String {
        let is_version = |kind: &&&std::sync::Arc<Kind>| {
            *kind.names.group == *parsed.group && *kind.names.version == *parsed.version
        };
        let known = own_kinds().iter().filter(|kind| is_version(&kind));
        for kind in known {
            if *kind.names.list_kind == *parsed.kind {
                return self.no_conversion(&parsed.version, &parsed.kind);
            }
            if *kind.names.kind == *parsed.kind {
                return match kind.plan().decode(parsed.value) {
                    Ok(()) => self.no_conversion(&parsed.version, &parsed.kind),
                    Err(error) => error.to_string(),
                };
            }
        }
        let api_version = match &*parsed.group {
            "" => parsed.version.clone(),
            group => format!("{group}/{}", parsed.version),
        };
        format!(
            "no kind \"{}\" is registered for version \"{api_version}\" in scheme \"{SCHEME}\"",
            parsed.kind
        )
    }

    fn no_conversion(&self, version: &str, kind: &str) -> String {
        let package = match &*self.names.group {
            "" => "core",
            group => group.split('.').next().unwrap_or_default(),
        };
        format!(
            "converting ({version}.{kind}) to ({package}.{}): unknown conversion",
            self.names.kind
        )
    }
}
